"""Models of KenLM (Heafield 2011) through its Python package: any ARPA file or KenLM binary.

The same interface and the same scores as `LanguageModel`. KenLM's files do not say how their text was
made, so the form is given; sentences are scored one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, MissingExtraError
from paragauge.lexicon.stems import stem
from paragauge.lm.scores import LanguageModelScores, TokenScores
from paragauge.lm.text_form import MARKS, TextForm
from paragauge.text.files import RawFile
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import check_threads, tokenize

BINARY = b"mmap lm http://kheafield.com/code"


def is_kenlm_binary(path: str | Path) -> bool:
    """Whether a file starts like a KenLM binary."""
    if str(path) == "-":
        return False
    with RawFile(path) as file:
        return file.read(len(BINARY)) == BINARY


class KenLMModel:
    """A model that KenLM has loaded."""

    def __init__(self, path: str | Path, form: TextForm | None = None) -> None:
        RawFile(path).close()  # raises our error if there is no such file
        kenlm = _kenlm()
        self.path = str(path)
        self._form = form or TextForm()
        config = kenlm.Config()
        config.show_progress = False
        config.arpa_complain = kenlm.ARPALoadComplain.NONE
        try:
            self._model: Any = kenlm.Model(self.path, config)
        except (OSError, RuntimeError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise FileFormatError(path, None, f"KenLM cannot load it: {reason}") from None

    @property
    def name(self) -> str:
        """KenLM, the order and the file's name."""
        return f"kenlm-{self.order}gram-{Path(self.path).name}"

    @property
    def order(self) -> int:
        """Words in the longest n-grams."""
        return int(self._model.order)

    @property
    def form(self) -> TextForm:
        """How text becomes words."""
        return self._form

    def score(
        self, lines: Iterable[str], *, tokenized: bool = False, threads: int = 0
    ) -> LanguageModelScores:
        """Probabilities of sentences; if `tokenized`, words separated by spaces, used as they are."""
        check_threads(threads)
        rows = []
        for words in self._sentences(lines, tokenized):
            token_scores = self._full_scores(words)
            unknown = [log10 for log10, _, strange in token_scores[:-1] if strange]
            total = sum(log10 for log10, _, _ in token_scores)
            rows.append((total, len(words), len(unknown), total - sum(unknown)))
        columns = np.array(rows, np.float64).reshape(-1, 4).T
        tokens, unknowns = columns[1].astype(np.int64), columns[2].astype(np.int64)
        return LanguageModelScores(columns[0].copy(), tokens, unknowns, columns[3].copy())

    def token_scores(
        self, lines: Iterable[str], *, tokenized: bool = False, threads: int = 0
    ) -> TokenScores:
        """Probabilities of the tokens, and the length of the n-gram that each was found in."""
        check_threads(threads)
        scores = [self._full_scores(words) for words in self._sentences(lines, tokenized)]
        flat = [token for sentence in scores for token in sentence]
        return TokenScores(
            np.array([log10 for log10, _, _ in flat], np.float64),
            np.array([length for _, length, _ in flat], np.int32),
            np.cumsum([0, *map(len, scores)], dtype=np.int64),
        )

    def _full_scores(self, words: list[str]) -> list[tuple[float, int, bool]]:
        return list(self._model.full_scores(" ".join(words)))

    def _sentences(self, lines: Iterable[str], tokenized: bool) -> list[list[str]]:
        form = TextForm() if tokenized else self._form
        sentences = tokenize(Lines.of(lines), form.tokenize, case=form.case)
        if form.stem is not None:
            sentences = [stem(words, form.stem) for words in sentences]
        # KenLM cuts words at NUL, and gives the marks their special meaning.
        odd = {*MARKS}
        return [
            ["<unk>" if word in odd or "\0" in word else word for word in words] for words in sentences
        ]


def _kenlm() -> Any:
    try:
        import kenlm
    except ImportError:
        raise MissingExtraError("kenlm", "lm") from None
    return kenlm
