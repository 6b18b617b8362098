"""Several text files read side by side: line i of each belongs to line i of the others.

Memory holds one batch, whatever the size of the files. Files of unequal length are an error that
names the shortest and the longest with their numbers of lines.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from paragauge.errors import FileFormatError, InputError, LengthError
from paragauge.text.files import ONE_INPUT, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.wording import pluralize

BATCH = 1 << 13
BATCH_BYTES = 1 << 24


@contextlib.contextmanager
def open_parallel(paths: Sequence[str | Path]) -> Iterator[list[LineReader]]:
    """A reader of each file, closed at the end of the block; one of them may be ``-``."""
    if sum(str(path) == "-" for path in paths) > 1:
        raise InputError(ONE_INPUT)
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(LineReader(path)) for path in paths]


def read_parallel(readers: Sequence[LineReader]) -> list[Lines] | None:
    r"""The next lines of all files, equally many of each; None at the common end.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [pathlib.Path(folder, name) for name in "ab"]
    ...     for path in paths:
    ...         _ = path.write_text(f"{path.name}1\n{path.name}2\n")
    ...     with open_parallel(paths) as readers:
    ...         [list(lines) for lines in read_parallel(readers)], read_parallel(readers)
    ([['a1', 'a2'], ['b1', 'b2']], None)
    """
    leader = readers[0].read(BATCH, BATCH_BYTES)
    at_start = readers[0].line == len(leader)
    lines = [leader, *(reader.read(max(1, len(leader))) for reader in readers[1:])]
    if at_start:
        for reader, column in zip(readers, lines, strict=True):
            if len(column) == 0:
                raise FileFormatError(
                    display_name(reader.path),
                    None,
                    "the file is empty; expected one sentence per line",
                )
    if any(len(column) != len(leader) for column in lines):
        _raise_unequal(readers)
    return lines if len(leader) else None


def _raise_unequal(readers: Sequence[LineReader]) -> None:
    for reader in readers:
        reader.count_rest()
    shortest = min(readers, key=lambda reader: reader.line)
    longest = max(readers, key=lambda reader: reader.line)
    raise LengthError(
        f"{display_name(shortest.path)} has {pluralize(shortest.line, 'line')} but "
        f"{display_name(longest.path)} "
        f"has {longest.line:,}; expected equally many; line {shortest.line + 1} is the first that "
        f"{display_name(shortest.path)} lacks"
    )
