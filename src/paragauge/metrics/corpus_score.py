"""The score of one system under one metric."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paragauge.errors import InputError
from paragauge.text.python_data.result_table import (
    ReadableTable,
    ResultTable,
    interval_text,
    number_text,
    plain_value,
)

LONGEST_TITLE = 48
FIELDS = ("system", "metric", "value", "low", "high", "segments", "signature")


@dataclass(frozen=True, repr=False, eq=False)
class Score(ResultTable):
    """A corpus score of one `system` under one `metric`.

    `value` with `low` and `high` (None without an interval), the `parts` it is made of, the number
    of `segments`, and the `signature` that says how it was computed. `shown_parts` has the titles of
    those parts that stand beside the value wherever it is printed.

    A score is a number too: `float(score)`, `round(score, 1)`, `f"{score:.1f}"`, arithmetic and
    comparisons with numbers use its value, and the result is a plain number. Two scores are compared
    or subtracted if their signatures are the same, and otherwise refused.

    >>> score = Score(57.5, "PINC", {}, 3, True, "PINC|v:1", system="mine", metric="pinc")
    >>> f"{score:.1f}", float(score), score > 50
    ('57.5', 57.5, True)
    >>> round(score), sum([score, score]) / 2
    (58, 57.5)
    >>> score
    system   PINC
    mine    57.50
    """

    value: float
    name: str
    parts: Mapping[str, float]
    segments: int
    higher_is_better: bool
    signature: str
    system: str = ""
    metric: str = ""
    low: float | None = None
    high: float | None = None
    shown_parts: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def title(self) -> str:
        """The metric's name as papers print it, with the settings that are not default.

        A long title is shortened and ends with four digits of a digest, which tell it from others.

        >>> Score(0, "PINC", {}, 1, True, "", metric="pinc:order=2").title
        'PINC:order=2'
        """
        name, *settings = self.metric.split(":")
        rounded = [
            re.sub(r"\d+\.\d{4,}", lambda long: f"{float(long[0]):.4g}", setting)
            for setting in settings
        ]
        whole = ":".join([self.name if name == self.name.lower() else name, *rounded])
        if len(whole) <= LONGEST_TITLE:
            return whole
        digest = hashlib.sha256(self.metric.encode()).hexdigest()[:4]
        return f"{whole[: LONGEST_TITLE - 5]}…{digest}"

    def beside(self) -> str:
        """The parts printed next to the value, in one line; empty if there are none.

        >>> parts = {"pivot_f1": 36.5, "fluency": -1.25}
        >>> titles = {"pivot_f1": "pivot F1", "fluency": "fluency (ln/token)"}
        >>> Score(63.4, "PEM", parts, 1, True, "", shown_parts=titles).beside()
        'pivot F1 36.50, fluency -1.25'
        """
        titles = {name: title.partition(" (")[0] for name, title in self.shown_parts.items()}
        return ", ".join(f"{title} {self.parts[name]:.2f}" for name, title in titles.items())

    def to_rows(self) -> list[dict[str, Any]]:
        """One record, with the parts that are printed beside the value."""
        return [
            {name: getattr(self, name) for name in FIELDS}
            | {name: self.parts[name] for name in self.shown_parts}
        ]

    def to_dict(self) -> dict[str, Any]:
        """The score as plain Python values, as JSON has it, with all parts."""
        record = {name: getattr(self, name) for name in FIELDS}
        more = {"higher_is_better": self.higher_is_better, "parts": dict(self.parts)}
        converted: dict[str, Any] = plain_value(record | more)
        return converted

    def readable(self) -> ReadableTable:
        """The value with its interval and the parts beside it."""
        cells = [interval_text(self.value, self.low, self.high)]
        cells += [number_text(self.parts[name]) for name in self.shown_parts]
        header = [self.title, *self.shown_parts.values()]
        name = [self.system] if self.system else []
        return ReadableTable(["system"] * len(name) + header, [[*name, *cells]], [self.signature])

    def __float__(self) -> float:
        return self.value

    def __int__(self) -> int:
        return int(self.value)

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __add__(self, other: Score | float) -> float:
        return self.value + float(other) if isinstance(other, _NUMBERS) else NotImplemented

    def __sub__(self, other: Score | float) -> float:
        return self.value - self._comparable(other) if isinstance(other, _NUMBERS) else NotImplemented

    def __rsub__(self, other: float) -> float:
        return float(other) - self.value if isinstance(other, _NUMBERS) else NotImplemented

    def __mul__(self, other: Score | float) -> float:
        return self.value * float(other) if isinstance(other, _NUMBERS) else NotImplemented

    def __truediv__(self, other: Score | float) -> float:
        return self.value / float(other) if isinstance(other, _NUMBERS) else NotImplemented

    def __rtruediv__(self, other: float) -> float:
        return float(other) / self.value if isinstance(other, _NUMBERS) else NotImplemented

    def __neg__(self) -> float:
        return -self.value

    def __abs__(self) -> float:
        return abs(self.value)

    __radd__ = __add__
    __rmul__ = __mul__

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Score):
            names = [field.name for field in dataclasses.fields(self)]
            return all(getattr(self, name) == getattr(other, name) for name in names)
        if isinstance(other, (int, float)):
            return self.value == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)  # as numbers that it is equal to

    def __lt__(self, other: Score | float) -> bool:
        return self.value < self._comparable(other)

    def __le__(self, other: Score | float) -> bool:
        return self.value <= self._comparable(other)

    def __gt__(self, other: Score | float) -> bool:
        return self.value > self._comparable(other)

    def __ge__(self, other: Score | float) -> bool:
        return self.value >= self._comparable(other)

    def _comparable(self, other: Score | float) -> float:
        if isinstance(other, Score) and other.signature != self.signature:
            raise InputError(
                f"scores with different signatures cannot be compared: {self.signature} and "
                f"{other.signature}; compare float(score) if you mean the numbers"
            )
        return float(other)

    def __str__(self) -> str:
        bounds = "" if self.low is None else f" [{self.low:.2f}, {self.high:.2f}]"
        beside = f" ({self.beside()})" if self.shown_parts else ""
        return f"{self.value:.2f}{bounds}{beside} {self.signature}"


_NUMBERS = (Score, int, float)
