"""The score of one system under one metric."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST_TITLE = 48


@dataclass(frozen=True)
class Score:
    """A corpus score of one `system` under one `metric`.

    `value` with `low` and `high` (None without an interval), the `parts` it is made of, the number
    of `segments`, and the `signature` that says how it was computed. `shown_parts` has the titles of
    those parts that stand beside the value wherever it is printed.
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

    def __str__(self) -> str:
        bounds = "" if self.low is None else f" [{self.low:.2f}, {self.high:.2f}]"
        beside = f" ({self.beside()})" if self.shown_parts else ""
        return f"{self.value:.2f}{bounds}{beside} {self.signature}"
