"""Fluency: PEM's language-model component (Liu, Dahlmeier and Ng 2010, section 4.3).

    P_n = ln Pr(S) / length(S)

where the length counts the words and the end of the sentence. It is never above 0; a higher value
means that the language model expects the words in this order. It says how usual a sentence is, not how
grammatical: a rare name costs as much as a wrong verb form. The language model is that of a PEM model
(`paragauge pem train`).

It needs the candidates only. A corpus scores the mean of its segments. Time is linear in the number of
words. The statistics are (value, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pem.model import model_setting, open_model, text_signature
from paragauge.text.batch import Batch


@dataclass(frozen=True)
class Fluency(MeanMetric):
    """The mean logarithm of a word's probability; higher means more usual wording.

    >>> usual, scrambled = Fluency().segments(["The dog is asleep.", "is dog asleep The."])
    >>> bool(usual > scrambled)
    True
    """

    name: ClassVar[str] = "Fluency"
    summary: ClassVar[str] = "log-probability of a word, by a language model (PEM's fluency)"
    scale: ClassVar[int] = 1

    model: str = model_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Nothing but the candidates."""
        return frozenset()

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1) of each segment."""
        language_model = open_model(self.model).resources.model
        scores = language_model.score(batch.systems[system], threads=batch.threads)
        return mean_stats(scores.normalize())

    def extra_signature(self) -> dict[str, str]:
        """The form of the text and the fingerprint of the language model."""
        model = open_model(self.model)
        return {**text_signature(model), "lm": model.fingerprints["lm"]}
