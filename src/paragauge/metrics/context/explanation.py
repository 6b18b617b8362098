"""The explanation of a score that compares contextual vectors, and its text form.

A score is the sum of its *terms*, each a value times a weight. What stands behind BERTScore's precision
and recall are two *matchings*: each piece of one text with the most similar piece of the other, and
what that adds to the value. What stands behind a cosine are *pairs* of words, each with its share. A
metric that is made from BERTScore has the explanation of that as its `similarity`.

F is the sum of precision and recall with the weights R / (P + R) and P / (P + R), since
P R / (P + R) + R P / (P + R) = 2 P R / (P + R). The same holds for any weighted harmonic mean, with

    (beta + 1) / (beta / x + 1 / y) = x * beta y / (beta y + x) + y * x / (beta y + x)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paragauge.metrics.context.piece_words import CutText
from paragauge.metrics.wording.plain_sentences import TwoSentences, join_words, of_hundred
from paragauge.text.terminal_columns import align_columns

# Pairs of words that the text form lists.
PAIRS = 10
SPECIAL = "(start, end)"


@dataclass(frozen=True)
class Term:
    """A value and its weight in the score.

    >>> Term("recall", 80.0, 0.5).adds
    40.0
    """

    name: str
    value: float
    weight: float
    note: str = ""

    @property
    def adds(self) -> float:
        """What it adds to the score."""
        return self.weight * self.value


@dataclass(frozen=True)
class Match:
    """A piece, the most similar piece of the other text, and what they add to precision or recall.

    Pieces are numbers from 0, the special piece at the start included.
    """

    piece: int
    partner: int
    cosine: float
    weight: float
    adds: float


@dataclass(frozen=True)
class Matching:
    """The matches behind `precision` (of the candidate's pieces) or `recall` (of the other text's)."""

    name: str
    value: float
    matches: tuple[Match, ...]


@dataclass(frozen=True)
class WordPair:
    """A word of the candidate and one of the other text, and what they add to the cosine.

    Words are numbers from 0; None stands for the special pieces at both ends.
    """

    candidate: int | None
    other: int | None
    adds: float


@dataclass(frozen=True)
class ContextExplanation:
    """What makes up the score of two sentences; `print` shows it as text in columns.

    `value` is None if the texts are empty. `other` is the reference or the source that the candidate is
    matched with; `texts` has all texts of the metric by role. `parts` are further numbers by name.
    """

    metric: str
    value: float | None
    signature: str
    texts: Mapping[str, str]
    candidate: CutText
    other: CutText
    terms: tuple[Term, ...]
    layer: int | None = None
    matchings: tuple[Matching, ...] = ()
    pairs: tuple[WordPair, ...] = ()
    similarity: ContextExplanation | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    def __str__(self) -> str:
        blocks = [
            [self.title],
            self.summary.lines(),
            align_columns("ll", [[role, text or "(empty)"] for role, text in self.texts.items()]),
            *([[self.note]] if self.note else []),
            *self.blocks(),
            [self.signature],
        ]
        return "\n\n".join("\n".join(block) for block in blocks)

    @property
    def title(self) -> str:
        """The metric and its value."""
        return f"{self.metric} {'-' if self.value is None else f'{self.value:.2f}'}"

    @property
    def summary(self) -> TwoSentences:
        """What the texts share, and what the score makes of it, in two sentences."""
        inner = self.similarity
        return TwoSentences((inner or self)._describe_words(), self._describe_terms())

    def _describe_words(self) -> str:
        role = self.other.role
        if not self.candidate.words or not self.other.words:
            return f"The candidate or the {role} has no words."
        matches = [match for matching in self.matchings[:1] for match in matching.matches]
        if matches:
            own, theirs = self.sides(self.matchings[0])
            near, far = (pick(matches, key=lambda match: match.cosine) for pick in (max, min))
            closest, farthest = (
                f"“{own.label(match.piece)}” (most like “{theirs.label(match.partner)}”)"
                for match in (near, far)
            )
            return (
                f"Of the {own.role}, {closest} is closest in meaning to the {theirs.role}, and "
                f"{farthest} is farthest from it."
            )
        words = [pair for pair in self.pairs if pair.candidate is not None and pair.other is not None]
        if words:
            mine, other = self.pair_text(words[0])
            return (
                f"Of all pairs of words, “{mine}” in the candidate and “{other}” in the {role} add "
                "most to the likeness."
            )
        return f"The candidate and the {role} are compared as whole sentences."

    def _describe_terms(self) -> str:
        if self.value is None or not self.terms:
            return f"{self.metric} compares meaning in context and gives {of_hundred(self.value)}."
        if len(self.terms) == 1:
            return (
                f"{self.metric} compares meaning in context, not spelling, and gives "
                f"{of_hundred(self.value)}."
            )
        terms = [f"{term.name} ({term.value:z.0f})" for term in self.terms]
        return (
            f"{self.metric} compares meaning in context, not spelling, and weighs {join_words(terms)}: "
            f"{of_hundred(self.value)}."
        )

    @property
    def is_weighted(self) -> bool:
        """Whether pieces have weights of their own."""
        return any(match.weight != 1 for matching in self.matchings for match in matching.matches)

    def sides(self, matching: Matching) -> tuple[CutText, CutText]:
        """The text whose pieces are matched, and the one in which their partners are."""
        both = (self.candidate, self.other)
        return both if matching.name == "precision" else both[::-1]

    def word_shares(self, role: str) -> list[tuple[int | None, float]]:
        """Each word of a text, by its number, with what it adds to the cosine; special pieces last."""
        shares: dict[int | None, float] = {}
        for pair in self.pairs:
            word = pair.candidate if role == "candidate" else pair.other
            shares[word] = shares.get(word, 0.0) + pair.adds
        return sorted(shares.items(), key=lambda share: (share[0] is None, share[0] or 0))

    def pair_text(self, pair: WordPair) -> tuple[str, str]:
        """The words of a pair."""
        return (
            self.word_text(self.candidate, pair.candidate),
            self.word_text(self.other, pair.other),
        )

    @staticmethod
    def word_text(text: CutText, number: int | None) -> str:
        """A word by its number; None stands for the special pieces."""
        return SPECIAL if number is None else text.words[number].text

    def record(self) -> dict[str, Any]:
        """Everything as plain values, for JSON; numbers of pieces and words count from 0."""
        values: dict[str, Any] = {"kind": "context"} | {
            name.name: getattr(self, name.name) for name in dataclasses.fields(self)
        }
        for name in ("candidate", "other"):
            values[name] = dataclasses.asdict(values[name])
        values["texts"], values["parts"] = dict(self.texts), dict(self.parts)
        values["terms"] = [dataclasses.asdict(term) | {"adds": term.adds} for term in self.terms]
        for name in ("matchings", "pairs"):
            values[name] = [dataclasses.asdict(one) for one in values[name]]
        values["summary"] = dataclasses.asdict(self.summary)
        values["similarity"] = None if self.similarity is None else self.similarity.record()
        return values

    def blocks(self) -> list[list[str]]:
        """The lines of each block between the sentences and the signature."""
        blocks = [self._term_lines()] if self.terms else []
        blocks += [self._matching_lines(matching) for matching in self.matchings]
        if self.pairs:
            blocks += [self._share_lines(text) for text in (self.candidate, self.other)]
            blocks.append(self._pair_lines())
        if self.similarity is not None:
            inner = self.similarity
            blocks.append([f"{inner.title}, candidate and {inner.other.role}"])
            blocks += [[inner.note]] if inner.note else []
            blocks += inner.blocks()
        return blocks

    def _term_lines(self) -> list[str]:
        rows = [["part", "value", "weight", "adds", ""]]
        for term in self.terms:
            numbers = [f"{term.value:z.2f}", f"{term.weight:.3f}", f"{term.adds:z.2f}"]
            rows.append([term.name, *numbers, term.note])
        return align_columns("lrrrl", rows)

    def _matching_lines(self, matching: Matching) -> list[str]:
        own, theirs = self.sides(matching)
        title = (
            f"{matching.name} {matching.value:.2f}: each piece of the {own.role} with the most similar "
            f"one of the {theirs.role}, layer {self.layer}"
        )
        weighted = self.is_weighted
        rows = [["", own.role, "", theirs.role, "cosine", *["idf"] * weighted, "adds"]]
        for match in matching.matches:
            rows.append(
                [
                    str(match.piece),
                    own.label(match.piece),
                    str(match.partner),
                    theirs.label(match.partner),
                    f"{match.cosine:.3f}",
                    *[f"{match.weight:.3f}"] * weighted,
                    f"{match.adds:z.2f}",
                ]
            )
        return [title, *(f"  {line}" for line in align_columns("rlrlrrr"[: len(rows[0])], rows))]

    def _share_lines(self, text: CutText) -> list[str]:
        shares = self.word_shares(text.role)
        rows = [[self.word_text(text, number), f"{share:z.2f}"] for number, share in shares]
        lines = align_columns("lr", rows)
        return [f"what each word of the {text.role} adds", *(f"  {line}" for line in lines)]

    def _pair_lines(self) -> list[str]:
        rows = [[*self.pair_text(pair), f"{pair.adds:z.2f}"] for pair in self.pairs[:PAIRS]]
        rest = self.pairs[PAIRS:]
        lines = [f"  {line}" for line in align_columns("llr", rows)]
        if rest:
            lines.append(f"  {len(rest)} more pairs add {sum(pair.adds for pair in rest):.2f}")
        return [f"pairs of words that add most, candidate and {self.other.role}", *lines]


def harmonic_weights(first: float, second: float, beta: float = 1.0) -> tuple[float, float]:
    """Weights with which two values add up to their harmonic mean, where the first counts `beta` times.

    >>> weights = harmonic_weights(0.5, 1.0)
    >>> [round(weight, 3) for weight in weights], round(weights[0] * 0.5 + weights[1] * 1.0, 3)
    ([0.667, 0.333], 0.667)
    """
    whole = beta * second + first
    if whole == 0 and second > 0:  # beta and the first are 0, and so is the mean
        return 1.0, 0.0
    return (beta * second / whole, first / whole) if whole else (0.5, 0.5)
