"""The state of a campaign: progress, rate, workers, cost, coverage, and the figures of a paper.

Everything is counted by the database; items that are controls count nowhere. The corpus of section 3.3
of Chen and Dolan (2011) is all answers that were not rejected, in the requested language and in any.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import budget
from paragauge.collect.campaigns.budget import Costs
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.statistics.corpus_figures import CorpusFigures, compute_figures
from paragauge.collect.statistics.survey_tallies import SurveyTally, tally_survey
from paragauge.collect.statistics.task_times import TaskTimes, measure_times
from paragauge.collect.statistics.tier_table import TierRow, compute_tier_table, select_answers
from paragauge.collect.store.schema import assignments, item_tiers, items, memberships, workers
from paragauge.collect.store.store import Store

RECENT = 7


@dataclass(frozen=True)
class Progress:
    """Answers wanted and given; `open` are being written now, `undecided` wait for a review."""

    items: int
    retired: int
    wanted: int
    submitted: int
    accepted: int
    rejected: int
    open: int
    skipped: int
    expired: int

    @property
    def undecided(self) -> int:
        """Submitted, neither accepted nor rejected."""
        return self.submitted - self.accepted - self.rejected

    @property
    def kept(self) -> int:
        """Submitted and not rejected: these fill the quota."""
        return self.submitted - self.rejected

    @property
    def share(self) -> float | None:
        """Kept of those wanted; None if nothing is wanted."""
        return self.kept / self.wanted if self.wanted else None


@dataclass(frozen=True)
class Day:
    """Answers of one day (UTC), by tier."""

    date: date
    tiers: dict[int, int]

    @property
    def submitted(self) -> int:
        """Answers of all tiers."""
        return sum(self.tiers.values())


@dataclass(frozen=True)
class MemberCounts:
    """Members of a campaign: all, qualified for tier 2, warned, blocked."""

    members: int
    qualified: int
    warned: int
    blocked: int


@dataclass(frozen=True)
class Statistics:
    """All that is known about a campaign at one moment."""

    slug: str
    at: datetime
    language: str
    progress: Progress
    costs: Costs
    standings: MemberCounts
    tiers: tuple[TierRow, ...]
    corpus: CorpusFigures
    everything: CorpusFigures
    days: tuple[Day, ...]
    coverage: dict[int, int]
    times: TaskTimes
    survey: tuple[SurveyTally, ...]

    @property
    def busiest(self) -> Day | None:
        """The day with the most answers, the first of several."""
        return max(self.days, key=lambda day: day.submitted, default=None)

    @property
    def rate(self) -> float:
        """Answers a day over the last seven days, or since the first answer, today included."""
        if not self.days:
            return 0.0
        today = self.at.date()
        first = max(self.days[0].date, today - timedelta(days=RECENT - 1))
        submitted = sum(day.submitted for day in self.days if day.date >= first)
        return submitted / max(1, (today - first).days + 1)

    @property
    def days_left(self) -> int | None:
        """Days until all answers are in at this rate; None if there is no rate."""
        left = self.progress.wanted - self.progress.kept
        return math.ceil(left / self.rate) if self.rate else None


def compute_statistics(store: Store, campaign: Campaign, language: str = "English") -> Statistics:
    """Everything about a campaign, as of now."""
    with store.read() as connection:
        per_item, mine, everything = compute_figures(connection, campaign, language)
        return Statistics(
            slug=campaign.slug,
            at=store.clock(),
            language=language,
            progress=measure_progress(connection, campaign),
            costs=budget.compute_costs(store, campaign),
            standings=_count_members(connection, campaign.id),
            tiers=compute_tier_table(connection, campaign, language),
            corpus=mine,
            everything=everything,
            days=_count_days(connection, campaign),
            coverage=dict(sorted(Counter(per_item).items())),
            times=measure_times(connection, campaign),
            survey=tally_survey(connection, campaign),
        )


def measure_progress(connection: sa.Connection, campaign: Campaign) -> Progress:
    """How far a campaign is; a retired item wants only the answers it has."""
    proper = (items.c.campaign_id == campaign.id) & items.c.control.is_(None)
    count = sa.select(items.c.state, sa.func.count()).where(proper).group_by(items.c.state)
    item_counts = _read_counts(connection, count)
    quotas = sa.case((items.c.state == "active", item_tiers.c.wanted), else_=item_tiers.c.taken)
    wanted = connection.scalar(
        sa.select(sa.func.coalesce(sa.func.sum(quotas), 0))
        .select_from(item_tiers.join(items))
        .where(proper)
    )
    source = select_answers(campaign)
    by_decision = sa.select(source.c.decision, sa.func.count()).group_by(source.c.decision)
    decided = _read_counts(connection, by_decision)
    states = (
        sa.select(assignments.c.state, sa.func.count())
        .select_from(assignments.join(items, items.c.id == assignments.c.item_id))
        .where(proper)
        .group_by(assignments.c.state)
    )
    tasks = _read_counts(connection, states)
    return Progress(
        items=item_counts.get("active", 0),
        retired=item_counts.get("retired", 0),
        wanted=int(wanted or 0),
        submitted=sum(decided.values()),
        accepted=decided.get("accept", 0),
        rejected=decided.get("reject", 0),
        open=tasks.get("open", 0),
        skipped=tasks.get("skipped", 0),
        expired=tasks.get("expired", 0),
    )


def _read_counts(connection: sa.Connection, query: Any) -> dict[str, int]:
    """The rows of a query for names and numbers."""
    rows: Any = connection.execute(query)
    return dict(rows.all())


def _count_members(connection: sa.Connection, campaign_id: int) -> MemberCounts:
    """A worker's tier and state are the higher of those here and those for all campaigns."""
    joined = memberships.join(workers, workers.c.id == memberships.c.worker_id)
    blocked = (memberships.c.state == "blocked") | (workers.c.state == "blocked")
    warned = ((memberships.c.state == "warned") | (workers.c.state == "warned")) & ~blocked
    qualified = (memberships.c.tier >= 2) | ((workers.c.tier >= 2) & ~memberships.c.refused)
    counts = [sa.func.count(sa.case((condition, 1))) for condition in (qualified, warned, blocked)]
    query = sa.select(sa.func.count(), *counts).select_from(joined)
    row: Any = connection.execute(query.where(memberships.c.campaign_id == campaign_id)).one()
    return MemberCounts(*row)


def _count_days(connection: sa.Connection, campaign: Campaign) -> tuple[Day, ...]:
    """Every day from the first answer to the last, empty ones between them included."""
    source = select_answers(campaign)
    at: Any = source.c.submitted_at
    if connection.dialect.name == "postgresql":
        at = sa.func.timezone("UTC", at)
    day = sa.cast(sa.func.date(at), sa.Text)
    query = sa.select(day, source.c.tier, sa.func.count()).group_by(day, source.c.tier)
    counts: dict[date, dict[int, int]] = {}
    for text, tier, number in connection.execute(query):
        counts.setdefault(date.fromisoformat(text), {})[tier] = number
    if not counts:
        return ()
    first, last = min(counts), max(counts)
    every = (first + timedelta(days=i) for i in range((last - first).days + 1))
    return tuple(Day(entry, dict(sorted(counts.get(entry, {}).items()))) for entry in every)
