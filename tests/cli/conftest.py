"""The command line called in this process, which is fast; what needs a process uses `run`."""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from paragauge.cli import main
from paragauge.encode.encoder_by_name import keep_vectors
from tests.json_forms import check_document


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: bytes
    err: bytes


@pytest.fixture
def call(capsysbinary, monkeypatch) -> Callable[..., Outcome]:
    """Run a command here: call("score", "-c", path, stdin=b"...")."""

    def run(*arguments: object, stdin: bytes = b"") -> Outcome:
        stream = io.BufferedReader(io.BytesIO(stdin))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream, encoding="utf-8"))
        capsysbinary.readouterr()
        try:
            code = main.run([str(argument) for argument in arguments])
        finally:
            keep_vectors(None)  # a command of its own process ends here
        out, err = capsysbinary.readouterr()
        if code == 0 and out.startswith(b'{\n  "') and not out.startswith(b'{\n  "$schema"'):
            check_document(out.decode("utf-8"))  # what a command prints as JSON fits its schema
        return Outcome(code, out, err)

    return run


@pytest.fixture
def good(call) -> Callable[..., str]:
    """Run a command that must succeed in silence; gives what it prints."""

    def run(*arguments: object, stdin: bytes = b"") -> str:
        outcome = call(*arguments, stdin=stdin)
        assert (outcome.code, outcome.err) == (0, b"")
        return outcome.out.decode("utf-8")

    return run


@pytest.fixture
def fails(call, tmp_path) -> Callable[..., str]:
    """Run a command that must fail as promised; gives the message.

    One line on standard error, exit code 2, nothing on standard output, no file made or changed.
    """

    def snapshot() -> dict[Path, bytes | None]:
        return {path: path.read_bytes() if path.is_file() else None for path in tmp_path.rglob("*")}

    def run(*arguments: object, stdin: bytes = b"") -> str:
        before = snapshot()
        outcome = call(*arguments, stdin=stdin)
        assert snapshot() == before
        text = outcome.err.decode("utf-8")
        assert text.startswith("paragauge: error: ")
        assert text.endswith("\n")
        assert text.count("\n") == 1
        assert outcome.code == 2
        assert outcome.out == b""
        return text.removeprefix("paragauge: error: ").removesuffix("\n")

    return run


@pytest.fixture
def changed() -> Callable[..., list[object]]:
    """A command with other values of options: changed(["score", "--seed", 1], "--seed", 2)."""

    def change(command: list[object], *options: object) -> list[object]:
        flags = dict(zip(options[::2], options[1::2], strict=True))
        words = list(command)
        for flag in flags.keys() & set(words):
            words[words.index(flag) + 1] = flags.pop(flag)
        return [*words, *(word for pair in flags.items() for word in pair)]

    return change


@pytest.fixture
def file(tmp_path) -> Callable[[str, str | bytes], Path]:
    """Write a file: file("a.txt", "one\\ntwo\\n")."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def rated_texts(tmp_path_factory) -> Path:
    """A folder with 20 sources, two references each, three systems, and the ratings of two judges."""
    folder = tmp_path_factory.mktemp("rated")
    rng = np.random.default_rng(71)
    words = [f"w{i}" for i in range(12)]

    def changed(text: str, share: float) -> str:
        return " ".join(str(rng.choice(words)) if rng.random() < share else w for w in text.split())

    def write(name: str, lines: list[str]) -> None:
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    sources = [" ".join(rng.choice(words, 9)) for _ in range(20)]
    write("src.txt", sources)
    write("refs.tsv", ["\t".join(changed(text, 0.3) for _ in range(2)) for text in sources])
    rows = ["segment\tsystem\tjudge\tsemantic\tdissimilarity\toverall"]
    for name, share in (("a", 0.1), ("b", 0.4), ("c", 0.7)):
        write(f"{name}.txt", [changed(text, share) for text in sources])
        for number, judge in itertools.product(range(1, 21), "AB"):
            true = rng.normal([4 - 2 * share, 1 + 3 * share, 3.5 - 2 * share], 0.8)
            said = "\t".join(f"{value:g}" for value in np.clip(true.round(), 1, 4))
            rows.append(f"{number}\t{name}\t{judge}\t{said}")
    write("ratings.tsv", rows)
    return folder
