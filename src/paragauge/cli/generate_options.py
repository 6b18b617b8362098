"""Options of `paragauge generate`, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import option
from paragauge.generate.model import open_generator
from paragauge.generate.protocol import Generator

MODEL = "Model"
DECODING = "Decoding"

weights = option(
    "--weights",
    metavar="FILE",
    heading=MODEL,
    help="Other weights than the model's, such as those of generate tune.",
)
copy = option(
    "--copy",
    metavar="allow|penalise|forbid",
    heading=DECODING,
    help="Phrases that stay as they are: allow, penalise or forbid them. Default: the model's.",
)
too_long = option(
    "--too-long",
    metavar="error|copy",
    heading=DECODING,
    help="What to do with sentences above the longest. Default: the model's, an error.",
)
stack = option(
    "--stack",
    type=click.IntRange(1, 100_000),
    metavar="N",
    heading=DECODING,
    help="Hypotheses that are kept in a stack or cell. Default: the model's.",
)
decoding = options.together(weights, copy, too_long, stack)


def generator_of(model: str, given: Mapping[str, Any]) -> Generator:
    """The paraphraser in a folder, with the weights and settings that the options name."""
    names = ("copy", "too_long", "stack")
    settings = {name: given[name] for name in names if given.get(name) is not None}
    return open_generator(model, weights=given["weights"], settings=settings, threads=given["threads"])
