"""Paraphrasing with a synchronous grammar and a language model.

As Ganitkevitch et al. (2011) and Weese, Ganitkevitch and Callison-Burch (2014, section 6) do with the
decoder Joshua: of all sentences that a grammar makes of a source sentence, the one with the best score
under a linear model, found by cube pruning (Chiang 2007). `kernels/reference/decode/cube.py` says how
the search goes, `generate/rule_features.py` which features there are.

Any word may pass through unchanged, and phrases may be joined in a row (glue rules), so every sentence
has an output; text without a match in the grammar is copied. Rules whose source side is one
non-terminal and nothing else are left out. The whole grammar is in memory, about 100 bytes and 4 for
each feature per rule.
"""

from __future__ import annotations

import copy
import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.generate.generator import Substitution
from paragauge.generate.grammar_settings import GrammarSettings
from paragauge.generate.grammar_tables import GrammarTables
from paragauge.generate.model_folder import (
    LM_FILE,
    TABLES,
    WEIGHTS_FILE,
    Description,
    check_part,
    chosen_settings,
    model_language,
    model_weights,
    new_generator,
    write_description,
)
from paragauge.generate.nbest import NBest, check_size
from paragauge.generate.rule_features import default_weights, feature_names
from paragauge.generate.weights import checked_weights, write_weights
from paragauge.grammar.table import KIND, Grammar
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import check_threads
from paragauge.text.vocabulary import Vocabulary

__all__ = ["GrammarBased", "GrammarSettings", "new_grammar_model"]

CHUNK = 128  # sentences between two calls of progress


class GrammarBased:
    """A paraphraser: grammar, language model, weights and settings.

    >>> import tempfile
    >>> from paragauge.grammar.convert import read_grammar
    >>> lm = LanguageModel.train(["the answer is good", "a good reply", "the reply is good"],
    ...                          order=2, discount_fallback=(0.5, 1, 1.5))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rules = Path(folder, "rules.txt")
    ...     _ = rules.write_text("[NN] ||| answer ||| reply ||| p(e|f)=0.1\\n")
    ...     paraphraser = GrammarBased(read_grammar(rules, f"{folder}/grammar"), lm)
    >>> paraphraser.nbest(["the answer is good"]).best()
    ['the reply is good']
    >>> paraphraser.substitutions("the answer is good")[0].text
    'reply'
    """

    def __init__(
        self,
        grammar: Grammar,
        lm: LanguageModel,
        weights: Floats | None = None,
        settings: GrammarSettings | None = None,
        *,
        threads: int = 0,
        progress: Progress = silent,
    ) -> None:
        if lm.form.stem is not None:
            raise InputError(
                f"the language model was trained on stems ({lm.form.label}), which cannot be output; "
                "train one on words"
            )
        self.settings = settings or GrammarSettings()
        self._features = feature_names(grammar)
        self._tables = GrammarTables(grammar, lm, self._features, threads=threads, progress=progress)
        self._weights = _checked(self._features, weights)

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
        """The model in a folder; `open_generator` calls this."""
        grammar = Grammar.open(folder / TABLES["grammar"])
        check_part(folder, description, "grammar", grammar.fingerprint)
        lm = model_language(folder, description, threads)
        chosen = model_weights(folder, feature_names(grammar), weights)
        own = chosen_settings(GrammarSettings.from_record, folder, description, settings)
        return cls(grammar, lm, chosen, own, threads=threads)

    @property
    def name(self) -> str:
        """The grammar, the language model, the weights and the settings, for signatures."""
        chosen = self.settings
        digest = hashlib.sha256(self._weights.astype("<f8").tobytes()).hexdigest()[:8]
        return (
            f"grammar-{self._tables.fingerprint[:8]}|weights:{digest}|lm:{self._tables.lm.name}"
            f"|span:{chosen.span}|pop:{chosen.pop_limit}|options:{chosen.options}|pass:{chosen.passthrough_label}"
        )

    @property
    def form(self) -> TextForm:
        """How text becomes words: as for the language model."""
        return self._tables.lm.form

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return self._features

    @property
    def weights(self) -> Floats:
        """The weight of each feature, float64 [features]."""
        return self._weights.copy()

    @property
    def longest(self) -> int:
        """How many words a sentence may have."""
        return self.settings.longest

    def __len__(self) -> int:
        """How many rules are used."""
        return self._tables.rules

    @property
    def left_out(self) -> int:
        """How many rules of the grammar are not used: those of one non-terminal alone."""
        return self._tables.left_out

    def with_weights(self, weights: Floats) -> Self:
        """The same paraphraser under other weights; tables and models are shared."""
        other = copy.copy(self)
        other._weights = _checked(self._features, weights)
        return other

    def with_settings(self, settings: GrammarSettings) -> Self:
        """The same paraphraser with other settings; tables and models are shared."""
        other = copy.copy(self)
        other.settings = settings
        return other

    def nbest(
        self,
        lines: Lines | Sequence[str],
        size: int = 1,
        *,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
    ) -> NBest:
        """Up to `size` different paraphrases of each line; a line without words has none.

        A line with more than `longest` words is an error.
        """
        check_threads(threads)
        check_size(size)
        own, words = self._encoded(Lines.of(lines), threads)
        chosen = self.settings
        label = self._tables.label(chosen.passthrough_label)
        tuple_of = chosen.span, chosen.pop_limit, chosen.options, label
        texts, counts = [], []
        features, scores = [np.zeros((0, len(self._features)))], [np.zeros(0)]
        decode = self._tables.decoder(own, self._weights, tuple_of, size, threads)
        for first in range(0, len(words), CHUNK):
            part = words[first : first + CHUNK]
            (buffer, offsets), bounds, values, found = decode(part)
            texts.append(Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1)))
            counts += np.diff(bounds).tolist()
            features.append(values)
            scores.append(found)
            if progress is not None:
                progress(len(part))
        return NBest(
            self._features,
            Lines.concatenate(texts),
            np.cumsum([0, *counts], dtype=np.int64),
            np.concatenate(features),
            np.concatenate(scores),
        )

    def substitutions(self, line: str, limit: int = 20) -> list[Substitution]:
        """Up to `limit` substitutions of each span of the words of `line` by rules of words alone.

        They are sorted by start, end, falling score and text; none leaves its span as it is. The score
        is that of the rule, with the language model's estimate of its words alone.
        """
        if limit < 1:
            raise SettingError(f"limit: expected a whole number from 1, got {limit}")
        own, words = self._encoded(Lines.of([line]), 1)
        return self._tables.substitutions(own, words, self._weights, limit)

    def _encoded(self, lines: Lines, threads: int) -> tuple[Vocabulary, Ragged]:
        own = Vocabulary()
        words = own.encode(lines, self.form.tokenize, case=self.form.case, threads=threads)
        long = np.flatnonzero(words.lengths > self.settings.longest)
        if len(long):
            raise InputError(
                f"line {long[0] + 1}: expected a sentence of at most {self.settings.longest} words, "
                f"got {words.lengths[long[0]]}; shorten it, or raise the setting longest"
            )
        return own, words


def _checked(features: Sequence[str], weights: Floats | None) -> Floats:
    """The weights, or with None those before tuning."""
    return checked_weights(features, default_weights(features) if weights is None else weights)


def new_grammar_model(
    grammar: Grammar | str | Path,
    lm: LanguageModel | str | Path,
    output: str | Path,
    *,
    weights: Floats | None = None,
    settings: GrammarSettings | None = None,
    made: Mapping[str, Any] | None = None,
) -> Path:
    """A model folder of a grammar, which is copied, and a language model; gives its path.

    Text becomes words as for the language model, whose form should be that of the grammar's text.
    `made` says how the model was made, for `generator.json`. What cannot be opened is not written.
    """
    source = grammar if isinstance(grammar, Grammar) else Grammar.open(grammar)
    model = lm if isinstance(lm, LanguageModel) else LanguageModel.load(lm)
    names = feature_names(source)
    used = GrammarBased(source, model, weights, settings)
    if len(used) == 0:
        raise InputError(
            f"{source.path}: expected rules to paraphrase with, found none: {used.left_out} are left "
            "out, whose source sides are single non-terminals"
        )
    with new_generator(output) as folder:
        rows = folder / TABLES["grammar"]
        rows.mkdir()
        for part in (KIND.description, KIND.rows):
            shutil.copyfile(source.folder / part, rows / part)
        model.save(folder / LM_FILE)
        write_weights(folder / WEIGHTS_FILE, names, used.weights)
        write_description(
            folder,
            Description(
                "grammar",
                model.form,
                used.settings.record(),
                {"grammar": source.fingerprint, "language-model": model.name},
                {"rules": len(used), "left_out": used.left_out, **(made or {})},
            ),
        )
    return Path(output)
