"""The model that commands with a tagger share."""

from __future__ import annotations

from paragauge.cli.command import option
from paragauge.cli.options import shared_options
from paragauge.syntax.perceptron import PerceptronTagger

model = option(
    "--model", metavar="FILE", heading=shared_options.INPUT, help="A model. Default: the English one."
)


def load_tagger(model: str | None) -> PerceptronTagger:
    """The tagger of this file, the English one by default."""
    return PerceptronTagger.default() if model is None else PerceptronTagger.load(model)
