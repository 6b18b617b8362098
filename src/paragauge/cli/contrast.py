"""`paragauge contrast`: does a metric notice a change of meaning?"""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.metric_choice import MetricChoice, with_metrics
from paragauge.cli.options.rating_options import split_names
from paragauge.cli.progress import Steps
from paragauge.errors import InputError
from paragauge.meta.contrast import evaluation
from paragauge.meta.contrast.contrast_set import ENGLISH, GOOD_KINDS, read_contrast_set
from paragauge.report.drawing.plots.contrast_shares import contrast_plot
from paragauge.report.drawing.save import check_plot, save_plot
from paragauge.report.tables.contrast_tables import left_out_note, render_contrast
from paragauge.text.files import display_name


@click.command(
    cls=Command,
    examples=(
        "paragauge contrast -m pem,bertscore",
        "paragauge contrast mine.tsv -m cosine --good paraphrase --plot contrast.svg",
        "paragauge contrast -m maxsim-soft,meteor -f json",
    ),
)
@click.argument("pairs", metavar="[SET]", required=False)
@option(
    "--good",
    multiple=True,
    metavar="NAME,...",
    heading=shared_options.INPUT,
    help="The kinds that are good paraphrases. May repeat. Default: few-changes and many-changes.",
)
@with_metrics
@shared_options.bootstrap
@shared_options.level
@shared_options.seed
@shared_options.form
@option(
    "--plot",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also draw how often good paraphrases win: .svg or .png.",
)
@shared_options.theme
@shared_options.threads
def contrast(
    pairs: str | None,
    good: tuple[str, ...],
    choice: MetricChoice,
    bootstrap: int,
    level: float,
    seed: int,
    form: str,
    plot: str | None,
    theme: str,
    threads: int,
) -> None:
    """Test whether metrics notice a change of meaning.

    For each kind of change, prints how often good paraphrases of a source score better than the
    changed candidate. SET is a table with the columns source, kind and candidate (TSV, CSV, JSON Lines
    or Parquet); without it, the set is the English one that comes with the package. Metrics that need
    references get the source as the reference. Sources without a good paraphrase are left out and
    counted.
    """
    shared_options.check_format(form)
    if plot is None:
        shared_options.refuse_without("--plot", "theme")
    else:
        check_plot(plot, theme)
        shared_options.check_no_input("--plot", plot, [pairs, *choice.model_files()])
    metrics = choice.build(("sources", "references"), "")
    rows = read_contrast_set(ENGLISH if pairs is None else pairs)
    if pairs is not None and not good and not set(GOOD_KINDS) <= set(rows.kinds):
        raise InputError(
            f"{display_name(pairs)}: expected candidates of the kinds {' and '.join(GOOD_KINDS)}, "
            f"which are good paraphrases by default, found {', '.join(rows.kind_names())}; name the "
            "good kinds with --good"
        )
    with Steps(len(metrics)) as step:
        sheet = evaluation.contrast(
            metrics,
            rows,
            good=split_names(good) or GOOD_KINDS,
            bootstrap=bootstrap,
            seed=seed,
            level=level,
            threads=threads,
            step=step,
        )
    if sheet.left_out and form == "tsv":
        click.echo(f"paragauge: {left_out_note(sheet)}", err=True)  # a table has no notes
    if plot is not None:
        save_plot(contrast_plot(sheet), plot, theme)
    sys.stdout.write(render_contrast(sheet, form))
