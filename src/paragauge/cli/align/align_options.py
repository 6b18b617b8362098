"""Options that several commands of `paragauge align` share."""

from __future__ import annotations

from paragauge.cli import streams
from paragauge.cli.command import option
from paragauge.cli.options import shared_options

ALIGNER = "Alignment"


output = option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT,
    help="The links, one pair per line; - is standard output.",
)
