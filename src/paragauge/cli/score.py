"""`paragauge score`: corpus scores with intervals, and segment scores to a file."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from paragauge.cli import options
from paragauge.cli.progress import watched
from paragauge.metrics.scoring import Observer, score_batches
from paragauge.report.examples import Examples
from paragauge.report.segments import segment_writer
from paragauge.report.tables import FORMATS, render_scores


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("score")(score)


def score(
    candidates: options.Candidates,
    sources: options.Sources = None,
    references: options.References = None,
    table: options.Table = None,
    table_format: options.TableFormat = None,
    metrics: options.Metrics = None,
    tokenize: options.Tokenizer = None,
    case: options.Case = None,
    bootstrap: options.Bootstrap = 1000,
    level: options.Level = 0.95,
    seed: options.Seed = 7,
    form: options.Format = "text",
    segments: Annotated[
        Path | None,
        typer.Option(
            "--segments",
            metavar="FILE",
            help="Also write segment scores, as the name says: .tsv, .jsonl or .parquet.",
            rich_help_panel="Output",
        ),
    ] = None,
    html: options.Html = None,
    threads: options.Threads = 0,
) -> None:
    """Score systems with one or more metrics.

    Examples:
        paragauge score -s sources.txt -c mine.txt --metrics pinc

        paragauge score -s sources.txt -r refs.tsv -c base=a.txt -c mine=b.txt -m bleu,pinc

        paragauge score -r r1.txt -r r2.txt -c mine.txt -m bleu:smooth=floor:order=2 -f json

        paragauge score --table data.jsonl -s source -c output -r references -m bleu,pinc

    """
    options.check_format(form, FORMATS)
    corpus = options.corpus_of(
        candidates, sources, references, table=table, table_format=table_format, threads=threads
    )
    chosen = options.metrics_of(metrics, corpus, tokenize=tokenize, case=case)
    with contextlib.ExitStack() as stack:
        observers: list[Observer] = []
        if segments is not None:
            observers.append(stack.enter_context(segment_writer(segments, chosen)))
        examples = Examples(chosen) if html is not None else None
        if examples is not None:
            observers.append(examples)
        sheet = score_batches(
            watched(corpus.batches()),
            chosen,
            bootstrap=bootstrap,
            seed=seed,
            level=level,
            threads=threads,
            observers=observers,
        )
        if html is not None and examples is not None:
            from paragauge.report.html import write_report

            write_report(html, sheet, examples)
    sys.stdout.write(render_scores(sheet, form))
