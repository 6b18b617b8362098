"""The scores, examples and comparison that a report shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.meta.significance.buckets import Grouping
from paragauge.meta.significance.comparison import Comparison
from paragauge.meta.significance.ngram_differences import NgramCounts
from paragauge.metrics.scoring import ScoreSheet
from paragauge.report.pages.sections.stored_segments import Examples


@dataclass(frozen=True)
class Evaluation:
    """Scores, their comparison, and the segments that were kept."""

    sheet: ScoreSheet
    examples: Examples
    comparison: Comparison | None = None
    groupings: Sequence[Grouping] = ()
    ngrams: NgramCounts | None = None
    command: str | None = None

    @property
    def systems(self) -> list[str]:
        """Systems in the order in which they were given, which decides colors and markers."""
        return list(dict.fromkeys(score.system for score in self.sheet.scores))

    @property
    def labels(self) -> list[str]:
        """Metrics in the order in which they were given."""
        return list(dict.fromkeys(score.metric for score in self.sheet.scores))

    @property
    def baseline(self) -> str:
        """The system to compare with: that of the comparison, or the first."""
        return self.systems[0] if self.comparison is None else self.comparison.baseline

    def title(self, label: str) -> str:
        """A metric's name as papers print it."""
        return self.sheet[self.systems[0], label].title

    def higher_is_better(self, label: str) -> bool:
        """Whether large values of a metric are good."""
        return self.sheet[self.systems[0], label].higher_is_better

    def partial(self) -> str:
        """A note if only some segments were kept, else an empty text."""
        if len(self.examples) == self.sheet.segments:
            return ""
        return f"From the first {len(self.examples):,} of {self.sheet.segments:,} segments."
