"""`paragauge compare`: several systems against a baseline, with significance."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from paragauge.cli import options
from paragauge.cli.progress import watched
from paragauge.errors import InputError
from paragauge.meta.compare import CORRECTIONS, compare_batches
from paragauge.report.examples import Examples
from paragauge.report.tables import FORMATS, render_comparison


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("compare")(compare)


def compare(
    candidates: options.Candidates,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            "-b",
            metavar="NAME",
            help="The system to compare with. Default: the first one.",
            rich_help_panel="Input",
        ),
    ] = None,
    sources: options.Sources = None,
    references: options.References = None,
    table: options.Table = None,
    table_format: options.TableFormat = None,
    metrics: options.Metrics = None,
    tokenize: options.Tokenizer = None,
    case: options.Case = None,
    bootstrap: options.Bootstrap = 1000,
    randomisation: Annotated[
        int,
        typer.Option(
            min=0,
            help="Trials of approximate randomisation; 0 for none.",
            rich_help_panel="Uncertainty",
        ),
    ] = 10000,
    alpha: Annotated[
        float, typer.Option(help="Level of significance.", rich_help_panel="Uncertainty")
    ] = 0.05,
    correction: Annotated[
        str,
        typer.Option(
            metavar="|".join(CORRECTIONS),
            help="How p-values are corrected for several systems.",
            rich_help_panel="Uncertainty",
        ),
    ] = "holm",
    level: options.Level = 0.95,
    seed: options.Seed = 7,
    form: options.Format = "text",
    html: options.Html = None,
    threads: options.Threads = 0,
) -> None:
    """Compare systems with a baseline and say what is significant.

    Examples:
        paragauge compare -s sources.txt -r refs.tsv -c base.txt -c mine.txt

        paragauge compare -r refs.txt -c a.txt -c b.txt -c c.txt -b b -m bleu,chrf -f json

        paragauge compare -s src.txt -r refs.tsv -c base.txt -c mine.txt --html report.html

    """
    options.check_format(form, FORMATS)
    corpus = options.corpus_of(
        candidates, sources, references, table=table, table_format=table_format, threads=threads
    )
    if len(corpus.systems) < 2:
        raise InputError("expected at least two systems to compare, got one; repeat -c")
    chosen = options.metrics_of(metrics, corpus, tokenize=tokenize, case=case)
    examples = Examples(chosen) if html is not None else None
    comparison = compare_batches(
        watched(corpus.batches()),
        chosen,
        baseline=next(iter(corpus.systems)) if baseline is None else baseline,
        bootstrap=bootstrap,
        randomisation=randomisation,
        seed=seed,
        level=level,
        alpha=alpha,
        correction=correction,
        threads=threads,
        observers=[] if examples is None else [examples],
    )
    if html is not None and examples is not None:
        from paragauge.report.html import write_report

        write_report(html, comparison.sheet, examples, comparison)
    sys.stdout.write(render_comparison(comparison, form))
