"""Rewritten references as one HTML page: the sentences, and a table of proposals with reasons.

All text from the input is escaped, and each piece is isolated, so that right-to-left scripts do not
disturb the text around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isnan

from paragauge.errors import InputError
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import Cell, Section, paragraph, sortable_table
from paragauge.rewrite.explanation import ExplainedProposal, Reason, RewriteExplanation
from paragauge.text.wording import format_signed, pluralize

MOST_REASONS = 6
VERDICT_STYLES = {"accepted": "good", "refused": "bad", "unknown": "soft", "outdone": "soft"}


def render_rewriting(
    explanations: Mapping[str, RewriteExplanation],
    signature: Mapping[str, str],
    command: str | None = None,
) -> str:
    """The page; the keys are titles such as `line 3`.

    >>> from paragauge.rewrite.explanation import explain
    >>> from paragauge.rewrite.rewriter import Rewriter
    >>> why = explain(Rewriter(), "It is <hard>.", "It is difficult.")
    >>> html = render_rewriting({"one": why}, Rewriter().signature)
    >>> "<hard>" in html, html.count("<mark")
    (False, 2)
    """
    if not explanations:
        raise InputError("expected at least one rewritten reference, found none")
    proposals = [explanation for one in explanations.values() for explanation in one.proposals]
    accepted = sum(explanation.proposal.verdict == "accepted" for explanation in proposals)
    lead = (
        f"{pluralize(len(explanations), 'reference')}: {accepted} of "
        f"{pluralize(len(proposals), 'proposed substitution')} accepted"
    )
    sections = [
        Section(f"reference-{number}", title.capitalize(), _reference(explanation))
        for number, (title, explanation) in enumerate(explanations.items(), 1)
    ]
    facts = "|".join(f"{key}:{value}" for key, value in signature.items())
    method = f"<p><code>{escape(facts)}</code></p>"
    if command:
        method += f'<pre class="command"><code>{escape(command)}</code></pre>'
    sections.append(Section("method", "Method", method))
    return document(
        "paragauge rewrite explain",
        "What was reworded, and why",
        lead,
        sections,
        styles=("style.css", "alignment.css", "rewrite.css"),
    )


def _reference(explanation: RewriteExplanation) -> str:
    accepted = [
        explained for explained in explanation.proposals if explained.proposal.verdict == "accepted"
    ]
    rows = (
        ("reference", _mark_changes(explanation.pieces, accepted, new=False)),
        ("candidate", escape(explanation.candidate)),
        ("rewritten", _mark_changes(explanation.pieces, accepted, new=True)),
    )
    texts = "".join(f'<dt>{name}</dt><dd dir="auto">{text}</dd>' for name, text in rows)
    sentences = f'<dl class="sentences">{texts}</dl>'
    if not explanation.proposals:
        return sentences + paragraph("No substitution was proposed.")
    phrases = any(explained.proposal.probability is not None for explained in explanation.proposals)
    head = ["token", "word", "substitute", "verdict", *["probability"] * phrases, *explanation.filters]
    reasons = any(own for explained in explanation.proposals for own in explained.reasons)
    table = [_row(explained, phrases, reasons) for explained in explanation.proposals]
    return sentences + sortable_table([*head, *["strongest reasons"] * reasons], table, css="proposals")


def _mark_changes(pieces: Sequence[str], accepted: Sequence[ExplainedProposal], *, new: bool) -> str:
    """The text with the replaced words marked, or with their substitutes; in reading order.

    Token i is piece 2i + 1, between the text before it and the text after it.
    """
    parts, at = [], 0
    for explained in accepted:
        start, stop = 2 * explained.proposal.first + 1, 2 * explained.proposal.last + 2
        parts.append(escape("".join(pieces[at:start])))
        parts.append(f"<mark>{escape(explained.new if new else ''.join(pieces[start:stop]))}</mark>")
        at = stop
    return "".join([*parts, escape("".join(pieces[at:]))])


def _row(explained: ExplainedProposal, phrases: bool, reasons: bool) -> list[Cell]:
    verdict = explained.proposal.verdict
    first, last = explained.proposal.first + 1, explained.proposal.last + 1
    cells = [
        Cell(str(first) if first == last else f"{first}-{last}", first, "n"),
        _isolated_cell(explained.old),
        _isolated_cell(explained.new),
        Cell(f'<span class="{VERDICT_STYLES[verdict]}">{verdict}</span>', verdict),
        *[Cell.number(explained.proposal.probability, ".3f")] * phrases,
        *(
            Cell("" if isnan(score) else format_signed(score), score, "n")
            for score in explained.proposal.scores
        ),
    ]
    if reasons:
        cells.append(
            Cell(
                "; ".join(
                    map(_reason, [one for own in explained.reasons for one in own][:MOST_REASONS])
                )
            )
        )
    return cells


def _isolated_cell(word: str) -> Cell:
    return Cell(f"<bdi>{escape(word)}</bdi>", word)


def _reason(reason: Reason) -> str:
    return f"<bdi>{escape(reason.words)}</bdi> ({escape(reason.place)}) {format_signed(reason.weight)}"
