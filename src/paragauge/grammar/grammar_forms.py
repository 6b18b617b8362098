"""A grammar in any form that the package reads, for functions that need its folder.

A text file is converted into a temporary folder, which exists as long as the grammar is open. The
folder has the name of the file without its endings, so that tables show that name.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from paragauge.engine.base import Engine
from paragauge.grammar.convert import read_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.rule_rows import grammar_name
from paragauge.text.progress import Progress, silent


@contextlib.contextmanager
def open_grammar(
    path: str | Path,
    *,
    engine: Engine | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> Iterator[Grammar]:
    r"""The grammar in a folder, or in a text file of PPDB, Joshua, cdec or Moses (`-`: standard input).

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "small.txt")
    ...     _ = file.write_text("[X] ||| a ||| b\n")
    ...     with open_grammar(file) as grammar:
    ...         grammar.folder.name, len(grammar), grammar.folder.exists()
    ...     grammar.folder.exists()
    ('small', 1, True)
    False
    """
    if not is_grammar_file(path):
        yield Grammar.open(path)
        return
    with tempfile.TemporaryDirectory(prefix="paragauge-") as scratch:
        name = "stdin" if str(path) == "-" else grammar_name(path)
        output = Path(scratch, name)
        yield read_grammar(path, output, engine=engine, threads=threads, progress=progress)


def is_grammar_file(path: str | Path) -> bool:
    """Whether a path is a text file, or standard input, and not a folder.

    >>> is_grammar_file("-"), is_grammar_file(Path(__file__).parent)
    (True, False)
    """
    return str(path) == "-" or Path(path).is_file()
