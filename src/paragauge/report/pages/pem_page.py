"""Explanations of PEM scores as HTML: the score with its parts, and what each is made of.

All text from the input is escaped; every bar has its number beside it. `explanation_page` builds the
page.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.explanation_parts import FluencyView, Gram, Overlap, PivotView, Token
from paragauge.report.drawing.canvas import Rect, Scene, Style
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    decorative_svg,
    details,
    paragraph,
    sortable_table,
)
from paragauge.report.pages.confusion_network_html import level, mark, network
from paragauge.report.pages.pem_influences import influences

FEW, MOST = 10, 300  # n-grams that are visible at once, and that a click opens
TALL, SURPRISE = 56.0, 4.0  # a bar of a token, and the -log10 P that fills it at least


def pem_score(explanation: PEMExplanation) -> str:
    """The score with the sentences and the three parts."""
    low, high = explanation.scale
    texts = "".join(
        f'<dt>{side}</dt><dd dir="auto">{escape(text) or "(empty)"}</dd>'
        for side, text in (
            ("source", explanation.source_text),
            ("candidate", explanation.candidate_text),
        )
    )
    return (
        f'<p class="scored"><b>{explanation.value:.2f}</b> <span class="soft">of 100: a rating of '
        f"{explanation.rating:.2f} on the scale from {low:g} to {high:g}</span></p>"
        f"{paragraph(f'{explanation.summary.change} {explanation.summary.score}')}"
        f'<dl class="sentences">{texts}</dl><div class="tiles">{_tiles(explanation)}</div>'
        f"{_measure_table(explanation)}"
    )


def pem_parts(explanation: PEMExplanation, prefix: str) -> list[Section]:
    """A section for the influences, each pivot language, the wording and the fluency."""
    pivots = [
        Section(f"{prefix}pivot-{number}", f"Pivot language: {pivot.language}", _pivot(pivot))
        for number, pivot in enumerate(explanation.pivots, 1)
    ]
    return [
        Section(f"{prefix}influence", "What the rating depends on", influences(explanation)),
        *pivots,
        Section(f"{prefix}wording", "Wording", _wording(explanation)),
        *(
            []
            if explanation.fluency is None
            else [Section(f"{prefix}fluency", "Fluency", _fluency(explanation.fluency))]
        ),
    ]


def _tiles(explanation: PEMExplanation) -> str:
    if explanation.fluency is None:
        return _tile_list(_learned_tiles(explanation))
    fluency = explanation.fluency
    count, unknown = len(fluency.tokens), fluency.unknown
    about = f"ln probability per token, {count} in all; perplexity {fluency.perplexity:.1f}"
    about += f"; {unknown} unknown" if unknown else ""
    tiles = [
        (
            "pivot F1",
            explanation.parts["pivot_f1"],
            "meaning kept, of 100",
            level(explanation.parts["pivot_f1"] / 100),
        ),
        ("fluency", explanation.parts["fluency"], about, ""),
        (
            "target F1",
            explanation.parts["target_f1"],
            "wording kept, of 100",
            level(explanation.parts["target_f1"] / 100),
        ),
    ]
    return _tile_list(tiles)


def _learned_tiles(explanation: PEMExplanation) -> list[tuple[str, float, str, str]]:
    notes = {
        "adequacy": "meaning kept, of 100",
        "fluency": "how correct the sentence is, of 100",
        "dissimilarity": "share of new wording, of 100",
    }
    adequacy = explanation.adequacy
    if adequacy is not None:
        notes["adequacy"] += (
            f"; probability that it changed {adequacy.change:.0f} %, that it is reversed "
            f"{adequacy.reversal:.0f} %"
        )
    return [(name, value, notes[name], level(value / 100)) for name, value in explanation.parts.items()]


def _tile_list(tiles: Sequence[tuple[str, float, str, str]]) -> str:
    return "".join(
        f'<div class="tile"><h3>{title}</h3><b>{value:.2f}</b>{bar}<p>{escape(note)}</p></div>'
        for title, value, note, bar in tiles
    )


def _measure_table(explanation: PEMExplanation) -> str:
    rows = []
    named = [(f"pivot: {pivot.language}", pivot.overlap) for pivot in explanation.pivots]
    for title, overlap in [*named, ("wording", explanation.target)]:
        shares = (overlap.f1, overlap.precision, overlap.recall)
        sums = (overlap.shared_weight, overlap.candidate_weight, overlap.source_weight)
        rows.append(
            [
                Cell.text(title),
                *(Cell.number(100 * number) for number in shares),
                *(Cell.number(number) for number in sums),
            ]
        )
    header = ["n-grams", "F1", "precision", "recall", "shared", "candidate", "source"]
    caption = "Precision is shared / candidate, recall shared / source, F1 2 × shared / both."
    if len(explanation.pivots) > 1:
        caption += " Pivot F1 is the mean over the pivot languages."
    return sortable_table(header, rows, caption=caption)


def _pivot(pivot: PivotView) -> str:
    shared = {gram.text for gram in pivot.overlap.shared if gram.order == 1}
    legend = (
        '<ul class="legend"><li><span class="w reference">word</span>&nbsp;in the bags of both</li>'
        "<li><b>0.75</b>probability of a translation; those in a box are parallel, the boxes follow "
        "each other</li></ul>"
    )
    networks = network("source", pivot.source, shared) + network("candidate", pivot.candidate, shared)
    return legend + networks + _grams(pivot.overlap)


def _wording(explanation: PEMExplanation) -> str:
    shared = {gram.text for gram in explanation.target.shared if gram.order == 1}
    lines = ""
    for side, words, surface, other in (
        ("source", explanation.source, explanation.source_surface, "deleted"),
        ("candidate", explanation.candidate, explanation.candidate_surface, "new"),
    ):
        texts = [
            mark(text, "reference" if word in shared else other)
            for word, text in zip(words, surface, strict=True)
        ]
        lines += f'<dt>{side}</dt><dd dir="auto">{" ".join(texts)}</dd>' if texts else ""
    legend = (
        '<ul class="legend"><li><span class="w reference">word</span>&nbsp;in both</li>'
        '<li><span class="w deleted">word</span>&nbsp;lost</li>'
        '<li><span class="w new">word</span>&nbsp;added</li></ul>'
    )
    return f'{legend}<dl class="sentences">{lines}</dl>{_grams(explanation.target)}'


def _grams(overlap: Overlap) -> str:
    lost = overlap.source_weight - overlap.shared_weight
    added = overlap.candidate_weight - overlap.shared_weight
    lists = [
        _list("Shared", overlap.shared, overlap.shared_weight, both=True),
        _list("Lost (source only)", overlap.lost, lost),
        _list("Added (candidate only)", overlap.added, added),
    ]
    note = (
        "Weights of n-grams, sorted. The totals of lost and added weight include shared n-grams that "
        "one side has more of."
    )
    return f'<div class="grams">{"".join(lists)}</div>{paragraph(note, "soft")}'


def _list(title: str, grams: Sequence[Gram], whole: float, *, both: bool = False) -> str:
    heading = f'<h4>{title} <span class="n">{whole:.2f}</span></h4>'
    if not grams:
        return f'<div>{heading}<p class="soft">None.</p></div>'
    more = ""
    if len(grams) > FEW:
        rest = grams[FEW : FEW + MOST]
        hidden = len(grams) - FEW - len(rest)
        note = f'<p class="soft">… {hidden:,} more; --format json has all</p>' if hidden else ""
        more = details(f"{len(rest):,} more", _gram_table(rest, both=both) + note)
    return f"<div>{heading}{_gram_table(grams[:FEW], both=both)}{more}</div>"


def _gram_table(grams: Sequence[Gram], *, both: bool) -> str:
    rows = []
    for gram in grams:
        weights = [gram.shared, gram.source, gram.candidate] if both else [gram.source + gram.candidate]
        text = Cell(f"<bdi>{escape(gram.shown)}</bdi>", gram.shown, "words")
        rows.append([text, *(Cell.number(weight) for weight in weights)])
    return sortable_table(
        ["n-gram", *(["shared", "source", "candidate"] if both else ["weight"])], rows
    )


def _fluency(fluency: FluencyView) -> str:
    count = len(fluency.tokens)
    line = (
        f"{fluency.value:.2f} = {fluency.log10:.2f} × ln 10 / {count}: the log10 probabilities of the "
        "tokens add up to the second number. A tall bar is a surprise for the language model; the last "
        "token is the end of the sentence."
    )
    most = max([SURPRISE, *(-token.log10 for token in fluency.tokens)])
    strip = "".join(_token(token, most) for token in fluency.tokens)
    rows = [
        [
            Cell.number(number, "d"),
            Cell(f"<bdi>{escape(token.surface)}</bdi>", token.surface, "words"),
            Cell.number(token.log10),
            Cell.number(token.matched, "d"),
            Cell.text(_about_token(token), "soft"),
        ]
        for number, token in enumerate(fluency.tokens, 1)
    ]
    table = sortable_table(["no.", "token", "log10 P", "n-gram", ""], rows)
    listed = details(f"Table of {count} token{'s' * (count != 1)}", table)
    return f'{paragraph(line, "soft")}<ol class="tokens">{strip}</ol>{listed}'


def _token(token: Token, most: float) -> str:
    height = max(1.0, TALL * -token.log10 / most)
    color = "series1" if token.unknown else "series0"
    scene = Scene(18, TALL, "").add(Rect(0, TALL - height, 18, height, Style(fill=color)))
    note = '<span class="soft">unknown</span>' if token.unknown else ""
    return (
        f"<li>{decorative_svg(scene, 'bar')}<bdi>{escape(token.surface)}</bdi> "
        f"<b>{token.log10:.2f}</b>{note}</li>"
    )


def _about_token(token: Token) -> str:
    if token.unknown:
        return "unknown word"
    return f"backs off from {token.possible}" if token.matched < token.possible else ""
