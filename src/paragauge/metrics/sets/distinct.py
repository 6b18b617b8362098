"""Distinct-n (Li et al. 2016): the share of different n-grams among the candidates for one source.

    distinct-n = different n-grams of the set / n-grams of the set, times 100

Li et al. divide by the number of words instead (`by=words`); for n = 1 both are the same. They count
over all responses of a system; here n-grams are counted within the set of candidates for one source,
and a corpus divides the sum of the first counts by that of the second, so that longer sets weigh more.
One candidate alone has a value too: a sentence that repeats no n-gram scores 100 with `by=ngrams`. A
set without n-grams has none, and is left out.

The statistics are (different n-grams, n-grams or words).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Case, Normalize, Tokenizer


@dataclass(frozen=True)
class Distinct(Metric):
    """Different n-grams by all n-grams of the candidates for one source.

    >>> Distinct(n=1).segments([["a b", "a c"], ["a b", "a b"]])
    array([75., 50.])
    >>> Distinct(n=2, by="words").segments([["a b c", "a b"]])  # 2 bigrams, 5 words
    array([40.])
    """

    name: ClassVar[str] = "Distinct"
    summary: ClassVar[str] = "share of different n-grams among several candidates (distinct-n)"
    reads_sets: ClassVar[bool] = True

    n: int = setting(1, low=1, high=64, help="length of the n-grams")
    by: Literal["ngrams", "words"] = setting(
        "ngrams", choices=("ngrams", "words"), help="what the count is divided by (paper: words)"
    )
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Nothing but the candidates."""
        return frozenset()

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(different n-grams, n-grams or words) of each segment."""
        sets = batch.candidate_sets(system)
        # As references of an empty candidate, the lines of a set share one numbering of words.
        one_per_set = Batch({system: batch.systems[system]}, references=sets, threads=batch.threads)
        groups = one_per_set.normalized(self.normalize).tokens(self.tokenize, self.case)
        words = groups.require("references")
        segment = words.segment_of_line()
        grams, lines = _ngram_numbers(words.tokens, self.n)
        different = np.unique(np.stack([segment[lines], grams], axis=1), axis=0)
        size = len(batch)
        counts = np.bincount(different[:, 0], minlength=size)
        if self.by == "ngrams":
            total = np.bincount(segment[lines], minlength=size)
        else:
            total = np.bincount(segment, weights=words.tokens.lengths, minlength=size)
        return np.stack([counts, total], axis=1).astype(np.float64)

    def corpus_values(self, sums: Floats) -> Floats:
        """100 times the quotient; NaN without n-grams."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(100.0 * sums[..., 0] / sums[..., 1])

    def parts(self, sums: Floats) -> dict[str, float]:
        """Both counts."""
        return {"different": float(sums[0]), "all": float(sums[1])}


def _ngram_numbers(words: Ragged, n: int) -> tuple[np.ndarray, np.ndarray]:
    """A number for each n-gram, equal for equal ones of the same set, and the line it is in."""
    line = np.repeat(np.arange(len(words)), words.lengths)
    numbers = words.ids.astype(np.int64)
    for _ in range(1, n):
        # Two neighbors of the same line overlap in all but one word: together they are the longer one.
        follows = line[:-1] == line[1:]
        pairs = np.stack([numbers[:-1], numbers[1:]], axis=1)[follows]
        line = line[:-1][follows]
        _, numbers = np.unique(pairs, axis=0, return_inverse=True)
        numbers = numbers.reshape(-1)
    return numbers, line
