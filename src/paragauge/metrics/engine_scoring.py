"""Score a Parquet table on an engine: workers compute statistics, and scores come from their sums.

Each worker turns rows into statistics (`Engine.map`), which are much smaller than the texts; they come
back as Parquet in the order of the rows and are added in that order. So corpus scores and intervals
equal those of `score_batches` on the same texts to the last bit, even where statistics are fractions,
whose sum depends on the order of its terms.

What a metric reads (WordNet, a PEM model, an encoder) must be at the same path for all workers, and so
must the folder for vectors, if `keep_vectors` chose one. A metric whose
statistics depend on the position of a segment cannot be scored this way: MAXSIM with `analyzed` files,
which are read in parallel with the texts, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.encode.encoder_by_name import keep_vectors, vector_folder
from paragauge.engine.base import Engine
from paragauge.engine.parquet_parts import row_batches
from paragauge.engine.scratch import scratch
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import Census, ScoreSheet, Tally, batch_statistics
from paragauge.text.batch import Batch
from paragauge.text.corpus import Corpus
from paragauge.text.progress import Progress, silent
from paragauge.text.table_readers import arrow_groups, open_table
from paragauge.text.tables.dialect import TableDialect

BATCH = 1 << 16
NUMBER = "paragauge_row"
# Called with the number of the first segment and the statistics [n, k] of each (system, metric label).
StatisticsObserver = Callable[[int, dict[tuple[str, str], Floats]], None]


def score_table(
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    engine: Engine,
    *,
    bootstrap: int = 1000,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    folder: str | Path | None = None,
    observers: Sequence[StatisticsObserver] = (),
    progress: Progress = silent,
) -> ScoreSheet:
    """Score every system of a Parquet table, or of a folder of them, with every metric.

    The statistics are kept in a temporary folder in `folder`, which all workers must see.

    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> from paragauge import PINC
    >>> from paragauge.engine.duckdb_engine import DuckDBEngine
    >>> with scratch(None) as place:
    ...     rows = pa.table({"source": ["a b", "c d"], "output": ["a c", "e f"]})
    ...     pq.write_table(rows, f"{place}/pairs.parquet")
    ...     corpus = Corpus({"mine": "output"}, ["source"], table=f"{place}/pairs.parquet")
    ...     score_table(corpus, {"pinc": PINC()}, DuckDBEngine(), bootstrap=0).scores[0].value
    87.5
    """
    tally = Tally(metrics, bootstrap, seed, level, threads)
    files = table_files(corpus)
    widths = {label: _width(metric) for label, metric in metrics.items()}
    layout = _Layout(corpus, widths)
    with scratch(folder, shared=True) as place:
        progress("counting")
        parts = engine.map(
            _Statistics(corpus, _picklable_specs(metrics), engine.map_threads, vector_folder()),
            files,
            layout.schema(),
            place / "statistics",
            columns=list(dict.fromkeys(corpus.columns())),
            number=NUMBER,
        )
        progress("adding")
        census = Census()
        for rows in row_batches(parts, size=BATCH):
            first = census.segments
            layout.count(rows, census)
            seen = layout.statistics(rows)
            tally.add(first, seen)
            for observe in observers:
                observe(first, seen)
    if census.segments == 0:
        raise FileFormatError(str(corpus.table), None, "the table has no rows")
    return tally.sheet(census)


def table_files(corpus: Corpus) -> list[Path]:
    """The Parquet files of a corpus, whose columns are checked."""
    table = Path(str(corpus.table))
    if not table.is_dir():
        files = [table]
    else:
        files = sorted(table.glob("*.parquet"))
        if not files:
            raise FileFormatError(table, None, "expected a folder with .parquet files, found none")
    for file in files:
        open_table(file, corpus.columns(), TableDialect("parquet")).close()
    return files


def _width(metric: Metric) -> int:
    """How many statistics the metric has for a segment."""
    if getattr(metric, "analyzed", None):
        raise SettingError(
            f"{metric.name} with analyzed files cannot be scored on an engine: they are read side by "
            "side with the texts; score without an engine, or let a tagger analyze"
        )
    texts = {"sources": ["a b"], "references": [["a b"]]}
    inputs: dict[str, Any] = {name: texts[name] for name in metric.needs}
    return int(metric.stats(["a b"], threads=1, **inputs).shape[1])


@dataclass(frozen=True)
class _Layout:
    """The columns that workers write: texts counted, texts of each kind, statistics."""

    corpus: Corpus
    widths: Mapping[str, int]

    @property
    def texts(self) -> list[str]:
        """What is counted, as a census names it."""
        return [*self.corpus.systems, *(f"<{what}>" for what in self.sides)]

    @property
    def sides(self) -> list[str]:
        """Which of sources and references there are."""
        return [what for what in ("sources", "references") if what in self.corpus.inputs()]

    def names(self) -> list[str]:
        """The columns, in their order."""
        counts = [f"{kind}_{i}" for i in range(len(self.texts)) for kind in ("empty", "tabbed")]
        width = len(self.corpus.systems) * sum(self.widths.values())
        return [NUMBER, *counts, *self.sides, *(f"statistic_{i}" for i in range(width))]

    def schema(self) -> Any:
        """The Arrow schema."""
        import pyarrow as pa

        return pa.schema(
            [
                (name, pa.float64() if name.startswith("statistic_") else pa.int64())
                for name in self.names()
            ]
        )

    def rows(self, batch: Batch, seen: Mapping[tuple[str, str], Floats]) -> Any:
        """The rows of a batch. What is counted by batches stands in the first of them."""
        import pyarrow as pa

        if batch.sets:
            raise InputError(
                "several candidates for a segment are not scored by workers; leave out --engine"
            )
        census = Census()
        census.add(batch)
        columns: list[Any] = [np.arange(batch.first, batch.first + len(batch))]
        for name in self.texts:
            for counts in (census.empty, census.tabbed):
                columns.append(np.zeros(len(batch), np.int64))
                columns[-1][0] = counts.get(name, 0)
        groups = {"sources": batch.sources, "references": batch.references}
        columns += [side.counts() for what in self.sides if (side := groups[what]) is not None]
        for stats in seen.values():
            columns += list(np.ascontiguousarray(stats.T))
        return pa.RecordBatch.from_arrays(
            [pa.array(column) for column in columns], schema=self.schema()
        )

    def count(self, rows: Any, census: Census) -> None:
        """Add what the rows count to a census."""
        numbers = rows.column(NUMBER).to_numpy()
        if not np.array_equal(numbers, np.arange(census.segments, census.segments + len(rows))):
            raise InputError(f"rows are missing after {census.segments}; was the table changed?")
        census.segments += len(rows)
        for i, name in enumerate(self.texts):
            for kind, counts in (("empty", census.empty), ("tabbed", census.tabbed)):
                count = int(rows.column(f"{kind}_{i}").to_numpy().sum())
                if count:
                    counts[name] = counts.get(name, 0) + count
        for what in self.sides:
            counted = rows.column(what).to_numpy()
            low, high = int(counted.min()), int(counted.max())
            before = census.counts.get(what, (low, high))
            census.counts[what] = (min(low, before[0]), max(high, before[1]))

    def statistics(self, rows: Any) -> dict[tuple[str, str], Floats]:
        """The statistics [n, k] of each system and metric."""
        start, seen = 0, {}
        for system in self.corpus.systems:
            for label, width in self.widths.items():
                columns = [rows.column(f"statistic_{start + i}").to_numpy() for i in range(width)]
                seen[system, label] = np.stack(columns, axis=1)
                start += width
        return seen


@dataclass(frozen=True)
class _Statistics:
    """What workers do with the rows of a table."""

    corpus: Corpus
    metrics: Mapping[str, tuple[type[Metric], dict[str, Any]]]
    threads: int
    vectors: Path | None

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Statistics of each row."""
        if self.vectors != vector_folder():
            keep_vectors(self.vectors)
        metrics = {label: kind(**settings) for label, (kind, settings) in self.metrics.items()}
        columns, table = list(dict.fromkeys(self.corpus.columns())), str(self.corpus.table)
        corpus = replace(self.corpus, table_format="parquet")
        for rows in batches:
            if not len(rows):
                continue
            first = rows.column(NUMBER)[0].as_py()
            batch = corpus.table_batch(arrow_groups(rows, columns, table, first), table, first)
            batch.first, batch.threads = first, self.threads
            batch.check()
            seen = batch_statistics(batch, metrics)
            widths = {label: stats.shape[1] for (_, label), stats in seen.items()}
            yield _Layout(corpus, widths).rows(batch, seen)


def _picklable_specs(metrics: Mapping[str, Metric]) -> dict[str, tuple[type[Metric], dict[str, Any]]]:
    """Metrics in a form that can be sent to workers, which load again what a metric has loaded."""
    return {label: (type(metric), metric.settings()) for label, metric in metrics.items()}
