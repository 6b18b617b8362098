"""Spans that would split a word written as one, such as the do of don't.

Penn tokenization splits contractions in two: do n't, it 's, can not. If only one part is replaced, the
other stays attached to the new word (maken't, Itis), and if only one part is taken from an output, it
is half a word (n't, ca). So no substitution starts or ends inside a contraction:

- A span of a reference does not start with n't or an apostrophe, nor end before n't.
- A span of an output does not start with them either, nor end with the stump of a negation (the ca of
  can't); the do of don't is a word.
- Neither splits one of Penn's `COMPOUNDS` (can not, gon na).

A word before 's, 'll, 've and the like may be replaced: a man's house, a person's house. Tokens that
are separate in the text itself (do n't) are treated the same way, so that a text and its tokens are
rewritten alike.
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Bools, Ints
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged

NOT = "n't"
APOSTROPHES = ("'", "\u2019")
STUMPS = ("ai", "ca", "sha", "wo")
COMPOUNDS = (
    ("can", "not"),
    ("d'", "ye"),
    ("gim", "me"),
    ("gon", "na"),
    ("got", "ta"),
    ("lem", "me"),
    ("more", "'n"),
    ("'t", "is"),
    ("'t", "was"),
    ("wan", "na"),
)
PARTS = frozenset(STUMPS).union(*COMPOUNDS)


def starts_inside(word: str) -> bool:
    """Whether a lowercase token is the second part of a contraction.

    >>> [starts_inside(word) for word in ("n't", "'s", "not")]
    [True, True, False]
    """
    return word == NOT or word.startswith(APOSTROPHES)


class Contractions:
    """Finds spans that split a contraction, in texts encoded as numbers of lowercase `words`.

    >>> from paragauge.text.vocabulary import Vocabulary
    >>> vocabulary = Vocabulary()
    >>> text = vocabulary.encode(Lines.of(["they do n't go"]), "none")
    >>> line, position = np.zeros(3, np.int64), np.array([1, 2, 3])
    >>> Contractions(vocabulary.texts()).splits(text, line, position, position).tolist()
    [True, True, False]
    """

    def __init__(self, words: Lines) -> None:
        count = len(words)
        self._inside, self._not, self._stump = np.zeros((3, count), np.bool_)
        # For each compound, which word is its first part and which is its second.
        self._left, self._right = np.zeros((2, len(COMPOUNDS), count), np.bool_)
        for i, word in enumerate(words):
            if starts_inside(word):
                self._inside[i] = True
                self._not[i] = word == NOT
            if word in PARTS:
                self._stump[i] = word in STUMPS
                for row, (left, right) in enumerate(COMPOUNDS):
                    self._left[row, i] = word == left
                    self._right[row, i] = word == right

    def splits(
        self, text: Ragged, line: Ints, first: Ints, last: Ints, *, from_output: bool = False
    ) -> Bools:
        """Whether each span (first to last, of a line) splits a contraction."""
        ids, start = text.ids, text.offsets[line]
        split = self._inside[ids[start + first]]
        rows = np.flatnonzero(first > 0)
        at = (start + first)[rows]
        split[rows] |= self._is_compound(ids[at - 1], ids[at])
        rows = np.flatnonzero(last + 1 < text.offsets[line + 1] - start)
        at = (start + last)[rows]
        before_not = self._not[ids[at + 1]]
        if from_output:
            before_not &= self._stump[ids[at]]
        split[rows] |= before_not | self._is_compound(ids[at], ids[at + 1])
        return np.asarray(split)

    def _is_compound(self, left: Ints, right: Ints) -> Bools:
        return np.asarray((self._left[:, left] & self._right[:, right]).any(axis=0))
