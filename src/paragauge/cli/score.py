"""`paragauge score`: corpus scores with intervals, and segment scores to a file."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import chosen_engine, scoring_choice
from paragauge.cli.progress import Steps, watched
from paragauge.errors import SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import Observer, ScoreSheet, score_batches
from paragauge.report.tables.score_tables import render_scores
from paragauge.text.corpus import Corpus


@click.command(
    cls=Command,
    examples=(
        "paragauge score -s sources.txt -c mine.txt --metrics pinc",
        "paragauge score -s sources.txt -r refs.tsv -c base=a.txt -c mine=b.txt -m bleu,pinc",
        "paragauge score -r r1.txt -r r2.txt -c mine.txt -m bleu:smooth=floor:order=2 -f json",
        "paragauge score --table data.csv -s source -c output -r reference -m bleu,pinc",
        "paragauge score --table pairs.parquet -s source -c output --engine spark://host:7077",
    ),
)
@shared_options.corpus_input
@shared_options.metric_choice
@shared_options.bootstrap
@shared_options.level
@shared_options.seed
@shared_options.form
@option(
    "--segments",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write segment scores, as the name says: .tsv, .csv, .jsonl or .parquet.",
)
@shared_options.html
@shared_options.max_segments
@shared_options.threads
@scoring_choice
def score(**given: Any) -> None:
    """Score systems with one or more metrics."""
    shared_options.check_format(given["form"])
    if given["html"] is None:
        shared_options.refuse_without("--html", "max_segments")
    corpus = shared_options.corpus_of(given)
    chosen = shared_options.metrics_of(given, corpus)
    shared_options.check_outputs(given, corpus, "segments", "html")
    if given["engine"] is None:
        shared_options.refuse_without("--engine", "memory", "temporary", "spark")
        sheet = _scored_here(given, corpus, chosen)
    else:
        sheet = _scored_by_workers(given, corpus, chosen)
    sys.stdout.write(render_scores(sheet, given["form"]))


def _scored_here(given: dict[str, Any], corpus: Corpus, chosen: dict[str, Metric]) -> ScoreSheet:
    """The scores, of texts that are read batch by batch in this process."""
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if given["segments"] is not None:
            from paragauge.report.tables.segment_scores import segment_writer

            observers.append(stack.enter_context(segment_writer(given["segments"], chosen)))
        if given["html"] is not None:
            from paragauge.report.pages.report_page import report_writer

            settings = shared_options.report_settings(given)
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
    return sheet


def _scored_by_workers(given: dict[str, Any], corpus: Corpus, chosen: dict[str, Metric]) -> ScoreSheet:
    """The scores, of the rows of a Parquet table that an engine's workers read."""
    from paragauge.metrics.engine_scoring import StatisticsObserver, score_table

    if given["html"] is not None:
        raise SettingError(
            "--html: needs the texts, which workers keep; leave out one of --engine, --html"
        )
    kind = given["table_format"] or ("parquet" if _is_parquet(given["table"]) else "")
    if kind != "parquet":
        raise SettingError("--engine: reads Parquet; give a --table in that format, or leave it out")
    engine = chosen_engine(given)
    systems = list(corpus.systems)
    with contextlib.ExitStack() as stack:
        observers: list[StatisticsObserver] = []
        if given["segments"] is not None:
            from paragauge.report.tables.segment_scores import segment_writer

            writer = stack.enter_context(segment_writer(given["segments"], chosen))
            observers.append(lambda first, stats: writer.write(first, systems, stats))
        step = stack.enter_context(Steps(None))
        return score_table(
            corpus,
            chosen,
            engine,
            bootstrap=given["bootstrap"],
            seed=given["seed"],
            level=given["level"],
            threads=given["threads"],
            folder=given["temporary"],
            observers=observers,
            progress=step,
        )


def _is_parquet(table: str | None) -> bool:
    return table is not None and (Path(table).is_dir() or Path(table).suffix == ".parquet")
