"""Moses' phrase tables: `phrase-table.gz`.

    source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| alignment ||| counts |||

Scores are in Moses' order, the backward direction first. The alignment is `0-0 1-2`, source position
first. The counts are those of the target, of the source and of the pair, in this order. The reader
accepts what other versions and tools write: further scores and fields are dropped, and without an
alignment or counts the alignment is empty and the counts are null. Words stay as in the file: Moses
escapes `|` and others (`&#124;`), and nothing is unescaped here. Fractional counts, which Moses writes
for weighted training data, are an error.

Numbers are written with as many digits as are needed to read them back exactly; Moses writes six.
Files are compressed for speed, at a level below that of the gzip command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.engine.arrow_strings import strings, texts_of
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError
from paragauge.kernels import _native
from paragauge.kernels.moses_line import parse_moses_line
from paragauge.phrases.table import COLUMNS, PhraseTable, new_table, schema
from paragauge.text.files import atomic, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.pyarrow_extra import require_pyarrow

BATCH = 1 << 16
BATCH_BYTES = 1 << 24
SCORES = ("p_source", "lex_source", "p_target", "lex_target")
COUNTS = ("target_count", "source_count", "count")
SORTED = "SELECT * FROM phrases ORDER BY source, target"
REPEATED = """
SELECT source, target FROM phrases GROUP BY source, target HAVING COUNT(*) > 1
ORDER BY source, target LIMIT 1
"""


@dataclass
class MosesReader:
    r"""The rows of a Moses phrase table, batch by batch.

    A line that breaks the format, or is not UTF-8, is an error, or is left out and counted in `skipped`
    if asked.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "phrase-table")
    ...     _ = path.write_text("la ||| the ||| 0.5 0.5 1 1 ||| 0-0 ||| 2 1 1 |||\n")
    ...     [table.column("p_target").to_pylist() for table in MosesReader(path).batches()]
    [[1.0]]
    """

    path: str | Path
    skip_bad: bool = False
    threads: int = 0
    rows: int = field(default=0, init=False)
    skipped: int = field(default=0, init=False)

    def batches(self) -> Iterator[Any]:
        """Arrow tables with the columns of a phrase table, in the file's order."""
        require_pyarrow("engine")
        with LineReader(self.path, blank_invalid=self.skip_bad) as reader:
            while len(lines := reader.read(BATCH, BATCH_BYTES)):
                table = self._parse_batch(lines, reader.line - len(lines))
                self.rows += len(table)
                yield table

    def _parse_batch(self, lines: Lines, before: int) -> Any:
        import pyarrow as pa

        source, target, alignment, scores, counts, bad = _native.parse_moses(
            lines.buffer, lines.spans, self.threads
        )
        if len(bad) and not self.skip_bad:
            raise self._error(lines[int(bad[0])], before + int(bad[0]) + 1)
        self.skipped += len(bad)
        columns = {
            "source": strings(source),
            "target": strings(target),
            "alignment": strings(alignment),
        }
        for i, name in enumerate(SCORES):
            columns[name] = pa.array(np.ascontiguousarray(scores[:, i]))
        for i, name in enumerate(COUNTS):
            values = np.ascontiguousarray(counts[:, i])
            columns[name] = pa.array(values, mask=values < 0)
        return pa.table({name: columns[name] for name in COLUMNS}).cast(schema())

    def _error(self, line: str, number: int) -> FileFormatError:
        try:
            parse_moses_line(line)
        except ValueError as error:
            message = (
                f"{error}; repair the line, or leave such lines out with paragauge phrases convert "
                "--skip-bad"
            )
            return FileFormatError(display_name(self.path), number, message)
        raise AssertionError(f"line {number}: the kernel and its twin differ")


def write_moses(batches: Iterable[Any], output: str | Path) -> int:
    """Write rows of phrase tables, as Arrow tables or batches, for Moses; returns their number.

    A name that ends in `.gz` or `.zst` asks for compression. The file appears whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_moses([schema().empty_table()], f"{folder}/phrase-table.gz")
    0
    """
    rows = 0
    with atomic(output, level=1) as out:
        for batch in batches:
            out.write(moses_text(batch))
            rows += len(batch)
    return rows


def moses_text(batch: Any) -> str:
    """Rows of a phrase table as lines of a Moses phrase table.

    >>> import pyarrow as pa
    >>> row = {"source": "la", "target": "the", "count": 1, "source_count": 1, "target_count": 2,
    ...        "p_target": 1.0, "p_source": 0.5, "lex_target": 1.0, "lex_source": 0.25,
    ...        "alignment": "0-0"}
    >>> moses_text(pa.Table.from_pylist([row]))
    'la ||| the ||| 0.5 0.25 1 1 ||| 0-0 ||| 2 1 1 |||\\n'
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    def text(name: str) -> Any:
        return batch.column(name).cast(pa.large_string())

    def join(separator: str, *parts: Any) -> Any:
        return pc.binary_join_element_wise(*parts, pa.scalar(separator, pa.large_string()))

    _check_words(text("source"), text("target"))
    end = pa.scalar("|||\n", pa.large_string())
    scores = join(" ", *map(text, SCORES))
    counts = pc.coalesce(join(" ", *map(text, COUNTS), end), end)
    lines = join(" ||| ", text("source"), text("target"), scores, text("alignment"), counts)
    buffer, offsets = texts_of(lines)
    return buffer[offsets[0] : offsets[-1]].tobytes().decode("utf-8")


def _check_words(*columns: Any) -> None:
    import pyarrow.compute as pc

    for column in columns:
        bars = column.filter(pc.match_substring_regex(column, r"(^| )\|\|\|( |$)"))
        if len(bars):
            raise InputError(
                f"phrase {bars[0].as_py()[:60]!r}: Moses phrase tables cannot hold the word |||, which "
                "separates its fields; escape it in the text, as Moses' tools do, and extract again"
            )


def read_moses(
    path: str | Path,
    output: str | Path,
    *,
    skip_bad: bool = False,
    engine: Engine | None = None,
    threads: int = 0,
) -> PhraseTable:
    """Read a Moses file into a phrase table in the folder `output`; its info counts skipped lines.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "phrase-table")
    ...     _ = file.write_text("la ||| the ||| 0.5 0.5 1 1 ||| 0-0 ||| 2 1 1 |||\\nla\\n")
    ...     read_moses(file, f"{folder}/table", skip_bad=True).info["origin"]
    {'moses': 'phrase-table', 'skipped': 1}
    """
    import pyarrow.parquet as pq

    engine = engine or DuckDBEngine(threads=threads)
    reader = MosesReader(path, skip_bad, threads)
    with new_table(output) as writer:
        unsorted = writer.scratch / "phrases.parquet"
        with pq.ParquetWriter(unsorted, schema(), compression="lz4") as out:
            for table in reader.batches():
                out.write_table(table)
        for batch in engine.batches(REPEATED, {"phrases": unsorted}):
            for row in batch.to_pylist():
                raise FileFormatError(
                    display_name(path),
                    None,
                    f"expected each pair once, found {row['source'][:60]!r} with "
                    f"{row['target'][:60]!r} more than once; join these lines first",
                )
        for batch in engine.batches(SORTED, {"phrases": unsorted}):
            writer.write(batch)
        writer.finish({"origin": {"moses": Path(path).name, "skipped": reader.skipped}})
    return PhraseTable.open(output)
