"""The figures of section 3.3 of Chen and Dolan (2011) for a campaign.

The corpus is all answers that were not rejected (accepted, or not reviewed yet) to items that are no
controls, in one language and in all. A retired item counts if it has answers, as in exports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.statistics.answer_distribution import Activity, Spread, activity, spread
from paragauge.collect.statistics.tier_table import answers, spoken
from paragauge.collect.store.schema import items


@dataclass(frozen=True)
class Corpus:
    """The figures for one language, or for all (`language` is None)."""

    language: str | None
    answers: int
    tier_2: int
    activity: Activity
    spread: Spread
    tier_2_spread: Spread

    @property
    def tier_2_share(self) -> float | None:
        """The part of the answers that come from tier 2."""
        return self.tier_2 / self.answers if self.answers else None


def corpora(
    connection: sa.Connection, campaign: Campaign, language: str
) -> tuple[list[int], Corpus, Corpus]:
    """Answers per item in any language; the figures for `language`, and those for all languages."""
    source = answers(campaign)
    kept = source.c.decision != "reject"
    answered = items.c.id.in_(sa.select(source.c.item_id).where(kept))
    ours = (items.c.campaign_id == campaign.id) & items.c.control.is_(None)
    counting = ours & ((items.c.state == "active") | answered)
    known = list(connection.scalars(sa.select(items.c.id).where(counting).order_by(items.c.id)))
    mine = spoken(source.c.language, language).label("mine")

    def counted(*keys: Any) -> Sequence[Any]:
        query = sa.select(*keys, sa.func.count()).where(kept).group_by(*keys)
        return connection.execute(query).all()

    per_item = counted(source.c.item_id, source.c.tier, mine)
    per_worker = counted(source.c.worker_id, mine)

    def figures(name: str | None) -> Corpus:
        total, second = Counter(dict.fromkeys(known, 0)), Counter(dict.fromkeys(known, 0))
        people: Counter[int] = Counter()
        for item, tier, is_mine, number in per_item:
            if is_mine or name is None:
                total[item] += number
                second[item] += number if tier >= 2 else 0
        for worker, is_mine, number in per_worker:
            if is_mine or name is None:
                people[worker] += number
        spreads = spread(total.values()), spread(second.values())
        return Corpus(name, total.total(), second.total(), activity(people.values()), *spreads)

    everything = figures(None)
    given = Counter(dict.fromkeys(known, 0))
    for item, _, _, number in per_item:
        given[item] += number
    return list(given.values()), figures(language), everything
