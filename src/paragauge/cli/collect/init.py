"""`paragauge collect init`: make a store, add campaigns and accounts to it, or bring it up to date."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    open_store,
    password_file,
    password_of,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.errors import SettingError
from paragauge.text.plain import counted


@click.command(
    cls=Command,
    examples=(
        "paragauge collect init demo.db --demo --account ada",
        "paragauge collect init birds.db --campaign birds.toml --account ada",
        "paragauge collect init postgresql://localhost/birds --campaign birds.toml",
        "paragauge collect init birds.db --upgrade",
    ),
)
@store_argument
@option(
    "--campaign",
    "campaigns",
    multiple=True,
    metavar="FILE",
    heading=COLLECTION,
    help="Add the campaign that a TOML file describes, with its items. May be repeated.",
)
@option(
    "--demo", is_flag=True, heading=COLLECTION, help="Add a campaign of each kind, to try things out."
)
@option(
    "--account",
    metavar="NAME",
    heading=COLLECTION,
    help="Make an account for a requester; asks for a password.",
)
@password_file
@option(
    "--upgrade",
    is_flag=True,
    heading=COLLECTION,
    help="Bring a store of an older version up to date, and nothing else. Copy it first.",
)
def init(**given: Any) -> None:
    """Make a store, or add campaigns to one.

    STORE is a file (SQLite), or postgresql://USER@HOST/DATABASE.
    """
    from paragauge.collect.campaigns.campaign_file import read_campaign
    from paragauge.collect.campaigns.demo import demo_campaigns
    from paragauge.collect.campaigns.start_campaigns import check_files, start_all
    from paragauge.collect.people import accounts

    name = given["account"]
    if given["password_file"] is not None and name is None:
        raise SettingError("--password-file needs --account; give it too, or leave --password-file out")
    if given["upgrade"] and (name is not None or given["campaigns"] or given["demo"]):
        raise SettingError(
            "--upgrade goes alone; run it first, then add campaigns and accounts without it"
        )
    if given["upgrade"]:
        with open_store(given["store"], create=True, upgrade_old=True) as store:
            sys.stdout.write(f"{store.url}: ready\n")
        return
    files = [read_campaign(path) for path in given["campaigns"]]
    if given["demo"]:
        files += demo_campaigns()
    check_files(files)  # before a password is asked for
    account = None
    if name is not None:
        account = accounts.check_new(name, password_of(given["password_file"], name))
    sys.stdout.write(f"{start_all(given['store'], files, actor(), account)}: ready\n")
    if name is not None:
        sys.stdout.write(f"account {name}\n")
    for file in files:
        shown = counted(len(file.items), "item")
        sys.stdout.write(f"campaign {file.slug} ({file.settings.kind}): {shown}\n")
