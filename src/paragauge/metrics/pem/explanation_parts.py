"""The parts of the explanation of a PEM score (Liu, Dahlmeier and Ng 2010; see `metric.py`).

For each pivot language: the two sentences as confusion networks, and what their bags of pivot n-grams
share; the same for the sentences' own n-grams; the probability of each token; and the effect of every
feature on the prediction. The weights of two bags give precision, recall and F1:

    shared = sum of min(weight in the source, weight in the candidate)
    precision = shared / candidate,  recall = shared / source,  F1 = 2 shared / (candidate + source)

With several pivot languages the metric's pivot F1 is the mean over them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

FLOOR = -700.0  # of ln P per token; exp(700) is near the largest float


@dataclass(frozen=True)
class Gram:
    """An n-gram and its weight in both bags, 0 in a bag without it.

    `surface` has its words as they are in the sentence that has it first, if these differ.

    >>> Gram("la réunion", 0.8, 0.5).shared
    0.5
    """

    text: str
    source: float
    candidate: float
    surface: str = ""

    @property
    def shown(self) -> str:
        """The words as they are in the sentence, where the model has stems."""
        return self.surface or self.text

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

    Each is sorted by weight. The sums are those that the metric uses.
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
class Summary:
    """The explanation in two sentences: what changed most, and what that means for the score.

    `kind` is the kind of the change, such as opposite or number (see `change_summary`).
    """

    kind: str
    change: str
    score: str


@dataclass(frozen=True)
class AdequacyView:
    """The learned adequacy, and what it is made of (see `adequacy_model.py`), all from 0 to 100."""

    value: float
    rating: float
    similarity: float
    change: float
    reversal: float


@dataclass(frozen=True)
class Edge:
    """A translation of a phrase and its probability."""

    text: str
    probability: float


@dataclass(frozen=True)
class Phrase:
    """A phrase of a segmentation with its edges; one that is not `known` passes through as it is.

    `surface` has its words as they are in the sentence, `text` as they are in the model: lowercase,
    stemmed.
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

    `possible` is the length that the words before it allow; if `matched` is less, the model has not
    seen the words together and backs off. `surface` and `text` are as in `Phrase`.
    """

    text: str
    surface: str
    log10: float
    matched: int
    possible: int
    unknown: bool


@dataclass(frozen=True)
class FluencyView:
    """The candidate in the language model; `value` is ln Pr(S) / number of tokens."""

    value: float
    log10: float
    tokens: tuple[Token, ...]

    @property
    def unknown(self) -> int:
        """How many tokens are unknown to the model."""
        return sum(token.unknown for token in self.tokens)

    @property
    def perplexity(self) -> float:
        """Perplexity, exp(-value): how many tokens the model seems to choose from at each position."""
        return math.exp(-self.value) if self.value > FLOOR else math.inf


@dataclass(frozen=True)
class Influence:
    """The effect of some features on the predicted rating.

    `change` is the predicted rating minus the one predicted if these features had their mean in
    training and the others stayed as they are. It describes the regression, not a cause: changes do
    not add up to the rating, and each of several correlated features alone may seem to do little.
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
