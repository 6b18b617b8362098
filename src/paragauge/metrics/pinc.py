"""PINC: Paraphrase In N-gram Changes (Chen and Dolan 2011, section 4).

    PINC(s, c) = 1/N * sum over n = 1..N of (1 - |ngrams_n(s) & ngrams_n(c)| / |ngrams_n(c)|)

the share of the candidate's n-grams that the source does not have, averaged over the orders 1 to
N = 4. A corpus scores the mean of its segments. The value is printed times 100, as in the paper's
figures: 0 for a copy, 100 for a candidate that shares no word with its source. The statistics are
(value, 1, new n-grams 1..N, n-grams 1..N).

The paper leaves some choices open, which implementations make differently; each is a setting:

- `count`: the paper says "lists" of n-grams and speaks of an intersection. `set` (default) compares
  the sets of distinct n-grams. `clip` counts every occurrence, matched at most as often as the
  source has it, as BLEU does. `member` counts every occurrence, matched if the source has the n-gram
  at all: lists are read as Python's ``[g for g in candidate if g in source]``.
- `short`: a candidate of 3 words has no 4-gram, and 0/0 is undefined. `skip` (default) averages over
  the orders that exist, so that a copy scores 0 and an all-new candidate 100 at any length. `new`
  counts a missing order as wholly new (a one-word copy scores 75), `copied` as wholly copied.
- An empty candidate has no n-grams of any order: it brings nothing new and scores 0 (100 with `new`).
- An empty source has nothing that could be copied: every n-gram is new.
- `sources`: with several sources per segment, `mean` (default) averages PINC over them, as the paper
  does when it scores human descriptions against each other; `union` asks for n-grams that no source
  has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pair_counts import MOST_SUMMED, lowercase_pair
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import Case, Normalize, Tokenizer

Count = Literal["set", "clip", "member"]
ShortCandidate = Literal["skip", "new", "copied"]
SeveralSources = Literal["mean", "union"]
# What an order counts that the candidate is too short for; below 0 it is left out of the mean.
_MISSING_ORDER = {"skip": -1.0, "new": 1.0, "copied": 0.0}


def count_setting() -> Any:
    """The field `count` of PINC and of what combines it with BLEU."""
    meaning = "PINC counts different n-grams, all with clipped counts, or all by membership"
    return setting("set", choices=get_args(Count), help=meaning)


def short_setting() -> Any:
    """The field `short` of PINC and of what combines it with BLEU."""
    meaning = "what an order longer than the candidate counts as in PINC"
    return setting("skip", choices=get_args(ShortCandidate), help=meaning)


def sources_setting() -> Any:
    """The field `sources` of PINC and of what combines it with BLEU."""
    meaning = "several sources: mean of PINC over them, or all together"
    return setting("mean", choices=get_args(SeveralSources), help=meaning)


@dataclass(frozen=True)
class PINC(MeanMetric):
    """Share of the candidate's n-grams that are new, compared with the source.

    >>> pinc = PINC()
    >>> source = "a man fires a revolver"
    >>> pinc.segments([source, "a man is shooting"], sources=[source, source])
    array([ 0.        , 79.16666667])
    >>> pinc.signature
    'PINC|order:4|count:set|short:skip|sources:mean|tok:13a|case:mixed|scale:100|v:...'
    """

    name: ClassVar[str] = "PINC"
    summary: ClassVar[str] = "n-grams that the source does not have (wording changed)"

    order: int = order_setting()
    count: Count = count_setting()
    short: ShortCandidate = short_setting()
    sources: SeveralSources = sources_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, new n-grams 1..N, n-grams 1..N) of each segment."""
        tokens = batch.normalized(self.normalize).tokens(self.tokenize, self.case)
        sources = tokens.require("sources")
        candidates = tokens.candidates[system]
        joint = self.sources == "union"
        rows = _native.match_ngrams(
            (candidates.ids, candidates.offsets, None),
            sources.column,
            self.order,
            self.count,
            joint,
            batch.threads,
        ).astype(np.float64)
        new, ngrams = rows[:, self.order :] - rows[:, : self.order], rows[:, self.order :]
        values = 100.0 * novelty(new, ngrams, self.short)
        if not joint:
            values = sources.mean(values)
            new, ngrams = sources.mean(new), sources.mean(ngrams)
        return mean_stats(values, new, ngrams)

    def pair_value(
        self,
        candidate: str,
        source: str | Sequence[str] | None,
        references: str | Sequence[str] | None,  # noqa: ARG002  # for other metrics
    ) -> float | None:
        """PINC of one candidate and one source, or the union of several, from one call of a kernel."""
        if self.order > MOST_SUMMED or self.normalize != "none":
            return None
        try:
            if self.case == "lower":
                candidate, source = lowercase_pair(candidate, source)
            return 100.0 * _native.pair_novelty(
                candidate,
                source,
                self.tokenize,
                self.order,
                self.count,
                self.sources == "union",
                _MISSING_ORDER[self.short],
            )
        except (TypeError, AttributeError):
            return None

    def parts(self, sums: Floats) -> dict[str, float]:
        """Share of new n-grams of each order over the whole corpus."""
        new, ngrams = sums[2 : 2 + self.order], sums[2 + self.order :]
        return {
            f"new{n}": 100 * float(a / b) if b else 0.0
            for n, (a, b) in enumerate(zip(new, ngrams, strict=True), 1)
        }


def novelty(new: Floats, ngrams: Floats, short: str) -> Floats:
    """PINC from 0 to 1 of rows of new and of all n-grams, both [n, N].

    >>> novelty(np.array([[1.0, 1.0]]), np.array([[2.0, 1.0]]), "skip")
    array([0.75])
    """
    exists = ngrams > 0
    filler = 1.0 if short == "new" else 0.0
    shares = np.divide(new, ngrams, out=np.full_like(new, filler), where=exists)
    if short != "skip":
        return np.asarray(shares.mean(axis=1))
    return np.asarray(shares.sum(axis=1) / np.maximum(exists.sum(axis=1), 1))
