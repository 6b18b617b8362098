"""The words of the texts of an explanation, each with what the metric makes of it.

A mark has a kind and the groups that its word belongs to; words of both texts with a group in common
are linked. Pages color by the kind and light up a group when one points at one of its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# kept: in both texts; similar: matched with another word; moved: in both, in another place;
# new: in the candidate alone; missing: in the other text alone; plain: not compared.
MarkKind = Literal["kept", "similar", "moved", "new", "missing", "plain"]


@dataclass(frozen=True)
class MarkedWord:
    """A word, its kind, and the numbers of its groups.

    >>> MarkedWord("dog", "kept", (3,)).note
    ''
    """

    text: str
    kind: MarkKind
    groups: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class MarkedText:
    """A text by its role: candidate, reference, source."""

    role: str
    words: tuple[MarkedWord, ...]


def mark_equal_words(
    candidate: Sequence[str],
    other: Sequence[str],
    shown: tuple[Sequence[str], Sequence[str]],
    role: str,
) -> tuple[MarkedText, MarkedText]:
    """Both texts, with equal words linked: the first with the first, the second with the second.

    Words are compared as the first two have them, and `shown` as in the texts.

    >>> shown = ["A", "a", "b"], ["a", "c"]
    >>> mine, theirs = mark_equal_words(["a", "a", "b"], ["a", "c"], shown, "source")
    >>> [word.kind for word in mine.words], [word.kind for word in theirs.words]
    (['kept', 'new', 'new'], ['kept', 'missing'])
    """
    places: dict[str, list[int]] = {}
    for place, word in enumerate(other):
        places.setdefault(word, []).append(place)
    taken: dict[int, int] = {}
    mine = []
    for number, (word, text) in enumerate(zip(candidate, shown[0], strict=True)):
        free = places.get(word)
        if free:
            taken[free.pop(0)] = number
            mine.append(MarkedWord(text, "kept", (number,)))
        else:
            mine.append(MarkedWord(text, "new"))
    theirs = [
        MarkedWord(text, "kept", (taken[place],)) if place in taken else MarkedWord(text, "missing")
        for place, text in enumerate(shown[1])
    ]
    return MarkedText("candidate", tuple(mine)), MarkedText(role, tuple(theirs))
