"""`paragauge compare`: several systems against a baseline, with significance."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command
from paragauge.cli.progress import watched
from paragauge.errors import InputError
from paragauge.meta.compare import compare_batches
from paragauge.metrics.scoring import Observer
from paragauge.report.tables import render_comparison


@click.command(
    cls=Command,
    examples=(
        "paragauge compare -s sources.txt -r refs.tsv -c base.txt -c mine.txt",
        "paragauge compare -r refs.txt -c a.txt -c b.txt -c c.txt -b b -m bleu,chrf -f json",
        "paragauge compare -s src.txt -r refs.tsv -c base.txt -c mine.txt --html report.html",
    ),
)
@options.corpus_input
@options.baseline
@options.metric_choice
@options.bootstrap
@options.tests
@options.level
@options.seed
@options.form
@options.html
@options.max_segments
@options.threads
def compare(**given: Any) -> None:
    """Compare systems with a baseline and say what is significant."""
    options.check_format(given["form"])
    if given["html"] is None:
        options.refuse_without("--html", "max_segments")
    corpus = options.corpus_of(given)
    if len(corpus.systems) < 2:
        raise InputError("expected at least two systems to compare, got one; repeat -c")
    baseline = options.baseline_of(given, corpus)
    chosen = options.metrics_of(given, corpus)
    options.check_outputs(given, corpus, "html")
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if given["html"] is not None:
            from paragauge.report.page import report_writer

            settings = options.report_settings(given)
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
