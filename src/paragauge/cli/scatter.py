"""`paragauge scatter`: plot ratings and metrics against each other."""

from __future__ import annotations

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.judged_input import JudgedInput, score_judged, with_judged
from paragauge.cli.options.metric_choice import MetricChoice, with_metrics
from paragauge.cli.options.option_kinds import choice_option, seed_option
from paragauge.errors import SettingError
from paragauge.meta.evaluation import score_condition
from paragauge.meta.sets.evalset import EvalSet
from paragauge.report.drawing.plots import rating_scatter
from paragauge.report.drawing.plots.rating_scatter import SCATTER_VIEWS, ScatterView
from paragauge.report.drawing.save import check_plot, save_plot

PLOT = "Plot"


@click.command(
    cls=Command,
    examples=(
        "paragauge scatter ratings.tsv -x dissimilarity --where 'adequacy>=4' --jitter 0.1 -o plot.svg",
        "paragauge scatter ratings.tsv -s src.txt -c a.txt -c b.txt -m pem -o plot.svg",
        "paragauge scatter ratings.tsv -s src.txt -c a.txt -c b.txt -m pem --view system -o plot.png",
    ),
)
@with_judged
@with_metrics
@option(
    "--across",
    "-x",
    metavar="NAME",
    heading=PLOT,
    help="The metric or criterion of the horizontal axis. Default: the metric, if there is one.",
)
@option(
    "--up",
    "-y",
    default="overall",
    metavar="NAME",
    heading=PLOT,
    help="The criterion or metric of the vertical axis.",
)
@choice_option(
    "--view",
    choices=SCATTER_VIEWS,
    default="pooled",
    heading=PLOT,
    help="A point for each candidate, or for each system.",
)
@option("--where", metavar="CONDITION", heading=PLOT, help="Only candidates that meet this.")
@option(
    "--jitter",
    type=float,
    default=0.0,
    metavar="D",
    heading=PLOT,
    help="Move each candidate by up to D, to separate equal ratings.",
)
@option("--fit/--no-fit", default=True, heading=PLOT, help="Draw the line of least squares.")
@seed_option(heading=PLOT, help="Seed of the jitter.")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="The plot: .svg or .png.",
)
@shared_options.theme
@shared_options.threads
def scatter(
    judgments: JudgedInput,
    choice: MetricChoice,
    across: str | None,
    up: str,
    view: ScatterView,
    where: str | None,
    jitter: float,
    fit: bool,
    seed: int,
    output: str,
    theme: str,
    threads: int,
) -> None:
    """Plot ratings and metrics against each other.

    A point is a candidate or a system; ratings are the mean of the judges. RATINGS is a table of
    ratings.
    """
    check_plot(output, theme)
    shared_options.check_no_input("--output", output, _input_files(judgments))
    if view == "system":
        shared_options.refuse_with("--view system", "jitter", "fit", "seed")
    judged = judgments.evalset(threads)
    if choice.metrics or across not in judged.criteria:
        judged = score_judged(judged, choice, threads)
    across = across or _only_metric(judged)
    judged = score_condition(judged, where, threads, choice.defaults())
    scene = rating_scatter.scatter(
        judged,
        across,
        up,
        view=view,
        where=where,
        jitter=jitter,
        fit=fit,
        seed=seed,
    )
    save_plot(scene, output, theme)
    click.echo(f"{output}: {scene.caption}")


def _only_metric(judged: EvalSet) -> str:
    if len(judged.scores) != 1:
        raise SettingError(
            f"-x: expected the metric or criterion of the horizontal axis, because there are "
            f"{len(judged.scores)} metrics: {', '.join(judged.scores)}; name one"
        )
    return next(iter(judged.scores))


def _input_files(judgments: JudgedInput) -> list[str]:
    ratings = [] if judgments.ratings is None else [judgments.ratings]
    paths = [*ratings, *judgments.sources, *judgments.references, *judgments.scores]
    return paths + list(shared_options.name_systems(judgments.candidates).values())
