"""A report in one self-contained HTML file (see `document`).

All text from the input is escaped. Without JavaScript, everything but the segment browser is there,
and tables do not sort.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from paragauge.meta.contrast.contrast_set import GOOD_KINDS, ContrastSet
from paragauge.meta.contrast.evaluation import contrast
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.metrics_and_judges import people
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.significance.buckets import Buckets, Grouping
from paragauge.meta.significance.comparison import Comparison, compare_batches
from paragauge.meta.significance.multiple_comparisons import Correction
from paragauge.meta.significance.ngram_differences import LIMIT as NGRAM_LIMIT
from paragauge.meta.significance.ngram_differences import NgramCounts
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import Observer, ScoreSheet, prepare, score_batches
from paragauge.report.pages.blocks.document import document_parts
from paragauge.report.pages.blocks.html import Section
from paragauge.report.pages.sections.buckets import buckets
from paragauge.report.pages.sections.contrasts import contrast_section
from paragauge.report.pages.sections.differences import differences
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.examples import examples as example_section
from paragauge.report.pages.sections.method import method
from paragauge.report.pages.sections.ngrams import ngrams as ngram_section
from paragauge.report.pages.sections.people import people_section
from paragauge.report.pages.sections.score_distribution import distributions
from paragauge.report.pages.sections.scores import scores
from paragauge.report.pages.sections.segment_browser import browser
from paragauge.report.pages.sections.stored_segments import LIMIT, Examples
from paragauge.report.pages.sections.summary import summary
from paragauge.text.batch import GroupedTexts, Texts
from paragauge.text.files import atomic

PART = 1 << 20  # characters that are written at a time
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
        """The observers that the batch scorer must call."""
        return [self.examples, self.buckets, self.ngrams]

    def evaluation(self, sheet: ScoreSheet, comparison: Comparison | None = None) -> Evaluation:
        """Everything that was collected, with the scores."""
        groupings = self.buckets.groupings()
        return Evaluation(sheet, self.examples, comparison, groupings, self.ngrams, self.command)

    def write(self, evaluation: Evaluation, extra_sections: Sequence[Section] = ()) -> None:
        """Write the report."""
        for part in page_parts(evaluation, extra_sections):
            for start in range(0, len(part), PART):  # a file encodes what it is given as a whole
                self.out.write(part[start : start + PART])


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


def report(
    systems: Mapping[str, Texts],
    metrics: Mapping[str, Metric] | Iterable[Metric | str],
    output: str | Path,
    *,
    baseline: str | None = None,
    sources: GroupedTexts | None = None,
    references: GroupedTexts | None = None,
    judged: EvalSet | None = None,
    contrasts: ContrastSet | None = None,
    good: Sequence[str] = GOOD_KINDS,
    bootstrap: int = 1000,
    randomization: int = 10000,
    seed: int = 7,
    level: float = 0.95,
    alpha: float = 0.05,
    correction: Correction = "holm",
    limit: int = LIMIT,
    threads: int = 0,
) -> Evaluation:
    """Write a report on systems as one HTML file, and return what it shows.

    Several systems are compared with the `baseline`, the first one if none is named. With ratings of
    the candidates, `judged`, the report says how far metrics agree with people. With a contrast set,
    `contrasts`, it says whether metrics notice a change of meaning (see `contrast`, also for `good`).
    `limit` is the most segments that its browser holds.

    >>> import tempfile
    >>> from paragauge import PINC
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "report.html")
    ...     made = report({"mine": ["a b x y"]}, [PINC()], path, sources=["a b c d"], bootstrap=20)
    ...     path.read_text(encoding="utf-8")[:9].lower(), made.systems
    ('<!doctype', ['mine'])
    """
    named, batch = prepare(systems, metrics, sources, references, threads)
    with report_writer(
        output, named, bootstrap=bootstrap, seed=seed, level=level, threads=threads, limit=limit
    ) as writer:
        comparison = None
        if len(systems) > 1:
            comparison = compare_batches(
                [batch],
                named,
                baseline=next(iter(systems)) if baseline is None else baseline,
                bootstrap=bootstrap,
                randomization=randomization,
                seed=seed,
                level=level,
                alpha=alpha,
                correction=correction,
                threads=threads,
                observers=writer.observers,
            )
            sheet = comparison.sheet
        else:
            sheet = score_batches(
                [batch],
                named,
                bootstrap=bootstrap,
                seed=seed,
                level=level,
                threads=threads,
                observers=writer.observers,
            )
        evaluation = writer.evaluation(sheet, comparison)
        sections = []
        if judged is not None:
            settings = CorrelationSettings(
                bootstrap=bootstrap,
                seed=seed,
                level=level,
                alpha=alpha,
                correction=correction,
                threads=threads,
            )
            sections.append(people_section(people(judged.score_with(named, threads), settings)))
        if contrasts is not None:
            contrasted = contrast(
                named,
                contrasts,
                good=good,
                bootstrap=bootstrap,
                seed=seed,
                level=level,
                threads=threads,
            )
            sections.append(contrast_section(contrasted))
        writer.write(evaluation, sections)
    return evaluation


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
    return "".join(page_parts(evaluation, extra_sections))


def page_parts(evaluation: Evaluation, extra_sections: Sequence[Section] = ()) -> Iterator[str]:
    """The page in parts, which need not be in memory at the same time."""
    parts = [
        summary(evaluation),
        scores(evaluation),
        differences(evaluation),
        buckets(evaluation),
        distributions(evaluation),
        example_section(evaluation),
        ngram_section(evaluation),
        *extra_sections,
        browser(evaluation),
        method(evaluation),
    ]
    sections = [section for section in parts if section is not None]
    return document_parts(
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
