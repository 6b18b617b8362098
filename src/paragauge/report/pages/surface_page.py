"""Explanations of metrics of surface forms as HTML: n-grams kept, new and missing; edits.

All text from the input is escaped. `explanation_page` builds the page.
"""

from __future__ import annotations

from html import escape

from paragauge.metrics.surface.edit_explanation import NAMES, EditExplanation
from paragauge.metrics.surface.ngram_explanation import GramOrder, GramPart, NgramExplanation
from paragauge.report.pages.blocks.html import Cell, Section, details, paragraph, sortable_table
from paragauge.report.pages.marked_words_html import marked_texts

KINDS = ("kept", "new", "missing")
FEW, MOST = 12, 300  # n-grams of a kind that are visible at once, and that a click opens


def ngram_score(explanation: NgramExplanation, prefix: str) -> str:
    """The score with the words of the texts and what it is made of."""
    value = "-" if explanation.value is None else f"{explanation.value:.2f}"
    table = ""
    if explanation.factors:
        rows = [
            [
                Cell.text(factor.name),
                Cell.number(factor.value, "z.2f"),
                Cell.text(factor.note, "soft why"),
            ]
            for factor in explanation.factors
        ]
        table = sortable_table(["part", "value", ""], rows)
    return (
        f'<p class="scored"><b>{value}</b> <span class="soft">{escape(explanation.metric)}</span></p>'
        f"{paragraph(str(explanation.summary))}{marked_texts(explanation.words, prefix)}{table}"
    )


def ngram_parts(explanation: NgramExplanation, prefix: str) -> list[Section]:
    """A section for each comparison; their anchors start with `prefix`."""
    return [
        Section(
            f"{prefix}ngrams-{number}",
            f"{part.name} with the {part.other}: {part.value:.2f}",
            _orders(part),
        )
        for number, part in enumerate(explanation.parts, 1)
    ]


def _orders(part: GramPart) -> str:
    if not part.orders:
        return paragraph("Neither text has any words.")
    rows = []
    for order in part.orders:
        numbers = [Cell.number(getattr(order, kind), "d") for kind in KINDS]
        worths = [
            Cell.number(getattr(order, f"{kind}_worth"), "+.2f") if getattr(order, kind) else Cell("")
            for kind in KINDS
        ]
        rows.append([Cell.text(order.title), *numbers, *worths])
    header = ["length", *KINDS, *(f"one {kind}" for kind in KINDS)]
    caption = (
        "Runs of words or characters in both texts (kept), in the candidate alone (new) and in the "
        "other alone (missing), and the points of the score that one of them adds (+) or costs (-)."
    )
    listed = "".join(_listed(order) for order in part.orders)
    return sortable_table(header, rows, caption=caption) + listed


def _listed(order: GramOrder) -> str:
    lists = ""
    for kind in KINDS:
        grams = order.listed(kind)
        heading = f'<h4>{kind} <span class="n">{sum(number for _, number in grams)}</span></h4>'
        texts = [
            f'<span class="item"><bdi>{escape(text)}</bdi>{f" ×{number}" if number > 1 else ""}</span>'
            for text, number in grams[:MOST]
        ]
        shown = " ".join(texts[:FEW]) or '<span class="soft">None.</span>'
        more = details(f"{len(texts) - FEW} more", " ".join(texts[FEW:])) if len(texts) > FEW else ""
        rest = len(grams) - MOST
        more += paragraph(f"… {rest:,} more; --format json has all", "soft") if rest > 0 else ""
        lists += f"<div>{heading}<p>{shown}</p>{more}</div>"
    return f'<h3>{escape(order.title)}</h3><div class="grams runs">{lists}</div>'


def edit_score(explanation: EditExplanation, prefix: str) -> str:
    """The rate with the words of both texts and the number of each kind of edit."""
    counts = [
        [Cell.text(kind), Cell.number(number, "d")] for kind, number in explanation.counts.items()
    ]
    counts.append([Cell.text("words of the reference"), Cell.number(len(explanation.reference), "d")])
    return (
        f'<p class="scored"><b>{explanation.value:.2f}</b> <span class="soft">'
        f"{escape(explanation.metric)}, lower is better</span></p>"
        f"{paragraph(str(explanation.summary))}{marked_texts(explanation.words, prefix)}"
        f"{sortable_table(['edits', 'number'], counts)}"
    )


def edit_parts(explanation: EditExplanation, prefix: str) -> list[Section]:
    """A section for the shifts and one for the steps."""
    sections = []
    if explanation.shifts:
        rows = [
            [
                Cell.number(number, "d"),
                Cell.text(" ".join(shift.words), "words"),
                Cell.number(shift.start + 1, "d"),
                Cell.number(shift.target + 1, "d"),
            ]
            for number, shift in enumerate(explanation.shifts, 1)
        ]
        table = sortable_table(["no.", "words", "from word", "to word"], rows)
        sections.append(Section(f"{prefix}shifts", "Shifts, one after the other", table))
    if explanation.steps:
        steps = [
            [
                Cell.number(number, "d"),
                Cell.text(NAMES[step.edit]),
                *(Cell.text(word, "words") for word in explanation.step_words(step)),
            ]
            for number, step in enumerate(explanation.steps, 1)
        ]
        table = sortable_table(["no.", "step", "candidate", "reference"], steps)
        sections.append(Section(f"{prefix}steps", "Steps from left to right", table))
    return sections
