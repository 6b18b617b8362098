"""The judgments of a campaign in the store, and the agreement and reliability measured on them.

Controls (`controls.is_control`) and rejected answers are left out.
"""

from __future__ import annotations

from paragauge.collect.campaigns import items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.controls import is_control
from paragauge.collect.people import workers
from paragauge.collect.quality.judgment_aggregates import Judgment, Reliability, measure_reliability
from paragauge.collect.quality.judgment_agreement import (
    CriterionAgreement,
    ItemAgreement,
    measure_agreement,
    measure_item_agreement,
)
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions


def read_judgments(store: Store, campaign: Campaign) -> list[Judgment]:
    """All judgments that count: no controls, nothing rejected; item keys and public ids of workers.

    A candidate is named by its system where the item says so, else by its index.
    """
    shown = {item.id: item for item in items.all_items(store, campaign)}
    names = {each.id: each.public_id for each in workers.all_workers(store)}
    counted = []
    for each in submissions.stream_judgments(store, campaign):
        item = shown[each.item_id]
        candidate = item.content["candidates"][each.candidate]
        if not (is_control(item) or is_control(candidate) or each.decision == "reject"):
            system = str(candidate.get("system") or each.candidate)
            counted.append(
                Judgment(item.key, system, names[each.worker_id], each.criterion, each.value)
            )
    return counted


def read_agreement(store: Store, campaign: Campaign) -> list[CriterionAgreement]:
    """Agreement on each criterion so far."""
    return measure_agreement(read_judgments(store, campaign))


def read_item_agreement(store: Store, campaign: Campaign) -> list[ItemAgreement]:
    """Agreement on each candidate and criterion so far, the most disputed first."""
    return measure_item_agreement(read_judgments(store, campaign))


def read_reliability(store: Store, campaign: Campaign) -> list[Reliability]:
    """Each judge of the campaign against the others."""
    return measure_reliability(read_judgments(store, campaign))
