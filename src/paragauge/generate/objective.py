"""What search maximizes: a weighted sum of metrics without references, such as `pem+0.3*pinc`.

A term is a metric specification, optionally with a weight before it, which may be negative; the default
weight is 1. A metric for which lower is better counts with the opposite sign, so that a positive weight
always asks for better values. The term `model` is the score of the paraphraser per source word. An
undefined value (NaN) makes the sum minus infinity: such a text is never chosen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS

MODEL = "model"
LARGEST = 1e9  # of weights


@dataclass(frozen=True)
class Objective:
    """Metrics with their weights, and the weight of the paraphraser's own score.

    >>> from paragauge.metrics.pinc import PINC
    >>> objective = Objective(((0.5, PINC(order=1)),), model=2.0)
    >>> objective.values(["a c"], ["a b"], np.array([-3.0])).tolist()
    [19.0]
    >>> objective.label
    '0.5*pinc:order=1+2*model'
    """

    terms: tuple[tuple[float, Metric], ...]
    model: float = 0.0

    def __post_init__(self) -> None:
        for _, metric in self.terms:
            if "references" in metric.needs:
                remedy = (
                    f"compare with the source: {metric.name.lower()}:against=sources"
                    if "against" in metric.settings()
                    else "use metrics of the source only, such as pem, pinc or targetf1"
                )
                raise SettingError(
                    f"search: {metric.name} needs references, which a sentence to paraphrase does not "
                    f"have; {remedy}"
                )
            if not metric.sentence_level:
                raise SettingError(
                    f"search: {metric.name} does not score single sentences; use another metric"
                )

    @property
    def label(self) -> str:
        """The objective as text for `parse_objective`."""
        terms = [(weight, metric.label) for weight, metric in self.terms]
        terms += [(self.model, MODEL)] if self.model else []
        return "+".join(
            name if weight == 1 else f"{_format_weight(weight)}*{name}" for weight, name in terms
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the terms, in the order of the columns of `term_values`.

        >>> parse_objective("model+0.3*pinc").names
        ('pinc', 'model')
        """
        return (*(metric.label for _, metric in self.terms), *([MODEL] if self.model else []))

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each term."""
        return (*(weight for weight, _ in self.terms), *([self.model] if self.model else []))

    def with_weights(self, weights: Sequence[float]) -> Objective:
        """The same terms with other weights, in the order of `names`.

        >>> parse_objective("pinc+model").with_weights([0.5, 20]).label
        '0.5*pinc+20*model'
        """
        if len(weights) != len(self.names):
            raise SettingError(
                f"search '{self.label}': expected {len(self.names)} weights, found {len(weights)}"
            )
        terms = zip(weights, (metric for _, metric in self.terms), strict=False)
        return Objective(tuple(terms), weights[-1] if self.model else 0.0)

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature of each metric."""
        return tuple(metric.signature for _, metric in self.terms)

    def values(
        self, texts: Sequence[str], sources: Sequence[str], model: Floats, threads: int = 0
    ) -> Floats:
        """The value of each text, float64 [n]; `model` has the paraphraser's scores per source word."""
        return self.sum(self.term_values(texts, sources, model, threads))

    def term_values(
        self, texts: Sequence[str], sources: Sequence[str], model: Floats, threads: int = 0
    ) -> Floats:
        """What each term is before it is weighted, float64 [n, terms]; larger is better.

        A metric for which lower is better has the opposite sign here.
        """
        columns = []
        for _, metric in self.terms:
            scores = metric.segments(texts, sources=sources, threads=threads)
            columns.append(scores if metric.higher_is_better else -scores)
        columns += [np.asarray(model, np.float64)] if self.model else []
        return np.stack(columns, axis=1) if columns else np.zeros((len(texts), 0))

    def sum(self, values: Floats) -> Floats:
        """The weighted sum of the terms, float64 [n]; minus infinity where one is undefined."""
        total = np.zeros(len(values))
        for weight, column in zip(self.weights, values.T, strict=True):
            total = total + weight * column
        return np.where(np.isnan(total), -np.inf, total)


def parse_objective(text: str, defaults: Mapping[str, str] | None = None) -> Objective:
    """Parse the specification of an objective; `defaults` apply to metrics that have the setting.

    >>> parse_objective("pinc + 0.3*targetf1 + model").label
    'pinc+0.3*targetf1+model'
    """
    terms: dict[str, tuple[float, Metric]] = {}
    model: float | None = None
    for part in _split_terms(text):
        before, star, after = part.partition("*")
        weight, name = (_parse_weight(text, before), after) if star else (1.0, before)
        if not name.strip():
            raise SettingError(
                f"search '{text}': expected metrics with weights, such as pem+0.3*pinc, found nothing "
                "between two signs"
            )
        if name.strip().lower() == MODEL:
            is_repeated, model, label = model is not None, weight, MODEL
        else:
            metric = Metric.from_spec(name.strip(), defaults, wrapped=False)
            label = metric.label
            is_repeated = label in terms
            terms[label] = (weight, metric)
        if is_repeated:
            raise SettingError(f"search '{text}': {label} is given twice; leave one out")
    return Objective(tuple(terms.values()), model or 0.0)


def _split_terms(text: str) -> Iterator[str]:
    """Split at plus signs, except those in exponents and in names of metrics."""
    parts = re.split(r"(?<![0-9.][eE])\+", text)
    while parts:
        part = parts.pop(0)
        name = part.rpartition("*")[2].strip().lower()
        while parts and f"{name}+{parts[0].partition(':')[0].strip().lower()}" in METRICS:
            part = f"{part.strip()}+{parts.pop(0).strip()}"
            name = part.rpartition("*")[2].partition(":")[0].lower()
        yield part


def _format_weight(weight: float) -> str:
    """A weight in a form that can be read back: an exponent's sign would end the term."""
    return np.format_float_positional(weight, trim="-")


def _parse_weight(text: str, number: str) -> float:
    try:
        weight = float(number)
    except ValueError:
        weight = math.nan
    if not abs(weight) <= LARGEST:
        raise SettingError(
            f"search '{text}': expected a number before *, such as 0.3*pinc, of at most {LARGEST:g}, "
            f"found '{number.strip()}'"
        )
    return weight
