"""Rewritten references as one HTML page: the sentences, and a table of proposals with reasons.

All text from the input is escaped, and each piece of it is isolated, so that scripts that run from
right to left do not disturb what stands around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isnan

from paragauge.errors import InputError
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import Cell, Section, paragraph, sortable_table
from paragauge.rewrite.explanation import ExplainedProposal, Reason, RewriteExplanation
from paragauge.text.wording import counted, signed

MOST_REASONS = 6
VERDICT_STYLES = {"accepted": "good", "refused": "bad", "unknown": "soft", "outdone": "soft"}


def render_rewriting(
    found: Mapping[str, RewriteExplanation], signature: Mapping[str, str], command: str | None = None
) -> str:
    """The page; the keys are titles such as `line 3`.

    >>> from paragauge.rewrite.explanation import explain
    >>> from paragauge.rewrite.rewriter import Rewriter
    >>> why = explain(Rewriter(), "It is <hard>.", "It is difficult.")
    >>> html = render_rewriting({"one": why}, Rewriter().signature)
    >>> "<hard>" in html, html.count("<mark")
    (False, 2)
    """
    if not found:
        raise InputError("expected at least one rewritten reference, got none")
    proposals = [each for one in found.values() for each in one.proposals]
    accepted = sum(each.proposal.verdict == "accepted" for each in proposals)
    lead = (
        f"{counted(len(found), 'reference')}: {accepted} of "
        f"{counted(len(proposals), 'proposed substitution')} accepted"
    )
    sections = [
        Section(f"reference-{number}", title.capitalize(), _reference(each))
        for number, (title, each) in enumerate(found.items(), 1)
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


def _reference(found: RewriteExplanation) -> str:
    accepted = [each for each in found.proposals if each.proposal.verdict == "accepted"]
    rows = (
        ("reference", _marked(found.pieces, accepted, new=False)),
        ("candidate", escape(found.candidate)),
        ("rewritten", _marked(found.pieces, accepted, new=True)),
    )
    texts = "".join(f'<dt>{name}</dt><dd dir="auto">{text}</dd>' for name, text in rows)
    sentences = f'<dl class="sentences">{texts}</dl>'
    if not found.proposals:
        return sentences + paragraph("No substitution was proposed.")
    phrases = any(each.proposal.probability is not None for each in found.proposals)
    head = ["token", "word", "substitute", "verdict", *["probability"] * phrases, *found.filters]
    reasons = any(own for each in found.proposals for own in each.reasons)
    table = [_row(each, phrases, reasons) for each in found.proposals]
    return sentences + sortable_table([*head, *["strongest reasons"] * reasons], table, css="proposals")


def _marked(pieces: Sequence[str], accepted: Sequence[ExplainedProposal], *, new: bool) -> str:
    """The text with what is replaced marked, or with what is put in its place; in reading order.

    Token i is piece 2i + 1, between the text before it and the text after it.
    """
    parts, at = [], 0
    for each in accepted:
        start, stop = 2 * each.proposal.first + 1, 2 * each.proposal.last + 2
        parts.append(escape("".join(pieces[at:start])))
        parts.append(f"<mark>{escape(each.new if new else ''.join(pieces[start:stop]))}</mark>")
        at = stop
    return "".join([*parts, escape("".join(pieces[at:]))])


def _row(each: ExplainedProposal, phrases: bool, reasons: bool) -> list[Cell]:
    verdict = each.proposal.verdict
    first, last = each.proposal.first + 1, each.proposal.last + 1
    cells = [
        Cell(str(first) if first == last else f"{first}-{last}", first, "n"),
        _isolated(each.old),
        _isolated(each.new),
        Cell(f'<span class="{VERDICT_STYLES[verdict]}">{verdict}</span>', verdict),
        *[Cell.number(each.proposal.probability, ".3f")] * phrases,
        *(Cell("" if isnan(score) else signed(score), score, "n") for score in each.proposal.scores),
    ]
    if reasons:
        cells.append(
            Cell("; ".join(map(_reason, [one for own in each.reasons for one in own][:MOST_REASONS])))
        )
    return cells


def _isolated(word: str) -> Cell:
    return Cell(f"<bdi>{escape(word)}</bdi>", word)


def _reason(reason: Reason) -> str:
    return f"<bdi>{escape(reason.words)}</bdi> ({escape(reason.place)}) {signed(reason.weight)}"
