"""Fluency: whether a sentence reads like correct English, from the sentence alone.

There are two methods. `learned`, the default, is a linear regression on how well words and tags follow
each other and on misspellings (`fluency_features.py`, `fluency_model.py`). It learned from correct
sentences and the same sentences with errors made on purpose; values go from 0 to 100.

`lm` is PEM's language-model component (Liu, Dahlmeier and Ng 2010, section 4.3),

    P_n = ln Pr(S) / length(S)

where the length counts the words and the end of the sentence. It is never above 0; a higher value
means that the language model expects the words in this order. It says how usual a sentence is, not how
grammatical: a rare name costs as much as a wrong verb form, and endings, which the model of stems does
not see, cost nothing. The language model is that of a PEM model (`paragauge pem train`). PEM
uses it with `features=paper` and `features=extended`.

Both need the candidates only. A corpus scores the mean of its segments. Time is linear in the number of
words. The statistics are (value, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Floats
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pem.fluency_model import FluencyModel
from paragauge.metrics.pem.model import SHIPPED, model_setting, open_model, text_signature
from paragauge.metrics.settings import normalize_setting, setting
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import Normalize

Method = Literal["learned", "lm"]


@dataclass(frozen=True)
class Fluency(MeanMetric):
    """How much a sentence reads like correct English; higher is better.

    >>> clean, wrong = Fluency().segments(["She has two dogs.", "She have two dog."])
    >>> bool(clean > wrong)
    True
    >>> usual, scrambled = Fluency(method="lm").segments(["The dog is asleep.", "is dog asleep The."])
    >>> bool(usual > scrambled)
    True
    """

    name: ClassVar[str] = "Fluency"
    summary: ClassVar[str] = "correctness of a sentence, learned from errors, or PEM's fluency (lm)"

    method: Method = setting(
        "learned",
        choices=get_args(Method),
        help="learned: from 0 to 100; lm: PEM's mean log-probability of a word",
    )
    model: str = model_setting()
    normalize: Normalize = normalize_setting("typography")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method == "learned" and self.model != SHIPPED:
            raise SettingError(
                f"Fluency model={self.model} has no effect with method=learned; "
                "leave it out, or choose method=lm"
            )

    @property
    def scale(self) -> int:  # type: ignore[override]  # depends on a setting here
        """100 for `learned`; 1 for `lm`, whose values are logarithms."""
        return 100 if self.method == "learned" else 1

    @property
    def needs(self) -> frozenset[str]:
        """Nothing but the candidates."""
        return frozenset()

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return self.model == SHIPPED

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1) of each segment."""
        lines = batch.normalized(self.normalize).systems[system]
        if self.method == "lm":
            language_model = open_model(self.model).resources.model
            return mean_stats(language_model.score(lines, threads=batch.threads).normalize())
        if lines.is_mostly_foreign():
            raise InputError(
                "candidates: expected English, found mostly letters of another script; Fluency's model "
                "is English: for another language train one with paragauge pem train, and choose "
                "method=lm and model=FOLDER"
            )
        return mean_stats(FluencyModel.default().score(lines, batch.threads))

    def extra_signature(self) -> dict[str, str]:
        """Fingerprints of what computes the value, and for `lm` the form of the text."""
        if self.method == "learned":
            return {
                "tagger": PerceptronTagger.default().name,
                "wordnet": WordNet.default().name,
                "fluency": FluencyModel.default().name,
            }
        model = open_model(self.model)
        return {**text_signature(model), "lm": model.fingerprints["lm"]}
