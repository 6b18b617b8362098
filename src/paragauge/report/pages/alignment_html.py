"""Explanations of MAXSIM scores as HTML: the score, and each part with its alignment drawn.

All text from the input is escaped; every drawing has a text alternative and a table with the same
links. `explanation_page` builds the page.
"""

from __future__ import annotations

from html import escape

from paragauge.metrics.maxsim.explanation import Explanation, Item, Part, format_count, format_number
from paragauge.report.drawing.alignment_drawing import draw_part
from paragauge.report.drawing.alignment_styles import swatch
from paragauge.report.drawing.svg import inline_svg
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    decorative_svg,
    details,
    paragraph,
    sortable_table,
)

MEANINGS = {
    "tag": "lemmas and tags equal",
    "lemma": "lemmas equal",
    "graph": "the heaviest matching of the rest",
    "soft": "similar words, by degree",
    "exact": "the same word",
    "stem": "the same stem",
    "synonym": "synonyms",
}
# The meaning of a phase if it is the only one.
ALONE = MEANINGS | {"graph": "the heaviest matching"}
MOST_OPEN = 12  # items without a link that are shown at once


def alignment_score(explanation: Explanation) -> str:
    """The score with the sentences, a table of the parts and a legend."""
    texts = "".join(
        f'<dt>{side}</dt><dd dir="auto">{escape(text)}</dd>'
        for side, text in (
            ("candidate", explanation.candidate_text),
            (explanation.other, explanation.reference_text),
        )
    )
    return (
        f'<p class="scored"><b>{format_number(explanation.value)}</b> <span class="soft">'
        f"{escape(_sum(explanation))}</span></p>{paragraph(str(explanation.summary))}"
        f'<dl class="sentences">{texts}</dl>'
        f"{_part_table(explanation)}{_legend(explanation)}"
    )


def _sum(explanation: Explanation) -> str:
    """Where the score comes from, in one line."""
    counting = [part for part in explanation.parts if part.weight > 0]
    if not counting:
        any_part = any(part.exists for part in explanation.parts)
        reason = (
            "no part that exists has a weight" if any_part else "neither sentence has anything to match"
        )
        return f"{explanation.metric}: {reason}"
    terms = [f"{part.weight:.3f} × {part.value or 0:.2f} ({part.title})" for part in counting]
    return f"{explanation.metric} = {' + '.join(terms)}"


def _part_table(explanation: Explanation) -> str:
    rows = []
    for part in explanation.parts:
        numbers = (part.value, part.precision, part.recall)
        rows.append(
            [
                Cell.text(part.title),
                Cell.number(part.weight, ".3f"),
                *(Cell(format_number(number), number, "n") for number in numbers),
                *(
                    Cell(format_count(number), number, "n")
                    for number in (part.match, part.candidate, part.reference)
                ),
                Cell.text(part.note, "soft why"),
            ]
        )
    header = ["part", "weight", "F", "P", "R", "match", "candidate", explanation.other, ""]
    return sortable_table(header, rows, caption="The score is the sum of weight × F over the parts.")


def _legend(explanation: Explanation) -> str:
    phases = dict.fromkeys(link.phase for part in explanation.parts for link in part.links)
    lines = [
        f"<li>{_sample(phase)}<b>{phase}</b>{MEANINGS[phase] if len(phases) > 1 else ALONE[phase]}</li>"
        for phase in MEANINGS
        if phase in phases
    ]
    lines.append("<li><b>0.50</b>weight of a link, if less than 1</li>")
    lines.append("<li><b>dashed frame</b>matched with nothing</li>")
    return f'<ul class="legend">{"".join(lines)}</ul>'


def _sample(phase: str) -> str:
    return decorative_svg(swatch(phase), "sample")


def alignment_parts(explanation: Explanation, prefix: str) -> list[Section]:
    """A section for each part with items; their anchors start with `prefix`."""
    return [
        Section(f"{prefix}{part.name.lower()}", part.title.capitalize(), _part(explanation, part))
        for part in explanation.parts
        if part.candidate_items or part.reference_items
    ]


def _part(explanation: Explanation, part: Part) -> str:
    scene = draw_part(part, explanation.candidate, explanation.reference)
    name = escape(f"Drawing of the {part.title}; scrolls sideways")
    drawing = (
        f'<figure><div class="drawing" role="group" tabindex="0" aria-label="{name}">'
        f"{inline_svg(scene, css='alignment')}</div></figure>"
    )
    facts = (
        f"F {format_number(part.value)}, P {format_number(part.precision)}, "
        f"R {format_number(part.recall)}: matched {format_count(part.match)} of "
        f"{format_count(part.candidate)} in the candidate and {format_count(part.reference)} in the "
        f"{part.other}."
    )
    sides = zip(
        ("candidate", part.other),
        part.unmatched,
        (part.candidate_items, part.reference_items),
        strict=True,
    )
    rest = "".join(
        _unmatched_items(side, [items[i] for i in numbers]) for side, numbers, items in sides if numbers
    )
    count = len(part.links)
    table = _link_table(part) if count else ""
    listed = details(f"Table of {count} link{'s' * (count != 1)}", table) if count else ""
    return paragraph(facts, "soft") + drawing + rest + listed


def _unmatched_items(side: str, items: list[Item]) -> str:
    listed = " ".join(f'<bdi class="item">{escape(_text(item))}</bdi>' for item in items)
    if len(items) > MOST_OPEN:
        return details(f"Unmatched in the {side}: {len(items)}", f'<p class="unmatched">{listed}</p>')
    return f'<p class="unmatched"><span class="soft">Unmatched in the {side}:</span> {listed}</p>'


def _text(item: Item) -> str:
    return f" ← {item.relation} – ".join(item.words) if item.relation else " ".join(item.words)


def _link_table(part: Part) -> str:
    soft = any(link.similarity is not None for link in part.links)
    rows = []
    for link in part.links:
        mine, theirs = part.candidate_items[link.candidate], part.reference_items[link.reference]
        rows.append(
            [
                Cell(_sample(link.phase) + link.phase, link.phase),
                Cell.number(link.candidate + 1, "d"),
                Cell.text(_text(mine), "words"),
                Cell.number(link.reference + 1, "d"),
                Cell.text(_text(theirs), "words"),
                *([Cell.number(link.similarity, ".3f")] if soft else []),
                Cell.number(link.weight, ".3f"),
                Cell.text(link.why, "why"),
            ]
        )
    header = ["phase", "no.", "candidate", "no.", part.other, *["similarity"] * soft, "weight", "why"]
    return sortable_table(header, rows)
