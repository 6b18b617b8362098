"""Options that the commands of `paragauge generate` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from paragauge.cli.command import gather_options, option
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.errors import SettingError
from paragauge.generate.generator import Generator
from paragauge.generate.model_folder import read_description
from paragauge.generate.model_loader import open_generator
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import COPY
from paragauge.metrics.base import Metric
from paragauge.text.corpus import Corpus

MODEL = "Model"
# Measures of whole resources, with commands of their own, that a user may try to tune to.
RESOURCE_MEASURES = {"paradigm": "PARADIGM", "parametric": "ParaMetric"}
SettingValue = int | float | str | None

weights = option(
    "--weights",
    metavar="FILE",
    heading=MODEL,
    help="Weights to use instead of the model's, such as those of generate tune.",
)
copy = choice_option(
    "--copy",
    choices=COPY,
    heading=MODEL,
    help="How to treat phrases and sentences that stay as they are. Default: the model's setting.",
)
longest = count_option(
    "--longest",
    least=1,
    heading=MODEL,
    help="Words in the longest sentences. Default: the model's setting, 200 or 100.",
)
setting = option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    heading=MODEL,
    help="Another setting of the decoder, such as stack=200 or pop_limit=50. May be repeated.",
)


@dataclass(frozen=True)
class DecodingOptions:
    """The weights and settings that replace those of a model; None keeps the model's."""

    weights: str | None
    copy: str | None
    longest: int | None
    settings: tuple[str, ...]

    def open(self, model: str, threads: int) -> Generator:
        """The paraphraser in a folder, with these weights and settings."""
        if self.copy is not None and read_description(Path(model)).kind != "phrase":
            raise SettingError(f"--copy is for phrase-based models, which {model} is not; leave it out")
        settings = decoder_record(self.settings, copy=self.copy, longest=self.longest)
        return open_generator(model, weights=self.weights, settings=settings, threads=threads)


with_decoding = gather_options("decoding", DecodingOptions, weights, copy, longest, setting)


def may_copy(generator: Generator) -> bool:
    """Whether a paraphrase may equal its source when there are others."""
    return not (isinstance(generator, PhraseBased) and generator.settings.copy in ("differ", "forbid"))


def decoder_record(
    settings: tuple[str, ...], *, copy: str | None = None, longest: int | None = None
) -> dict[str, SettingValue]:
    """The settings of the decoder that the options give, by name.

    >>> decoder_record(("stack=50", "distortion=none", "beam=0.1"), copy="forbid")
    {'copy': 'forbid', 'stack': 50, 'distortion': None, 'beam': 0.1}
    """
    record: dict[str, SettingValue] = {} if copy is None else {"copy": copy}
    if longest is not None:
        record["longest"] = longest
    for text in settings:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise SettingError(f"--setting: expected NAME=VALUE, such as stack=200, found '{text}'")
        if name in record:
            raise SettingError(f"--setting: {name} is given twice; leave one out")
        record[name] = _parse_value(value)
    return record


def _parse_value(text: str) -> SettingValue:
    if text.lower() == "none":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def parse_metric(text: str, defaults: Mapping[str, str]) -> Metric:
    """The metric to tune to; measures of whole resources are refused."""
    name = text.partition(":")[0].strip().lower()
    if name in RESOURCE_MEASURES:
        raise SettingError(
            f"{RESOURCE_MEASURES[name]} measures grammars and phrase tables and does not score single "
            "sentences, which tuning compares; tune with another metric, for example bleu"
        )
    return Metric.from_spec(text, defaults, wrapped=False)


def read_development(
    sources: str, references: tuple[str, ...], threads: int
) -> tuple[list[str], list[list[str]]]:
    """All sources, and the references of each."""
    texts: list[str] = []
    groups: list[list[str]] = []
    for batch in Corpus({"sources": sources}, references=references, threads=threads).batches():
        texts += list(batch.systems["sources"])
        if batch.references is not None:
            lines = iter(list(batch.references.lines))
            counts = batch.references.counts().tolist()
            groups += [[next(lines) for _ in range(count)] for count in counts]
    return texts, groups
