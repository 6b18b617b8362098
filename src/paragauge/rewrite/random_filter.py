"""A filter that refuses at random: the control for every other filter.

A filter that accepts fewer proposals changes scores even if it knows nothing. Only what it does better
than a random filter that refuses the same share is due to what it knows.

The number of a proposal, from 0 up to 1, is drawn by its sentence, place and words and a seed: equal
proposals have equal numbers, in every system and in every run. A proposal is accepted if its number is
at least the threshold, so that the threshold is the share that is refused.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError
from paragauge.kernels.layout import Ints
from paragauge.rewrite.substitution_filters import PhraseJudge
from paragauge.text.lines import Lines
from paragauge.text.wording import format_setting

SEED = 7


@dataclass(frozen=True)
class RandomFilter(PhraseJudge):
    """Refuses this share of the proposals, whatever they are.

    >>> lines, words = Lines.of(["it is hard ."]), Lines.of(["difficult"])
    >>> zero = np.zeros(1, np.int64)
    >>> float(RandomFilter(0.0).scores(lines, zero, zero + 2, words, zero)[0]) >= 0
    True
    >>> float(RandomFilter(1.0).scores(lines, zero, zero + 2, words, zero)[0]) >= 0
    False
    """

    threshold: float
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise SettingError(
                "random: expected a threshold from 0 to 1, the share of proposals to refuse, found "
                f"{self.threshold:g}"
            )

    @property
    def name(self) -> str:
        """The filter with its threshold and seed, for signatures."""
        return f"random@{format_setting(self.threshold)},{self.seed}"

    def phrase_scores(
        self,
        tokens: Lines,
        segment: Ints,
        span: tuple[Ints, Ints],
        phrases: Lines,
        phrase: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """The number of each proposal less the threshold, so that 0 or more accepts."""
        del threads
        rows = zip(segment.tolist(), *(side.tolist() for side in span), phrase.tolist(), strict=True)
        numbers = [
            draw_number(self.seed, tokens[line], first, last, phrases[new])
            for line, first, last, new in rows
        ]
        return np.array(numbers, np.float64) - self.threshold


def draw_number(seed: int, *facts: object) -> float:
    """A number from 0 up to 1 that depends on the seed and the facts, and on nothing else.

    >>> draw_number(7, "a") == draw_number(7, "a"), draw_number(7, "a") == draw_number(8, "a")
    (True, False)
    """
    text = "\x1f".join(map(str, (seed, *facts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest()) / 2**48
