"""The metric of the meaning kept that PINC is combined with: BLEU, or any other.

`adequacy` is a metric's specification, such as ``bertscore`` or, in Python, ``bertscore:layer=5``. In a
specification of the combination a colon would end the setting, so there the settings of the adequacy
metric stand beside it with the prefix ``adequacy_``:

    bleu-pinc:adequacy=bertscore:adequacy_layer=5

BLEU shares order, tokenizer and case with PINC and takes no settings with the prefix. Metrics for which
lower is better are refused, because a mean with PINC would mean nothing; so are PINC and its
combinations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paragauge.errors import SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS
from paragauge.metrics.settings import setting
from paragauge.metrics.spec_syntax import split_spec

BLEU_NAME = "bleu"
PREFIX = "adequacy_"
# PINC and what is made from it.
COMBINED = frozenset({"pinc", "bleu-pinc", "pinc-sigmoid", "pinc-svr"})


def adequacy_setting() -> Any:
    """The field `adequacy` of all metrics that combine the meaning kept with PINC."""
    return setting(BLEU_NAME, help="the metric of the meaning kept; its settings are adequacy_NAME")


def check_adequacy(name: str, spec: str) -> str:
    """The shortest specification of an adequacy metric; an error if `name` cannot combine it.

    >>> check_adequacy("BLEU-PINC", "chrf:word_order=2:beta=2")
    'chrf:word_order=2'
    >>> check_adequacy("BLEU-PINC", "ter")
    Traceback (most recent call last):
    paragauge.errors.SettingError: BLEU-PINC adequacy: expected a metric for which higher is better, ...
    """
    if spec == BLEU_NAME:
        return spec
    kind, settings = split_spec(spec)
    if kind.lower() == BLEU_NAME:
        if settings:
            first = next(iter(settings))
            raise SettingError(
                f"{name} adequacy: expected bleu without settings, which it shares with {name}, found "
                f"{first}; write {first}=VALUE instead of {PREFIX}{first}=VALUE"
            )
        return BLEU_NAME
    if kind.lower() in COMBINED:
        raise SettingError(
            f"{name} adequacy: expected a metric of the meaning kept, found {kind.lower()}, which "
            "counts PINC; use another metric, such as bertscore"
        )
    if kind.lower() in METRICS and METRICS[kind.lower()].reads_sets:
        raise SettingError(
            f"{name} adequacy: expected a metric of the meaning kept, found {kind.lower()}, which "
            "compares several candidates; use another metric, such as bertscore"
        )
    if kind.lower() in METRICS and not METRICS[kind.lower()].higher_is_better:
        raise SettingError(
            f"{name} adequacy: expected a metric for which higher is better, found {kind.lower()}; use "
            "another metric, such as chrf"
        )
    return Metric.from_spec(spec, wrapped=False).label


def join_adequacy(name: str, explicit: Mapping[str, str]) -> dict[str, str]:
    """Settings in which the metric in place of adequacy and its own settings are one specification.

    >>> join_adequacy("PEM", {"adequacy": "bertscore", "adequacy_layer": "5"})
    {'adequacy': 'bertscore:layer=5'}
    """
    own = {key: value for key, value in explicit.items() if not key.startswith(PREFIX)}
    inner = {key.removeprefix(PREFIX): value for key, value in explicit.items() if key not in own}
    if inner and "adequacy" not in own:
        raise SettingError(
            f"{name} {PREFIX}{next(iter(inner))}: expected adequacy=METRIC beside it; give that too"
        )
    if inner:
        settings = (f"{key}={value}" for key, value in inner.items())
        own["adequacy"] = ":".join([own["adequacy"], *settings])
    return own


def fold_adequacy(
    name: str, explicit: Mapping[str, str], defaults: Mapping[str, str]
) -> dict[str, str]:
    """Settings in which the adequacy metric and its own settings are one specification.

    `defaults` apply to the adequacy metric too, where it has such a setting.

    >>> settings = {"order": "2", "adequacy": "bertscore", "adequacy_layer": "5"}
    >>> fold_adequacy("BLEU-PINC", settings, {"tokenize": "intl"})
    {'order': '2', 'adequacy': 'bertscore:layer=5'}
    """
    own = join_adequacy(name, explicit)
    if "adequacy" in own:
        spec = own["adequacy"]
        own["adequacy"] = check_adequacy(name, spec)
        if own["adequacy"] != BLEU_NAME:
            own["adequacy"] = Metric.from_spec(spec, defaults, wrapped=False).label
    return own


def unfold_adequacy(label: str, spec: str) -> str:
    """A label with the specification of the adequacy metric in it, in a form that can be read back.

    >>> unfold_adequacy("bleu-pinc:adequacy=chrf:beta=3:mean=harmonic", "chrf:beta=3")
    'bleu-pinc:adequacy=chrf:adequacy_beta=3:mean=harmonic'
    """
    name, settings = split_spec(spec)
    unfolded = ":".join([name, *(f"{PREFIX}{key}={value}" for key, value in settings.items())])
    return label.replace(f":adequacy={spec}", f":adequacy={unfolded}", 1)


def prefix_settings(metric: Metric) -> dict[str, str]:
    """What an adequacy metric adds to a signature.

    >>> from paragauge import ChrF
    >>> list(prefix_settings(ChrF()))[:2]
    ['adequacy_nc', 'adequacy_nw']
    """
    settings = metric.signature_settings() | metric.extra_signature()
    return {f"{PREFIX}{key}": text for key, text in settings.items()}
