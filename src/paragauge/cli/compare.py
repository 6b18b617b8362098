"""`paragauge compare`: several systems against a baseline, with significance."""

from __future__ import annotations

import contextlib
import sys

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, choose_baseline, with_corpus
from paragauge.cli.options.given_scores_options import (
    GivenScoresChoice,
    check_segments,
    with_given_scores,
)
from paragauge.cli.options.metric_choice import SetMetricChoice, with_set_metrics
from paragauge.cli.options.script_note import note_script
from paragauge.cli.options.shared_options import ComparisonTests
from paragauge.cli.progress import track_segments
from paragauge.errors import InputError
from paragauge.metrics.scoring import Observer
from paragauge.report.tables.score_tables import render_comparison


@click.command(
    cls=Command,
    examples=(
        "paragauge compare -s sources.txt -r refs.tsv -c base.txt -c mine.txt",
        "paragauge compare -r refs.txt -c a.txt -c b.txt -c c.txt -b b -m bleu,chrf -f json",
        "paragauge compare -c base.txt -c mine.txt --scores comet.tsv",
        "paragauge compare -s src.txt -r refs.tsv -c base.txt -c mine.txt --html report.html",
    ),
)
@with_corpus
@shared_options.baseline
@with_set_metrics
@with_given_scores
@shared_options.with_tests
@shared_options.form
@shared_options.html
@shared_options.max_segments
@shared_options.threads
def compare(
    texts: CorpusInput,
    baseline: str | None,
    choice: SetMetricChoice,
    given: GivenScoresChoice,
    tests: ComparisonTests,
    form: str,
    html: str | None,
    max_segments: int,
    threads: int,
) -> None:
    """Compare systems with a baseline, with significance tests."""
    shared_options.check_format(form)
    if html is None:
        shared_options.refuse_without("--html", "max_segments")
    if not given.scores:
        shared_options.refuse_without("--scores", "decimal")
    corpus = texts.corpus(threads, several=True)
    if len(corpus.systems) < 2:
        raise InputError("expected at least two systems to compare, found one; repeat -c")
    base = choose_baseline(baseline, corpus)
    metrics = given.metrics(choice, corpus)
    shared_options.check_outputs({"--html": html}, corpus, [*given.scores, *choice.model_files()])
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if html is not None:
            from paragauge.report.pages.report_page import report_writer

            writer = report_writer(
                html,
                metrics,
                bootstrap=tests.bootstrap,
                seed=tests.seed,
                level=tests.level,
                threads=threads,
                limit=max_segments,
                command=shared_options.command_line(),
            )
            report = stack.enter_context(writer)
            observers += report.observers
        batches = track_segments(note_script(corpus.batches(), metrics))
        comparison = tests.compare(batches, metrics, base, threads, observers)
        check_segments(metrics, comparison.sheet.segments)
        if html is not None:
            report.write(report.evaluation(comparison.sheet, comparison))
    sys.stdout.write(render_comparison(comparison, form))
