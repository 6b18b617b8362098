"""What a campaign has collected, out of its store, item by item.

Answers to controls are never among it, nor are texts that were erased at a worker's wish. Rejected
answers are left out; with `accepted`, those that nobody has reviewed yet are too. The store is read in
batches, so that memory does not grow with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from paragauge.collect import submissions
from paragauge.collect.campaign_settings import WRITTEN
from paragauge.collect.campaigns import Campaign
from paragauge.collect.clusters import Cluster, Sentence, grouped
from paragauge.collect.controls import is_control
from paragauge.collect.import_corpus import UNKNOWN
from paragauge.collect.items import all_items
from paragauge.collect.schema_answers import submissions as table
from paragauge.collect.store import Store
from paragauge.collect.submissions import Submission
from paragauge.errors import SettingError
from paragauge.text.row_files import row_writer

ANSWERS: dict[str, type] = {
    "item": str,
    "worker": str,
    "tier": int,
    "position": int,
    "order": str,
    "text": str,
    "language": str,
    "data": str,
    "comment": str,
    "seconds": float,
    "given_at": str,
    "submitted_at": str,
    "decision": str,
}
SUGGESTIONS: dict[str, type] = {"key": str, "url": str, "start": float, "end": float}
BATCH = 1000


@dataclass(frozen=True)
class Collected:
    """The answers of a campaign that count; it can be gone through more than once.

    Answers that come in later are not among them: an export goes through them several times.
    """

    store: Store
    campaign: Campaign
    accepted: bool = False
    until: int = field(init=False)

    def __post_init__(self) -> None:
        mine = table.c.campaign_id == self.campaign.id
        with self.store.read() as connection:
            last = connection.execute(sa.select(sa.func.max(table.c.id)).where(mine)).scalar()
        object.__setattr__(self, "until", last or 0)

    def submissions(self) -> Iterator[Submission]:
        """The answers, item by item, in the order in which they came."""
        found = submissions.rows(self.store, self.campaign, controls=False, by_item=True)
        for each in found:
            if each.decision == "reject" or (self.accepted and each.decision != "accept"):
                continue
            if each.id <= self.until and (each.text or each.data):
                yield each


@dataclass(frozen=True)
class StoredClusters(Collected):
    """The sentences of a campaign in which people write, as clusters."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.campaign.settings.kind not in WRITTEN:
            raise SettingError(
                f"campaign {self.campaign.slug} is a task of kind '{self.campaign.settings.kind}', in "
                f"which nobody writes sentences; expected {' or '.join(WRITTEN)}"
            )

    def __iter__(self) -> Iterator[Cluster]:
        shown: dict[int, str] = {}
        if self.campaign.settings.kind == "paraphrase":
            for item in all_items(self.store, self.campaign, controls=False):
                shown[item.id] = item.content["text"]
        yield from grouped(_sentence(each, shown.get(each.item_id)) for each in self.submissions())


def _sentence(given: Submission, source: str | None) -> Sentence:
    return Sentence(
        given.item_key,
        given.text,
        given.tier,
        given.language or None,
        None if given.worker_public_id.startswith(UNKNOWN) else given.worker_public_id,
        given.submitted_at.isoformat(),
        given.seconds,
        given.decision,
        given.comment or None,
        source,
    )


def write_answers(collected: Collected, path: str | Path) -> int:
    """Write all answers as they came, of any task, with the order in which candidates were shown.

    `order` and `data` are JSON, without control candidates. The number of rows is returned.
    """
    hidden = {
        item.id: {n for n, each in enumerate(item.content.get("candidates", ())) if is_control(each)}
        for item in all_items(collected.store, collected.campaign, controls=False)
    }

    def cells(each: Submission) -> dict[str, Any]:
        return {
            "item": each.item_key,
            "worker": each.worker_public_id,
            "tier": each.tier,
            "position": each.position,
            "order": json.dumps([n for n in each.order if n not in hidden[each.item_id]]),
            "text": each.text,
            "language": each.language,
            "data": json.dumps(_without(each.data, hidden[each.item_id]), ensure_ascii=False),
            "comment": each.comment,
            "seconds": each.seconds,
            "given_at": each.given_at.isoformat(),
            "submitted_at": each.submitted_at.isoformat(),
            "decision": each.decision,
        }

    return write_batches(map(cells, collected.submissions()), path, ANSWERS)


def _without(data: dict[str, Any], hidden: set[int]) -> dict[str, Any]:
    """What was judged or ranked, but for these candidates."""
    kept = dict(data)
    for name in ("judgments", "ranking"):
        if name in kept:
            kept[name] = {key: value for key, value in kept[name].items() if int(key) not in hidden}
    return kept


def write_suggestions(collected: Collected, path: str | Path) -> int:
    """Write the clips that workers suggested as a table of items for a campaign that describes them."""
    kind = collected.campaign.settings.kind
    if kind != "suggest":
        raise SettingError(
            f"campaign {collected.campaign.slug} is a task of kind '{kind}'; expected suggest"
        )
    found = ({"key": each.public_id, **each.data} for each in collected.submissions())
    return write_batches(found, path, SUGGESTIONS)


def write_batches(
    found: Iterator[dict[str, Any]],
    path: str | Path,
    kinds: dict[str, type],
    widths: dict[str, int] | None = None,
) -> int:
    """Write rows with the columns of `kinds`, some at a time; returns how many there were."""
    count = 0
    with row_writer(path, kinds, widths=widths) as out:
        batch: list[dict[str, Any]] = []
        for row in found:
            batch.append(row)
            count += 1
            if len(batch) == BATCH:
                out.write({name: [each[name] for each in batch] for name in kinds})
                batch = []
        out.write({name: [each[name] for each in batch] for name in kinds})
    return count
