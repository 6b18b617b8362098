"""Why a word has its score in a context: the features for and against it.

A hash does not reveal its feature, so the features of the context are computed again, as words.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from paragauge.kernels import _native
from paragauge.rewrite.context.context_file import Classifiers
from paragauge.rewrite.context.contexts import ContextShape
from paragauge.text.lines import Lines

NEAR, SIDES, ANYWHERE = "next to it", ("left", "right"), "on either side"
OUTSIDE = ("<s>", "</s>")
FAR = ("two places left", "two places right")  # for collocations of one word, C(-2,-2) and C(2,2)


@dataclass(frozen=True)
class ContextReason:
    """A feature that is evidence for a word (weight above 0) or against it."""

    place: str
    words: str
    weight: float


@dataclass(frozen=True)
class ContextExplanation:
    """Why a word has its score in a context: bias + weights + comparison - threshold.

    The comparison is with the word that is replaced.
    """

    word: str
    score: float
    bias: float
    comparison: float
    threshold: float
    reasons: tuple[ContextReason, ...]
    replaced: str = ""

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """The bias, and the comparison if the decision has one."""
        compared = (f"compared with {self.replaced}", self.comparison)
        return (("bias", self.bias), *([compared] if self.comparison else []))


def context_reasons(
    classifiers: Classifiers, shape: ContextShape, row: int, tokens: str, position: int
) -> tuple[ContextReason, ...]:
    """The features at a position of a sentence that the classifier in `row` uses, strongest first."""
    line, zero, place = Lines.of([tokens]), np.zeros(1, np.int64), np.array([position], np.int64)
    hashes, offsets = _native.hash_words(line.buffer, line.spans, 1)
    features, places, _ = _native.context_features(hashes, offsets, zero, place, shape.native)
    first, last = classifiers.offsets[row : row + 2].tolist()
    own, scale = classifiers.features[first:last], float(classifiers.scales[row])
    words = tokens.split(" ")
    starts = _feature_starts(shape, position, len(words))
    seen: set[int] = set()
    # At the ends of a sentence several features have the same text; their weights add up.
    weights: dict[tuple[str, str], float] = {}
    for feature, (kind, length, _), start in zip(
        features.tolist(), places.tolist(), starts, strict=True
    ):
        at = int(np.searchsorted(own, feature))
        if at == len(own) or own[at] != feature:
            continue
        far = kind == 1 and length == 1 and abs(start - position) == 2
        near = kind == 1 and not far
        where = NEAR if near else (FAR if far else SIDES)[start > position]
        if kind == 0 and not shape.positions:
            where = ANYWHERE
        text = _feature_text(words, position, start, length, collocation=near)
        if feature not in seen:
            seen.add(feature)
            weight = float(classifiers.weights[first + at]) * scale
            weights[where, text] = weights.get((where, text), 0.0) + weight
    reasons = (ContextReason(*place, weight) for place, weight in weights.items())
    return tuple(sorted(reasons, key=lambda reason: -abs(reason.weight)))


def _feature_starts(shape: ContextShape, position: int, length: int) -> list[int]:
    """The token at which each feature of a place starts, in the kernel's order."""
    first, last = max(0, position - shape.window), min(length, position + shape.window + 1)
    starts = [
        i
        for i in range(first, last)
        for size in range(1, shape.order + 1)
        if i != position and i + size <= (position if i < position else last)
    ]
    if shape.collocations:
        starts += [position + o for i, o in enumerate((-2, -1, 1, 2)) for _ in range(4 - i)]
    return starts


def _feature_text(
    words: list[str], position: int, start: int, length: int, *, collocation: bool
) -> str:
    """The words of a feature, with `_` for the replaced word and one mark for each sentence end."""
    text: list[str] = []
    at = start
    while len(text) - text.count("_") < length:
        if at == position and collocation:
            text.append("_")
        else:
            text.append(OUTSIDE[0] if at < 0 else OUTSIDE[1] if at >= len(words) else words[at])
        at += 1
    if collocation and "_" not in text:
        text = ["_", *text] if start > position else [*text, "_"]
    pairs = itertools.pairwise(["", *text])
    return " ".join(word for before, word in pairs if word != before or word not in OUTSIDE)
