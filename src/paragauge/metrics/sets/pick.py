"""A metric on several candidates for each source: the first, the best, or their mean.

    first    the score of the first candidate, as if it were the only one
    best     the score of the candidate that the metric itself prefers (the "oracle" of a list)
    mean     the mean over the candidates

What is picked are a segment's statistics, so corpus scores, intervals and comparisons are those of the
metric, and resampling draws segments with all their candidates. With `best` a segment has the
statistics of its best candidate (the first of equals): the corpus BLEU is that of the best candidates.
With `mean` it has the mean of its candidates' statistics, so every segment counts the same however
many candidates it has; for a metric that is a mean of segments this is the mean of the candidates'
scores. Candidates without a score are never the best, and left out of the mean.

In a specification, ``bleu:pick=best``. The statistics are those of the metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.sets.set_batches import candidate_batch
from paragauge.metrics.spec_syntax import register_wrapper
from paragauge.text.batch import Batch
from paragauge.text.lines import group_means

Pick = Literal["first", "best", "mean"]
PICKS: tuple[Pick, ...] = get_args(Pick)
PREFIX = "pick"
CLASS_FACTS = (
    *("name", "summary", "higher_is_better", "corpus_is_mean", "sentence_level"),
    *("scale", "shown_parts", "lower_parts"),
)


@dataclass(frozen=True)
class PickedCandidates(Metric):
    """A metric on the first or best of several candidates, or on their mean.

    >>> from paragauge import BLEU
    >>> metric = PickedCandidates(BLEU(order=1), "best")
    >>> candidates, references = [["a b", "a c d"], ["x y"]], ["a c d", "x z"]
    >>> metric.segments(candidates, references=references)
    array([100.,  50.])
    >>> PickedCandidates(BLEU(order=1), "mean").label
    'bleu:order=1:pick=mean'
    """

    name: ClassVar[str] = "PickedCandidates"
    summary: ClassVar[str] = "a metric on several candidates"
    reads_sets: ClassVar[bool] = True

    metric: Metric
    pick: Pick = "best"

    def __post_init__(self) -> None:
        check_pick(self.pick)
        if self.metric.reads_sets:
            raise SettingError(
                f"{self.metric.label} reads all candidates of a segment, so there is nothing to pick; "
                f"leave {PREFIX} out"
            )
        for fact in CLASS_FACTS:
            object.__setattr__(self, fact, getattr(self.metric, fact))

    @property
    def needs(self) -> frozenset[str]:
        """The inputs that the metric needs."""
        return self.metric.needs

    @property
    def reads_english(self) -> bool:
        """Whether the metric does."""
        return self.metric.reads_english

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """Those of the metric."""
        return self.metric.encoder_layers

    @property
    def label(self) -> str:
        """The metric's label and what is picked."""
        return f"{self.metric.label}:{PREFIX}={self.pick}"

    def signature_for(self, data: Mapping[str, str]) -> str:
        """The metric's signature, with what is picked before the facts about the data."""
        return self.metric.signature_for({PREFIX: self.pick, **data})

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """The metric's statistics of the picked candidates, or their means."""
        if self.pick == "first" or not batch.has_sets(system):
            return self.metric.batch_stats(batch, system)
        rows = self.metric.batch_stats(candidate_batch(batch, system), system)
        sets = batch.candidate_sets(system)
        groups = np.concatenate([[0], np.cumsum(sets.counts())]).astype(np.int64)
        if self.pick == "mean":
            return group_means(groups, rows)
        values = self.metric.segment_values(rows)
        merit = values if self.metric.higher_is_better else -values
        merit = np.where(np.isnan(merit), -np.inf, merit)
        segment = np.repeat(np.arange(len(sets)), sets.counts())
        order = np.lexsort((np.arange(len(rows)), -merit, segment))
        return np.asarray(rows[order[groups[:-1]]])

    def corpus_values(self, sums: Floats) -> Floats:
        """The metric's scores from summed statistics."""
        return self.metric.corpus_values(sums)

    def segment_values(self, stats: Floats) -> Floats:
        """The metric's scores of segments."""
        return self.metric.segment_values(stats)

    def parts(self, sums: Floats) -> dict[str, float]:
        """The metric's parts."""
        return self.metric.parts(sums)

    def segment_parts(self, stats: Floats) -> dict[str, Floats]:
        """The metric's parts of segments."""
        return self.metric.segment_parts(stats)


def check_pick(name: str) -> Pick:
    """What is picked; an error if there is nothing of this name.

    >>> check_pick("bst")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown pick 'bst'; did you mean 'best'? known: first, best, mean
    """
    for known in PICKS:
        if known == name:
            return known
    raise unknown_name(PREFIX, name, PICKS)


class PickWrapper:
    """Wraps a metric in `PickedCandidates` if its specification or the defaults say what to pick."""

    prefix = PREFIX
    order = 1  # what is picked may be rewritten for

    def wrap(
        self, metric: Metric, spec: str, explicit: Mapping[str, str], defaults: Mapping[str, str]
    ) -> Metric:
        """The metric on what is picked; defaults apply to metrics that score one candidate.

        >>> [Metric.from_spec(name, {"pick": "best"}).label for name in ("bleu", "distinct")]
        ['bleu:pick=best', 'distinct']
        """
        unknown = next((key for key in explicit if key != PREFIX), None)
        if unknown is not None:
            raise SettingError(f"metric '{spec}': unknown setting '{unknown}'; did you mean {PREFIX}?")
        choice = explicit.get(PREFIX, None if metric.reads_sets else defaults.get(PREFIX))
        return metric if choice is None else PickedCandidates(metric, check_pick(choice))

    def check(self, metrics: Mapping[str, Metric], defaults: Mapping[str, str]) -> None:
        """Reject a default if every metric reads all candidates anyway."""
        if PREFIX in defaults and all(
            metric.reads_sets and not isinstance(metric, PickedCandidates)
            for metric in metrics.values()
        ):
            raise SettingError(
                f"{PREFIX}: none of the metrics scores single candidates; leave it out, or choose a "
                "metric that does, such as bleu"
            )


register_wrapper(PickWrapper())
