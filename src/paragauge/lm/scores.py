"""Scores of sentences under a language model.

Perplexity is 10 to the power of minus the mean log10 probability per token, where each sentence's
``</s>`` is a token. Without unknown words, neither they nor their probabilities count.

The normalized score of a sentence is P_n = log Pr(S) / length(S), the fluency of PEM (Liu, Dahlmeier
and Ng 2010, section 4.4). The paper gives neither the base of the logarithm nor whether ``</s>`` counts
in the length; here the natural logarithm is the default, and ``</s>``, which is predicted like a word,
counts. So an empty sentence has a score, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from paragauge.errors import unknown_name
from paragauge.kernels.layout import Floats, Ids, Ints

LogBase = Literal["e", "10", "2"]
BASES: dict[LogBase, float] = {"e": math.log(10), "10": 1.0, "2": math.log2(10)}


def check_base(base: LogBase) -> None:
    """Raise the error for an unknown base of logarithms.

    >>> check_base("3")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown base of logarithms '3'; known: e, 10, 2
    """
    if base not in BASES:
        raise unknown_name("base of logarithms", base, BASES)


@dataclass(frozen=True)
class Totals:
    """Sums over sentences, which add up over batches.

    >>> (Totals(1, 3, 1, -4.0, -2.0) + Totals(1, 3, 0, -4.0, -4.0)).perplexity()
    10.0
    """

    sentences: int = 0
    tokens: int = 0
    unknown: int = 0
    log10: float = 0.0
    known_log10: float = 0.0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.sentences + other.sentences,
            self.tokens + other.tokens,
            self.unknown + other.unknown,
            self.log10 + other.log10,
            self.known_log10 + other.known_log10,
        )

    def perplexity(self, *, unknown: bool = True) -> float:
        """Per token, with or without unknown words; NaN if there are no tokens."""
        tokens = self.tokens + self.sentences - (0 if unknown else self.unknown)
        if tokens == 0:
            return math.nan
        exponent = -(self.log10 if unknown else self.known_log10) / tokens
        return 10.0**exponent if exponent < 308 else math.inf


@dataclass(frozen=True)
class LanguageModelScores:
    """Arrays with one item per sentence.

    `log10`: log10 Pr(S), ``</s>`` included. `tokens`: words, without ``</s>``. `unknown`: words that
    the model does not have. `known_log10`: the part of `log10` without these words.

    >>> scores = LanguageModelScores(*(np.array([x]) for x in (-4.0, 3, 1, -2.0)))
    >>> scores.perplexity(), round(scores.perplexity(unknown=False), 2)
    (10.0, 4.64)
    >>> scores.normalize(base="10").tolist(), scores.normalize(base="10", end=False).round(2).tolist()
    ([-1.0], [-1.33])
    """

    log10: Floats
    tokens: Ints
    unknown: Ints
    known_log10: Floats

    def __len__(self) -> int:
        return len(self.log10)

    def totals(self) -> Totals:
        """The sums over all sentences."""
        return Totals(
            len(self),
            int(self.tokens.sum()),
            int(self.unknown.sum()),
            float(self.log10.sum()),
            float(self.known_log10.sum()),
        )

    def perplexity(self, *, unknown: bool = True) -> float:
        """Of all sentences together; NaN if there are none."""
        return self.totals().perplexity(unknown=unknown)

    def normalize(self, *, end: bool = True, base: LogBase = "e") -> Floats:
        """log Pr(S) / length(S); with `end` the length includes ``</s>``, else NaN if it is 0."""
        check_base(base)
        lengths = (self.tokens + end).astype(np.float64)
        values: Floats = np.full(len(self), np.nan)
        np.divide(self.log10 * BASES[base], lengths, out=values, where=lengths > 0)
        return values


@dataclass(frozen=True)
class TokenScores:
    """One item per token, ``</s>`` after the words of each sentence: sentence i has the items from
    offsets[i] to offsets[i + 1].

    `log10`: log10 probability. `matched`: the length of the n-gram that gave it; if it is shorter than
    the context allows, the model backed off.
    """

    log10: Floats
    matched: Ids
    offsets: Ints
