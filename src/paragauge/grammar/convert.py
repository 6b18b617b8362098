"""From text files to grammars on disk.

Lines become rows in scratch files. A feature that first appears in the middle of a file starts a new
scratch file with one more column, and the query that sorts all rows fills the gaps with nulls. Memory
does not grow with the files; time grows as n log n, for the engine's sort.

A repeated rule is an error; on request only the first of its lines is used, and the description counts
the others. A line that breaks the format is likewise an error, or skipped and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.grammar.grammar_folder import (
    COLUMNS,
    ENTAILMENT,
    KEY,
    ORDER,
    Grammar,
    columns_of,
    new_grammar,
    rule_of,
)
from paragauge.grammar.grammar_reader import GrammarReader, OnError
from paragauge.text.files import display_name
from paragauge.text.progress import Progress, silent

Duplicates = Literal["stop", "first"]
DUPLICATES: tuple[Duplicates, ...] = get_args(Duplicates)
PLACE = ("_file", "_line")  # no feature has a column of this name


def read_grammar(
    paths: str | Path | Sequence[str | Path],
    output: str | Path,
    *,
    form: str | None = None,
    on_error: OnError = "stop",
    duplicates: Duplicates = "stop",
    feature_names: Sequence[str] = (),
    engine: Engine | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> Grammar:
    """Convert one or more text files into a grammar in the folder `output`.

    `form` is a format of `grammar_reader.STYLES`, or None to detect it from each file's first line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ppdb")
    ...     line = "[NN] ||| answer ||| reply ||| PPDB2.0Score=4.5 ||| 0-0 ||| Equivalence"
    ...     _ = file.write_text(line)
    ...     grammar = read_grammar(file, f"{folder}/g")
    ...     len(grammar), grammar.features, grammar.query("answer")[0].entailment
    (1, ('PPDB2.0Score',), 'Equivalence')
    """
    if duplicates not in DUPLICATES:
        raise unknown_name("value of duplicates", duplicates, DUPLICATES)
    files = [paths] if isinstance(paths, (str, Path)) else list(paths)
    if not files:
        raise InputError("expected at least one file of a grammar, found none")
    engine = engine or DuckDBEngine(threads=threads)
    names: list[str] = []
    readers = [GrammarReader(file, form, on_error, feature_names, threads, names) for file in files]
    with new_grammar(output) as writer:
        parts = _Scratch(writer.scratch, names)
        for number, reader in enumerate(readers):
            for table in reader.batches():
                parts.write(table, number)
                progress(f"{parts.rules:,} rules read")
        parts.close()
        progress(f"sorting {parts.rules:,} rules")
        writer.declare(names, entailment=parts.entailment)
        repeated = 0
        previous = None
        for batch in engine.batches(parts.query(), parts.tables):
            new, previous = _is_new(batch, previous)
            if duplicates == "stop" and len(new) and not new.all():
                raise _duplicate_error(batch, int(new.argmin()), files)
            repeated += len(new) - int(new.sum())
            writer.write(batch.filter(new))
            progress(f"{writer.rows:,} of {parts.rules:,} rules written")
        writer.finish({"origin": _origin(readers, repeated)})
    return Grammar.open(output)


class _Scratch:
    """Rows as they were read, in files that each have one set of columns."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._names = names
        self._widths: list[int] = []  # features of each file
        self._writer: Any = None
        self.rules = 0
        self.entailment = False

    @property
    def tables(self) -> dict[str, Path]:
        """The files by their names in the query."""
        return {f"part{i}": self._folder / f"part{i}.parquet" for i in range(len(self._widths))}

    def write(self, table: Any, file: int) -> None:
        """Add the rows of one batch of a file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = table.append_column("_file", pa.array([file] * len(table), pa.int32()))
        if self._writer is None or len(self._names) > self._widths[-1]:
            self.close()
            self._widths.append(len(self._names))
            place = self._folder / f"part{len(self._widths) - 1}.parquet"
            repeating = ["lhs", "labels", "alignment", "source_words", "target_words", ENTAILMENT]
            self._writer = pq.ParquetWriter(
                place, table.schema, compression="lz4", use_dictionary=repeating
            )
        self.rules += len(table)
        self.entailment |= table.column(ENTAILMENT).null_count < len(table)
        self._writer.write_table(table)

    def close(self) -> None:
        """Finish the last file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def query(self) -> str:
        """All rows in the order of grammars; equal rules are in the order they were read in."""
        plain = [*COLUMNS, *([ENTAILMENT] if self.entailment else []), *PLACE]
        features = list(columns_of(self._names).values())
        parts = []
        for number, width in enumerate(self._widths):
            values = [
                f"f{i + 1} AS {column}" if i < width else f"CAST(NULL AS DOUBLE) AS {column}"
                for i, column in enumerate(features)
            ]
            parts.append(f"SELECT {', '.join([*plain, *values])} FROM part{number}")  # noqa: S608
        if not parts:
            return f"SELECT {', '.join(f'CAST(NULL AS BIGINT) AS {c}' for c in plain)} LIMIT 0"
        return f"{' UNION ALL '.join(parts)} ORDER BY {', '.join([*ORDER, *PLACE])}"


def _is_new(batch: Any, previous: Any) -> tuple[Any, Any]:
    """Which rows of a sorted batch differ from the rule before them, and the last row."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(batch):
        return np.zeros(0, np.bool_), previous
    same = np.ones(len(batch), np.bool_)
    for name in KEY:
        column = batch.column(name)
        same[1:] &= pc.equal(column[1:], column[:-1]).to_numpy(zero_copy_only=False)
    last = batch.slice(len(batch) - 1).select(list(KEY)).to_pylist()[0]
    same[0] = previous == batch.slice(0, 1).select(list(KEY)).to_pylist()[0]
    return pa.array(~same).to_numpy(zero_copy_only=False), last


def _duplicate_error(batch: Any, row: int, files: list[str | Path]) -> FileFormatError:
    duplicate = batch.slice(row, 1).to_pylist()[0]
    return FileFormatError(
        display_name(files[duplicate["_file"]]),
        duplicate["_line"],
        f"expected each rule once, found {str(rule_of(duplicate))[:100]!r} again; merge such lines, "
        "or keep the first of them with --duplicates first of grammar convert or evaluate",
    )


def _origin(readers: list[GrammarReader], repeated: int) -> dict[str, Any]:
    return {
        "files": [
            {
                "name": Path(reader.path).name,
                "format": reader.form,
                "lines": reader.lines,
                "skipped": reader.skipped,
                "first_skipped": reader.bad_lines,
            }
            for reader in readers
        ],
        "duplicates": repeated,
    }
