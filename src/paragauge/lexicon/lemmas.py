"""A growing numbering of lemmas, with facts about each from a lexicon.

Kernels compare numbers. For each lemma the table stores its text, whether it has a letter or a digit,
and the set of numbers that represents its synonyms (see `WordNet.synonym_sets`). Facts are looked up
once, when they are first needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.lexicon.wordnet import WordNet
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.vocabulary import Vocabulary

SynonymChoice = Literal["shared", "synset", "forms", "none"]


class LemmaTable:
    """Lemmas by number.

    >>> table = LemmaTable(WordNet.default(), "shared")
    >>> table.encode(Lines.of(["big dog", "large dog !"])).to_lists()
    [[0, 1], [2, 1, 3]]
    >>> table.alphanumeric.tolist()
    [True, True, True, False]
    """

    def __init__(self, wordnet: WordNet, synonyms: SynonymChoice) -> None:
        self._wordnet = wordnet
        self._synonyms = synonyms
        self._vocabulary = Vocabulary()
        self._alphanumeric = np.zeros(0, np.bool_)
        self._sets = Ragged.from_lists([])
        self._texts = Lines.of([])

    def __len__(self) -> int:
        return len(self._vocabulary)

    def encode(self, lines: Lines, threads: int = 0) -> Ragged:
        """Numbers of the lemmas of each line, separated by spaces; new ones join the table."""
        return self._vocabulary.encode(lines, "none", threads=threads)

    def numbers(self, lemmas: Iterable[str]) -> list[int]:
        """Numbers of lemmas, which may have spaces inside; new ones join the table.

        >>> LemmaTable(WordNet.default(), "none").numbers(["ice cream", "cone"])
        [0, 1]
        """
        return [self._vocabulary.add(lemma) for lemma in lemmas]

    def lemma(self, number: int) -> str:
        """The lemma with this number."""
        return self._vocabulary.token(number)

    @property
    def alphanumeric(self) -> NDArray[np.bool_]:
        """Whether each lemma has a letter or a digit of any script, bool [lemmas]."""
        self._look_up()
        return self._alphanumeric

    @property
    def sets(self) -> Ragged:
        """The set of numbers of each lemma; two lemmas are synonyms if their sets intersect."""
        self._look_up()
        return self._sets

    def synonyms(self, a: int, b: int) -> bool:
        """Whether the sets of two lemmas intersect.

        >>> table = LemmaTable(WordNet.default(), "shared")
        >>> big, large, of = table.numbers(["big", "large", "of"])
        >>> table.synonyms(big, large), table.synonyms(of, of)
        (True, False)
        """
        sets, bounds = self.sets.ids, self.sets.offsets
        left, right = (sets[bounds[number] : bounds[number + 1]].tolist() for number in (a, b))
        return not set(left).isdisjoint(right)

    @property
    def texts(self) -> Lines:
        """Each lemma, one per line."""
        self._look_up()
        return self._texts

    def _look_up(self) -> None:
        """Look up the facts of lemmas added since the last call."""
        known = len(self._alphanumeric)
        if known == len(self):
            return
        lines = self._vocabulary.texts(known)
        letters = _are_alphanumeric(lines)
        self._alphanumeric = np.concatenate([self._alphanumeric, letters])
        shift = len(self._texts.buffer)
        self._texts = Lines(
            np.concatenate([self._texts.buffer, lines.buffer]),
            np.concatenate([self._texts.spans, lines.spans + shift]),
        )
        if self._synonyms == "none":
            sets = Ragged(np.zeros(0, np.int32), np.zeros(len(lines) + 1, np.int64))
        else:
            sets = self._wordnet.synonym_sets(lines, self._synonyms)
        members = len(self._sets.ids)
        self._sets = Ragged(
            np.concatenate([self._sets.ids, sets.ids]),
            np.concatenate([self._sets.offsets, sets.offsets[1:] + members]),
        )


# Whether each byte is a letter or a digit of ASCII.
_ASCII_ALPHANUMERIC = np.array([byte < 128 and chr(byte).isalnum() for byte in range(256)])


def _are_alphanumeric(lines: Lines) -> NDArray[np.bool_]:
    """Whether each line has a letter or a digit; Python looks at those without one of ASCII."""
    before = np.concatenate([[0], np.cumsum(_ASCII_ALPHANUMERIC[lines.buffer])])
    found = before[lines.spans[:, 1]] > before[lines.spans[:, 0]]
    for number in np.flatnonzero(~found).tolist():
        found[number] = any(map(str.isalnum, lines[number]))
    return np.asarray(found)
