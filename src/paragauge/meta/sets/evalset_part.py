"""The part of an evaluation set that is asked for: what lies outside may be missing anywhere."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.meta.sets.evalset import EvalSet
from paragauge.text.rated_pairs import SegmentRange, segment_number


@dataclass(frozen=True)
class EvalSetPart:
    """Without some systems, some segments only, one group only; everything by default.

    >>> part = EvalSetPart(excluded=frozenset({"copy"}), segments=SegmentRange(1, 2))
    >>> part.has_system("copy"), part.has_segment("2"), part.has_segment("3")
    (False, True, False)
    """

    excluded: frozenset[str] = frozenset()
    segments: SegmentRange | None = None
    group: str | None = None

    def of(self, judged: EvalSet) -> EvalSet:
        """A set reduced to the part."""
        if self.group is not None:
            judged = judged.only_group(self.group)
        if self.segments is not None:
            judged = judged.only_segments(self.segments)
        return judged.without_systems(sorted(self.excluded)) if self.excluded else judged

    def has_system(self, name: str) -> bool:
        """Whether a system belongs to it."""
        return name not in self.excluded

    def has_segment(self, name: str) -> bool:
        """Whether a segment belongs to it."""
        return self.segments is None or (segment_number(name) or 0) in self.segments

    def has_group(self, name: str) -> bool:
        """Whether a group belongs to it."""
        return self.group is None or name in ("", self.group)


WHOLE = EvalSetPart()
