"""Metrics by name, and their settings from text: ``pinc``, ``bleu:smooth=floor:order=2``.

A metric specification is a name and any number of ``:setting=value``. The same metric may stand
several times with different settings; its label is the specification without what is default.
"""

from __future__ import annotations

import dataclasses
import importlib
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from paragauge.errors import SettingError, unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.fits import load_fit

FITTED = ("pinc-sigmoid", "maxsim-soft")
# Settings of MAXSIM that choose tools, which a fit does not depend on by name.
TOOLS = ("tagger", "parser", "pipeline", "analysed", "wordnet", "language")


class Metrics(Mapping[str, type[Metric]]):
    """Metrics by name, each loaded when it is first asked for: who wants PINC waits for no tagger.

    >>> METRICS["pinc"].name, len(METRICS) > 10
    ('PINC', True)
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        """`places` has the module and the class of each name."""
        self._places = dict(places)

    def __getitem__(self, name: str) -> type[Metric]:
        module, _, kind = self._places[name].partition(":")
        found: type[Metric] = getattr(importlib.import_module(f"paragauge.metrics.{module}"), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


METRICS = Metrics(
    {
        "bleu": "bleu:BLEU",
        "pinc": "pinc:PINC",
        "ibleu": "ibleu:IBLEU",
        "precis": "precis:PRECIS",
        "bleu-pinc": "bleu_pinc:BLEUPINC",
        "pinc-sigmoid": "pinc_sigmoid:PINCSigmoid",
        "targetf1": "target_f1:TargetF1",
        "maxsim": "maxsim.metric:MaxSim",
        "maxsim+dep": "maxsim.metric:MaxSimDep",
        "maxsim-soft": "maxsim.soft:MaxSimSoft",
        "meteor": "meteor:METEOR",
        "pem": "pem.metric:PEM",
        "chrf": "sacrebleu_metric:ChrF",
        "ter": "sacrebleu_metric:TER",
    }
)


def parse_metric(text: str, defaults: Mapping[str, str] | None = None) -> Metric:
    """The metric of a specification; `defaults` apply where the metric has such a setting.

    >>> parse_metric("pinc:count=clip", {"tokenize": "intl"}).signature
    'PINC|order:4|count:clip|short:skip|sources:mean|tok:intl|...'
    """
    name, *pairs = text.split(":")
    kind = METRICS.get(name.strip().lower())
    if kind is None:
        raise unknown_name("metric", name.strip(), METRICS)
    given = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SettingError(f"metric '{text}': expected setting=value, got '{pair}'")
        if key.strip() in given:
            raise SettingError(
                f"metric '{text}': setting '{key.strip()}' is given twice; leave one out"
            )
        given[key.strip()] = value.strip()
    return _build(kind, given, defaults or {})


def parse_metrics(
    texts: Sequence[str],
    defaults: Mapping[str, str] | None = None,
    parse: Callable[[str, Mapping[str, str] | None], Metric] = parse_metric,
) -> dict[str, Metric]:
    """Metrics by label, from specifications each of which may hold several, separated by commas.

    >>> list(parse_metrics(["pinc,bleu", "bleu:source=include"]))
    ['pinc', 'bleu', 'bleu:source=include']
    """
    metrics: dict[str, Metric] = {}
    for text in (part for each in texts for part in each.split(",")):
        if not text.strip():
            raise SettingError("expected a metric's name, got nothing; leave out the extra comma")
        metric = parse(text, defaults)
        if metric.label in metrics:
            raise SettingError(f"metric '{metric.label}' is given twice; leave one out")
        metrics[metric.label] = metric
    return metrics


def _build(kind: type[Metric], given: dict[str, str], defaults: Mapping[str, str]) -> Metric:
    name = kind.name.lower()
    if name in FITTED and "model" in given:
        # A fit holds for the settings it was made with, so the defaults do not touch it, tools aside.
        fitted = load_fit(given.pop("model"), kind).settings()
        return kind(**(fitted | _tools(fitted, given, defaults) | convert_settings(kind, given)))
    if name == "maxsim-soft" and "weights" not in given:
        from paragauge.metrics.maxsim.soft import MaxSimSoft

        parser = given.get("parser", defaults.get("parser", "none"))
        fitted = MaxSimSoft.load(relations=parser != "none").settings()
        return kind(**(fitted | _tools(fitted, given, defaults) | convert_settings(kind, given)))
    names = {field.name for field in dataclasses.fields(kind)}
    usual = {key: value for key, value in defaults.items() if key in names}
    if name == "maxsim+dep" and (usual | given).get("tagger") == "conllu":
        usual.setdefault("parser", "conllu")
    own = {field.name: field.default for field in dataclasses.fields(kind)}
    if not _asks_spacy(own | usual | given):
        usual.pop("pipeline", None)
    built = kind(**convert_settings(kind, usual | given))
    if name == "meteor" and "language" in defaults:
        from paragauge.metrics.meteor import METEOR, check_language

        if isinstance(built, METEOR):
            check_language(built, defaults["language"])
    return built


def _tools(
    fitted: Mapping[str, Any], given: Mapping[str, str], defaults: Mapping[str, str]
) -> dict[str, str]:
    """The defaults that choose the tools of a fit; whether it has a parser is part of the fit."""
    chosen = {key: defaults[key] for key in TOOLS if key in defaults and key in fitted}
    if "none" in (fitted.get("parser"), chosen.get("parser")):
        chosen.pop("parser", None)
    if not _asks_spacy({**fitted, **chosen, **given}):
        chosen.pop("pipeline", None)
    return chosen


def _asks_spacy(settings: Mapping[str, Any]) -> bool:
    """Whether a metric with these settings uses spaCy, so that a default pipeline concerns it."""
    return "spacy" in (settings.get("tagger"), settings.get("parser"))


def convert_settings(kind: type[Metric], given: Mapping[str, str]) -> dict[str, Any]:
    """Settings of a metric from text, each converted to its type.

    >>> convert_settings(METRICS["pinc"], {"order": "2"})
    {'order': 2}
    """
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    values = {}
    for key, value in given.items():
        if key not in names:
            raise unknown_name(f"setting of {kind.name}", key, names)
        values[key] = _convert(f"{kind.name} {key}", value, hints[key])
    return values


def _convert(what: str, text: str, hint: Any) -> Any:
    kinds = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if bool in kinds:
        if text.lower() in ("yes", "true", "1", "no", "false", "0"):
            return text.lower() in ("yes", "true", "1")
        raise SettingError(f"{what}: expected yes or no, got '{text}'")
    for kind, name in ((int, "a whole number"), (float, "a number")):
        if kind in kinds:
            try:
                return kind(text)
            except ValueError:
                raise SettingError(f"{what}: expected {name}, got '{text}'") from None
    return text
