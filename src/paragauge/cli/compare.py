"""`paragauge compare`: several systems against a baseline, with significance."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command, option
from paragauge.cli.progress import watched
from paragauge.errors import InputError, unknown_name
from paragauge.meta.compare import compare_batches
from paragauge.meta.multiple import CORRECTIONS
from paragauge.metrics.resampling import MOST_REPLICATES
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
@option(
    "--baseline",
    "-b",
    metavar="NAME",
    heading=options.INPUT,
    help="The system to compare with. Default: the first one.",
)
@options.metric_choice
@options.bootstrap
@option(
    "--randomisation",
    type=click.IntRange(0, MOST_REPLICATES),
    default=10000,
    metavar="N",
    heading=options.UNCERTAINTY,
    help="Trials of approximate randomisation; 0 for none.",
)
@option(
    "--alpha",
    type=float,
    default=0.05,
    metavar="SHARE",
    heading=options.UNCERTAINTY,
    help="Level of significance.",
)
@option(
    "--correction",
    default="holm",
    metavar="|".join(CORRECTIONS),
    heading=options.UNCERTAINTY,
    help="How p-values are corrected for several systems.",
)
@options.level
@options.seed
@options.form
@options.html
@options.threads
def compare(**given: Any) -> None:
    """Compare systems with a baseline and say what is significant."""
    options.check_format(given["form"])
    corpus = options.corpus_of(given)
    if len(corpus.systems) < 2:
        raise InputError("expected at least two systems to compare, got one; repeat -c")
    baseline = given["baseline"] or next(iter(corpus.systems))
    if baseline not in corpus.systems:
        raise unknown_name("system", baseline, corpus.systems)
    chosen = options.metrics_of(given, corpus)
    options.check_outputs(given, corpus, "html")
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if given["html"] is not None:
            from paragauge.report.html import report_writer

            report = stack.enter_context(report_writer(given["html"], chosen))
            observers.append(report.examples)
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
            report.write(comparison.sheet, comparison)
    sys.stdout.write(render_comparison(comparison, given["form"]))
