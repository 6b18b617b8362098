"""`paragauge collect token`: tokens for the JSON API."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    find_account,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.errors import InputError, SettingError


@click.command(
    cls=Command,
    examples=(
        "paragauge collect token birds.db ada --name notebook --days 30",
        "paragauge collect token birds.db ada --name export --scope viewer",
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
    help="Days until the token expires. Default: it is valid until withdrawn.",
)
@option(
    "--scope",
    type=click.Choice(["owner", "reviewer", "viewer"]),
    heading=COLLECTION,
    help="What the token may do at most, as a role of accounts. Default: what its account may.",
)
@option("--withdraw", metavar="ID", heading=COLLECTION, help="Withdraw the token with this id.")
def token(
    location: str,
    account_name: str,
    name: str | None,
    days: float | None,
    scope: str | None,
    withdraw: str | None,
) -> None:
    """Create a token for the JSON API, which acts for an account.

    The token is printed only once; the store keeps its hash. Send it in the header
    `Authorization: Bearer TOKEN`.
    """
    from paragauge.collect.people import accounts

    with open_store(location) as store:
        owner = find_account(store, account_name)
        if withdraw is not None:
            if name is not None or days is not None or scope is not None:
                raise SettingError("--withdraw creates no token; leave --name, --days and --scope out")
            if not accounts.withdraw_token(store, withdraw, actor()):
                raise InputError(f"no token with the id {withdraw}; it may be withdrawn already")
            sys.stdout.write(f"token {withdraw}: withdrawn\n")
            return
        if not name:
            raise SettingError("a token needs a name that says what it is for; give --name")
        number, secret = accounts.create_token(store, owner, name, actor(), days, scope or "owner")
        sys.stdout.write(f"id\t{number}\ntoken\t{secret}\n")
