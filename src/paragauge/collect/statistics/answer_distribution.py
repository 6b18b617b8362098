"""The distribution of answers over items and over workers (Chen and Dolan 2011, section 3.3).

The paper says of its corpus that each video has 41 descriptions on average, "with at least
27 for over 95 % of the videos", that 113 of 688 workers gave at least 100 and 51 at least 500, and
that one gave 3,496. These are functions of two lists: answers per item and answers per worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class AnswersPerItem:
    """Answers over items: `least` is the greatest number that over 95 % of the items have reached."""

    items: int
    answers: int
    mean: float | None
    least: int | None
    covered: int


@dataclass(frozen=True)
class AnswersPerWorker:
    """Answers over workers: how many gave at least one, 100 and 500, and the most of anyone."""

    workers: int
    with_100: int
    with_500: int
    largest: int


def summarize_items(answers_per_item: Iterable[int]) -> AnswersPerItem:
    """The spread over items, those without an answer included.

    Of 20 items with 1, 2, ... 20 answers, 19 have at least 2, which is not over 95 %; all have one.

    >>> summarize_items(range(1, 21))
    AnswersPerItem(items=20, answers=210, mean=10.5, least=1, covered=20)
    >>> summarize_items([0] + [3] * 39).least
    3
    """
    counts = sorted(answers_per_item)
    total, size = sum(counts), len(counts)
    if not size:
        return AnswersPerItem(0, 0, None, None, 0)
    # Fewer than one item in twenty may have fewer answers: n < size / 20, so n is at most this.
    below = (size - 1) // 20
    covered = sum(count > 0 for count in counts)
    return AnswersPerItem(size, total, total / size, counts[below], covered)


def summarize_workers(answers_per_worker: Iterable[int]) -> AnswersPerWorker:
    """The activity of workers; one without an answer does not count.

    >>> summarize_workers([0, 1, 99, 100, 500, 3496])
    AnswersPerWorker(workers=5, with_100=3, with_500=2, largest=3496)
    """
    counts = [count for count in answers_per_worker if count > 0]
    hundred, many = (sum(count >= limit for count in counts) for limit in (100, 500))
    return AnswersPerWorker(len(counts), hundred, many, max(counts, default=0))
