"""Rewritten references as one HTML page: the sentences, a table of proposals, and the sums behind them.

A sum has a line for the evidence for a substitution, one against it, and one for each other term, and
ends with the total and the threshold. No table is wider than the page: names of filters are short in
the table, in full above their sums, and evidence wraps.

All text from the input is escaped, and each piece is isolated, so that right-to-left scripts do not
disturb the text around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import fsum, isnan

from paragauge.errors import InputError
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import Cell, Section, paragraph, sortable_table
from paragauge.rewrite.explanation import ExplainedProposal, RewriteExplanation
from paragauge.rewrite.score_sum import TOTAL, Reason, ScoreSum
from paragauge.text.wording import format_signed, pluralize

MOST_REASONS = 8  # of one line of a sum
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
    kinds = [name.partition("-")[0] for name in explanation.filters]
    head = ["token", "word", "substitute", "verdict", *["probability"] * phrases, *kinds]
    table = [_row(explained, phrases, kinds) for explained in explanation.proposals]
    sums = "".join(_sums(explained, explanation.filters) for explained in explanation.proposals)
    return sentences + sortable_table(head, table, css="proposals") + sums


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


def _sums(explained: ExplainedProposal, filters: Sequence[str]) -> str:
    """The sums of all filters that explain a proposal, under its words and verdict."""
    parts = [
        f'<h4><code>{escape(name)}</code></h4><table class="sum">{_sum_rows(own)}</table>'
        for name, own in zip(filters, explained.sums, strict=True)
        if own is not None
    ]
    if not parts:
        return ""
    verdict = explained.proposal.verdict
    title = (
        f"<h3><bdi>{escape(explained.old)}</bdi> → <bdi>{escape(explained.new)}</bdi>: "
        f'<span class="{VERDICT_STYLES[verdict]}">{verdict}</span></h3>'
    )
    return f'<div class="decision">{title}{"".join(parts)}</div>'


def _sum_rows(own: ScoreSum) -> str:
    rows = [(line.title, line.value, _evidence(line.reasons)) for line in own.lines]
    style = "good" if own.is_accepted else "bad"
    rows.append((TOTAL, own.total, f'<span class="{style}">{escape(own.verdict)}</span>'))
    return "".join(
        f'<tr><th scope="row"><bdi>{escape(title)}</bdi></th><td class="n">{format_signed(value)}</td>'
        f"<td>{text}</td></tr>"
        for title, value, text in rows
    )


def _evidence(reasons: Sequence[Reason]) -> str:
    """The strongest reasons, and the sum of the others."""
    items = [f"<li>{_reason(reason)}</li>" for reason in reasons[:MOST_REASONS]]
    if rest := reasons[MOST_REASONS:]:
        weight = format_signed(fsum(reason.weight for reason in rest))
        items.append(f"<li>{len(rest)} more <b>{weight}</b></li>")
    return f'<ul class="evidence">{"".join(items)}</ul>' if items else ""


def _row(explained: ExplainedProposal, phrases: bool, kinds: Sequence[str]) -> list[Cell]:
    verdict = explained.proposal.verdict
    first, last = explained.proposal.first + 1, explained.proposal.last + 1
    place = str(first) if first == last else f"{first}-{last}"
    probability = explained.proposal.probability
    chance = "" if probability is None else f"{probability:.3f}"
    return [
        Cell(_labeled("token", place), first, "n"),
        _isolated_cell(explained.old),
        _isolated_cell(explained.new),
        Cell(f'<span class="{VERDICT_STYLES[verdict]}">{verdict}</span>', verdict),
        *[Cell(_labeled("probability", chance), probability, "n")] * phrases,
        *(
            Cell(_labeled(kind, "" if isnan(score) else format_signed(score)), score, "n")
            for kind, score in zip(kinds, explained.proposal.scores, strict=True)
        ),
    ]


def _labeled(name: str, text: str) -> str:
    """A cell with its heading, which only phones show: they have no room for columns."""
    return f'<span class="kind">{escape(name)} </span>{text}' if text else ""


def _isolated_cell(word: str) -> Cell:
    return Cell(f"<bdi>{escape(word)}</bdi>", word)


def _reason(reason: Reason) -> str:
    return (
        f'<bdi>{escape(reason.words)}</bdi> <span class="soft">{escape(reason.place)}</span> '
        f"<b>{format_signed(reason.weight)}</b>"
    )
