r"""Rows of CSV as in RFC 4180, read with their line numbers, and written so that they read back equal.

A header line, then one row a line, with commas between the fields, or semicolons or tabs, which are
found by looking (`tables.dialect`). A field in double quotes may hold separators, line ends and
quotes, which are doubled; a quote inside a field that does not begin with one is an ordinary
character. A line ends at `\n` or `\r\n`, and a byte-order mark is dropped, as in `text.line_reader`;
inside quotes both line ends stay as they are. Commas separate and rows end with `\n` when written.

A carriage return outside quotes that ends no line is an error, because it would be lost. A row of
several lines has at most `LONGEST` bytes: otherwise a quote that is never closed would take the whole
rest of the file into memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.kernels import _native
from paragauge.kernels.layout import Bytes, Ints
from paragauge.text.files import Closable, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.tables.dialect import DELIMITERS, find_delimiter, named_delimiter

LONGEST = 1 << 24  # bytes of a row of several lines
BLOCK = 1 << 20  # bytes read at a time
LINES = 1 << 13  # lines read at a time
# Semicolons and tabs need no quotes, but a header of one column must not look like one of several.
_NEEDS_QUOTES = re.compile('[",;\t\r\n\ufeff]')
_STRAY_RETURN, _AFTER_QUOTE, _OPEN_QUOTE = 1, 2, 3  # problems of the kernel


@dataclass(frozen=True)
class Fields:
    """Fields of some rows: UTF-8 bytes with spans [rows, columns, 2], and the line of each row."""

    buffer: Bytes
    spans: Ints
    lines: Ints

    def __len__(self) -> int:
        return len(self.spans)

    def column(self, place: int) -> Lines:
        """The fields of one column."""
        return Lines(self.buffer, np.ascontiguousarray(self.spans[:, place]))


class CsvRows(Closable):
    r"""The rows of one file, each with as many fields as the header has `names`.

    With `skip_empty`, rows whose fields are all empty are left out.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.csv")
    ...     _ = path.write_text('source;output\n"Yes; it is.";"It ""is"",\nyes."\na;b\n')
    ...     with CsvRows(path) as rows:
    ...         fields = rows.read(8)
    ...         rows.names, list(fields.column(1)), fields.lines.tolist()
    (['source', 'output'], ['It "is",\nyes.', 'b'], [2, 4])
    """

    def __init__(self, file: str | Path | LineReader, *, skip_empty: bool = False) -> None:
        self._file = LineReader.of(file)
        self.path = self._file.path
        self._skip_empty = skip_empty
        self._rest: Bytes = np.zeros(0, np.uint8)  # read, not yet given out
        self._ended = False
        self._count = 1  # lines to read; the header alone first: its names are checked before the rest
        self.names: list[str] = []
        try:
            self._delimiter = self._find_delimiter()
            self._line = self._file.line  # line ends before the rest
            self.header = self._line + 1  # the line of the header
            self.names = self._read_header()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self, limit: int) -> Fields:
        """At most `limit` rows; none at the end."""
        width = len(self.names)
        while (rows := self._next(limit)) is not None:
            fields = self._check(*rows)
            if len(fields):
                return fields
        return Fields(self._rest, np.zeros((0, width, 2), np.int64), np.zeros(0, np.int64))

    def _find_delimiter(self) -> str:
        sample, complete = self._file.peek()
        named = named_delimiter(sample)
        if named is None:
            return find_delimiter(sample, complete=complete)
        self._file.skip(named[1])
        return named[0]

    def _read_header(self) -> list[str]:
        row = self._next(1)
        if row is None:
            message = "the file is empty; expected a header line with column names"
            raise FileFormatError(display_name(self.path), None, message)
        buffer, spans, _, _ = row
        return list(Lines(buffer, spans))

    def _next(self, limit: int) -> tuple[Bytes, Ints, Ints, Ints] | None:
        """Bytes, spans of all fields, groups and lines of the next rows; None at the end."""
        while not (self._ended and len(self._rest) == 0):
            spans, groups, before, unquoted, consumed, ended, problem, place = _native.split_rows(
                self._rest, limit, self._delimiter, self._ended
            )
            if len(before):
                buffer = self._rest[:consumed]
                if len(unquoted):
                    # Their spans lie behind the whole rest, of which only the rows are kept.
                    spans = np.where(spans < len(self._rest), spans, spans - len(self._rest) + consumed)
                    buffer = np.concatenate([buffer, unquoted])
                lines = before + (self._line + 1)
                self._rest = self._rest[consumed:]
                self._line += ended
                return buffer, spans, groups, lines
            if problem:
                raise self._explain(problem, place)
            if len(self._rest) > LONGEST:
                raise self._too_long()
            self._fill()
        return None

    def _fill(self) -> None:
        block = self._file.read(self._count, BLOCK).buffer
        self._count = LINES
        self._ended = len(block) == 0
        self._rest = np.concatenate([self._rest, block]) if len(self._rest) else block

    def _check(self, buffer: Bytes, spans: Ints, groups: Ints, lines: Ints) -> Fields:
        """The fields, if every row has as many as the header."""
        width = len(self.names)
        counts = np.diff(groups)
        if self._skip_empty and width > 1:
            sizes = np.add.reduceat(spans[:, 1] - spans[:, 0], groups[:-1])
            filled = sizes > 0
            if not filled.all():
                spans = spans[np.repeat(filled, counts)]
                counts, lines = counts[filled], lines[filled]
        wrong = np.flatnonzero(counts != width)
        if len(wrong):
            row = int(wrong[0])
            separator = DELIMITERS.get(self._delimiter, self._delimiter)
            raise self._error(
                int(lines[row]),
                f"expected {width} {separator}-separated fields as in the header, "
                f"found {int(counts[row])}",
            )
        return Fields(buffer, spans.reshape(-1, width, 2), lines)

    def _explain(self, problem: int, place: int) -> FileFormatError:
        line = self._line_of(place)
        if problem == _OPEN_QUOTE:
            return self._error(line, "a quote opens in this line and is never closed; close it")
        if problem == _AFTER_QUOTE:
            separator = DELIMITERS.get(self._delimiter, self._delimiter)
            start = self._line + 1
            since = f"; the row begins in line {start}" if start < line else ""
            return self._error(
                line,
                f"expected a {separator} or the end of the line after a closing quote; write quotes "
                f"inside a quoted field twice{since}",
            )
        message = "found a carriage return (\\r) outside quotes; quote the field, or end lines with \\n"
        return self._error(line, message)

    def _too_long(self) -> FileFormatError:
        place = _native.split_rows(self._rest, 1, self._delimiter, True)[7]
        message = f"a quote opens in this line, and the row has more than {LONGEST:,} bytes"
        return self._error(self._line_of(place), f"{message}; close the quote")

    def _line_of(self, place: int) -> int:
        """The line of a byte of the rest."""
        return self._line + 1 + int((self._rest[:place] == ord("\n")).sum())

    def _error(self, line: int, message: str) -> FileFormatError:
        return FileFormatError(display_name(self.path), line, message)


def csv_line(cells: Sequence[str]) -> str:
    r"""A row as it is written, with quotes where they are needed.

    >>> csv_line(["a b", "c,d", 'e "f" g'])
    'a b,"c,d","e ""f"" g"\n'
    """
    if len(cells) == 1 and not cells[0]:
        return '""\n'  # other readers skip empty lines
    return ",".join(map(_quote, cells)) + "\n"


def _quote(cell: str) -> str:
    # csv.writer of Python 3.11 leaves a lone \r without quotes.
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell
