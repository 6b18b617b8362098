r"""Rows of CSV as in RFC 4180, read with their line numbers, and written so that they read back equal.

A header line, then one row a line, with commas between the fields. A field in double quotes may hold
commas, line ends and quotes, which are doubled; a quote inside a field that does not begin with one is
an ordinary character. A line ends at `\n` or `\r\n`, and a byte-order mark is dropped, as in
`text.line_reader`; inside quotes both line ends stay as they are. Rows end with `\n` when written.

Two things that the csv module lets pass are errors here, because they would lose text or memory. A
carriage return outside quotes does not vanish at the end of a line. And a row has at most `LONGEST`
characters: otherwise a quote that is never closed would take the whole rest of the file into memory.
"""

from __future__ import annotations

import csv
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.text.files import Closable, display_name
from paragauge.text.line_reader import LineReader

LONGEST = 1 << 24  # characters of a row; a batch of rows ends after as many
BLOCK = 1 << 13  # lines read at a time
# Semicolons and tabs need no quotes, but a header of one column must not look like one of several.
_NEEDS_QUOTES = re.compile('[",;\t\r\n\ufeff]')
# A whole field and the comma after it. No backtracking: half of a doubled quote ends no field.
_FIELD = re.compile(r'(?:"[^"]*+(?:""[^"]*+)*+"|[^",][^,]*+|),')
_QUOTED = re.compile(r'"[^"]*+(?:""[^"]*+)*+(?:"|$)')


class CsvRows(Closable):
    r"""The rows of one file, each with as many fields as the header has `names`.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.csv")
    ...     _ = path.write_text('source,output\n"Yes, it is.","It ""is"",\nyes."\na,b\n')
    ...     with CsvRows(path) as rows:
    ...         rows.names, rows.read(8)
    (['source', 'output'], ([['Yes, it is.', 'It "is",\nyes.'], ['a', 'b']], [2, 4]))
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._file = LineReader(path)
        self._line = 0  # lines given to the parser so far
        self._row: list[str] = []  # the lines of the row that is being parsed
        self._length = 0  # and their characters
        self._parser = csv.reader(self._lines(), strict=True)
        self.names: list[str] = []
        try:
            self.names = self._header()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self, limit: int) -> tuple[list[list[str]], list[int]]:
        """At most `limit` rows, and the line in which each begins; none at the end."""
        rows: list[list[str]] = []
        starts: list[int] = []
        size = 0
        with _LONG_FIELDS:
            while len(rows) < limit and size < LONGEST:
                start = self._line + 1
                row = self._next_row(start)
                if row is None:
                    break
                if self.names and len(row) != len(self.names):
                    raise self._error(
                        start,
                        f"expected {len(self.names)} comma-separated fields as in the header, "
                        f"found {len(row)}",
                    )
                rows.append(row)
                starts.append(start)
                size += self._length
        return rows, starts

    def _header(self) -> list[str]:
        rows, _ = self.read(1)
        if not rows:
            message = "the file is empty; expected a header line with column names"
            raise FileFormatError(display_name(self.path), None, message)
        return rows[0]

    def _next_row(self, start: int) -> list[str] | None:
        self._row.clear()
        self._length = 0
        try:
            row = next(self._parser, None)
        except csv.Error as error:
            raise self._explain(error, start) from None
        if row is None:
            return None
        if self._row[-1].endswith(("\r\r\n", "\r")):
            raise self._stray_return()
        return row or [""]  # an empty line is one empty field, as in TSV

    def _lines(self) -> Iterator[str]:
        """The lines with their ends, which belong to the text where a quote is open."""
        count = 1  # the header alone: its names are checked before anything after it is read
        while batch := self._file.read(count, 1 << 20):
            # The buffer holds exactly what was read; `\n` is at the end of each line and nowhere else.
            *whole, rest = batch.buffer.tobytes().decode("utf-8").split("\n")
            for line in (*(line + "\n" for line in whole), *([rest] if rest else [])):
                self._line += 1
                if self._line == 1:
                    self._check_separator(line)
                self._row.append(line)
                self._length += len(line)
                if self._length > LONGEST:
                    raise self._too_long()
                yield line
            count = BLOCK

    def _check_separator(self, header: str) -> None:
        bare = _QUOTED.sub("", header)
        if "," in bare:
            return
        if "\t" in bare:
            separators, remedy = "tabs", "give --table-format tsv, or rename the file to .tsv"
        elif ";" in bare:
            separators, remedy = "semicolons", "save the table with commas"
        else:
            return
        raise self._error(1, f"expected column names separated by commas, found {separators}; {remedy}")

    def _explain(self, error: csv.Error, start: int) -> FileFormatError:
        reason = str(error)
        if reason.startswith("unexpected end"):
            message = "a quote opens in this line and is never closed; close it"
            return self._error(start + _line_of_open_quote(self._row), message)
        if reason.startswith("new-line"):
            return self._stray_return()
        if "expected after" in reason:
            since = f"; the row begins in line {start}" if start < self._line else ""
            return self._error(
                self._line,
                "expected a comma or the end of the line after a closing quote; write quotes inside "
                f"a quoted field twice{since}",
            )
        return self._error(self._line, reason)

    def _stray_return(self) -> FileFormatError:
        return self._error(
            self._line,
            "found a carriage return (\\r) outside quotes; quote the field, or end lines with \\n",
        )

    def _too_long(self) -> FileFormatError:
        start = self._line - len(self._row) + 1
        if len(self._row) == 1:
            message = f"expected a row of at most {LONGEST:,} characters, found more"
            return self._error(start, f"{message}; save the table as TSV or JSON Lines")
        message = f"a quote opens in this line, and the row has more than {LONGEST:,} characters"
        line = start + _line_of_open_quote(self._row[:-1])
        return self._error(line, f"{message}; close the quote")

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


def _line_of_open_quote(lines: list[str]) -> int:
    """The index of the line in which the quote opens that the lines leave open."""
    text = "".join(lines)
    place = 0
    while (field := _FIELD.match(text, place)) is not None:
        place = field.end()
    return text.count("\n", 0, place)


class _LongFields:
    """Allows fields as long as rows while any thread reads: the csv module has one global limit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readers = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if self._readers == 0:
                self._before = csv.field_size_limit()
                csv.field_size_limit(max(self._before, LONGEST + 1))
            self._readers += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._readers -= 1
            if self._readers == 0:
                csv.field_size_limit(self._before)


_LONG_FIELDS = _LongFields()
