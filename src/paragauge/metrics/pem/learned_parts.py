"""The three learned parts of PEM: adequacy, fluency and dissimilarity, each from 0 to 1.

adequacy         how much of the meaning is kept (`adequacy.py`), less where numbers disagree or
                 the sentences contradict each other; or the score of another metric
fluency          how correct the candidate is (`fluency.py`)
dissimilarity    1 - the mean of two F1 of candidate and source: of n-grams of stems, orders 1 to
4, and of character n-grams, orders 1 to 6 (`adequacy_features.py`)
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import Metric
from paragauge.metrics.combined.adequacy_metric import COMBINED
from paragauge.metrics.pem.adequacy.adequacy import Adequacy
from paragauge.metrics.pem.adequacy.adequacy_features import (
    OVERLAPS,
    compared_lines,
    has_disagreeing_numbers,
    has_words,
    measure_dissimilarity,
    new_wording,
)
from paragauge.metrics.pem.adequacy.adequacy_model import Kind
from paragauge.metrics.pem.adequacy.contradictions import find_contradictions, may_contradict
from paragauge.metrics.pem.bounded_regression import BoundedRegression, Bounds
from paragauge.metrics.pem.features import pair_features
from paragauge.metrics.pem.fluency_model import FluencyModel
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.registry import METRICS
from paragauge.metrics.spec_syntax import split_spec
from paragauge.text.batch import Batch
from paragauge.text.lines import segment_of_line

LEARNED = ("adequacy", "fluency", "dissimilarity")
SCORE_SCALE = 100
AGAINST = "sources"  # what a metric in place of adequacy compares with, unless it says so
# Of our own adequacy, what is left if each side has a number that the other lacks, or if the candidate
# contradicts its source.
OTHER_MEANING = 0.4
# How high a total may be; chosen from 27 for each kind, with the shipped contrast set and the demo in
# view: the lowest bound at which good paraphrases lose little.
BOUNDS: dict[Kind, Bounds] = {
    "words": Bounds(least=10.0, low=0.2, high=0.75),
    "context": Bounds(least=8.0, low=0.35, high=0.65),
}
FOLDER = Path(__file__).parents[2] / "models" / "pem" / "learned"


@functools.cache
def open_regression(kind: Kind) -> BoundedRegression:
    """The regression from the parts to a score from 0 to 100, by the kind of adequacy, with its bounds.

    >>> open_regression("words").names == LEARNED
    True
    """
    path = FOLDER / f"{kind}.bin"
    regression = BoundedRegression.load(path)
    if regression.names != LEARNED:
        raise FileFormatError(path, None, "expected a regression of the three learned parts")
    return replace(regression, bounds=BOUNDS[kind])


def measure_parts(own: Adequacy, batch: Batch, system: str) -> tuple[Floats, Ints | None]:
    """The parts [source lines, 3] with our own adequacy, and the source lines of each segment."""
    features = own.line_features(batch, system)
    adequacy = own.line_values(features, batch.threads)[:, 0] * share_kept(batch, system, features)
    parts, groups = _table(batch, system, adequacy, measure_dissimilarity(features))
    parts[~has_words(features), 1] = 0.0  # Punctuation alone is no fluent sentence.
    return parts, groups


def share_kept(batch: Batch, system: str, rows: Floats) -> Floats:
    """The factors of our own adequacy in PEM, for pairs with these features: less for another meaning.

    People who rate how similar two news sentences are forgive other figures; a paraphrase has the same
    (`quantities.py` tells which are). In new wording they forgive opposites and exchanged roles, too
    (`contradictions.py`).
    """
    has_other = has_disagreeing_numbers(rows)
    places = np.flatnonzero(may_contradict(rows) & ~has_other).tolist()
    if places:
        lines = compared_lines(batch, system, places)
        has_other[places] = find_contradictions(*lines, batch.threads)
    return np.where(has_other, OTHER_MEANING, 1.0)


def replace_adequacy(metric: Metric, batch: Batch, system: str) -> tuple[Floats, Ints | None]:
    """The parts [source lines, 3] with the scores of another metric as adequacy, and the lines.

    A segment that the metric gives no score has adequacy 0; all its source lines have the same.
    """
    lines = compared_lines(batch, system)
    wording = pair_features(OVERLAPS, WordWeights.default(), *lines, batch.threads)
    groups = None if batch.sources is None else batch.sources.groups
    scores = np.nan_to_num(metric.segment_values(metric.batch_stats(batch, system))) / SCORE_SCALE
    segment = segment_of_line(groups, len(wording))
    return _table(batch, system, np.clip(scores, 0.0, 1.0)[segment], new_wording(wording))


def _table(
    batch: Batch, system: str, adequacy: Floats, dissimilarity: Floats
) -> tuple[Floats, Ints | None]:
    if batch.sources is None:
        raise InputError("expected sources, found none")
    groups = batch.sources.groups
    segment = segment_of_line(groups, len(adequacy))
    fluency = FluencyModel.default().score(batch.systems[system], batch.threads)[segment] / SCORE_SCALE
    return np.column_stack([adequacy, fluency, dissimilarity]), groups


def open_adequacy(name: str, spec: str, defaults: Mapping[str, str] | None = None) -> Metric:
    """The metric that replaces the adequacy of the metric `name`; compared with sources if it can be.

    `defaults` apply where it has such a setting, for example an encoder.

    >>> open_adequacy("PEM", "bertscore").label
    'bertscore:against=sources'
    >>> open_adequacy("PEM", "ter")
    Traceback (most recent call last):
    paragauge.errors.SettingError: PEM adequacy: expected a metric with scores from 0 to 100, higher ...
    """
    kind, settings = split_spec(spec)
    known = METRICS.get(kind.lower())
    against = {"against": AGAINST} if known is not None and "against" not in settings else {}
    metric = Metric.from_spec(spec, {**(defaults or {}), **against}, wrapped=False)
    if not metric.higher_is_better or metric.scale != SCORE_SCALE or not metric.sentence_level:
        raise SettingError(
            f"{name} adequacy: expected a metric with scores from 0 to 100, higher for better "
            f"sentences, found {kind}; use another, such as bertscore"
        )
    if kind.lower() in COMBINED or not metric.needs:
        raise SettingError(
            f"{name} adequacy: expected a metric of the meaning kept, found {kind}; use another, such "
            "as bertscore"
        )
    return metric


def adequacy_spec(metric: Metric) -> str:
    """The shortest specification from which `open_adequacy` makes the same metric.

    >>> adequacy_spec(open_adequacy("PEM", "bertscore:against=references"))
    'bertscore:against=references'
    """
    against = metric.settings().get("against", AGAINST)
    is_named = against == AGAINST or "against" in split_spec(metric.label)[1]
    return metric.label if is_named else f"{metric.label}:against={against}"
