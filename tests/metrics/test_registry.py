"""Metric specifications as text."""

from __future__ import annotations

import dataclasses
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from paragauge import BLEU, PINC
from paragauge.errors import SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS


def test_settings_are_converted() -> None:
    metric = Metric.from_spec("BLEU:order=2:smooth=floor:smooth_value=0.5:source=include")
    assert metric == BLEU(order=2, smooth="floor", smooth_value=0.5, source="include")


def test_defaults_apply_where_they_can() -> None:
    metrics = Metric.from_specs(["pinc,chrf"], {"tokenize": "intl", "case": "lower"})
    assert metrics["pinc:tokenize=intl:case=lower"] == PINC(tokenize="intl", case="lower")
    assert "chrf:case=lower" in metrics


def test_own_settings_win_over_defaults() -> None:
    assert Metric.from_spec("pinc:tokenize=char", {"tokenize": "intl"}) == PINC(tokenize="char")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pink", "unknown metric 'pink'; did you mean 'pinc'? known: bleu, pinc, ibleu, "),
        ("pinc:ordr=2", "unknown setting of PINC 'ordr'; did you mean 'order'? known: order, count, "),
        ("pinc:order", "metric 'pinc:order': expected setting=value, found 'order'"),
        ("pinc:order=two", "PINC order: expected a whole number, found 'two'"),
        ("ibleu:alpha=x", "iBLEU alpha: expected a number, found 'x'"),
        ("ibleu:alpha=2", "iBLEU alpha: expected a number from 0 to 1, found 2.0"),
        ("ibleu:alpha=nan", "iBLEU alpha: expected a number from 0 to 1, found nan"),
        ("chrf:whitespace=maybe", "chrF whitespace: expected yes or no, found 'maybe'"),
        ("pinc:count=bag", "unknown PINC count 'bag'; known: set, clip, member"),
        ("pinc,", "expected a metric's name, found nothing; leave out the extra comma"),
        ("pinc,PINC", "metric 'pinc' is given twice; leave one out"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        Metric.from_specs([text])
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", METRICS)
def test_settings_with_choices_are_literals(name):
    """A type checker knows the values: at least those that the metric takes."""
    kind = METRICS[name]
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        if field.metadata["choices"] is not None:
            assert get_origin(hints[field.name]) is Literal, field.name
            assert set(field.metadata["choices"]) <= set(get_args(hints[field.name])), field.name
