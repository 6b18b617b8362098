"""`paragauge score`: corpus scores with intervals, and segment scores to a file."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command, option
from paragauge.cli.progress import watched
from paragauge.metrics.scoring import Observer, score_batches
from paragauge.report.tables import render_scores


@click.command(
    cls=Command,
    examples=(
        "paragauge score -s sources.txt -c mine.txt --metrics pinc",
        "paragauge score -s sources.txt -r refs.tsv -c base=a.txt -c mine=b.txt -m bleu,pinc",
        "paragauge score -r r1.txt -r r2.txt -c mine.txt -m bleu:smooth=floor:order=2 -f json",
        "paragauge score --table data.jsonl -s source -c output -r references -m bleu,pinc",
    ),
)
@options.corpus_input
@options.metric_choice
@options.bootstrap
@options.level
@options.seed
@options.form
@option(
    "--segments",
    metavar="FILE",
    heading=options.OUTPUT,
    help="Also write segment scores, as the name says: .tsv, .jsonl or .parquet.",
)
@options.html
@options.max_segments
@options.threads
def score(**given: Any) -> None:
    """Score systems with one or more metrics."""
    options.check_format(given["form"])
    if given["html"] is None:
        options.refuse_without("--html", "max_segments")
    corpus = options.corpus_of(given)
    chosen = options.metrics_of(given, corpus)
    options.check_outputs(given, corpus, "segments", "html")
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if given["segments"] is not None:
            from paragauge.report.segments import segment_writer

            observers.append(stack.enter_context(segment_writer(given["segments"], chosen)))
        if given["html"] is not None:
            from paragauge.report.page import report_writer

            settings = options.report_settings(given)
            report = stack.enter_context(report_writer(given["html"], chosen, **settings))
            observers += report.observers
        sheet = score_batches(
            watched(corpus.batches()),
            chosen,
            bootstrap=given["bootstrap"],
            seed=given["seed"],
            level=given["level"],
            threads=given["threads"],
            observers=observers,
        )
        if given["html"] is not None:
            report.write(report.evaluation(sheet))
    sys.stdout.write(render_scores(sheet, given["form"]))
