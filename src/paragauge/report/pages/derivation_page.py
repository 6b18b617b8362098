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
    details,
    paragraph,
    sortable_table,
    unspoken,
)
from paragauge.text.wording import counted

MOST_ROWS = 200


def render_derivations(
    found: Mapping[str, Derivation], grammar: str, command: str | None = None
) -> str:
    """The page; the keys are titles such as `line 3`.

    >>> from paragauge.grammar.rule import Rule
    >>> from paragauge.grammar.sync_parser import SyncParser
    >>> parser = SyncParser([Rule.parse("[X] ||| a ||| <b>")], ["a"], ["<b>"])
    >>> html = render_derivations({"one pair": parser.derive(0)}, "mine")
    >>> html.count('<svg class="alignment"'), "<b>" in html.split("<main>")[1]
    (1, False)
    """
    if not found:
        raise InputError("expected at least one derivation, got none")
    covered = sum(each.status == "covered" for each in found.values())
    lead = f"{grammar}: {covered} of {counted(len(found), 'pair')} covered"
    sections = [
        Section(f"pair-{number}", title.capitalize(), _pair(each))
        for number, (title, each) in enumerate(found.items(), 1)
    ]
    if command:
        shown = f'<pre class="command"><code>{escape(command)}</code></pre>'
        sections.append(Section("method", "Method", shown))
    return document(
        f"paragauge grammar derive: {grammar}",
        "What derives what",
        lead,
        sections,
        styles=("style.css", "alignment.css", "derivation.css"),
    )


def _pair(found: Derivation) -> str:
    name = escape("Drawing of the pair; scrolls sideways")
    drawing = (
        f'<figure><div class="drawing" role="group" tabindex="0" aria-label="{name}">'
        f"{inline_svg(draw_derivation(found), css='alignment')}</div></figure>"
    )
    texts = "".join(
        f'<dt>{side}</dt><dd dir="auto">{escape(" ".join(words))}</dd>'
        for side, words in _sentences(found)
    )
    rest = _tree(found) if found.roots else _spans(found)
    return f'{_status(found)}<dl class="sentences">{texts}</dl>{drawing}{rest}'


def _sentences(found: Derivation) -> tuple[tuple[str, Sequence[str]], ...]:
    return ("source", found.source), ("target", found.target)


def _status(found: Derivation) -> str:
    if not found.roots:
        return f'<p><span class="bad">{found.status}</span>: {escape(explain_status(found))}.</p>'
    rules, phrases = len(found.nodes), len(found.roots)
    parts = [f"{counted(rules, 'rule')}"]
    parts += [f"{phrases} phrases in a row"] * (phrases > 1)
    parts += [f"cost {found.cost:g}"] * (found.cost > 0)
    return f'<p><span class="good">covered</span>: {", ".join(parts)}.</p>'


def _tree(found: Derivation) -> str:
    numbers = itertools.count()
    items = "".join(_item(found, root, numbers) for root in found.roots)
    return f'<ul class="derivation">{items}</ul>'


def _item(found: Derivation, node: DerivationNode, numbers: Iterator[int]) -> str:
    """A use of a rule, and those below it, with the colors of the drawing: children come first."""
    source, target = found.words(node)
    cost = f'<span class="cost">{node.cost:g}</span>' if node.cost > 0 else ""
    if node.rule is None:
        rule = '<span class="soft">passes through</span>'
    else:
        sides = [_side(side, node, words) for side, words in _sentences(found)]
        rule = f'{sides[0]} <span class="arrow">→</span> {sides[1]}'
    below = "".join(_item(found, child, numbers) for child in node.children)
    sign = Scene(11, 11, "").add(Rect(0, 0, 11, 11, Style(fill=series_color(next(numbers)))))
    words = f"<bdi>{escape(source)}</bdi> ⇒ <bdi>{escape(target) or '∅'}</bdi>"
    # A rule without non-terminals says its words itself.
    whole = f'<span class="words">{words}</span>' if below or node.rule is None else ""
    return (
        f'<li><div class="use">{unspoken(sign, "sign")}<bdi class="label">{escape(node.label)}</bdi>'
        f'<span class="rule">{rule}</span>{cost}{whole}'
        f"</div>{f'<ul>{below}</ul>' if below else ''}</li>"
    )


def _side(side: str, node: DerivationNode, sentence: Sequence[str]) -> str:
    """A side of a rule in the direction of its sentence; labels have their own."""
    shown = [
        escape(text)
        if number is None
        else f'<bdi class="slot">{escape(text)}<sub>{number + 1}</sub></bdi>'
        for text, number in rule_symbols(side, node)
    ]
    return f'<bdi dir="{direction(sentence)}">{" ".join(shown)}</bdi>'


def _words_cell(text: str) -> Cell:
    return Cell(f'<bdi dir="auto">{escape(text)}</bdi>', text, "words")


def _spans(found: Derivation) -> str:
    if found.stopped is not None:
        return ""
    if not found.reached:
        return paragraph("No rule reached any words of both sentences.", "soft")
    rows = [
        [
            Cell.text(each.label),
            Cell(f"{each.source[0]}–{each.source[1]}", each.source[0], "n"),
            _words_cell(found.words(each)[0]),
            Cell(f"{each.target[0]}–{each.target[1]}", each.target[0], "n"),
            _words_cell(found.words(each)[1]),
        ]
        for each in found.reached[:MOST_ROWS]
    ]
    table = sortable_table(["label", "words", "source", "words", "target"], rows)
    left = len(found.reached) - MOST_ROWS
    more = paragraph(f"And {left:,} more.", "soft") if left > 0 else ""
    note = paragraph(
        "Drawn are the largest spans that share no word; dashed words were in none of them.", "soft"
    )
    return note + details(f"Table of {counted(len(found.reached), 'largest span')}", table + more)
