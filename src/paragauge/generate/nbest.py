"""N-best lists in columns: the best paraphrases of each sentence, with their feature values.

Models are linear: the score of a hypothesis is the sum of weight times value over its features, so
lists can be rescored under other weights without the decoder. Features are named, and in the order of
the decoder's weights. Costs are negative and logarithms natural, as in Moses.

The hypotheses of a sentence are in the order of their scores, the best first; decoders put equal ones
in the order of their texts' bytes. No text appears twice in the list of a sentence: the better
derivation is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paragauge.errors import LengthError, SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.text.lines import Lines

LONGEST_LIST = 100_000


def check_size(size: int) -> None:
    """Reject a size of n-best lists that decoders do not support.

    >>> check_size(0)
    Traceback (most recent call last):
    paragauge.errors.SettingError: size of n-best lists: expected a whole number from 1 to 100000,
    found 0
    """
    if not isinstance(size, int | np.integer) or not 1 <= size <= LONGEST_LIST:
        raise SettingError(
            f"size of n-best lists: expected a whole number from 1 to {LONGEST_LIST}, found {size}"
        )


@dataclass(frozen=True)
class Hypothesis:
    """One paraphrase of one sentence."""

    text: str
    score: float
    features: dict[str, float]


@dataclass(frozen=True, eq=False)
class NBest:
    """The lists of some sentences.

    >>> lists = NBest(("lm", "words"), Lines.of(["a b", "a"]), np.array([0, 2]),
    ...               np.array([[-1.0, -2.0], [-2.0, -1.0]]), np.array([-3.0, -3.5]))
    >>> len(lists), [hypothesis.text for hypothesis in lists[0]]
    (1, ['a b', 'a'])
    >>> lists.best()[0], lists.rescore(np.array([0.0, 1.0])).best()[0]
    ('a b', 'a')
    """

    names: tuple[str, ...]  # of the features
    texts: Lines  # tokens separated by one space; the hypotheses of all sentences in turn
    offsets: Ints  # [sentences + 1] into texts
    features: Floats  # [hypotheses, features]
    scores: Floats  # [hypotheses]

    def __post_init__(self) -> None:
        count = len(self.texts)
        if self.features.shape != (count, len(self.names)) or len(self.scores) != count:
            raise LengthError(
                f"n-best lists: expected features [{count}, {len(self.names)}] and {count} scores, "
                f"found {list(self.features.shape)} and {len(self.scores)}"
            )

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> list[Hypothesis]:
        """The hypotheses of one sentence, the best first; -1 is the last sentence."""
        if not -len(self) <= sentence < len(self):
            raise IndexError(f"expected a sentence below {len(self)}, found {sentence}")
        sentence %= len(self)
        first, last = self.offsets[sentence : sentence + 2].tolist()
        return [
            Hypothesis(
                self.texts[row],
                float(self.scores[row]),
                dict(zip(self.names, self.features[row].tolist(), strict=True)),
            )
            for row in range(first, last)
        ]

    def __iter__(self) -> Iterator[list[Hypothesis]]:
        return (self[sentence] for sentence in range(len(self)))

    def best(self) -> list[str]:
        """The best text of each sentence, or an empty text if there is none."""
        bounds = zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)
        return [self.texts[first] if first < last else "" for first, last in bounds]

    def rescore(self, weights: Floats) -> NBest:
        """The same hypotheses under other weights, each list in its new order."""
        scores = self.features @ np.asarray(weights, np.float64)
        sentence = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        order = np.lexsort((np.arange(len(scores)), -scores, sentence))
        texts = Lines(self.texts.buffer, np.ascontiguousarray(self.texts.spans[order]))
        return NBest(self.names, texts, self.offsets, self.features[order], scores[order])
