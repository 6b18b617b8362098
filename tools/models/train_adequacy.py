"""Train the models of adequacy, with and without an encoder, and PEM's regressions on top of them.

    python -m tools.models.train_adequacy [FOLDER]      # default: src/paragauge/models

Weights of words come from the pivots of the PEM model that ships.

Pairs are those of `adequacy_pairs.py`: people's ratings, and sentences whose meaning was changed or
kept by rules. Four ensembles of trees are fitted for each kind of model (`adequacy_model.py` says
what each predicts), once on everything, which ships, and five times without a fifth of the sources,
which tells how well they do on sentences they have not seen. Figures, all of held-out sources or of
other data:

    ParaBank    correlation with people's ratings of meaning, without copies
    PAWS        area under the curve: paraphrases above pairs with swapped words
    STS dev     correlation with people's ratings of similarity
    SICK        area under the curve: entailments above contradictions

The regression of PEM (`pem_anchors.py`) is fitted to the held-out adequacies of the same pairs, so
that it meets adequacy as users do. Seeds are fixed; scikit-learn is needed, and the shared data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.pem.adequacy.adequacy import Adequacy
from paragauge.metrics.pem.adequacy.adequacy_context import AdequacyContext
from paragauge.metrics.pem.adequacy.adequacy_features import NAMES, measure_dissimilarity
from paragauge.metrics.pem.adequacy.adequacy_model import ENSEMBLES, AdequacyModel, Kind
from paragauge.metrics.pem.adequacy.context_changes import CONTEXT
from paragauge.metrics.pem.features import same_text
from paragauge.metrics.pem.fluency_model import FluencyModel
from paragauge.metrics.pem.learned_parts import share_kept
from paragauge.metrics.pem.model import SHIPPED, open_model
from paragauge.metrics.regression.boosted_trees import BoostedTrees
from paragauge.metrics.regression.held_out import number_sources, pearson
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.metrics.resampling import correlation_interval
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines
from paragauge.text.rated_pairs import read_rated_pairs
from paragauge.text.table_in_memory import read_records
from tools.models.adequacy_pairs import DATA, RatedPair, training_pairs
from tools.models.pem_anchors import damage_pairs, fit_anchors

FOLDS = 5
SEED = 7
FOLDER = Path(__file__).resolve().parents[2] / "src" / "paragauge" / "models"
# How the predictions are combined; chosen on the held-out figures and the contrast set that ships, from
# about 70 variants.
COMBINATION: dict[Kind, dict[str, float]] = {
    "words": {"share": 0.7, "power": 4.0, "cost": 0.6},
    "context": {"share": 0.4, "power": 6.0, "cost": 0.4},
}
KINDS: tuple[Kind, ...] = ("words", "context")
STS_DEV, SICK = "stsb/dev.tsv.gz", "sick/pairs.tsv.gz"
METRICS: dict[Kind, Adequacy] = {"words": Adequacy(), "context": AdequacyContext()}
CHANGING = ("changed", "changed_paws", "changed_copy", "negated", "changed_kept")
REVERSING = ("negation", "opposite", "false-converse")
KEEPING = ("near-copy", "passive", "converse", "paraphrase")
AIMED = ("roles", "numbers", "doubled", "short")
# Weights of kinds in the change of meaning: rare ones count more, doubtful ones less or not at all.
KIND_WEIGHTS = {
    "clause": 0.0,
    "near-copy": 2.0,
    "modality": 0.6,
    "truncated": 0.7,
    "swap": 3.0,
    "roles-swapped": 6.0,
    "agent": 1.5,
    "arguments": 2.0,
    "passive": 2.0,
    "compared": 3.0,
    "converse": 4.0,
    "false-converse": 3.0,
    "paraphrase": 0.5,
}
UNREVERSED = ("clause", "quantifier", "unrelated", "doubled")  # may be either


@dataclass(frozen=True)
class Goals:
    """What an ensemble should predict for the pairs of a collection, and how much each counts."""

    collection: str
    values: Floats
    weights: Floats


Pairs = dict[str, list[RatedPair]]


def rating_goals(pairs: Pairs) -> list[Goals]:
    """People's ratings of meaning."""
    return [_rated(pairs, "parabank", 1.0)]


def similarity_goals(pairs: Pairs) -> list[Goals]:
    """People's ratings of similarity, and what needs no rating."""
    return [
        _rated(pairs, "sts", 1.0),
        _constant(pairs, "unrelated", 0.0, 0.3),
        _of_kind(pairs, "short", "unrelated", 0.0, 0.3),
        _of_kind(pairs, "short", "paraphrase", 0.9, 0.1),
        _constant(pairs, "tatoeba", 0.9, 0.1),
        _constant(pairs, "copy", 1.0, 0.1),
    ]


def change_goals(pairs: Pairs) -> list[Goals]:
    """1 for a changed meaning, 0 for a kept one; a low rating counts as partly changed."""
    goals = []
    for name in (*CHANGING, *AIMED):
        kinds = [pair.kind for pair in pairs[name]]
        values = np.array([float(kind not in KEEPING) for kind in kinds])
        goals.append(Goals(name, values, np.array([KIND_WEIGHTS.get(kind, 1.0) for kind in kinds])))
    paws = _rated(pairs, "paws", 1.0)
    goals.append(replace(paws, values=1 - paws.values))
    goals += [_constant(pairs, "tatoeba", 0.0, 1.0), _constant(pairs, "copy", 0.0, 1.0)]
    goals += [_constant(pairs, "kept", 0.0, 2.0), _constant(pairs, "unrelated", 1.0, 0.5)]
    for name, weight in (("parabank", 20.0), ("sts", 5.0)):
        rated = _rated(pairs, name, weight)
        lost = np.clip(1 - 2 * rated.values, 0.0, 1.0)
        goals.append(Goals(name, np.zeros(len(lost)), weight * (1 - lost)))
        goals.append(Goals(name, np.ones(len(lost)), weight * lost))
    return goals


def reversal_goals(pairs: Pairs) -> list[Goals]:
    """1 for negations and opposites, 0 for all other changes and for what people rated well."""
    goals = []
    for name in (*CHANGING, *AIMED):
        kinds = [pair.kind for pair in pairs[name]]
        values = np.array([float(kind in REVERSING) for kind in kinds])
        weights = np.array([float(kind not in UNREVERSED) for kind in kinds])
        goals.append(Goals(name, values, weights))
    goals += [_constant(pairs, "paws", 0.0, 0.5), _constant(pairs, "tatoeba", 0.0, 1.0)]
    goals += [_constant(pairs, "copy", 0.0, 1.0), _constant(pairs, "kept", 0.0, 1.0)]
    for name, least, weight in (("parabank", 0.4, 8.0), ("sts", 0.6, 3.0)):
        rated = _rated(pairs, name, 1.0)
        goals.append(
            Goals(name, np.zeros(len(rated.values)), np.where(rated.values > least, weight, 0.0))
        )
    return goals


def _rated(pairs: Pairs, name: str, weight: float) -> Goals:
    values = np.array([pair.value for pair in pairs[name]], np.float64)
    return Goals(name, values, np.full(len(values), weight))


def _constant(pairs: Pairs, name: str, value: float, weight: float) -> Goals:
    count = len(pairs[name])
    return Goals(name, np.full(count, value), np.full(count, weight))


def _of_kind(pairs: Pairs, name: str, kind: str, value: float, weight: float) -> Goals:
    """A value for the pairs of one kind; the others of the collection do not count."""
    goals = _constant(pairs, name, value, weight)
    return replace(goals, weights=goals.weights * [pair.kind == kind for pair in pairs[name]])


GOALS: dict[str, Callable[[Pairs], list[Goals]]] = {
    "rating": rating_goals,
    "similarity": similarity_goals,
    "change": change_goals,
    "reversal": reversal_goals,
}
# The link, and how many ensembles with other seeds are averaged; then the options of the trees.
TREES: dict[str, tuple[int, dict[str, Any]]] = {
    "rating": (
        3,
        {"link": "identity", "trees": 150, "rate": 0.04, "leaves": 6, "least": 30, "ridge": 0.0},
    ),
    "similarity": (
        1,
        {"link": "identity", "trees": 250, "rate": 0.06, "leaves": 8, "least": 20, "ridge": 1.0},
    ),
    "change": (
        1,
        {"link": "logistic", "trees": 250, "rate": 0.08, "leaves": 15, "least": 20, "ridge": 1.0},
    ),
    "reversal": (
        1,
        {"link": "logistic", "trees": 120, "rate": 0.08, "leaves": 8, "least": 20, "ridge": 1.0},
    ),
}
COLUMNS = 0.2


def fit_ensemble(
    name: str,
    names: Sequence[str],
    goals: Sequence[Goals],
    rows: dict[str, Floats],
    out: dict[str, Any],
) -> BoostedTrees:
    """The ensemble `name`, fitted to all pairs but those that `out` [collection] masks."""
    table, values, weights = [], [], []
    for goal in goals:
        used = (goal.weights > 0) & ~out[goal.collection]
        table.append(rows[goal.collection][used])
        values.append(goal.values[used])
        weights.append(goal.weights[used])
    count, options = TREES[name]
    ensembles = [
        BoostedTrees.fit(
            names,
            np.vstack(table),
            np.concatenate(values),
            weights=np.concatenate(weights),
            columns=COLUMNS,
            seed=SEED + number,
            **options,
        )
        for number in range(count)
    ]
    return ensembles[0] if count == 1 else BoostedTrees.average(ensembles)


@dataclass(frozen=True)
class Trained:
    """The model fitted to everything, and the held-out components [n, 4] of each collection."""

    model: AdequacyModel
    held_out: dict[str, Floats]

    def adequacy(self, name: str) -> Floats:
        """The held-out adequacies of a collection."""
        return self.model.combine(self.held_out[name])


def train(kind: Kind, pairs: Pairs, rows: dict[str, Floats]) -> Trained:
    """Fit all ensembles, and predict every pair by ensembles that have not seen its source."""
    names = NAMES if kind == "words" else (*NAMES, *CONTEXT)
    folds = split_sources(pairs)
    held_out = {name: np.zeros((len(pairs[name]), len(ENSEMBLES))) for name in pairs}
    whole = {}
    for column, name in enumerate(ENSEMBLES):
        goals = GOALS[name](pairs)
        nothing = {collection: np.zeros(len(pairs[collection]), np.bool_) for collection in pairs}
        whole[name] = fit_ensemble(name, names, goals, rows, nothing)
        for fold in range(FOLDS):
            out = {collection: folds[collection] == fold for collection in pairs}
            trees = fit_ensemble(name, names, goals, rows, out)
            for collection, is_out in out.items():
                held_out[collection][is_out, column] = trees.predict(rows[collection][is_out])
        print(f"{kind}: {name} fitted", file=sys.stderr, flush=True)
    return Trained(AdequacyModel(**whole, **COMBINATION[kind]), held_out)


def split_sources(pairs: Pairs) -> dict[str, Ints]:
    """The fold of each pair of each collection, by source.

    The collections `AIMED` come last, so that the sources of the others, and with them the held-out
    figures, keep their folds when there are more of these pairs.
    """
    names = sorted(pairs, key=lambda name: name in AIMED)  # stable: otherwise in their order
    base = [pair.source for name in names if name not in AIMED for pair in pairs[name]]
    folds = dict(zip(base, (number_sources(base, SEED) % FOLDS).tolist(), strict=True))
    added = [pair.source for name in AIMED for pair in pairs.get(name, []) if pair.source not in folds]
    folds |= dict(zip(added, (number_sources(added, SEED) % FOLDS).tolist(), strict=True))
    return {name: np.array([folds[pair.source] for pair in pairs[name]], np.int64) for name in pairs}


def measure(kind: Kind, pairs: Pairs) -> dict[str, Floats]:
    """The features of the pairs of each collection."""
    metric = METRICS[kind]
    rows = {}
    for name, collection in pairs.items():
        rows[name] = metric.line_features(_pair_batch(collection), "")
        print(f"{kind}: {name} measured", file=sys.stderr, flush=True)
    return rows


def _pair_batch(pairs: Sequence[RatedPair]) -> Batch:
    """The pairs as a batch of one system without a name."""
    return Batch.of({"": [pair.candidate for pair in pairs]}, sources=[pair.source for pair in pairs])


def print_figures(kind: Kind, trained: Trained, pairs: Pairs) -> None:
    """The held-out figures of a kind of model, and those on data that it has not learned from."""
    parabank = pairs["parabank"]
    is_changed = np.array([not same_text(pair.candidate, pair.source) for pair in parabank])
    values = np.array([pair.value for pair in parabank], np.float64)[is_changed]
    units = number_sources([pair.source for pair in parabank], SEED)[is_changed]
    adequacy = trained.adequacy("parabank")[is_changed]
    low, high = correlation_interval(adequacy, values, units, seed=SEED, level=0.95, threads=0)
    figure = pearson(adequacy, values)
    print(f"{kind}: ParaBank, five folds, without copies: {figure:.3f} [{low:.3f}, {high:.3f}]")
    is_paraphrase = np.array([pair.value == 1 for pair in pairs["paws"]])
    figure = area_under_curve(trained.adequacy("paws"), is_paraphrase)
    print(f"{kind}: PAWS, five folds: AUC {figure:.3f}")
    sts = read_rated_pairs(DATA / STS_DEV, ("source", "candidate", "similarity_0_5"))
    figure = pearson(_adequacy(kind, trained, sts.candidates, sts.sources), np.asarray(sts.ratings))
    print(f"{kind}: STS benchmark, dev: {figure:.3f}")
    sick = read_records(DATA / SICK)
    candidates, sources, labels = (
        [sick.text(row, column) for row in range(len(sick))]
        for column in ("candidate", "source", "entailment")
    )
    is_clear = np.array([label != "NEUTRAL" for label in labels])
    adequacy = _adequacy(kind, trained, candidates, sources)[is_clear]
    is_entailed = np.array([label == "ENTAILMENT" for label in labels])[is_clear]
    print(f"{kind}: SICK: AUC {area_under_curve(adequacy, is_entailed):.3f}", flush=True)


def _adequacy(
    kind: Kind, trained: Trained, candidates: Sequence[str], sources: Sequence[str]
) -> Floats:
    batch = Batch.of({"": candidates}, sources=sources)
    return trained.model.predict(METRICS[kind].line_features(batch, ""))


def area_under_curve(scores: Floats, is_good: NDArray[np.bool_]) -> float:
    """How often a good one is above another; ties count one half.

    >>> area_under_curve(np.array([0.1, 0.5, 0.5]), np.array([False, True, False]))
    0.75
    """
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    places = (below + (counts - 1) / 2)[ranks]
    good = int(is_good.sum())
    others = len(scores) - good
    return float((places[is_good].sum() - good * (good - 1) / 2) / (good * others))


def print_total(kind: Kind, regression: RBFRegression, pairs: Pairs, parts: dict[str, Floats]) -> None:
    """The correlation of PEM's total with ratings of meaning alone, adequacy held out."""
    parabank = pairs["parabank"]
    is_changed = np.array([not same_text(pair.candidate, pair.source) for pair in parabank])
    values = np.array([pair.value for pair in parabank], np.float64)
    figure = pearson(regression.predict(parts["parabank"])[is_changed], values[is_changed])
    print(f"{kind}: ParaBank, the total, without copies: {figure:.2f}", flush=True)


def learned_parts(trained: Trained, pairs: Pairs, rows: dict[str, Floats]) -> dict[str, Floats]:
    """The parts [n, 3] that PEM's regression reads, with held-out adequacies."""
    fluency = FluencyModel.default()
    return {
        name: np.column_stack(
            [
                trained.adequacy(name) * share_kept(_pair_batch(collection), "", rows[name]),
                fluency.score(Lines.of([pair.candidate for pair in collection])) / 100,
                measure_dissimilarity(rows[name]),
            ]
        )
        for name, collection in pairs.items()
    }


def main(folder: Path) -> None:
    """Train both kinds and save them."""
    pairs = training_pairs()
    pairs["damaged"] = damage_pairs(pairs)
    weights = open_model(SHIPPED).resources.word_weights
    weights.save(folder / "adequacy" / "word_weights.bin")
    for kind in KINDS:
        rows = measure(kind, pairs)
        trained = train(kind, pairs, rows)
        trained.model.save(folder / "adequacy" / kind)
        print_figures(kind, trained, pairs)
        parts = learned_parts(trained, pairs, rows)
        regression = fit_anchors(kind, pairs, parts)
        print_total(kind, regression, pairs, parts)
        regression.save(folder / "pem" / "learned" / f"{kind}.bin")
        print(f"{kind}: {len(regression.coefficients):,} support vectors", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
