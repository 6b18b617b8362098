"""Many systems, many metrics, one pass: the batch scorer.

Batches are read once; each is tokenized once per pair (tokenizer, case) for all systems and metrics;
statistics are summed, resampled for the intervals, passed to observers (which may write segment
scores) and forgotten. Memory does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paragauge.errors import InputError, ShapeError, UnknownKeyError, unknown_key
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric, counts_range, data_facts, make_score
from paragauge.metrics.corpus_score import FIELDS, Score
from paragauge.metrics.resampling import Resampler, check_run, running_sum
from paragauge.text.batch import Batch, GroupedTexts
from paragauge.text.python_data.result_table import ReadableTable, ResultTable, interval_text
from paragauge.text.python_data.text_columns import column_names, suggest_column
from paragauge.text.wording import pluralize
from paragauge.version import __version__

# Called for each batch with the statistics [n, k] of each (system, metric label).
Observer = Callable[[Batch, dict[tuple[str, str], Floats]], None]


@dataclass
class Census:
    """Counts of what was read: segments, empty lines, lines with tabs, and texts per segment."""

    segments: int = 0
    empty: dict[str, int] = field(default_factory=dict)
    tabbed: dict[str, int] = field(default_factory=dict)
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    candidates: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Count one more batch."""
        self._count_candidates(batch)
        self.segments += len(batch)
        columns = {name: batch.candidate_sets(name).lines for name in batch.systems}
        for what, groups in (("sources", batch.sources), ("references", batch.references)):
            if groups is not None:
                columns[f"<{what}>"] = groups.lines
                low, high = counts_range(batch, what)
                before = self.counts.get(what, (low, high))
                self.counts[what] = (min(low, before[0]), max(high, before[1]))
        for name, lines in columns.items():
            for counts, count in (
                (self.empty, lines.count_empty()),
                (self.tabbed, lines.count_tabbed()),
            ):
                if count:
                    counts[name] = counts.get(name, 0) + count

    def _count_candidates(self, batch: Batch) -> None:
        """The fewest and most candidates of each system that ever has several."""
        for name in batch.systems:
            if not batch.has_sets(name) and name not in self.candidates:
                continue
            counts = batch.candidate_sets(name).counts()
            low, high = (int(counts.min()), int(counts.max())) if len(counts) else (1, 1)
            before = self.candidates.get(name, (1 if self.segments else low, high))
            self.candidates[name] = (min(low, before[0]), max(high, before[1]))
        if self.candidates:
            lows, highs = zip(*self.candidates.values(), strict=True)
            low = 1 if len(self.candidates) < len(batch.systems) else min(lows)
            self.counts["candidates"] = (low, max(highs))


@dataclass(frozen=True, repr=False)
class ScoreSheet(ResultTable):
    """All scores, in the order of systems and then metrics, and how they were made.

    For each pair of system and metric, `sums` has the summed statistics, float64 [k], and `resampled`
    the score of every bootstrap replicate, float64 [bootstrap]; replicate b is the same resample of
    segments for all of them.
    """

    scores: list[Score]
    segments: int
    empty: dict[str, int]
    tabbed: dict[str, int]
    bootstrap: int
    seed: int
    level: float
    sums: dict[tuple[str, str], Floats] = field(repr=False)
    resampled: dict[tuple[str, str], Floats] = field(repr=False)
    candidates: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __getitem__(self, key: tuple[str, str]) -> Score:
        for score in self.scores:
            if (score.system, score.metric) == key:
                return score
        systems, metrics = list(self._systems()), list(self._metrics())
        if not isinstance(key, tuple) or len(key) != 2:
            raise UnknownKeyError(
                f"expected a system and a metric, found {key!r}; write "
                f'sheet["{systems[0]}", "{metrics[0]}"]; systems: {", ".join(systems)}; metrics: '
                f"{', '.join(metrics)}"
            )
        if key[0] not in systems:
            raise unknown_key("system", key[0], systems)
        raise unknown_key("metric", key[1], metrics)

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def _systems(self) -> dict[str, None]:
        return dict.fromkeys(score.system for score in self.scores)

    def _metrics(self) -> dict[str, Score]:
        return {score.metric: score for score in self.scores}

    def shown_parts(self) -> list[str]:
        """The names of all parts that stand beside some score."""
        return list(dict.fromkeys(name for score in self.scores for name in score.shown_parts))

    def to_rows(self) -> list[dict[str, Any]]:
        """One record per score; parts that a metric does not show are None."""
        nothing = dict.fromkeys(self.shown_parts())
        return [
            {name: row[name] for name in FIELDS} | nothing | row
            for score in self.scores
            for row in score.to_rows()
        ]

    def to_dict(self) -> dict[str, Any]:
        """All scores and how they were made, as plain Python values, as JSON has them."""
        interval = None
        if self.bootstrap:
            interval = {
                "method": "poisson bootstrap, percentile",
                "level": self.level,
                "resamples": self.bootstrap,
                "seed": self.seed,
            }
        return {
            "scores": [score.to_dict() for score in self.scores],
            "segments": self.segments,
            "empty": self.empty,
            "tabbed": self.tabbed,
            **({"candidates": self.candidates} if self.candidates else {}),
            "interval": interval,
            "paragauge": __version__,
        }

    def readable(self) -> ReadableTable:
        """One row per system and one column per metric, with intervals."""
        metrics = self._metrics()
        rows = []
        for system in self._systems():
            row = [self[system, metric] for metric in metrics]
            rows.append([system, *(interval_text(one.value, one.low, one.high) for one in row)])
        notes = [pluralize(self.segments, "segment"), *dict.fromkeys(s.signature for s in self.scores)]
        return ReadableTable(["system", *(one.title for one in metrics.values())], rows, notes)


# Texts whose vectors are shared at a time; they fit in the memory of an encoder's cache.
SHARED_TEXTS = 1000


class Tally:
    """Sums of statistics and their resamples; batches are added in order."""

    def __init__(
        self, metrics: Mapping[str, Metric], bootstrap: int, seed: int, level: float, threads: int
    ) -> None:
        check_run(threads=threads, bootstrap=bootstrap, seed=seed, level=level)
        self._metrics = metrics
        self._settings = (bootstrap, seed, level)
        self._threads = threads
        self._sums: dict[tuple[str, str], Floats] = {}
        self._resamplers: dict[tuple[str, str], Resampler] = {}

    def add(self, first: int, seen: Mapping[tuple[str, str], Floats]) -> None:
        """Add the statistics [n, k] of each system and metric, of the segments from `first` on."""
        bootstrap, seed, _ = self._settings
        for key, stats in seen.items():
            self._sums[key] = running_sum(self._sums.get(key), stats)
            if bootstrap:
                if key not in self._resamplers:
                    self._resamplers[key] = Resampler(
                        stats.shape[1], bootstrap, seed=seed, threads=self._threads
                    )
                self._resamplers[key].add(stats, first)

    def sheet(self, census: Census) -> ScoreSheet:
        """The scores of everything added."""
        if census.segments == 0:
            raise InputError("expected at least one segment, found none")
        bootstrap, seed, level = self._settings
        resampled = {
            key: resampler.scores(self._metrics[key[1]].corpus_values)
            for key, resampler in self._resamplers.items()
        }
        scores = [
            make_score(
                self._metrics[label],
                total,
                segments=census.segments,
                facts=data_facts(self._metrics[label], census.counts),
                resampled=resampled.get((system, label)),
                level=level,
                system=system,
                label=label,
            )
            for (system, label), total in self._sums.items()
        ]
        return ScoreSheet(
            scores,
            census.segments,
            census.empty,
            census.tabbed,
            bootstrap,
            seed,
            level,
            self._sums,
            resampled,
            census.candidates,
        )


def batch_statistics(batch: Batch, metrics: Mapping[str, Metric]) -> dict[tuple[str, str], Floats]:
    """The statistics [n, k] of a batch, for each system and metric.

    Metrics that read the same encoder share the vectors of each text.

    >>> from paragauge import PINC
    >>> list(batch_statistics(Batch.of({"mine": ["a"]}, sources=["b"]), {"pinc": PINC()}))
    [('mine', 'pinc')]
    """
    encoding = {label: metric for label, metric in metrics.items() if metric.encoder_layers}
    shared = _shared_statistics(batch, encoding) if len(encoding) > 1 else {}
    return {
        (system, label): shared[system, label]
        if (system, label) in shared
        else metric.batch_stats(batch, system)
        for system in batch.systems
        for label, metric in metrics.items()
    }


def _shared_statistics(batch: Batch, metrics: Mapping[str, Metric]) -> dict[tuple[str, str], Floats]:
    """The statistics of metrics with encoders: each text is encoded once, with all layers they read.

    The batch is walked through in parts, so that the vectors of a part stay in memory until the last
    metric has read them.
    """
    from paragauge.encode.encoder_by_name import announced_layers

    layers: dict[str, frozenset[int]] = {}
    for metric in metrics.values():
        for name, used in metric.encoder_layers.items():
            layers[name] = layers.get(name, frozenset()) | used
    size = max(1, SHARED_TEXTS // (len(batch.systems) + 1))
    rows: dict[tuple[str, str], list[Floats]] = {}
    with announced_layers(layers):
        for start in range(0, len(batch), size):
            part = batch.part(start, min(start + size, len(batch)))
            for system in part.systems:
                for label, metric in metrics.items():
                    rows.setdefault((system, label), []).append(metric.batch_stats(part, system))
    return {key: np.concatenate(blocks) for key, blocks in rows.items()}


def score_batches(
    batches: Iterable[Batch],
    metrics: Mapping[str, Metric],
    *,
    bootstrap: int = 1000,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    observers: Sequence[Observer] = (),
) -> ScoreSheet:
    """Score every system of the batches with every metric; `bootstrap=0` leaves out intervals."""
    tally = Tally(metrics, bootstrap, seed, level, threads)
    census = Census()
    for batch in batches:
        census.add(batch)
        seen = batch_statistics(batch, metrics)
        tally.add(batch.first, seen)
        for observe in observers:
            observe(batch, seen)
    return tally.sheet(census)


def metrics_by_label(
    metrics: Mapping[str, Metric] | Iterable[Metric | str],
) -> Mapping[str, Metric]:
    """Metrics by label, from a list of metrics or of their names on the command line.

    >>> list(metrics_by_label(["bleu:order=2", "pinc"]))
    ['bleu:order=2', 'pinc']
    """
    if not isinstance(metrics, Mapping):
        if isinstance(metrics, (Metric, str)) or not isinstance(metrics, Iterable):
            found = repr(metrics) if isinstance(metrics, str) else type(metrics).__name__
            raise ShapeError(f"metrics: expected a list of metrics, found {found}; put it in a list")
        listed: list[Metric] = []
        for one in metrics:
            if isinstance(one, str):
                listed += Metric.from_specs([one]).values()
            elif isinstance(one, Metric):
                listed.append(one)
            elif isinstance(one, type) and issubclass(one, Metric):
                raise ShapeError(
                    f"metrics: expected metrics such as PINC(), found the class {one.__name__}; write "
                    f"{one.__name__}()"
                )
            else:
                found = getattr(one, "__name__", one)
                raise ShapeError(f"metrics: expected metrics such as PINC(), found {found!r}")
        by_label = {metric.label: metric for metric in listed}
        if len(by_label) < len(listed):
            raise ShapeError("metrics: the same metric with the same settings is given twice")
        metrics = by_label
    if not metrics:
        raise ShapeError("metrics: expected at least one metric, found none")
    return metrics


def prepare(
    systems: Mapping[str, GroupedTexts],
    metrics: Mapping[str, Metric] | Iterable[Metric | str],
    sources: GroupedTexts | None,
    references: GroupedTexts | None,
    threads: int,
) -> tuple[Mapping[str, Metric], Batch]:
    """Metrics by label and one batch of Python strings, both checked."""
    if not isinstance(systems, Mapping):
        columns = column_names(systems)
        text = "candidates" if columns is None else f'frame["{suggest_column(columns, "candidates")}"]'
        raise ShapeError(
            f"systems: expected a dict of name and candidates, found {type(systems).__name__}; "
            f'write {{"mine": {text}}}'
        )
    metrics = metrics_by_label(metrics)
    inputs = {"sources": sources, "references": references}
    for metric in metrics.values():
        metric.require({name for name, texts in inputs.items() if texts is not None})
    return metrics, Batch.of(
        systems, sources=sources, references=references, threads=threads, several=True
    )


def score(
    systems: Mapping[str, GroupedTexts],
    metrics: Mapping[str, Metric] | Iterable[Metric | str],
    *,
    sources: GroupedTexts | None = None,
    references: GroupedTexts | None = None,
    bootstrap: int = 1000,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
) -> ScoreSheet:
    """Score several systems with several metrics.

    >>> from paragauge import BLEU, PINC
    >>> sheet = score(
    ...     {"copy": ["a b c d"], "new": ["e f g h"]},
    ...     [PINC(), BLEU()],
    ...     sources=["a b c d"],
    ...     references=[["a b c e"]],
    ... )
    >>> sheet["new", "pinc"].value, round(sheet["copy", "bleu"].value, 1)
    (100.0, 59.5)
    """
    named, batch = prepare(systems, metrics, sources, references, threads)
    return score_batches([batch], named, bootstrap=bootstrap, seed=seed, level=level, threads=threads)
