"""Explanations of scores that compare contextual vectors, as HTML.

The score with its terms, the matches of word pieces drawn from one sentence to the other, and the
shares of words in a cosine. All text from the input is escaped; every drawing has a text alternative
and a table with the same links. `explanation_page` builds the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from paragauge.metrics.context.explanation import ContextExplanation, Matching
from paragauge.metrics.context.piece_words import CutText
from paragauge.metrics.maxsim.explanation import Item, Link, Part
from paragauge.report.drawing.alignment_drawing import LARGE, LONGEST, SMALL, draw_cells
from paragauge.report.drawing.alignment_drawing import Cell as Box
from paragauge.report.drawing.canvas import Scene, shorten
from paragauge.report.drawing.svg import inline_svg
from paragauge.report.pages.blocks.html import Cell, Section, details, paragraph, sortable_table
from paragauge.report.pages.confusion_network_html import level

# Pairs of words that are visible at once.
PAIRS = 20


def context_score(explanation: ContextExplanation) -> str:
    """The score with the sentences and a table of its terms."""
    texts = "".join(
        f'<dt>{role}</dt><dd dir="auto">{escape(text) or "(empty)"}</dd>'
        for role, text in explanation.texts.items()
    )
    value = "-" if explanation.value is None else f"{explanation.value:.2f}"
    note = paragraph(explanation.note, "soft") if explanation.note else ""
    return (
        f'<p class="scored"><b>{value}</b> <span class="soft">{escape(_sum(explanation))}</span></p>'
        f"{paragraph(str(explanation.summary))}"
        f'<dl class="sentences">{texts}</dl>{note}{_term_table(explanation)}'
    )


def context_parts(explanation: ContextExplanation, prefix: str) -> list[Section]:
    """A section for each matching, and for the shares of words; anchors start with `prefix`."""
    sections = [
        Section(
            f"{prefix}{matching.name}", matching.name.capitalize(), _matching(explanation, matching)
        )
        for matching in explanation.matchings
    ]
    if explanation.pairs:
        sections.append(Section(f"{prefix}words", "Words", _words(explanation)))
        sections.append(Section(f"{prefix}pairs", "Pairs of words", _pairs(explanation)))
    inner = explanation.similarity
    if inner is not None:
        note = paragraph(inner.note, "soft") if inner.note else ""
        section = Section(
            f"{prefix}bertscore",
            f"{inner.title}, candidate and {inner.other.role}",
            note + _term_table(inner),
        )
        sections += [section, *context_parts(inner, prefix)]
    return sections


def _sum(explanation: ContextExplanation) -> str:
    """Where the score comes from, in one line."""
    terms = [f"{term.weight:.3f} × {term.value:z.2f} ({term.name})" for term in explanation.terms]
    return f"{explanation.metric} = {' + '.join(terms)}" if terms else explanation.metric


def _term_table(explanation: ContextExplanation) -> str:
    if not explanation.terms:
        return ""
    rows = [
        [
            Cell.text(term.name),
            Cell.number(term.value, "z.2f"),
            Cell.number(term.weight, ".3f"),
            Cell.number(term.adds, "z.2f"),
            Cell.text(term.note, "why"),
        ]
        for term in explanation.terms
    ]
    caption = f"{explanation.metric} is the sum of weight × value over the parts."
    return sortable_table(["part", "value", "weight", "adds", ""], rows, caption=caption)


def _matching(explanation: ContextExplanation, matching: Matching) -> str:
    own, theirs = explanation.sides(matching)
    about = (
        f"{matching.value:.2f}: each piece of the {own.role} with the most similar piece of the "
        f"{theirs.role}, by the cosine of their vectors in layer {explanation.layer}. What they add, "
        "in points, makes up the value."
    )
    name = escape(f"Drawing of the {matching.name}; scrolls sideways")
    drawing = (
        f'<figure><div class="drawing" role="group" tabindex="0" aria-label="{name}">'
        f"{inline_svg(draw_matching(explanation, matching), css='alignment')}</div></figure>"
    )
    table = _match_table(explanation, matching)
    count = len(matching.matches)
    listed = details(f"Table of {count} match{'es' * (count != 1)}", table)
    return paragraph(about, "soft") + drawing + listed


def draw_matching(explanation: ContextExplanation, matching: Matching) -> Scene:
    """The pieces of both texts and a curve from each piece to its partner.

    >>> from paragauge.metrics.context.bertscore import BERTScore
    >>> explanation = BERTScore().explain("A dog", "The dog")
    >>> draw_matching(explanation, explanation.matchings[0]).label[:50]
    'precision: links between 2 of the candidate and 2 '
    """
    forward = matching.name == "precision"
    # Special pieces are drawn only if something is matched with them.
    partners = {match.partner for match in matching.matches}
    own, theirs = explanation.sides(matching)
    ours = range(1, len(own.pieces) - 1)
    others = [
        number
        for number in range(len(theirs.pieces))
        if number in partners or 0 < number < len(theirs.pieces) - 1
    ]
    links = []
    for match in matching.matches:
        ends = ours.index(match.piece), others.index(match.partner)
        candidate, reference = ends if forward else ends[::-1]
        # A curve cannot be thinner than one of cosine 0.
        weight = min(max(match.cosine, 0.0), 1.0)
        links.append(Link(matching.name, candidate, reference, weight, f"adds {match.adds:.2f} points"))
    sides = [(own, list(ours)), (theirs, others)]
    first, second = sides if forward else sides[::-1]
    boxes = [_boxes(*first), _boxes(*second)]
    items = [tuple(Item((text.label(i),)) for i in numbers) for text, numbers in (first, second)]
    part = Part(
        matching.name,
        matching.name,
        matching.value,
        1.0,
        candidate_items=items[0],
        reference_items=items[1],
        links=tuple(links),
    )
    return draw_cells(part, boxes, boxes, (explanation.candidate.role, explanation.other.role))


def _boxes(text: CutText, numbers: Sequence[int]) -> list[Box]:
    """A box for each piece, with its word as a note if that is longer."""
    boxes = []
    for number in numbers:
        piece = text.pieces[number]
        word = piece.text if piece.word is None else text.words[piece.word].text
        notes = (shorten(word, LONGEST, SMALL),) if word != piece.text else ()
        boxes.append(Box((shorten(piece.text, LONGEST, LARGE),), notes))
    return boxes


def _match_table(explanation: ContextExplanation, matching: Matching) -> str:
    own, theirs = explanation.sides(matching)
    weighted = explanation.is_weighted
    rows = [
        [
            Cell.number(match.piece, "d"),
            Cell.text(own.label(match.piece), "words"),
            Cell.number(match.partner, "d"),
            Cell.text(theirs.label(match.partner), "words"),
            Cell.number(match.cosine, ".3f"),
            *([Cell.number(match.weight, ".3f")] if weighted else []),
            Cell.number(match.adds, "z.2f"),
        ]
        for match in matching.matches
    ]
    header = ["no.", own.role, "no.", theirs.role, "cosine", *["idf"] * weighted, "adds"]
    return sortable_table(header, rows)


def _words(explanation: ContextExplanation) -> str:
    about = "What each word adds to the cosine, in points. The words of either sentence add up to it."
    tables = ""
    for text in (explanation.candidate, explanation.other):
        shares = explanation.word_shares(text.role)
        largest = max(abs(share) for _, share in shares)
        rows = [
            [
                Cell.number(place, "d"),
                Cell.text(explanation.word_text(text, number), "words"),
                Cell.number(share, "z.2f"),
                Cell(level(share / largest)),
            ]
            for place, (number, share) in enumerate(shares, 1)
        ]
        tables += sortable_table(["no.", text.role, "adds", ""], rows)
    return paragraph(about, "soft") + tables


def _pairs(explanation: ContextExplanation) -> str:
    shown, rest = explanation.pairs[:PAIRS], explanation.pairs[PAIRS:]
    rows = []
    for pair in shown:
        ours, theirs = explanation.pair_text(pair)
        rows.append(
            [Cell.text(ours, "words"), Cell.text(theirs, "words"), Cell.number(pair.adds, "z.2f")]
        )
    table = sortable_table(["candidate", explanation.other.role, "adds"], rows)
    more = f"{len(rest):,} more pairs add {sum(pair.adds for pair in rest):.2f}." if rest else ""
    return table + (paragraph(more, "soft") if more else "")
