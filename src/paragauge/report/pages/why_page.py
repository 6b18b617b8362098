"""The local page "Why this score?": boxes to type in, and a card for each metric.

The page asks its own server for one card after the other (`why.js`); it loads nothing from elsewhere,
which its Content-Security-Policy enforces. All text from the boxes is escaped on the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from paragauge.report.pages.blocks.document import inline_page
from paragauge.report.pages.blocks.html import details, paragraph
from paragauge.report.pages.explained_words import explained_words
from paragauge.report.pages.explanation_page import STYLES, Explained, whole_explanation
from paragauge.report.pages.marked_words_html import legend, marked_texts

LONGEST = 2_000  # characters of a box
BOXES = (
    ("source", "Source", "The sentence that was reworded, if there is one."),
    ("candidate", "Candidate", "The sentence to score."),
    ("references", "References", "Good answers, one on a line, if there are any."),
)


def why_page(metrics: Sequence[tuple[str, str, bool]], texts: dict[str, str], token: str) -> str:
    """The page; `metrics` are labels with what they need (sources, references, both) and the direction.

    `texts` fills the boxes by name; `token` goes back with every request.

    >>> page = why_page([("bleu", "references", True)], {"candidate": "a <b>"}, "secret")
    >>> "a &lt;b&gt;</textarea>" in page, page.count("<article")
    (True, 1)
    """
    boxes = "".join(
        f'<div class="box"><label for="{name}">{title}</label>'
        f'<textarea id="{name}" name="{name}" rows="{3 if name == "references" else 2}" '
        f'maxlength="{LONGEST}" dir="auto" autocomplete="off" aria-describedby="{name}-help">'
        f'{escape(texts.get(name, ""))}</textarea><p class="soft" id="{name}-help">'
        f"{help_text}</p></div>"
        for name, title, help_text in BOXES
    )
    cards = "".join(
        f'<article class="card" id="card-{number}" data-metric="{escape(label)}" '
        f'data-needs="{escape(needs)}" aria-labelledby="title-{number}" hidden><h2 id="title-{number}">'
        f'{escape(label)}</h2><p class="soft">{"higher" if higher else "lower"} is better</p>'
        '<div class="answer"></div></article>'
        for number, (label, needs, higher) in enumerate(metrics)
    )
    body = (
        '<a class="skip" href="#candidate">Skip to the candidate</a>'
        '<header class="top"><div><h1>Why this score?</h1><p class="lead">Type sentences; every metric '
        "says what it makes of them. Nothing leaves this computer.</p></div>"
        '<button type="button" id="theme" hidden>Theme: system</button></header>'
        f'<main class="why"><form id="texts" data-token="{escape(token)}">{boxes}</form>'
        '<noscript><p class="bad">This page needs JavaScript, which it brings itself.</p></noscript>'
        f"{legend()}"
        '<p id="status" role="status" aria-live="polite" class="soft"></p>'
        f'<div class="cards">{cards}</div><section id="absent" hidden><h2>Not available here</h2>'
        "<ul></ul></section></main>"
    )
    return inline_page(
        "Why this score? - paragauge",
        body,
        scripts=("page.js", "why.js"),
        styles=(*STYLES, "why.css"),
        connects=True,
    )


def why_card(explanations: Sequence[tuple[str, Explained]], prefix: str, note: str = "") -> str:
    """What a card shows of a metric's explanations by title: value, sentences, words, details."""
    shown = f'<p class="bad">{escape(note)}</p>' if note else ""
    for number, (title, explanation) in enumerate(explanations, 1):
        own = f"{prefix}-{number}-"
        value = "-" if explanation.value is None else f"{explanation.value:.2f}"
        heading = f"<h3>{escape(title)}</h3>" if len(explanations) > 1 else ""
        summary = explanation.summary
        sentences = (
            f"{summary.change} {summary.score}"
            if hasattr(summary, "change")
            else f"{summary.texts} {summary.score}"
        )
        shown += (
            f'{heading}<p class="value"><b>{value}</b></p>{paragraph(sentences)}'
            f"{marked_texts(explained_words(explanation), own, with_legend=False)}"
            f"{details('How it is computed', whole_explanation(explanation, own))}"
        )
    return shown
