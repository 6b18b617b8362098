"""`paragauge agree`: do the judges agree, and with themselves?"""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.rating_options import evalset_of, names_of, rating_columns
from paragauge.meta.agreement.agreement import SYSTEM_MEANS, Settings, agreement_sheet
from paragauge.meta.correlation.coefficients import COEFFICIENTS
from paragauge.meta.significance.measure import Bootstrap
from paragauge.report.tables.agreement_tables import render_agreement

AGREEMENT = "Agreement"
CONTROLS = "Controls"


@click.command(
    cls=Command,
    examples=(
        "paragauge agree ratings.tsv",
        "paragauge agree ratings.tsv --criterion overall --exclude-systems copy,random,unigram",
        "paragauge agree ratings.tsv --positive human --negative scrambled",
        "paragauge agree scores.tsv --column judge=worker --bins 5 --z-normalise -f latex",
    ),
)
@click.argument("ratings", metavar="RATINGS")
@rating_columns
@option(
    "--criterion",
    multiple=True,
    metavar="NAME",
    heading=AGREEMENT,
    help="What was rated. Repeat for several. Default: all criteria.",
)
@option(
    "--coefficient",
    default="pearson",
    metavar="|".join(COEFFICIENTS),
    heading=AGREEMENT,
    help="Coefficient of the correlations.",
)
@option(
    "--system-means",
    default="common",
    metavar="|".join(SYSTEM_MEANS),
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
    "--z-normalise",
    is_flag=True,
    heading=AGREEMENT,
    help="Give each judge's ratings mean 0 and standard deviation 1.",
)
@option(
    "--bins",
    type=int,
    metavar="N",
    heading=AGREEMENT,
    help="Cut the ratings into N equal parts, for kappa on a fine scale.",
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
@option(
    "--threshold",
    type=float,
    default=0.75,
    metavar="SHARE",
    heading=CONTROLS,
    help="Least share of segments with the controls in the right order.",
)
@option(
    "--least",
    type=click.IntRange(1),
    default=5,
    metavar="N",
    heading=CONTROLS,
    help="Segments that a judge must have rated the controls on to be tested.",
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
def agree(**given: Any) -> None:
    """Measure how far judges agree: correlation, kappa, alpha, consistency, controls."""
    shared_options.check_format(given["form"])
    settings = Settings(
        coefficient=given["coefficient"],
        system_means=given["system_means"],
        z_normalise=given["z_normalise"],
        bins=given["bins"],
        bootstrap=Bootstrap(given["bootstrap"], given["level"], given["seed"], given["threads"]),
    )
    settings.check()
    sheet = agreement_sheet(
        evalset_of(given),
        given["criterion"],
        settings=settings,
        exclude_systems=names_of(given["exclude_systems"]),
        positive=given["positive"],
        negative=given["negative"],
        control_criterion=given["control_criterion"],
        threshold=given["threshold"],
        least=given["least"],
        keep_unchecked=not given["drop_unchecked"],
    )
    sys.stdout.write(render_agreement(sheet, given["form"]))
