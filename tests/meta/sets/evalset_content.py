"""What an evaluation set says, and what a call that fails says."""

from __future__ import annotations

import pytest

from paragauge.errors import ParagaugeError
from paragauge.meta.sets.evalset import EvalSet


def message(call, *arguments, **settings):
    with pytest.raises(ParagaugeError) as caught:
        call(*arguments, **settings)
    return str(caught.value)


def content(judged: EvalSet) -> list:
    """What a set says, whatever the numbers of its parts."""
    systems: dict[int, set[str]] = {}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        systems.setdefault(item, set()).add(judged.systems[system])
    names = []
    for item, segment in enumerate(judged.item_segment.tolist()):
        names.append(
            (
                judged.groups[judged.segment_group[segment]],
                judged.segments[segment],
                tuple(sorted(systems.get(item, ()))),
                None if judged.candidates is None else judged.candidates[item],
                None if judged.sources is None else judged.sources[segment],
                None if judged.references is None else judged.references[segment],
                tuple((label, repr(one.values[item])) for label, one in sorted(judged.scores.items())),
            )
        )
    ratings = [
        (names[item], judged.judges[judge], tuple((c, repr(v[row])) for c, v in judged.ratings.items()))
        for row, (item, judge) in enumerate(zip(judged.rating_item, judged.rating_judge, strict=True))
    ]
    return [sorted(map(repr, names)), sorted(map(repr, ratings))]


def tasks(judged: EvalSet) -> list[set[int]]:
    """Which rows of ratings belong together, by their content."""
    rows: dict[int, list[str]] = {}
    for row, task in enumerate(judged.rating_task.tolist()):
        item = judged.rating_item[row]
        rows.setdefault(task, []).append(
            repr((judged.segments[judged.item_segment[item]], judged.judges[judged.rating_judge[row]]))
        )
    return sorted(map(sorted, (group for task, group in rows.items() if task >= 0)))
