"""Alignment error rate, precision, recall and F1 (Och and Ney 2003), over a whole corpus.

With the links A, the sure gold links S and the possible ones P, of which S is a part:

    precision = |A & P| / |A|        recall = |A & S| / |S|
    AER = 1 - (|A & S| + |A & P|) / (|A| + |S|)        F1 = 2 precision recall / (precision + recall)

Counts are summed over all pairs before dividing. Where S = P, AER = 1 - F1. A share of nothing is None.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paragauge.align.gold import GoldAlignment
from paragauge.align.links import Links
from paragauge.align.symmetrization import symmetrize
from paragauge.errors import LengthError
from paragauge.kernels.layout import Ints


@dataclass(frozen=True)
class AlignmentScore:
    """Counts of links, and the scores computed from them.

    >>> score = AlignmentScore(pairs=1, links=4, sure=3, possible=5, sure_found=2, possible_found=3)
    >>> score.precision, score.recall, score.aer
    (0.75, 0.6666666666666666, 0.2857142857142857)
    """

    pairs: int
    links: int
    sure: int
    possible: int
    sure_found: int
    possible_found: int

    @property
    def precision(self) -> float | None:
        """Share of the links that are possible."""
        return _share(self.possible_found, self.links)

    @property
    def recall(self) -> float | None:
        """Share of the sure links that were found."""
        return _share(self.sure_found, self.sure)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall."""
        if self.precision is None or self.recall is None:
            return None
        return _share(2 * self.precision * self.recall, self.precision + self.recall) or 0.0

    @property
    def aer(self) -> float | None:
        """Alignment error rate: the lower the better."""
        share = _share(self.sure_found + self.possible_found, self.links + self.sure)
        return None if share is None else 1 - share


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def alignment_counts(links: Links, gold: GoldAlignment) -> Ints:
    """For each pair |A|, |S|, |P|, |A & S| and |A & P|: int64 [n, 5].

    >>> gold = GoldAlignment(Links.from_lists([[(0, 0)]]), Links.from_lists([[(1, 1)]]))
    >>> alignment_counts(Links.from_lists([[(1, 1), (2, 2)]]), gold).tolist()
    [[2, 1, 2, 0, 1]]
    """
    if len(links) != len(gold):
        raise LengthError(
            f"the alignment has {len(links)} sentence pairs but the gold alignment has {len(gold)}; "
            "expected equally many"
        )
    intersections = [
        symmetrize(links, gold_links, "intersection").lengths
        for gold_links in (gold.sure, gold.possible)
    ]
    return np.stack([links.lengths, gold.sure.lengths, gold.possible.lengths, *intersections], axis=1)


def score_alignment(links: Links, gold: GoldAlignment) -> AlignmentScore:
    """Score an alignment against a gold alignment.

    >>> gold = Links.from_lists([[(0, 0), (1, 1)]])
    >>> score_alignment(Links.from_lists([[(0, 0)]]), GoldAlignment(gold, gold)).recall
    0.5
    """
    counts = alignment_counts(links, gold).sum(axis=0).tolist()
    return AlignmentScore(len(links), *counts)
