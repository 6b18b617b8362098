"""Items: what workers describe, paraphrase or judge, and how many answers each one needs.

An item has a key, unique in the campaign, and content by kind:

    video       {"url", "start", "end"} (seconds)        image     {"url", "alt"}
                (a link, or /media/... for a file in the server's media folder)
    sentence    {"text"}                                 survey    {}
    suggestion  {"prompt"}
    judgment    {"source", "candidates": [{"system", "text", "control"?}]}

Controls are never exported: "gold" has an expected answer, "degraded" an expected low judgment, and
"repeated" shows the item with the key `expected["of"]` again; see `control_expectations`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign, lock_campaign
from paragauge.collect.campaigns.control_expectations import (
    CandidateError,
    check_control,
    check_repeated,
    drop_unreadable,
)
from paragauge.collect.campaigns.controls import is_control
from paragauge.collect.campaigns.item_location import locate_error
from paragauge.collect.store.columns import is_id, to_json
from paragauge.collect.store.idempotency import claim
from paragauge.collect.store.schema import item_tiers, items
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import InputError, RefusedError, unknown_name

KINDS = {
    "describe": ("video", "image"),
    "suggest": ("suggestion",),
    "paraphrase": ("sentence",),
    "judge": ("judgment",),
    "survey": ("survey",),
}
CONTROLS = ("gold", "degraded", "repeated")
# The rules say how often controls are handed out: their quota is never reached.
UNLIMITED = 1_000_000_000
LONGEST_ADDRESS = 2000
FIELDS = ("key", "kind", "content", "control", "expected", "wanted")


@dataclass(frozen=True)
class Item:
    """One item of a campaign."""

    id: int
    public_id: str
    campaign_id: int
    key: str
    kind: str
    content: dict[str, Any]
    control: str | None
    expected: dict[str, Any] | None
    state: str


@dataclass(frozen=True)
class Coverage:
    """Coverage of an item in one tier: answers wanted, and taken (open or submitted)."""

    item_id: int
    key: str
    tier: int
    wanted: int
    taken: int


def add(
    store: Store,
    campaign: Campaign,
    rows: Iterable[Mapping[str, Any]],
    actor: str,
    *,
    key: str = "",
) -> list[Item]:
    """Add items, all or none; none if this `key`, that of a form, has added them before.

    A row has `key`, `content` and optionally `kind` (where the task allows two), `control`, `expected`,
    and `wanted`: answers per tier, {1: 5, 2: 3}, else the campaign's.
    """
    ready = _check_rows(campaign, rows)
    with store.write(actor) as transaction:
        if not claim(transaction, f"items {campaign.public_id}", key):
            return []
        return _add(transaction, campaign, ready)


def add_in(
    transaction: Transaction, campaign: Campaign, rows: Iterable[Mapping[str, Any]]
) -> list[Item]:
    """Like `add`, in an open transaction."""
    return _add(transaction, campaign, _check_rows(campaign, rows))


def check(campaign: Campaign, rows: Iterable[Mapping[str, Any]]) -> None:
    """Reject rows that `add` would reject in an empty campaign."""
    _check_repeats(campaign, _check_rows(campaign, rows), {})


def all_items(store: Store, campaign: Campaign, *, controls: bool = True) -> list[Item]:
    """The items of a campaign in the order they were added, retired ones too."""
    query = sa.select(items).where(items.c.campaign_id == campaign.id).order_by(items.c.id)
    if not controls:
        query = query.where(items.c.control.is_(None))
    with store.read() as connection:
        return [from_row(row) for row in connection.execute(query)]


def get(store: Store, item_public_id: str) -> Item | None:
    """The item with that public id."""
    if not is_id(item_public_id):
        return None
    with store.read() as connection:
        row = connection.execute(sa.select(items).where(items.c.public_id == item_public_id)).first()
    return None if row is None else from_row(row)


def retire(store: Store, item: Item, actor: str) -> None:
    """Retire an item: nobody gets it any more; submitted answers stay."""
    with store.write(actor) as transaction:
        active = (items.c.id == item.id) & (items.c.state == "active")
        if transaction.connection.execute(
            sa.update(items).where(active).values(state="retired")
        ).rowcount:
            transaction.log("item.retire", item.public_id, key=item.key)


def bring_back(store: Store, item: Item, actor: str) -> None:
    """Hand out a retired item again."""
    with store.write(actor) as transaction:
        retired = (items.c.id == item.id) & (items.c.state == "retired")
        if transaction.connection.execute(
            sa.update(items).where(retired).values(state="active")
        ).rowcount:
            transaction.log("item.bring-back", item.public_id, key=item.key)


def change_quota(store: Store, item: Item, tier: int, wanted: int, actor: str) -> None:
    """Change how many answers an item gets in a tier; not below what is already taken."""
    with store.write(actor) as transaction:
        row = (item_tiers.c.item_id == item.id) & (item_tiers.c.tier == tier)
        old = transaction.connection.execute(sa.select(item_tiers).where(row).with_for_update()).first()
        if old is None:
            raise RefusedError("tier", f"item {item.key} is not in tier {tier}")
        if not old.taken <= wanted <= UNLIMITED:
            raise RefusedError(
                "quota",
                f"item {item.key}: expected at least the {old.taken} answers taken, found {wanted}",
            )
        transaction.connection.execute(sa.update(item_tiers).where(row).values(wanted=wanted))
        transaction.log("item.want", item.public_id, tier=tier, old=old.wanted, new=wanted)


def restore(store: Store, item: Item, actor: str) -> None:
    """Bring a retired item back: workers get it again where answers are missing."""
    with store.write(actor) as transaction:
        retired = (items.c.id == item.id) & (items.c.state == "retired")
        if transaction.connection.execute(
            sa.update(items).where(retired).values(state="active")
        ).rowcount:
            transaction.log("item.restore", item.public_id, key=item.key)


def change_all_quotas(transaction: Transaction, campaign: Campaign, wanted: Mapping[int, int]) -> int:
    """Change how many answers all active items get, by tier; returns the number of items.

    An item never gets less than what is taken; controls keep their own numbers. A tier that an item did
    not have yet is added to it.
    """
    here = (items.c.campaign_id == campaign.id) & (items.c.state == "active")
    query = sa.select(items.c.id).where(here, items.c.control.is_(None)).order_by(items.c.id)
    item_ids = list(transaction.connection.execute(query).scalars())
    for tier, many in wanted.items():
        if not 0 <= many <= UNLIMITED:
            raise RefusedError("quota", f"expected 0 to {UNLIMITED} answers, found {many}")
        ours = item_tiers.c.item_id.in_(query.with_only_columns(items.c.id).order_by(None))
        of_tier = ours & (item_tiers.c.tier == tier)
        known = sa.select(item_tiers.c.item_id).where(of_tier)
        has_tier = set(transaction.connection.execute(known).scalars())
        value = sa.case((item_tiers.c.taken > many, item_tiers.c.taken), else_=many)
        transaction.connection.execute(sa.update(item_tiers).where(of_tier).values(wanted=value))
        new = [
            {"item_id": number, "tier": tier, "wanted": many, "taken": 0}
            for number in item_ids
            if number not in has_tier
        ]
        if new:
            transaction.connection.execute(sa.insert(item_tiers), new)
    tiers = {str(tier): many for tier, many in wanted.items()}
    transaction.log("items.want", campaign.slug, count=len(item_ids), wanted=tiers)
    return len(item_ids)


def want_more(store: Store, item: Item, actor: str, key: str = "") -> bool:
    """Ask for one more answer in every tier; False if this `key` has done so before."""
    with store.write(actor) as transaction:
        if not claim(transaction, f"want {item.public_id}", key):
            return False
        mine = item_tiers.c.item_id == item.id
        query = sa.select(item_tiers).where(mine).order_by(item_tiers.c.tier).with_for_update()
        for row in transaction.connection.execute(query).all():
            if row.wanted >= UNLIMITED:
                raise RefusedError("quota", f"item {item.key} has no limit of answers")
            here = mine & (item_tiers.c.tier == row.tier)
            transaction.connection.execute(
                sa.update(item_tiers).where(here).values(wanted=row.wanted + 1)
            )
            transaction.log(
                "item.want", item.public_id, tier=row.tier, old=row.wanted, new=row.wanted + 1
            )
    return True


def read_coverage(store: Store, campaign: Campaign) -> list[Coverage]:
    """Answers wanted and taken of each item and tier, without controls."""
    query = (
        sa.select(items.c.id, items.c.key, item_tiers.c.tier, item_tiers.c.wanted, item_tiers.c.taken)
        .join(item_tiers)
        .where(items.c.campaign_id == campaign.id, items.c.control.is_(None), items.c.state == "active")
        .order_by(items.c.id, item_tiers.c.tier)
    )
    with store.read() as connection:
        return [Coverage(*row) for row in connection.execute(query)]


def check_link(url: object) -> str:
    """Check a link that a page may show: http or https with a host. The server never opens it.

    >>> check_link("javascript:alert(1)")
    Traceback (most recent call last):
    paragauge.errors.InputError: expected a link that starts with http:// or https://, found
    'javascript:alert(1)'
    >>> check_link("https://known.example@other.example/")
    Traceback (most recent call last):
    paragauge.errors.InputError: expected a link without a user name, found
    'https://known.example@other.example/'; remove it
    """
    text = url.strip() if isinstance(url, str) else ""
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if (
        not known
        or len(text) > LONGEST_ADDRESS
        or any(c.isspace() or not c.isprintable() for c in text)
    ):
        raise InputError(
            f"expected a link that starts with http:// or https://, found {repr(url)[:80]}"
        )
    if "@" in parts.netloc:
        # https://known.example@other.example/ does not lead where it seems to lead.
        raise InputError(f"expected a link without a user name, found {text[:80]!r}; remove it")
    return text


def check_segment(start: object, end: object) -> None:
    """Reject a segment that does not run forward within a day."""
    good = all(isinstance(t, int | float) and not isinstance(t, bool) for t in (start, end))
    if not good or not 0 <= float(start) < float(end) <= 86_400 or math.isnan(float(end)):  # type: ignore[arg-type]
        raise InputError(f"expected seconds with start before end, found {start!r} to {end!r}")


@dataclass(frozen=True)
class _CheckedRow:
    """A checked row: its number, the original row, its values, and the answers wanted in each tier."""

    number: int
    original: Mapping[str, Any]
    values: dict[str, Any]
    wanted: list[tuple[int, int]]

    def error(self, message: str) -> InputError:
        return locate_error(self.original, self.number, InputError(message))


def _check_rows(campaign: Campaign, rows: Iterable[Mapping[str, Any]]) -> list[_CheckedRow]:
    ready: list[_CheckedRow] = []
    keys = set()
    for number, row in enumerate(rows, 1):
        try:
            checked = _CheckedRow(number, row, *_check_row(campaign, row))
        except InputError as error:
            raise locate_error(row, number, error) from None
        key = checked.values["key"]
        if key in keys:
            raise checked.error(f"item {key!r} already appears above; give it another key")
        keys.add(key)
        ready.append(checked)
    return ready


def _add(transaction: Transaction, campaign: Campaign, ready: Sequence[_CheckedRow]) -> list[Item]:
    if lock_campaign(transaction, campaign.id).state == "closed":
        raise RefusedError("closed", f"campaign {campaign.slug} is closed; create another campaign")
    repeated = {checked.values["expected"]["of"] for checked in ready if _repeats(checked)}
    originals = (items.c.campaign_id == campaign.id) & items.c.key.in_(repeated)
    query = sa.select(items.c.key, items.c.content).where(originals)
    known = {row.key: row.content for row in transaction.connection.execute(query)} if repeated else {}
    _check_repeats(campaign, ready, known)
    added = []
    for checked in ready:
        row = checked.values | {"public_id": transaction.public_id(), "campaign_id": campaign.id}
        row |= {"state": "active", "added_at": transaction.at}
        try:
            inserted = transaction.connection.execute(sa.insert(items).returning(items), row).one()
        except sa.exc.IntegrityError:
            raise checked.error(
                f"item {row['key']!r} is already in the campaign; nothing was added"
            ) from None
        added.append(from_row(inserted))
        quotas = [
            {"item_id": inserted.id, "tier": tier, "wanted": n, "taken": 0}
            for tier, n in checked.wanted
        ]
        transaction.connection.execute(sa.insert(item_tiers), quotas)
    keys = [item.key for item in added]
    transaction.log("items.add", campaign.slug, count=len(keys), keys=keys[:1000])
    return added


def _repeats(checked: _CheckedRow) -> bool:
    return bool(checked.values["control"] == "repeated")


def _check_repeats(campaign: Campaign, ready: Sequence[_CheckedRow], known: Mapping[str, Any]) -> None:
    """Reject repetitions of items that are neither `known` (contents by key) nor among the new ones."""
    contents = {**known, **{checked.values["key"]: checked.values["content"] for checked in ready}}
    for checked in filter(_repeats, ready):
        of = checked.values["expected"]["of"]
        try:
            check_repeated(
                campaign.settings,
                checked.values["key"],
                checked.values["content"],
                of,
                contents.get(of),
            )
        except InputError as error:
            raise locate_error(checked.original, checked.number, error) from None


def _check_row(
    campaign: Campaign, row: Mapping[str, Any]
) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    for name in row:
        if name not in FIELDS:
            raise InputError(str(unknown_name("field", str(name), FIELDS)))
    key = row.get("key")
    if not isinstance(key, str) or not key.strip() or len(key) > 200:
        raise InputError(f"expected a key of 1 to 200 characters, found {key!r}")
    kinds = KINDS[campaign.settings.kind]
    kind = row.get("kind", kinds[0])
    if kind not in kinds:
        raise InputError(str(unknown_name("kind of item", str(kind), kinds)))
    control = row.get("control")
    if control is not None and control not in CONTROLS:
        raise InputError(str(unknown_name("control", str(control), CONTROLS)))
    content = row.get("content", {})
    _check_content(kind, content)
    values = {"key": key, "kind": kind, "content": content, "control": control}
    values["expected"] = _check_table("expected", row.get("expected"))
    to_json(values)
    check_control(campaign.settings, content, control, values["expected"])
    wanted = {tier: setting.per_item for tier, setting in campaign.settings.tiers.items()}
    if control is not None:
        wanted = dict.fromkeys(wanted, UNLIMITED)
    tiers = {str(tier): tier for tier in wanted}
    for name, many in (_check_table("wanted", row.get("wanted")) or {}).items():
        if str(name) not in tiers or type(many) is not int or not 0 <= many <= UNLIMITED:
            raise InputError(f"expected a number of answers per tier, found {row['wanted']!r}")
        wanted[tiers[str(name)]] = many
    return values, sorted(wanted.items())


def _check_table(name: str, value: Any) -> dict[Any, Any] | None:
    if value is None or isinstance(value, dict):
        return value
    raise InputError(f"{name}: expected a table, found {str(value)[:40]!r}")


def _check_content(kind: str, content: Any) -> None:
    if not isinstance(content, dict):
        raise InputError(f"content: expected a table, found {content!r}")
    if kind in ("video", "image"):
        _check_media(content.get("url"))
    if kind == "video":
        check_segment(content.get("start"), content.get("end"))
    if kind == "sentence":
        _check_text("text", content.get("text"))
    if kind == "suggestion" and "prompt" in content:
        _check_text("prompt", content["prompt"])
    if kind == "judgment":
        _check_text("source", content.get("source"))
        candidates = content.get("candidates")
        if not isinstance(candidates, list) or not candidates:
            raise InputError(f"expected a list of candidates, found {candidates!r}")
        systems: dict[str, int] = {}
        for index, candidate in enumerate(candidates):
            try:
                _check_candidate(candidate)
            except InputError as error:
                raise CandidateError(index, str(error)) from None
            system = candidate.get("system", "")
            # Exports and means tell candidates apart by system; controls are in neither.
            if system and not is_control(candidate) and systems.setdefault(system, index) != index:
                raise CandidateError(
                    index,
                    f"system: expected each system once in an item, found {system[:40]!r} as candidate "
                    f"{systems[system]} too; rename one, or give the item another key",
                )
        references = content.get("references", [])
        for reference in references if isinstance(references, list) else [None]:
            _check_text("reference", reference)


def _check_candidate(candidate: Any) -> None:
    _check_text("candidate", candidate.get("text") if isinstance(candidate, dict) else None)
    if not isinstance(candidate.get("system", ""), str):
        raise InputError(f"expected a system's name, found {str(candidate['system'])[:40]!r}")


def _check_media(url: object) -> None:
    """A link, or a file that our server has: /media/..., /static/demo/..."""
    ours = r"/(media|static/demo)/(?!.*\.\.)[\w./-]{1,300}"
    if not (isinstance(url, str) and re.fullmatch(ours, url, re.ASCII)):
        check_link(url)


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip() or len(value) > 100_000:
        raise InputError(f"expected a {name} with 1 to 100000 characters, found {str(value)[:40]!r}")


def from_row(values: Sequence[Any]) -> Item:
    """An item from a row of its table; what it expects has a shape of `control_expectations`."""
    item = Item(*values[:9])
    return item if item.expected is None else replace(item, expected=drop_unreadable(item.expected))
