"""The interface of paraphrasers, as tuning, search and the commands use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from paragauge.generate.nbest import NBest
from paragauge.kernels.layout import Floats
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines


@runtime_checkable
class Generator(Protocol):
    """A paraphraser with a linear model: `PhraseBased` or `GrammarBased`."""

    @property
    def name(self) -> str:
        """Which model it is, for signatures."""
        ...

    @property
    def form(self) -> TextForm:
        """How text is tokenized."""
        ...

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        ...

    @property
    def weights(self) -> Floats:
        """The weight of each feature, float64 [features]."""
        ...

    @property
    def longest(self) -> int:
        """The most words that a sentence may have."""
        ...

    def with_weights(self, weights: Floats) -> Self:
        """The same paraphraser with other weights; tables and models are shared."""
        ...

    def nbest(
        self,
        lines: Lines | Sequence[str],
        size: int = 1,
        *,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
    ) -> NBest:
        """Up to `size` different paraphrases of each line; a line without words has none.

        Lines are raw text, which is tokenized as `form` says. `progress` is called with the number of
        sentences done since the last call.
        """
        ...


@dataclass(frozen=True)
class Substitution:
    """Words `start` to `end` (exclusive) of a sentence, and what may replace them.

    >>> Substitution(0, 2, "a couple of", -1.5).text
    'a couple of'
    """

    start: int
    end: int
    text: str  # words separated by one space
    score: float  # of the substitution alone, under the model's weights; higher is better


@runtime_checkable
class Substitutions(Protocol):
    """What local search needs from a paraphraser: substitutes for parts of a sentence."""

    def substitutions(self, line: str, limit: int = 20) -> list[Substitution]:
        """Up to `limit` substitutions of each span of the words of `line`, tokenized as `form` says.

        They are sorted by start, end, descending score and text; none leaves its span unchanged.
        """
        ...
