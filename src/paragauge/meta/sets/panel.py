"""Panels, the input of correlations: the items of one group that have both a rating and all scores.

Policy for what is missing: an item without a rating (*missing gold*) is left out and counted, and so
is one for which any of the metrics compared has no score, so that all metrics are judged on the same
items. A group without any remaining item is left out, and its items are counted with those of the
first group.
Ratings of several judges are averaged first. A criterion on which a smaller number is better
(``rank``) and a metric that is lower for better candidates (TER) change sign, so that a positive
correlation always means agreement.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.sets.conditions import holds
from paragauge.meta.sets.evalset import EvalSet, MetricScores, is_lower_better

NO_RATING = "no rating"  # why candidates are left out


@dataclass(frozen=True)
class Panel:
    """Items of one group with their ratings `gold` [items], larger being better."""

    judged: EvalSet
    group: str
    criterion: str
    gold: Floats
    left_out: Mapping[str, int]
    judge: str | None = None
    system_level: bool = False  # scores of systems count where there are some

    @property
    def segment(self) -> Ints:
        """The segment of each item, int64 [items]: what is resampled."""
        return self.judged.item_segment

    def scores(self, label: str) -> MetricScores:
        """The scores of a metric, or the mean ratings on a criterion, of the items."""
        if label in self.judged.scores:
            scores = self.judged.scores[label]
            return scores.of_systems() if self.system_level else scores
        if label in self.judged.ratings:
            lower = is_lower_better(label)
            return MetricScores(label, label, self.judged.means(label), not lower)
        raise unknown_name("metric or criterion", label, [*self.judged.scores, *self.judged.ratings])


def panels(
    judged: EvalSet,
    criterion: str,
    predictors: Sequence[str],
    *,
    judge: str | None = None,
    where: str | None = None,
    system_level: bool = False,
) -> list[Panel]:
    """The panel of each group, for the ratings on one criterion by all judges or by one.

    With `system_level`, scores and ratings of systems replace those of segments where there are some.
    """
    judged.criterion(criterion)
    if where is not None:
        judged = judged.where(holds(where, judged.value_of))
    result: list[Panel] = []
    missing = {"no rating": 0, "no score": 0}
    for group in judged.groups:
        part = judged if len(judged.groups) == 1 else judged.of_group(group)
        gold = part.means(criterion, judge)
        if system_level and judge is None and criterion in part.system_ratings:
            gold = part.system_ratings[criterion]
        rated = ~np.isnan(gold)
        whole = Panel(part, group, criterion, gold, {}, system_level=system_level)
        scored = np.ones(part.items, bool)
        for label in predictors:
            scored &= ~np.isnan(whole.scores(label).values)
        left_out = {NO_RATING: int((~rated).sum()), "no score": int((rated & ~scored).sum())}
        keep = rated & scored
        sign = -1.0 if is_lower_better(criterion) else 1.0
        if keep.any():
            selected = part.where(keep)
            kept = sign * gold[keep]
            result.append(Panel(selected, group, criterion, kept, left_out, judge, system_level))
        else:
            missing = {reason: missing[reason] + count for reason, count in left_out.items()}
    if not result:
        all_of_it = Panel(judged, "", criterion, np.zeros(0), {})
        for label in predictors:
            if judged.items and np.isnan(all_of_it.scores(label).values).all():
                raise InputError(f"'{label}' has no value of any candidate; leave it out")
        who = "" if judge is None else f" by {judge}"
        condition = "" if where is None else f" and meets '{where}'"
        raise InputError(
            f"criterion '{criterion}': no item has a rating{who} and all scores{condition}; nothing to "
            "correlate"
        )
    for number, panel in enumerate(result):
        total = {r: count + missing[r] * (number == 0) for r, count in panel.left_out.items()}
        counted = {reason: count for reason, count in total.items() if count}
        result[number] = dataclasses.replace(panel, left_out=counted)
    return result
