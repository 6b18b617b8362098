"""Who agreed to which text of a campaign, and when: a table for an ethics board or an audit.

Workers appear under their random ids, as in all exports, and stay in it when they are erased. The text
is on one line, so that every format can hold it; its version is of the text with its line ends.
"""

from __future__ import annotations

from pathlib import Path

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.consent import list_consents
from paragauge.collect.store.store import Store
from paragauge.text.table_writers import write_rows

COLUMNS: dict[str, type] = {"worker": str, "version": str, "agreed_at": str, "text": str}


def write_consents(store: Store, campaign: Campaign, path: str | Path) -> int:
    """Write one row for each consent, in order, with the text; returns the number of rows."""
    rows = (
        {
            "worker": consent.worker,
            "version": consent.version,
            "agreed_at": consent.at.isoformat(),
            "text": " ".join(consent.text.split()),
        }
        for consent in list_consents(store, campaign)
    )
    return write_rows(rows, path, COLUMNS)
