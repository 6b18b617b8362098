"""A filter that judges by an encoder whether a word or phrase can stand for another in its place.

    score = log odds (`substitution_model.py`) of what it does to the sentence
            (`substitution_features.py`) - threshold

A substitution is accepted if the score is 0 or more. The regression was fitted to people's judgments
of substitutes, words and phrases, for words in context (Swords, Lee et al. 2021). It goes beyond
Kauchak and Barzilay (2006), whose classifiers ask whether a word fits its place; the encoder also sees
whether it means the same there.

Every word has a vector, so this filter knows all words; it never answers NaN. Only sentences with
proposals are encoded. The shipped encoder is English.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.encode.encoder import Encoder
from paragauge.encode.encoder_by_name import open_encoder
from paragauge.errors import SettingError
from paragauge.kernels.layout import Ints
from paragauge.rewrite.encoder.substitution_features import FEATURES, measure_substitutions
from paragauge.rewrite.encoder.substitution_model import ENGLISH, SubstitutionModel
from paragauge.rewrite.substitution_filters import PhraseJudge
from paragauge.text.lines import Lines
from paragauge.text.wording import format_setting

# The features that belong together, by what an explanation says of them.
GROUPS = {
    "the meaning in this place": ("same", "sentence"),
    "the neighbors": ("near",),
    "the rest of the sentence": ("fit",),
}


class EncoderReason(NamedTuple):
    """What a group of features adds to the score; `words` are those that it is about."""

    place: str
    words: str
    weight: float


@dataclass(frozen=True)
class EncoderExplanation:
    """The score of one substitution, and what each group of features adds, strongest first."""

    word: str
    score: float
    threshold: float
    reasons: tuple[EncoderReason, ...]


@dataclass(frozen=True, eq=False)
class EncoderFilter(PhraseJudge):
    """Accepts substitutions that mean the same in their place, by an encoder and a regression.

    >>> lines = Lines.of(["it is hard to believe .", "it took place ."])
    >>> words = Lines.of(["difficult", "home"])
    >>> where = np.array([0, 1]), np.array([2, 2])
    >>> (EncoderFilter.default().scores(lines, *where, words, np.array([0, 1])) >= 0).tolist()
    [True, False]
    """

    model: SubstitutionModel
    encoder: Encoder

    def __post_init__(self) -> None:
        if self.model.encoder != self.encoder.fingerprint:
            raise SettingError(
                f"expected encoder {self.model.encoder}, which the substitution model was fitted to, "
                f"found {self.encoder.fingerprint}; leave the encoder out, or fit a model to it"
            )

    @classmethod
    def open(cls, path: str | Path = ENGLISH, threshold: float | None = None) -> EncoderFilter:
        """The shipped encoder with the model at a path, and another threshold if one is given."""
        if threshold is not None and not np.isfinite(threshold):
            raise SettingError(f"threshold: expected a number, found {threshold!r}")
        model = SubstitutionModel.open(path)
        if threshold is not None:
            model = replace(model, threshold=threshold)
        return cls(model, open_encoder())

    @classmethod
    def default(cls) -> EncoderFilter:
        """The shipped filter, opened once."""
        return _english()

    @property
    def name(self) -> str:
        """The fingerprint of the weights and the encoder, and the threshold."""
        return f"encoder-{self.model.fingerprint}@{format_setting(self.model.threshold)}"

    def phrase_scores(
        self,
        tokens: Lines,
        segment: Ints,
        span: tuple[Ints, Ints],
        phrases: Lines,
        phrase: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """A score for each proposal; see `PhraseFilter`."""
        rows = measure_substitutions(tokens, segment, span, phrases, phrase, self.encoder, threads)
        return self.model.log_odds(rows) - self.model.threshold

    def explain(self, tokens: str, position: int, word: str) -> EncoderExplanation:
        """What speaks for and against `word` in place of a token, strongest first.

        Each feature counts from where a substitution that changes nothing has it: the word itself.

        >>> why = EncoderFilter.default().explain("it took place here .", 2, "home")
        >>> why.score < 0, why.reasons[0].place
        (True, 'the meaning in this place')
        """
        return self.explain_phrase(tokens, (position, position), word)

    def explain_phrase(self, tokens: str, span: tuple[int, int], phrase: str) -> EncoderExplanation:
        """The same for a phrase in place of the tokens of a span, its first and last.

        >>> why = EncoderFilter.default().explain_phrase("the talks took place .", (2, 3), "sang")
        >>> why.reasons[0].words
        'took place, sang'
        """
        first, last = span
        zero = np.zeros(2, np.int64)
        old = " ".join(tokens.split(" ")[first : last + 1])
        same, changed = measure_substitutions(
            Lines.of([tokens]),
            zero,
            (zero + first, zero + last),
            Lines.of([old, phrase]),
            np.array([0, 1]),
            self.encoder,
            1,
        )
        parts = (changed - same) * np.array(self.model.weights)
        reasons = [
            EncoderReason("", "the same word again", float(self.model.log_odds(same[None])[0])),
            *(
                EncoderReason(group, _about(group, tokens, span, phrase), _sum_of(parts, names))
                for group, names in GROUPS.items()
            ),
        ]
        return EncoderExplanation(
            phrase,
            float(self.model.log_odds(changed[None])[0] - self.model.threshold),
            self.model.threshold,
            tuple(sorted(reasons, key=lambda reason: -abs(reason.weight))),
        )


def _sum_of(parts: NDArray[np.float64], names: tuple[str, ...]) -> float:
    own = [name.partition("_")[0] in names for name in FEATURES]
    return float(parts[own].sum())


def _about(group: str, tokens: str, span: tuple[int, int], phrase: str) -> str:
    words, (first, last) = tokens.split(" "), span
    if group == "the neighbors":
        return " ".join([*words[max(0, first - 2) : first], "_", *words[last + 1 : last + 3]])
    old = " ".join(words[first : last + 1])
    return f"{old}, {phrase}" if group == "the meaning in this place" else phrase


@functools.cache
def _english() -> EncoderFilter:
    return EncoderFilter.open()
