"""A PEM model from bitexts and ratings, in one run (Liu, Dahlmeier and Ng 2010, section 6.1).

For each pivot language: words and stems, word alignment, phrases of up to four words, the pivot
(`phrases/pivot_builder.py`); then a 4-gram language model of the bitexts' own sentences, each once;
then the regressions, one for each set of features. Finished stages are not repeated
(`training_stages.py`): their results are in the folder OUTPUT.work, which may be removed when the model
is complete.

Where the paper used the Berkeley aligner, the default here is eflomal with grow-diag-final-and, or what
is installed; for SRILM's smoothing, modified Kneser-Ney; for a maximum-entropy segmenter of Chinese,
jieba. Words are stemmed with Porter's algorithm, as in the paper, and lowercased. Alignments, phrase
tables and language models of other tools can take the place of ours (`PivotText`, `TrainSettings.lm`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paragauge.align.aligner import Aligner, no_directions
from paragauge.align.aligners import AlignerName, choose_aligner
from paragauge.align.alignment_files import AlignedFiles
from paragauge.align.eflomal import LongSentences
from paragauge.align.pharaoh import read_pharaoh, write_pharaoh
from paragauge.align.symmetrization import Heuristic, check_heuristic
from paragauge.engine.duckdb_engine import duckdb_module
from paragauge.errors import InputError, SettingError
from paragauge.lm import estimate
from paragauge.lm.model import LanguageModel
from paragauge.lm.quantize import check_bits
from paragauge.lm.text_form import TextForm
from paragauge.metrics.control_systems import PEM_KINDS, ControlKind
from paragauge.metrics.pem import fit
from paragauge.metrics.pem.bitext import (
    JIEBA,
    PivotText,
    describe_bitext,
    digests,
    load_jieba,
    prepare_bitext,
)
from paragauge.metrics.pem.card import card_text
from paragauge.metrics.pem.features import FEATURE_SETS, Resources
from paragauge.metrics.pem.model import LM_FILE, PEMModel, pivot_file, regression_file
from paragauge.metrics.pem.ready_phrases import digest_of_phrases, open_phrases
from paragauge.metrics.pem.training_stages import Stages, digest_of_file
from paragauge.metrics.regression import search
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.phrases.pivot_builder import pivot_of_table
from paragauge.phrases.pivot_network import NetworkSettings, Pivot
from paragauge.phrases.table import KIND, PhraseTable
from paragauge.text.bitext import Bitext, EmptySides
from paragauge.text.files import RawFile
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.rated_pairs import RatedPairs


@dataclass(frozen=True)
class TrainSettings:
    """What a model is made with; see the modules that use each setting.

    `empty` is what happens to pairs of a bitext with nothing on one side (`text/bitext.py`), `too_long`
    to those that the aligner cannot take (`align/eflomal.py`). `lm` is a language model in a file, and
    `lm_smoothing` how it was smoothed, if known; `lm_bits` quantizes the one that is estimated, unless
    it is None.
    """

    form: TextForm = field(default_factory=lambda: TextForm("13a", "lower", "porter"))
    network: NetworkSettings = field(default_factory=NetworkSettings)
    empty: EmptySides = "error"
    too_long: LongSentences = "error"
    max_length: int = 4
    least: int = 2
    aligner: AlignerName = "auto"
    heuristic: Heuristic | None = None
    lm: str | None = None
    lm_smoothing: str | None = None
    lm_order: int = 4
    lm_prune: tuple[int, ...] = (0,)
    lm_bits: int | None = 8
    lm_discount_fallback: bool = False
    scale: tuple[float, float] = (1.0, 5.0)
    controls: tuple[ControlKind, ...] = PEM_KINDS
    control_weight: float = 0.3
    folds: int = 5
    seed: int = 7
    threads: int = 0


@dataclass(frozen=True)
class Trained:
    """The model, and the outcome of each stage."""

    model: PEMModel
    stages: Stages
    fits: dict[str, dict[str, Any]]


def work_folder(output: str | Path) -> Path:
    """Where a run keeps its stages.

    >>> work_folder("models/mine/").name
    'mine.work'
    """
    target = Path(output)
    return target.parent / f"{target.name}.work"


def refit(
    output: str | Path,
    base: PEMModel,
    ratings: RatedPairs,
    settings: TrainSettings | None = None,
    *,
    about: dict[str, Any] | None = None,
    progress: Progress = silent,
) -> Trained:
    """A model with the pivots and the language model of another, fitted to other ratings.

    Only the settings of ratings, controls, folds, seed and threads have an effect.
    """
    settings = dataclasses.replace(
        settings or TrainSettings(), form=base.resources.form, network=base.resources.network
    )
    _check_ratings(ratings, settings)
    stages = Stages(work_folder(output))
    fits, regressions = _fits(base.resources, ratings, settings, stages, progress)
    known = {key: value for key, value in base.about.items() if key not in ("ratings", "fits")}
    known |= {**(about or {}), **_facts(ratings, fits)}
    model = PEMModel(base.resources, regressions, settings.scale, known, base.origin)
    return Trained(_save_with_card(model, output), stages, fits)


def _save_with_card(model: PEMModel, folder: str | Path) -> PEMModel:
    model.save(folder, card_text(model))
    return PEMModel.load(folder)


def _facts(ratings: RatedPairs, fits: dict[str, Any]) -> dict[str, Any]:
    return {
        "ratings": {"rows": ratings.rows, "pairs": len(ratings), "unrated": ratings.unrated},
        "fits": fits,
    }


def stage_count(pivots: int, tables: int = 0) -> int:
    """How many stages a run has; `tables` of the pivots are made from a phrase table that exists.

    >>> stage_count(2)
    9
    """
    return 3 * pivots - tables + 1 + len(FEATURE_SETS)


def train(
    output: str | Path,
    texts: Sequence[PivotText],
    ratings: RatedPairs,
    settings: TrainSettings | None = None,
    *,
    about: dict[str, Any] | None = None,
    progress: Progress = silent,
) -> Trained:
    """Train a model into the folder `output`; `about` is kept in its description."""
    settings = settings or TrainSettings()
    _check(texts, ratings, settings)
    stages = Stages(work_folder(output))
    sides = [_make_pivot(text, settings, stages, progress) for text in texts]
    pivots = [pivot for pivot, _ in sides]
    model = _language_model([lines for _, lines in sides], texts, settings, stages, progress)
    resources = Resources(settings.form, pivots, model, settings.network)
    fits, regressions = _fits(resources, ratings, settings, stages, progress)
    known = {
        **(about or {}),
        "bitexts": {text.language: describe_bitext(text) for text in texts},
        "settings": _settings_record(settings),
        "language model": _describe_model(settings),
        **_facts(ratings, fits),
    }
    trained = PEMModel(resources, regressions, settings.scale, known, stages.folder)
    return Trained(_save_with_card(trained, output), stages, fits)


def _check(texts: Sequence[PivotText], ratings: RatedPairs, settings: TrainSettings) -> None:
    """Fail now on whatever would otherwise fail after hours."""
    names = [text.language for text in texts]
    if not texts:
        raise InputError("expected at least one bitext, found none; give --bitext NAME=FILE")
    if len(set(names)) < len(names):
        raise SettingError(f"expected different names of pivots, found {', '.join(names)}")
    if any(text.segmenter == JIEBA and text.bitext_files for text in texts):
        load_jieba()
    for text in texts:
        _check_files(text)
    if settings.heuristic is not None:
        check_heuristic(settings.heuristic)
    for aligner in [_aligner(text, settings) for text in texts if text.phrases is None]:
        if settings.heuristic is not None and aligner.symmetric:
            raise no_directions(aligner.name, settings.heuristic)
    duckdb_module()
    check_bits(settings.lm_bits)
    if settings.lm is None:
        estimate.EstimationSettings(settings.lm_order, settings.lm_prune)
        if not any(text.bitext_files for text in texts):
            raise InputError(
                "expected text for the language model, found phrase tables only; give a language "
                "model (--lm FILE), or a bitext too"
            )
    else:
        _given_model(settings.lm, settings.form)
    _check_ratings(ratings, settings)


def _check_files(text: PivotText) -> None:
    """Refuse files of a pivot that cannot be opened more than once."""
    files = [*text.bitext_files, *text.alignment]
    if "-" in (*files, text.phrases):
        raise InputError(f"pivot {text.language}: expected a file, found standard input; name a file")
    for path in files:
        RawFile(path).close()
    if text.phrases is not None:
        digest_of_phrases(text.phrases)


def _aligner(text: PivotText, settings: TrainSettings) -> Aligner:
    if text.alignment:
        return AlignedFiles(*text.alignment)
    return choose_aligner(settings.aligner, too_long=settings.too_long, threads=settings.threads)


def _check_ratings(ratings: RatedPairs, settings: TrainSettings) -> None:
    fit.check_learning(settings.control_weight)
    fit.check_ratings(
        ratings.ratings,
        ratings.candidates,
        ratings.sources,
        settings.scale,
        settings.controls,
        settings.folds,
        settings.seed,
    )


def _settings_record(settings: TrainSettings) -> dict[str, Any]:
    fields = dataclasses.asdict(settings)
    for name in ("threads", "lm", "lm_smoothing"):
        del fields[name]
    return fields


def _describe_model(settings: TrainSettings) -> dict[str, Any]:
    """What the card says about the language model."""
    if settings.lm is not None:
        return {"file": Path(settings.lm).name, "smoothing": settings.lm_smoothing or "not stated"}
    fallback = ", ".join(f"{discount:g}" for discount in estimate.FALLBACK)
    return {
        "smoothing": estimate.SMOOTHING,
        "discounts": "estimated" + f", else {fallback}" * settings.lm_discount_fallback,
        "prune": list(settings.lm_prune),
        "bits": settings.lm_bits,
    }


def _make_pivot(
    text: PivotText, settings: TrainSettings, stages: Stages, progress: Progress
) -> tuple[Pivot, Lines]:
    """A pivot, and the sentences of the metric's language as words of the model's form."""
    language = text.language
    if text.phrases is None:
        progress(f"{language}: aligning")
    bitext = prepare_bitext(text, settings.form, settings.empty, settings.threads)
    key: dict[str, Any] = {
        "files": digests(text),
        "segmenter": text.segmenter,
        "form": settings.form.record(),
        "empty": settings.empty,
    }
    if text.phrases is None:
        aligned = _align(text, bitext, settings, stages, key)
        progress(f"{language}: extracting phrases")
        table_folder = _extract(text, bitext, settings, stages, key, aligned)
    else:
        aligned = {}
        progress(f"{language}: reading phrases")
        table_folder = _read_phrases(text, settings, stages, key)
    progress(f"{language}: pivot")
    key |= {"least": settings.least, "floor": settings.network.edge}
    pivot_path = stages.folder / pivot_file(language)

    def build() -> dict[str, Any]:
        arrays = pivot_of_table(
            PhraseTable.open(table_folder),
            language,
            (bitext.source, bitext.target) if text.bitext_files else None,
            least=settings.least,
            floor=settings.network.edge,
            about={**describe_bitext(text), **aligned},
        )
        Pivot(arrays).save(pivot_path)
        return {"phrases": len(arrays.phrases), "edges": len(arrays.targets)}

    stages.run(f"{language}: pivot", key, pivot_path, build)
    return Pivot.load(pivot_path), bitext.source


def _align(
    text: PivotText, bitext: Bitext, settings: TrainSettings, stages: Stages, key: dict[str, Any]
) -> dict[str, Any]:
    """Write the links of a bitext; adds to the key what decides them."""
    aligner = _aligner(text, settings)
    key |= {
        "aligner": [digest_of_file(path) for path in text.alignment] or aligner.name,
        "heuristic": settings.heuristic,
        "too_long": settings.too_long,
    }
    links_file = _links_file(text, stages)

    def align() -> dict[str, Any]:
        alignment = aligner.align(bitext)
        links = alignment.symmetrize(settings.heuristic, threads=settings.threads)
        write_pharaoh(links_file, links)
        left = {"with an empty side left out": bitext.skipped, "too long": len(alignment.skipped)}
        names = [Path(path).name for path in text.alignment]
        return {
            "aligner": " and ".join(names) or alignment.aligner,
            "pairs": len(links),
            "links": len(links.source),
            **{reason: count for reason, count in left.items() if count},
        }

    return stages.run(f"{text.language}: align", key, links_file, align)


def _links_file(text: PivotText, stages: Stages) -> Path:
    return stages.folder / f"{text.language}.links.gz"


def _extract(
    text: PivotText,
    bitext: Bitext,
    settings: TrainSettings,
    stages: Stages,
    key: dict[str, Any],
    aligned: dict[str, Any],
) -> Path:
    """The folder of the phrases of a bitext; adds to the key what decides them."""
    links_file = _links_file(text, stages)
    key |= {"links": digest_of_file(links_file), "max_length": settings.max_length}
    folder = stages.folder / f"{text.language}.table"

    def extract() -> dict[str, Any]:
        links = read_pharaoh(links_file, (bitext.source_lengths, bitext.target_lengths))
        chosen = ExtractionSettings(max_length=settings.max_length, threads=settings.threads)
        table = extract_table(bitext, links, folder, chosen, facts={"alignment": aligned})
        if not len(table):
            files = " and ".join(str(path) for path in text.bitext_files)
            raise InputError(
                f"{files}: expected sentences whose words are aligned, found no phrase pairs; give "
                "more text, or check that the two sides are translations"
            )
        return {"phrase pairs": len(table)}

    stages.run(f"{text.language}: phrases", key, folder / KIND.description, extract)
    return folder


def _read_phrases(
    text: PivotText, settings: TrainSettings, stages: Stages, key: dict[str, Any]
) -> Path:
    """The folder of a phrase table that exists; adds to the key what identifies it."""
    path = str(text.phrases)
    key |= {"table": digest_of_phrases(path)}
    folder = Path(path) if Path(path).is_dir() else stages.folder / f"{text.language}.table"

    def read() -> dict[str, Any]:
        return {"phrase pairs": len(open_phrases(path, folder, settings.form, settings.threads))}

    stages.run(f"{text.language}: phrases", key, folder / KIND.description, read)
    return folder


def _given_model(path: str, form: TextForm) -> LanguageModel:
    """A language model of one's own; an error if it was trained on other text."""
    return LanguageModel.load(path, form=form)


def _language_model(
    sides: list[Lines],
    texts: Sequence[PivotText],
    settings: TrainSettings,
    stages: Stages,
    progress: Progress,
) -> LanguageModel:
    progress("language model")
    if settings.lm is not None:
        return _given_model(settings.lm, settings.form)
    path = stages.folder / LM_FILE
    key = {
        "files": [digests(text) for text in texts],
        "form": settings.form.record(),
        "empty": settings.empty,
        "order": settings.lm_order,
        "prune": settings.lm_prune,
        "bits": settings.lm_bits,
        "fallback": settings.lm_discount_fallback,
    }

    def learn() -> dict[str, Any]:
        sentences = sorted({line for side in sides for line in side})
        try:
            plain = LanguageModel.train(
                sentences,
                order=settings.lm_order,
                prune=settings.lm_prune,
                discount_fallback=estimate.FALLBACK if settings.lm_discount_fallback else None,
                threads=settings.threads,
            )
        except estimate.DiscountError as error:
            raise estimate.DiscountError(error.reason, "--lm-discount-fallback") from None
        model = LanguageModel(plain.table, settings.form)
        model.save(path, bits=settings.lm_bits)
        return {"sentences": len(sentences), "n-grams": sum(model.counts)}

    stages.run("language model", key, path, learn)
    return LanguageModel.load(path)


def _fits(
    resources: Resources,
    ratings: RatedPairs,
    settings: TrainSettings,
    stages: Stages,
    progress: Progress,
) -> tuple[dict[str, dict[str, Any]], dict[str, RBFRegression]]:
    """The facts and the regression of each set of features."""
    fits = {name: _fit(name, resources, ratings, settings, stages, progress) for name in FEATURE_SETS}
    facts = {name: fit_facts for name, (fit_facts, _) in fits.items()}
    return facts, {name: regression for name, (_, regression) in fits.items()}


def _fit(
    name: str,
    resources: Resources,
    ratings: RatedPairs,
    settings: TrainSettings,
    stages: Stages,
    progress: Progress,
) -> tuple[dict[str, Any], RBFRegression]:
    progress(f"regression on {name} features")
    path = stages.folder / regression_file(name)
    run: dict[str, Any] = {
        "feature_set": name,
        "scale": settings.scale,
        "controls": settings.controls,
        "control_weight": settings.control_weight,
        "folds": settings.folds,
        "seed": settings.seed,
    }
    key = {
        **run,
        "features": FEATURE_SETS[name],
        "pivots": [pivot.fingerprint for pivot in resources.pivots],
        "lm": resources.model.name,
        "network": dataclasses.asdict(settings.network),
        "pairs": [ratings.sources, ratings.candidates, ratings.ratings],
        "search": [search.SEARCH, search.START, search.GAIN],
    }

    def learn() -> dict[str, Any]:
        fitted = fit.fit_regression(
            ratings.ratings,
            ratings.candidates,
            ratings.sources,
            resources,
            threads=settings.threads,
            **run,
        )
        fitted.regression.save(path)
        return fitted.facts()

    facts = stages.run(f"regression: {name}", key, path, learn)
    return facts, RBFRegression.load(path)
