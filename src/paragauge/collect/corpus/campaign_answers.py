"""The collected answers of a campaign, read from its store item by item.

Answers to controls are never among it (`controls.is_control`), nor are those to candidates that are
controls among others, nor texts that a worker had erased. Rejected
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

from paragauge.collect.campaigns.campaign_settings import WRITTEN
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.controls import is_control
from paragauge.collect.campaigns.items import all_items
from paragauge.collect.corpus.clusters import Cluster, Sentence, group_consecutive
from paragauge.collect.corpus.corpus_import import UNKNOWN
from paragauge.collect.store.schema_answers import submissions as table
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.collect.tasks.submissions import Submission
from paragauge.errors import SettingError
from paragauge.text.table_writers import write_rows

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


@dataclass(frozen=True)
class CampaignAnswers:
    """The answers of a campaign that count; it can be iterated more than once.

    Answers that come in later are left out, since an export iterates several times.
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
        for submission in submissions.stream(self.store, self.campaign, by_item=True):
            if (
                is_control(submission)
                or submission.decision == "reject"
                or (self.accepted and submission.decision != "accept")
            ):
                continue
            if submission.id <= self.until and (submission.text or submission.data):
                yield submission


@dataclass(frozen=True)
class StoredClusters(CampaignAnswers):
    """The sentences of a writing campaign, as clusters."""

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
        yield from group_consecutive(
            _sentence(submission, shown.get(submission.item_id)) for submission in self.submissions()
        )


def _sentence(submission: Submission, source: str | None) -> Sentence:
    return Sentence(
        submission.item_key,
        submission.text,
        submission.tier,
        submission.language or None,
        None if submission.worker_public_id.startswith(UNKNOWN) else submission.worker_public_id,
        submission.submitted_at.isoformat(),
        submission.seconds,
        submission.decision,
        submission.comment or None,
        source,
    )


def write_answers(collected: CampaignAnswers, path: str | Path) -> int:
    """Write all answers as they came, of any task, with the order in which candidates were shown.

    `order` and `data` are JSON; candidates that are controls are in neither. The number of rows is
    returned.
    """
    hidden = {
        item.id: {number for number, each in enumerate(candidates) if is_control(each)}
        for item in all_items(collected.store, collected.campaign)
        if any(map(is_control, candidates := item.content.get("candidates", ())))
    }

    def cells(each: Submission) -> dict[str, Any]:
        return {
            "item": each.item_key,
            "worker": each.worker_public_id,
            "tier": each.tier,
            "position": each.position,
            "order": json.dumps([n for n in each.order if n not in hidden.get(each.item_id, ())]),
            "text": each.text,
            "language": each.language,
            "data": json.dumps(
                _hide_candidates(each.data, hidden.get(each.item_id)), ensure_ascii=False
            ),
            "comment": each.comment,
            "seconds": each.seconds,
            "given_at": each.given_at.isoformat(),
            "submitted_at": each.submitted_at.isoformat(),
            "decision": each.decision,
        }

    return write_rows(map(cells, collected.submissions()), path, ANSWERS)


def _hide_candidates(data: dict[str, Any], hidden: set[int] | None) -> dict[str, Any]:
    """What was answered, without what was said of these candidates."""
    if not hidden:
        return data
    return {
        name: {key: each for key, each in values.items() if not (key.isdigit() and int(key) in hidden)}
        if name in ("judgments", "ranking")
        else values
        for name, values in data.items()
    }


def write_suggestions(collected: CampaignAnswers, path: str | Path) -> int:
    """Write the clips that workers suggested as a table of items for a campaign that describes them."""
    kind = collected.campaign.settings.kind
    if kind != "suggest":
        raise SettingError(
            f"campaign {collected.campaign.slug} is a task of kind '{kind}'; expected suggest"
        )
    clips = ({"key": submission.public_id, **submission.data} for submission in collected.submissions())
    return write_rows(clips, path, SUGGESTIONS)
