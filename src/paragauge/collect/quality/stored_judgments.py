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
    items_by_id = {item.id: item for item in items.all_items(store, campaign)}
    worker_names = {worker.id: worker.public_id for worker in workers.all_workers(store)}
    counted = []
    for judgment in submissions.stream_judgments(store, campaign):
        item = items_by_id[judgment.item_id]
        candidate = item.content["candidates"][judgment.candidate]
        if not (is_control(item) or is_control(candidate) or judgment.decision == "reject"):
            system = str(candidate.get("system") or judgment.candidate)
            counted.append(
                Judgment(
                    item.key,
                    system,
                    worker_names[judgment.worker_id],
                    judgment.criterion,
                    judgment.value,
                )
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
