"""What a metric or a command needs of a language model, whoever made it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from paragauge.lm.scores import LanguageModelScores, TokenScores
from paragauge.lm.text_form import TextForm


@runtime_checkable
class SentenceModel(Protocol):
    """A model that gives sentences probabilities: `LanguageModel` or `KenLMModel`."""

    @property
    def name(self) -> str:
        """Which model it is, for signatures."""
        ...

    @property
    def order(self) -> int:
        """Words in its longest n-grams."""
        ...

    @property
    def form(self) -> TextForm:
        """How text becomes words."""
        ...

    def score(
        self, lines: Iterable[str], *, tokenised: bool = False, threads: int = 0
    ) -> LanguageModelScores:
        """Probabilities of sentences; `tokenised` ones are words with blanks between, taken as is."""
        ...

    def token_scores(
        self, lines: Iterable[str], *, tokenised: bool = False, threads: int = 0
    ) -> TokenScores:
        """Probabilities of their tokens."""
        ...
