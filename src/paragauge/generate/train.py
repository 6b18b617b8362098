"""Train a phrase-based model from sentence pairs, in the way of Moses (Koehn et al. 2007).

Words are aligned in both directions (by eflomal if it is installed; Moses uses GIZA++) and the links
symmetrized by grow-diag-final-and; all consistent phrase pairs of up to 7 words are extracted and
scored (`phrases/`); a language model, a trigram model as in the manual of Moses' baseline system, is
estimated on the target side; the weights are Moses' defaults, and tuned if there is a development set.

Defaults that differ from Moses', because paraphrase data is noisier than translations:

- Pairs that an encoder finds unlike are left out before alignment (`filters/pair_filter.py`).
- Phrase pairs that were extracted once are left out (`min_count`): a source phrase seen once has
  p(target | source) = 1, whatever the target is. Of the others, those whose sides are not found
  together significantly more often than by chance are left out (`phrases/significance.py`), and then
  those that an encoder finds unlike or that change persons or details (`filters/phrase_filter.py`).
- Phrases keep their order (`distortion=0`): a paraphrase has the source's word order more often than a
  translation has, and phrase pairs of several words carry what changes.
- In paraphrase data a sentence is the target of several sources. The language model is trained on the
  target side with these repetitions, as by Moses' tools; where they break the counts of counts that
  smoothing depends on, the discounts of `lm_discount_fallback` are used. `lm_text` adds more text, and
  `lm` takes any other model.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.align.aligners import AlignerName, choose_aligner
from paragauge.align.eflomal import LongSentences
from paragauge.align.symmetrization import Heuristic
from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.engine.duckdb_engine import duckdb_module
from paragauge.errors import FileFormatError, InputError
from paragauge.generate.filters.pair_filter import (
    MIN_SIMILARITY,
    check_similarity,
    filter_pairs,
    similarity_steps,
)
from paragauge.generate.filters.phrase_filter import MIN_PHRASE_SIMILARITY, PhraseFilter
from paragauge.generate.model_folder import (
    DESCRIPTION,
    LM_FILE,
    PARTS,
    WEIGHTS_FILE,
    Description,
    new_generator,
    write_description,
)
from paragauge.generate.model_loader import open_generator
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import FEATURES, PhraseSettings, default_weights
from paragauge.generate.tuning import DEFAULT, TuneSettings, check_tuning, tune
from paragauge.generate.weights import write_weights
from paragauge.lm import estimate
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import MARKS, TextForm
from paragauge.metrics.base import Metric
from paragauge.metrics.bleu import BLEU
from paragauge.phrases.extract import ExtractionSettings, extract_table, steps
from paragauge.phrases.significance import Significance
from paragauge.text.atomic_folders import check_folder
from paragauge.text.bitext import Bitext
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.side_by_side import BATCH, BATCH_BYTES
from paragauge.text.tokenizers import apply_case, tokenize_lines
from paragauge.text.wording import pluralize


@dataclass(frozen=True)
class PhraseTraining:
    """How a model is trained; see the modules that use each setting.

    `max_length`: the most words in a phrase. `min_count`: how often a pair must occur.
    `min_similarity`: 100 times the least cosine of the sides of a sentence pair, by `encoder`; 0 keeps
    all. `min_phrase_similarity`: the same for the sides of a phrase pair; None is 60 if sentence pairs
    are compared too, else 0, so that `min_similarity=0` alone needs no encoder. `keep_persons`: leave
    out phrase pairs that change persons (`filters/person_words.py`); `keep_details`: those that change
    number, verb forms or directions, or that add something (`filters/phrase_details.py`). None, for
    both, is true if sentence pairs are compared.
    `significance`: the cut of `phrases/significance.py`. `lm`: the file of a language model to use
    instead of estimating one; `lm_order`, `lm_repeats`, `lm_text` (files with more text) and
    `lm_discount_fallback` are for estimation.
    """

    max_length: int = 7
    min_count: int = 2
    min_similarity: float = MIN_SIMILARITY
    min_phrase_similarity: float | None = None
    keep_persons: bool | None = None
    keep_details: bool | None = None
    encoder: str = SHIPPED
    significance: Significance = "alpha+epsilon"
    aligner: AlignerName = "auto"
    heuristic: Heuristic | None = None
    too_long: LongSentences = "error"
    lm: str | Path | None = None
    lm_order: int = 3
    lm_repeats: bool = True
    lm_text: tuple[str, ...] = ()
    lm_discount_fallback: bool = True
    threads: int = 0

    def __post_init__(self) -> None:
        check_similarity(self.min_similarity)
        check_similarity(self.phrase_similarity, "min_phrase_similarity")
        self.extraction()
        estimate.EstimationSettings(order=self.lm_order, threads=self.threads)

    @property
    def phrase_similarity(self) -> float:
        """The least similarity of a phrase pair; 0 keeps all.

        >>> PhraseTraining().phrase_similarity, PhraseTraining(min_similarity=0).phrase_similarity
        (60.0, 0.0)
        """
        if self.min_phrase_similarity is not None:
            return self.min_phrase_similarity
        return MIN_PHRASE_SIMILARITY if self.min_similarity else 0.0

    @property
    def persons_stay(self) -> bool:
        """Whether phrase pairs that change persons are left out.

        >>> PhraseTraining().persons_stay, PhraseTraining(min_similarity=0).persons_stay
        (True, False)
        """
        return bool(self.min_similarity) if self.keep_persons is None else self.keep_persons

    @property
    def details_stay(self) -> bool:
        """Whether phrase pairs that change details are left out.

        >>> PhraseTraining().details_stay, PhraseTraining(min_similarity=0).details_stay
        (True, False)
        """
        return bool(self.min_similarity) if self.keep_details is None else self.keep_details

    def extraction(self) -> ExtractionSettings:
        """The settings of phrase extraction.

        >>> PhraseTraining(max_length=5).extraction().max_length
        5
        """
        return ExtractionSettings(
            max_length=self.max_length,
            min_count=self.min_count,
            significance=self.significance,
            threads=self.threads,
        )

    def record(self) -> dict[str, Any]:
        """The settings as JSON values, except threads, which make no difference."""
        record = dataclasses.asdict(self)
        del record["threads"]
        return {**record, "lm": None if self.lm is None else Path(self.lm).name}


@dataclass(frozen=True)
class DevelopmentSet:
    """Sentences to tune the weights on, which are not in the training text; see `generate/tuning.py`.

    `references` has a list for each source, or is None for a metric that needs none.
    """

    sources: Sequence[str]
    references: Sequence[Sequence[str]] | None = None
    metric: Metric = dataclasses.field(default_factory=BLEU)
    settings: TuneSettings = DEFAULT

    def check(self) -> None:
        """Raise the errors of tuning before any work is done."""
        check_tuning(self.metric, self.sources, self.references)


@dataclass(frozen=True)
class TrainedGenerator:
    """A trained model and its folder."""

    folder: Path
    generator: PhraseBased
    facts: dict[str, Any]


def training_steps(pairs: int, min_similarity: float = MIN_SIMILARITY) -> int:
    """How many times `train_phrases` reports progress for this many sentence pairs that all stay.

    >>> training_steps(10_000)
    11
    """
    return steps(pairs) + (similarity_steps(pairs) if min_similarity else 0) + 3


def train_phrases(
    bitext: Bitext,
    output: str | Path,
    settings: PhraseTraining | None = None,
    *,
    decoding: PhraseSettings | None = None,
    development: DevelopmentSet | None = None,
    facts: Mapping[str, Any] | None = None,
    progress: Progress = silent,
    **changes: Any,
) -> TrainedGenerator:
    """Train a model into the folder `output`; `changes` are settings of `PhraseTraining` by name.

    Both sides of the bitext must have the same tokenizer, which becomes the model's. `decoding` are the
    default decoding settings of the model, `facts` go into its description. With a `development` set
    the weights are tuned on it.

    >>> train_phrases(Bitext.of([], []), "model", aligner="systran")
    Traceback (most recent call last):
    paragauge.errors.InputError: source and target: expected sentence pairs, found none
    """
    settings = dataclasses.replace(settings or PhraseTraining(), **changes)
    form = _text_form(bitext)
    check_folder(Path(output), "generator", DESCRIPTION, PARTS)
    if development is not None:
        development.check()
    aligner = choose_aligner(settings.aligner, too_long=settings.too_long, threads=settings.threads)
    duckdb_module()
    own_model = None if settings.lm is None else LanguageModel.load(settings.lm, form=form)
    if len(bitext) == 0:
        raise InputError(f"{bitext.name}: expected sentence pairs, found none")
    if own_model is None:
        check_marks(bitext.target, bitext.names[1], bitext.numbers.tolist())
    more_text = [] if own_model is not None else _more_text(settings, form)
    with new_generator(output) as folder:
        filtered = filter_pairs(
            bitext,
            settings.min_similarity,
            settings.encoder,
            threads=settings.threads,
            progress=progress,
        )
        bitext = filtered.bitext
        if len(bitext) == 0:
            raise InputError(
                f"{bitext.name}: expected sentence pairs with a similarity of at least "
                f"{settings.min_similarity:g}, found none in {filtered.dropped}; lower "
                "min_similarity, or give more text"
            )
        progress("aligning")
        alignment = aligner.align(bitext)
        links = alignment.symmetrize(settings.heuristic, threads=settings.threads)
        phrase_filter = PhraseFilter(
            settings.phrase_similarity,
            settings.encoder,
            settings.threads,
            keep_persons=settings.persons_stay,
            keep_details=settings.details_stay,
        )
        description = Description("phrase", form, (decoding or PhraseSettings()).record())
        table = extract_table(
            bitext,
            links,
            folder / description.table,
            settings.extraction(),
            progress=progress,
            facts={
                "alignment": alignment.aligner,
                "min_phrase_similarity": settings.phrase_similarity,
                "keep_persons": settings.persons_stay,
                "keep_details": settings.details_stay,
            },
            row_filter=phrase_filter.filter_rows,
        )
        if len(table) == 0:
            raise InputError(
                f"{bitext.name}: expected phrase pairs that occur at least {settings.min_count} times, "
                f"found none in {pluralize(len(bitext), 'sentence pair')} (cut by significance: "
                f"{settings.significance}, unlike: {phrase_filter.dropped}); lower min_count or "
                "min_phrase_similarity, turn significance off, or give more text"
            )
        progress("language model")
        model = own_model or _train_language_model([*bitext.target, *more_text], form, settings)
        model.save(folder / LM_FILE)
        write_weights(folder / WEIGHTS_FILE, FEATURES, default_weights())
        description.fingerprints.update(
            {description.table: table.fingerprint, "language-model": model.name}
        )
        description.facts.update(
            {
                "training": settings.record(),
                "aligner": alignment.aligner,
                "sentence_pairs": len(bitext),
                "skipped": bitext.skipped,
                "dissimilar": filtered.dropped,
                "too_long": len(alignment.skipped),
                "text": _digest(bitext),
                "phrase_pairs": len(table),
                "dissimilar_phrases": phrase_filter.dropped,
                "ngrams": list(model.counts),
                **(facts or {}),
            }
        )
        write_description(folder, description)
        if development is not None:
            progress("tuning")
            _tune(folder, description, development, settings.threads)
        progress("opening")
    generator = open_generator(output, threads=settings.threads)
    if not isinstance(generator, PhraseBased):
        raise TypeError(f"expected the model that was written, found {type(generator).__name__}")
    return TrainedGenerator(Path(output), generator, description.facts)


def _tune(folder: Path, description: Description, development: DevelopmentSet, threads: int) -> None:
    """Replace the weights in the folder by tuned ones, and describe how they were found."""
    tuned = tune(
        open_generator(folder, threads=threads),
        development.sources,
        development.metric,
        references=development.references,
        settings=development.settings,
        threads=threads,
    )
    write_weights(folder / WEIGHTS_FILE, tuned.names, tuned.weights)
    description.facts["tuning"] = {
        "metric": tuned.metric,
        "sentences": len(development.sources),
        "iteration": tuned.best,
        "before": tuned.history[0].score,
        "after": tuned.history[tuned.best].score,
    }
    write_description(folder, description)


def _text_form(bitext: Bitext) -> TextForm:
    source, target = bitext.tokenize
    if source != target:
        raise InputError(
            f"{bitext.name}: expected one tokenizer for both sides of paraphrases, found {source} and "
            f"{target}"
        )
    return TextForm(source, bitext.case)


def check_marks(lines: Lines, name: str, numbers: Sequence[int]) -> None:
    """Reject text with marks of the language model, with file and line, before any work is done.

    >>> check_marks(Lines.of(["a", "b </s>"]), "text.txt", [1, 2])
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: text.txt:2: expected words, found </s>, which has ...
    """
    for number, line in zip(numbers, lines, strict=True):
        marks = [mark for mark in MARKS if mark in line and mark in line.split(" ")]
        if marks:
            raise FileFormatError(
                name,
                number,
                f"expected words, found {marks[0]}, which has a special meaning in language models; "
                "change it",
            )


def _more_text(settings: PhraseTraining, form: TextForm) -> list[str]:
    """The sentences of `lm_text`, in the form of the model."""
    sentences: list[str] = []
    for path in settings.lm_text:
        with LineReader(path) as reader:
            while len(lines := reader.read(BATCH, BATCH_BYTES)):
                before = reader.line - len(lines)
                cased = apply_case(lines, form.case)
                words = tokenize_lines(cased, form.tokenize, threads=settings.threads)
                numbers = range(before + 1, before + len(words) + 1)
                check_marks(words, display_name(path), numbers)
                sentences += [line for line in words if line]
    return sentences


def _train_language_model(
    lines: Sequence[str], form: TextForm, settings: PhraseTraining
) -> LanguageModel:
    trained = LanguageModel.train(
        lines if settings.lm_repeats else sorted(set(lines)),
        order=settings.lm_order,
        form=TextForm("blanks"),
        discount_fallback=estimate.FALLBACK if settings.lm_discount_fallback else None,
        threads=settings.threads,
    )
    return LanguageModel(trained.table, form, settings.threads)


def _digest(bitext: Bitext) -> str:
    """A SHA-256 of the words of both sides."""
    digest = hashlib.sha256()
    for lines in (bitext.source, bitext.target):
        digest.update(np.diff(lines.spans, axis=1).astype("<i8").tobytes())
        for line in lines:
            digest.update(line.encode())
    return digest.hexdigest()
