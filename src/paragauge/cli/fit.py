"""`paragauge fit`: learn PINC x sigmoid(BLEU) from human ratings."""

from __future__ import annotations

from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command, option
from paragauge.cli.progress import watched
from paragauge.errors import SettingError
from paragauge.metrics.pinc_sigmoid import PINCSigmoid, fit_batches
from paragauge.metrics.registry import convert_settings
from paragauge.text.files import atomic_path
from paragauge.text.ratings import read_ratings


@click.command(
    cls=Command,
    examples=(
        "paragauge fit -s sources.txt -r refs.tsv -c a.txt -c b.txt --ratings r.tsv -o fit.json",
        "paragauge score -s sources.txt -r refs.tsv -c c.txt -m pinc-sigmoid:model=fit.json",
    ),
)
@options.corpus_input
@option(
    "--ratings",
    required=True,
    metavar="FILE",
    heading=options.INPUT,
    help="TSV with the columns segment (from 1), system and the rating; rows are averaged.",
)
@option(
    "--column",
    default="overall",
    metavar="NAME",
    heading=options.INPUT,
    help="The column of the ratings to fit to.",
)
@options.tokenizer
@options.case
@option(
    "--setting",
    multiple=True,
    metavar="NAME=VALUE",
    heading=options.METRIC,
    help="Another setting of PINC-sigmoid, such as order=3 or count=clip. May repeat.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=options.OUTPUT,
    help="Where to save the fit (JSON).",
)
@options.threads
def fit(**given: Any) -> None:
    """Fit the logistic of PINC x sigmoid(BLEU) to human ratings."""
    corpus = options.corpus_of(given)
    options.check_outputs(given, corpus, "output")
    if set(given["output"]) & set(",:"):
        raise SettingError(
            f"--output {given['output']}: expected a name without , and :, which --metrics could not "
            "read; choose another name"
        )
    chosen = options.text_settings(given)
    for each in given["setting"]:
        name, equals, value = each.partition("=")
        if not equals or name in ("slope", "midpoint"):
            raise SettingError(f"--setting {each}: expected NAME=VALUE of a setting that is not fitted")
        chosen[name] = value
    settings = convert_settings(PINCSigmoid, chosen)
    probe = PINCSigmoid(slope=1.0, midpoint=0.0, **settings)
    probe.require(corpus.inputs(), {"sources": "-s", "references": "-r"})
    with atomic_path(given["output"]) as temporary:
        gold = read_ratings(given["ratings"], given["column"], list(corpus.systems))
        fitted = fit_batches(gold, watched(corpus.batches()), **settings)
        fitted.save(temporary)
    click.echo(
        f"slope {fitted.metric.slope:.4g}, midpoint {fitted.metric.midpoint:.4g}: Pearson "
        f"{fitted.pearson:.3f} with {fitted.ratings} ratings ({fitted.missing} pairs without one)\n"
        f"saved to {given['output']}; use: --metrics pinc-sigmoid:model={given['output']}"
    )
