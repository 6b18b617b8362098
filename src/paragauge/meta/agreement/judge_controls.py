"""Do judges notice obvious quality? Checks on positive and negative controls.

A *positive control* is a system that must do well (a paraphrase written by a person), a *negative
control* one that must not (words deleted at random), as in Weese et al. (2014), section 6: "We excluded
judgments from workers who did not perform well on the positive and negative controls." The paper does
not define performing well; here it is a rule that anyone can check.

A judge is tested on each segment of which they rated both kinds (several of one kind are averaged):
the positive control must be rated above the negative one. Ties count half, as a guess would.
A judge with a share below `threshold` fails. The default, 0.75, is halfway between guessing (0.5) and
never being wrong. A judge tested on fewer than `least` segments (default 5) is *not checked*, and kept
unless `keep_unchecked` is false. Two one-sided p-values say how likely a guesser would do as well: the
sign test over segments without a tie, and Wilcoxon's signed-rank test. They are for information only,
because with many segments even a careless judge is significantly better than a guesser.

On criteria where a smaller number is better, such as ranks, above means smaller.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.measure import Measure, undefined_measure
from paragauge.meta.sets.evalset import EvalSet, is_lower_better
from paragauge.meta.significance.distributions import fair_tosses_p
from paragauge.meta.significance.signed_rank import signed_rank_p

PASSED = "passed"
FAILED = "failed"
NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class JudgeControl:
    """How one judge did on the controls."""

    judge: str
    status: str
    segments: int
    above: int
    ties: int
    below: int
    share: float | None  # (above + ties / 2) / segments; None without segments
    mean_positive: float | None
    mean_negative: float | None
    p_sign: Measure
    p_wilcoxon: Measure
    ratings: int  # all ratings of the judge, controls among them, on the criterion checked
    excluded: bool
    reason: str


@dataclass(frozen=True)
class ControlReport:
    """All judges on the controls, and the rule."""

    criterion: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    threshold: float
    least: int
    keep_unchecked: bool
    judges: tuple[JudgeControl, ...]

    @property
    def excluded(self) -> tuple[str, ...]:
        """The judges to leave out."""
        return tuple(one.judge for one in self.judges if one.excluded)

    @property
    def ratings_excluded(self) -> int:
        """How many ratings go with them."""
        return sum(one.ratings for one in self.judges if one.excluded)

    def exclude_from(self, judged: EvalSet) -> EvalSet:
        """The set without the controls and without the judges that failed."""
        return judged.without_judges(self.excluded).without_systems(
            dict.fromkeys((*self.positive, *self.negative))
        )


def check_controls(
    judged: EvalSet,
    criterion: str,
    *,
    positive: Collection[str],
    negative: Collection[str],
    threshold: float = 0.75,
    least: int = 5,
    keep_unchecked: bool = True,
) -> ControlReport:
    """Test every judge on the control systems.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rated = {"good": 5.0, "bad": 1.0}
    >>> rows = [(str(i), s, "A", {"overall": v}) for i in range(6) for s, v in rated.items()]
    >>> report = check_controls(build(rows), "overall", positive=["good"], negative=["bad"])
    >>> report.judges[0].status, report.judges[0].share
    ('passed', 1.0)
    """
    _check_settings(judged, positive, negative, threshold, least)
    values = judged.criterion(criterion)
    judges = []
    means = [_segment_means(judged, values, names) for names in (positive, negative)]
    sign = -1.0 if is_lower_better(criterion) else 1.0
    cells, *both = np.intersect1d(means[0][0], means[1][0], assume_unique=True, return_indices=True)
    apart = sign * (means[0][1][both[0]] - means[1][1][both[1]])
    bounds = np.arange(len(judged.judges) + 1) * len(judged.segments)
    starts = np.searchsorted(cells, bounds)
    places = [np.searchsorted(cell, bounds) for cell, _ in means]
    counts = np.bincount(judged.rating_judge[~np.isnan(values)], minlength=len(judged.judges))
    for number, name in enumerate(judged.judges):
        ratings = int(counts[number])
        if ratings == 0:
            continue
        differences = apart[starts[number] : starts[number + 1]]
        mine = [
            mean[place[number] : place[number + 1]]
            for (_, mean), place in zip(means, places, strict=True)
        ]
        above, ties = int((differences > 0).sum()), int((differences == 0).sum())
        segments = len(differences)
        share = (above + ties / 2) / segments if segments else None
        status, reason = PASSED, ""
        if segments < least or share is None:
            status = NOT_CHECKED
            reason = f"rated both controls on {segments} of at least {least} segments"
        elif share < threshold:
            status = FAILED
            reason = f"rated the positive control higher in {share:.0%} of {segments} segments"
        judges.append(
            JudgeControl(
                name,
                status,
                segments,
                above,
                ties,
                segments - above - ties,
                share,
                _mean(mine[0]),
                _mean(mine[1]),
                _sign_test(differences),
                _wilcoxon(differences),
                ratings,
                status == FAILED or (status == NOT_CHECKED and not keep_unchecked),
                reason,
            )
        )
    return ControlReport(
        criterion, tuple(positive), tuple(negative), threshold, least, keep_unchecked, tuple(judges)
    )


def _check_settings(
    judged: EvalSet,
    positive: Collection[str],
    negative: Collection[str],
    threshold: float,
    least: int,
) -> None:
    for kind, names in (("positive", positive), ("negative", negative)):
        if not names:
            raise SettingError(
                f"expected at least one {kind} control, found none; judges are tested on both kinds"
            )
        for name in names:
            if name not in judged.systems:
                raise unknown_name("system", name, judged.systems)
    both = sorted(set(positive) & set(negative))
    if both:
        raise SettingError(f"system '{both[0]}' cannot be a positive and a negative control")
    if not 0 < threshold <= 1:
        raise SettingError(f"expected a threshold between 0 and 1, found {threshold}")
    if least < 1:
        raise SettingError(f"least: expected a whole number from 1, found {least}")
    if not len(judged.rating_item):
        raise InputError("expected ratings to check the judges on, found none")


def _segment_means(judged: EvalSet, values: Floats, names: Collection[str]) -> tuple[Ints, Floats]:
    """The mean rating of these systems' items for each judge and segment that has one.

    The keys before it, in order, are judge * segments + segment.
    """
    is_control = np.isin(judged.output_system, [judged.systems.index(name) for name in names])
    control = np.zeros(judged.items, bool)
    control[judged.output_item[is_control]] = True
    rows = np.flatnonzero(control[judged.rating_item] & ~np.isnan(values))
    segment = judged.item_segment[judged.rating_item[rows]]
    cells, place = np.unique(
        judged.rating_judge[rows] * len(judged.segments) + segment, return_inverse=True
    )
    return cells, np.bincount(place, values[rows], len(cells)) / np.bincount(place)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _sign_test(differences: Floats) -> Measure:
    moved = differences[differences != 0]
    if len(moved) == 0:
        return undefined_measure("no segment on which the controls differ", 0)
    return Measure(fair_tosses_p(int((moved > 0).sum()), len(moved)), len(moved))


def _wilcoxon(differences: Floats) -> Measure:
    moved = differences[differences != 0]
    if len(moved) == 0:
        return undefined_measure("no segment on which the controls differ", 0)
    return Measure(signed_rank_p(moved), len(moved))
