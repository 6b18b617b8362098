"""Adequacy: how much of the source's meaning a candidate keeps, learned from people and from changes.

One alignment of the two sentences shows what changed: words without a partner, a negation or number
on one side only, opposites, names, swapped nouns (`adequacy_features.py`); with an encoder, also
how much the words agree in their contexts (`context_changes.py`). Boosted trees make a value from 0
to 100 of it, fitted to human ratings of meaning and to sentences whose meaning was changed on
purpose (`adequacy_model.py`). A copy keeps everything: adequacy does not ask for other words. PEM
does, and takes this as its first part.

English only. A corpus scores the mean of its segments, and with several sources a segment scores
the mean over them. A sentence without words scores 0. Time grows with the square of a sentence's
length; the encoder takes most of the time in context. The statistics are (value, 1, rating,
similarity, change, reversal), times 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pem.adequacy.adequacy_features import compared_lines, has_words, measure_pairs
from paragauge.metrics.pem.adequacy.adequacy_model import ENSEMBLES, AdequacyModel, Kind
from paragauge.metrics.pem.explanation_parts import AdequacyView
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.settings import normalize_setting
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.batch import Batch
from paragauge.text.lines import group_means
from paragauge.text.tokenizers import Normalize


@dataclass(frozen=True)
class Adequacy(MeanMetric):
    """How much of the meaning is kept, from 0 to 100, without references.

    >>> sources = ["Children love playing in the snow."] * 2
    >>> kept, changed = Adequacy().segments(
    ...     ["Kids enjoy playing in snow.", "Children hate playing in the snow."], sources=sources
    ... )
    >>> bool(kept > changed)
    True
    """

    name: ClassVar[str] = "Adequacy"
    summary: ClassVar[str] = "meaning kept, learned from ratings and from changed meanings (PEM's)"
    kind: ClassVar[Kind] = "words"

    normalize: Normalize = normalize_setting("typography")

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return True

    def line_features(self, batch: Batch, system: str) -> Floats:
        """The features of each source line with its candidate, [source lines, names]."""
        lines = compared_lines(batch, system)
        return measure_pairs(*lines, WordWeights.default(), batch.threads, batch.first)

    def line_values(self, rows: Floats, threads: int) -> Floats:
        """The value and the components of pairs with these features, from 0 to 1: [n, 5].

        A sentence without words keeps nothing.
        """
        model = AdequacyModel.default(self.kind)
        components = model.components(rows, threads)
        values = np.where(has_words(rows), model.combine(components), 0.0)
        return np.column_stack([values, components])

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, components) of each segment."""
        batch = batch.normalized(self.normalize)
        table = 100.0 * self.line_values(self.line_features(batch, system), batch.threads)
        groups = None if batch.sources is None else batch.sources.groups
        means = group_means(groups, table)
        return mean_stats(means[:, 0], means[:, 1:])

    def view(self, batch: Batch, system: str) -> AdequacyView:
        """The value of a batch of one pair and its components, from 0 to 100."""
        stats = self.batch_stats(batch, system)[0]
        return AdequacyView(float(stats[0]), *stats[2:].tolist())

    def parts(self, sums: Floats) -> dict[str, float]:
        """The means of the four components."""
        count = max(float(sums[1]), 1.0)
        return {name: float(value) / count for name, value in zip(ENSEMBLES, sums[2:], strict=True)}

    def extra_signature(self) -> dict[str, str]:
        """Fingerprints of what computes the value."""
        return {
            "tagger": PerceptronTagger.default().name,
            "wordnet": WordNet.default().name,
            "weights": WordWeights.default().name,
            "adequacy": AdequacyModel.default(self.kind).name,
        }
