"""Choose the penalty and the groups of features in training only (nested cross-validation).

For each part under test the choice is made by cross-validation over the workers of the other parts: the
setting with the best AUC there. Workers under test do not influence it, not even by trusted sentences.
Two parts are left out at a time, and each fit to the others serves both: either part can be the one
under test and the other the one to choose by, so that 45 fits are enough for ten parts.

Only the list of single features was chosen by hand, with all data in view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from benchmarks.data.noise_measures import Bools, Floats, auc
from paragauge.collect.quality.logistic_regression import fit_logistic
from paragauge.collect.quality.noise_features import FeatureTable

STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0)
Choice = tuple[str, float]


def choose(
    measure_features: Callable[[Bools], tuple[Floats, Floats]],
    bad: Bools,
    part: NDArray[np.int64],
    groups: Mapping[str, Sequence[str]],
) -> list[Choice]:
    """For each part, the name of a group of features and the penalty that are best on the others.

    `measure_features` takes the rows in training. It returns features to train with, whose rows are
    training rows, repeated as needed, and features of all answers, with trusted sentences of the
    training rows alone.
    """
    parts = int(part.max()) + 1
    choices = list(product(groups, STRENGTHS))
    # [choice, part under test, answer]: predicted without that part and without the answer's own part.
    foretold = np.zeros((len(choices), parts, len(bad)))
    for a, b in combinations(range(parts), 2):
        train = (part != a) & (part != b)
        rows, table = measure_features(train)
        labels = np.tile(bad[train], len(rows) // int(train.sum()))
        for number, (group, strength) in enumerate(choices):
            names = groups[group]
            model = fit_logistic(FeatureTable(rows).columns(names), labels, strength)
            chances = model.probability(FeatureTable(table).columns(names))
            foretold[number, a, part == b] = chances[part == b]
            foretold[number, b, part == a] = chances[part == a]
    best = []
    for test in range(parts):
        rest = part != test
        scores = [auc(foretold[number, test, rest], bad[rest]) for number in range(len(choices))]
        best.append(choices[int(np.argmax(scores))])
    return best
