"""Evaluation sets: systems x segments x judgments x judges x criteria.

A *segment* is one source sentence; segments may belong to *groups* (language pairs, test sets) that
are evaluated separately and then averaged. An *item* is one candidate for one segment: usually one
system's output, but systems that wrote the same sentence share an item, and an item may belong to no
named system. A *rating* is one judge's rating of one item, on any number of criteria; rankings are
ratings under the criterion ``rank`` (1 is best) whose *task* says what was ranked together.

Nothing is filled in: a missing rating is NaN, and `EvalSet.missing` counts what is missing. Texts
(sources and references per segment, candidates per item) are optional; with them `EvalSet.score_with`
adds the scores of metrics.

Arrays are flat, so that a set of a million ratings is cheap:

    item_segment   int64 [items]       the segment of each item
    output_item    int64 [outputs]     item and
    output_system  int64 [outputs]     system of each pair that belong together
    rating_item    int64 [ratings]     item,
    rating_judge   int64 [ratings]     judge
    rating_task    int64 [ratings]     and task of each rating (-1: no task)
    ratings        {criterion: float64 [ratings]}
    scores         {label: MetricScores}, with values float64 [items]

`evalset_builder.py` makes sets, `evalset_files.py` reads them.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.kernels.layout import Bools, Floats, Ints
from paragauge.metrics.base import Metric, counts_range, data_facts
from paragauge.metrics.scoring import batch_statistics
from paragauge.text.batch import Batch
from paragauge.text.rated_pairs import SegmentRange, outside_range, segment_number
from paragauge.text.tables.headers import header_key, require_header
from paragauge.text.wording import pluralize

Value = TypeVar("Value")


def is_lower_better(criterion: str) -> bool:
    """Whether a smaller number is the better one on a criterion: a rank, whatever its case.

    >>> is_lower_better("Rank"), is_lower_better("overall")
    (True, False)
    """
    return header_key(criterion) == "rank"


@dataclass(frozen=True)
class MetricScores:
    """One metric's scores of the items; `stats` [items, k] when its corpus score is not their mean.

    With `system_level`, only systems have scores: each item has that of its system. `system_values`
    [items] are scores of systems beside those of segments.
    """

    label: str
    title: str
    values: Floats
    higher_is_better: bool = True
    stats: Floats | None = None
    metric: Metric | None = None
    signature: str = ""
    system_level: bool = False
    system_values: Floats | None = None

    @property
    def oriented(self) -> Floats:
        """The values, negated if lower is better, so that larger is better."""
        return self.values if self.higher_is_better else -self.values

    def additive(self) -> Floats:
        """Rows [items, k] whose sums `aggregate` turns into a score of several items."""
        if self.stats is not None:
            return self.stats
        known = ~np.isnan(self.values)
        return np.stack([np.where(known, self.values, 0.0), known.astype(np.float64)], axis=1)

    def aggregate(self, sums: Floats) -> Floats:
        """The score of summed rows, [..., k] to [...]; NaN where nothing was summed."""
        if self.metric is not None and self.stats is not None:
            return self.metric.corpus_values(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])

    def take(self, items: Ints) -> MetricScores:
        """The scores of some of the items."""
        stats = None if self.stats is None else self.stats[items]
        whole = None if self.system_values is None else self.system_values[items]
        return dataclasses.replace(self, values=self.values[items], stats=stats, system_values=whole)

    def of_systems(self) -> MetricScores:
        """The scores of systems where there are some, as scores of the items."""
        if self.system_values is None:
            return self
        return dataclasses.replace(
            self, values=self.system_values, stats=None, system_values=None, system_level=True
        )


@dataclass(frozen=True)
class Missing:
    """What a criterion lacks: ratings without a value, and items without a rating that has one."""

    ratings: int
    items: int


@dataclass(frozen=True)
class EvalSet:
    """Judged candidates; see the module for the arrays."""

    segments: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    groups: tuple[str, ...]
    segment_group: Ints
    item_segment: Ints
    output_item: Ints
    output_system: Ints
    rating_item: Ints
    rating_judge: Ints
    rating_task: Ints
    ratings: Mapping[str, Floats]
    sources: tuple[tuple[str, ...], ...] | None = field(default=None, repr=False)
    references: tuple[tuple[str, ...], ...] | None = field(default=None, repr=False)
    candidates: tuple[str, ...] | None = field(default=None, repr=False)
    scores: Mapping[str, MetricScores] = field(default_factory=dict, repr=False)
    left_out: Mapping[str, int] = field(default_factory=dict)  # candidates, by the reason
    notes: tuple[str, ...] = ()  # names that ratings, texts and scores lack of each other
    system_ratings: Mapping[str, Floats] = field(default_factory=dict)  # float64 [items], as given

    def __repr__(self) -> str:
        """What the set holds, in numbers.

        >>> EvalSet.from_frame({"segment": [1, 1], "system": ["a", "b"], "overall": [2.0, 3.0]})
        EvalSet(1 segment, 2 systems, 2 candidates, 1 judge, criteria: overall)
        """
        parts = [
            pluralize(len(self.segments), "segment"),
            pluralize(len(self.systems), "system"),
            pluralize(self.items, "candidate"),
            pluralize(len(self.judges), "judge"),
            f"criteria: {', '.join(self.criteria) or 'none'}",
        ]
        if len(self.groups) > 1:
            parts.insert(0, pluralize(len(self.groups), "group"))
        if self.scores:
            parts.append(f"scores: {', '.join(self.scores)}")
        return f"EvalSet({', '.join(parts)})"

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        columns: Mapping[str, str] | None = None,
        criteria: Sequence[str] | None = None,
        separator: str = "|",
        decimal: str = ".",
    ) -> EvalSet:
        """A set from a data frame of pandas or Polars, an Arrow table or a dict of columns.

        Columns and arguments mean what they mean in `read_evalset`: segment, system and judge, texts if
        there are any, `metric:NAME` for scores, and a criterion in every other column.

        >>> ratings = {"segment": [1, 2], "system": ["a", "a"], "overall": [2, 5]}
        >>> EvalSet.from_frame(ratings).criteria
        ('overall',)
        """
        # By name, because the module reads what this one defines.
        module = importlib.import_module("paragauge.meta.sets.evalset_frames")
        judged: EvalSet = module.evalset_of_frame(frame, columns, criteria, separator, decimal)
        return judged

    @property
    def items(self) -> int:
        """How many candidates there are."""
        return len(self.item_segment)

    @property
    def criteria(self) -> tuple[str, ...]:
        """What was rated."""
        return tuple(self.ratings)

    def criterion(self, name: str) -> Floats:
        """The ratings on one criterion, float64 [ratings]; case and spaces of its name do not count."""
        return self.ratings[require_header(name, self.ratings, "criterion")]

    def judge(self, name: str) -> int:
        """The number of a judge."""
        if name not in self.judges:
            raise unknown_name("judge", name, self.judges)
        return self.judges.index(name)

    def means(self, criterion: str, judge: str | None = None) -> Floats:
        """The mean rating of each item, of all judges or of one; NaN where there is none.

        >>> from paragauge.meta.sets.evalset_builder import build
        >>> rows = [("1", "a", "A", {"overall": 2.0}), ("1", "a", "B", {"overall": 5.0})]
        >>> build(rows).means("overall")
        array([3.5])
        """
        values = self.criterion(criterion)
        known = ~np.isnan(values)
        if judge is not None:
            known &= self.rating_judge == self.judge(judge)
        item = self.rating_item[known]
        sums = np.bincount(item, values[known], self.items)
        counts = np.bincount(item, minlength=self.items)
        least, most = np.full(self.items, np.inf), np.full(self.items, -np.inf)
        np.minimum.at(least, item, values[known])
        np.maximum.at(most, item, values[known])
        # Sums round: the mean of equal ratings must be that rating, however many judges gave it.
        means = np.minimum(np.maximum(sums / np.maximum(counts, 1), least), most)
        return np.asarray(np.where(counts > 0, means, np.nan))

    def has_system_ratings_only(self, criterion: str) -> bool:
        """Whether people rated systems as a whole on a criterion, not their segments."""
        given = self.system_ratings.get(criterion)
        return given is not None and np.array_equal(given, self.means(criterion), equal_nan=True)

    def missing(self) -> dict[str, Missing]:
        """What is missing on each criterion."""
        return {
            name: Missing(int(np.isnan(values).sum()), int(np.isnan(self.means(name)).sum()))
            for name, values in self.ratings.items()
        }

    def value_of(self, name: str) -> Floats:
        """A metric's score or a criterion's mean of each item, as conditions name them."""
        if name in self.scores:
            return self.scores[name].values
        if name in self.ratings:
            return self.means(name)
        raise unknown_name("metric or criterion", name, [*self.scores, *self.ratings])

    def where(self, keep: Bools) -> EvalSet:
        """Only the items that `keep` [items] marks, with their ratings, texts and scores.

        Names stay as they are; systems without items are dropped.
        """
        items = np.flatnonzero(keep)
        place = np.full(self.items, -1, np.int64)
        place[items] = np.arange(len(items))
        outputs = keep[self.output_item]
        rated = keep[self.rating_item]
        used = np.unique(self.output_system[outputs])
        system = np.full(len(self.systems), -1, np.int64)
        system[used] = np.arange(len(used))
        return dataclasses.replace(
            self,
            systems=tuple(self.systems[i] for i in used),
            item_segment=self.item_segment[items],
            output_item=place[self.output_item[outputs]],
            output_system=system[self.output_system[outputs]],
            rating_item=place[self.rating_item[rated]],
            rating_judge=self.rating_judge[rated],
            rating_task=self.rating_task[rated],
            ratings={name: values[rated] for name, values in self.ratings.items()},
            candidates=None if self.candidates is None else tuple(self.candidates[i] for i in items),
            scores={label: scores.take(items) for label, scores in self.scores.items()},
            system_ratings={name: values[items] for name, values in self.system_ratings.items()},
        )

    def without_systems(self, names: Collection[str]) -> EvalSet:
        """Without some systems, and without the items that only they had.

        >>> from paragauge.meta.sets.evalset_builder import build
        >>> rows = [("1", "a", "A", {"overall": 2.0}), ("1", "b", "A", {"overall": 5.0})]
        >>> build(rows).without_systems({"a"}).systems
        ('b',)
        """
        for name in names:
            if name not in self.systems:
                raise unknown_name("system", name, self.systems)
        dropped = np.isin(self.output_system, [self.systems.index(name) for name in names])
        anonymous = np.ones(self.items, bool)
        anonymous[self.output_item] = False
        keep = anonymous.copy()
        keep[self.output_item[~dropped]] = True
        left = dataclasses.replace(
            self, output_item=self.output_item[~dropped], output_system=self.output_system[~dropped]
        )
        return left.where(keep)

    def without_judges(self, names: Collection[str]) -> EvalSet:
        """Without the ratings of some judges; items and systems stay."""
        numbers = [self.judge(name) for name in names]
        is_kept = ~np.isin(self.rating_judge, numbers)
        left = [i for i in range(len(self.judges)) if i not in numbers]
        place = np.full(len(self.judges), -1, np.int64)
        place[left] = np.arange(len(left))
        return dataclasses.replace(
            self,
            judges=tuple(self.judges[i] for i in left),
            rating_item=self.rating_item[is_kept],
            rating_judge=place[self.rating_judge[is_kept]],
            rating_task=self.rating_task[is_kept],
            ratings={name: values[is_kept] for name, values in self.ratings.items()},
        )

    def of_group(self, name: str) -> EvalSet:
        """Only the items of one group."""
        if name not in self.groups:
            raise unknown_name("group", name, self.groups)
        return self.where(self.segment_group[self.item_segment] == self.groups.index(name))

    def only_group(self, name: str) -> EvalSet:
        """One group as a set without groups."""
        part = self.of_group(name)
        alone = np.zeros(len(self.segments), np.int64)
        return dataclasses.replace(part, groups=(name,), segment_group=alone)

    def only_segments(self, chosen: SegmentRange) -> EvalSet:
        """Only the segments whose number, which is their name, is in the range.

        >>> from paragauge.meta.sets.evalset_builder import build
        >>> judged = build([(n, "a", "A", {"overall": 2.0}) for n in ("1", "2", "3")])
        >>> judged.only_segments(SegmentRange(2, 3)).items
        2
        """
        numbers = [segment_number(name) or 0 for name in self.segments]
        if 0 in numbers:
            name = self.segments[numbers.index(0)]
            raise InputError(
                f"segments {chosen}: expected segments with numbers for names, found {name[:40]!r}; "
                "number them, or give a table with the ratings to use"
            )
        is_chosen = np.array([number in chosen for number in numbers], np.bool_)
        part = self.where(is_chosen[self.item_segment])
        if part.items == 0:
            raise InputError(outside_range(chosen, min(numbers), max(numbers)))
        return part

    def with_lower_better(self, label: str) -> EvalSet:
        """The same set, in which lower scores of one metric are better."""
        turned = dataclasses.replace(self.scores[label], higher_is_better=False)
        return dataclasses.replace(self, scores={**self.scores, label: turned})

    def batch(self, threads: int = 0) -> Batch:
        """All items as one batch of a nameless system, for metrics."""
        if self.candidates is None:
            raise InputError("expected the candidates' texts to score them, found none")
        segments = self.item_segment.tolist()
        sources, references = (
            None if texts is None else [texts[i] for i in segments]
            for texts in (self.sources, self.references)
        )
        return Batch.of({"": self.candidates}, sources=sources, references=references, threads=threads)

    def score_with(self, metrics: Mapping[str, Metric], threads: int = 0) -> EvalSet:
        """With the scores of these metrics, computed from the texts.

        >>> from paragauge import PINC
        >>> from paragauge.meta.sets.evalset_builder import build
        >>> rows = [("1", "a", "A", {"overall": 2.0})]
        >>> one = build(rows, sources={"1": ["x y"]}, candidates={("1", "a"): "x z"})
        >>> one.score_with({"pinc": PINC()}).scores["pinc"].values
        array([75.])
        """
        inputs = {"sources": self.sources, "references": self.references}
        for metric in metrics.values():
            metric.require({name for name, texts in inputs.items() if texts is not None})
        batch = self.batch(threads)
        counts = {name: counts_range(batch, name) for name, texts in inputs.items() if texts}
        scores = dict(self.scores)
        for (_, label), stats in batch_statistics(batch, metrics).items():
            scores[label] = metric_scores(label, metrics[label], stats, counts)
        return dataclasses.replace(self, scores=scores)


def as_evalset(judged: Any) -> EvalSet:
    """An evaluation set, made from a data frame if it is none.

    >>> as_evalset({"segment": [1], "overall": [2]}).segments
    ('1',)
    """
    return judged if isinstance(judged, EvalSet) else EvalSet.from_frame(judged)


def metric_scores(
    label: str, metric: Metric, stats: Floats, counts: Mapping[str, tuple[int, int]]
) -> MetricScores:
    """The scores of items from a metric's statistics [items, k]."""
    name = metric.name if label.split(":")[0] == metric.name.lower() else label.split(":")[0]
    return MetricScores(
        label,
        ":".join([name, *label.split(":")[1:]]),
        metric.segment_values(stats),
        metric.higher_is_better,
        None if metric.corpus_is_mean else stats,
        metric,
        metric.signature_for(data_facts(metric, counts)),
    )
