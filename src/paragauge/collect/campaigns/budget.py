"""The budget of a campaign, which cannot be exceeded, and what the campaign will cost.

The campaign's `committed_cents` is always the sum over its ledger (`ledger.py`) of reserved, earned and
fees, and grows only by

    UPDATE campaigns SET committed_cents = committed_cents + cost
    WHERE committed_cents + cost <= budget_cents

so that concurrent workers can never exceed the budget.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.store.schema import campaigns, item_tiers, items
from paragauge.collect.store.schema_answers import ledger
from paragauge.collect.store.store import Store, Transaction


@dataclass(frozen=True)
class Costs:
    """Money of a campaign in cents, fees included except in `earned` and `paid`."""

    spent: int
    reserved: int
    at_completion: int
    budget: int
    earned: int
    fees: int
    paid: int

    @property
    def lacking(self) -> int:
        """What the budget lacks for the campaign to be completed.

        >>> Costs(0, 0, at_completion=160, budget=100, earned=0, fees=0, paid=0).lacking
        60
        """
        return max(0, self.at_completion - self.budget)


_TOTAL = campaigns.c.committed_cents + sa.bindparam("cents", type_=sa.Integer)
_RELEASE = (
    sa.update(campaigns)
    .where(campaigns.c.id == sa.bindparam("campaign"))
    .values(committed_cents=_TOTAL)
)
_COMMIT = _RELEASE.where(campaigns.c.budget_cents >= _TOTAL)


def commit_cents(transaction: Transaction, campaign_id: int, cents: int) -> bool:
    """Add to the committed money of the campaign; False if the budget does not allow it."""
    update = _COMMIT if cents > 0 else _RELEASE
    return (
        transaction.connection.execute(update, {"campaign": campaign_id, "cents": cents}).rowcount == 1
    )


def compute_costs(store: Store, campaign: Campaign) -> Costs:
    """What a campaign has spent and reserved, and what it will cost when it is complete.

    Controls are paid too: they are counted at their rate among the remaining tasks, while they last.
    """
    names = ("reserved_cents", "earned_cents", "fee_cents", "paid_cents")
    sums = sa.select(*(sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in names))
    room = sa.func.sum(item_tiers.c.wanted - item_tiers.c.taken)
    ordinary = items.c.control.is_(None)
    left = (
        sa.select(
            item_tiers.c.tier,
            sa.func.coalesce(room.filter(ordinary), 0),
            sa.func.coalesce(room.filter(~ordinary), 0),
        )
        .join(items)
        .where(items.c.campaign_id == campaign.id, items.c.state == "active")
        .group_by(item_tiers.c.tier)
    )
    rules = campaign.settings.controls
    budget = sa.select(campaigns.c.budget_cents).where(campaigns.c.id == campaign.id)
    with store.read() as connection:
        row = connection.execute(sums.where(ledger.c.campaign_id == campaign.id)).one()
        reserved, earned, fees, paid = (int(value) for value in row)
        to_come = 0
        for tier, tasks, controls in connection.execute(left):
            cents = campaign.settings.tiers[tier].pay_cents if tier in campaign.settings.tiers else 0
            due = 0 if rules is None else min(int(controls), int(tasks) // (rules.every - 1))
            to_come += (int(tasks) + due) * (cents + campaign.settings.fee(cents))
        total = connection.execute(budget).scalar_one()
    spent = earned + fees
    return Costs(spent, reserved, spent + reserved + to_come, total, earned, fees, paid)
