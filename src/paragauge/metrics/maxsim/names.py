"""Names in a text, recognized by their capital letters, and which of them two texts share.

A *name* is a capitalized word of two or more characters that follows a word or a comma. A capitalized
word elsewhere, as at the beginning of a sentence, may be one: it counts as often as the other text has
it as a name and this one does not. Names are compared letter by letter. In a script without capitals
there are none, and in German all nouns are.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """How often a text has each name, and each word that may be one.

    >>> names = Names.of("On Monday , Ms. Smith said : We met Smith .".split())
    >>> names.certain, names.possible
    (Counter({'Smith': 2, 'Monday': 1, 'Ms.': 1}), Counter({'On': 1, 'We': 1}))
    """

    certain: Counter[str]
    possible: Counter[str]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Names:
        """The names among the tokens of a text."""
        certain: Counter[str] = Counter()
        possible: Counter[str] = Counter()
        for before, token in itertools.pairwise(["", *tokens]):
            if len(token) > 1 and token[0].isupper():
                follows = before == "," or any(map(str.isalnum, before))
                (certain if follows else possible)[token] += 1
        return cls(certain, possible)

    def beside(self, other: Names) -> Counter[str]:
        """The names of this text beside another one.

        >>> first, second = Names.of(["Smith", "spoke"]), Names.of(["then", "Smith", "spoke"])
        >>> first.beside(second), first.beside(first)
        (Counter({'Smith': 1}), Counter())
        """
        return self.certain + (self.possible & (other.certain - self.certain))
