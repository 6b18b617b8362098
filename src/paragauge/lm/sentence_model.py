"""The interface of language models that metrics and commands use, and scoring of files with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from paragauge.lm.scores import LanguageModelScores, TokenScores
from paragauge.lm.text_form import TextForm
from paragauge.text.line_reader import LineReader


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
        self, lines: Iterable[str], *, tokenized: bool = False, threads: int = 0
    ) -> LanguageModelScores:
        """Probabilities of sentences; `tokenized` ones are words with spaces between, taken as is."""
        ...

    def token_scores(
        self, lines: Iterable[str], *, tokenized: bool = False, threads: int = 0
    ) -> TokenScores:
        """Probabilities of their tokens."""
        ...


LINES, BYTES = 1 << 14, 1 << 23


def score_file(
    model: SentenceModel, path: str | Path, *, tokenized: bool = False, threads: int = 0
) -> Iterator[LanguageModelScores]:
    r"""The scores of the lines of a file, batch by batch.

    >>> import tempfile
    >>> from paragauge.lm.model import LanguageModel
    >>> model = LanguageModel.train(["a b"], order=2, discount_fallback=(0.5, 1, 1.5))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = Path(folder, "text")
    ...     _ = text.write_text("a b\nb c\n")
    ...     [scores.unknown.tolist() for scores in score_file(model, text)]
    [[0, 1]]
    """
    with LineReader(path) as reader:
        while lines := reader.read(LINES, BYTES):
            yield model.score(lines, tokenized=tokenized, threads=threads)
