"""The collected answers of a campaign, read from its store item by item.

Answers to controls (`controls.is_control`) are not included, nor are those to candidates that are
controls among others, nor texts that a worker had erased. Rejected answers are left out; with
`accepted`, those that nobody has reviewed yet are too. Only with `everything` are all of them there,
marked. The store is read in batches, so that memory
does not grow with it.
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
EVERYTHING: dict[str, type] = {**ANSWERS, "control": str, "pay_cents": int, "erased": bool}
SUGGESTIONS: dict[str, type] = {"key": str, "url": str, "start": float, "end": float}


@dataclass(frozen=True)
class CampaignAnswers:
    """The answers of a campaign that count; it can be iterated more than once.

    Answers that come in later are left out, since an export iterates several times.
    """

    store: Store
    campaign: Campaign
    accepted: bool = False
    everything: bool = False
    until: int = field(init=False)

    def __post_init__(self) -> None:
        mine = table.c.campaign_id == self.campaign.id
        with self.store.read() as connection:
            last = connection.execute(sa.select(sa.func.max(table.c.id)).where(mine)).scalar()
        object.__setattr__(self, "until", last or 0)

    def submissions(self) -> Iterator[Submission]:
        """The answers, item by item, in the order in which they came."""
        for submission in submissions.stream(self.store, self.campaign, by_item=True):
            if self.everything:
                if submission.id <= self.until:
                    yield submission
                continue
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
                f"campaign {self.campaign.slug} is a task of kind '{self.campaign.settings.kind}', "
                f"without written sentences; expected {' or '.join(WRITTEN)}"
            )

    def __iter__(self) -> Iterator[Cluster]:
        sources: dict[int, str] = {}
        if self.campaign.settings.kind == "paraphrase":
            for item in all_items(self.store, self.campaign, controls=False):
                sources[item.id] = item.content["text"]
        yield from group_consecutive(
            _sentence(submission, sources.get(submission.item_id)) for submission in self.submissions()
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

    `order` and `data` are JSON; candidates that are controls are in neither. If `collected` has
    everything, they are, and three columns more say which answers are to controls, what each is worth,
    and whose text was erased. The number of rows is returned.
    """
    hidden: dict[int, set[int]] = {}
    if not collected.everything:
        hidden = _find_hidden_candidates(collected)
    columns = EVERYTHING if collected.everything else ANSWERS

    def cells(submission: Submission) -> dict[str, Any]:
        values = {
            "item": submission.item_key,
            "worker": submission.worker_public_id,
            "tier": submission.tier,
            "position": submission.position,
            "order": json.dumps(
                [n for n in submission.order if n not in hidden.get(submission.item_id, ())]
            ),
            "text": submission.text,
            "language": submission.language,
            "data": json.dumps(
                _drop_candidates(submission.data, hidden.get(submission.item_id)), ensure_ascii=False
            ),
            "comment": submission.comment,
            "seconds": submission.seconds,
            "given_at": submission.given_at.isoformat(),
            "submitted_at": submission.submitted_at.isoformat(),
            "decision": submission.decision,
            "control": submission.control or "",
            "pay_cents": submission.pay_cents,
            "erased": not (submission.text or submission.data),
        }
        return {name: values[name] for name in columns}

    return write_rows(map(cells, collected.submissions()), path, columns)


def _find_hidden_candidates(collected: CampaignAnswers) -> dict[int, set[int]]:
    """The candidates that are controls, by item."""
    return {
        item.id: {index for index, candidate in enumerate(candidates) if is_control(candidate)}
        for item in all_items(collected.store, collected.campaign)
        if any(map(is_control, candidates := item.content.get("candidates", ())))
    }


def _drop_candidates(data: dict[str, Any], hidden: set[int] | None) -> dict[str, Any]:
    """The data of an answer without these candidates."""
    if not hidden:
        return data
    return {
        name: {
            key: value for key, value in values.items() if not (key.isdigit() and int(key) in hidden)
        }
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
