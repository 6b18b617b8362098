"""`paragauge agree`: do judges agree with each other and with themselves?"""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option, count_option, share_option
from paragauge.cli.options.rating_options import (
    RatingColumns,
    named_criteria,
    split_names,
    with_rating_columns,
)
from paragauge.meta.agreement import agreement
from paragauge.meta.agreement.agreement import SYSTEM_MEANS, AgreementSettings, SystemMeans
from paragauge.meta.correlation.coefficients import COEFFICIENTS, CoefficientName
from paragauge.meta.measure import Bootstrap
from paragauge.report.tables.agreement_tables import render_agreement

AGREEMENT = "Agreement"
CONTROLS = "Controls"


@click.command(
    cls=Command,
    examples=(
        "paragauge agree ratings.tsv",
        "paragauge agree ratings.tsv --criterion overall --exclude-systems copy,random,unigram",
        "paragauge agree ratings.tsv --positive human --negative scrambled",
        "paragauge agree scores.tsv --column judge=worker --bins 5 --z-normalize -f latex",
    ),
)
@click.argument("ratings", metavar="RATINGS")
@with_rating_columns
@option(
    "--criterion",
    multiple=True,
    metavar="NAME",
    heading=AGREEMENT,
    help="The criterion. May repeat. Default: all criteria.",
)
@choice_option(
    "--coefficient",
    choices=COEFFICIENTS,
    default="pearson",
    heading=AGREEMENT,
    help="Coefficient of the correlations.",
)
@choice_option(
    "--system-means",
    choices=SYSTEM_MEANS,
    default="common",
    heading=AGREEMENT,
    help="Means of systems over the items both judges rated, or over each judge's own.",
)
@option(
    "--exclude-systems",
    multiple=True,
    metavar="NAME,...",
    heading=AGREEMENT,
    help="Systems to leave out. May repeat.",
)
@option(
    "--z-normalize",
    is_flag=True,
    heading=AGREEMENT,
    help="Give each judge's ratings mean 0 and standard deviation 1.",
)
@option(
    "--bins",
    type=int,
    metavar="N",
    heading=AGREEMENT,
    help="Group the ratings into N bins of equal width, for kappa on a fine scale.",
)
@option(
    "--positive",
    multiple=True,
    metavar="SYSTEM",
    heading=CONTROLS,
    help="A positive control: judges must rate it above the negative ones. May repeat.",
)
@option(
    "--negative",
    multiple=True,
    metavar="SYSTEM",
    heading=CONTROLS,
    help="A negative control. May repeat.",
)
@option(
    "--control-criterion",
    metavar="NAME",
    heading=CONTROLS,
    help="The criterion that judges are tested on. Default: the first one.",
)
@share_option(
    "--threshold",
    default=0.75,
    heading=CONTROLS,
    help="Least share of segments with the controls in the right order.",
)
@count_option(
    "--least",
    least=1,
    default=5,
    heading=CONTROLS,
    help="Segments with rated controls that a judge needs to be tested.",
)
@option(
    "--drop-unchecked",
    is_flag=True,
    heading=CONTROLS,
    help="Also leave out judges that cannot be tested.",
)
@shared_options.bootstrap
@shared_options.level
@shared_options.seed
@shared_options.form
@shared_options.threads
def agree(
    ratings: str,
    columns: RatingColumns,
    criterion: tuple[str, ...],
    coefficient: CoefficientName,
    system_means: SystemMeans,
    exclude_systems: tuple[str, ...],
    z_normalize: bool,
    bins: int | None,
    positive: tuple[str, ...],
    negative: tuple[str, ...],
    control_criterion: str | None,
    threshold: float,
    least: int,
    drop_unchecked: bool,
    bootstrap: int,
    level: float,
    seed: int,
    form: str,
    threads: int,
) -> None:
    """Measure how well judges agree, and test them with controls.

    Prints correlation, kappa, alpha and each judge's consistency. RATINGS is a table of ratings.
    """
    shared_options.check_format(form)
    settings = AgreementSettings(
        coefficient=coefficient,
        system_means=system_means,
        z_normalize=z_normalize,
        bins=bins,
        bootstrap=Bootstrap(bootstrap, level, seed, threads),
    )
    settings.check()
    judged = columns.read(ratings)
    sheet = agreement.agree(
        judged,
        named_criteria(criterion, judged),
        settings=settings,
        exclude_systems=split_names(exclude_systems),
        positive=positive,
        negative=negative,
        control_criterion=control_criterion,
        threshold=threshold,
        least=least,
        keep_unchecked=not drop_unchecked,
    )
    sys.stdout.write(render_agreement(sheet, form))
