"""Judges one by one: their ratings, their scale, and whether they agree with themselves.

**First ratings.** Agreement between judges uses the first rating that a judge gave an item, in the
order of the file. A mean of several would make categories that nobody chose. Later ratings are
counted, and used by `consistency`.

**Z-normalization.** Judges use a scale differently; (rating - mean) / sd of each judge's own ratings
removes the difference. `ddof` 1 is the sample standard deviation, 0 that of the ratings themselves. A
judge with constant ratings or a single one has no standard deviation: such ratings say nothing about
differences and become missing, not 0, which would silently pull items to the middle.
`constant_judges` counts them.

**Intra-judge consistency** compares the ratings that a judge gave the same item at different times:
every pair of them, the earlier one against the later one.

**Preferences.** A rank says something only about what was ranked with it. `preferences` turns each
task into its pairs of candidates, each rated 1 (the first is better), 0 (a tie) or -1, which are
comparable between tasks and judges, as the shared tasks on machine translation do for their kappa
(Callison-Burch et al. 2012).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.agreement.judge_correlation import correlation
from paragauge.meta.agreement.kappa import bin_values, cohen_kappa, too_fine
from paragauge.meta.measure import Measure, undefined_measure
from paragauge.meta.pair_limits import check_pairs, count_pairs
from paragauge.meta.sets.evalset import EvalSet

ALL_JUDGES = "all judges"
MOST_PAIRS = 1_000_000
PAIRS_PER_RATING = 32


@dataclass(frozen=True)
class JudgeRatings:
    """The first rating of each judge of each item; arrays [ratings], ordered by judge and item."""

    judges: tuple[str, ...]
    judge: Ints
    item: Ints
    value: Floats
    missing: int  # ratings without a value
    repeated: int  # further ratings of the same item by the same judge

    def of(self, judge: int) -> tuple[Ints, Floats]:
        """The items of one judge, in order, and their ratings."""
        low, high = np.searchsorted(self.judge, [judge, judge + 1])
        return self.item[low:high], self.value[low:high]


def first_ratings(judged: EvalSet, criterion: str) -> JudgeRatings:
    """The first rating by each judge of each item; judges without a value are dropped.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [("1", "a", "A", {"overall": 2.0}), ("1", "a", "A", {"overall": 5.0})]
    >>> ratings = first_ratings(build(rows), "overall")
    >>> ratings.value, ratings.repeated
    (array([2.]), 1)
    """
    judge, item, value, missing = _sorted_ratings(judged, criterion)
    again = np.zeros(len(value), bool)
    again[1:] = (judge[1:] == judge[:-1]) & (item[1:] == item[:-1])
    used, place = np.unique(judge[~again], return_inverse=True)
    return JudgeRatings(
        tuple(judged.judges[i] for i in used),
        place,
        item[~again],
        value[~again],
        missing,
        int(again.sum()),
    )


def constant_judges(judged: EvalSet, criterion: str) -> dict[str, int]:
    """Judges whose ratings are all equal, or who gave only one, and how many they gave.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> constant_judges(build([("1", "a", "A", {"overall": 2.0})]), "overall")
    {'A': 1}
    """
    values = judged.criterion(criterion)
    known = np.flatnonzero(~np.isnan(values))
    if len(known) == 0:
        return {}
    order = known[np.argsort(judged.rating_judge[known], kind="stable")]
    judges, starts, counts = np.unique(
        judged.rating_judge[order], return_index=True, return_counts=True
    )
    low, high = (extreme.reduceat(values[order], starts) for extreme in (np.minimum, np.maximum))
    flat = low == high
    numbers = zip(judges[flat].tolist(), counts[flat].tolist(), strict=True)
    return {judged.judges[judge]: count for judge, count in numbers}


def z_normalize(judged: EvalSet, criterion: str, ddof: int = 1) -> EvalSet:
    """The set with each judge's ratings on a criterion moved to mean 0 and standard deviation 1.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [("1", "a", "A", {"overall": 2.0}), ("1", "b", "A", {"overall": 4.0})]
    >>> z_normalize(build(rows), "overall", ddof=0).ratings["overall"]
    array([-1.,  1.])
    """
    if ddof not in (0, 1):
        raise SettingError(f"ddof: expected 0 or 1, found {ddof!r}")
    values = judged.criterion(criterion)
    known = ~np.isnan(values)
    judge = judged.rating_judge[known]
    size = len(judged.judges)
    counts = np.bincount(judge, minlength=size)
    means = np.bincount(judge, values[known], size) / np.maximum(counts, 1)
    squares = np.bincount(judge, (values[known] - means[judge]) ** 2, size)
    deviations = np.sqrt(squares / np.maximum(counts - ddof, 1))
    constant = constant_judges(judged, criterion)
    deviations[[name in constant for name in judged.judges]] = np.nan
    result = np.full(len(values), np.nan)
    result[known] = (values[known] - means[judge]) / deviations[judge]
    return dataclasses.replace(judged, ratings={**judged.ratings, criterion: result})


def preferences(judged: EvalSet, criterion: str = "rank") -> EvalSet:
    """The pairs of candidates that were ranked together, as items with the criterion `preference`.

    >>> from paragauge.meta.sets.evalset_builder import Builder
    >>> builder = Builder()
    >>> segment = builder.segment("1")
    >>> for system, rank in (("a", 2.0), ("b", 1.0)):
    ...     builder.rating(builder.item(segment, [system]), "A", {"rank": rank}, ("task",))
    >>> preferences(builder.done()).ratings["preference"]
    array([-1.])
    """
    values = judged.criterion(criterion)
    known = np.flatnonzero(~np.isnan(values) & (judged.rating_task >= 0))
    order = known[np.lexsort((judged.rating_item[known], judged.rating_task[known]))]
    task, item, value = judged.rating_task[order], judged.rating_item[order], values[order]
    firsts, seconds = _pairs_within(
        task, "pairs of ranked candidates", "check that the column task says what was ranked together"
    )
    signs = np.sign(value[seconds] - value[firsts])
    pairs, place = np.unique(item[firsts] * judged.items + item[seconds], return_inverse=True)
    # As the file has them: a judge's first preference is that of the first task.
    written = np.lexsort((place, order[firsts]))
    nothing = np.zeros(0, np.int64)
    return dataclasses.replace(
        judged,
        systems=(),
        item_segment=judged.item_segment[pairs // max(judged.items, 1)],
        output_item=nothing,
        output_system=nothing,
        rating_item=place[written],
        rating_judge=judged.rating_judge[order[firsts]][written],
        rating_task=task[firsts][written],
        ratings={"preference": signs[written]},
        candidates=None,
        scores={},
    )


@dataclass(frozen=True)
class Consistency:
    """How well a judge agrees with their own earlier ratings of the same items."""

    judge: str
    items: int
    pairs: int
    exact: float
    mean_absolute_difference: float
    pearson: Measure
    kappa: Measure


def consistency(judged: EvalSet, criterion: str, bins: int | None = None) -> tuple[Consistency, ...]:
    """One entry for each judge who rated items again, and one for all of them if there are several.

    Kappa is computed on `bins` equal parts of the range of the ratings, or on the ratings themselves.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [("1", "a", "A", {"overall": 2.0}), ("1", "a", "A", {"overall": 5.0})]
    >>> consistency(build(rows), "overall")[0].mean_absolute_difference
    3.0
    """
    judge, item, value, _ = _sorted_ratings(judged, criterion)
    key = judge * max(judged.items, 1) + item
    where, later = _pairs_within(
        key,
        "pairs of ratings of an item by the same judge",
        "check that the columns segment and system say what was rated",
    )
    if len(where) == 0:
        return ()
    labels = value if bins is None else bin_values(value, bins, float(value.min()), float(value.max()))
    refusal = too_fine(labels)

    def entry(name: str, part: slice) -> Consistency:
        before, after = where[part], later[part]
        who = ("the earlier ratings", "the later ratings")
        if refusal:
            kappa = undefined_measure(refusal, len(before))
        else:
            kappa = cohen_kappa(labels[before], labels[after])
        return Consistency(
            name,
            len(np.unique(key[before])),
            len(before),
            float(np.mean(value[before] == value[after])),
            float(np.mean(np.abs(value[before] - value[after]))),
            correlation(value[before], value[after], names=who, what="pairs"),
            kappa,
        )

    again, starts = np.unique(judge[where], return_index=True)
    ends = [*starts[1:].tolist(), len(where)]
    entries = [
        entry(judged.judges[one], slice(first, last))
        for one, first, last in zip(again.tolist(), starts.tolist(), ends, strict=True)
    ]
    if len(entries) > 1:
        entries.append(entry(ALL_JUDGES, slice(None)))
    return tuple(entries)


def _sorted_ratings(judged: EvalSet, criterion: str) -> tuple[Ints, Ints, Floats, int]:
    """Judge, item and value of the ratings, in order of judge and item; how many are missing."""
    values = judged.criterion(criterion)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.lexsort((judged.rating_item[known], judged.rating_judge[known]))]
    missing = len(values) - len(known)
    return judged.rating_judge[order], judged.rating_item[order], values[order], missing


def _pairs_within(key: Ints, what: str, remedy: str) -> tuple[Ints, Ints]:
    """All pairs of places, the earlier one first, of equal entries of a sorted array.

    `what` and `remedy` are for the error if they are too many.
    """
    pairs = count_pairs(np.unique(key, return_counts=True)[1])
    check_pairs(pairs, len(key), what, remedy, most=MOST_PAIRS, each=PAIRS_PER_RATING)
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for distance in range(1, len(key)):
        same = np.flatnonzero(key[:-distance] == key[distance:])
        if len(same) == 0:
            break
        firsts.append(same)
        seconds.append(same + distance)
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    order = np.lexsort((second, first))
    return first[order], second[order]
