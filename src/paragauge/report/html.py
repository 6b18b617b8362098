"""A report in one HTML file: no scripts, no outside resources, readable in any browser.

It shows the scores with their intervals, BLEU against PINC if both were computed, what is
significant, how segment scores are spread, and the segments that tell most. All text from the input
is escaped.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path
from typing import IO

import numpy as np

from paragauge.meta.compare import Comparison
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import ScoreSheet
from paragauge.report.examples import Example, Examples
from paragauge.report.svg import Span, colour, histogram, interval_bar, scatter
from paragauge.report.tables import input_notes, statements, test_note, verdict
from paragauge.text.files import atomic
from paragauge.version import __version__

SHOWN = 3  # examples of each kind


@dataclass(frozen=True)
class ReportWriter:
    """Collects examples while a corpus is scored, then writes the report."""

    examples: Examples
    out: IO[str]

    def write(self, sheet: ScoreSheet, comparison: Comparison | None = None) -> None:
        """Write the report on the scores."""
        self.out.write(render_report(sheet, self.examples, comparison))


@contextlib.contextmanager
def report_writer(path: str | Path, metrics: Mapping[str, Metric]) -> Iterator[ReportWriter]:
    """A writer for `path`, opened before anything is computed, so that a bad path is found at once."""
    with atomic(path) as out:
        yield ReportWriter(Examples(metrics), out)


def render_report(sheet: ScoreSheet, examples: Examples, comparison: Comparison | None = None) -> str:
    """The report as HTML text."""
    systems = list(dict.fromkeys(score.system for score in sheet.scores))
    titles = ", ".join(dict.fromkeys(score.title for score in sheet.scores))
    sections = [
        _scores(sheet, systems),
        _plane(sheet, systems),
        "" if comparison is None else _differences(comparison, systems),
        _spread(sheet, systems, examples),
        _segments(sheet, systems, examples, comparison),
        _method(sheet, comparison),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>paragauge report: {escape(', '.join(systems))}</title><style>{_style()}</style></head>"
        f'<body><main><h1>Paraphrase evaluation</h1><p class="lead">{len(systems)} '
        f"{'system' if len(systems) == 1 else 'systems'}, {sheet.segments:,} segments: "
        f"{escape(titles)}</p>{''.join(sections)}</main></body></html>\n"
    )


def _style() -> str:
    return resources.files("paragauge.report").joinpath("style.css").read_text(encoding="utf-8")


def _table(header: Iterable[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _name(system: str, systems: list[str]) -> str:
    dot = f'<span class="dot" style="background:{colour(systems.index(system))}"></span>'
    return f"<td>{dot}{escape(system)}</td>"


def _scores(sheet: ScoreSheet, systems: list[str]) -> str:
    parts = ["<h2>Scores</h2>"]
    for label in dict.fromkeys(score.metric for score in sheet.scores):
        scores = [sheet[system, label] for system in systems]
        spans = [Span(score.value, score.low, score.high) for score in scores]
        low, high = _range(spans, 0.0, 100.0)
        arrow = "higher is better" if scores[0].higher_is_better else "lower is better"
        rows = []
        for system, score, span in zip(systems, scores, spans, strict=True):
            bounds = "" if score.low is None else f"[{score.low:.2f}, {score.high:.2f}]"
            bar = interval_bar(span, low, high, colour(systems.index(system)))
            rows.append(
                f'{_name(system, systems)}<td class="n">{score.value:.2f}</td>'
                f'<td class="soft">{bounds}</td><td>{bar}</td>'
            )
        interval = f"{100 * sheet.level:g}% interval" if sheet.bootstrap else ""
        parts.append(f'<h3>{escape(scores[0].title)} <span class="soft">({arrow})</span></h3>')
        parts.append(_table(["system", "score", interval, ""], rows))
    return "".join(parts)


def _plane(sheet: ScoreSheet, systems: list[str]) -> str:
    labels = {score.name: score.metric for score in reversed(sheet.scores)}
    if "BLEU" not in labels or "PINC" not in labels:
        return ""
    across, up = (
        [Span(s.value, s.low, s.high) for s in (sheet[system, labels[name]] for system in systems)]
        for name in ("PINC", "BLEU")
    )
    plot = scatter(systems, across, up, ("PINC: wording changed →", "BLEU: meaning kept →"))
    return (
        "<h2>Meaning against novelty</h2><p class='soft'>A good paraphrase keeps the meaning (up) and "
        "changes the wording (right). Crosses are the intervals of both scores.</p>" + plot
    )


def _differences(comparison: Comparison, systems: list[str]) -> str:
    parts = [f"<h2>Differences to {escape(comparison.baseline)}</h2><ul>"]
    parts += [f"<li>{escape(sentence)}</li>" for sentence in statements(comparison)]
    parts.append("</ul>")
    for label in dict.fromkeys(row.metric for row in comparison.differences):
        members = [row for row in comparison.differences if row.metric == label]
        spans = [Span(row.difference, row.low, row.high) for row in members]
        reach = max(map(abs, _range(spans, -1.0, 1.0)))
        rows = []
        for row, span in zip(members, spans, strict=True):
            tone = "soft" if not row.significant else "good" if row.better else "bad"
            p = row.p_randomisation if row.p_randomisation is not None else row.p_bootstrap
            bar = interval_bar(span, -reach, reach, colour(systems.index(row.system)), zero=True)
            bounds = "" if row.low is None else f"[{row.low:+.2f}, {row.high:+.2f}]"
            rows.append(
                f'{_name(row.system, systems)}<td class="n">{row.difference:+.2f}</td>'
                f'<td class="soft">{bounds}</td><td>{bar}</td>'
                f'<td class="n">{"" if p is None else f"{p:.4f}"}</td>'
                f'<td class="n">{row.p_corrected:.4f}</td><td class="{tone}">{verdict(row)}</td>'
            )
        title = comparison.sheet[comparison.baseline, label].title
        parts.append(f"<h3>{escape(title)}</h3>")
        interval = f"{100 * comparison.sheet.level:g}% interval" if comparison.sheet.bootstrap else ""
        header = ["system", "difference", interval, "", "p", "p corrected", "verdict"]
        parts.append(_table(header, rows))
    return "".join(parts)


def _spread(sheet: ScoreSheet, systems: list[str], examples: Examples) -> str:
    labels = list(dict.fromkeys(score.metric for score in sheet.scores))
    limits = {}
    for label in labels:
        values = np.concatenate([examples.values(system, label) for system in systems])
        known = values[~np.isnan(values)]
        limits[label] = (
            min(0.0, float(known.min(initial=0.0))),
            max(100.0, float(known.max(initial=100.0))),
        )
    rows = []
    for system in systems:
        fill = colour(systems.index(system))
        drawn = (histogram(examples.values(system, label), *limits[label], fill) for label in labels)
        cells = "".join(f"<td>{drawing}</td>" for drawing in drawn)
        rows.append(_name(system, systems) + cells)
    header = ["system"]
    for label in labels:
        low, high = limits[label]
        header.append(f"{escape(sheet[systems[0], label].title)}, {low:g} to {high:g}")
    return "<h2>Spread of segment scores</h2>" + _table(header, rows) + _partial(sheet, examples)


def _range(spans: list[Span], low: float, high: float) -> tuple[float, float]:
    """The range from `low` to `high`, widened to hold all intervals that are defined."""
    bounds = [bound for span in spans for bound in span.bounds() if not math.isnan(bound)]
    return min([low, *bounds]), max([high, *bounds])


def _partial(sheet: ScoreSheet, examples: Examples) -> str:
    if len(examples.segments) == sheet.segments:
        return ""
    return f'<p class="soft">From the first {len(examples.segments):,} segments.</p>'


def _segments(
    sheet: ScoreSheet, systems: list[str], examples: Examples, comparison: Comparison | None
) -> str:
    label = sheet.scores[0].metric
    title = escape(sheet[systems[0], label].title)
    sign = 1.0 if sheet.scores[0].higher_is_better else -1.0
    parts = ["<h2>Segments that tell most</h2>"]
    if any(example.sources for example in examples.segments):
        parts.append('<p class="soft"><mark>Marked</mark> words are not in the source.</p>')
    for system in systems:
        values = sign * examples.values(system, label)
        kinds = [
            (f"{escape(system)}: highest {title}", values),
            (f"{escape(system)}: lowest {title}", -values),
        ]
        if comparison is not None:
            if system == comparison.baseline:
                continue
            gains = values - sign * examples.values(comparison.baseline, label)
            base = escape(comparison.baseline)
            kinds = [
                (f"{title}: {escape(system)} beats {base}", gains),
                (f"{title}: {base} beats {escape(system)}", -gains),
            ]
        shown = [system] if comparison is None else [comparison.baseline, system]
        for heading, order in kinds:
            chosen = np.argsort(-np.nan_to_num(order, nan=-np.inf), kind="stable")[:SHOWN]
            chosen = chosen[order[chosen] > 0] if comparison is not None else chosen
            if len(chosen):
                parts.append(f"<details><summary>{heading}</summary>")
                parts += [_card(int(i), shown, sheet, examples) for i in chosen]
                parts.append("</details>")
    return "".join(parts)


def _card(index: int, shown: list[str], sheet: ScoreSheet, examples: Examples) -> str:
    example = examples.segments[index]
    rows = [("source", escape(text)) for text in example.sources]
    rows += [("reference", escape(text)) for text in example.references]
    for system in shown:
        scores = ", ".join(
            f"{escape(sheet[system, label].title)} {examples.values(system, label)[index]:.1f}"
            for label in examples.metrics
        )
        text = _marked(example, example.candidates[system])
        rows.append((escape(system), f'{text} <span class="soft">({scores})</span>'))
    items = "".join(f"<dt>{term}</dt><dd>{text}</dd>" for term, text in rows)
    return f'<div class="card"><dl><dt>segment</dt><dd>{example.number}</dd>{items}</dl></div>'


def _marked(example: Example, candidate: str) -> str:
    """The candidate with the words that no source has marked."""
    if not example.sources:
        return escape(candidate)
    known = {word for text in example.sources for word in re.findall(r"\w+", text.lower())}
    pieces = re.split(r"(\w+)", candidate)
    return "".join(
        f"<mark>{escape(piece)}</mark>" if i % 2 and piece.lower() not in known else escape(piece)
        for i, piece in enumerate(pieces)
    )


def _method(sheet: ScoreSheet, comparison: Comparison | None) -> str:
    notes = []
    if sheet.bootstrap:
        notes.append(
            f"Intervals: {100 * sheet.level:g}%, percentiles of {sheet.bootstrap} Poisson bootstrap "
            f"resamples, seed {sheet.seed}."
        )
    if comparison is not None:
        notes.append(test_note(comparison))
    notes += input_notes(sheet)
    signatures = dict.fromkeys(score.signature for score in sheet.scores)
    return (
        "<h2>How this was computed</h2>"
        + "".join(f"<p>{escape(note)}</p>" for note in notes)
        + "".join(f"<p><code>{escape(signature)}</code></p>" for signature in signatures)
        + f'<p class="soft">paragauge {__version__}</p>'
    )
