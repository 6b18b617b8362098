"""Why a reference was rewritten as it was: every proposal, its scores, and what spoke for and against.

A filter that has a method `explain(tokens, position, word)`, as `ContextModel` does, says which
features of the context it counted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from paragauge.kernels import _native
from paragauge.rewrite.candidates import References
from paragauge.rewrite.rewriter import Proposal, Rewriter, chosen_tokens, output_phrases
from paragauge.rewrite.splice import restore_phrase_case
from paragauge.text.wording import signed

SHOWN = 4


class Reason(Protocol):
    """A part of a filter's score."""

    @property
    def place(self) -> str:
        """Where the words stand, seen from the place of the substitution."""

    @property
    def words(self) -> str:
        """The words of the context."""

    @property
    def weight(self) -> float:
        """What they add to the score."""


class Reasons(Protocol):
    """What `explain` of a filter gives."""

    @property
    def reasons(self) -> Sequence[Reason]:
        """The parts of the score, strongest first."""


@runtime_checkable
class ExplainingFilter(Protocol):
    """A filter that can say what its score is made of."""

    def explain(self, tokens: str, position: int, word: str) -> Reasons:
        """What speaks for and against a word in the place of a token."""


@dataclass(frozen=True)
class ExplainedProposal:
    """A proposal, with both sides in the case of the reference, and the filters' reasons."""

    proposal: Proposal
    old: str
    new: str
    reasons: tuple[tuple[Reason, ...], ...]

    @property
    def is_word(self) -> bool:
        """Whether it is a word for a word."""
        return " " not in self.proposal.old and " " not in self.proposal.new

    @property
    def place(self) -> str:
        """Which tokens are replaced, from 1."""
        first, last = self.proposal.first + 1, self.proposal.last + 1
        return f"token {first}" if first == last else f"tokens {first}-{last}"

    def record(self, filters: Sequence[str]) -> dict[str, Any]:
        """The proposal as JSON has it."""
        return {
            "token": self.proposal.first + 1,
            "last": self.proposal.last + 1,
            "old": self.old,
            "new": self.new,
            "verdict": self.proposal.verdict,
            "probability": self.proposal.probability,
            "scores": dict(zip(filters, map(_finite, self.proposal.scores), strict=True)),
            "reasons": [
                {"filter": name, "place": each.place, "words": each.words, "weight": each.weight}
                for name, own in zip(filters, self.reasons, strict=True)
                for each in own
            ],
        }


@dataclass(frozen=True)
class RewriteExplanation:
    """One reference, one output, and what became of the reference.

    `pieces` are its tokens with what stands between them, each after the text before it; they end with
    the text after the last token, so that all of them together are the reference.

    >>> print(explain(Rewriter(), "It is hard.", "It is difficult."))
    reference  It is hard.
    candidate  It is difficult.
    rewritten  It is difficult.
    <BLANKLINE>
    token 3: hard -> difficult  accepted
    """

    reference: str
    candidate: str
    rewritten: str
    pieces: tuple[str, ...]
    filters: tuple[str, ...]
    proposals: tuple[ExplainedProposal, ...]

    def record(self) -> dict[str, Any]:
        """The explanation as JSON has it."""
        return {
            "reference": self.reference,
            "candidate": self.candidate,
            "rewritten": self.rewritten,
            "tokens": list(self.pieces[1::2]),
            "proposals": [each.record(self.filters) for each in self.proposals],
        }

    def __str__(self) -> str:
        lines = [
            f"reference  {self.reference}",
            f"candidate  {self.candidate}",
            f"rewritten  {self.rewritten}",
            "",
        ]
        if not self.proposals:
            return "\n".join([*lines, "no substitution was proposed"])
        for each in self.proposals:
            what = "word" if each.is_word else "phrase"
            scores = ", ".join(
                f"{name} {_format_number(value, what)}"
                for name, value in zip(self.filters, each.proposal.scores, strict=True)
            )
            p = each.proposal.probability
            likely = "" if p is None else f"p {p:.3g}"
            head = f"{each.place}: {each.old} -> {each.new}"
            lines.append("  ".join(filter(None, (head, each.proposal.verdict, likely, scores))))
            for own in each.reasons:
                lines += _reason_lines(own)
        return "\n".join(lines)


def explain(rewriter: Rewriter, reference: str, candidate: str) -> RewriteExplanation:
    """Everything about the rewriting of one reference toward one output."""
    found = rewriter.run([reference], [candidate])
    tokens = found.original.lowercased[0]
    candidates = found.candidates
    span = candidates.first, candidates.last
    old = chosen_tokens(found.original.tokens, candidates.line, *span)
    new = output_phrases(found.original, candidates, np.arange(len(candidates)))
    proposals = []
    for proposal, before, after in zip(found, old, new, strict=True):
        written = restore_phrase_case(after, before, capitals=reference.isupper())
        reasons = tuple(
            tuple(each.explain(tokens, proposal.first, proposal.new).reasons)
            if isinstance(each, ExplainingFilter) and not math.isnan(score)
            else ()
            for each, score in zip(rewriter.filters, proposal.scores, strict=True)
        )
        proposals.append(ExplainedProposal(proposal, before, written, reasons))
    return RewriteExplanation(
        reference,
        candidate,
        found.references[0][0],
        _pieces(found.original),
        tuple(each.name for each in rewriter.filters),
        tuple(proposals),
    )


def _pieces(original: References) -> tuple[str, ...]:
    """The text before each token of the first line, the token, and so on; then the text after all."""
    lines, tokens = original.given.lines, original.tokens
    spans = _native.token_spans(lines.buffer, lines.spans, tokens.buffer, tokens.spans, 1)
    text = lines.buffer.tobytes()
    cuts = [0, *spans.reshape(-1).tolist(), len(text)]
    return tuple(text[first:last].decode() for first, last in itertools.pairwise(cuts))


def _reason_lines(reasons: Sequence[Reason]) -> list[str]:
    """The strongest reasons of either side, in words."""
    lines = []
    for title, sign in (("for", 1), ("against", -1)):
        own = [each for each in reasons if sign * each.weight > 0][:SHOWN]
        if own:
            words = ", ".join(f"{each.words} ({each.place}) {signed(each.weight)}" for each in own)
            lines.append(f"    {title}: {words}")
    return lines


def _format_number(value: float, what: str) -> str:
    return f"does not know the {what}" if math.isnan(value) else signed(value)


def _finite(value: float) -> float | None:
    return None if math.isnan(value) else value
