"""`paragauge collect account`: accounts of requesters."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    find_account,
    open_store,
    password_file,
    read_password,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.errors import SettingError


@click.command(
    cls=Command,
    examples=(
        "paragauge collect account birds.db ada",
        "paragauge collect account birds.db grace --role reviewer",
        "paragauge collect account birds.db ada --change --password-file new.txt",
    ),
)
@store_argument
@click.argument("name")
@option(
    "--change", is_flag=True, heading=COLLECTION, help="Change the password of an existing account."
)
@option(
    "--role",
    type=click.Choice(["owner", "reviewer", "viewer"]),
    heading=COLLECTION,
    help="What the account may do: a viewer reads, a reviewer also decides about answers and workers, "
    "an owner does everything. Default: owner; with --change, changes the role, not the password.",
)
@password_file
def account(
    location: str, name: str, change: bool, role: str | None, password_file: str | None
) -> None:
    """Create an account for a requester, or change its password or role.

    Asks for the password, or reads it from a file. It is never an argument, which others on the
    computer could see. A new password logs out all sessions of the account and withdraws its tokens.
    """
    from paragauge.collect.people import accounts

    with open_store(location) as store:
        existing = find_account(store, name) if change else None
        if existing is not None and role is not None:
            if password_file is not None:
                raise SettingError("--role changes the role only; leave --password-file out")
            accounts.change_role(store, existing, role, actor())
            sys.stdout.write(f"account {name}: {role}\n")
            return
        password = read_password(password_file, name)
        if existing is not None:
            accounts.change_password(store, existing, password, actor())
            sys.stdout.write(f"account {name}: password changed\n")
        else:
            accounts.create(store, name, password, actor(), role or "owner")
            sys.stdout.write(f"account {name}\n")
