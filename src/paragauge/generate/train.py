"""From sentence pairs to a phrase-based model, as Moses' training does it (Koehn et al. 2007).

Words are aligned in both directions (eflomal where it is installed; Moses has GIZA++) and the links
symmetrized by grow-diag-final-and; all consistent phrase pairs of up to 7 words are extracted and
scored (`phrases/`); a language model, a trigram model as in the manual of Moses' baseline system, is
estimated on the target side; the weights are Moses' defaults, to be tuned afterwards.

In paraphrase data a sentence is the target of several sources. The language model has each different
sentence once, for repetition breaks the counts of counts that smoothing rests on, and a model that has
seen everything several times is too sure of it. Whoever gives Moses' tools the target side of such a
corpus has the repetitions in it: so one may here (`lm_repeats`), or give a model of one's own choice
(`lm`).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.align.aligners import choose_aligner
from paragauge.engine.duckdb_engine import duckdb_module
from paragauge.errors import FileFormatError, InputError
from paragauge.generate.model_folder import (
    DESCRIPTION,
    LM_FILE,
    WEIGHTS_FILE,
    Description,
    new_generator,
    write_description,
)
from paragauge.generate.model_loader import open_generator
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import FEATURES, PhraseSettings, default_weights
from paragauge.generate.weights import write_weights
from paragauge.lm import estimate
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import MARKS, TextForm
from paragauge.phrases.extract import ExtractionSettings, extract_table, steps
from paragauge.text.bitext import Bitext
from paragauge.text.folders import check_folder
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent


@dataclass(frozen=True)
class PhraseTraining:
    """What a model is made with; see the modules that use each setting.

    `max_length`: words of a phrase. `min_count`: how often a pair must occur. `lm`: a language model's
    file, in place of one that is estimated; `lm_order`, `lm_repeats` and `lm_discount_fallback` are the
    latter's.
    """

    max_length: int = 7
    min_count: int = 1
    aligner: str = "auto"
    heuristic: str | None = None
    too_long: str = "error"
    lm: str | Path | None = None
    lm_order: int = 3
    lm_repeats: bool = False
    lm_discount_fallback: bool = False
    threads: int = 0

    def __post_init__(self) -> None:
        self.extraction()
        estimate.EstimationSettings(order=self.lm_order, threads=self.threads)

    def extraction(self) -> ExtractionSettings:
        """The settings of phrase extraction.

        >>> PhraseTraining(max_length=5).extraction().max_length
        5
        """
        return ExtractionSettings(
            max_length=self.max_length, min_count=self.min_count, threads=self.threads
        )

    def record(self) -> dict[str, Any]:
        """The settings as JSON has them; threads make no difference."""
        kept = dataclasses.asdict(self)
        del kept["threads"]
        return {**kept, "lm": None if self.lm is None else Path(self.lm).name}


@dataclass(frozen=True)
class TrainedGenerator:
    """A model in its folder."""

    folder: Path
    generator: PhraseBased
    facts: dict[str, Any]


def training_steps(pairs: int) -> int:
    """How often `train_phrases` reports progress on this many sentence pairs.

    >>> training_steps(10_000)
    8
    """
    return steps(pairs) + 3


def train_phrases(
    bitext: Bitext,
    output: str | Path,
    settings: PhraseTraining | None = None,
    *,
    decoding: PhraseSettings | None = None,
    facts: Mapping[str, Any] | None = None,
    progress: Progress = silent,
    **changes: Any,
) -> TrainedGenerator:
    """Train a model into the folder `output`; `changes` are settings of `PhraseTraining` by name.

    How text becomes words is what the bitext says, on both sides the same. `decoding` holds when the
    model is opened, `facts` are kept in its description.

    >>> train_phrases(Bitext.of([], []), "model", aligner="systran")
    Traceback (most recent call last):
    paragauge.errors.InputError: source and target: expected sentence pairs, found none
    """
    chosen = dataclasses.replace(settings or PhraseTraining(), **changes)
    form = _form(bitext)
    check_folder(Path(output), "generator", DESCRIPTION)
    aligner = choose_aligner(chosen.aligner, too_long=chosen.too_long, threads=chosen.threads)
    duckdb_module()
    given = None if chosen.lm is None else LanguageModel.load(chosen.lm, form=form)
    if len(bitext) == 0:
        raise InputError(f"{bitext.name}: expected sentence pairs, found none")
    if given is None:
        check_marks(bitext.target, bitext.names[1], bitext.numbers.tolist())
    with new_generator(output) as folder:
        progress("aligning")
        found = aligner.align(bitext)
        links = found.symmetrize(chosen.heuristic, threads=chosen.threads)
        description = Description("phrase", form, (decoding or PhraseSettings()).record())
        table = extract_table(
            bitext,
            links,
            folder / description.table,
            chosen.extraction(),
            progress=progress,
            facts={"alignment": found.aligner},
        )
        if len(table) == 0:
            raise InputError(
                f"{bitext.name}: no phrase pair was found in {len(bitext)} sentence pairs as often as "
                f"{chosen.min_count} times; lower min_count, or give more text"
            )
        progress("language model")
        model = given or _language_model(bitext.target, form, chosen)
        model.save(folder / LM_FILE)
        write_weights(folder / WEIGHTS_FILE, FEATURES, default_weights())
        description.fingerprints.update(
            {description.table: table.fingerprint, "language-model": model.name}
        )
        description.made.update(
            {
                "training": chosen.record(),
                "aligner": found.aligner,
                "sentence_pairs": len(bitext),
                "skipped": bitext.skipped,
                "too_long": len(found.skipped),
                "text": _digest(bitext),
                "phrase_pairs": len(table),
                "ngrams": list(model.counts),
                **(facts or {}),
            }
        )
        write_description(folder, description)
        progress("opening")
    made = open_generator(output, threads=chosen.threads)
    if not isinstance(made, PhraseBased):
        raise TypeError(f"expected the model that was written, found {type(made).__name__}")
    return TrainedGenerator(Path(output), made, description.made)


def _form(bitext: Bitext) -> TextForm:
    source, target = bitext.tokenize
    if source != target:
        raise InputError(
            f"{bitext.name}: expected one tokenizer for both sides of paraphrases, got {source} and "
            f"{target}"
        )
    return TextForm(source, bitext.case)


def check_marks(lines: Lines, name: str, numbers: Sequence[int]) -> None:
    """Reject marks of the language model in its text before work is done, where they stand.

    >>> check_marks(Lines.of(["a", "b </s>"]), "text.txt", [1, 2])
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: text.txt:2: expected words, found </s>, which stands for ...
    """
    for number, line in zip(numbers, lines, strict=True):
        found = [mark for mark in MARKS if mark in line and mark in line.split(" ")]
        if found:
            raise FileFormatError(
                name,
                number,
                f"expected words, found {found[0]}, which stands for something else in language "
                "models; change it",
            )


def _language_model(lines: Lines, form: TextForm, settings: PhraseTraining) -> LanguageModel:
    plain = LanguageModel.train(
        lines if settings.lm_repeats else sorted(set(lines)),
        order=settings.lm_order,
        form=TextForm("blanks"),
        discount_fallback=estimate.FALLBACK if settings.lm_discount_fallback else None,
        threads=settings.threads,
    )
    return LanguageModel(plain.table, form, settings.threads)


def _digest(bitext: Bitext) -> str:
    """A SHA-256 of the words of both sides."""
    whole = hashlib.sha256()
    for lines in (bitext.source, bitext.target):
        whole.update(np.diff(lines.spans, axis=1).astype("<i8").tobytes())
        for line in lines:
            whole.update(line.encode())
    return whole.hexdigest()
