"""Cosine of sentence vectors (Reimers and Gurevych 2019).

    cosine = u . v / (|u| |v|)

u and v are the encoder's vectors of the two sentences: with the encoder that ships, the means of its
pieces' vectors in the last layer, as sentence-transformers computes them. Values are times 100; those
of sentences without any relation lie around 0 and may be negative. A fast measure of relatedness rather
than of equal meaning: a sentence and its negation are close.

Segments where one text is empty score 0; where both are, they have no value. With several references a
segment scores the best of them (`several=mean`: their mean). Sources can stand in for references
(`against=sources`). The statistics are (value, 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.metrics.context.pair_vectors import ContextMetric, TextVectors


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
