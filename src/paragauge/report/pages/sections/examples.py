"""The most telling segments, as cards: where A beats B, or where a system scores best and worst."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.report.pages.blocks.highlight import highlight, render_pieces
from paragauge.report.pages.blocks.html import Section, details, paragraph, system_name
from paragauge.report.pages.sections.evaluation import Evaluation

SHOWN = 3  # segments of each kind
LEGEND = (
    ("kept", "kept from the source"),
    ("moved", "in the source, elsewhere"),
    ("reference", "not in the source, in a reference"),
    ("new", "in neither"),
    ("deleted", "source word that is gone"),
)


def legend() -> str:
    """What the styles of words mean."""
    items = "".join(f'<li><span class="w {kind}">word</span> {text}</li>' for kind, text in LEGEND)
    return f'<ul class="legend" aria-label="How words are marked">{items}</ul>'


def examples(evaluation: Evaluation) -> Section:
    """For each metric and pair of systems, the segments with the largest differences."""
    baseline = evaluation.baseline
    compared = evaluation.comparison is not None
    parts = [legend()]
    for label in evaluation.labels:
        blocks = []
        sign = 1.0 if evaluation.higher_is_better(label) else -1.0
        for index, system in enumerate(evaluation.systems):
            values = sign * evaluation.examples.values(system, label)
            named = system_name(system, index)
            if not compared:
                kinds = [(f"{named}: best", values), (f"{named}: worst", -values)]
                blocks += [_block(evaluation, title, order, [system]) for title, order in kinds]
            elif system != baseline:
                gains = values - sign * evaluation.examples.values(baseline, label)
                base = system_name(baseline, evaluation.systems.index(baseline))
                kinds = [(f"{named} beats {base}", gains), (f"{base} beats {named}", -gains)]
                for title, order in kinds:
                    wins = np.where(order > 0, order, np.nan)
                    blocks.append(_block(evaluation, title, wins, [baseline, system]))
        title = escape(evaluation.title(label))
        filled = [block for block in blocks if block[1]]
        # The first one is open, so that readers see what the others hold.
        groups = "".join(
            details(name, cards, opened=len(parts) == 1 and i == 0)
            for i, (name, cards) in enumerate(filled)
        )
        parts.append(f"<h3>By {title}</h3>{groups}")
    if evaluation.partial():
        parts.append(paragraph(evaluation.partial(), "soft"))
    heading = "Where one system beats another" if compared else "The most telling segments"
    return Section("examples", heading, "".join(parts))


def _block(evaluation: Evaluation, title: str, order: Floats, systems: list[str]) -> tuple[str, str]:
    """The title, and cards of the segments with the largest values, NaN left out."""
    ranked = np.argsort(-np.nan_to_num(order, nan=-np.inf), kind="stable")[:SHOWN].tolist()
    cards = [card(evaluation, i, systems) for i in ranked if not math.isnan(order[i])]
    return title, "".join(cards)


def card(evaluation: Evaluation, index: int, systems: list[str]) -> str:
    """One segment: source, references, and candidates with their scores."""
    example = evaluation.examples[index]
    highlights = {
        name: highlight(example.candidates[name], example.sources, example.references)
        for name in systems
    }
    last = highlights[systems[-1]]
    rows = []
    for number, text in enumerate(example.sources):
        content = render_pieces(last.source_pieces) if number == last.source else escape(text)
        rows.append(_row("source", content, ""))
    rows += [_row("reference", escape(text), "") for text in example.references]
    for name in systems:
        scores = "".join(
            f"<span>{escape(evaluation.title(label))} <b>{_score_text(value)}</b></span>"
            for label in evaluation.labels
            for value in [float(evaluation.examples.values(name, label)[index])]
        )
        sign = system_name(name, evaluation.systems.index(name))
        rows.append(_row(sign, render_pieces(highlights[name].candidate), scores))
    return (
        f'<article class="card"><h4>Segment {example.number:,}</h4>'
        f'<div class="texts">{"".join(rows)}</div></article>'
    )


def _row(term: str, content: str, scores: str) -> str:
    return (
        f'<div class="term">{term}</div><div class="text" dir="auto">{content}</div>'
        f'<div class="scores">{scores}</div>'
    )


def _score_text(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.1f}"
