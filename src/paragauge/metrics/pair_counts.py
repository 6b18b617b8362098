"""N-grams of one candidate against its own references or sources, for scores of single pairs."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.kernels import _native
from paragauge.text.tokenizers import Case, Tokenizer

# NumPy adds up to seven numbers from left to right, as a loop does, and more of them in eight lanes:
# longer n-grams go the way of batches, so that scores are the same bit for bit.
MOST_SUMMED = 7


def lowercase_pair(
    candidate: str, others: str | Sequence[str] | None
) -> tuple[str, str | Sequence[str] | None]:
    """Both sides in lower case.

    >>> lowercase_pair("A", ["B"])
    ('a', ['b'])
    """
    if others is None or isinstance(others, str):
        return candidate.lower(), others and others.lower()
    return candidate.lower(), [text.lower() for text in others]


def pair_counts(
    candidate: str,
    others: str | Sequence[str] | None,
    tokenize: Tokenizer,
    case: Case,
    order: int,
) -> tuple[list[int], list[int]] | None:
    """Tokens of the candidate and of each other text, and n-grams matched and all, of orders 1 to N.

    None if the way of batches is needed: for long n-grams, and for texts that it refuses.

    >>> pair_counts("a b", ["a c", "a"], "13a", "mixed", 2)
    ([2, 2, 1], [1, 0, 2, 1])
    """
    if order > MOST_SUMMED:
        return None
    try:
        if case == "lower":
            candidate, others = lowercase_pair(candidate, others)
        return _native.match_pair(candidate, others, tokenize, order, "clip", True)
    except (TypeError, AttributeError):
        return None


def both_sides(one: str | Sequence[str] | None, other: str | Sequence[str] | None) -> list[str] | None:
    """The texts of both sides as one list; None if one of them has none.

    >>> both_sides("a", ["b", "c"]), both_sides(None, "a")
    (['a', 'b', 'c'], None)
    """
    sides = [[side] if isinstance(side, str) else side for side in (one, other)]
    if not all(isinstance(side, (list, tuple)) and side for side in sides):
        return None
    return [text for side in sides for text in side or ()]
