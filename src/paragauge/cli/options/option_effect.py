"""Whether options for all metrics reach them: reaching none is an error, missing some a note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from paragauge.errors import SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.settings import setting_text

INNER = ("metric", "adequacy_metric", "other")  # attributes that hold a metric inside another


def check_effect(given: Mapping[str, str], metrics: Mapping[str, Metric]) -> None:
    """Raise an error for an option that has no effect on any metric; note those it does not reach.

    `given` are the settings of options, by name. A metric whose specification has the setting is
    reached by it, not by the option, as is known.

    >>> from paragauge import BLEU, ChrF
    >>> check_effect({"case": "lower"}, {"bleu": BLEU(case="lower")})
    >>> check_effect({"tokenize": "intl"}, {"chrf": ChrF()})
    Traceback (most recent call last):
    paragauge.errors.SettingError: --tokenize has no effect on chrf; leave it out, or choose ...
    """
    notes = []
    for name, value in given.items():
        if name == "tagger" and value == "conllu" and "analyzed" in given:
            continue  # implied by --analyzed
        missed = [
            label for label, metric in metrics.items() if not _reaches(metric, label, name, value)
        ]
        if missed and len(missed) == len(metrics):
            raise SettingError(
                f"--{name} has no effect on {', '.join(missed)}; leave it out, or choose a metric that "
                "has this setting: paragauge metrics NAME"
            )
        if missed:
            notes.append(f"paragauge: --{name} has no effect on {', '.join(missed)}")
    for note in notes:
        click.echo(note, err=True)


def _reaches(metric: Metric, label: str, name: str, value: str) -> bool:
    return f":{name}=" in label or any(
        (name in one.settings() and setting_text(one.settings()[name]) == value)
        or name in one.checked_options
        for one in _with_inner(metric)
    )


def _with_inner(metric: Metric) -> Iterator[Metric]:
    """A metric and those inside it."""
    yield metric
    for attribute in INNER:
        # PEM opens the metric in place of adequacy only if there is one.
        if attribute == "other" and metric.settings().get("adequacy") in (None, "own"):
            continue
        inner = getattr(metric, attribute, None)
        if isinstance(inner, Metric):
            yield from _with_inner(inner)
