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
    others: Sequence[Sequence[str]],
    shown: Sequence[Sequence[str]],
    roles: Sequence[str],
) -> tuple[MarkedText, ...]:
    """All texts, with equal words linked: the first with the first, the second with the second.

    A word of the candidate is kept if any of the others has it so often. Words are compared as the
    first two arguments have them, and `shown` has them as in the texts: the candidate's, then each
    other text's.

    >>> shown = ["A", "a", "b"], ["a", "c"]
    >>> mine, theirs = mark_equal_words(["a", "a", "b"], [["a", "c"]], shown, ["source"])
    >>> [word.kind for word in mine.words], [word.kind for word in theirs.words]
    (['kept', 'new', 'new'], ['kept', 'missing'])
    """
    places = {key: place for place, key in enumerate(_occurrences(candidate))}
    keys = [_occurrences(other) for other in others]
    anywhere = {key for other in keys for key in other}
    texts = [
        MarkedText(
            "candidate",
            tuple(
                MarkedWord(text, "kept", (place,)) if key in anywhere else MarkedWord(text, "new")
                for (key, place), text in zip(places.items(), shown[0], strict=True)
            ),
        )
    ]
    for role, other, surface in zip(roles, keys, shown[1:], strict=True):
        words = tuple(
            MarkedWord(text, "kept", (places[key],)) if key in places else MarkedWord(text, "missing")
            for key, text in zip(other, surface, strict=True)
        )
        texts.append(MarkedText(role, words))
    return tuple(texts)


def _occurrences(words: Sequence[str]) -> list[tuple[str, int]]:
    """Each word with how often it occurred before."""
    seen: dict[str, int] = {}
    keys = []
    for word in words:
        keys.append((word, seen.get(word, 0)))
        seen[word] = seen.get(word, 0) + 1
    return keys
