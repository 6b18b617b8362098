"""What TER counts in one segment: shifts of words, then insertions, deletions and substitutions.

The shifts come first, one after the other; the steps then go from left to right through the words that
the shifts left and the words of the reference. Positions count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paragauge.kernels.layout import Bytes, Ints

Edit = Literal["match", "substitute", "insert", "delete"]
_EDITS: tuple[Edit, ...] = ("match", "substitute", "insert", "delete")


@dataclass(frozen=True)
class Shift:
    """`words` move from position `start` to `target`.

    `start` is where the first of them stands after earlier shifts, `target` where it stands after this
    one. `positions` are those of the words in the candidate before any shift.
    """

    words: tuple[str, ...]
    start: int
    target: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One step from left to right; a side that has no part in it is None.

    An insertion adds a word of the reference, a deletion removes one of the candidate. `candidate` is
    a position before any shift.
    """

    edit: Edit
    candidate: int | None
    reference: int | None


@dataclass(frozen=True)
class TEREdits:
    """The edits that turn a candidate into one of its references."""

    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    reference_number: int  # which of the references, from 0
    shifts: tuple[Shift, ...]
    steps: tuple[Step, ...]

    @property
    def count(self) -> int:
        """How many edits there are, shifts included."""
        return len(self.shifts) + sum(step.edit != "match" for step in self.steps)

    def count_of(self, edit: Edit) -> int:
        """How many of the steps are of one kind."""
        return sum(step.edit == edit for step in self.steps)


def describe_edits(
    candidate: tuple[str, ...],
    reference: tuple[str, ...],
    number: int,
    shifts: Ints,
    steps: Bytes,
) -> TEREdits:
    """The edits that the kernel `ter_edits` found, with words and with positions in the candidate.

    >>> import numpy as np
    >>> shifts, steps = np.array([[0, 1, 1]]), np.array([0, 0, 2], np.uint8)
    >>> edits = describe_edits(("b", "a"), ("a", "b", "c"), 0, shifts, steps)
    >>> edits.shifts
    (Shift(words=('b',), start=0, target=1, positions=(0,)),)
    >>> [(step.edit, step.candidate, step.reference) for step in edits.steps]
    [('match', 1, 0), ('match', 0, 1), ('insert', None, 2)]
    """
    order = list(range(len(candidate)))
    moves = []
    for start, size, target in shifts.tolist():
        moved = order[start : start + size]
        moves.append(Shift(tuple(candidate[i] for i in moved), start, target, tuple(moved)))
        rest = order[:start] + order[start + size :]
        order = rest[:target] + moved + rest[target:]
    walk = []
    mine, theirs = iter(order), iter(range(len(reference)))
    for kind in steps.tolist():
        edit = _EDITS[kind]
        walk.append(
            Step(
                edit,
                None if edit == "insert" else next(mine),
                None if edit == "delete" else next(theirs),
            )
        )
    return TEREdits(candidate, reference, number, tuple(moves), tuple(walk))
