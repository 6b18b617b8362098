"""The command line called in this process, which is fast; what needs a process uses `run`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from paragauge.cli import main


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
        code = main.run([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
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
def file(tmp_path) -> Callable[[str, str | bytes], Path]:
    """Write a file: file("a.txt", "one\\ntwo\\n")."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write
