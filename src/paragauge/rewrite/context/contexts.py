"""What counts as the context of a word, and which words can occur in similar contexts.

Kauchak and Barzilay (2006, section 3) describe the context of a word by n-grams, sequences of adjacent
words of its sentence, and by local collocations: n-grams of one to four words between two words before
and two words after it, each with its length and start. Neither contains the word itself.
`kernels/reference/rewrite/context/contexts.py` defines exactly what is hashed.

The paper's text allows two readings of n-grams. Either only collocations "take into account the
position of an n-gram with respect to the target word", and an n-gram counts wherever it stands
(`positions=False`); or n-grams have a position too, which the paper does not define. Here it is then
exact (`reach=0`), or exact up to `reach` words away and equal beyond that; with `reach=1`, the default,
only the side counts. `benchmarks/papers/swords.py --readings` finds no difference between the two
readings, on held-out text (89.9 and 90.0 % correct) or on human judgments; sides are the default
because an explanation can then say where the evidence stands. N-grams count within `window` words, so
that a context has a limited number of features however long its line is. No other shape that the
benchmark tries beats the default on held-out text by a tenth of a point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError
from paragauge.lexicon.wordnet import WordNet

MOST_ORDER = 4
MOST_WINDOW = 1000
NOUN, NOUNS, VERB, VERB_S, VERB_ING, VERB_PAST, ADJECTIVE, ADVERB = (1 << bit for bit in range(8))


@dataclass(frozen=True)
class ContextShape:
    """Which features of a context count.

    >>> ContextShape(order=5)
    Traceback (most recent call last):
    paragauge.errors.SettingError: order: expected a whole number from 0 to 4, found 5
    """

    order: int = 1
    window: int = 5
    reach: int = 1
    collocations: bool = True
    positions: bool = True

    def __post_init__(self) -> None:
        bounds = {"order": (0, MOST_ORDER), "window": (1, MOST_WINDOW), "reach": (0, MOST_WINDOW)}
        for name, (least, most) in bounds.items():
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= most:
                raise SettingError(
                    f"{name}: expected a whole number from {least} to {most:,}, found {value!r}"
                )
        if self.order == 0 and not self.collocations:
            raise SettingError("order: expected 1 or more if collocations do not count, found 0")
        if not self.positions and self.reach != type(self).reach:
            raise SettingError(
                f"reach: expected {type(self).reach} if n-grams have no positions, found {self.reach}; "
                "leave one of the two settings out"
            )

    @property
    def native(self) -> tuple[int, int, int, bool, bool]:
        """The shape in the form that kernels take."""
        return self.order, self.window, self.reach, self.collocations, self.positions

    @property
    def fingerprint(self) -> str:
        """The shape as it counts for a model's name, which does not name what is as it always was.

        >>> ContextShape().fingerprint
        'ContextShape(order=1, window=5, reach=1, collocations=True)'
        """
        return repr(self).replace(", positions=True", "")


def word_classes(words: list[str], wordnet: WordNet | None = None) -> NDArray[np.uint8]:
    """The set of classes of each lowercase word, one bit per class; 0 if WordNet does not know it.

    Classes are nouns, plural nouns, base forms, -s forms, -ing forms and past forms of verbs,
    adjectives, and adverbs, by the base forms that WordNet gives.

    >>> bits = word_classes(["walks", "walked", "the", "good"]).tolist()
    >>> bits[0] == NOUNS | VERB_S, bits[1] == VERB_PAST, bits[2]
    (True, True, 0)
    """
    net = WordNet.default() if wordnet is None else wordnet
    return np.array([_word_class(word, net) for word in words], np.uint8)


def _word_class(word: str, net: WordNet) -> int:
    if not any(map(str.isalpha, word)):
        return 0
    classes = 0
    if (base := net.morphy(word, "n")) is not None:
        classes |= NOUN if base == word else NOUNS
    if (base := net.morphy(word, "v")) is not None:
        if base == word:
            classes |= VERB
        elif word.endswith("ing"):
            classes |= VERB_ING
        else:
            classes |= VERB_S if word.endswith("s") else VERB_PAST
    if net.morphy(word, "a") is not None:
        classes |= ADJECTIVE
    if net.morphy(word, "r") is not None:
        classes |= ADVERB
    return classes
