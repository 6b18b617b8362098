"""`paragauge collect mturk balance`: the money left in the account."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.mturk.mturk_options import MturkEndpoint, with_endpoint
from paragauge.cli.command import Command


@click.command(cls=Command, examples=("paragauge collect mturk balance --production",))
@with_endpoint
def balance(mturk: MturkEndpoint) -> None:
    """Print the balance of the account; also a way to check the credentials."""
    connection = mturk.connect()
    sys.stdout.write(f"{connection.environment}: ${connection.balance_cents() / 100:,.2f}\n")
