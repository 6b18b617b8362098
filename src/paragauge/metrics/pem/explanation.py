"""What an explanation of a PEM score holds (Liu, Dahlmeier and Ng 2010; see `metric.py`).

For each pivot language the two sentences as confusion networks, and what their bags of pivot n-grams
share; the same for the sentences' own n-grams; each token's probability; and what every feature does
to the prediction. The weights of two bags make precision, recall and F1:

    shared = sum of min(weight in the source, weight in the candidate)
    precision = shared / candidate,  recall = shared / source,  F1 = 2 shared / (candidate + source)

With several pivot languages the metric's pivot F1 is the mean over them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paragauge.metrics.pem.explanation_text import as_text

FLOOR = -700.0  # of ln P per token; exp(700) is near the largest float


@dataclass(frozen=True)
class Gram:
    """An n-gram and its weight in both bags, 0 where it is not.

    >>> Gram("la réunion", 0.8, 0.5).shared
    0.5
    """

    text: str
    source: float
    candidate: float

    @property
    def shared(self) -> float:
        """The weight that both have."""
        return min(self.source, self.candidate)

    @property
    def order(self) -> int:
        """The number of words."""
        return self.text.count(" ") + 1


@dataclass(frozen=True)
class Overlap:
    """Two bags: n-grams of both, those that were lost (source only) and added (candidate only).

    Each is sorted by weight. The sums are those that the metric computes with.
    """

    shared: tuple[Gram, ...]
    lost: tuple[Gram, ...]
    added: tuple[Gram, ...]
    shared_weight: float
    source_weight: float
    candidate_weight: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Edge:
    """A translation of a phrase and its probability."""

    text: str
    probability: float


@dataclass(frozen=True)
class Phrase:
    """A phrase of a segmentation with its edges; one that is not `known` passes through as it is.

    `surface` has its words as the sentence has them, `text` as the model has them: in lower case, as
    stems.
    """

    text: str
    known: bool
    edges: tuple[Edge, ...]
    surface: str


@dataclass(frozen=True)
class PivotView:
    """Two sentences in a pivot language: their networks, and what their bags share."""

    language: str
    source: tuple[Phrase, ...]
    candidate: tuple[Phrase, ...]
    overlap: Overlap


@dataclass(frozen=True)
class Token:
    """A token of the candidate: log10 of its probability, and the length of the n-gram that gave it.

    `possible` is the length that the words before it allow: where `matched` is less, the model has
    not seen the words together and backs off. `surface` and `text` are as in `Phrase`.
    """

    text: str
    surface: str
    log10: float
    matched: int
    possible: int
    unknown: bool


@dataclass(frozen=True)
class Fluency:
    """The candidate in the language model; `value` is ln Pr(S) by the number of tokens."""

    value: float
    log10: float
    tokens: tuple[Token, ...]

    @property
    def unknown(self) -> int:
        """How many tokens the model does not have."""
        return sum(token.unknown for token in self.tokens)

    @property
    def perplexity(self) -> float:
        """Perplexity, exp(-value): from how many tokens the model seems to choose each time."""
        return math.exp(-self.value) if self.value > FLOOR else math.inf


@dataclass(frozen=True)
class Influence:
    """How the rating changes with what is known of some features.

    `change` is the rating that is predicted, minus the one predicted if these features had their mean
    in training and the others stayed as they are. It describes the regression, not a cause: changes
    do not add up to the rating, and of features that go together each alone may seem to do little.
    """

    name: str
    features: tuple[str, ...]
    change: float


@dataclass(frozen=True)
class Feature:
    """A feature: its value, mean and standard deviation in training, and its influence alone."""

    name: str
    value: float
    mean: float
    deviation: float
    change: float

    @property
    def standard(self) -> float:
        """How many standard deviations the value is above the mean."""
        return (self.value - self.mean) / self.deviation


@dataclass(frozen=True)
class PEMExplanation:
    """How the score of a source and a candidate comes about; `print` shows it, as text in columns.

    `value` is the metric's, from 0 to 100; `rating` the same on the `scale` of the ratings, and
    `usual` the rating predicted if all features had their mean in training. `source` and `candidate`
    are the words as the model has them, in lower case or as stems; those of `surface` as the text has
    them.
    """

    metric: str
    value: float
    rating: float
    usual: float
    scale: tuple[float, float]
    signature: str
    source_text: str
    candidate_text: str
    source: tuple[str, ...]
    candidate: tuple[str, ...]
    source_surface: tuple[str, ...]
    candidate_surface: tuple[str, ...]
    parts: Mapping[str, float]
    pivots: tuple[PivotView, ...]
    target: Overlap
    fluency: Fluency
    features: tuple[Feature, ...]
    influences: tuple[Influence, ...]

    def __str__(self) -> str:
        return as_text(self)

    @property
    def in_points(self) -> bool:
        """Whether the ratings are from 0 to 100 as the score is, so that points say nothing more."""
        return self.scale == (0.0, 100.0)

    def points(self, change: float) -> float:
        """A change of the rating on the scale from 0 to 100."""
        low, high = self.scale
        return 100.0 * change / (high - low)

    def record(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        found = dataclasses.asdict(self)
        found["scale"] = list(self.scale)
        pairs = [(self.target, found["target"])]
        pairs += [
            (mine.overlap, each["overlap"])
            for mine, each in zip(self.pivots, found["pivots"], strict=True)
        ]
        for overlap, each in pairs:
            for gram, record in zip(overlap.shared, each["shared"], strict=True):
                record["shared"] = gram.shared
        for influence in [*found["features"], *found["influences"]]:
            influence["points"] = self.points(influence["change"])
        return found
