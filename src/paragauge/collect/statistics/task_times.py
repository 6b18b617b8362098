"""How long tasks take: of all answers, and of those of experienced workers.

Chen and Dolan (2011, section 3): "On average, annotators completed each task within 80 seconds ...
Experienced annotators were even faster, completing the task in only 20 to 25 seconds." An answer's time
is from handing out the task to storing the answer. A worker is experienced from the answer after the
first `EXPERIENCE` in the campaign on. Answers to controls and imported ones do not count; a worker who
leaves a task open for long makes the mean large, so that the median stands beside it.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.store.schema import IMPORT_SEED, assignments, items
from paragauge.collect.store.schema_answers import submissions

EXPERIENCE = 20


@dataclass(frozen=True)
class TaskTimes:
    """Numbers of answers, and their mean and median seconds; None where there are none."""

    answers: int
    mean: float | None
    median: float | None
    experienced_answers: int
    experienced_mean: float | None
    experienced_median: float | None

    @classmethod
    def of(cls, times: Iterable[tuple[int, float]], experience: int = EXPERIENCE) -> TaskTimes:
        """The figures of workers and seconds, in the order of the answers.

        >>> TaskTimes.of([(1, 90.0), (2, 60.0), (1, 30.0), (1, 20.0)], experience=1)
        TaskTimes(answers=4, mean=50.0, median=45.0, experienced_answers=2, experienced_mean=25.0,
        experienced_median=25.0)
        """
        every: list[float] = []
        experienced: list[float] = []
        done: Counter[int] = Counter()
        for worker, seconds in times:
            every.append(seconds)
            if done[worker] >= experience:
                experienced.append(seconds)
            done[worker] += 1
        return cls(len(every), *_middle(every), len(experienced), *_middle(experienced))


def measure_times(connection: sa.Connection, campaign: Campaign) -> TaskTimes:
    """The times of a campaign's answers that are not to controls."""
    query = (
        sa.select(submissions.c.worker_id, submissions.c.seconds)
        .select_from(submissions)
        .join(items, items.c.id == submissions.c.item_id)
        .join(assignments, assignments.c.id == submissions.c.assignment_id)
        .where(
            submissions.c.campaign_id == campaign.id,
            items.c.control.is_(None),
            submissions.c.seconds.is_not(None),
            assignments.c.seed != IMPORT_SEED,
        )
        .order_by(submissions.c.id)
    )
    return TaskTimes.of((row[0], row[1]) for row in connection.execute(query))


def _middle(seconds: Sequence[float]) -> tuple[float | None, float | None]:
    if not seconds:
        return None, None
    return statistics.fmean(seconds), statistics.median(seconds)
