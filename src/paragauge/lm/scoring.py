"""Files of text scored by a model, in batches, with flat memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paragauge.lm.protocol import SentenceModel
from paragauge.lm.scores import LanguageModelScores
from paragauge.text.reading import LineReader

LINES, BYTES = 1 << 14, 1 << 23


def score_file(
    model: SentenceModel, path: str | Path, *, tokenised: bool = False, threads: int = 0
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
            yield model.score(lines, tokenised=tokenised, threads=threads)
