"""A corpus on disk, read as parallel batches.

Each input is a plain text file with one sentence per line, or all inputs are columns of one table.
A reference file may have several references a line, separated by tabs, in any number; an empty field
beside others means that there is no such reference, and an empty line is one empty reference. With
`several`, a candidate file whose name ends in `.tsv` (or `.tsv.gz`, `.tsv.zst`) may have several
candidates a line in the same way; elsewhere a tab is part of the candidate. In a table, a list in a
cell is several texts. `more` has further files or columns of a system, with one more candidate each.
Memory holds one batch, whatever the size of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError
from paragauge.kernels import _native
from paragauge.text import side_by_side
from paragauge.text.batch import Batch
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.side_by_side import open_parallel, read_parallel
from paragauge.text.table_readers import open_table
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.table_format import FLAT_FORMATS, format_by_name


@dataclass(frozen=True)
class Corpus:
    """Files, or columns of `table`, for each system, the sources and the references.

    With `keep_empty`, empty fields beside others stay, so that the others keep their positions.
    `dialect` says how the table is written; `table_format` stands before its kind.
    """

    systems: Mapping[str, str | Path]
    sources: Sequence[str | Path] = ()
    references: Sequence[str | Path] = ()
    table: str | Path | None = None
    table_format: str | None = None
    threads: int = field(default=0)
    keep_empty: bool = False
    several: bool = False
    more: Mapping[str, Sequence[str | Path]] = field(default_factory=dict)
    dialect: TableDialect = field(default_factory=TableDialect)

    def inputs(self) -> set[str]:
        """Which of "sources" and "references" the corpus has.

        >>> sorted(Corpus({"a": "a.txt"}, references=["r.txt"]).inputs())
        ['references']
        """
        inputs = {"sources": self.sources, "references": self.references}
        return {name for name, paths in inputs.items() if paths}

    def columns(self) -> list[str]:
        """The columns of the table, or the files, one for each text.

        >>> Corpus({"a": "output"}, ["source"]).columns()
        ['output', 'source']
        """
        return [str(name) for name in self._paths()]

    def _paths(self) -> list[str | Path]:
        more = [path for paths in self.more.values() for path in paths]
        return [*self.systems.values(), *self.sources, *self.references, *more]

    def batches(self) -> Iterator[Batch]:
        """The corpus, batch by batch; errors name file and line."""
        if not self.systems:
            raise InputError("expected at least one system's candidates, found none")
        read = self._from_files() if self.table is None else self._from_table(self.table)
        first = 0
        for batch in read:
            batch.first, batch.threads = first, self.threads
            batch.check()
            yield batch
            first += len(batch)

    def reference_groups(self) -> Iterator[LineGroups]:
        """The references alone, batch by batch; errors name file and line."""
        if not self.references:
            raise InputError("expected references, found none; give -r")
        alone = replace(self, systems={}, sources=(), more={})
        read = alone._from_files() if self.table is None else alone._from_table(self.table)
        for batch in read:
            if batch.references is not None:
                yield batch.references

    def _from_files(self) -> Iterator[Batch]:
        with open_parallel(self._paths()) as readers:
            while (lines := read_parallel(readers)) is not None:
                count = len(self.systems) + len(self.sources) + len(self.references)
                columns = [
                    _split_fields(column, reader, self.keep_empty, "candidates")
                    if self.several and is_tsv(reader.path)
                    else LineGroups(column)
                    for column, reader in zip(
                        [*lines[: len(self.systems)], *lines[count:]],
                        [*readers[: len(self.systems)], *readers[count:]],
                        strict=True,
                    )
                ]
                rest = lines[len(self.systems) : count]
                sources = [LineGroups(column) for column in rest[: len(self.sources)]]
                references = [
                    _split_fields(column, reader, self.keep_empty, "references")
                    for column, reader in zip(
                        rest[len(self.sources) :],
                        readers[len(self.systems) + len(self.sources) : count],
                        strict=True,
                    )
                ]
                yield self._batch(columns, _merge_columns(sources), _merge_columns(references))

    def _batch(
        self,
        columns: Sequence[LineGroups],
        sources: LineGroups | None,
        references: LineGroups | None,
    ) -> Batch:
        """A batch from the candidates of each system and those in `more`, in this order."""
        further = iter(columns[len(self.systems) :])
        systems: dict[str, Lines] = {}
        sets: dict[str, LineGroups] = {}
        for name, column in zip(self.systems, columns, strict=False):
            own = [column, *(next(further) for _ in self.more.get(name, ()))]
            groups = LineGroups.side_by_side(own)
            systems[name] = groups.firsts()
            if groups.groups is not None:
                sets[name] = groups
        return Batch(systems, sources, references, sets=sets)

    def _from_table(self, table: str | Path) -> Iterator[Batch]:
        columns = self.columns()
        rows = 0
        dialect = replace(self.dialect, kind=self.table_format or self.dialect.kind)
        with open_table(table, columns, dialect) as reader:
            while True:
                values = reader.read(side_by_side.BATCH)
                if len(values[columns[0]]) == 0:
                    break
                yield self.table_batch(values, table, rows, reader.lines, reader.kind)
                rows += len(values[columns[0]])
        if rows == 0:
            raise FileFormatError(display_name(table), None, "the table has no rows")

    def table_batch(
        self,
        values: Mapping[str, LineGroups],
        table: str | Path,
        before: int,
        lines: Sequence[int] | None = None,
        kind: str | None = None,
    ) -> Batch:
        """A batch from columns of a table after its first `before` rows; `lines` are the rows' numbers.

        `kind` is the format of the table, by default that of its name.

        >>> corpus = Corpus({"mine": "output"}, table="t.parquet")
        >>> len(corpus.table_batch({"output": LineGroups.of(["a", "b"])}, "t.parquet", 0))
        2
        """
        kind = kind or self.table_format or format_by_name(table) or ""
        sources, references = (
            _table_side(
                [values[str(name)] for name in names], kind, table, lines, what, self.keep_empty
            )
            for what, names in (("sources", self.sources), ("references", self.references))
        )
        names = [*self.systems.values(), *(column for more in self.more.values() for column in more)]
        columns = [
            _some_texts(values[str(name)], table, str(name), before, several=self.several)
            for name in names
        ]
        return self._batch(columns, sources, references)


def _split_fields(lines: Lines, reader: LineReader, keep: bool, what: str) -> LineGroups:
    spans, groups = _native.split_fields(lines.buffer, lines.spans)
    if len(spans) == len(lines):
        return LineGroups(lines)
    fields = LineGroups(Lines(lines.buffer, spans), groups)
    numbers = range(reader.line - len(lines) + 1, reader.line + 1)
    return _drop_empty(fields, reader.path, numbers, what, keep)


def _drop_empty(
    fields: LineGroups, path: str | Path, lines: Sequence[int] | None, what: str, keep: bool
) -> LineGroups:
    """Drop the empty fields that stand beside others in their row; `lines` are the rows' numbers.

    With `keep` all stay. A row of several fields which are all empty is an error.
    """
    counts, spans = fields.counts(), fields.lines.spans
    bounds = np.concatenate([[0], np.cumsum(counts)])
    is_kept = np.repeat(counts == 1, counts) | (spans[:, 0] < spans[:, 1])
    groups = np.concatenate([[0], np.cumsum(is_kept)])[bounds].astype(np.int64)
    without = np.flatnonzero(np.diff(groups) == 0)
    if len(without):
        raise FileFormatError(
            display_name(path),
            None if lines is None else lines[int(without[0])],
            f"expected at least one of the {what}, found only empty fields",
        )
    if keep:
        return fields
    return LineGroups(Lines(fields.lines.buffer, np.ascontiguousarray(spans[is_kept])), groups)


def _table_side(
    columns: list[LineGroups],
    kind: str,
    table: str | Path,
    lines: Sequence[int] | None,
    what: str,
    keep: bool,
) -> LineGroups | None:
    joined = _merge_columns(columns)
    # TSV and CSV have no other way to leave a cell out.
    if joined is not None and kind in FLAT_FORMATS and len(columns) > 1:
        return _drop_empty(joined, table, lines, what, keep)
    return joined


def _merge_columns(columns: list[LineGroups]) -> LineGroups | None:
    return LineGroups.side_by_side(columns) if columns else None


def is_tsv(path: str | Path) -> bool:
    """Whether a candidate file of this name has several candidates a line.

    >>> is_tsv("beams.tsv.gz"), is_tsv("beams.txt")
    (True, False)
    """
    return str(path).removesuffix(".gz").removesuffix(".zst").endswith(".tsv")


def _some_texts(
    groups: LineGroups, table: str | Path, column: str, before: int, *, several: bool
) -> LineGroups:
    counts = groups.counts()
    wrong = np.flatnonzero(counts == 0 if several else counts != 1)
    if len(wrong):
        raise FileFormatError(
            display_name(table),
            None,
            f"row {before + int(wrong[0]) + 1}: column '{column}': expected one candidate, "
            f"found {int(counts[wrong[0]])}",
        )
    return LineGroups(groups.lines) if (counts == 1).all() else groups
