"""Options of `paragauge generate`, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from paragauge.cli.command import option, together
from paragauge.errors import SettingError
from paragauge.generate.model_folder import read_description
from paragauge.generate.model_loader import open_generator
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import COPY
from paragauge.generate.protocol import Generator

MODEL = "Model"

weights = option(
    "--weights",
    metavar="FILE",
    heading=MODEL,
    help="Other weights than the model's, such as those of generate tune.",
)
copy = option(
    "--copy",
    metavar="|".join(COPY),
    heading=MODEL,
    help="What becomes of phrases and sentences that stay as they are. Default: the model's.",
)
longest = option(
    "--longest",
    type=click.IntRange(1),
    metavar="N",
    heading=MODEL,
    help="Words that a sentence may have. Default: the model's, 200 or 100.",
)
setting = option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    heading=MODEL,
    help="Another setting of the decoder, such as stack=200 or pop_limit=50. May repeat.",
)
decoding = together(weights, copy, longest, setting)


def generator_of(model: str, given: Mapping[str, Any]) -> Generator:
    """The paraphraser in a folder, with the weights and settings that the options name."""
    if given["copy"] is not None and read_description(Path(model)).kind != "phrase":
        raise SettingError(f"--copy is for phrase-based models, which {model} is not; leave it out")
    return open_generator(
        model, weights=given["weights"], settings=settings_of(given), threads=given["threads"]
    )


def may_copy(generator: Generator) -> bool:
    """Whether a paraphrase may be the sentence itself where there are others."""
    return not (isinstance(generator, PhraseBased) and generator.settings.copy in ("differ", "forbid"))


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The decoder's settings that the options name.

    >>> settings_of({"copy": "forbid", "settings": ("stack=50", "distortion=none", "beam=0.1")})
    {'copy': 'forbid', 'stack': 50, 'distortion': None, 'beam': 0.1}
    """
    named = {name: given[name] for name in ("copy", "longest") if given.get(name) is not None}
    for text in given["settings"]:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise SettingError(f"--setting: expected NAME=VALUE, such as stack=200, got '{text}'")
        if name.strip() in named:
            raise SettingError(f"--setting: {name.strip()} is given twice; leave one out")
        named[name.strip()] = _value(value.strip())
    return named


def _value(text: str) -> Any:
    if text.lower() == "none":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
