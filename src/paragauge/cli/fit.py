"""`paragauge fit`: learn PINC x sigmoid(BLEU) from human ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paragauge.cli import options
from paragauge.metrics.pinc_sigmoid import fit_batches
from paragauge.text.ratings import read_ratings


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("fit")(fit)


def fit(
    candidates: options.Candidates,
    sources: options.Sources,
    references: options.References,
    ratings: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="TSV with the columns segment (from 1), system and the rating; rows are averaged.",
            rich_help_panel="Input",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Where to save the fit (JSON)."),
    ],
    column: Annotated[
        str, typer.Option(help="The column of the ratings to fit to.", rich_help_panel="Input")
    ] = "overall",
    tokenize: options.Tokenizer = None,
    case: options.Case = None,
    threads: options.Threads = 0,
) -> None:
    """Fit the logistic of PINC x sigmoid(BLEU) to human ratings.

    Examples:
        paragauge fit -s sources.txt -r refs.tsv -c a.txt -c b.txt --ratings ratings.tsv -o fit.json

        paragauge score -s sources.txt -r refs.tsv -c mine.txt -m pinc-sigmoid:model=fit.json

    """
    corpus = options.corpus_of(
        candidates, sources, references, table=None, table_format=None, threads=threads
    )
    gold = read_ratings(ratings, column, list(corpus.systems))
    given = {"tokenize": tokenize, "case": case}
    fitted = fit_batches(
        gold, corpus.batches(), **{key: value for key, value in given.items() if value is not None}
    )
    fitted.save(output)
    typer.echo(
        f"slope {fitted.metric.slope:.4g}, midpoint {fitted.metric.midpoint:.4g}: Pearson "
        f"{fitted.pearson:.3f} with {fitted.ratings} ratings ({fitted.missing} pairs without one)\n"
        f"saved to {output}; use: --metrics pinc-sigmoid:model={output}"
    )
