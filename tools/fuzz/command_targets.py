"""Every command with one damaged input, and every folder that the package reads with one damaged file.

The commands are those of `tools/commands/examples.py`. An input says which file it replaces: its first
line is the file's name in the workspace, the rest its content.
"""

from __future__ import annotations

import atexit
import functools
import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

from targets import TARGETS, add

from commands.examples import EXAMPLES_BY_COMMAND, Example, make_workspace

# What these commands do takes seconds, and they read what others read.
LEFT_OUT = ("collect serve", "pem train", "pem fit", "generate train phrase", "grammar evaluate")
LARGEST = 1 << 18  # bytes of a seed


@functools.cache
def workspace() -> Path:
    """A folder with all that the examples read; made once, by a server with processes of its own."""
    from command_server import CommandServer

    place = Path(tempfile.mkdtemp(prefix="fuzz-workspace-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)

    def run(words: Sequence[str], folder: Path) -> None:
        done = server.run(list(words), b"", folder)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stderr.decode()}")

    with CommandServer() as server:
        make_workspace(place / "work", run)
    return place / "work"


def files_of(names: Sequence[str], root: Path) -> list[str]:
    """The files among these names, and all files in the folders among them."""
    found = []
    for name in names:
        path = root / name
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [each.relative_to(root).as_posix() for each in inside if each.is_file()]
    small = [name for name in found if (root / name).stat().st_size <= LARGEST]
    return small or found


def seeds_of(names: Sequence[str]) -> Callable[[Path], list[bytes]]:
    """A function that copies the files into the folder in which the target runs."""

    def make(folder: Path) -> list[bytes]:
        shutil.copytree(workspace(), folder, dirs_exist_ok=True)
        return [
            name.encode() + b"\n" + (folder / name).read_bytes() for name in files_of(names, folder)
        ]

    return make


def with_damaged_file(names: Sequence[str], run: Callable[[], object]) -> Callable[[Path], object]:
    """A target that puts the input in the place of the file that it names, and of the first one if it
    names none.
    """

    def check(path: Path) -> object:
        folder = path.parent
        name, _, content = path.read_bytes().partition(b"\n")
        files = files_of(names, workspace())
        chosen = name.decode("utf-8", "replace")
        place = folder / (chosen if chosen in files else files[0])
        shutil.rmtree(folder / "out", ignore_errors=True)
        (folder / "out").mkdir()
        place.write_bytes(content)
        try:
            return run()
        finally:
            shutil.copyfile(workspace() / place.relative_to(folder), place)
            if place.suffix == ".db":
                for left in place.parent.glob(f"{place.name}-*"):
                    left.unlink()

    return check


def add_command(name: str, example: Example) -> None:
    """Add a command with its inputs."""

    def run() -> int:
        from paragauge.cli.main import run as run_command

        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(example.stdin), encoding="utf-8")
        try:
            code = run_command(example.words)
        finally:
            sys.stdin = before
        return 0 if example.changes and code == 2 else code  # no Mechanical Turk answers

    add(f"command {name}", with_damaged_file(example.inputs, run), seeds_of(example.inputs))


for command_name, command_example in EXAMPLES_BY_COMMAND.items():
    if command_example.inputs and command_name not in LEFT_OUT:
        add_command(command_name, command_example)

# Folders.


def open_table() -> None:
    from paragauge.phrases.table import PhraseTable

    PhraseTable.open("in/table").verify()


def open_rules() -> None:
    from paragauge.grammar.grammar_folder import Grammar

    Grammar.open("in/rules").verify()


def open_generator_folder() -> None:
    from paragauge.generate.model_loader import open_generator

    open_generator("in/model")


def open_pem() -> None:
    from paragauge.metrics.pem.model import PEMModel

    PEMModel.load("in/pem")


def open_encoder_folder() -> None:
    from paragauge.encode.encoder_by_name import open_encoder

    open_encoder("in/mine")


def convert_bert() -> None:
    from paragauge.encode.bert_weights import read_config, read_weights

    read_config(Path("in/bert"))
    read_weights(Path("in/bert"))


for folder_name, opener in (
    ("in/table", open_table),
    ("in/rules", open_rules),
    ("in/model", open_generator_folder),
    ("in/pem", open_pem),
    ("in/mine", open_encoder_folder),
    ("in/bert", convert_bert),
):
    add(
        f"folder {folder_name[3:]}",
        with_damaged_file([folder_name], opener),
        seeds_of([folder_name]),
    )

__all__ = ["TARGETS"]
