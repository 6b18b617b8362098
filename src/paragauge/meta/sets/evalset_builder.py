"""Build evaluation sets row by row.

`Builder` numbers groups, segments, systems, judges and items in order of appearance, refuses rows that
contradict earlier ones, and makes the flat arrays of an `EvalSet`. `build` does so for rows in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.metrics.outside.given_scores import is_higher_better

Value = TypeVar("Value")


class Builder:
    """Collects ratings row by row; `done` gives the set."""

    def __init__(self) -> None:
        self._groups: dict[str, int] = {}
        self._segments: dict[tuple[str, str], int] = {}
        self._systems: dict[str, int] = {}
        self._judges: dict[str, int] = {}
        self._tasks: dict[tuple[object, ...], int] = {}
        self._outputs: dict[tuple[int, int], int] = {}
        self._anonymous: dict[tuple[int, str], int] = {}
        self._segment_group: list[int] = []
        self._item_segment: list[int] = []
        self._rows: list[tuple[int, int, int]] = []
        self._ratings: dict[str, dict[int, float]] = {}
        self._sources: dict[int, tuple[str, ...]] = {}
        self._references: dict[int, tuple[str, ...]] = {}
        self._candidates: dict[int, str] = {}
        self._scores: dict[str, dict[int, float]] = {}

    def segment(
        self,
        name: str,
        group: str = "",
        sources: Iterable[str] = (),
        references: Iterable[str] = (),
    ) -> int:
        """The number of a segment; its texts must be the same each time."""
        key = (group, name)
        if key not in self._segments:
            self._segments[key] = len(self._segments)
            self._segment_group.append(self._groups.setdefault(group, len(self._groups)))
        number = self._segments[key]
        for what, known, texts in (
            ("source", self._sources, tuple(sources)),
            ("reference", self._references, tuple(references)),
        ):
            if texts and known.setdefault(number, texts) != texts:
                raise InputError(f"segment '{name}' has two different {what}s; rename one segment")
        return number

    def item(
        self,
        segment: int,
        systems: Iterable[str],
        candidate: str | None = None,
        *,
        merge: bool = True,
    ) -> int:
        """The number of an item: that of one of these systems, or a new one.

        Without systems it is that of the same candidate, or always a new one unless `merge`.
        """
        numbers = [self._systems.setdefault(name, len(self._systems)) for name in systems]
        items = {self._outputs[segment, one] for one in numbers if (segment, one) in self._outputs}
        if not numbers:
            alone = candidate is None or not merge
            key = (segment, f"\t{len(self._item_segment)}" if alone else str(candidate))
            item = self._anonymous.setdefault(key, len(self._item_segment))
        elif len(items) > 1:
            raise InputError("two of these systems have different candidates for this segment")
        else:
            item = items.pop() if items else len(self._item_segment)
        if item == len(self._item_segment):
            self._item_segment.append(segment)
        for one in numbers:
            self._outputs[segment, one] = item
        if candidate is not None and self._candidates.setdefault(item, candidate) != candidate:
            raise InputError("this system has another candidate for this segment already")
        return item

    def rating(
        self, item: int, judge: str, values: Mapping[str, float], task: tuple[object, ...] | None = None
    ) -> None:
        """One judge's rating of an item."""
        number = -1 if task is None else self._tasks.setdefault(task, len(self._tasks))
        row = len(self._rows)
        self._rows.append((item, self._judges.setdefault(judge, len(self._judges)), number))
        for name, value in values.items():
            self._ratings.setdefault(name, {})[row] = value

    def score(self, item: int, label: str, value: float) -> None:
        """A metric's score of an item, computed elsewhere."""
        known = self._scores.setdefault(label, {})
        before = known.setdefault(item, value)
        if before != value and not (np.isnan(before) and np.isnan(value)):
            raise InputError(f"metric '{label}' has two scores, {before:g} and {value:g}")

    def done(self) -> EvalSet:
        """The set."""
        rows = np.array(self._rows, np.int64).reshape(-1, 3)
        outputs = np.array(
            [(item, system) for (_, system), item in self._outputs.items()], np.int64
        ).reshape(-1, 2)
        segments, items = len(self._segments), len(self._item_segment)
        return EvalSet(
            segments=tuple(name for _, name in self._segments),
            systems=tuple(self._systems),
            judges=tuple(self._judges),
            groups=tuple(self._groups),
            segment_group=np.array(self._segment_group, np.int64),
            item_segment=np.array(self._item_segment, np.int64),
            output_item=outputs[:, 0],
            output_system=outputs[:, 1],
            rating_item=rows[:, 0],
            rating_judge=rows[:, 1],
            rating_task=rows[:, 2],
            ratings={name: _fill(known, len(rows)) for name, known in self._ratings.items()},
            sources=_all_or_none(self._sources, segments, "source"),
            references=_all_or_none(self._references, segments, "reference"),
            candidates=_all_or_none(self._candidates, items, "candidate"),
            scores=self.scores(items),
        )

    def scores(self, items: int) -> dict[str, MetricScores]:
        """The scores given so far, for a set of that many items.

        A label that names one of the package's metrics, such as `ter`, or a part of one, such as
        `pem.target_f1`, has its direction.
        """
        result = {}
        for label, known in self._scores.items():
            result[label] = MetricScores(label, label, _fill(known, items), is_higher_better(label))
        return result


def build(
    rows: Iterable[tuple[str, str, str, Mapping[str, float]]],
    *,
    sources: Mapping[str, Iterable[str]] | None = None,
    references: Mapping[str, Iterable[str]] | None = None,
    candidates: Mapping[tuple[str, str], str] | None = None,
) -> EvalSet:
    """A set from rows (segment, system, judge, {criterion: value}) and texts by name.

    >>> rows = [("1", "a", "A", {"overall": 2.0}), ("1", "b", "A", {"overall": 5.0})]
    >>> build(rows).systems
    ('a', 'b')
    """
    builder = Builder()
    for segment, system, judge, values in rows:
        number = builder.segment(
            segment,
            sources=() if sources is None else sources[segment],
            references=() if references is None else references[segment],
        )
        candidate = None if candidates is None else candidates[segment, system]
        builder.rating(builder.item(number, [system], candidate), judge, values)
    return builder.done()


def _fill(known: Mapping[int, float], size: int) -> Floats:
    values = np.full(size, np.nan)
    values[list(known)] = list(known.values())
    return values


def _all_or_none(known: Mapping[int, Value], size: int, what: str) -> tuple[Value, ...] | None:
    if not known:
        return None
    if len(known) < size:
        raise InputError(
            f"expected a {what} for each of {size}, found {len(known)}; give all of them or none"
        )
    return tuple(known[i] for i in range(size))
