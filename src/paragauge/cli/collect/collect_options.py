"""What the commands of `paragauge collect` share: the store, its campaigns and accounts, who acts."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paragauge.cli.command import option
from paragauge.errors import InputError, unknown_name
from paragauge.text.files import os_error

if TYPE_CHECKING:
    from paragauge.collect.campaigns.campaigns import Campaign
    from paragauge.collect.people.accounts import Account
    from paragauge.collect.store.store import Store

COLLECTION = "Collection"

store_argument = click.argument("location", metavar="STORE")
campaign_option = option(
    "--campaign",
    "campaign_name",
    metavar="NAME",
    heading=COLLECTION,
    help="The campaign; required if the store has several.",
)
password_file = option(
    "--password-file",
    metavar="FILE",
    heading=COLLECTION,
    help="Read the password from the first line of a file instead of asking for it.",
)


def open_store(location: str, *, create: bool = False, upgrade_old: bool = False) -> Store:
    """Open the store at a path or a postgresql:// address."""
    from paragauge.collect.store.store import Store

    return Store.open(location, create=create, upgrade_old=upgrade_old)


def find_campaign(store: Store, name: str | None) -> Campaign:
    """The campaign with this name; without a name, the only campaign of the store."""
    from paragauge.collect.campaigns import campaigns

    known = campaigns.all_campaigns(store)
    if not known:
        raise InputError(
            f"{store.url} has no campaign; add one: paragauge collect init {store.url} --campaign FILE"
        )
    if name is None and len(known) > 1:
        names = ", ".join(campaign.slug for campaign in known)
        raise InputError(f"{store.url} has several campaigns; choose one with --campaign: {names}")
    for campaign in known:
        if name in (None, campaign.slug):
            return campaign
    raise unknown_name("campaign", str(name), [campaign.slug for campaign in known])


def find_account(store: Store, name: str) -> Account:
    """The account with this name."""
    from paragauge.collect.people import accounts

    known = {account.name: account for account in accounts.all_accounts(store)}
    if not known:
        raise InputError(
            f"{store.url} has no account; create one: paragauge collect account STORE {name}"
        )
    if name not in known:
        raise unknown_name("account", name, known)
    return known[name]


def actor() -> str:
    """Who acts, for the log of changes: the user of this computer."""
    try:
        return f"command line ({getpass.getuser()})"
    except (OSError, KeyError):
        return "command line"


def read_password(path: str | None, name: str) -> str:
    """The password for an account, from a file or from a prompt on a terminal; never an argument."""
    if path is not None:
        try:
            with Path(path).open(encoding="utf-8") as file:
                return file.readline().rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise os_error(path, error) from None
    if not sys.stdin.isatty():
        raise InputError(f"account {name}: no terminal to ask for a password; give --password-file")
    password: str = click.prompt(
        f"Password for {name}", hide_input=True, confirmation_prompt=True, err=True
    )
    return password


def media_folder(media: str | None) -> Path | None:
    """The media folder, which must exist."""
    if media is None:
        return None
    if not Path(media).is_dir():
        raise InputError(f"--media {media}: expected a folder; check the path")
    return Path(media)
