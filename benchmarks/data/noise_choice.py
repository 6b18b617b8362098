"""The penalty and the groups of features, chosen in training alone (nested cross-validation).

For each part under test the choice is made by cross-validation over the workers of the other parts: the
setting with the best AUC there. Nobody under test has a say in it, not even by trusted sentences. Two
parts are left out at a time, and what is fitted to the others serves both: each part is once the one
under test and once the one to choose by, so that 45 fits do for ten parts.

What stays chosen by hand, with a look at the whole data, is the list of single features.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from benchmarks.data.noise_measures import Bools, Floats, auc
from paragauge.collect.quality.logistic import fit
from paragauge.collect.quality.noise_features import Table

STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0)
Choice = tuple[str, float]


def choose(
    measured: Callable[[Bools], tuple[Floats, Floats]],
    bad: Bools,
    part: NDArray[np.int64],
    groups: Mapping[str, Sequence[str]],
) -> list[Choice]:
    """For each part, the name of a group of features and the penalty that are best on the others.

    `measured` gives, for the rows in training, features to train with, whose rows are those in training
    as often as wanted, and features of all answers, with trusted sentences of the training rows alone.
    """
    parts = int(part.max()) + 1
    choices = list(product(groups, STRENGTHS))
    # [choice, part under test, answer]: what was foretold without that part and the answer's own.
    foretold = np.zeros((len(choices), parts, len(bad)))
    for a, b in combinations(range(parts), 2):
        train = (part != a) & (part != b)
        rows, table = measured(train)
        labels = np.tile(bad[train], len(rows) // int(train.sum()))
        for number, (group, strength) in enumerate(choices):
            names = groups[group]
            model = fit(Table(rows).of(names), labels, strength)
            chances = model.probability(Table(table).of(names))
            foretold[number, a, part == b] = chances[part == b]
            foretold[number, b, part == a] = chances[part == a]
    best = []
    for test in range(parts):
        rest = part != test
        scores = [auc(foretold[number, test, rest], bad[rest]) for number in range(len(choices))]
        best.append(choices[int(np.argmax(scores))])
    return best
