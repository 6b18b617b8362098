"""Why a reference was rewritten as it was: every proposal, its scores, and the sum behind each score.

A filter with a method `explain(tokens, position, word)`, such as `ContextModel`, reports the features
of the context that it used; `score_sum.py` adds them up. One with `explain_phrase`, such as
`EncoderFilter`, also does so for phrases.
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
from paragauge.rewrite.rewriter import Proposal, Rewriter, output_phrases, span_tokens
from paragauge.rewrite.score_sum import Reason, Reasons, ScoreSum
from paragauge.rewrite.splice import restore_phrase_case
from paragauge.rewrite.substitution_filters import ContextFilter
from paragauge.text.wording import format_signed

MOST_REASONS = 4  # printed for and against a proposal


@runtime_checkable
class ExplainingFilter(Protocol):
    """A filter that can explain its scores."""

    def explain(self, tokens: str, position: int, word: str) -> Reasons:
        """The evidence for and against a word in place of a token."""


@runtime_checkable
class PhraseExplainingFilter(Protocol):
    """A filter that can also explain its scores of phrases."""

    def explain_phrase(self, tokens: str, span: tuple[int, int], phrase: str) -> Reasons:
        """The evidence for and against a phrase in place of the tokens of a span, first and last."""


@dataclass(frozen=True)
class ExplainedProposal:
    """A proposal with both sides in the case of the reference, and the sum of each filter's score.

    A filter that does not explain its score has no sum.
    """

    proposal: Proposal
    old: str
    new: str
    sums: tuple[ScoreSum | None, ...]

    @property
    def reasons(self) -> tuple[tuple[Reason, ...], ...]:
        """The reasons of each filter, strongest first."""
        return tuple(() if own is None else own.reasons for own in self.sums)

    @property
    def is_word(self) -> bool:
        """Whether it replaces one word by one word."""
        return " " not in self.proposal.old and " " not in self.proposal.new

    @property
    def place(self) -> str:
        """The replaced tokens, counted from 1."""
        first, last = self.proposal.first + 1, self.proposal.last + 1
        return f"token {first}" if first == last else f"tokens {first}-{last}"

    def record(self, filters: Sequence[str]) -> dict[str, Any]:
        """The proposal as JSON values."""
        return {
            "token": self.proposal.first + 1,
            "last": self.proposal.last + 1,
            "old": self.old,
            "new": self.new,
            "verdict": self.proposal.verdict,
            "probability": self.proposal.probability,
            "scores": dict(zip(filters, map(_nan_to_none, self.proposal.scores), strict=True)),
            "sums": {
                name: own.record()
                for name, own in zip(filters, self.sums, strict=True)
                if own is not None
            },
            "reasons": [
                {
                    "filter": name,
                    "place": reason.place,
                    "words": reason.words,
                    "weight": reason.weight,
                }
                for name, reasons in zip(filters, self.reasons, strict=True)
                for reason in reasons
            ],
        }


@dataclass(frozen=True)
class RewriteExplanation:
    """One reference, one output, and how the reference was rewritten.

    `pieces` alternate between text outside tokens and tokens, and start and end with text outside
    tokens; joined, they are the reference.

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
        """The explanation as JSON values."""
        return {
            "reference": self.reference,
            "candidate": self.candidate,
            "rewritten": self.rewritten,
            "tokens": list(self.pieces[1::2]),
            "proposals": [explained.record(self.filters) for explained in self.proposals],
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
        for explained in self.proposals:
            what = "word" if explained.is_word else "phrase"
            scores = ", ".join(
                f"{name} {_format_score(value, what)}"
                for name, value in zip(self.filters, explained.proposal.scores, strict=True)
            )
            p = explained.proposal.probability
            probability = "" if p is None else f"p {p:.3g}"
            head = f"{explained.place}: {explained.old} -> {explained.new}"
            facts = (head, explained.proposal.verdict, probability, scores)
            lines.append("  ".join(filter(None, facts)))
            for name, own in zip(self.filters, explained.sums, strict=True):
                if own is not None:
                    lines += [f"  {name}"] * (len(self.filters) > 1)
                    lines += [f"    {line}" for line in own.text_lines(MOST_REASONS)]
        return "\n".join(lines)


def explain(rewriter: Rewriter, reference: str, candidate: str) -> RewriteExplanation:
    """Explain the rewriting of one reference toward one output."""
    rewriting = rewriter.run([reference], [candidate])
    original = rewriting.original
    tokens = original.lowercased[0]
    candidates = rewriting.candidates
    old = span_tokens(original.tokens, candidates.line, candidates.first, candidates.last)
    new = output_phrases(original, candidates, np.arange(len(candidates)))
    proposals = []
    for proposal, before, after in zip(rewriting, old, new, strict=True):
        substitute = restore_phrase_case(after, before, capitals=reference.isupper())
        sums = tuple(
            None if math.isnan(score) else _sum_score(judge, tokens, proposal, score)
            for judge, score in zip(rewriter.filters, proposal.scores, strict=True)
        )
        proposals.append(ExplainedProposal(proposal, before, substitute, sums))
    return RewriteExplanation(
        reference,
        candidate,
        rewriting.references[0][0],
        _cut_pieces(original),
        tuple(judge.name for judge in rewriter.filters),
        tuple(proposals),
    )


def _sum_score(judge: ContextFilter, tokens: str, proposal: Proposal, score: float) -> ScoreSum | None:
    """The sum behind a filter's score, None if it cannot explain it."""
    span, new = (proposal.first, proposal.last), proposal.new
    if isinstance(judge, PhraseExplainingFilter):
        return ScoreSum.of(judge.explain_phrase(tokens, span, new), score)
    if isinstance(judge, ExplainingFilter) and proposal.first == proposal.last:
        return ScoreSum.of(judge.explain(tokens, proposal.first, new), score)
    return None


def _cut_pieces(original: References) -> tuple[str, ...]:
    """Cut the first line into its tokens and the text before, between and after them."""
    lines, tokens = original.texts.lines, original.tokens
    spans = _native.token_spans(lines.buffer, lines.spans, tokens.buffer, tokens.spans, 1)
    text = lines.buffer.tobytes()
    cuts = [0, *spans.reshape(-1).tolist(), len(text)]
    return tuple(text[first:last].decode() for first, last in itertools.pairwise(cuts))


def _format_score(value: float, what: str) -> str:
    return f"does not know the {what}" if math.isnan(value) else format_signed(value)


def _nan_to_none(value: float) -> float | None:
    return None if math.isnan(value) else value
