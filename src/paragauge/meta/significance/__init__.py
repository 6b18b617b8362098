"""Is a difference real? Tests, corrected p-values, and comparisons of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.meta.significance.buckets import Buckets, BucketScore, Grouping
    from paragauge.meta.significance.comparison import Comparison, Difference, compare, compare_batches
    from paragauge.meta.significance.ngram_differences import NgramCounts, NgramDifference
    from paragauge.meta.significance.system_pairs import Pairwise, pairwise
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "BucketScore",
    "Buckets",
    "Comparison",
    "Difference",
    "Grouping",
    "NgramCounts",
    "NgramDifference",
    "Pairwise",
    "compare",
    "compare_batches",
    "pairwise",
]
