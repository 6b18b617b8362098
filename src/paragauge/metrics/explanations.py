"""Explain the score of one candidate, by MAXSIM, PEM or a metric of contextual vectors."""

from __future__ import annotations

from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.context.bert_ibleu import BERTIBLEU
from paragauge.metrics.context.bertscore import BERTScore
from paragauge.metrics.context.cosine import Cosine
from paragauge.metrics.context.explanation import ContextExplanation
from paragauge.metrics.context.parascore import ParaScore
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.metric import PEM, PredictedRating
from paragauge.metrics.registry import METRICS

INPUTS = {"sources": "source=", "references": "reference="}
ExplainedMetric = MaxSim | PredictedRating | Cosine | BERTScore | BERTIBLEU | ParaScore
AnyExplanation = Explanation | PEMExplanation | ContextExplanation
EXPLAINED = [name for name, kind in METRICS.items() if issubclass(kind, ExplainedMetric)]


def explain(
    candidate: str,
    metric: Metric | None = None,
    *,
    reference: str | None = None,
    source: str | None = None,
) -> AnyExplanation:
    """Explain a score by what the candidate shares with a reference or a source, as the metric needs.

    The metric is MAXSIM by default, or PEM if there is only a source.

    >>> round(explain("A big dog", reference="The large dogs").value, 2)
    75.0
    >>> round(explain("It rains.", source="It is raining.").value, 1)
    94.7
    """
    if metric is None:
        metric = PEM() if reference is None and source is not None else MaxSim()
    if not isinstance(metric, ExplainedMetric):
        raise SettingError(
            f"metric '{metric.label}' cannot be explained; those that can: {', '.join(EXPLAINED)}"
        )
    inputs = {"sources": source, "references": reference}
    metric.require([name for name, text in inputs.items() if text is not None], INPUTS)
    other = source if "sources" in metric.needs else reference
    if other is None:
        raise InputError(f"{metric.name} needs a text to compare the candidate with")
    if isinstance(metric, ParaScore | PredictedRating):
        return metric.explain(candidate, other, reference)
    return metric.explain(candidate, other)
