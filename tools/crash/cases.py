"""What is killed: every command that writes, and two functions of Python that replace a folder.

The commands are those of `tools/commands/examples.py`; those that change a store work on a copy of it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

from commands.examples import EXAMPLES_BY_COMMAND


@dataclass(frozen=True)
class Case:
    """A command, `new`, that replaces what `old` wrote; `before` is there in both cases.

    `timed` are outputs with times in them, which differ from run to run. A store is compared by its
    rows. The files of a folder `by_file` appear one after the other, each whole: it can be resumed.
    """

    new: str
    old: str = ""
    before: tuple[str, ...] = ()
    timed: tuple[str, ...] = ()
    is_store: bool = False
    by_file: bool = False
    is_slow: bool = False


# Where another run gives the same output, the old one is any other file.
OTHER_OLD = {
    "generate tune": "COPY in/links out/w.tsv",
    "lm convert": "COPY in/links out/lm.arpa",
}
STORES = ("account", "token", "import")
# These write only what Mechanical Turk answers, in transactions of the store, or what a worker sends.
WITHOUT_CASE = (
    *(f"collect mturk {name}" for name in ("create", "sync", "approve", "bonus", "expire")),
    "collect serve",
)


def make_cases() -> dict[str, Case]:
    """The cases by the name of their command."""
    cases = {}
    for name, example in EXAMPLES_BY_COMMAND.items():
        if name in WITHOUT_CASE:
            continue
        if name in [f"collect {word}" for word in STORES]:
            line = example.line.replace("in/clips.db", "out/clips.db")
            cases[name] = Case(line, before=("COPY in/clips.db out/clips.db",), is_store=True)
        elif example.writes:
            cases[name] = Case(
                example.line,
                OTHER_OLD.get(name, example.other),
                timed=example.timed,
                is_store=bool(example.changes),
                by_file=name == "grammar evaluate",
                is_slow=example.is_slow,
            )
    cases["PEMModel.save"] = Case("PEM out/pem 2", "PEM out/pem 1")
    cases["export_rows"] = Case("EXPORT out/e 2", "EXPORT out/e 1")
    return cases


CASES = make_cases()
