"""chrF and chrF++ (Popović 2015, 2017), equal to sacreBLEU's for every setting that both have.

    chrF = (1 + beta^2) P R / (beta^2 P + R)

P and R are the precision and the recall of character n-grams, each averaged over the orders 1 to
`char_order` that both texts are long enough for. With `word_order` above 0 word n-grams are orders of
the same average; chrF++ has `word_order=2`. Words are split at white space, and lose one punctuation
mark of ASCII at their end or, without one there, at their start, which becomes a word itself. An
occurrence of an n-gram matches one occurrence on the other side.

In each segment the reference with the best F-score counts, the first of several. The counts are summed
over the corpus before the division. The statistics are (candidate's, reference's, common) n-grams of
each order, characters first; an order that the reference has no n-gram of has none of the candidate's.

`eps_smoothing` averages the F-scores of all orders instead, where what is undefined or 0 is 1e-16, as
the authors' chrF++.py, NLTK and Moses do; a segment with fewer characters than `char_order` scores
lower then.

Deviations from the paper: white space is left out by default, as in the authors' program. Two texts
without any character in common score 0, also if both are empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.settings import case_setting, normalize_setting, setting
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import Case, Normalize, apply_case

_SMALL = 1e-16


@dataclass(frozen=True)
class ChrF(Metric):
    """Character n-gram F-score.

    >>> round(ChrF().score(["a cat"], references=[["a cat sat"]]).value, 1)
    48.6
    >>> round(ChrF(word_order=2).score(["a cat"], references=[["a cat sat"]]).value, 1)
    53.7
    """

    name: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "character n-grams shared with the references"

    char_order: int = setting(6, key="nc", low=1, high=64, help="longest character n-gram")
    word_order: int = setting(0, key="nw", low=0, high=64, help="longest word n-gram (2: chrF++)")
    beta: int = setting(2, low=1, high=64, help="weight of recall")
    whitespace: bool = setting(False, key="space", help="count white space as characters")
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()
    eps_smoothing: bool = setting(
        False, key="eps", help="average the F-scores of all orders", default_in_signature=False
    )

    @property
    def needs(self) -> frozenset[str]:
        """References."""
        return frozenset({"references"})

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(candidate's, reference's, common) n-grams of each order, of each segment."""
        batch = batch.normalized(self.normalize)
        theirs = batch.references
        if theirs is None:
            raise InputError("expected references, found none")
        candidates = apply_case(batch.systems[system], self.case)
        references = batch.latest(
            ("references", self.case), "", lambda: apply_case(theirs.lines, self.case)
        )
        return _native.chrf_counts(
            (candidates.buffer, candidates.spans, None),
            (references.buffer, references.spans, theirs.groups),
            self.char_order,
            self.word_order,
            float(self.beta),
            self.whitespace,
            self.eps_smoothing,
            batch.threads,
        ).astype(np.float64)

    def corpus_values(self, sums: Floats) -> Floats:
        """chrF of summed statistics."""
        if self.eps_smoothing:
            return 100.0 * _mean_of_orders(sums, self.beta)
        precision, recall = _averages(sums)
        return 100.0 * _f_score(precision, recall, self.beta)

    def parts(self, sums: Floats) -> dict[str, float]:
        """Precision and recall, averaged over the orders that both sides have."""
        precision, recall = _averages(sums)
        return {"precision": 100 * float(precision), "recall": 100 * float(recall)}


def _shares(stats: Floats, absent: float) -> tuple[Floats, Floats]:
    """Precision and recall of each order, `absent` where there is none: [..., 3 N] to two [..., N]."""
    own, other, common = stats[..., 0::3], stats[..., 1::3], stats[..., 2::3]
    precision = np.divide(common, own, out=np.full_like(common, absent), where=own > 0)
    recall = np.divide(common, other, out=np.full_like(common, absent), where=other > 0)
    return precision, recall


def _averages(stats: Floats) -> tuple[Floats, Floats]:
    """Precision and recall averaged over the orders that both sides have; 0 if there is none."""
    known = (stats[..., 0::3] > 0) & (stats[..., 1::3] > 0)
    orders = np.maximum(known.sum(axis=-1), 1)
    precision, recall = _shares(stats, 0.0)
    return (
        np.where(known, precision, 0.0).sum(axis=-1) / orders,
        np.where(known, recall, 0.0).sum(axis=-1) / orders,
    )


def _f_score(precision: Floats, recall: Floats, beta: int) -> Floats:
    """The weighted harmonic mean of two arrays; 0 where both are."""
    divisor = beta**2 * precision + recall
    product = (1 + beta**2) * precision * recall
    return np.divide(product, divisor, out=np.zeros_like(divisor), where=divisor > 0)


def _mean_of_orders(stats: Floats, beta: int) -> Floats:
    """The mean of the F-scores of all orders, where 0 and what is undefined are a small number."""
    precision, recall = _shares(stats, _SMALL)
    undefined = beta**2 * precision + recall == 0
    return np.asarray(np.where(undefined, _SMALL, _f_score(precision, recall, beta)).mean(axis=-1))
