"""Target-language F1: PEM's dissimilarity component (Liu, Dahlmeier and Ng 2010, section 4.4).

All 1- to 4-grams of the source and of the candidate are collected in two bags; the score is the F1
agreement of the bags (see `weighted_bags.py`), times 100. It measures how *similar* the wording is, so
a paraphraser wants it low. A corpus scores the mean of its segments, and with several sources a segment
scores the mean over them. Two empty sentences agree fully (100); an empty sentence and a non-empty one
do not agree at all (0).

PEM compares stems of lowercased words: ``stem="porter", case="lower"`` is that part of the score. The
default compares words as they stand.

The statistics are (value, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.lexicon.stems import check_stemmer
from paragauge.lm.text_form import Encoder, TextForm
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.metrics.weighted_bags import ngram_bags
from paragauge.text.batch import Batch, TokenGroups
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Case, Normalize, Tokenizer
from paragauge.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class TargetF1(MeanMetric):
    """F1 of the two sentences' bags of n-grams; lower means more different wording.

    >>> TargetF1().segments(["a b c", "a b", "x"], sources=["a b c", "a c", "a"]).round(2)
    array([100.  ,  33.33,   0.  ])
    """

    name: ClassVar[str] = "TargetF1"
    summary: ClassVar[str] = "F1 of all n-grams with the source (PEM paper's wording; lower is better)"
    higher_is_better: ClassVar[bool] = False

    order: int = order_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    stem: str | None = setting(None, help="a Snowball stemmer, such as porter; none if left out")
    normalize: Normalize = normalize_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stem is not None:
            check_stemmer(self.stem)

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1) of each segment."""
        mine, sources = self._words(batch.normalized(self.normalize), system)
        both = [TokenGroups(mine, None), sources]
        candidates, theirs = ngram_bags(both, self.order, batch.threads)
        candidates = candidates.take(sources.segment_of_line())
        return mean_stats(100.0 * sources.mean(candidates.f1(theirs, batch.threads)))

    def _words(self, batch: Batch, system: str) -> tuple[Ragged, TokenGroups]:
        """Numbers of the words, or stems, of the candidates and of the sources."""
        if self.stem is None:
            tokens = batch.tokens(self.tokenize, self.case)
            return tokens.candidates[system], tokens.require("sources")
        groups = batch.sources
        if groups is None:
            raise InputError("expected sources, found none")
        form = TextForm(self.tokenize, self.case, self.stem)

        def read() -> tuple[Encoder, Ragged]:
            encoder = Encoder(form, Vocabulary(), grow=True)
            return encoder, encoder.encode(groups.lines, batch.threads)

        encoder, theirs = batch.latest(("target_f1", form), "", read)
        mine = encoder.encode(batch.systems[system], batch.threads)
        return mine, TokenGroups(theirs, groups.groups)
