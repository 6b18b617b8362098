"""The explanation of a MAXSIM score, and its text form.

A score is made of *parts*: 1-, 2-, 3-grams, dependency relations, soft words. Each part matches the
*items* of the candidate with those of the reference; a *link* is one such pair, with the phase that
made it, its weight and the reason. The weights of a part's links add up to its match, and the values
of the parts times their weights add up to the score.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from paragauge.text.terminal_columns import align_columns

PHASES = ("tag", "lemma", "graph")  # of matching n-grams, in this order


@dataclass(frozen=True)
class Word:
    """A word as the sentence has it, with its lemma and its tag, which is empty if nothing tags it.

    >>> print(Word("dogs", "dog", "NNS"), Word("A", "a", "DT"))
    dogs/NNS/dog A/DT
    """

    text: str
    lemma: str
    tag: str

    def __str__(self) -> str:
        changed = [self.lemma] if self.changed else []
        return "/".join([self.text, *([self.tag] if self.tag else []), *changed])

    @property
    def changed(self) -> bool:
        """Whether the lemma differs from the lowercase word."""
        return self.lemma != self.text.lower()


@dataclass(frozen=True)
class Item:
    """What is matched: an n-gram, or the relation of a child word to its parent.

    The n-gram with the number i (from 0) begins at word i.

    >>> print(Item(("big", "dog")), "|", Item(("dogs", "barked"), "subject"))
    big dog | dogs <-subject- barked
    """

    words: tuple[str, ...]
    relation: str | None = None

    def __str__(self) -> str:
        return (" " if self.relation is None else f" <-{self.relation}- ").join(self.words)


@dataclass(frozen=True)
class Link:
    """A pair of items: their numbers from 0, the phase, the weight (from 0 to 1) and the reason.

    For soft words the weight is the similarity times the smaller weight of the two words.
    """

    phase: str
    candidate: int
    reference: int
    weight: float
    why: str
    similarity: float | None = None


@dataclass(frozen=True)
class Part:
    """A part of the score: `value` is its F times 100, None if neither side has any items.

    `weight` is the share of the part in this score. `candidate` and `reference` are the numbers of
    items, or for soft words the sums of their weights. Parts without items have a value and a note.
    """

    name: str
    title: str
    value: float | None
    weight: float
    match: float | None = None
    candidate: float | None = None
    reference: float | None = None
    candidate_items: tuple[Item, ...] = ()
    reference_items: tuple[Item, ...] = ()
    links: tuple[Link, ...] = ()
    note: str = ""
    other: str = "reference"  # what the candidate is compared with

    @property
    def exists(self) -> bool:
        """Whether candidate or reference has such items."""
        return self.value is not None

    @property
    def precision(self) -> float | None:
        """Match divided by the candidate's items, times 100."""
        return _percent(self.match, self.candidate)

    @property
    def recall(self) -> float | None:
        """Match divided by the reference's items, times 100."""
        return _percent(self.match, self.reference)

    @property
    def unmatched(self) -> tuple[list[int], list[int]]:
        """Numbers of the items without a link, for the candidate and the reference."""
        mine, theirs = (
            {link.candidate for link in self.links},
            {link.reference for link in self.links},
        )
        return (
            [i for i in range(len(self.candidate_items)) if i not in mine],
            [i for i in range(len(self.reference_items)) if i not in theirs],
        )

    def __str__(self) -> str:
        lines = [self.title]
        rows = [
            [
                link.phase,
                str(link.candidate + 1),
                str(self.candidate_items[link.candidate]),
                str(link.reference + 1),
                str(self.reference_items[link.reference]),
                f"{link.weight:.3f}",
                link.why + ("" if link.similarity is None else f", similarity {link.similarity:.3f}"),
            ]
            for link in self.links
        ]
        lines += [
            f"  {line}" for line in (align_columns("lrlrlrl", rows) if rows else ["nothing matches"])
        ]
        sides = zip(
            ("candidate", self.other),
            self.unmatched,
            (self.candidate_items, self.reference_items),
            strict=True,
        )
        for side, numbers, items in sides:
            if numbers:
                listed = ", ".join(f"{number + 1} {items[number]}" for number in numbers)
                lines.append(f"  unmatched in the {side}: {listed}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Explanation:
    """What makes up the score of two sentences; `print` shows it as text in columns.

    The words are those with a letter or a digit; others are not matched. `value` is None if no existing
    part has a weight. `other` is what the fields call the reference: "reference" or "source".
    """

    metric: str
    value: float | None
    signature: str
    candidate_text: str
    reference_text: str
    candidate: tuple[Word, ...]
    reference: tuple[Word, ...]
    parts: tuple[Part, ...]
    other: str = "reference"

    def __str__(self) -> str:
        blocks = [
            [f"{self.metric} {format_number(self.value)}"],
            align_columns(
                "ll",
                [
                    ["candidate", " ".join(map(str, self.candidate)) or "(no words)"],
                    [self.other, " ".join(map(str, self.reference)) or "(no words)"],
                ],
            ),
            self._table(),
            *([str(part)] for part in self.parts if part.candidate_items or part.reference_items),
            [self.signature],
        ]
        return "\n\n".join("\n".join(block) for block in blocks)

    def record(self) -> dict[str, Any]:
        """Everything as plain values, for JSON; numbers of items and words count from 0."""
        values: dict[str, Any] = dataclasses.asdict(self)
        for part, fields in zip(self.parts, values["parts"], strict=True):
            fields |= {"exists": part.exists, "precision": part.precision, "recall": part.recall}
        return values

    def _table(self) -> list[str]:
        rows = [["part", "weight", "F", "P", "R", "match", "candidate", self.other, ""]]
        for part in self.parts:
            rows.append(
                [
                    part.title,
                    f"{part.weight:.3f}",
                    *(format_number(share) for share in (part.value, part.precision, part.recall)),
                    *(format_count(count) for count in (part.match, part.candidate, part.reference)),
                    part.note,
                ]
            )
        return align_columns("lrrrrrrrl", rows)


def _percent(match: float | None, items: float | None) -> float | None:
    return 100 * match / items if match is not None and items else None


def format_number(value: float | None, digits: int = 2) -> str:
    """A number with fixed digits, or a dash for None.

    >>> format_number(None), format_number(75)
    ('-', '75.00')
    """
    return "-" if value is None else f"{value:.{digits}f}"


def format_count(value: float | None) -> str:
    """A number of items or a sum of weights, without decimals if it is whole.

    >>> format_count(3.0), format_count(2.5)
    ('3', '2.500')
    """
    return f"{value:.0f}" if value is not None and value == int(value) else format_number(value, 3)
