"""A report in one HTML file that asks for nothing from outside.

The page works from `file://`: style, script and data are inside, and its Content-Security-Policy
forbids every request and any script but its own, named by its hash. All text from the input is
escaped. Without JavaScript everything but the segment browser is there; tables do not sort then. The
same input gives the same bytes: there is no date inside.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path
from typing import IO

from paragauge.meta.buckets import Buckets, Grouping
from paragauge.meta.compare import Comparison
from paragauge.meta.ngram_differences import LIMIT as NGRAM_LIMIT
from paragauge.meta.ngram_differences import NgramCounts
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import Observer, ScoreSheet
from paragauge.report.canvas import SERIES, THEMES
from paragauge.report.evaluation import Evaluation
from paragauge.report.examples import LIMIT, Examples
from paragauge.report.html import Section
from paragauge.report.sections.browser import browser
from paragauge.report.sections.buckets import buckets
from paragauge.report.sections.differences import differences
from paragauge.report.sections.examples import examples as example_section
from paragauge.report.sections.method import method
from paragauge.report.sections.ngrams import ngrams as ngram_section
from paragauge.report.sections.scores import scores
from paragauge.report.sections.spread import spread
from paragauge.report.sections.summary import summary
from paragauge.text.files import atomic

_SCRIPTS = ("highlight.js", "page.js", "browser.js")


@dataclass(frozen=True)
class ReportWriter:
    """Observes a corpus while it is scored, then writes the report."""

    examples: Examples
    buckets: Buckets
    ngrams: NgramCounts
    out: IO[str]
    command: str | None = None

    @property
    def observers(self) -> list[Observer]:
        """What the batch scorer must call."""
        return [self.examples, self.buckets, self.ngrams]

    def evaluation(self, sheet: ScoreSheet, comparison: Comparison | None = None) -> Evaluation:
        """Everything that was collected, with the scores."""
        groupings = self.buckets.groupings()
        return Evaluation(sheet, self.examples, comparison, groupings, self.ngrams, self.command)

    def write(self, evaluation: Evaluation, extra_sections: Sequence[Section] = ()) -> None:
        """Write the report."""
        self.out.write(render_page(evaluation, extra_sections))


@contextlib.contextmanager
def report_writer(
    path: str | Path,
    metrics: Mapping[str, Metric],
    *,
    bootstrap: int = 1000,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    limit: int = LIMIT,
    command: str | None = None,
) -> Iterator[ReportWriter]:
    """A writer for `path`, opened before anything is computed, so that a bad path is found at once."""
    with atomic(path) as out:
        yield ReportWriter(
            Examples(metrics, limit),
            Buckets(metrics, bootstrap=bootstrap, seed=seed, level=level, threads=threads),
            NgramCounts(metrics, limit=min(limit, NGRAM_LIMIT), threads=threads),
            out,
            command,
        )


def render_report(
    sheet: ScoreSheet,
    examples: Examples,
    comparison: Comparison | None = None,
    *,
    groupings: Sequence[Grouping] = (),
    ngrams: NgramCounts | None = None,
    command: str | None = None,
    extra_sections: Sequence[Section] = (),
) -> str:
    """The report as HTML text; `extra_sections` stand before the segment browser."""
    evaluation = Evaluation(sheet, examples, comparison, groupings, ngrams, command)
    return render_page(evaluation, extra_sections)


def render_page(evaluation: Evaluation, extra_sections: Sequence[Section] = ()) -> str:
    """The whole page."""
    made = [
        summary(evaluation),
        scores(evaluation),
        differences(evaluation),
        buckets(evaluation),
        spread(evaluation),
        example_section(evaluation),
        ngram_section(evaluation),
        *extra_sections,
        browser(evaluation),
        method(evaluation),
    ]
    sections = [section for section in made if section is not None]
    style, script = _style(), _script()
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    links = "".join(
        f'<li><a href="#{escape(part.id)}">{escape(part.title)}</a></li>' for part in sections
    )
    body = "".join(
        f'<section id="{escape(part.id)}"><h2>{escape(part.title)}</h2>{part.html}</section>'
        for part in sections
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>paragauge report: {escape(', '.join(evaluation.systems))}</title>"
        f"<style>{style}</style></head><body>"
        '<a class="skip" href="#summary">Skip to the summary</a>'
        f'<header class="top"><div><h1>Paraphrase evaluation</h1><p class="lead">{_lead(evaluation)}'
        '</p></div><button type="button" id="theme" hidden>Theme: system</button></header>'
        f'<div class="columns"><nav aria-label="Contents"><ol>{links}</ol></nav>'
        f"<main>{body}</main></div><script>{script}</script></body></html>\n"
    )


def _lead(evaluation: Evaluation) -> str:
    count, segments = len(evaluation.systems), evaluation.sheet.segments
    titles = ", ".join(evaluation.title(label) for label in evaluation.labels)
    return escape(
        f"{count} system{'s' * (count != 1)}, {segments:,} segment{'s' * (segments != 1)}: {titles}"
    )


def _asset(name: str) -> str:
    return resources.files("paragauge.report").joinpath("assets", name).read_text(encoding="utf-8")


def _script() -> str:
    return "\n".join(_asset(name) for name in _SCRIPTS)


def _style() -> str:
    """The style sheet, with the colours of plots as variables and classes."""
    light, dark = (
        "".join(f"--{name}:{value};" for name, value in THEMES[theme].items())
        for theme in ("light", "dark")
    )
    names = ["ink", "soft", "grid", "back", *(f"series{i}" for i in range(SERIES))]
    classes = "".join(f".f-{n}{{fill:var(--{n})}}.k-{n}{{stroke:var(--{n})}}" for n in names)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){"
        f"color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        f".f-none{{fill:none}}{classes}\n" + _asset("style.css")
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
