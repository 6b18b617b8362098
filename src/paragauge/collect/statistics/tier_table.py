"""Table 1 of Chen and Dolan (2011) for a campaign: pay, workers, submitted and accepted answers of each
tier, of one language and in total.

A submission has the language that the worker stated, by its tag: `English`, `en` and `en-US` are one
(`lexicon.language_names`). As in the paper, a worker who states the wrong language is counted under it.
Accepted are submissions whose latest review accepts them, or that need none. Answers to controls do not
count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.store.schema import items
from paragauge.collect.store.schema_answers import REVIEW_COUNTS, reviews, submissions
from paragauge.collect.store.store import Store
from paragauge.lexicon.language_names import name_language, normalize_language


@dataclass(frozen=True)
class TierRow:
    """One column of table 1: `in_language` is the paper's "(English)"."""

    tier: int
    pay_cents: int
    workers_in_language: int
    workers: int
    submitted_in_language: int
    submitted: int
    accepted_in_language: int
    accepted: int


def select_answers(campaign: Campaign) -> sa.Subquery:
    """The submissions of a campaign to items that are not controls, with their decision.

    It is that of the latest review: accept or reject; without one it is pending, or accept in a
    campaign that accepts automatically.
    """
    unreviewed = "accept" if campaign.settings.auto_accept else "pending"
    latest = (
        sa.select(sa.func.max(reviews.c.id))
        .where(reviews.c.submission_id == submissions.c.id, REVIEW_COUNTS)
        .correlate(submissions)
        .scalar_subquery()
    )
    return (
        sa.select(
            submissions.c.id,
            submissions.c.item_id,
            submissions.c.worker_id,
            submissions.c.tier,
            submissions.c.language,
            submissions.c.submitted_at,
            sa.func.coalesce(reviews.c.decision, unreviewed).label("decision"),
        )
        .select_from(submissions.join(items, items.c.id == submissions.c.item_id))
        .outerjoin(reviews, reviews.c.id == latest)
        .where(submissions.c.campaign_id == campaign.id, items.c.control.is_(None))
        .subquery("answers")
    )


def is_language(
    connection: sa.Connection, source: sa.Subquery, language: str
) -> sa.ColumnElement[bool]:
    """The condition that an answer of `source` is in the language, under any name of it."""
    tag = normalize_language(language)
    stated = connection.scalars(sa.select(source.c.language).distinct()).all()
    condition: sa.ColumnElement[bool] = source.c.language.in_(
        [name for name in stated if normalize_language(name) == tag]
    )
    return condition


def list_languages(store: Store, campaign: Campaign) -> list[tuple[str, str, int]]:
    """The languages of a campaign's answers: tag, name and number of answers, the most first."""
    source = select_answers(campaign)
    query = sa.select(source.c.language, sa.func.count()).group_by(source.c.language)
    counts: Counter[str] = Counter()
    with store.read() as connection:
        for stated, number in connection.execute(query):
            counts[normalize_language(stated)] += number
    return [(tag, name_language(tag), number) for tag, number in counts.most_common() if tag]


def compute_tier_table(
    connection: sa.Connection, campaign: Campaign, language: str
) -> tuple[TierRow, ...]:
    """Table 1 for a campaign, one row a tier; pay is that of the settings now."""
    source = select_answers(campaign)
    mine = is_language(connection, source, language)
    accepted = source.c.decision == "accept"

    def count_workers(condition: Any) -> sa.ColumnElement[int]:
        return sa.func.count(sa.distinct(sa.case((condition, source.c.worker_id))))

    def count_answers(condition: Any) -> sa.ColumnElement[int]:
        return sa.func.count(sa.case((condition, 1)))

    query = sa.select(
        source.c.tier,
        count_workers(mine),
        sa.func.count(sa.distinct(source.c.worker_id)),
        count_answers(mine),
        sa.func.count(),
        count_answers(mine & accepted),
        count_answers(accepted),
    ).group_by(source.c.tier)
    counts = {row[0]: tuple(row[1:]) for row in connection.execute(query)}
    tiers = sorted(campaign.settings.tiers.items())
    return tuple(
        TierRow(tier, settings.pay_cents, *counts.get(tier, (0,) * 6)) for tier, settings in tiers
    )
