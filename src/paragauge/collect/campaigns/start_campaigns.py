"""Starting campaigns from their files: all of them with all their items, or nothing.

Files are checked completely before a store is created or changed, and everything is written in one
transaction, so that an error leaves the store as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_file import CampaignFile
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import accounts
from paragauge.collect.people.accounts import NewAccount
from paragauge.collect.store.idempotency import claim
from paragauge.collect.store.new_store import new_store
from paragauge.collect.store.store import Store, Transaction, now
from paragauge.errors import FileFormatError, RefusedError


def check_files(files: Sequence[CampaignFile]) -> None:
    """Reject campaigns with wrong items, or two with the same name."""
    named: dict[str, CampaignFile] = {}
    for file in files:
        first = named.setdefault(file.slug, file)
        if first is not file:
            message = f"slug: expected a unique name, found {file.slug!r} as in {first.path}"
            raise FileFormatError(file.path, file.slug_line, f"{message}; choose another name")
        items.check(Campaign(0, "", file.slug, "active", file.settings, now()), file.items)


def start_campaign(store: Store, file: CampaignFile, actor: str, *, key: str = "") -> Campaign | None:
    """Create the campaign that a file describes, with its items: all or nothing.

    Calling it again with the same `key`, that of a form, does nothing and returns None.

    >>> from paragauge.collect.campaigns.demo import read_demo_campaigns
    >>> from paragauge.collect.store.store import temporary_store
    >>> with temporary_store() as store:
    ...     campaign = start_campaign(store, read_demo_campaigns()[0], "ada")
    ...     len(items.all_items(store, campaign))
    5
    """
    check_files([file])
    with store.write(actor) as transaction:
        return _start(transaction, file) if claim(transaction, "campaign file", key) else None


def start_all(
    where: str | Path, files: Sequence[CampaignFile], actor: str, account: NewAccount | None = None
) -> str:
    """Create the store if needed, then an account and the campaigns in it; returns the store's URL.

    An error leaves the store as it was, and no file behind if there was none.
    """
    check_files(files)
    if "://" not in str(where) and not Path(where).exists():
        try:
            with new_store(where) as place:
                _start_in(place, files, actor, account)
        except FileExistsError:
            pass  # another process was faster: add to its store
        else:
            return str(where)
    return _start_in(where, files, actor, account)


def _start_in(
    where: str | Path, files: Sequence[CampaignFile], actor: str, account: NewAccount | None
) -> str:
    with Store.open(where, create=True) as store:
        if files or account is not None:
            with store.write(actor) as transaction:
                if account is not None:
                    accounts.create_in(transaction, account)
                for file in files:
                    _start_from_file(transaction, file)
        return store.url


def _start_from_file(transaction: Transaction, file: CampaignFile) -> None:
    try:
        _start(transaction, file)
    except RefusedError as error:
        raise FileFormatError(file.path, file.slug_line, f"slug: {error}") from None


def _start(transaction: Transaction, file: CampaignFile) -> Campaign:
    campaign = campaigns.create_in(transaction, file.settings, file.slug)
    if file.items:
        items.add_in(transaction, campaign, file.items)
    return campaign
