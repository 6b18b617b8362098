"""Options that choose metrics, and the settings that all of them share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.cli.options.analysis_options import AnalysisChoice, with_analysis
from paragauge.cli.options.encoder_options import EncoderChoice, with_encoder
from paragauge.cli.options.option_effect import check_effect
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.options.shared_options import METRIC
from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS
from paragauge.metrics.sets.pick import PICKS, Pick, check_pick
from paragauge.rewrite.rewritten_metric_spec import metrics_by_label
from paragauge.text.corpus import Corpus
from paragauge.text.tokenizers import (
    CASES,
    NORMALIZATIONS,
    TOKENIZERS,
    Case,
    Normalize,
    Tokenizer,
    check_case,
    check_normalize,
    check_tokenizer,
)

FLAGS = {"sources": "-s", "references": "-r"}

metrics = option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="NAME[:SETTING=VALUE...],...",
    heading=METRIC,
    help=f"What to compute: {', '.join(METRICS)}, or package.module:Class. Default: bleu and pinc, as "
    "the input allows.",
)
tokenizer = choice_option(
    "--tokenize",
    choices=TOKENIZERS,
    heading=METRIC,
    help="Tokenizer for all metrics. Default: 13a; penn for MAXSIM.",
)
case = choice_option(
    "--case",
    choices=CASES,
    heading=METRIC,
    help="Compare words as they are, or in lowercase, for all metrics.",
)
normalize = choice_option(
    "--normalize",
    choices=NORMALIZATIONS,
    heading=METRIC,
    help="Typography: read curly quotes, dashes and the like as a typewriter's, for all metrics. "
    "Default: typography for MAXSIM, METEOR, PEM and its parts, none for others.",
)
pick = choice_option(
    "--pick",
    choices=PICKS,
    heading=METRIC,
    help="Of several candidates for a segment, score the first, the best by each metric, or the mean.",
)
rewrite = option(
    "--rewrite",
    metavar="none|encoder|context|wordnet|lm|random|lsa|brown|phrases",
    heading=METRIC,
    help="Reword references toward each system's words first; join parts with +, as in context+lm.",
)
rewrite_model = option(
    "--rewrite-model",
    multiple=True,
    metavar="FILE",
    heading=METRIC,
    help="The model that --rewrite uses. Repeat for each part that has one.",
)


@dataclass(frozen=True)
class TextChoice:
    """How metrics read text: tokenizer, case, normalization and the tools that analyze it."""

    tokenize: Tokenizer | None
    case: Case | None
    normalize: Normalize | None
    analysis: AnalysisChoice

    def settings(self) -> dict[str, str]:
        """The settings that are given, by name."""
        return text_settings(self.tokenize, self.case, self.normalize) | self.analysis.settings()


@dataclass(frozen=True)
class MetricChoice:
    """The metrics to compute, with the settings that all of them share."""

    metrics: tuple[str, ...]
    rewrite: str | None
    rewrite_model: tuple[str, ...]
    text: TextChoice
    encoding: EncoderChoice

    def defaults(self) -> dict[str, str]:
        """The settings for every metric that has them: tokenizer, case, tools, rewriting."""
        return self.text.settings() | self.encoding.settings() | self._rewriting()

    def build(self, available: Iterable[str], nothing: str) -> dict[str, Metric]:
        """The metrics by label; without -m, those that the `available` inputs allow.

        `nothing` is the message if the inputs allow none. Metrics that need other inputs are refused.
        """
        inputs = frozenset(available)
        self.encoding.use_cache()
        texts = self.metrics
        if not texts:
            usual = {"bleu": "references", "pinc": "sources"}
            texts = tuple(name for name, need in usual.items() if need in inputs)
            if not texts:
                raise InputError(nothing)
        chosen = metrics_by_label(texts, self.defaults())
        check_effect(self.text.settings() | self.encoding.settings(), chosen)
        for metric in chosen.values():
            metric.require(inputs, FLAGS)
        return chosen

    def for_corpus(self, corpus: Corpus) -> dict[str, Metric]:
        """The metrics by label, checked against the texts of the corpus."""
        return self.build(
            corpus.inputs(),
            "expected sources (-s) or references (-r) to compare the candidates with, found neither",
        )

    def model_files(self) -> list[str]:
        """The files of models that the options name."""
        return model_files(self.metrics, self.rewrite_model)

    def _rewriting(self) -> dict[str, str]:
        if self.rewrite in (None, "none"):
            if self.rewrite_model:
                raise SettingError(
                    "--rewrite-model needs --rewrite; give it too, or leave the model out"
                )
            return {}
        models = "+".join(self.rewrite_model)
        return {"rewrite": str(self.rewrite)} | ({"rewrite_model": models} if models else {})


@dataclass(frozen=True)
class SetMetricChoice(MetricChoice):
    """The metrics to compute where a segment may have several candidates."""

    pick: Pick | None

    def defaults(self) -> dict[str, str]:
        """As for every command, and what to pick of several candidates."""
        return super().defaults() | ({} if self.pick is None else {"pick": check_pick(self.pick)})


with_text_choice = gather_options("text", TextChoice, tokenizer, case, normalize, with_analysis)
with_metrics = gather_options(
    "choice", MetricChoice, metrics, rewrite, rewrite_model, with_text_choice, with_encoder
)
with_set_metrics = gather_options(
    "choice",
    SetMetricChoice,
    metrics,
    pick,
    rewrite,
    rewrite_model,
    with_text_choice,
    with_encoder,
)


def text_settings(
    tokenize: Tokenizer | None, case: Case | None, normalize: Normalize | None = None
) -> dict[str, str]:
    """The tokenizer, the case and the normalization, checked, if they are given.

    >>> text_settings("13a", None)
    {'tokenize': '13a'}
    """
    settings: dict[str, str] = {}
    if tokenize is not None:
        check_tokenizer(tokenize)
        settings["tokenize"] = tokenize
    if case is not None:
        check_case(case)
        settings["case"] = case
    if normalize is not None:
        check_normalize(normalize)
        settings["normalize"] = normalize
    return settings


def model_files(metrics: Iterable[str], rewrite_models: Iterable[str] = ()) -> list[str]:
    """Files of models: those of options, and those in the metrics' specifications.

    >>> model_files(["pem:model=news,bleu"], ["a+b"])
    ['a+b', 'a', 'b', 'news', 'news']
    """
    specified = re.findall(r"model=([^:,]+)", ",".join(metrics))
    return [path for text in (*rewrite_models, *specified) for path in (text, *text.split("+"))]
