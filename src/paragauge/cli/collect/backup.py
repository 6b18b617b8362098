"""`paragauge collect backup`: copy a store, also while it is served."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.collect.collect_options import store_argument
from paragauge.cli.command import Command, option
from paragauge.cli.options.shared_options import OUTPUT


@click.command(
    cls=Command,
    examples=(
        "paragauge collect backup birds.db -o birds-backup.db",
        "paragauge collect backup birds.db -o /backups/birds-$(date +%F).db",
    ),
)
@store_argument
@option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    heading=OUTPUT,
    writes=streams.MORE,
    help="The file of the backup. An earlier backup there is replaced once the new one is whole.",
)
def backup(location: str, output: str) -> None:
    """Copy a store to a file, also while it is served.

    The backup has every answer that was confirmed before. Copying the file of a store that is served
    loses the latest answers: they are in a log beside it. The backup is checked before it replaces an
    earlier one. A store in PostgreSQL is backed up by pg_dump.
    """
    from paragauge.collect.store.backup import back_up

    size = back_up(location, output)
    sys.stdout.write(f"{output}: {size:,} bytes\n")
