"""`paragauge compare`: several systems against a baseline, with significance."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.progress import watched
from paragauge.errors import InputError
from paragauge.meta.significance.compare import compare_batches
from paragauge.metrics.scoring import Observer
from paragauge.report.tables.score_tables import render_comparison


@click.command(
    cls=Command,
    examples=(
        "paragauge compare -s sources.txt -r refs.tsv -c base.txt -c mine.txt",
        "paragauge compare -r refs.txt -c a.txt -c b.txt -c c.txt -b b -m bleu,chrf -f json",
        "paragauge compare -s src.txt -r refs.tsv -c base.txt -c mine.txt --html report.html",
    ),
)
@shared_options.corpus_input
@shared_options.baseline
@shared_options.metric_choice
@shared_options.bootstrap
@shared_options.tests
@shared_options.level
@shared_options.seed
@shared_options.form
@shared_options.html
@shared_options.max_segments
@shared_options.threads
def compare(**given: Any) -> None:
    """Compare systems with a baseline and say what is significant."""
    shared_options.check_format(given["form"])
    if given["html"] is None:
        shared_options.refuse_without("--html", "max_segments")
    corpus = shared_options.corpus_of(given)
    if len(corpus.systems) < 2:
        raise InputError("expected at least two systems to compare, got one; repeat -c")
    baseline = shared_options.baseline_of(given, corpus)
    chosen = shared_options.metrics_of(given, corpus)
    shared_options.check_outputs(given, corpus, "html")
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if given["html"] is not None:
            from paragauge.report.pages.report_page import report_writer

            settings = shared_options.report_settings(given)
            report = stack.enter_context(report_writer(given["html"], chosen, **settings))
            observers += report.observers
        comparison = compare_batches(
            watched(corpus.batches()),
            chosen,
            baseline=baseline,
            bootstrap=given["bootstrap"],
            randomisation=given["randomisation"],
            seed=given["seed"],
            level=given["level"],
            alpha=given["alpha"],
            correction=given["correction"],
            threads=given["threads"],
            observers=observers,
        )
        if given["html"] is not None:
            report.write(report.evaluation(comparison.sheet, comparison))
    sys.stdout.write(render_comparison(comparison, given["form"]))
