"""The parts of a grammar-based paraphraser without its weights: rules, words, language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.engine.arrow_strings import texts_of
from paragauge.errors import FileFormatError
from paragauge.generate.generator import Substitution
from paragauge.generate.rule_features import extra_rows, rule_batches
from paragauge.grammar.grammar_folder import Grammar
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.vocabulary import Vocabulary

BOTH_SIDES = 3
Decoded = tuple[tuple[Any, Any], Any, Floats, Floats]


class GrammarTables:
    """A grammar and a language model in the form that the kernel takes."""

    def __init__(
        self,
        grammar: Grammar,
        lm: LanguageModel,
        names: tuple[str, ...],
        *,
        threads: int,
        progress: Progress,
    ) -> None:
        self.lm = lm
        self.fingerprint = grammar.fingerprint
        self._words = _collect_words(grammar, threads)
        buffer, offsets = self._words.native.texts(0)
        sides = np.full(len(self._words), BOTH_SIDES, np.uint8)
        self._rules = _native.SyncGrammar((buffer, offsets), sides)
        rows = np.empty((len(grammar) + 3, len(names) - 1), np.float32)
        self.rules = 0
        for batch in rule_batches(grammar, names):
            lhs, labels, source, target = batch.columns
            costs = np.zeros(len(batch))
            added = self._rules.add(lhs, labels, source, target, costs, threads)
            if added < len(batch):
                raise FileFormatError(
                    grammar.path,
                    None,
                    "expected rules in the normal form of grammar/rule.py, found another among "
                    f"the first {self.rules + added + 1:,}; rebuild the grammar",
                )
            rows[self.rules : self.rules + len(batch)] = batch.features
            self.rules += len(batch)
            progress(f"{self.rules:,} rules read")
        self._rules.finish()
        self.left_out = len(grammar) - self.rules
        rows[self.rules : self.rules + 3] = extra_rows(names)
        texts = self._words.texts()
        lm_ids = lm.vocabulary.encode(texts, TOKENIZED, grow=False, threads=threads).ids
        self._native = _native.CubeDecoder(
            self._rules, lm.native, (buffer, offsets), lm_ids, rows[: self.rules + 3]
        )

    def label(self, name: str) -> int:
        """The number of a label."""
        return self._rules.label(name)

    def decoder(
        self,
        vocabulary: Vocabulary,
        weights: Floats,
        settings: tuple[int, int, int, int, bool],
        size: int,
        threads: int,
    ) -> Callable[[Ragged], Decoded]:
        """A function that decodes sentences encoded with `vocabulary`."""
        texts = vocabulary.native.texts(0)
        ids, lm_ids = self._ids(vocabulary), _numbers(vocabulary, self.lm.vocabulary)

        def decode(part: Ragged) -> Decoded:
            return self._native.decode(
                texts, ids, lm_ids, _sentences(part), weights, settings, size, threads
            )

        return decode

    def substitutions(
        self, vocabulary: Vocabulary, words: Ragged, weights: Floats, limit: int
    ) -> list[Substitution]:
        """The rules without non-terminals that match one sentence."""
        matches = self._native.phrases(self._ids(vocabulary), _sentences(words), weights, limit)
        rows = zip(*(column.tolist() for column in matches), strict=True)
        return [
            Substitution(first, last, self._target(rule), score) for first, last, rule, score in rows
        ]

    def _target(self, rule: int) -> str:
        return " ".join(map(self._words.token, self._rules.rule(rule)[2].tolist()))

    def _ids(self, vocabulary: Vocabulary) -> NDArray[np.int32]:
        return _numbers(vocabulary, self._words)


def _collect_words(grammar: Grammar, threads: int) -> Vocabulary:
    words = Vocabulary()
    for batch in grammar.batches(["source", "target"]):
        for column in batch.columns:
            buffer, offsets = texts_of(column)
            sides = Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))
            words.encode(sides, TOKENIZED, threads=threads)
    return words


def _numbers(words: Vocabulary, other: Vocabulary) -> NDArray[np.int32]:
    """The number that each word has in another vocabulary, or -1."""
    return np.array([other.native.find(word) for word in words], np.int32)


def _sentences(part: Ragged) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    first, last = int(part.offsets[0]), int(part.offsets[-1])
    return np.ascontiguousarray(part.ids[first:last]), part.offsets - first
