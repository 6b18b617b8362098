"""Run each command twice, and compare every byte that it writes: `make same-bytes`.

The second run has another number of threads, NumPy's among them, another hash seed, another folder
for temporary files, another working folder and another time zone. Files, standard output and the
models that the examples need must be the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [
        str(Path(__file__).resolve().parents[1]),
        str(Path(__file__).resolve().parents[1] / "docs"),
    ]

from command_server import CommandServer
from commands.examples import EXAMPLES_BY_COMMAND, Example, make_workspace

ENVIRONMENTS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "threads": "1", "OPENBLAS_NUM_THREADS": "1"},
    {"PYTHONHASHSEED": "4321", "TZ": "Asia/Kolkata", "threads": "3", "OPENBLAS_NUM_THREADS": "2"},
)
COMPARED = {name: example for name, example in EXAMPLES_BY_COMMAND.items() if not example.changes}
QUICK = {name: example for name, example in COMPARED.items() if not example.is_slow}


class Place:
    """A workspace and the server that runs commands in it."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.work, self.threads = folder / "work", settings["threads"]
        (folder / "temporary").mkdir(parents=True)
        changes = {name: value for name, value in settings.items() if name != "threads"}
        self.variables = {**os.environ, **changes, "TMPDIR": str(folder / "temporary")}
        self.server = CommandServer(self.variables)

    def run(self, words: Sequence[str], folder: Path, stdin: bytes = b"") -> bytes:
        """Run a command with this place's number of threads; returns what it prints."""
        if takes_threads(words):
            words = [*words, "--threads", self.threads]
        done = self.server.run(words, stdin, folder, self.variables)
        if done.returncode:
            raise SystemExit(f"paragauge {' '.join(words)}: {done.stderr.decode()}")
        return done.stdout

    def output(self, example: Example) -> dict[str, bytes]:
        """The content of all files that the example writes, by name; `-` is standard output."""
        out = self.work / "out"
        shutil.rmtree(out)
        out.mkdir()
        printed = self.run(example.words, self.work, example.stdin)
        files = read_files(out)
        return {"-": printed} | {name: files[name] for name in files if name not in example.timed}


@contextmanager
def two_places(names: Iterable[str] = COMPARED) -> Iterator[list[Place]]:
    """Two places with all that these examples read."""
    lines = [EXAMPLES_BY_COMMAND[name].line for name in names]
    with tempfile.TemporaryDirectory(prefix="same-bytes-") as name:
        # The folders' names differ in length too.
        folders = [Path(name).resolve() / part for part in ("a", "the second one")]
        places = [Place(folder, each) for folder, each in zip(folders, ENVIRONMENTS, strict=True)]
        try:
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(lambda place: make_workspace(place.work, place.run, lines), places))
            for store in (places[0].work / "in").glob("*.db"):  # the ids in stores are random
                shutil.copyfile(store, places[1].work / "in" / store.name)
            yield places
        finally:
            for place in places:
                place.server.__exit__(None, None, None)


def compare(places: Sequence[Place], example: Example) -> list[str]:
    """What differs between the outputs of an example, in words."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda place: place.output(example), places)
    return differences(first, second)


def compare_models(places: Sequence[Place]) -> list[str]:
    """What differs between the models that the examples read."""
    first, second = (read_files(place.work / "in") for place in places)
    return differences(first, second)


def differences(first: dict[str, bytes], second: dict[str, bytes]) -> list[str]:
    """Which files are missing in one of two runs, and where the others differ first."""
    found = [f"{name}: written by one run only" for name in sorted(first.keys() ^ second.keys())]
    for name in sorted(first.keys() & second.keys()):
        one, other = first[name], second[name]
        if one != other:
            ends = zip(one, other, strict=False)
            at = next((n for n, (a, b) in enumerate(ends) if a != b), min(len(one), len(other)))
            part = slice(max(0, at - 40), at + 40)
            found.append(f"{name}: byte {at} of {len(one)}: {one[part]!r} or {other[part]!r}")
    return found


def read_files(folder: Path) -> dict[str, bytes]:
    """The content of all files in a folder, hidden ones too, by name."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def takes_threads(words: Sequence[str]) -> bool:
    """Whether the command has the option --threads."""
    import click

    from paragauge.cli.main import app

    command: click.Command = app
    context = click.Context(app)
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(context, word) or command
    return any("--threads" in parameter.opts for parameter in command.params)


def main() -> None:
    """Compare the examples that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", nargs="*", metavar="COMMAND")
    names = parser.parse_args().commands or list(COMPARED)
    failures, files = 0, 0
    with two_places(names) as places:
        for name in names:
            found = compare(places, EXAMPLES_BY_COMMAND[name])
            failures += bool(found)
            files += len(read_files(places[0].work / "out"))
            print(f"{name:<24} {'; '.join(found) or 'the same bytes'}", flush=True)
        models = compare_models(places)
        print("; ".join(models) or "the models that they read: the same bytes")
    print(f"{len(names)} commands, {files} files, {failures + bool(models)} differences")
    sys.exit(bool(failures or models))


if __name__ == "__main__":
    main()
