"""The sum behind a filter's decision: evidence for and against, other terms, total and threshold.

What the `explain` method of a filter returns has reasons, parts of the score that name words of the
context. It may also have a threshold, and terms that name no words, such as a bias. A reason without a
place is such a term too. Together they add up to the total; the score is the total less the threshold,
and a score of 0 or more accepts. Whatever a filter's explanation leaves out is the term `other`, so
that every sum is complete.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from paragauge.text.wording import format_signed

SMALLEST = 1e-6  # a rest that is smaller is rounding
FOR, AGAINST, TOTAL, OTHER = "for", "against", "total", "other"


class Reason(Protocol):
    """A part of a filter's score."""

    @property
    def place(self) -> str:
        """Where the words are, relative to the substitution."""

    @property
    def words(self) -> str:
        """The words of the context."""

    @property
    def weight(self) -> float:
        """What the words add to the score."""


class Reasons(Protocol):
    """What the `explain` method of a filter returns."""

    @property
    def reasons(self) -> Sequence[Reason]:
        """The parts of the score, strongest first."""


@runtime_checkable
class _Threshold(Protocol):
    @property
    def threshold(self) -> float:
        """The least total that is accepted."""


@runtime_checkable
class _Terms(Protocol):
    @property
    def terms(self) -> Sequence[tuple[str, float]]:
        """Parts of the score that name no words of the context."""


@dataclass(frozen=True)
class SumLine:
    """One line of a sum: a group of reasons or a term, what it adds, and its reasons."""

    title: str
    value: float
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class ScoreSum:
    """A score as a sum (see the module docstring).

    >>> ScoreSum((), (("bias", -0.5), ("other", 0.75)), -1.0).total
    0.25
    """

    reasons: tuple[Reason, ...]
    terms: tuple[tuple[str, float], ...]
    threshold: float

    @classmethod
    def of(cls, why: Reasons, score: float) -> ScoreSum:
        """The sum of an explanation of this score."""
        threshold = float(why.threshold) if isinstance(why, _Threshold) else 0.0
        placed = tuple(reason for reason in why.reasons if reason.place)
        terms = [(reason.words, reason.weight) for reason in why.reasons if not reason.place]
        terms += why.terms if isinstance(why, _Terms) else ()
        rest = score + threshold - math.fsum([*(r.weight for r in placed), *(v for _, v in terms)])
        if abs(rest) > SMALLEST:
            terms.append((OTHER, rest))
        return cls(placed, tuple(terms), threshold)

    @property
    def total(self) -> float:
        """Everything that adds up, before the threshold is subtracted."""
        return math.fsum([*(r.weight for r in self.reasons), *(value for _, value in self.terms)])

    @property
    def is_accepted(self) -> bool:
        """Whether the total reaches the threshold."""
        return self.total >= self.threshold - SMALLEST

    @property
    def verdict(self) -> str:
        """How the total compares with the threshold, in words."""
        sign = "at least" if self.is_accepted else "below"
        return f"{sign} the threshold, {format_signed(self.threshold)}"

    @property
    def lines(self) -> tuple[SumLine, ...]:
        """Evidence for and against, and the other terms, without the total."""
        lines = []
        for title, sign in ((FOR, 1), (AGAINST, -1)):
            own = tuple(reason for reason in self.reasons if sign * reason.weight > 0)
            if own:
                lines.append(SumLine(title, math.fsum(reason.weight for reason in own), own))
        return (*lines, *(SumLine(title, value) for title, value in self.terms))

    def record(self) -> dict[str, Any]:
        """The sum as JSON values."""
        return {
            "terms": {line.title: line.value for line in self.lines},
            "total": self.total,
            "threshold": self.threshold,
        }

    def text_lines(self, most: int) -> list[str]:
        """The sum as aligned lines of text, with at most this many reasons on each.

        >>> print("\\n".join(ScoreSum((), (("bias", -0.5),), 0.0).text_lines(4)))
        bias   -0.50
        total  -0.50  below the threshold, +0.00
        """
        rows = [
            *((line.title, line.value, _reason_text(line.reasons, most)) for line in self.lines),
            (TOTAL, self.total, self.verdict),
        ]
        width = max(len(title) for title, _, _ in rows)
        wide = max(len(format_signed(value)) for _, value, _ in rows)
        return [
            f"{title:{width}}  {format_signed(value):>{wide}}  {text}".rstrip()
            for title, value, text in rows
        ]


def _reason_text(reasons: Sequence[Reason], most: int) -> str:
    texts = [f"{r.words} ({r.place}) {format_signed(r.weight)}" for r in reasons[:most]]
    if rest := reasons[most:]:
        texts.append(f"{len(rest)} more {format_signed(math.fsum(r.weight for r in rest))}")
    return ", ".join(texts)
