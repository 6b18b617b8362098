"""Importing an existing corpus into a campaign, as if it had been collected there.

Each sentence becomes a submission without pay, under the item with its key. An item that the campaign
does not have is created as retired: there is nothing to show, so nobody is asked about it. Workers keep
their names in the corpus; sentences by unknown writers belong to as many unknown workers as the largest
cluster needs, since a worker has one answer per item. The import is all or nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaign_settings import WRITTEN
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.items import KINDS
from paragauge.collect.campaigns.memberships import join
from paragauge.collect.corpus.clusters import Sentence
from paragauge.collect.store.schema import IMPORT_SEED, assignments, item_tiers, items, persons, workers
from paragauge.collect.store.schema_answers import reviews, submissions
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import InputError, SettingError

UNKNOWN = "unknown-"
BATCH = 500
_DECISIONS = {"accept": "accept", "accepted": "accept", "reject": "reject", "rejected": "reject"}


@dataclass(frozen=True)
class ImportCounts:
    """What was imported."""

    sentences: int
    items: int
    new_items: int
    workers: int


def import_corpus(
    store: Store,
    campaign: Campaign,
    sentences: Iterable[Sentence],
    actor: str,
    *,
    tier: int = 1,
    language: str = "",
) -> ImportCounts:
    """Import sentences into a campaign; `tier` and `language` are for those that have none.

    >>> from paragauge.collect.campaigns.campaign_settings import CampaignSettings
    >>> from paragauge.collect.campaigns.campaigns import create
    >>> from paragauge.collect.store.store import temporary_store
    >>> with temporary_store() as store:
    ...     campaign = create(store, CampaignSettings(kind="describe", title="Birds"), "birds", "ada")
    ...     import_corpus(store, campaign, [Sentence("v1", "a bird sings")], "ada")
    ImportCounts(sentences=1, items=1, new_items=1, workers=1)
    """
    kind = campaign.settings.kind
    if kind not in WRITTEN:
        raise SettingError(
            f"campaign {campaign.slug} is a task of kind '{kind}'; expected {' or '.join(WRITTEN)}"
        )
    imported = list(sentences)
    with store.write(actor) as transaction:
        of_item, new = _find_or_add_items(transaction, campaign, imported)
        names = _name_workers(imported, tier)
        of_worker = _find_or_add_workers(transaction, names)
        for number in of_worker.values():
            join(transaction, campaign.id, number)
        rows = []
        for sentence, name in zip(imported, names, strict=True):
            at = _read_time(sentence, transaction.at)
            row: dict[str, Any] = {"public_id": transaction.public_id(), "campaign_id": campaign.id}
            row |= {"order": [], "seed": IMPORT_SEED}
            row |= {"item_id": of_item[sentence.item], "worker_id": of_worker[name]}
            row |= {"tier": sentence.tier or tier, "pay_cents": 0, "fee_cents": 0, "position": 0}
            row |= {"state": "submitted", "given_at": at, "expires_at": at, "ended_at": at}
            rows.append(row)
        _raise_quotas(transaction, rows, imported)
        try:
            tasks = _insert(transaction, assignments, rows)
        except sa.exc.IntegrityError:
            raise InputError(_describe_duplicate(imported, names, tier)) from None
        answers = [
            {
                "public_id": transaction.public_id(),
                "assignment_id": task,
                **{name: row[name] for name in ("campaign_id", "item_id", "worker_id", "tier")},
                "text": sentence.text,
                "language": sentence.language or language,
                "comment": sentence.comment or "",
                "data": {},
                "seconds": sentence.seconds,
                "submitted_at": row["ended_at"],
            }
            for task, row, sentence in zip(tasks, rows, imported, strict=True)
        ]
        _add_reviews(transaction, imported, _insert(transaction, submissions, answers))
        done = ImportCounts(len(imported), len(of_item), new, len(of_worker))
        transaction.log("corpus.import", campaign.slug, **vars(done))
    return done


def _find_or_add_items(
    transaction: Transaction, campaign: Campaign, sentences: list[Sentence]
) -> tuple[dict[str, int], int]:
    """The id of each item by its key, and how many had to be created."""
    query = sa.select(items.c.key, items.c.id).where(items.c.campaign_id == campaign.id)
    known = {str(key): int(number) for key, number in transaction.connection.execute(query)}
    missing: dict[str, Sentence] = {}
    for sentence in sentences:
        if sentence.item not in known:
            missing.setdefault(sentence.item, sentence)
    new_rows = []
    for key, sentence in missing.items():
        if not key.strip() or len(key) > 200:
            raise InputError(f"expected an item's key of 1 to 200 characters, found '{key[:40]}'")
        content = {}
        if campaign.settings.kind == "paraphrase":
            if sentence.source is None:
                raise InputError(f"item '{key}': expected the source that was paraphrased, found none")
            content = {"text": sentence.source}
        row: dict[str, Any] = {"public_id": transaction.public_id(), "campaign_id": campaign.id}
        row |= {"key": key, "content": content}
        row |= {"kind": KINDS[campaign.settings.kind][0], "control": None, "expected": None}
        new_rows.append(row | {"state": "retired", "added_at": transaction.at})
    ids = _insert(transaction, items, new_rows)
    known |= dict(zip(missing, ids, strict=True))
    return {key: known[key] for key in dict.fromkeys(sentence.item for sentence in sentences)}, len(
        new_rows
    )


def _name_workers(sentences: list[Sentence], tier: int) -> list[str]:
    """The worker of each sentence; unknown ones are numbered within the item and tier."""
    unknown: Counter[tuple[str, int]] = Counter()
    names = []
    for sentence in sentences:
        name = sentence.worker
        if name is None:
            place = (sentence.item, sentence.tier or tier)
            unknown[place] += 1
            name = f"{UNKNOWN}{unknown[place]}"
        elif not re.fullmatch(r"[!-~]{1,100}", name) or name.startswith(UNKNOWN):
            raise InputError(f"worker '{name[:40]}': expected 1 to 100 ASCII characters without spaces")
        names.append(name)
    return names


def _find_or_add_workers(transaction: Transaction, names: list[str]) -> dict[str, int]:
    distinct = list(dict.fromkeys(names))
    known: dict[str, int] = {}
    for first in range(0, len(distinct), BATCH):
        some = workers.c.public_id.in_(distinct[first : first + BATCH])
        query = sa.select(workers.c.public_id, workers.c.id).where(some)
        known |= {str(name): int(number) for name, number in transaction.connection.execute(query)}
    missing = [name for name in distinct if name not in known]
    row = {"source": "import", "tier": 1, "state": "active", "created_at": transaction.at}
    ids = _insert(transaction, workers, [{"public_id": name, **row} for name in missing])
    people = [{"worker_id": number, "details": {}} for number in ids]
    if people:
        transaction.connection.execute(sa.insert(persons), people)
    known |= dict(zip(missing, ids, strict=True))
    return {name: known[name] for name in distinct}


def _raise_quotas(
    transaction: Transaction, rows: list[dict[str, Any]], sentences: list[Sentence]
) -> None:
    """Raise wanted and taken of each item and tier equally: what is still wanted stays the same.

    A rejected answer takes no place.
    """
    places = Counter(
        (row["item_id"], row["tier"])
        for row, sentence in zip(rows, sentences, strict=True)
        if _DECISIONS.get(str(sentence.decision)) != "reject"
    )
    for (item, tier), count in places.items():
        place = (item_tiers.c.item_id == item) & (item_tiers.c.tier == tier)
        more = {"wanted": item_tiers.c.wanted + count, "taken": item_tiers.c.taken + count}
        if not transaction.connection.execute(sa.update(item_tiers).where(place).values(more)).rowcount:
            row = {"item_id": item, "tier": tier, "wanted": count, "taken": count}
            transaction.connection.execute(sa.insert(item_tiers), row)


def _add_reviews(transaction: Transaction, sentences: list[Sentence], ids: Sequence[int]) -> None:
    rows = []
    for sentence, number in zip(sentences, ids, strict=True):
        if sentence.decision in (None, "pending"):
            continue
        decision = _DECISIONS.get(str(sentence.decision))
        if decision is None:
            raise InputError(
                f"item '{sentence.item}': expected accept, reject or pending as decision, "
                f"found '{str(sentence.decision)[:40]}'"
            )
        row = {"at": transaction.at, "submission_id": number, "decision": decision}
        rows.append(row | {"reason": "import", "actor": transaction.actor})
    if rows:
        transaction.connection.execute(sa.insert(reviews), rows)


def _insert(transaction: Transaction, table: sa.Table, rows: list[dict[str, Any]]) -> list[int]:
    """Insert rows; their ids in the same order."""
    if not rows:
        return []
    insert = sa.insert(table).returning(table.c.id, sort_by_parameter_order=True)
    return [int(number) for number in transaction.connection.execute(insert, rows).scalars()]


def _read_time(sentence: Sentence, otherwise: datetime) -> datetime:
    if sentence.submitted_at is None:
        return otherwise
    try:
        moment = datetime.fromisoformat(sentence.submitted_at)
    except ValueError:
        raise InputError(
            f"item '{sentence.item}': expected a time such as 2011-06-19T10:00:00+00:00, "
            f"found '{sentence.submitted_at[:40]}'"
        ) from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _describe_duplicate(sentences: list[Sentence], names: list[str], tier: int) -> str:
    places = Counter(
        (sentence.item, name, sentence.tier or tier)
        for sentence, name in zip(sentences, names, strict=True)
    )
    (item, name, where), count = places.most_common(1)[0]
    problem = "already has a sentence there" if count == 1 else "appears there more than once"
    return f"item '{item}', tier {where}: worker '{name}' {problem}; a worker answers an item once"
