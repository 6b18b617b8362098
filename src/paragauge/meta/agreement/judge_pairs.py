"""Every two judges: their correlation, the share of equal ratings and Cohen's kappa.

Up to `MOST_JUDGES` judges, each pair has its intervals. With more judges, and tens of thousands of
pairs, intervals would take hours and most pairs would have no common items: then no pair has an
interval, only pairs with common items are listed, and each judge is compared with all the others at
once. The values are the same. Judges who all rated the same items make a number of pairs that is
quadratic: above `MOST_PAIRS`, and above `PAIRS_PER_RATING` for each rating, they are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Bools, Floats, Ints
from paragauge.meta.agreement.judge_correlation import (
    FEWEST,
    ROUNDING,
    Outputs,
    sentence_level,
    system_level,
)
from paragauge.meta.agreement.judges import JudgeRatings
from paragauge.meta.agreement.kappa import ONE_CATEGORY, WEIGHTS, cohen_kappa, resample_cohen
from paragauge.meta.correlation.coefficients import CoefficientName
from paragauge.meta.measure import Bootstrap, Measure, undefined_measure
from paragauge.meta.pair_limits import check_pairs, count_pairs
from paragauge.meta.sets.evalset import EvalSet

MOST_JUDGES = 200
MOST_PAIRS = 500_000
PAIRS_PER_RATING = 8  # what ratings of each item by 17 judges make
NO_ITEMS = "no common items"


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges; `agreement` is the share of equal ratings, `kappa` has an entry per weighting."""

    judge: str
    other: str
    sentence: Measure
    system: Measure
    agreement: Measure
    kappa: Mapping[str, Measure]


@dataclass(frozen=True)
class RatedJudgments:
    """What pairs are computed from: ratings for correlations, categories for kappa.

    `refusal` says why there are no categories; `own` takes each judge's own means of the systems.
    """

    judged: EvalSet
    scaled: JudgeRatings
    categories: JudgeRatings
    refusal: str
    coefficient: CoefficientName
    own: bool
    segment: Ints  # of each item that has categories


def pairs_with_intervals(rated: RatedJudgments, bootstrap: Bootstrap) -> Iterator[JudgePair]:
    """All pairs of judges, with intervals."""
    judges = rated.scaled.judges
    outputs = Outputs.of(rated.judged)
    numbers = [rated.scaled.of(judge) for judge in range(len(judges))]
    labels = [rated.categories.of(judge) for judge in range(len(judges))]
    for second in range(len(judges)):
        for first in range(second):
            names = (judges[first], judges[second])
            item, mine, theirs = _common(numbers[first], numbers[second])
            means = ((item, mine), (item, theirs))
            if rated.own:
                means = (numbers[first], numbers[second])
            named, one, other = _common(labels[first], labels[second])
            kappas = _kappas(rated, named, one, other, bootstrap)
            yield JudgePair(
                *names,
                sentence=sentence_level(
                    rated.judged, item, mine, theirs, rated.coefficient, bootstrap, names
                ),
                system=system_level(outputs, *means, rated.coefficient, bootstrap, names),
                agreement=kappas.pop(""),
                kappa=kappas,
            )


def pairs_with_common_items(rated: RatedJudgments) -> Iterator[JudgePair]:
    """The pairs of judges that rated an item in common, without intervals."""
    _check_number(rated.categories)
    judges = rated.scaled.judges
    outputs = Outputs.of(rated.judged)
    means = _own_means(rated.scaled, outputs) if rated.own else None
    numbers, labels = _Partners(rated.scaled), _Partners(rated.categories)
    scale = np.unique(rated.categories.value)
    for second in range(len(judges)):
        shared, named = numbers.of(second), labels.of(second)
        sentence = shared.correlations(rated.coefficient, judges, second, "items")
        if means is None:
            system = shared.system_means(outputs)
        else:
            system = _known_in_both(means, shared.judges, second)
        systems = system.correlations(rated.coefficient, judges, second, "systems")
        if rated.refusal:
            refused = {int(n): undefined_measure(rated.refusal, int(n)) for n in np.unique(named.sizes)}
            kappas = [dict.fromkeys((*WEIGHTS, ""), refused[n]) for n in named.sizes.tolist()]
        else:
            kappas = named.kappas(scale)
        places = {first: i for i, first in enumerate(shared.judges.tolist())}
        chosen = {first: i for i, first in enumerate(named.judges.tolist())}
        none = undefined_measure(NO_ITEMS, 0)
        for first in sorted(places.keys() | chosen.keys()):
            i = places.get(first)
            kappa = kappas[chosen[first]] if first in chosen else dict.fromkeys((*WEIGHTS, ""), none)
            yield JudgePair(
                judges[first],
                judges[second],
                none if i is None else sentence[i],
                undefined_measure("no common systems", 0) if i is None else systems[i],
                kappa.pop(""),
                kappa,
            )


def _check_number(ratings: JudgeRatings) -> None:
    """Refuse more pairs than anybody reads."""
    pairs = min(count_pairs(np.bincount(ratings.item)), count_pairs(np.array([len(ratings.judges)])))
    check_pairs(
        pairs,
        len(ratings.item),
        "pairs of judges with common items",
        "check that the column judge says who rated, or compare fewer judges",
        most=MOST_PAIRS,
        each=PAIRS_PER_RATING,
    )


@dataclass(frozen=True)
class _Shared:
    """One judge against others: `judges` [k], and for each a group of both judges' ratings.

    Group i has the places `offsets[i]` to `offsets[i + 1]` of `theirs` and `mine` [n], and `item` [n].
    """

    judges: Ints
    offsets: Ints
    theirs: Floats
    mine: Floats
    item: Ints

    @property
    def sizes(self) -> Ints:
        return np.diff(self.offsets)

    def correlations(
        self, coefficient: CoefficientName, judges: tuple[str, ...], second: int, what: str
    ) -> list[Measure]:
        """The correlation of every group, as in `judge_correlation.correlation`."""
        sizes = self.sizes.tolist()
        values = _native.group_correlations(self.theirs, self.mine, self.offsets, coefficient, 0)
        flat = [_constant(side, self.offsets) for side in (self.theirs, self.mine)]
        few = {n: undefined_measure(f"fewer than {FEWEST} common {what}", n) for n in range(1, FEWEST)}
        few[0] = undefined_measure(f"no common {what}", 0)
        result = []
        for i, n in enumerate(sizes):
            if n < FEWEST:
                result.append(few[n])
            elif flat[0][i] or flat[1][i]:
                name = judges[self.judges[i] if flat[0][i] else second]
                result.append(undefined_measure(f"{name}: the same value for all {what}", n))
            else:
                result.append(Measure(float(values[i]), n))
        return result

    def system_means(self, outputs: Outputs) -> _Shared:
        """The same with the means of systems over the common items."""
        group = np.repeat(np.arange(len(self.judges)), self.sizes)
        place, system = outputs.rows(self.item)
        cell, where = np.unique(group[place] * outputs.systems + system, return_inverse=True)
        counts = np.bincount(where, minlength=len(cell))
        theirs, mine = (
            np.bincount(where, values[place], len(cell)) / counts for values in (self.theirs, self.mine)
        )
        return _group_ratings(self.judges, cell // max(outputs.systems, 1), theirs, mine, cell)

    def kappas(self, scale: Floats) -> list[dict[str, Measure]]:
        """Cohen's kappa of every group by weighting, and under "" the share of equal ratings."""
        sizes, size = self.sizes, len(scale)
        group = np.repeat(np.arange(len(sizes)), sizes)
        shares = []
        for values in (self.theirs, self.mine):
            cells = group * size + np.searchsorted(scale, values)
            counts = np.bincount(cells, minlength=len(sizes) * size).reshape(-1, size)
            shares.append(counts / sizes[:, None])
        single = ((shares[0] + shares[1]) > 0).sum(axis=1) == 1
        apart = np.abs(scale[:, None] - scale[None, :])
        gaps = np.abs(self.theirs - self.mine)
        powers: dict[str, Callable[[Floats], Floats]] = {
            "none": lambda gap: np.asarray(gap > 0, np.float64),
            "linear": lambda gap: gap,
            "quadratic": np.square,
        }
        by_weighting = {}
        for weights in WEIGHTS:
            observed = np.bincount(group, powers[weights](gaps), len(sizes)) / sizes
            expected = ((shares[0] @ powers[weights](apart)) * shares[1]).sum(axis=1)
            by_weighting[weights] = (1 - observed / np.where(single, 1.0, expected)).tolist()
        equal = (np.bincount(group, gaps == 0, len(sizes)) / sizes).tolist()
        rows = []
        for i, n in enumerate(sizes.tolist()):
            row: dict[str, Measure] = {"": Measure(equal[i], n)}
            for weights in WEIGHTS:
                value = by_weighting[weights][i]
                row[weights] = undefined_measure(ONE_CATEGORY, n) if single[i] else Measure(value, n)
            rows.append(row)
        return rows


class _Partners:
    """The ratings by item, an index for the ratings of the same items."""

    def __init__(self, ratings: JudgeRatings) -> None:
        order = np.lexsort((ratings.judge, ratings.item))
        self._ratings = ratings
        self._judge, self._value = ratings.judge[order], ratings.value[order]
        items = int(ratings.item.max()) + 1 if len(ratings.item) else 0
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(ratings.item, minlength=items))])

    def of(self, second: int) -> _Shared:
        """The judges with smaller numbers who share items with this one."""
        item, mine = self._ratings.of(second)
        starts = self._starts[item]
        owner, place = _ranges(starts, self._starts[item + 1] - starts)
        earlier = self._judge[place] < second
        owner, place = owner[earlier], place[earlier]
        order = np.argsort(self._judge[place], kind="stable")
        owner, place = owner[order], place[order]
        judges, group = np.unique(self._judge[place], return_inverse=True)
        return _group_ratings(judges, group, self._value[place], mine[owner], item[owner])


def _group_ratings(judges: Ints, group: Ints, theirs: Floats, mine: Floats, item: Ints) -> _Shared:
    sizes = np.bincount(group, minlength=len(judges))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return _Shared(judges, offsets, theirs, mine, item)


def _own_means(ratings: JudgeRatings, outputs: Outputs) -> Floats:
    """Each judge's mean of each system, [judges, systems]; NaN where there is none."""
    place, system = outputs.rows(ratings.item)
    cell = ratings.judge[place] * outputs.systems + system
    size = len(ratings.judges) * outputs.systems
    counts = np.bincount(cell, minlength=size)
    sums = np.bincount(cell, ratings.value[place], size)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return np.asarray(means.reshape(len(ratings.judges), outputs.systems))


def _known_in_both(means: Floats, judges: Ints, second: int) -> _Shared:
    theirs = means[judges]
    mine = np.broadcast_to(means[second], theirs.shape)
    group, system = np.nonzero(~np.isnan(theirs) & ~np.isnan(mine))
    return _group_ratings(judges, group, theirs[group, system], mine[group, system], system)


def _constant(values: Floats, offsets: Ints) -> Bools:
    """Which groups have the same value throughout; an empty one counts as such."""
    sizes = np.diff(offsets)
    flat = np.ones(len(sizes), bool)
    filled = np.flatnonzero(sizes)
    if len(filled):
        starts = offsets[:-1][filled]
        low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        flat[filled] = high - low <= ROUNDING * np.maximum(np.abs(low), np.abs(high))
    return flat


def _ranges(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """The places of ranges one after the other, and which range each belongs to."""
    owner = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (starts - before)[owner]


def _kappas(
    rated: RatedJudgments, item: Ints, first: Floats, second: Floats, bootstrap: Bootstrap
) -> dict[str, Measure]:
    """Cohen's kappa by weighting, and the share of equal ratings by "", with intervals."""
    measures = {"": _share_equal(first, second, rated.refusal)}
    for weights in WEIGHTS:
        refused = undefined_measure(rated.refusal, len(first))
        measures[weights] = refused if rated.refusal else cohen_kappa(first, second, weights)
    segment = rated.segment[item]
    if rated.refusal or not len(item) or not bootstrap.draws(segment):
        return measures
    drawn = resample_cohen(first, second, segment, bootstrap)
    return {name: measure.within(drawn[name], bootstrap.level) for name, measure in measures.items()}


def _share_equal(first: Floats, second: Floats, refusal: str) -> Measure:
    if refusal or not len(first):
        return undefined_measure(refusal or NO_ITEMS, len(first))
    return Measure(float(np.mean(first == second)), len(first))


def _common(first: tuple[Ints, Floats], second: tuple[Ints, Floats]) -> tuple[Ints, Floats, Floats]:
    """The items of both judges, and either's ratings of them."""
    items, mine, theirs = np.intersect1d(first[0], second[0], assume_unique=True, return_indices=True)
    return items, first[1][mine], second[1][theirs]
