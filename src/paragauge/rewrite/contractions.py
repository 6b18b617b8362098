"""Spans that would cut what is written as one word, such as the do of don't.

Penn tokens cut contractions into two: do n't, it 's, can not. Where only one of them is replaced, the
other one stays glued to the new word (maken't, Itis), and where only one of them is taken from an
output, half a word is (n't, ca). So no substitution starts or ends there:

- A span of a reference does not start with n't or an apostrophe, nor end before n't.
- What is taken from an output does not start with them either, nor end with the stump of a negation
  (the ca of can't); the do of don't is a word.
- Neither cuts one of Penn's `COMPOUNDS` (can not, gon na).

A word before 's, 'll, 've and the like may be replaced: a man's house, a person's house. Tokens that
the text itself has apart (do n't) are treated alike, so that a text and its tokens are rewritten alike.
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
    """Whether a token in lowercase is the end of what is written as one word.

    >>> [starts_inside(word) for word in ("n't", "'s", "not")]
    [True, True, False]
    """
    return word == NOT or word.startswith(APOSTROPHES)


class Contractions:
    """Which spans cut a contraction, in texts that are numbers of `words` in lowercase.

    >>> from paragauge.text.vocabulary import Vocabulary
    >>> vocabulary = Vocabulary()
    >>> text = vocabulary.encode(Lines.of(["they do n't go"]), "none")
    >>> at = Contractions(vocabulary.texts()), np.zeros(3, np.int64), np.array([1, 2, 3])
    >>> at[0].cut(text, at[1], at[2], at[2]).tolist()
    [True, True, False]
    """

    def __init__(self, words: Lines) -> None:
        count = len(words)
        self._inside, self._not, self._stump = np.zeros((3, count), np.bool_)
        # For each compound, which word is its first part, and which its second.
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

    def cut(self, text: Ragged, line: Ints, first: Ints, last: Ints, *, taken: bool = False) -> Bools:
        """Whether each span (first to last, of a line) cuts one; `taken`: from an output."""
        ids, start = text.ids, text.offsets[line]
        found = self._inside[ids[start + first]]
        rows = np.flatnonzero(first > 0)
        at = (start + first)[rows]
        found[rows] |= self._compound(ids[at - 1], ids[at])
        rows = np.flatnonzero(last + 1 < text.offsets[line + 1] - start)
        at = (start + last)[rows]
        glued = self._not[ids[at + 1]]
        if taken:
            glued &= self._stump[ids[at]]
        found[rows] |= glued | self._compound(ids[at], ids[at + 1])
        return np.asarray(found)

    def _compound(self, left: Ints, right: Ints) -> Bools:
        return np.asarray((self._left[:, left] & self._right[:, right]).any(axis=0))
