"""Options that commands with a constituency parser share."""

from __future__ import annotations

from paragauge.cli.command import option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.errors import SettingError
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.tree_files import FORMS

tagger = option(
    "--tagger",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="The model of a tagger. Default: English.",
)
tree_form = choice_option(
    "--form",
    "tree_form",
    choices=FORMS,
    default="auto",
    heading=shared_options.INPUT,
    help="Format of the trees.",
)


def load_parser(model: str | None, tagger: str | None) -> ChartParser:
    """The parser of these files, the English one by default."""
    if model is None and tagger is None:
        return ChartParser.default()
    chosen = None if tagger is None else PerceptronTagger.load(tagger)
    if model is None:
        raise SettingError("--tagger: the English parser has its own; give --model too")
    return ChartParser.load(model, chosen)
