"""`paragauge collect account` and `token`: who may log in, and tokens for the JSON API."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

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
from paragauge.errors import InputError, SettingError, unknown_name

if TYPE_CHECKING:
    from paragauge.collect.people.accounts import Account
    from paragauge.collect.store.store import Store


@click.command(
    cls=Command,
    examples=(
        "paragauge collect account birds.db ada",
        "paragauge collect account birds.db ada --change --password-file new.txt",
    ),
)
@store_argument
@click.argument("name")
@option("--change", is_flag=True, heading=COLLECTION, help="Give an account another password.")
@password_file
def account(**given: Any) -> None:
    """Make an account for a requester, or change its password.

    The password is asked for, or read from a file; it is never an argument, which others on the
    computer could see. Changing it logs everybody out.
    """
    from paragauge.collect.people import accounts

    with open_store(given["store"]) as store:
        found = _account(store, given["name"]) if given["change"] else None
        password = password_of(given["password_file"], given["name"])
        if found is not None:
            accounts.change_password(store, found, password, actor())
            sys.stdout.write(f"account {given['name']}: password changed\n")
        else:
            accounts.create(store, given["name"], password, actor())
            sys.stdout.write(f"account {given['name']}\n")


@click.command(
    cls=Command,
    examples=(
        "paragauge collect token birds.db ada --name notebook --days 30",
        "paragauge collect token birds.db ada --withdraw k3J9xT0aZQ7w1b2c",
    ),
)
@store_argument
@click.argument("account_name", metavar="ACCOUNT")
@option("--name", metavar="TEXT", heading=COLLECTION, help="What the token is for.")
@option(
    "--days",
    type=click.FloatRange(0, 36_500, min_open=True),
    metavar="N",
    heading=COLLECTION,
    help="How long it is good for. Default: until it is withdrawn.",
)
@option("--withdraw", metavar="ID", heading=COLLECTION, help="Make the token with this id useless.")
def token(**given: Any) -> None:
    """Make a token for the JSON API, which acts for an account.

    The token is printed this once; the store has only its hash. Send it in the header
    `Authorization: Bearer TOKEN`.
    """
    from paragauge.collect.people import accounts

    with open_store(given["store"]) as store:
        found = _account(store, given["account_name"])
        if given["withdraw"] is not None:
            if given["name"] is not None or given["days"] is not None:
                raise SettingError("--withdraw makes no token; leave --name and --days out")
            if not accounts.withdraw_token(store, given["withdraw"], actor()):
                raise InputError(
                    f"no token with the id {given['withdraw']}; it may be withdrawn already"
                )
            sys.stdout.write(f"token {given['withdraw']}: withdrawn\n")
            return
        if not given["name"]:
            raise SettingError("expected what the token is for; give --name")
        number, secret = accounts.create_token(store, found, given["name"], actor(), given["days"])
        sys.stdout.write(f"id\t{number}\ntoken\t{secret}\n")


def _account(store: Store, name: str) -> Account:
    from paragauge.collect.people import accounts

    known = {each.name: each for each in accounts.all_accounts(store)}
    if not known:
        raise InputError(
            f"{store.url} has no account; make one: paragauge collect account STORE {name}"
        )
    if name not in known:
        raise unknown_name("account", name, known)
    return known[name]
