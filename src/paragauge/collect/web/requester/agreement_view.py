"""The agreement of judges so far, for the dashboard; the most disputed candidates come first."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.quality.judgment_aggregates import Reliability, measure_reliability
from paragauge.collect.quality.judgment_agreement import (
    ItemAgreement,
    measure_agreement,
    measure_item_agreement,
)
from paragauge.collect.quality.stored_judgments import read_judgments
from paragauge.collect.store.store import Store
from paragauge.meta.measure import Measure

HEADER = ("judgments", "judged twice", "Krippendorff's alpha", "Fleiss' kappa", "equal pairs")
DISPUTED = 5
JUDGES = 10


@dataclass(frozen=True)
class Agreement:
    """A table with a row for each criterion, the candidates on which judges are farthest apart,
    and the judges who are farthest from the others.
    """

    header: tuple[str, ...]
    rows: list[tuple[str, list[str]]]
    disputed: list[ItemAgreement]
    judges: list[Reliability]


def agreement_table(store: Store, campaign: Campaign) -> Agreement | None:
    """Agreement by criterion; None for a campaign that does not judge. Controls do not count."""
    if campaign.settings.kind != "judge":
        return None
    collected = read_judgments(store, campaign)
    rows = [
        (
            agreement.criterion,
            [
                f"{agreement.judgments:,}",
                f"{agreement.shared:,}",
                format_measure(agreement.alpha),
                format_measure(agreement.kappa),
                format_measure(agreement.equal),
            ],
        )
        for agreement in measure_agreement(collected)
    ]
    disputed = [item for item in measure_item_agreement(collected)[:DISPUTED] if item.widest > 1]
    compared = [judge for judge in measure_reliability(collected) if judge.distance is not None]
    judges = sorted(compared, key=lambda judge: -(judge.distance or 0))[:JUDGES]
    return Agreement(HEADER, rows, disputed, judges)


def format_measure(measure: Measure) -> str:
    """A measure as text, or the reason why it is undefined.

    >>> format_measure(Measure(0.6, 12)), format_measure(Measure(None, 0, reason="no common items"))
    ('0.600', 'no common items')
    """
    return measure.reason if measure.value is None else f"{measure.value:.3f}"
