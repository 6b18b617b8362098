"""Phrase-based paraphrasing: stack decoding in the manner of Moses (Koehn et al. 2003 and 2007).

A sentence is split into phrases, each is replaced by a target of the phrase table, and the targets are
put in some order; the score is a weighted sum of features (`phrase_settings.py`). Chen and Dolan (2011,
section 5.1) trained Moses in this way from English to English. Hypotheses that have translated the same
number of words compete in a stack; those that have the same possible continuations (the same words
translated, the same state of the language model, the same end of the last phrase) are merged.
`kernels/reference/decode/phrase_decoder.py` defines exactly what is kept.

Deviations from Moses with default settings: the stack has 100 hypotheses, not 200; phrases keep their
order (`distortion=6` is Moses' limit), and there is no lexicalized reordering model; pruning does not
depend on the order of hypotheses (Moses drops some before better ones of the same stack exist); the
texts in an n-best list are distinct. As in Moses, the future cost of a sentence is estimated without
distortion.

Time: sentences x words x stack x options within reach. Apart from the lists, memory does not grow with
the number of sentences.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from paragauge.engine.arrow_strings import texts_of
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.generate.generator import Substitution
from paragauge.generate.model_folder import (
    Description,
    check_part,
    load_language_model,
    load_weights,
    merge_settings,
)
from paragauge.generate.nbest import NBest, check_size
from paragauge.generate.phrase_settings import FEATURES, LEAST, SCORES, PhraseSettings
from paragauge.generate.weights import check_weights
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.phrases.table import PhraseTable
from paragauge.text.bitext import token_counts
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import apply_case, check_threads, tokenize_lines

BATCH = 256  # sentences
ROWS = 1 << 16


@dataclass(frozen=True)
class PhraseOption:
    """One way to translate the words `start` to `end` (exclusive) of a sentence.

    `features` are those of the phrase alone, `score` is their weighted sum.
    """

    start: int
    end: int
    text: str
    features: dict[str, float]
    score: float


class PhraseBased:
    """A paraphraser with a phrase table and a language model.

    >>> import tempfile
    >>> from paragauge.align.links import Links
    >>> from paragauge.generate.phrase_settings import default_weights
    >>> from paragauge.phrases.extract import extract_table
    >>> from paragauge.text.bitext import Bitext
    >>> bitext = Bitext.of(["a man eats", "a man sings"], ["a guy eats", "a guy sings"])
    >>> links = Links.from_lists([[(0, 0), (1, 1), (2, 2)]] * 2)
    >>> model = LanguageModel.train(bitext.target, order=2, discount_fallback=(0.5, 1, 1.5))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = extract_table(bitext, links, f"{folder}/table")
    ...     paraphraser = PhraseBased.of_table(table, model, default_weights())
    >>> paraphraser.nbest(["a man eats", ""]).best()
    ['a guy eats', '']
    """

    def __init__(
        self,
        store: _native.PhraseStore,
        model: LanguageModel,
        weights: Floats,
        settings: PhraseSettings,
        fingerprint: str,
    ) -> None:
        values = check_weights(FEATURES, weights)
        if model.form.stem is not None:
            raise InputError(
                f"expected a language model of words, found one of stems ({model.form.label}); "
                "train one without a stemmer"
            )
        self._store = store
        self._model = model
        self._weights = values
        self.settings = settings
        self._fingerprint = fingerprint
        self._decoder = _native.PhraseDecoder(
            store,
            model.native,
            values,
            settings.stack,
            settings.log_beam,
            -1 if settings.distortion is None else settings.distortion,
            settings.table_limit,
            settings.copy,
        )

    @classmethod
    def of_table(
        cls,
        table: PhraseTable,
        model: LanguageModel,
        weights: Floats,
        settings: PhraseSettings | None = None,
    ) -> Self:
        """A paraphraser with the rows of a table, which are loaded into memory."""
        return cls(
            load_store(table, model), model, weights, settings or PhraseSettings(), table.fingerprint
        )

    @classmethod
    def open(
        cls,
        folder: Path,
        description: Description,
        *,
        weights: str | Path | Floats | None = None,
        settings: Mapping[str, Any] | None = None,
        threads: int = 0,
    ) -> Self:
        """Open the paraphraser in a model's folder; see `open_generator`."""
        merged = merge_settings(PhraseSettings.from_record, folder, description, settings)
        values = load_weights(folder, FEATURES, weights)
        model = load_language_model(folder, description, threads)
        table = PhraseTable.open(folder / description.table)
        check_part(folder, description, description.table, table.fingerprint)
        return cls.of_table(table, model, values, merged)

    @functools.cached_property
    def name(self) -> str:
        """The kind and the first digits of a SHA-256 of table, language model, weights and settings."""
        parts = [self._fingerprint, self._model.name, self._weights.tolist(), self.settings.record()]
        return f"phrase-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]}"

    @property
    def form(self) -> TextForm:
        """How text is tokenized."""
        return self._model.form

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return FEATURES

    @property
    def weights(self) -> Floats:
        """The weight of each feature."""
        return self._weights.copy()

    @property
    def longest(self) -> int:
        """The most words that a sentence may have."""
        return self.settings.longest

    def __len__(self) -> int:
        """The number of phrase pairs."""
        return len(self._store)

    def __repr__(self) -> str:
        return f"PhraseBased({len(self):,} phrase pairs, {self._model!r})"

    def with_weights(self, weights: Floats) -> Self:
        """The same paraphraser with other weights; table and language model are shared."""
        return type(self)(self._store, self._model, weights, self.settings, self._fingerprint)

    def with_settings(self, settings: PhraseSettings) -> Self:
        """The same paraphraser with other settings; table and language model are shared."""
        return type(self)(self._store, self._model, self._weights, settings, self._fingerprint)

    def nbest(
        self,
        lines: Lines | Sequence[str],
        size: int = 1,
        *,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
    ) -> NBest:
        """Up to `size` different paraphrases of each line; an empty line has none."""
        check_threads(threads)
        check_size(size)
        words = self._tokenize(Lines.of(lines), threads)
        parts = []
        for start in range(0, max(1, len(words)), BATCH):
            batch = words[start : start + BATCH]
            parts.append(self._decoder.decode(batch.buffer, batch.spans, size, threads))
            if progress is not None:
                progress(len(batch))
        texts = [
            Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))
            for (buffer, offsets), _, _, _ in parts
        ]
        counts = np.concatenate([np.diff(offsets) for _, offsets, _, _ in parts])
        return NBest(
            FEATURES,
            Lines.concatenate(texts),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
            np.concatenate([features for _, _, features, _ in parts]),
            np.concatenate([scores for _, _, _, scores in parts]),
        )

    def options(self, line: str, limit: int | None = None) -> list[PhraseOption]:
        """The ways to translate each span of the words of `line`, up to `limit` for each.

        The default `limit` is the setting `table_limit`. They are sorted by start, end and descending
        score.
        """
        words = self._tokenize(Lines.of([line]), 1)
        limit = self.settings.table_limit if limit is None else limit
        if limit < 1:
            raise SettingError(f"limit: expected a whole number from 1, found {limit}")
        spans, (buffer, offsets), features, scores = self._decoder.options(words[0], limit)
        texts = Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))
        return [
            PhraseOption(start, end, text, dict(zip(FEATURES, values, strict=True)), score)
            for (start, end), text, values, score in zip(
                spans.tolist(), texts, features.tolist(), scores.tolist(), strict=True
            )
        ]

    def substitutions(self, line: str, limit: int = 20) -> list[Substitution]:
        """Up to `limit` other targets of each span of the words of `line`."""
        if limit < 1:
            raise SettingError(f"limit: expected a whole number from 1, found {limit}")
        words = self._tokenize(Lines.of([line]), 1)[0].split(" ")
        substitutions: list[Substitution] = []
        count, span = 0, (-1, -1)
        # One more than the limit, because the phrase itself may be among the options.
        for option in self.options(line, limit + 1):
            if (option.start, option.end) != span:
                count, span = 0, (option.start, option.end)
            if count < limit and option.text != " ".join(words[option.start : option.end]):
                substitutions.append(Substitution(option.start, option.end, option.text, option.score))
                count += 1
        return substitutions

    def _tokenize(self, lines: Lines, threads: int) -> Lines:
        """The words of each line, separated by one space."""
        words = tokenize_lines(apply_case(lines, self.form.case), self.form.tokenize, threads=threads)
        counts = token_counts(words)
        too_long = np.flatnonzero(counts > self.settings.longest)
        if len(too_long):
            first = int(too_long[0])
            raise InputError(
                f"line {first + 1}: expected a sentence of at most {self.settings.longest} words, "
                f"found {counts[first]}; shorten it, or raise the setting longest (up to 256)"
            )
        return words


def load_store(table: PhraseTable, model: LanguageModel) -> _native.PhraseStore:
    """Load the rows of a table into memory for lookup."""
    store = _native.PhraseStore(model.vocabulary.native)
    for batch in table.batches(("source", "target", *SCORES), ROWS):
        values = np.stack(
            [batch.column(name).to_numpy(zero_copy_only=False) for name in SCORES], axis=1
        )
        if not bool((values >= 0).all() and np.isfinite(values).all()):
            raise FileFormatError(
                table.path,
                None,
                "expected probabilities in each row, found other numbers; extract it again",
            )
        scores = np.log(np.maximum(values, np.exp(LEAST))).astype(np.float32)
        try:
            store.add(texts_of(batch.column("source")), texts_of(batch.column("target")), scores)
        except ValueError as error:
            raise FileFormatError(table.path, None, f"{error}; extract the table again") from None
    return store
