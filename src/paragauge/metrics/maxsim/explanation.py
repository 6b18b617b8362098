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

from paragauge.metrics.wording.plain_sentences import (
    UNSAID,
    TwoSentences,
    join_words,
    of_hundred,
    quote_words,
)
from paragauge.text.terminal_columns import align_columns
from paragauge.text.wording import pluralize

# How the second sentence calls the parts.
PLAIN_TITLES = {
    "unigrams": "single words",
    "bigrams": "pairs of words",
    "trigrams": "runs of three words",
    "dependency relations": "relations between words",
    "relations": "relations between words",
    "soft words": "words of similar meaning",
}
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
    part has a weight. `other` is what the fields call the reference: "reference" or "source". The
    `summary` is made from the parts unless it is given.
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
    summary: TwoSentences = UNSAID

    def __post_init__(self) -> None:
        if self.summary == UNSAID:
            object.__setattr__(self, "summary", summarize_matches(self))

    def __str__(self) -> str:
        blocks = [
            [f"{self.metric} {format_number(self.value)}"],
            self.summary.lines(),
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
        values: dict[str, Any] = {"kind": "matching"} | dataclasses.asdict(self)
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


def summarize_matches(explanation: Explanation) -> TwoSentences:
    """What the texts share, and what the score makes of it, in two sentences."""
    sides = (("candidate", explanation.candidate), (explanation.other, explanation.reference))
    value = explanation.value
    empty = [role for role, words in sides if not words]
    if empty:
        no_words = "Neither text has a word." if len(empty) == 2 else f"The {empty[0]} has no words."
        return TwoSentences(no_words, f"{explanation.metric} then gives {of_hundred(value)}.")
    return TwoSentences(_summarize_words(explanation), _summarize_parts(explanation))


def word_part(explanation: Explanation) -> Part | None:
    """The first part that matches single words, if there is one.

    >>> from paragauge import MaxSim
    >>> word_part(MaxSim().explain("A dog", "The dog")).name
    'F1'
    """
    for part in explanation.parts:
        items = part.candidate_items + part.reference_items
        if items and all(len(item.words) == 1 and item.relation is None for item in items):
            return part
    return None


def _summarize_words(explanation: Explanation) -> str:
    part, other = word_part(explanation), explanation.other
    if part is None:
        return f"The candidate and the {other} are compared by what their words relate to."
    size, count = len(part.candidate_items), len(part.links)
    if not count:
        return f"No word of the candidate has a partner in the {other}."
    loose = sum(
        part.candidate_items[link.candidate].words[0].lower()
        != part.reference_items[link.reference].words[0].lower()
        for link in part.links
    )
    partners = (
        f"{count} of the {pluralize(size, 'word')} of the candidate {'has' if count == 1 else 'have'}"
    )
    facts = f"{partners} a partner in the {other}"
    if loose:
        facts += f", {loose} of them in a different word"
    lost = [str(part.reference_items[number]) for number in part.unmatched[1]]
    if lost:
        facts += f"; in the {other}, {quote_words(lost)} {'has' if len(lost) == 1 else 'have'} none"
    return f"{facts}."


def _summarize_parts(explanation: Explanation) -> str:
    counting = [part for part in explanation.parts if part.weight > 0 and part.value is not None]
    result = of_hundred(explanation.value)
    if not counting:
        return f"{explanation.metric} finds nothing else to compare and gives {result}."
    if all(part.title in PLAIN_TITLES for part in counting):
        terms = [f"{PLAIN_TITLES[part.title]} ({part.value:.0f})" for part in counting]
        mean = "is how well these match" if len(terms) == 1 else "averages how well these match"
        return f"{explanation.metric} {mean}: {join_words(terms)}, which gives {result}."
    most = max(counting, key=lambda part: part.weight * (part.value or 0.0))
    return (
        f"{explanation.metric} adds up {len(counting)} measures of likeness, of which {most.title} "
        f"counts most, and gives {result}."
    )
