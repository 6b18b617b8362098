"""`paragauge fit`: learn a metric from human ratings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, with_corpus_beside_ratings
from paragauge.cli.options.encoder_options import EncoderChoice, with_encoder
from paragauge.cli.options.metric_choice import FLAGS, TextChoice, with_text_choice
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.options.rating_options import (
    RatingColumns,
    allow_missing,
    with_columns_beside_texts,
)
from paragauge.cli.options.ratings_beside_texts import texts_beside_ratings
from paragauge.cli.progress import track_segments
from paragauge.errors import SettingError, unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.combined.adequacy_metric import fold_adequacy
from paragauge.metrics.combined.pinc_sigmoid import SigmoidFit
from paragauge.metrics.fitting import (
    FITTED,
    GRIDS,
    KINDS,
    LEARNED,
    AnyFit,
    FittedName,
    fit_batches,
    unfitted_metric,
)
from paragauge.metrics.maxsim.context import MaxSimContext
from paragauge.metrics.maxsim.fit import MaxSimFit
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.metrics.settings import convert_settings
from paragauge.text.files import atomic_path
from paragauge.text.ratings import read_ratings
from paragauge.text.wording import pluralize


@click.command(
    cls=Command,
    examples=(
        "paragauge fit -s sources.txt -r refs.tsv -c a.txt -c b.txt --ratings r.tsv -o fit.json",
        "paragauge score -s sources.txt -r refs.tsv -c c.txt -m pinc-sigmoid:model=fit.json",
        "paragauge fit -s s.txt -r r.tsv -c a.txt --ratings q.tsv --setting adequacy=chrf -o fit.json",
        "paragauge fit --metric pinc-svr -s s.txt -r r.tsv -c a.txt --ratings q.tsv -o svr.json",
        "paragauge fit --metric maxsim-soft -r refs.tsv -c a.txt --ratings r.tsv -o soft.json",
        "paragauge fit --metric maxsim-context -r refs.tsv -c a.txt --ratings r.tsv -o context.json",
    ),
)
@with_corpus_beside_ratings
@option(
    "--ratings",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="A table with the columns segment (from 1), system and the rating; rows are averaged.",
)
@option(
    "--criterion",
    metavar="NAME",
    heading=shared_options.INPUT,
    help="The column with the ratings to fit to. Default: overall, or the one of --criteria.",
)
@allow_missing
@with_columns_beside_texts
@choice_option(
    "--metric",
    choices=FITTED,
    default="pinc-sigmoid",
    heading=shared_options.METRIC,
    help="The metric to fit.",
)
@with_text_choice
@with_encoder
@option(
    "--setting",
    multiple=True,
    metavar="NAME=VALUE",
    heading=shared_options.METRIC,
    help="Another setting of the metric, such as order=3 or adequacy=bertscore. May repeat.",
)
@count_option(
    "--folds",
    least=2,
    most=1000,
    default=5,
    heading=shared_options.UNCERTAINTY,
    help="Folds of the cross-validation.",
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
    criterion: str | None,
    allow_missing: bool,
    columns: RatingColumns,
    metric: FittedName,
    text: TextChoice,
    encoding: EncoderChoice,
    setting: tuple[str, ...],
    folds: int,
    seed: int,
    output: str,
    threads: int,
) -> None:
    """Fit a learned metric to human ratings.

    The metric is PINC x sigmoid(BLEU) or a support-vector regression on BLEU and PINC, in which another
    metric of the meaning kept can take BLEU's place (--setting adequacy=NAME), MAXSIM-soft or
    MAXSIM-context.
    """
    if metric not in FITTED:
        raise unknown_name("metric to fit", metric, FITTED)
    corpus, columns = texts_beside_ratings(texts, columns, threads)
    shared_options.check_outputs({"--output": output}, corpus, [ratings])
    if set(output) & set(",:"):
        raise SettingError(
            f"--output {output}: expected a name without , and :, which --metrics could not "
            "read; choose another name"
        )
    encoding.use_cache()
    defaults = text.settings() | encoding.settings()
    settings = _settings(defaults, setting, KINDS[metric])
    unfitted_metric(metric, **settings).require(corpus.inputs(), FLAGS)
    with atomic_path(output) as temporary:
        rated = read_ratings(
            ratings,
            columns.criterion(criterion, "overall"),
            list(corpus.systems),
            columns=columns.roles(("segment", "system", "judge")),
            separator=columns.separator,
            dialect=columns.dialect(),
        )
        batches = list(track_segments(corpus.batches()))
        means, gaps = rated.match(
            list(corpus.systems), sum(map(len, batches)), allow_missing=allow_missing
        )
        fitted = fit_batches(
            batches,
            means,
            metric,
            folds=folds,
            seed=seed,
            threads=threads,
            **settings,
        )
        fitted.save(temporary)
    unrated = fitted.ratings + fitted.missing - len(means)
    if unrated:
        gaps.append(f"{pluralize(unrated, 'candidate')} without a rating")
    lines = [_summary(fitted), *([f"left out: {'; '.join(gaps)}"] if gaps else [])]
    lines.append(f"saved to {output}; use: --metrics {metric}:model={output}")
    click.echo("\n".join(lines))


def _settings(
    defaults: Mapping[str, str], changes: Iterable[str], kind: type[Metric]
) -> dict[str, Any]:
    """The settings that are not fitted, as the metric takes them."""
    names = [field.name for field in dataclasses.fields(kind)]
    chosen: dict[str, str] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or name in LEARNED[kind.name.lower()]:
            raise SettingError(
                f"--setting {change}: expected NAME=VALUE of a setting that is not fitted; leave it out"
            )
        chosen[name] = value
    if "adequacy" in names:
        chosen = fold_adequacy(kind.name, chosen, defaults)
    usual = {name: value for name, value in defaults.items() if name in names}
    return convert_settings(kind, {**usual, **chosen})


def _summary(fitted: AnyFit) -> str:
    if isinstance(fitted, MaxSimFit):
        return _maxsim_summary(fitted)
    if isinstance(fitted, SigmoidFit):
        learned = f"slope {fitted.metric.slope:.4g}, midpoint {fitted.metric.midpoint:.4g}"
    else:
        parameters = ", ".join(f"{name} {value:g}" for name, value in fitted.parameters.items())
        count = len(fitted.metric.fitted.regression.coefficients)
        learned = f"{pluralize(count, 'support vector')}, {parameters}"
    own = (
        f"{fitted.pearson:.3f} with its own {pluralize(fitted.ratings, 'rating')} "
        f"({pluralize(fitted.missing, 'pair')} without one)"
    )
    figure = fitted.held_out
    if figure.pearson is None:
        few = f"{pluralize(figure.sources, 'source')} for {figure.folds} folds"
        return f"{learned}\nPearson {own}; none held out: {few}"
    interval = "" if figure.low is None else f" [{figure.low:.3f}, {figure.high:.3f}]"
    return (
        f"{learned}\nPearson {figure.pearson:.3f}{interval} held out ({figure.folds}-fold "
        f"cross-validation by source), {own}"
    )


def _maxsim_summary(fitted: MaxSimFit[MaxSimSoft] | MaxSimFit[MaxSimContext]) -> str:
    metric = fitted.metric
    weights = zip(metric.part_names(), metric.part_weights(), strict=True)
    grid = GRIDS[metric.name.lower()]
    learned = ", ".join(f"{name} {getattr(metric, name):g}" for name in grid)
    return (
        f"weights: {', '.join(f'{name} {weight:.3f}' for name, weight in weights)}\n{learned}\n"
        f"Pearson {fitted.held_out:.3f} [{fitted.low:.3f}, {fitted.high:.3f}] held out "
        f"({fitted.folds}-fold cross-validation), {fitted.pearson:.3f} with its own {fitted.ratings} "
        f"ratings ({pluralize(fitted.missing, 'pair')} without one)"
    )
