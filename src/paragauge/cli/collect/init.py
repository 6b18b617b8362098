"""`paragauge collect init`: create a store, add campaigns and accounts to it, or upgrade it."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    media_folder,
    open_store,
    password_file,
    read_password,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.errors import SettingError
from paragauge.text.wording import pluralize


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
    help="Add the campaign described in a TOML file, with its items. May be repeated.",
)
@option(
    "--media",
    metavar="FOLDER",
    heading=COLLECTION,
    help="The folder with clips and pictures; items with links under /media/ must have them there.",
)
@option("--demo", is_flag=True, heading=COLLECTION, help="Add a campaign of each kind, for trials.")
@option(
    "--account",
    "account_name",
    metavar="NAME",
    heading=COLLECTION,
    help="Create an account for a requester; asks for a password.",
)
@password_file
@option(
    "--upgrade",
    is_flag=True,
    heading=COLLECTION,
    help="Upgrade a store of an older version and do nothing else. Back it up first: collect backup.",
)
def init(
    location: str,
    campaigns: tuple[str, ...],
    media: str | None,
    demo: bool,
    account_name: str | None,
    password_file: str | None,
    upgrade: bool,
) -> None:
    """Create a store, or add campaigns to one.

    STORE is a file (SQLite), or postgresql://USER@HOST/DATABASE.
    """
    from paragauge.collect.campaigns.campaign_file import read_campaign
    from paragauge.collect.campaigns.demo import read_demo_campaigns
    from paragauge.collect.campaigns.media_check import check_media
    from paragauge.collect.campaigns.start_campaigns import check_files, start_all
    from paragauge.collect.people import accounts

    if password_file is not None and account_name is None:
        raise SettingError("--password-file needs --account; give it too, or leave --password-file out")
    if upgrade and (account_name is not None or campaigns or demo or media):
        raise SettingError(
            "--upgrade takes no other options; run it first, then add campaigns and accounts"
        )
    if upgrade:
        with open_store(location, create=True, upgrade_old=True) as store:
            sys.stdout.write(f"{store.url}: ready\n")
        return
    files = [read_campaign(path) for path in campaigns]
    if demo:
        files += read_demo_campaigns()
    folder = media_folder(media)
    for file in files:
        check_media(file.items, folder)
    check_files(files)  # before asking for a password
    account = None
    if account_name is not None:
        account = accounts.check_new_account(account_name, read_password(password_file, account_name))
    sys.stdout.write(f"{start_all(location, files, actor(), account)}: ready\n")
    if account_name is not None:
        sys.stdout.write(f"account {account_name}\n")
    for file in files:
        items = pluralize(len(file.items), "item")
        sys.stdout.write(f"campaign {file.slug} ({file.settings.kind}): {items}\n")
