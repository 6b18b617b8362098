"""Metric specifications with rewriting: ``bleu:rewrite=context:rewrite_model=news.bin``.

The settings `rewrite`, `rewrite_model`, `rewrite_unknown`, `rewrite_threshold`, `rewrite_score`,
`rewrite_least` and `rewrite_decision` (see `rewrite_method.py`) can be given to any metric that uses
references; `rewrite=none` leaves the references as they are. The code and models for rewriting are
loaded only if a specification asks for it. This module registers `RewriteWrapper` with
`metrics/spec_syntax.py`, which calls it for every metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from paragauge.errors import SettingError, unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.sets import pick  # noqa: F401  # specifications may say what to pick
from paragauge.metrics.spec_syntax import register_wrapper

if TYPE_CHECKING:
    from paragauge.rewrite.rewriter import UnknownWords

NONE = "none"
PREFIX = "rewrite"
NAMES = ("model", "unknown", "threshold", "score", "least", "decision")
SETTINGS = (PREFIX, *(f"{PREFIX}_{name}" for name in NAMES))


class RewriteWrapper:
    """Wraps a metric in `RewrittenMetric` if its specification or the defaults ask for rewriting."""

    prefix = PREFIX
    order = 0

    def wrap(
        self, metric: Metric, spec: str, explicit: Mapping[str, str], defaults: Mapping[str, str]
    ) -> Metric:
        """The metric with rewriting; defaults apply to metrics that use references.

        >>> Metric.from_spec("bleu:order=2:rewrite=wordnet").label
        'bleu:order=2:rewrite=wordnet'
        >>> Metric.from_spec("pinc", {"rewrite": "wordnet"}).label
        'pinc'
        """
        unknown = next((key for key in explicit if key not in SETTINGS), None)
        if unknown is not None:
            raise unknown_name("setting of rewriting", unknown, SETTINGS)
        if not explicit and "references" not in metric.needs:
            return metric
        if explicit.get(PREFIX) == NONE or (
            PREFIX not in explicit and defaults.get(PREFIX, NONE) == NONE
        ):
            if set(explicit) - {PREFIX}:
                raise SettingError(
                    f"metric '{spec}': {sorted(explicit)[-1]} needs {PREFIX}; give that too"
                )
            return metric
        return _wrap_metric(metric, explicit if PREFIX in explicit else {**defaults, **explicit})

    def check(self, metrics: Mapping[str, Metric], defaults: Mapping[str, str]) -> None:
        """Reject a default of rewriting if none of the metrics uses references.

        >>> list(Metric.from_specs(["pinc,bleu", "bleu:rewrite=none"], {"rewrite": "wordnet"}))
        ['pinc', 'bleu:rewrite=wordnet', 'bleu']
        """
        if defaults.get(PREFIX, NONE) != NONE and not any(
            "references" in metric.needs for metric in metrics.values()
        ):
            raise SettingError(
                "rewrite: none of the metrics uses references, so there is nothing to rewrite; "
                "leave it out, or choose a metric that uses them, such as bleu"
            )


def metric(spec: str, defaults: Mapping[str, str] | None = None) -> Metric:
    """Create a metric from its specification, spelled as on the command line.

    `defaults` apply if the metric has the setting.

    >>> metric("bleu:order=2").signature
    'BLEU|order:2|...'
    >>> metric("bleu:rewrite=wordnet").label
    'bleu:rewrite=wordnet'
    """
    return Metric.from_spec(spec, defaults)


def metrics_by_label(
    specs: Sequence[str], defaults: Mapping[str, str] | None = None
) -> dict[str, Metric]:
    """Create metrics, by label, from specifications that each name one or more, separated by commas.

    >>> list(metrics_by_label(["pinc,bleu:rewrite=wordnet"], {"order": "2"}))
    ['pinc:order=2', 'bleu:order=2:rewrite=wordnet']
    """
    return Metric.from_specs(specs, defaults)


def _wrap_metric(metric: Metric, settings: Mapping[str, str]) -> Metric:
    from paragauge.rewrite.rewrite_method import RewriteMethod
    from paragauge.rewrite.rewritten_metric import RewrittenMetric

    method = RewriteMethod(
        settings[PREFIX],
        settings.get(f"{PREFIX}_model"),
        # RewriteMethod rejects other words.
        cast("UnknownWords", settings.get(f"{PREFIX}_unknown", "refuse")),
        *(settings.get(f"{PREFIX}_{name}") for name in ("threshold", "score", "least", "decision")),
    )
    return RewrittenMetric(metric, method)


register_wrapper(RewriteWrapper())
