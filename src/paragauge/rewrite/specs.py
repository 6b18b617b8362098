"""Metric specifications with rewriting: ``bleu:rewrite=context:rewrite_model=news.bin``.

The settings `rewrite`, `rewrite_model`, `rewrite_unknown`, `rewrite_threshold`, `rewrite_score` and
`rewrite_least` (see `methods.py`) can be given to any metric that uses references; `rewrite=none`
leaves the references as they are. What rewriting needs is loaded only if one of them asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paragauge.errors import SettingError, unknown_name
from paragauge.metrics import registry
from paragauge.metrics.base import Metric

NONE = "none"
PREFIX = "rewrite"
NAMES = ("model", "unknown", "threshold", "score", "least")
SETTINGS = (PREFIX, *(f"{PREFIX}_{name}" for name in NAMES))


def parse_metric(text: str, defaults: Mapping[str, str] | None = None) -> Metric:
    """The metric of a specification; `defaults` for rewriting concern metrics that use references.

    >>> parse_metric("bleu:order=2:rewrite=wordnet").label
    'bleu:order=2:rewrite=wordnet'
    >>> parse_metric("pinc", {"rewrite": "wordnet"}).label
    'pinc'
    """
    name, *pairs = text.split(":")
    own = [pair for pair in pairs if pair.strip().startswith(PREFIX)]
    usual = {key: value for key, value in (defaults or {}).items() if key in SETTINGS}
    plain = {key: value for key, value in (defaults or {}).items() if key not in SETTINGS}
    metric = registry.parse_metric(
        ":".join([name, *(pair for pair in pairs if pair not in own)]), plain
    )
    given = _settings(text, own)
    if not given and "references" not in metric.needs:
        return metric
    if given.get(PREFIX) == NONE or (PREFIX not in given and usual.get(PREFIX, NONE) == NONE):
        if set(given) - {PREFIX}:
            raise SettingError(f"metric '{text}': {sorted(given)[-1]} needs {PREFIX}; give it too")
        return metric
    return _rewritten(metric, given if PREFIX in given else usual | given)


def parse_metrics(texts: Sequence[str], defaults: Mapping[str, str] | None = None) -> dict[str, Metric]:
    """Metrics by label, from specifications each of which may hold several, separated by commas.

    >>> list(parse_metrics(["pinc,bleu", "bleu:rewrite=none"], {"rewrite": "wordnet"}))
    ['pinc', 'bleu:rewrite=wordnet', 'bleu']
    """
    metrics = registry.parse_metrics(texts, defaults, parse_metric)
    if (defaults or {}).get(PREFIX, NONE) != NONE and not any(
        "references" in metric.needs for metric in metrics.values()
    ):
        raise SettingError(
            "rewrite: none of the metrics uses references, so there is nothing to rewrite; "
            "leave it out, or choose a metric that uses them, such as bleu"
        )
    return metrics


def _settings(text: str, pairs: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise SettingError(f"metric '{text}': expected setting=value, got '{pair}'")
        if key not in SETTINGS:
            raise unknown_name("setting of rewriting", key, SETTINGS)
        if key in given:
            raise SettingError(f"metric '{text}': setting '{key}' is given twice; leave one out")
        given[key] = value
    return given


def _rewritten(metric: Metric, given: Mapping[str, str]) -> Metric:
    from paragauge.rewrite.methods import Method
    from paragauge.rewrite.rewritten import Rewritten

    method = Method(
        given[PREFIX],
        given.get(f"{PREFIX}_model"),
        given.get(f"{PREFIX}_unknown", "refuse"),
        *(given.get(f"{PREFIX}_{name}") for name in ("threshold", "score", "least")),
    )
    return Rewritten(metric, method)
