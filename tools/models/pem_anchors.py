"""The regression of PEM from adequacy, fluency and dissimilarity to the paper's anchors.

Liu, Dahlmeier and Ng (2010) rate paraphrases from 1 to 5, and give copies 2 and unrelated or
ungrammatical sentences 1. Nobody has published ratings of overall quality with all kinds of
failures among them, so the target is made of what is known about pairs (`adequacy_pairs.py`), on
that scale:

    a copy                                    2
    an unrelated or scrambled sentence        1
    nothing                                   1
    a changed meaning                         1
    the source twice                          1.5
    a sentence with three errors              1
    the same meaning                          2 + 3 min(1, dissimilarity / 0.5)^power
    a pair that people rated for meaning      from 1 to the last, by the rating; all of it from 0.7 on
    a pair that people rated for similarity   from 1 to the same, by the rating between 0.5 and 0.9

so that a near-copy lies between copy and paraphrase, and 5 is a sentence of which half of the
n-grams are new. The power is 1 without an encoder, and 1.6 with one (`POWER`). Changed meanings are of
copies: that is how a user meets them. In a sentence with much new wording a changed word cannot be
told from a free choice of words, and to call all of them wrong would be worse.

Few pairs with little new wording have a middling adequacy, and a regression without pairs dips. There
a grid of points has ratings that grow with adequacy and fluency (`ratings_between`).

Adequacies are those of models that have not seen the source. The kernel's parameters were chosen on
the contrast set that comes with the package, from about sixty.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.pem.adequacy.adequacy_model import Kind
from paragauge.metrics.pem.learned_parts import LEARNED
from paragauge.metrics.regression.rbf import RBFRegression
from tools.models.adequacy_pairs import RatedPair
from tools.models.train_fluency import irregular_forms, make_error

COPY, UNRELATED, CHANGED, DAMAGE, BEST = 2.0, 1.0, 1.0, 1.0, 5.0
TWICE = 1.5
LOWEST, HIGHEST = 1.0, 5.0
KEPT = ("passive", "converse", "paraphrase")  # kinds of pairs made by rules that keep the meaning
NEW = 0.5  # dissimilarity from which on the wording is new
# Chosen with the contrast set and the demo in view; that in context is of an earlier choice.
POWER: dict[Kind, float] = {"words": 1.0, "context": 1.6}
ENOUGH = 0.7  # of a rating of meaning
PER_KIND = 120
SIZES = {
    "copy": 300,
    "unrelated": 250,
    "damaged": 350,
    "kept": 300,
    "tatoeba": 900,
    "paws": 400,
    "parabank": 900,
    "roles": 150,
    "doubled": 100,
    "short": 150,
}
# Pairs rated for similarity, by the kind of adequacy. They teach that a sentence on the same topic is
# no paraphrase; with more of them, good paraphrases in new words lose: words alone look the same there.
SIMILAR: dict[Kind, int] = {"words": 100, "context": 500}
DAMAGED = {"tatoeba": 300, "copy": 100, "kept": 100}
ERRORS = 3
# Ratings of similarity up to which two sentences say something else, and from which on the same.
OTHER_MEANING, SAME_MEANING = 0.5, 0.9
GAMMA, C, EPSILON = 1.0, 1.0, 0.3
# The parts of a candidate without words, and how often it counts.
EMPTY, EMPTY_PAIRS = (0.0, 0.0, 1.0), 50
# Adequacy and fluency between which the rating of a point of the grid grows; how often one counts.
MEANING, GRAMMAR = (0.2, 0.8), (0.1, 0.6)
BETWEEN_WEIGHT = 4
SEED = 7


def paraphrase_rating(dissimilarity: Floats, kind: Kind = "words") -> Floats:
    """The rating of a fluent sentence with the same meaning.

    >>> paraphrase_rating(np.array([0.0, 0.25, 0.5, 0.9])).tolist()
    [2.0, 3.5, 5.0, 5.0]
    """
    return COPY + (BEST - COPY) * np.clip(dissimilarity / NEW, 0.0, 1.0) ** POWER[kind]


def target_ratings(
    name: str, pairs: Sequence[RatedPair], dissimilarity: Floats, kind: Kind = "words"
) -> Floats:
    """The rating of each pair of a collection, NaN for those that are not learned from."""
    full = paraphrase_rating(dissimilarity, kind)
    values = np.array([np.nan if pair.value is None else pair.value for pair in pairs], np.float64)
    kinds = np.array([pair.kind for pair in pairs])
    if name == "copy":
        return np.full(len(pairs), COPY)
    if name == "unrelated":
        return np.full(len(pairs), UNRELATED)
    if name == "damaged":
        return np.full(len(pairs), DAMAGE)
    if name in ("kept", "tatoeba"):
        return full
    if name == "sts":
        kept = np.clip((values - OTHER_MEANING) / (SAME_MEANING - OTHER_MEANING), 0.0, 1.0)
        return LOWEST + (full - LOWEST) * kept
    if name == "paws":
        return np.where(values > 0, full, CHANGED)
    if name == "parabank":
        return LOWEST + (full - LOWEST) * np.clip(values / ENOUGH, 0.0, 1.0)
    if name == "changed_copy":
        ratings = np.full(len(pairs), CHANGED)
        ratings[kinds == "scrambled"] = UNRELATED
        ratings[kinds == "near-copy"] = full[kinds == "near-copy"]
        ratings[kinds == "clause"] = np.nan
        return ratings
    if name == "doubled":
        return np.full(len(pairs), TWICE)
    if name in ("roles", "short"):
        return np.where(np.isin(kinds, KEPT), full, CHANGED)
    return np.full(len(pairs), np.nan)


def points_between() -> Floats:
    """Parts [n, 3] on a grid of little new wording, where few pairs have a middling adequacy."""
    grid = np.meshgrid(np.linspace(0, 1, 7), np.linspace(0, 1, 5), np.linspace(0, 0.4, 5))
    return np.column_stack([axis.ravel() for axis in grid])


def ratings_between(parts: Floats, kind: Kind = "words") -> Floats:
    """Ratings that grow with adequacy and fluency from the lowest to that of a paraphrase.

    >>> ratings_between(np.array([[0.0, 1.0, 0.25], [0.5, 1.0, 0.0], [1.0, 1.0, 0.0]])).tolist()
    [1.0, 1.5, 2.0]
    """
    kept = np.clip((parts[:, 0] - MEANING[0]) / (MEANING[1] - MEANING[0]), 0.0, 1.0)
    correct = np.clip((parts[:, 1] - GRAMMAR[0]) / (GRAMMAR[1] - GRAMMAR[0]), 0.0, 1.0)
    return LOWEST + (paraphrase_rating(parts[:, 2], kind) - LOWEST) * kept * correct


def fit_anchors(
    kind: Kind, pairs: Mapping[str, Sequence[RatedPair]], parts: Mapping[str, Floats]
) -> RBFRegression:
    """The regression from parts [n, 3] of each collection to the anchors, from 0 to 100."""
    from sklearn.svm import SVR

    sizes = {**SIZES, "sts": SIMILAR[kind]}

    generator = np.random.default_rng([SEED, 3])
    tables, goals = [], []
    for name in sorted(pairs):
        ratings = target_ratings(name, pairs[name], parts[name][:, 2], kind)
        known = np.flatnonzero(~np.isnan(ratings))
        for rows in _draw_rows(name, pairs[name], known, parts[name], sizes, generator):
            tables.append(parts[name][rows])
            goals.append(ratings[rows])
    tables.append(np.tile(EMPTY, (EMPTY_PAIRS, 1)))
    goals.append(np.full(EMPTY_PAIRS, UNRELATED))
    between = np.repeat(points_between(), BETWEEN_WEIGHT, axis=0)
    tables.append(between)
    goals.append(ratings_between(between, kind))
    table, ratings = np.vstack(tables), np.concatenate(goals)
    mean, spread = table.mean(axis=0), table.std(axis=0)
    machine = SVR(C=C, gamma=GAMMA, epsilon=EPSILON).fit((table - mean) / spread, ratings)
    stretch = 100.0 / (HIGHEST - LOWEST)
    return RBFRegression(
        LEARNED,
        mean,
        spread,
        GAMMA,
        stretch * (float(machine.intercept_[0]) - LOWEST),
        np.asarray(machine.support_vectors_, np.float64),
        stretch * np.asarray(machine.dual_coef_[0], np.float64),
    )


def _draw_rows(
    name: str,
    pairs: Sequence[RatedPair],
    rows: Any,
    parts: Floats,
    all_sizes: Mapping[str, int],
    generator: np.random.Generator,
) -> list[Any]:
    """Some rows of a collection: of changed sentences of each kind, of Tatoeba mostly new wordings."""
    if name == "changed_copy":
        kinds = np.array([pair.kind for pair in pairs])
        groups = [rows[kinds[rows] == kind] for kind in sorted(set(kinds[rows].tolist()))]
        sizes = [
            (2 if group.size and kinds[group[0]] == "near-copy" else 1) * PER_KIND for group in groups
        ]
    elif name == "tatoeba":
        is_new = parts[rows, 2] >= NEW
        groups, sizes = [rows[is_new], rows[~is_new]], [all_sizes[name] * 2 // 3, all_sizes[name] // 3]
    else:
        groups, sizes = [rows], [all_sizes.get(name, 0)]
    return [
        np.sort(generator.permutation(group)[:size]) for group, size in zip(groups, sizes, strict=True)
    ]


def damage_pairs(pairs: Mapping[str, Sequence[RatedPair]]) -> list[RatedPair]:
    """Copies and paraphrases in which the candidate has some errors of spelling and grammar."""
    draw = random.Random(SEED)  # noqa: S311  # no secret
    forms = irregular_forms()
    damaged = []
    for name, size in DAMAGED.items():
        for pair in draw.sample(pairs[name], size):
            words = pair.candidate.split()
            for _ in range(ERRORS):
                words = make_error(words, draw, forms)
            damaged.append(pair._replace(candidate=" ".join(words), kind="damaged", value=None))
    return damaged
