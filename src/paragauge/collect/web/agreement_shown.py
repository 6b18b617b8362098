"""How far judges agree so far, as the dashboard shows it."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.collect.aggregate import Judgment
from paragauge.collect.campaigns import Campaign
from paragauge.collect.items import all_items
from paragauge.collect.live_agreement import agreement
from paragauge.collect.store import Store
from paragauge.collect.submissions import judgments_of
from paragauge.meta.measure import Measure

HEADER = ("judgments", "judged twice", "Krippendorff's alpha", "Fleiss' kappa", "equal")


@dataclass(frozen=True)
class Agreement:
    """A table: a row for each criterion."""

    header: tuple[str, ...]
    rows: list[tuple[str, list[str]]]


def agreement_table(store: Store, campaign: Campaign) -> Agreement | None:
    """Agreement by criterion; None for a campaign that does not judge. Controls do not count."""
    if campaign.settings.kind != "judge":
        return None
    proper = {item.id for item in all_items(store, campaign, controls=False)}
    given = [
        Judgment(
            str(each.item_id), str(each.candidate), str(each.worker_id), each.criterion, each.value
        )
        for each in judgments_of(store, campaign)
        if each.item_id in proper and each.decision != "reject"
    ]
    rows = [
        (
            each.criterion,
            [
                f"{each.judgments:,}",
                f"{each.shared:,}",
                shown(each.alpha),
                shown(each.kappa),
                shown(each.equal),
            ],
        )
        for each in agreement(given)
    ]
    return Agreement(HEADER, rows)


def shown(measure: Measure) -> str:
    """A measure for reading; why it is undefined where it is.

    >>> shown(Measure(0.6, 12)), shown(Measure(None, 0, reason="no common items"))
    ('0.600', 'no common items')
    """
    return measure.reason if measure.value is None else f"{measure.value:.3f}"
