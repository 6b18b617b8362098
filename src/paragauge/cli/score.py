"""`paragauge score`: corpus scores with intervals, and segment scores to a file."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import NamedTuple

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, with_corpus
from paragauge.cli.options.engine_options import EngineChoice, with_scoring_engine
from paragauge.cli.options.given_scores_options import (
    GivenScoresChoice,
    check_segments,
    with_given_scores,
)
from paragauge.cli.options.metric_choice import SetMetricChoice, with_set_metrics
from paragauge.cli.options.script_note import note_script
from paragauge.cli.progress import Steps, track_segments
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
        "paragauge score -c mine.txt --scores comet.tsv",
        "paragauge score --table pairs.parquet -s source -c output --engine spark://host:7077",
    ),
)
@with_corpus
@with_set_metrics
@with_given_scores
@shared_options.bootstrap
@shared_options.level
@shared_options.seed
@shared_options.form
@option(
    "--segments",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write segment scores; the extension sets the format: .tsv, .csv, .jsonl or .parquet.",
)
@shared_options.html
@shared_options.max_segments
@shared_options.threads
@with_scoring_engine
def score(
    texts: CorpusInput,
    choice: SetMetricChoice,
    given: GivenScoresChoice,
    bootstrap: int,
    level: float,
    seed: int,
    form: str,
    segments: str | None,
    html: str | None,
    max_segments: int,
    threads: int,
    engine: EngineChoice,
) -> None:
    """Score systems with one or more metrics."""
    shared_options.check_format(form)
    if html is None:
        shared_options.refuse_without("--html", "max_segments")
    if not given.scores:
        shared_options.refuse_without("--scores", "decimal")
    corpus = texts.corpus(threads, several=True)
    if engine.engine is not None and given.scores:
        raise SettingError("--scores: workers cannot read them; leave out one of --engine, --scores")
    chosen = given.metrics(choice, corpus)
    outputs = {"--segments": segments, "--html": html}
    shared_options.check_outputs(outputs, corpus, [*given.scores, *choice.model_files()])
    resampling = Resampling(bootstrap, seed, level, threads)
    if engine.engine is None:
        shared_options.refuse_without("--engine", "memory", "temporary", "spark")
        sheet = _score_here(corpus, chosen, resampling, segments, html, max_segments)
    else:
        if html is not None:
            raise SettingError(
                "--html: needs the texts, which workers keep; leave out one of --engine, --html"
            )
        if not _is_parquet(texts):
            raise SettingError(
                "--engine: reads Parquet; give a --table in that format, or leave it out"
            )
        sheet = _score_by_workers(corpus, chosen, resampling, segments, engine)
    sys.stdout.write(render_scores(sheet, form))


class Resampling(NamedTuple):
    """How intervals are computed, and on how many threads."""

    bootstrap: int
    seed: int
    level: float
    threads: int


def _score_here(
    corpus: Corpus,
    metrics: dict[str, Metric],
    resampling: Resampling,
    segments: str | None,
    html: str | None,
    max_segments: int,
) -> ScoreSheet:
    """Score texts that this process reads batch by batch."""
    bootstrap, seed, level, threads = resampling
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if segments is not None:
            from paragauge.report.tables.segment_scores import segment_writer

            observers.append(stack.enter_context(segment_writer(segments, metrics)))
        if html is not None:
            from paragauge.report.pages.report_page import report_writer

            writer = report_writer(
                html,
                metrics,
                bootstrap=bootstrap,
                seed=seed,
                level=level,
                threads=threads,
                limit=max_segments,
                command=shared_options.command_line(),
            )
            report = stack.enter_context(writer)
            observers += report.observers
        sheet = score_batches(
            track_segments(note_script(corpus.batches(), metrics)),
            metrics,
            bootstrap=bootstrap,
            seed=seed,
            level=level,
            threads=threads,
            observers=observers,
        )
        check_segments(metrics, sheet.segments)
        if html is not None:
            report.write(report.evaluation(sheet))
    return sheet


def _score_by_workers(
    corpus: Corpus,
    metrics: dict[str, Metric],
    resampling: Resampling,
    segments: str | None,
    engine: EngineChoice,
) -> ScoreSheet:
    """Score the rows of a Parquet table that the workers of an engine read."""
    from paragauge.metrics.engine_scoring import StatisticsObserver, score_table

    bootstrap, seed, level, threads = resampling
    workers = engine.create(threads)
    systems = list(corpus.systems)
    with contextlib.ExitStack() as stack:
        observers: list[StatisticsObserver] = []
        if segments is not None:
            from paragauge.report.tables.segment_scores import segment_writer

            writer = stack.enter_context(segment_writer(segments, metrics))
            observers.append(lambda first, stats: writer.write(first, systems, stats))
        step = stack.enter_context(Steps(None))
        return score_table(
            corpus,
            metrics,
            workers,
            bootstrap=bootstrap,
            seed=seed,
            level=level,
            threads=threads,
            folder=engine.temporary,
            observers=observers,
            progress=step,
        )


def _is_parquet(texts: CorpusInput) -> bool:
    if texts.table_format:
        return texts.table_format == "parquet"
    table = texts.table
    return table is not None and (Path(table).is_dir() or Path(table).suffix == ".parquet")
