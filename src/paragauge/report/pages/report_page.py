"""A report in one HTML file that asks for nothing from outside (see `document`).

All text from the input is escaped. Without JavaScript everything but the segment browser is there;
tables do not sort then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from paragauge.meta.significance.buckets import Buckets, Grouping
from paragauge.meta.significance.compare import Comparison
from paragauge.meta.significance.ngram_differences import LIMIT as NGRAM_LIMIT
from paragauge.meta.significance.ngram_differences import NgramCounts
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import Observer, ScoreSheet
from paragauge.report.pages.document import document
from paragauge.report.pages.evaluation import Evaluation
from paragauge.report.pages.html import Section
from paragauge.report.pages.kept_segments import LIMIT, Examples
from paragauge.report.pages.sections.browser import browser
from paragauge.report.pages.sections.buckets import buckets
from paragauge.report.pages.sections.differences import differences
from paragauge.report.pages.sections.examples import examples as example_section
from paragauge.report.pages.sections.method import method
from paragauge.report.pages.sections.ngrams import ngrams as ngram_section
from paragauge.report.pages.sections.scores import scores
from paragauge.report.pages.sections.spread import spread
from paragauge.report.pages.sections.summary import summary
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
    return document(
        f"paragauge report: {', '.join(evaluation.systems)}",
        "Paraphrase evaluation",
        _lead(evaluation),
        sections,
        scripts=_SCRIPTS,
    )


def _lead(evaluation: Evaluation) -> str:
    count, segments = len(evaluation.systems), evaluation.sheet.segments
    titles = ", ".join(evaluation.title(label) for label in evaluation.labels)
    return f"{count} system{'s' * (count != 1)}, {segments:,} segment{'s' * (segments != 1)}: {titles}"
