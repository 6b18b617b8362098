"""Any metric with references, scored on references rewritten toward each system's words.

Kauchak and Barzilay (2006, section 4.1.1): "we substitute each reference with the corresponding
synthetic reference". Every system of a batch gets its own rewritten references; the metric, its
statistics and its scale do not change. The signature adds everything the rewriting depends on.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.rewrite.rewrite_method import RewriteMethod
from paragauge.rewrite.rewriter import Rewriter, Rewriting
from paragauge.text.batch import Batch

# The class attributes of a metric also hold for the metric on rewritten references.
CLASS_FACTS = ("name", "summary", "higher_is_better", "corpus_is_mean", "scale", "shown_parts")


class _IdentityKey:
    """A key that equals only keys of the same rewriter, and keeps it alive."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.rewriter is self.rewriter

    def __hash__(self) -> int:
        return id(self.rewriter)


@dataclass(frozen=True)
class RewrittenMetric(Metric):
    """A metric on rewritten references.

    >>> from paragauge import BLEU
    >>> references, outputs = ["It is hard to say now."], ["It is difficult to say now."]
    >>> round(BLEU().score(outputs, references=references).value, 2)
    48.89
    >>> metric = RewrittenMetric(BLEU(), RewriteMethod("wordnet"))
    >>> round(metric.score(outputs, references=references).value, 2), metric.label
    (100.0, 'bleu:rewrite=wordnet')
    """

    name: ClassVar[str] = "RewrittenMetric"
    summary: ClassVar[str] = "a metric on rewritten references"

    metric: Metric
    rewriting: RewriteMethod | Rewriter

    def __post_init__(self) -> None:
        if "references" not in self.metric.needs:
            raise SettingError(
                f"{self.metric.name} does not use references, so there is nothing to rewrite for it; "
                "leave rewrite out, or choose a metric that uses them, such as bleu"
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
    def rewriter(self) -> Rewriter:
        """What rewrites the references."""
        return (
            self.rewriting.rewriter() if isinstance(self.rewriting, RewriteMethod) else self.rewriting
        )

    @property
    def label(self) -> str:
        """The metric's label with the settings of the rewriting."""
        if isinstance(self.rewriting, RewriteMethod):
            return f"{self.metric.label}:{self.rewriting.label}"
        return ":".join(
            [self.metric.label, *(f"{key}={value}" for key, value in self.rewriter.signature.items())]
        )

    def signature_for(self, data: Mapping[str, str]) -> str:
        """The metric's signature, with the facts about the rewriting among those about the data."""
        return self.metric.signature_for({**data, **self.rewriter.signature})

    @property
    def _key(self) -> Hashable:
        """The cache key of the rewriting: equal methods share it, any other rewriter has its own.

        A method's rewriter may be dropped while a batch is in use, so its address cannot be the key.
        """
        return (
            self.rewriting
            if isinstance(self.rewriting, RewriteMethod)
            else _IdentityKey(self.rewriting)
        )

    def rewrite(self, batch: Batch, system: str) -> Rewriting:
        """Rewrite the references of a batch for one system; cached for other metrics."""
        references = batch.references
        if references is None:
            raise InputError("expected references, found none")
        rewriter = self.rewriter
        prepared = batch.latest(
            ("references prepared", rewriter.needs_tags),
            "",
            lambda: rewriter.prepare(references, batch.threads, first=batch.first),
        )
        return batch.latest(
            ("rewriting", self._key),
            system,
            lambda: rewriter.run(prepared, batch.systems[system], threads=batch.threads),
        )

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """The metric's statistics on the rewritten references."""
        return self.metric.batch_stats(self.rewritten_batch(batch, system), system)

    def rewritten_batch(self, batch: Batch, system: str) -> Batch:
        """A batch of one system with its own references; cached for other metrics."""
        references = self.rewrite(batch, system).references
        return batch.latest(
            ("rewritten batch", self._key),
            system,
            lambda: Batch(
                {system: batch.systems[system]},
                batch.sources,
                references,
                first=batch.first,
                threads=batch.threads,
            ),
        )

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
