"""The explanation of a score that counts shared n-grams, and its text form.

A score is made of *parts*, each a comparison of the candidate's n-grams with those of another text or
texts. An occurrence of an n-gram is *kept* (in both, each counted at most as often as in the other),
*new* (in the candidate alone) or *missing* (in the other alone). What one is worth is the score less
what the score would be otherwise, all else equal:

    kept       if the other text did not have it
    new        if the other text had it, in place of a missing one
    missing    if the other text did not ask for it

so it is positive if the n-gram raises the score. For metrics that are sums (PINC, TargetF1's shared
n-grams) the worths add up; BLEU and chrF are not, and their worths hold for one n-gram at a time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from paragauge.metrics.wording.marked_words import MarkedText
from paragauge.metrics.wording.plain_sentences import COLUMNS, TwoSentences
from paragauge.text.terminal_columns import align_columns, width
from paragauge.text.wording import format_signed

Unit = Literal["word", "character"]
MOST_GRAMS = 12  # of an order and a kind that the text form lists


@dataclass(frozen=True)
class Gram:
    """An n-gram and how many of its occurrences are kept, new and missing."""

    text: str
    kept: int
    new: int
    missing: int


@dataclass(frozen=True)
class GramOrder:
    """The n-grams of one length: their numbers, and what one of each kind is worth in points."""

    size: int
    unit: Unit
    kept: int
    new: int
    missing: int
    kept_worth: float
    new_worth: float
    missing_worth: float
    grams: tuple[Gram, ...]

    @property
    def title(self) -> str:
        """The name of the order.

        >>> GramOrder(2, "word", 0, 0, 0, 0, 0, 0, ()).title
        '2 words'
        """
        return f"{self.size} {self.unit}{'s' * (self.size > 1)}"

    def listed(self, kind: str) -> list[tuple[str, int]]:
        """The n-grams of a kind (kept, new, missing) with their numbers."""
        return [(gram.text, number) for gram in self.grams if (number := getattr(gram, kind))]


@dataclass(frozen=True)
class GramPart:
    """A comparison of the candidate's n-grams with those of `other`, and its value."""

    name: str
    other: str
    value: float
    orders: tuple[GramOrder, ...]


@dataclass(frozen=True)
class Factor:
    """A number that the score is made of, with what it is."""

    name: str
    value: float
    note: str


@dataclass(frozen=True)
class NgramExplanation:
    """What makes up a score that counts shared n-grams; `print` shows it as text in columns.

    `texts` has the texts by role; `words` their words with what the first part makes of them.
    """

    metric: str
    value: float | None
    signature: str
    summary: TwoSentences
    texts: Mapping[str, str]
    factors: tuple[Factor, ...]
    parts: tuple[GramPart, ...]
    words: tuple[MarkedText, ...]

    def __str__(self) -> str:
        blocks = [
            [f"{self.metric} {'-' if self.value is None else f'{self.value:.2f}'}"],
            self.summary.lines(),
            align_columns("ll", [[role, text or "(empty)"] for role, text in self.texts.items()]),
            *([_factor_lines(self.factors)] if self.factors else []),
            *(_part_lines(part) for part in self.parts),
            [self.signature],
        ]
        return "\n\n".join("\n".join(block) for block in blocks)

    def record(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        values: dict[str, Any] = {"kind": "n-grams"} | {
            name.name: getattr(self, name.name) for name in dataclasses.fields(self)
        }
        values["summary"] = dataclasses.asdict(self.summary)
        values["texts"] = dict(self.texts)
        for name in ("factors", "parts", "words"):
            values[name] = [dataclasses.asdict(one) for one in values[name]]
        return values


def _factor_lines(factors: Sequence[Factor]) -> list[str]:
    return align_columns(
        "lrl", [[factor.name, f"{factor.value:z.2f}", factor.note] for factor in factors]
    )


def _part_lines(part: GramPart) -> list[str]:
    """A table of the orders, then the n-grams of each."""
    if not part.orders:
        return [f"{part.name} with the {part.other}: no n-grams"]
    rows = [["", "kept", "new", "missing", "one kept", "one new", "one missing"]]
    for order in part.orders:
        worths = (
            (order.kept, order.kept_worth),
            (order.new, order.new_worth),
            (order.missing, order.missing_worth),
        )
        rows.append(
            [
                order.title,
                *(str(number) for number, _ in worths),
                *(format_signed(worth) if number else "" for number, worth in worths),
            ]
        )
    title = f"{part.name} with the {part.other}: {part.value:.2f}; runs of words or characters, and "
    lines = [title + "what one adds (+) or costs (-)"]
    lines += [f"  {line}" for line in align_columns("lrrrrrr", rows)]
    for order in part.orders:
        for kind in ("kept", "new", "missing"):
            listed = order.listed(kind)
            if listed:
                lines += _wrapped(f"{order.title} {kind}", listed)
    return lines


def _wrapped(title: str, listed: Sequence[tuple[str, int]]) -> list[str]:
    texts = [text if number == 1 else f"{text} ×{number}" for text, number in listed[:MOST_GRAMS]]
    if len(listed) > MOST_GRAMS:
        texts.append(f"… {len(listed) - MOST_GRAMS} more")
    lines = [f"  {title}:"]
    for place, text in enumerate(texts, 1):
        item = f" {text}" + (" |" if place < len(texts) else "")
        if width(lines[-1] + item) <= COLUMNS:
            lines[-1] += item
        else:
            lines.append(f"   {item}")
    return lines
