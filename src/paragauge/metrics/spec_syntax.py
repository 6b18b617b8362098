"""Specifications of metrics: ``pinc``, ``bleu:smooth=floor:order=2``.

A specification is a name and any number of ``:setting=value``; the name of a metric that no package
announces is that of its class, ``package.module:Class``. A preset such as ``mteval-v11b`` is a name for
a metric with some settings, which may be overridden. The same metric may occur several times with
different settings; its label is the specification without default settings.
`Metric.from_spec` makes the metric. A later folder that adds settings to all metrics, as rewriting
does, registers a wrapper here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from paragauge.errors import SettingError
from paragauge.metrics.registry import METRICS, PRESETS
from paragauge.text.former_spellings import current_spelling

if TYPE_CHECKING:
    from paragauge.metrics.base import Metric


_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class Wrapper(Protocol):
    """Wraps a metric if there are settings with its prefix."""

    prefix: str
    order: int  # wrappers with a higher number are around those with a lower one

    def wrap(
        self, metric: Metric, spec: str, explicit: Mapping[str, str], defaults: Mapping[str, str]
    ) -> Metric:
        """The wrapped metric, or the metric itself if no setting calls for wrapping."""

    def check(self, metrics: Mapping[str, Metric], defaults: Mapping[str, str]) -> None:
        """Refuse defaults that have no effect on any of the metrics."""


WRAPPERS: dict[str, Wrapper] = {}


def register_wrapper(wrapper: Wrapper) -> None:
    """Let specifications of all metrics take the settings of this wrapper."""
    WRAPPERS[wrapper.prefix] = wrapper


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """The name of a metric and its settings as text.

    >>> split_spec("BLEU:order=2:smooth=floor")
    ('BLEU', {'order': '2', 'smooth': 'floor'})
    >>> split_spec("my_package.length:Length:case=lower")
    ('my_package.length:Length', {'case': 'lower'})
    >>> split_spec("mteval-v11b:case=mixed")
    ('bleu', {'case': 'mixed', 'smooth': 'none', 'ref_length': 'shortest'})
    """
    name, *pairs = text.split(":")
    # Only a class of another package has a second part that is no setting: package.module:Class.
    if pairs and name.strip().lower() not in METRICS and _CLASS.fullmatch(pairs[0].strip()):
        name = f"{name.strip()}:{pairs.pop(0).strip()}"
    settings: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise SettingError(f"metric '{text}': expected setting=value, found '{pair}'")
        key = current_spelling(key)
        if key in settings:
            raise SettingError(f"metric '{text}': setting '{key}' is given twice; leave one out")
        settings[key] = value
    if name.strip().lower() in PRESETS:
        name, preset = PRESETS[name.strip().lower()]
        settings = {**preset, **settings}
    return name.strip(), settings
