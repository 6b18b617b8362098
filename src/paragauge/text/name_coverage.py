"""Names that one input has and another one lacks: systems and segments of ratings, texts and scores.

A misspelled name would otherwise drop data without a word. What is missing is an error that counts and
lists it, unless the user allows it; then the same words are a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paragauge.errors import InputError, nearest_name
from paragauge.text.wording import pluralize

SHOWN = 8  # names in a message; the rest is counted
REMEDY = (
    "name them alike, or give --allow-missing (in Python allow_missing=True) to leave them out and "
    "print which they are"
)


def coverage_gaps(
    kind: str, one: Iterable[str], other: Iterable[str], one_place: str, other_place: str
) -> list[str]:
    """What is missing on either side, in words, with suggestions; empty if both have the same names.

    >>> coverage_gaps("system", ["human", "base"], ["base", "humann"], "the ratings", "the files")
    ["1 system of the ratings is not in the files: human (did you mean 'humann'?)",
    '1 system of the files is not in the ratings: humann']
    """
    ones, others = list(dict.fromkeys(one)), list(dict.fromkeys(other))
    lost, extra = (
        [name for name in mine if name not in known]
        for mine, known in ((ones, set(others)), (others, set(ones)))
    )
    gaps = []
    if lost:
        gaps.append(_gap(kind, lost, extra, one_place, other_place))
    if extra:
        gaps.append(_gap(kind, extra, [], other_place, one_place))
    return gaps


def check_gaps(gaps: Sequence[str], *, allow_missing: bool) -> None:
    """Refuse gaps unless they are allowed.

    >>> check_gaps(["1 system of the ratings is not in the files: a"], allow_missing=True)
    """
    if gaps and not allow_missing:
        raise InputError(f"{'; '.join(gaps)}; {REMEDY}")


def list_names(names: Sequence[str]) -> str:
    """Names in a row; runs of numbers are written as ranges, and few of many are shown.

    >>> list_names(["2", "3", "4", "7"]), list_names(["b", "a"])
    ('2 to 4, 7', 'b, a')
    """
    parts: list[str] = []
    if all(name.isascii() and name.isdigit() and len(name) < 16 for name in names):
        numbers = sorted(map(int, names))
        start = 0
        for place in range(1, len(numbers) + 1):
            if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
                first, last = numbers[start], numbers[place - 1]
                parts.append(f"{first}" if first == last else f"{first} to {last}")
                start = place
    else:
        parts = [name[:60] for name in names]
    more = len(parts) - SHOWN
    return ", ".join(parts[:SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _gap(kind: str, names: list[str], alike: list[str], place: str, other_place: str) -> str:
    """That these names of one place are not in another one; suggestions come from `alike`."""
    near = {name: nearest_name(name, alike) for name in names[:SHOWN]}
    hints = [
        f"did you mean '{close}'" + (f" for '{name}'" if len(names) > 1 else "")
        for name, close in near.items()
        if close is not None and not name.isdigit()
    ]
    hint = f" ({', '.join(hints)}?)" if hints else ""
    verb = "is" if len(names) == 1 else "are"
    return (
        f"{pluralize(len(names), kind)} of {place} {verb} not in {other_place}: "
        f"{list_names(names)}{hint}"
    )
