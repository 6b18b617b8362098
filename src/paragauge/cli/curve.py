"""`paragauge curve`: how agreement with people grows with the number of references."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.judged_input import JudgedInput, with_judged
from paragauge.cli.options.metric_choice import MetricChoice, with_metrics
from paragauge.cli.options.option_effect import check_effect
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError
from paragauge.meta.correlation import curves
from paragauge.meta.correlation.correlation import CorrelationSettings, StatisticName
from paragauge.meta.correlation.statistic import VIEWS, View
from paragauge.meta.evaluation import score_condition
from paragauge.report.drawing.plots.reference_count_curve import reference_plot
from paragauge.report.drawing.save import check_plot, save_plot
from paragauge.report.tables.correlation_tables import render_curve
from paragauge.rewrite.rewritten_metric_spec import metrics_by_label

CURVE = "Curve"


@click.command(
    cls=Command,
    examples=(
        "paragauge curve ratings.tsv -s src.txt -r refs.tsv -c a.txt -c b.txt --criterion semantic",
        "paragauge curve ratings.jsonl --criterion overall --counts 1,2,5,10 --plot curve.svg",
    ),
)
@with_judged
@with_metrics
@option(
    "--criterion", required=True, metavar="NAME", heading=CURVE, help="The ratings to correlate with."
)
@option(
    "--counts",
    metavar="N,...",
    heading=CURVE,
    help="Numbers of references. Default: 1 up to the most that a segment has.",
)
@count_option(
    "--repetitions",
    least=1,
    most=10000,
    default=10,
    heading=CURVE,
    help="How often references are drawn for each point.",
)
@option(
    "--complete",
    is_flag=True,
    heading=CURVE,
    help="Only segments with as many references as the largest number.",
)
@option("--statistic", default="pearson", metavar="NAME", heading=CURVE, help="As for paragauge meta.")
@choice_option("--view", choices=VIEWS, default="pooled", heading=CURVE, help="As for paragauge meta.")
@option("--where", metavar="CONDITION", heading=CURVE, help="Only candidates that meet this.")
@shared_options.bootstrap
@shared_options.level
@shared_options.seed
@shared_options.form
@option(
    "--plot",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also draw the curve; the extension sets the format: .svg or .png.",
)
@shared_options.theme
@shared_options.threads
def curve(
    judgments: JudgedInput,
    choice: MetricChoice,
    criterion: str,
    counts: str | None,
    repetitions: int,
    complete: bool,
    statistic: StatisticName,
    view: View,
    where: str | None,
    bootstrap: int,
    level: float,
    seed: int,
    form: str,
    plot: str | None,
    theme: str,
    threads: int,
) -> None:
    """Correlate a metric with ratings, by the number of references.

    Each number of references is drawn several times, with and without the source among them. RATINGS
    is a table of ratings.
    """
    shared_options.check_format(form)
    if plot is not None:
        check_plot(plot, theme)
    choice.encoding.use_cache()
    chosen = metrics_by_label(choice.metrics or ["bleu"], choice.defaults())
    check_effect(choice.text.settings() | choice.encoding.settings(), chosen)
    if len(chosen) > 1:
        raise SettingError("--metrics: expected one metric for a curve, found several")
    try:
        numbers = [int(text) for text in counts.split(",")] if counts else None
    except ValueError:
        raise SettingError(f"--counts {counts}: expected whole numbers separated by commas") from None
    settings = CorrelationSettings(
        statistic=statistic,
        view=view,
        test="none",
        bootstrap=bootstrap,
        seed=seed,
        level=level,
        threads=threads,
    )
    judged = score_condition(judgments.evalset(threads), where, threads, choice.defaults())
    metric = next(iter(chosen.values()))
    most = max(map(len, judged.references or ((),)))
    with Steps(2 * repetitions * (len(numbers) if numbers else most)) as step:
        points = curves.curve(
            judged,
            criterion,
            metric,
            numbers,
            settings,
            repetitions=repetitions,
            complete=complete,
            where=where,
            step=step,
        )
    if plot is not None:
        save_plot(reference_plot(points), plot, theme)
    sys.stdout.write(render_curve(points, form))
