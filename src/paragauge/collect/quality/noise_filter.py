"""The noise filter: the probability that a written answer is noise.

The future work of Chen and Dolan (2011, section 6), who left most of their sentences aside "to avoid
dealing with excessive noise": a classifier with the sentences of qualified workers as positive
examples. Here it is a logistic regression (`logistic_regression`) over what `noise_features` measures;
the evidence of the cluster weighs most. `noise_training` fits one to a campaign; two for English come
with the package, fitted to crowd paraphrases with labels (see their card): `english` where answers have
a source, and `english-descriptions` without what is measured against a source.

A verdict has a probability and the main reasons, in words. The filter only advises; it rejects nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.collect.quality import cluster_evidence
from paragauge.collect.quality.cluster_evidence import TrustedClusters
from paragauge.collect.quality.logistic_regression import LogisticModel
from paragauge.collect.quality.noise_features import (
    NAMES,
    SOURCE,
    WORKER,
    FeatureTable,
    measure_features,
)
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.errors import FileFormatError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.text.files import atomic, os_error
from paragauge.text.saving.sealed_json import seal_json, unseal_json

SHIPPED = ("english", "english-descriptions")
FOLDER = Path(__file__).parents[2] / "models" / "noise"
FORMAT = "paragauge-noise-1"
NO_FILTER = "expected a noise filter as JSON; train one: paragauge collect filter STORE --save FILE"
MOST_REASONS = 3
# A reason must move the odds by at least this much (log odds).
WEIGHTY = 0.1


# What each feature means to a requester when it suggests noise. Features that mean the same share a
# sentence, and their parts are summed: single weights of correlated features mean little.
_CLUSTER = "its words are unlike those of trusted sentences of the item"
_SOURCE = "its wording is unusual for a paraphrase of the source"
_WORKER = "other answers of the worker look noisy"
_OWN = {
    "log_words": "its length is unusual",
    "log_characters": "its length is unusual",
    "repeated_words": "it repeats words",
    "unknown_words": "it has words that are in no dictionary",
    "unknown_share": "it has words that are in no dictionary",
    "question": "it is a question, or is not one where one is expected",
    "other_language": "it seems to be in another language",
    "fluency": "it does not read like fluent English, or is too plain",
    "length_ratio": "its length is unusual for its source",
    "names_kept": "names or numbers of the source are missing",
    "new_numbers": "it has numbers that the source does not have",
    "question_changed": "it is a question, or is not one where one is expected",
    "seconds_per_character": "the time spent is unusual for its length",
    "task_overlap": "it is unusually similar to, or different from, other answers of the same task",
    "other_item_overlap": "it is unusually similar to, or different from, answers to other items",
    "same_as_others": "other workers wrote, or did not write, exactly the same",
}
REASONS = {
    name: _OWN.get(name)
    or (
        _CLUSTER
        if name in cluster_evidence.NAMES
        else _SOURCE
        if name in SOURCE
        else _WORKER
        if name in WORKER
        else name
    )
    for name in NAMES
}


@dataclass(frozen=True)
class Verdict:
    """The probability that an answer is noisy, whether that passes the threshold, and why."""

    probability: float
    noisy: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class NoiseFilter:
    """A fitted filter.

    >>> filter_ = NoiseFilter.shipped("english-descriptions")
    >>> text = "A man is riding a horse."
    >>> clusters = TrustedClusters(WrittenAnswer(text, "v1", worker) for worker in "abc")
    >>> texts = ("The man rides a horse.", "very nice vido")
    >>> good, bad = filter_.judge([WrittenAnswer(text, "v1", "y") for text in texts], clusters)
    >>> good.probability < bad.probability
    True
    >>> bad.reasons[0]
    'its words are unlike those of trusted sentences of the item'
    """

    names: tuple[str, ...]
    model: LogisticModel
    threshold: float
    about: str = ""

    def judge(
        self, answers: Sequence[WrittenAnswer], known: TrustedClusters, threads: int = 0
    ) -> tuple[Verdict, ...]:
        """A verdict on each answer; give a worker's answers together (see `noise_features`)."""
        return self.judge_table(measure_features(answers, known, threads))

    def judge_table(self, table: FeatureTable) -> tuple[Verdict, ...]:
        """A verdict on each row of measured features."""
        values = table.columns(self.names)
        chances = self.model.probability(values).tolist()
        parts = self.model.contributions(values)
        return tuple(
            Verdict(chance, chance >= self.threshold, self._find_reasons(row))
            for chance, row in zip(chances, parts, strict=True)
        )

    def save(self, path: str | Path) -> None:
        """Write the filter as JSON."""
        with atomic(path) as out:
            out.write(seal_json(self._plain(), indent=1))

    @classmethod
    def load(cls, path: str | Path) -> NoiseFilter:
        """Read a filter that `save` wrote."""
        try:
            content = unseal_json(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise os_error(path, error) from None
        except (ValueError, RecursionError):
            raise FileFormatError(path, None, NO_FILTER) from None
        try:
            return cls._parse(content)
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
            raise FileFormatError(path, None, NO_FILTER) from None

    @classmethod
    def shipped(cls, name: str = "english") -> NoiseFilter:
        """A filter that comes with the package."""
        if name not in SHIPPED:
            raise unknown_name("noise filter", name, SHIPPED)
        return _load_shipped(name)

    def _find_reasons(self, contributions: Floats) -> tuple[str, ...]:
        sums: dict[str, float] = {}
        for name, part in zip(self.names, contributions.tolist(), strict=True):
            sums[REASONS[name]] = sums.get(REASONS[name], 0.0) + part
        ranked = sorted(sums.items(), key=lambda reason: -reason[1])
        return tuple(reason for reason, part in ranked[:MOST_REASONS] if part >= WEIGHTY)

    def _plain(self) -> dict[str, Any]:
        columns = (self.model.mean, self.model.deviation, self.model.weights)
        # A constant feature has an infinite deviation, which JSON cannot represent.
        rows = [
            [float(f"{value:.7g}") if np.isfinite(value) else None for value in row]
            for row in np.stack(columns, axis=1).tolist()
        ]
        return {
            "format": FORMAT,
            "about": self.about,
            "threshold": self.threshold,
            "intercept": self.model.intercept,
            "columns": ["mean", "deviation", "weight"],
            "features": dict(zip(self.names, rows, strict=True)),
        }

    @classmethod
    def _parse(cls, content: dict[str, Any]) -> NoiseFilter:
        names = tuple(content["features"])
        rows = [[np.inf if value is None else float(value) for value in row]
                for row in content["features"].values()]  # fmt: skip
        mean, deviation, weights = np.array(rows, np.float64).reshape(-1, 3).T
        threshold, intercept = float(content["threshold"]), float(content["intercept"])
        finite = np.isfinite([*mean, *weights, threshold, intercept]).all()
        if content["format"] != FORMAT or not set(names) <= set(NAMES) or not finite:
            raise ValueError(content["format"])
        if not (deviation > 0).all():
            raise ValueError("deviation")
        return cls(
            names, LogisticModel(mean, deviation, weights, intercept), threshold, str(content["about"])
        )


@cache
def _load_shipped(name: str) -> NoiseFilter:
    return NoiseFilter.load(FOLDER / f"{name}.json")
