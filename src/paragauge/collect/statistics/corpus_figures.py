"""The figures of section 3.3 of Chen and Dolan (2011) for a campaign.

The corpus is all answers that were not rejected (accepted, or not reviewed yet) to items that are not
controls, in one language and in all. A retired item counts if it has answers, as in exports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.statistics.answer_distribution import (
    AnswersPerItem,
    AnswersPerWorker,
    summarize_items,
    summarize_workers,
)
from paragauge.collect.statistics.tier_table import is_language, select_answers
from paragauge.collect.store.schema import items


@dataclass(frozen=True)
class CorpusFigures:
    """The figures for one language, or for all (`language` is None)."""

    language: str | None
    answers: int
    tier_2: int
    activity: AnswersPerWorker
    spread: AnswersPerItem
    tier_2_spread: AnswersPerItem

    @property
    def tier_2_share(self) -> float | None:
        """The part of the answers that come from tier 2."""
        return self.tier_2 / self.answers if self.answers else None


def compute_figures(
    connection: sa.Connection, campaign: Campaign, language: str
) -> tuple[list[int], CorpusFigures, CorpusFigures]:
    """Answers per item in any language; the figures for `language`, and those for all languages."""
    source = select_answers(campaign)
    not_rejected = source.c.decision != "reject"
    answered = items.c.id.in_(sa.select(source.c.item_id).where(not_rejected))
    ours = (items.c.campaign_id == campaign.id) & items.c.control.is_(None)
    counting = ours & ((items.c.state == "active") | answered)
    known = list(connection.scalars(sa.select(items.c.id).where(counting).order_by(items.c.id)))
    mine = is_language(connection, source, language).label("mine")

    def count(*keys: Any) -> Sequence[Any]:
        query = sa.select(*keys, sa.func.count()).where(not_rejected).group_by(*keys)
        return connection.execute(query).all()

    per_item = count(source.c.item_id, source.c.tier, mine)
    per_worker = count(source.c.worker_id, mine)

    def summarize(name: str | None) -> CorpusFigures:
        total, second = Counter(dict.fromkeys(known, 0)), Counter(dict.fromkeys(known, 0))
        people: Counter[int] = Counter()
        for item, tier, is_mine, number in per_item:
            if is_mine or name is None:
                total[item] += number
                second[item] += number if tier >= 2 else 0
        for worker, is_mine, number in per_worker:
            if is_mine or name is None:
                people[worker] += number
        spreads = summarize_items(total.values()), summarize_items(second.values())
        return CorpusFigures(
            name, total.total(), second.total(), summarize_workers(people.values()), *spreads
        )

    everything = summarize(None)
    per_item_total = Counter(dict.fromkeys(known, 0))
    for item, _, _, number in per_item:
        per_item_total[item] += number
    return list(per_item_total.values()), summarize(language), everything
