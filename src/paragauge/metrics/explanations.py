"""Explain the score of one candidate, by any metric that compares it with texts."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.bleu import BLEU
from paragauge.metrics.chrf import ChrF
from paragauge.metrics.combined.bleu_pinc import SentencePair
from paragauge.metrics.context.bert_ibleu import BERTIBLEU
from paragauge.metrics.context.bertscore import BERTScore
from paragauge.metrics.context.cosine import Cosine
from paragauge.metrics.context.explanation import ContextExplanation
from paragauge.metrics.context.parascore import ParaScore
from paragauge.metrics.ibleu import IBLEU
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.meteor import METEOR
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.metric import PEM, PredictedRating
from paragauge.metrics.pinc import PINC
from paragauge.metrics.precis import PRECIS
from paragauge.metrics.registry import METRICS
from paragauge.metrics.surface.edit_explanation import EditExplanation
from paragauge.metrics.surface.explain_characters import explain_characters
from paragauge.metrics.surface.explain_edits import explain_edits
from paragauge.metrics.surface.explain_meteor import explain_meteor
from paragauge.metrics.surface.explain_ngrams import NgramMetric, explain_ngrams
from paragauge.metrics.surface.ngram_explanation import NgramExplanation
from paragauge.metrics.ter import TER
from paragauge.text.wording import pluralize

INPUTS = {"sources": "source=", "references": "reference="}
ExplainedMetric = (
    NgramMetric
    | METEOR
    | ChrF
    | TER
    | MaxSim
    | PredictedRating
    | Cosine
    | BERTScore
    | BERTIBLEU
    | ParaScore
)
AnyExplanation = NgramExplanation | EditExplanation | Explanation | PEMExplanation | ContextExplanation
EXPLAINED = [name for name, kind in METRICS.items() if issubclass(kind, ExplainedMetric)]
OneOrMore = str | Sequence[str]


def explain(
    candidate: str,
    metric: Metric | str | None = None,
    *positional: object,
    reference: OneOrMore | None = None,
    source: OneOrMore | None = None,
) -> AnyExplanation:
    """Explain a score by what the candidate shares with a reference or a source, as the metric needs.

    The metric, or its name on the command line, is MAXSIM by default, or PEM if there is only a source.
    Metrics that count what any of several references has, such as BLEU, take a list of them (see
    `joint_inputs`).

    >>> round(explain("A big dog", reference="The large dogs").value, 2)
    75.0
    >>> round(explain("It rains.", source="It is raining.").value, 1)
    93.6
    >>> from paragauge import BLEU
    >>> print(explain("a cat", BLEU(), reference=["a dog", "the cat"]).summary.texts)
    Of the 2 words of the candidate, 2 are in one of the 2 references.
    """
    if positional or (isinstance(metric, str) and not _is_metric(metric)):
        raise InputError(
            f"explain expected the candidate, a metric and names for the rest, found {metric!r}; write "
            "explain(candidate, metric, reference=reference, source=source)"
        )
    if isinstance(metric, str):
        metric = Metric.from_spec(metric)
    if metric is None:
        metric = PEM() if reference is None and source is not None else MaxSim()
    if not isinstance(metric, ExplainedMetric):
        raise SettingError(
            f"metric '{metric.label}' cannot be explained; those that can: {', '.join(EXPLAINED)}"
        )
    given = {"sources": _texts(source), "references": _texts(reference)}
    metric.require([name for name, texts in given.items() if texts], INPUTS)
    for name, texts in given.items():
        if name in metric.needs and len(texts) > 1 and name not in joint_inputs(metric):
            raise InputError(
                f"{metric.name} compares with one text at a time, found "
                f"{pluralize(len(texts), name[:-1])}; explain each by itself"
            )
    sources, references = given["sources"], given["references"]
    if not sources and not references:
        raise InputError(f"{metric.name} needs a text to compare the candidate with")
    if isinstance(metric, NgramMetric):
        return explain_ngrams(metric, candidate, sources, references)
    if isinstance(metric, METEOR):
        return explain_meteor(metric, candidate, references[0])
    if isinstance(metric, ChrF):
        return explain_characters(metric, candidate, references[0])
    if isinstance(metric, TER):
        return explain_edits(metric, candidate, references[0])
    other = (sources if "sources" in metric.needs else references or sources)[0]
    if isinstance(metric, ParaScore | PredictedRating):
        return metric.explain(candidate, other, references[0] if references else None)
    return metric.explain(candidate, other)


def joint_inputs(metric: Metric) -> frozenset[str]:
    """Which of "sources" and "references" a metric compares a candidate with all at once.

    >>> from paragauge import IBLEU, PINC
    >>> sorted(joint_inputs(IBLEU())), sorted(joint_inputs(PINC()))
    (['references', 'sources'], [])
    """
    joint: set[str] = set()
    if isinstance(metric, BLEU | IBLEU | PRECIS):
        joint = {"sources", "references"}
    elif isinstance(metric, SentencePair):
        joint = {"references"} if isinstance(metric.adequacy_metric, BLEU) else set()
        joint |= {"sources"} if metric.sources == "union" else set()
    elif isinstance(metric, PINC):
        joint = {"sources"} if metric.sources == "union" else set()
    return metric.needs & joint


def _is_metric(text: str) -> bool:
    """Whether this is meant as a metric's name: others are sentences in its place."""
    return not any(map(str.isspace, text))


def _texts(texts: OneOrMore | None) -> list[str]:
    if texts is None:
        return []
    return [texts] if isinstance(texts, str) else list(texts)
