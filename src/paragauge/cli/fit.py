"""`paragauge fit`: learn PINC x sigmoid(BLEU), or the extended MAXSIM, from human ratings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, with_corpus
from paragauge.cli.options.metric_choice import FLAGS, TextChoice, with_text_choice
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import track_segments
from paragauge.errors import SettingError, unknown_name
from paragauge.metrics import pinc_sigmoid
from paragauge.metrics.base import Metric
from paragauge.metrics.fits import Ratings
from paragauge.metrics.maxsim import fit as maxsim_fit
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.metrics.pinc_sigmoid import PINCSigmoid
from paragauge.metrics.settings import convert_settings
from paragauge.text.batch import Batch
from paragauge.text.files import atomic_path
from paragauge.text.ratings import read_ratings
from paragauge.text.wording import counted

KINDS = ("pinc-sigmoid", "maxsim-soft")
LEARNED = {
    "pinc-sigmoid": {"slope", "midpoint"},
    "maxsim-soft": {"weights", *maxsim_fit.SEARCH},
}


@click.command(
    cls=Command,
    examples=(
        "paragauge fit -s sources.txt -r refs.tsv -c a.txt -c b.txt --ratings r.tsv -o fit.json",
        "paragauge score -s sources.txt -r refs.tsv -c c.txt -m pinc-sigmoid:model=fit.json",
        "paragauge fit --metric maxsim-soft -r refs.tsv -c a.txt --ratings r.tsv -o soft.json",
    ),
)
@with_corpus
@option(
    "--ratings",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="TSV or CSV with the columns segment (from 1), system and the rating; rows are averaged.",
)
@option(
    "--column",
    default="overall",
    metavar="NAME",
    heading=shared_options.INPUT,
    help="The column of the ratings to fit to.",
)
@choice_option(
    "--metric",
    choices=KINDS,
    default="pinc-sigmoid",
    heading=shared_options.METRIC,
    help="The metric to fit.",
)
@with_text_choice
@option(
    "--setting",
    multiple=True,
    metavar="NAME=VALUE",
    heading=shared_options.METRIC,
    help="Another setting of the metric, such as order=3. May repeat.",
)
@count_option(
    "--folds",
    least=2,
    most=1000,
    default=5,
    heading=shared_options.UNCERTAINTY,
    help="Folds of the cross-validation of maxsim-soft.",
)
@shared_options.seed
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MODEL,
    help="Where to save the fit (JSON).",
)
@shared_options.threads
def fit(
    texts: CorpusInput,
    ratings: str,
    column: str,
    metric: str,
    text: TextChoice,
    setting: tuple[str, ...],
    folds: int,
    seed: int,
    output: str,
    threads: int,
) -> None:
    """Fit a learned metric to human ratings.

    The metric is PINC x sigmoid(BLEU) or the extended MAXSIM.
    """
    if metric not in KINDS:
        raise unknown_name("metric to fit", metric, KINDS)
    corpus = texts.corpus(threads)
    shared_options.check_outputs({"--output": output}, corpus, [ratings])
    if set(output) & set(",:"):
        raise SettingError(
            f"--output {output}: expected a name without , and :, which --metrics could not "
            "read; choose another name"
        )
    soft = metric == "maxsim-soft"
    if not soft:
        shared_options.refuse_without("--metric maxsim-soft", "folds", "seed")
    settings = _settings(text, setting, MaxSimSoft if soft else PINCSigmoid)
    probe = MaxSimSoft.load() if soft else PINCSigmoid(slope=1.0, midpoint=0.0, **settings)
    probe.require(corpus.inputs(), FLAGS)
    with atomic_path(output) as temporary:
        gold = read_ratings(ratings, column, list(corpus.systems))
        batches = track_segments(corpus.batches())
        if soft:
            fitted = maxsim_fit.fit_batches(
                gold, batches, folds=folds, seed=seed, threads=threads, **settings
            )
            fitted.save(temporary)
            message = _soft_summary(fitted)
        else:
            message = _fit_sigmoid(gold, batches, temporary, settings)
    click.echo(f"{message}\nsaved to {output}; use: --metrics {metric}:model={output}")


def _settings(text: TextChoice, changes: Iterable[str], kind: type[Metric]) -> dict[str, Any]:
    """The settings that are not fitted, as the metric takes them."""
    names = [field.name for field in dataclasses.fields(kind)]
    chosen = {name: value for name, value in text.settings().items() if name in names}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or name in LEARNED[kind.name.lower()]:
            raise SettingError(
                f"--setting {change}: expected NAME=VALUE of a setting that is not fitted"
            )
        chosen[name] = value
    return convert_settings(kind, chosen)


def _fit_sigmoid(gold: Ratings, batches: Iterable[Batch], path: Path, settings: dict[str, Any]) -> str:
    fitted = pinc_sigmoid.fit_batches(gold, batches, **settings)
    fitted.save(path)
    return (
        f"slope {fitted.metric.slope:.4g}, midpoint {fitted.metric.midpoint:.4g}: Pearson "
        f"{fitted.pearson:.3f} with {counted(fitted.ratings, 'rating')} "
        f"({counted(fitted.missing, 'pair')} without one)"
    )


def _soft_summary(fitted: maxsim_fit.MaxSimFit) -> str:
    metric = fitted.metric
    weights = zip(metric.part_names(), metric.part_weights(), strict=True)
    learned = ", ".join(f"{name} {getattr(metric, name):g}" for name in maxsim_fit.SEARCH)
    return (
        f"weights: {', '.join(f'{name} {weight:.3f}' for name, weight in weights)}\n{learned}\n"
        f"Pearson {fitted.held_out:.3f} [{fitted.low:.3f}, {fitted.high:.3f}] held out "
        f"({fitted.folds}-fold cross-validation), {fitted.pearson:.3f} with its own {fitted.ratings} "
        f"ratings ({counted(fitted.missing, 'pair')} without one)"
    )
