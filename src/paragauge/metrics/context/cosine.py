"""Cosine of sentence vectors (Reimers and Gurevych 2019).

    cosine = u . v / (|u| |v|)

u and v are the encoder's vectors of the two sentences: with the encoder that ships, the means of its
pieces' vectors in the last layer, as sentence-transformers computes them. Values are times 100; those
of sentences without any relation lie around 0 and may be negative. A fast measure of relatedness rather
than of equal meaning: a sentence and its negation are close.

Segments where one text is empty score 0; where both are, they have no value. With several references a
segment scores the best of them (`several=mean`: their mean). Sources can stand in for references
(`against=sources`). The statistics are (value, 1).

If u is the mean of the vectors x_1 ... x_m of the candidate's pieces in the last layer, and v that of
y_1 ... y_n, the cosine is a sum over pairs of pieces,

    cosine = sum over i, j of x_i . y_j / (m n |u| |v|)

and `explain` gives each pair of words its part of that sum. This is exact for pooling by the mean. For
another pooling there is no such sum, and `explain` has the value only; vectors that are kept in half
precision leave a remainder, which is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.metrics.context.explanation import ContextExplanation, Term, WordPair
from paragauge.metrics.context.pair_vectors import ContextMetric, ExplainedPair, TextVectors

# How far half precision may move an element of a vector of length 1.
TOLERANCE = 2e-3


@dataclass(frozen=True)
class Cosine(ContextMetric):
    """Similarity of sentence vectors.

    >>> cosine = Cosine()
    >>> close = cosine.segments(["A man plays guitar."], references=["Someone is playing a guitar."])
    >>> far = cosine.segments(["A man plays guitar."], references=["The price of oil fell again."])
    >>> float(close[0]) > 70 > 20 > float(far[0])
    True
    """

    name: ClassVar[str] = "cosine"
    summary: ClassVar[str] = "similarity of sentence vectors (needs an encoder)"

    @property
    def used_layers(self) -> tuple[int, ...]:
        """None: the sentence's vector is enough."""
        return ()

    def compare(self, candidate: TextVectors, other: TextVectors) -> Sequence[float]:
        """The product of the vectors by their lengths, which rounding has moved away from 1."""
        mine, theirs = (text.sentence.astype(np.float64) for text in (candidate, other))
        return [float(mine @ theirs / np.sqrt((mine @ mine) * (theirs @ theirs)))]

    def explain(self, candidate: str, other: str) -> ContextExplanation:
        """What each word, and each pair of words, adds to the cosine.

        `other` is the reference, or the source with `against="sources"`.

        >>> explanation = Cosine().explain("A big dog", "The large dog")
        >>> explanation.pair_text(explanation.pairs[0])
        ('big', 'large')
        >>> abs(sum(term.adds for term in explanation.terms) - explanation.value) < 1e-9
        True
        """
        pair = self.read_pair(candidate, other, [self.load_encoder().layers[-1]])
        note = pair.note
        pairs: tuple[WordPair, ...] = ()
        if not note and not (_is_mean(pair.mine) and _is_mean(pair.theirs)):
            note = (
                f"The sentence vectors of encoder {self.encoder} are not the means of their pieces' "
                "vectors, so only the value can be shown."
            )
        elif not note:
            pairs = _word_pairs(pair)
        return ContextExplanation(
            self.name,
            pair.value,
            self.signature,
            pair.texts,
            pair.candidate,
            pair.other,
            _terms(pair.value, pairs),
            pairs=pairs,
            note=note,
        )


def _is_mean(text: TextVectors) -> bool:
    """Whether the sentence's vector is the mean of its pieces' vectors, but for half precision."""
    mean = text.vectors[0].astype(np.float64).mean(axis=0)
    return bool(np.abs(mean / np.linalg.norm(mean) - text.sentence).max() < TOLERANCE)


def _word_pairs(pair: ExplainedPair) -> tuple[WordPair, ...]:
    """All pairs of words, those that add most first; then those with special pieces."""
    mine, theirs = (text.vectors[0].astype(np.float64) for text in (pair.mine, pair.theirs))
    lengths = np.linalg.norm(mine.mean(axis=0)) * np.linalg.norm(theirs.mean(axis=0))
    products = 100 * (mine @ theirs.T) / (len(mine) * len(theirs) * lengths)
    sums: dict[tuple[int | None, int | None], float] = {}
    for row, ours in zip(products, pair.candidate.pieces, strict=True):
        for product, other in zip(row, pair.other.pieces, strict=True):
            words = ours.word, other.word
            sums[words] = sums.get(words, 0.0) + float(product)
    ordered = sorted(sums.items(), key=lambda entry: (None in entry[0], -abs(entry[1])))
    return tuple(WordPair(*words, adds) for words, adds in ordered)


def _terms(value: float | None, pairs: Sequence[WordPair]) -> tuple[Term, ...]:
    """Words with words, pairs with a special piece, and what rounding leaves."""
    if value is None or not pairs:
        return ()
    both, special = (
        sum(pair.adds for pair in pairs if (None in (pair.candidate, pair.other)) == with_special)
        for with_special in (False, True)
    )
    return (
        Term("words", both, 1.0, "pairs of words"),
        Term("special", special, 1.0, "pairs with a special piece at the start or end"),
        Term("rounding", value - both - special, 1.0, "vectors are kept in half precision"),
    )
