"""Options that the commands of `paragauge generate train` share."""

from __future__ import annotations

from paragauge.cli import streams
from paragauge.cli.command import option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.generate.train import PhraseTraining
from paragauge.lm.estimate import MOST_ORDER

LM = "Language model"

output = option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="The model; an existing one is replaced when the new one is complete.",
)
lm_file = option(
    "--lm", metavar="FILE", heading=LM, help="Use this language model instead of training one."
)
lm_order = count_option(
    "--lm-order",
    least=1,
    most=MOST_ORDER,
    default=PhraseTraining.lm_order,
    heading=LM,
    help="Words in the longest n-grams.",
)
lm_fallback = option(
    "--discount-fallback",
    is_flag=True,
    heading=LM,
    help="Use 0.5, 1 and 1.5 where discounts cannot be estimated, as on little text.",
)
