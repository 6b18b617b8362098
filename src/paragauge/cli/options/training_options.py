"""Options that the commands which train a tagger or a parser share."""

from __future__ import annotations

from paragauge.cli import streams
from paragauge.cli.command import option
from paragauge.cli.options.option_kinds import seed_option
from paragauge.cli.options.shared_options import OUTPUT

TRAINING = "Training"

output = option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=OUTPUT,
    writes=streams.MODEL,
    help="The model.",
)
epochs = option(
    "--epochs", type=int, default=6, metavar="N", heading=TRAINING, help="Passes over the data."
)
cutoff = option(
    "--cutoff",
    type=int,
    default=3,
    metavar="N",
    heading=TRAINING,
    help="Leave out features seen less often than this.",
)
seed = seed_option(heading=TRAINING, help="Seed of the order of sentences.")
