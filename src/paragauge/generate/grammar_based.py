"""Paraphrasing with a synchronous grammar and a language model.

The paraphrase is the sentence with the best score under a linear model among all that a grammar derives
from the source sentence, found by cube pruning (Chiang 2007); Ganitkevitch et al. (2011) and Weese,
Ganitkevitch and Callison-Burch (2014, section 6) do the same with the decoder Joshua.
`kernels/reference/decode/cube.py` describes the search, `generate/rule_features.py` the features.

Any word may pass through unchanged, also under a non-terminal of a rule, whatever its label (the
setting `passthrough_gaps`), and glue rules join phrases in a row, so every sentence has an output; text
that does not match the grammar is copied. Rules whose source side is a single non-terminal are left
out. The whole grammar is in memory: about 100 bytes per rule, and 4 for each of its features.
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
from paragauge.generate.first_weights import AUTO, default_weights
from paragauge.generate.generator import Substitution
from paragauge.generate.grammar_settings import GrammarSettings
from paragauge.generate.grammar_tables import GrammarTables
from paragauge.generate.model_folder import (
    LM_FILE,
    TABLES,
    WEIGHTS_FILE,
    Description,
    check_part,
    load_language_model,
    load_weights,
    merge_settings,
    new_generator,
    write_description,
)
from paragauge.generate.nbest import NBest, check_size
from paragauge.generate.rule_features import feature_names
from paragauge.generate.weights import check_weights, write_weights
from paragauge.grammar.grammar_folder import KIND, Grammar
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
        weights: Floats | str = AUTO,
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
        self._weights = _weights_or_preset(self._features, weights)

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
        """Open the model in a folder; `open_generator` calls this."""
        grammar = Grammar.open(folder / TABLES["grammar"])
        check_part(folder, description, "grammar", grammar.fingerprint)
        lm = load_language_model(folder, description, threads)
        values = load_weights(folder, feature_names(grammar), weights)
        merged = merge_settings(GrammarSettings.from_record, folder, description, settings)
        return cls(grammar, lm, values, merged, threads=threads)

    @property
    def name(self) -> str:
        """The grammar, the language model, the weights and the settings, for signatures."""
        settings = self.settings
        digest = hashlib.sha256(self._weights.astype("<f8").tobytes()).hexdigest()[:8]
        return (
            f"grammar-{self._tables.fingerprint[:8]}|weights:{digest}|lm:{self._tables.lm.name}"
            f"|span:{settings.span}|pop:{settings.pop_limit}|options:{settings.options}"
            f"|pass:{settings.passthrough_label}{'+any' * (settings.passthrough_gaps == 'any')}"
        )

    @property
    def form(self) -> TextForm:
        """How text is tokenized: as for the language model."""
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
        """The most words that a sentence may have."""
        return self.settings.longest

    def __len__(self) -> int:
        """The number of rules in use."""
        return self._tables.rules

    @property
    def left_out(self) -> int:
        """The number of unused rules: those whose source side is a single non-terminal."""
        return self._tables.left_out

    def with_weights(self, weights: Floats) -> Self:
        """The same paraphraser with other weights; tables and models are shared."""
        other = copy.copy(self)
        other._weights = _weights_or_preset(self._features, weights)
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
        vocabulary, words = self._encode(Lines.of(lines), threads)
        settings = self.settings
        label = self._tables.label(settings.passthrough_label)
        everywhere = settings.passthrough_gaps == "any"
        limits = settings.span, settings.pop_limit, settings.options, label, everywhere
        texts, counts = [], []
        features, scores = [np.zeros((0, len(self._features)))], [np.zeros(0)]
        decode = self._tables.decoder(vocabulary, self._weights, limits, size, threads)
        for first in range(0, len(words), CHUNK):
            part = words[first : first + CHUNK]
            (buffer, offsets), bounds, part_features, part_scores = decode(part)
            texts.append(Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1)))
            counts += np.diff(bounds).tolist()
            features.append(part_features)
            scores.append(part_scores)
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
        """Up to `limit` substitutions, by rules without non-terminals, of each span of words of `line`.

        They are sorted by start, end, descending score and text; none leaves its span unchanged. The
        score is that of the rule, with the language model's estimate of its words alone.
        """
        if limit < 1:
            raise SettingError(f"limit: expected a whole number from 1, found {limit}")
        vocabulary, words = self._encode(Lines.of([line]), 1)
        return self._tables.substitutions(vocabulary, words, self._weights, limit)

    def _encode(self, lines: Lines, threads: int) -> tuple[Vocabulary, Ragged]:
        """The words of the lines, and the vocabulary of their numbers."""
        vocabulary = Vocabulary()
        words = vocabulary.encode(lines, self.form.tokenize, case=self.form.case, threads=threads)
        long = np.flatnonzero(words.lengths > self.settings.longest)
        if len(long):
            raise InputError(
                f"line {long[0] + 1}: expected a sentence of at most {self.settings.longest} words, "
                f"found {words.lengths[long[0]]}; shorten it, or raise the setting longest"
            )
        return vocabulary, words


def _weights_or_preset(features: Sequence[str], weights: Floats | str) -> Floats:
    """The weights, or those of a preset."""
    values = default_weights(features, weights) if isinstance(weights, str) else weights
    return check_weights(features, values)


def new_grammar_model(
    grammar: Grammar | str | Path,
    lm: LanguageModel | str | Path,
    output: str | Path,
    *,
    weights: Floats | str = AUTO,
    settings: GrammarSettings | None = None,
    facts: Mapping[str, Any] | None = None,
) -> Path:
    """Create a model folder from a grammar, which is copied, and a language model; return its path.

    Text is tokenized as for the language model, whose form should be that of the grammar's text.
    `weights` may name a preset of `generate/first_weights.py`; `auto` recognizes the resource. `facts`
    go into `generator.json`, for example how the model was built. A model that could not be opened is
    not written.
    """
    source = grammar if isinstance(grammar, Grammar) else Grammar.open(grammar)
    model = lm if isinstance(lm, LanguageModel) else LanguageModel.load(lm)
    names = feature_names(source)
    paraphraser = GrammarBased(source, model, weights, settings)
    if len(paraphraser) == 0:
        raise InputError(
            f"{source.path}: expected rules to paraphrase with, found none: {paraphraser.left_out} are "
            "left out because their source sides are single non-terminals"
        )
    with new_generator(output) as folder:
        rows = folder / TABLES["grammar"]
        rows.mkdir()
        for part in (KIND.description, KIND.rows):
            shutil.copyfile(source.folder / part, rows / part)
        model.save(folder / LM_FILE)
        write_weights(folder / WEIGHTS_FILE, names, paraphraser.weights)
        write_description(
            folder,
            Description(
                "grammar",
                model.form,
                paraphraser.settings.record(),
                {"grammar": source.fingerprint, "language-model": model.name},
                {"rules": len(paraphraser), "left_out": paraphraser.left_out, **(facts or {})},
            ),
        )
    return Path(output)
