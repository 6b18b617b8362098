"""Derivations of sentence pairs as one HTML page: a drawing, and the tree of rules as nested lists.

All text from the input is escaped; the lists say in words what the drawing shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from paragauge.errors import InputError
from paragauge.grammar.derivation import Derivation, DerivationNode, explain_status, rule_symbols
from paragauge.report.drawing.canvas import Rect, Scene, Style, series_color
from paragauge.report.drawing.derivation_drawing import direction, draw_derivation
from paragauge.report.drawing.svg import inline_svg
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    decorative_svg,
    details,
    paragraph,
    sortable_table,
)
from paragauge.text.wording import pluralize

MOST_ROWS = 200


def render_derivations(
    derivations: Mapping[str, Derivation], grammar: str, command: str | None = None
) -> str:
    """The page; the keys are titles such as `line 3`.

    >>> from paragauge.grammar.rule import Rule
    >>> from paragauge.grammar.sync_parser import SyncParser
    >>> parser = SyncParser([Rule.parse("[X] ||| a ||| <b>")], ["a"], ["<b>"])
    >>> html = render_derivations({"one pair": parser.derive(0)}, "mine")
    >>> html.count('<svg class="alignment"'), "<b>" in html.split("<main>")[1]
    (1, False)
    """
    if not derivations:
        raise InputError("expected at least one derivation, found none")
    covered = sum(derivation.status == "covered" for derivation in derivations.values())
    lead = f"{grammar}: {covered} of {pluralize(len(derivations), 'pair')} covered"
    sections = [
        Section(f"pair-{number}", title.capitalize(), pair_html(derivation))
        for number, (title, derivation) in enumerate(derivations.items(), 1)
    ]
    if command:
        code = f'<pre class="command"><code>{escape(command)}</code></pre>'
        sections.append(Section("method", "Method", code))
    return document(
        f"paragauge grammar derive: {grammar}",
        "What derives what",
        lead,
        sections,
        styles=("style.css", "alignment.css", "derivation.css"),
    )


def pair_html(derivation: Derivation) -> str:
    """A pair with its drawing, and the tree of rules or the largest spans, as HTML."""
    name = escape("Drawing of the pair; scrolls sideways")
    drawing = (
        f'<figure><div class="drawing" role="group" tabindex="0" aria-label="{name}">'
        f"{inline_svg(draw_derivation(derivation), css='alignment')}</div></figure>"
    )
    texts = "".join(
        f'<dt>{side}</dt><dd dir="auto">{escape(" ".join(words))}</dd>'
        for side, words in _sentences(derivation)
    )
    rest = _tree(derivation) if derivation.roots else _spans(derivation)
    return f'{_status(derivation)}<dl class="sentences">{texts}</dl>{drawing}{rest}'


def _sentences(derivation: Derivation) -> tuple[tuple[str, Sequence[str]], ...]:
    return ("source", derivation.source), ("target", derivation.target)


def _status(derivation: Derivation) -> str:
    if not derivation.roots:
        reason = escape(explain_status(derivation))
        return f'<p><span class="bad">{derivation.status}</span>: {reason}.</p>'
    rules, phrases = len(derivation.nodes), len(derivation.roots)
    parts = [f"{pluralize(rules, 'rule')}"]
    parts += [f"{phrases} phrases in a row"] * (phrases > 1)
    parts += [f"cost {derivation.cost:g}"] * (derivation.cost != 0)
    return f'<p><span class="good">covered</span>: {", ".join(parts)}.</p>'


def _tree(derivation: Derivation) -> str:
    numbers = itertools.count()
    items = "".join(_item(derivation, root, numbers) for root in derivation.roots)
    return f'<ul class="derivation">{items}</ul>'


def _item(derivation: Derivation, node: DerivationNode, numbers: Iterator[int]) -> str:
    """A use of a rule and those below it, in the colors of the drawing, which draws children first."""
    source, target = derivation.words(node)
    cost = f'<span class="cost">{node.cost:g}</span>' if node.cost != 0 else ""
    if node.rule is None:
        rule = '<span class="soft">passes through</span>'
    else:
        sides = [_side(side, node, words) for side, words in _sentences(derivation)]
        rule = f'{sides[0]} <span class="arrow">→</span> {sides[1]}'
    below = "".join(_item(derivation, child, numbers) for child in node.children)
    sign = Scene(11, 11, "").add(Rect(0, 0, 11, 11, Style(fill=series_color(next(numbers)))))
    words = f"<bdi>{escape(source)}</bdi> ⇒ <bdi>{escape(target) or '∅'}</bdi>"
    # A rule without non-terminals already shows its words.
    whole = f'<span class="words">{words}</span>' if below or node.rule is None else ""
    return (
        f'<li><div class="use">{decorative_svg(sign, "sign")}'
        f'<bdi class="label">{escape(node.label)}</bdi><span class="rule">{rule}</span>{cost}{whole}'
        f"</div>{f'<ul>{below}</ul>' if below else ''}</li>"
    )


def _side(side: str, node: DerivationNode, sentence: Sequence[str]) -> str:
    """A side of a rule in the direction of its sentence; labels have their own."""
    parts = [
        escape(text)
        if number is None
        else f'<bdi class="slot">{escape(text)}<sub>{number + 1}</sub></bdi>'
        for text, number in rule_symbols(side, node)
    ]
    return f'<bdi dir="{direction(sentence)}">{" ".join(parts)}</bdi>'


def _words_cell(text: str) -> Cell:
    return Cell(f'<bdi dir="auto">{escape(text)}</bdi>', text, "words")


def _spans(derivation: Derivation) -> str:
    if derivation.stopped is not None:
        return ""
    if not derivation.reached:
        return paragraph("No rule reached any words of both sentences.", "soft")
    rows = [
        [
            Cell.text(span.label),
            Cell(f"{span.source[0]}–{span.source[1]}", span.source[0], "n"),
            _words_cell(derivation.words(span)[0]),
            Cell(f"{span.target[0]}–{span.target[1]}", span.target[0], "n"),
            _words_cell(derivation.words(span)[1]),
        ]
        for span in derivation.reached[:MOST_ROWS]
    ]
    table = sortable_table(["label", "words", "source", "words", "target"], rows)
    left = len(derivation.reached) - MOST_ROWS
    more = paragraph(f"And {left:,} more.", "soft") if left > 0 else ""
    note = paragraph(
        "The drawing shows the largest spans that share no word; dashed words are in none of them.",
        "soft",
    )
    return note + details(
        f"Table of {pluralize(len(derivation.reached), 'largest span')}", table + more
    )
