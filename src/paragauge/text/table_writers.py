"""Write rows to a file as they come: TSV, CSV, JSON Lines or Parquet, by the name of the file.

The file appears when all rows are written; `.gz` and `.zst` compress all but Parquet. NaN is an empty
field in TSV and CSV, null in JSON, and NaN in Parquet. A list of texts is a list in JSON and Parquet;
TSV and CSV, which have no lists, spread it over the columns name, name2, name3 and so on, so that the
length of the longest one must be known before. A text with a tab or a line end is an error in TSV, as
it could not be read back; CSV puts it in quotes.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from paragauge.errors import FileFormatError, InputError
from paragauge.text.csv_rows import csv_line
from paragauge.text.files import atomic_path, compression, open_text
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.tables.table_format import FLAT_FORMATS, written_format

Columns = Mapping[str, list[Any]]
BATCH = 1000
ROW_GROUP = 1 << 14  # few rows at a time would make many small groups, which are slow to read
_BREAKS = re.compile("[\t\n\r]")


# Characters at which spreadsheets take a text for a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_GUARD: ContextVar[FormulaGuard | None] = ContextVar("formula guard", default=None)


@dataclass
class FormulaGuard:
    """Puts an apostrophe before texts that a spreadsheet would run as formulas, and counts them.

    It guards CSV that is written in its block; `others` extends it to TSV.

    >>> with FormulaGuard() as guard:
    ...     [guard.protect(text) for text in ("=HYPERLINK(1)", "A dog.")], guard.count
    (["'=HYPERLINK(1)", 'A dog.'], 1)
    """

    others: bool = False
    count: int = 0
    _tokens: list[Token[FormulaGuard | None]] = field(default_factory=list)

    def protect(self, text: str) -> str:
        """The text, guarded if needed."""
        if not text.startswith(FORMULA_SIGNS):
            return text
        self.count += 1
        return f"'{text}"

    def __enter__(self) -> FormulaGuard:
        self._tokens.append(_GUARD.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _GUARD.reset(self._tokens.pop())


class RowWriter(Protocol):
    """Takes rows, as columns of equal length."""

    def write(self, columns: Columns) -> None:
        """Write some more rows."""


def tsv_cell(value: Any) -> str:
    """A value as TSV writes it: nothing for None and NaN, full precision for numbers.

    >>> tsv_cell(0.1), tsv_cell(None), tsv_cell(True)
    ('0.1', '', 'yes')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)


def spread_names(name: str, width: int) -> list[str]:
    """The columns over which TSV and CSV spread a list.

    >>> spread_names("reference", 3)
    ['reference', 'reference2', 'reference3']
    """
    return [name + str(number) * (number > 1) for number in range(1, max(1, width) + 1)]


def tsv_line(cells: Sequence[str], path: str | Path) -> str:
    r"""A row of TSV; an error about `path` if a text does not fit.

    >>> tsv_line(["a", "b c"], "out.tsv")
    'a\tb c\n'
    """
    wrong = next((cell for cell in cells if _BREAKS.search(cell)), None)
    if wrong is not None:
        raise FileFormatError(
            path,
            None,
            f"a text has a tab or a line end, which TSV cannot hold: {wrong[:60]!r}; "
            "write CSV, JSON Lines or Parquet",
        )
    return "\t".join(cells) + "\n"


class _FlatRows:
    """Rows of TSV or CSV, as `form` says."""

    def __init__(
        self,
        out: IO[str],
        path: str | Path,
        form: str,
        kinds: Mapping[str, type],
        widths: Mapping[str, int],
    ) -> None:
        self._out = out
        self._path = path
        self._form = form
        guard = _GUARD.get()
        self._guard = guard if guard is not None and (form == "csv" or guard.others) else None
        self._widths = {
            name: max(1, widths.get(name, 1)) for name, kind in kinds.items() if kind is list
        }
        names = [
            header
            for name in kinds
            for header in (spread_names(name, self._widths[name]) if name in self._widths else [name])
        ]
        self._row(names)

    def write(self, columns: Columns) -> None:
        for row in zip(*columns.values(), strict=True):
            if not self._widths:
                self._row(row)
                continue
            cells: list[Any] = []
            for name, value in zip(columns, row, strict=True):
                cells += self._spread(name, value) if name in self._widths else [value]
            self._row(cells)

    def _spread(self, name: str, values: list[str] | None) -> list[Any]:
        texts = values or []
        room = self._widths[name]
        if len(texts) > room:
            raise InputError(f"column '{name}': expected at most {room} texts, found {len(texts)}")
        if "" in texts:
            message = f"{self._form.upper()} cannot hold an empty text among '{name}'"
            raise FileFormatError(self._path, None, f"{message}; write JSON Lines")
        return [*texts, *[None] * (room - len(texts))]

    def _row(self, values: Any) -> None:
        if self._guard is not None:
            protect = self._guard.protect
            values = [protect(value) if isinstance(value, str) else value for value in values]
        cells = [tsv_cell(value) for value in values]
        self._out.write(csv_line(cells) if self._form == "csv" else tsv_line(cells, self._path))


class _JsonRows:
    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def write(self, columns: Columns) -> None:
        for row in zip(*columns.values(), strict=True):
            values = [None if value != value else value for value in row]
            record = dict(zip(columns, values, strict=True))
            self._out.write(json.dumps(record, ensure_ascii=False) + "\n")


class _ParquetRows:
    def __init__(self, path: Path, kinds: Mapping[str, type], stack: contextlib.ExitStack) -> None:
        require_pyarrow()
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
        types[list] = pa.list_(pa.string())
        self._schema = pa.schema([(name, types[kind]) for name, kind in kinds.items()])
        self._writer = stack.enter_context(pq.ParquetWriter(path, self._schema))
        self._waiting: list[Any] = []
        stack.callback(self._flush)

    def write(self, columns: Columns) -> None:
        import pyarrow as pa

        self._waiting.append(pa.table(dict(columns), schema=self._schema))
        if sum(map(len, self._waiting)) >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting).combine_chunks())
            self._waiting = []


@contextlib.contextmanager
def row_writer(
    path: str | Path, kinds: Mapping[str, type], *, widths: Mapping[str, int] | None = None
) -> Iterator[RowWriter]:
    """A writer of rows with these columns, each of int, float, str or list (of texts).

    `widths` has the length of the longest list of a column, which TSV and CSV need.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.tsv")
    ...     with row_writer(path, {"word": str, "forms": list}, widths={"forms": 2}) as rows:
    ...         rows.write({"word": ["go", "hit"], "forms": [["goes", "went"], ["hits"]]})
    ...     path.read_text()
    'word\\tforms\\tforms2\\ngo\\tgoes\\twent\\nhit\\thits\\t\\n'
    """
    form = written_format(path)
    with atomic_path(path) as temporary, contextlib.ExitStack() as stack:
        if form == "parquet":
            yield _ParquetRows(temporary, kinds, stack)
            return
        out = stack.enter_context(open_text(temporary, compression(path)))
        if form in FLAT_FORMATS:
            yield _FlatRows(out, path, form, kinds, widths or {})
        else:
            yield _JsonRows(out)


def write_rows(
    rows: Iterable[Mapping[str, Any]],
    path: str | Path,
    kinds: Mapping[str, type],
    widths: Mapping[str, int] | None = None,
) -> int:
    """Write rows with the columns of `kinds`, a batch at a time; returns how many there were.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.tsv")
    ...     count = write_rows([{"word": "go", "n": 2}], path, {"word": str, "n": int})
    ...     count, path.read_text()
    (1, 'word\\tn\\ngo\\t2\\n')
    """
    count = 0
    with row_writer(path, kinds, widths=widths) as out:
        batch: list[Mapping[str, Any]] = []
        for row in rows:
            batch.append(row)
            count += 1
            if len(batch) == BATCH:
                out.write({name: [row[name] for row in batch] for name in kinds})
                batch = []
        out.write({name: [row[name] for row in batch] for name in kinds})
    return count
