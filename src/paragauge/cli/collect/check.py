"""`paragauge collect check`: whether a store is whole, and its counts and sums agree."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import open_store, store_argument
from paragauge.cli.command import Command
from paragauge.errors import StoreError
from paragauge.text.wording import pluralize


@click.command(
    cls=Command,
    examples=("paragauge collect check birds.db", "paragauge collect check postgresql://host/birds"),
)
@store_argument
def check(location: str) -> None:
    """Check a store: its file, the places taken, the money, and the answers.

    The file: SQLite's own checks. Places: no item has more answers than wanted, and open tasks and
    answers are counted right. Money: budgets, pay and fees agree with the ledger, and nobody was paid
    more than they earned. Answers: every submitted task has one. Prints what does not agree, one line
    each, and then exits with code 2.
    """
    from paragauge.collect.campaigns.store_audit import find_problems
    from paragauge.collect.store.backup import check_integrity

    place, problems = location, check_integrity(location)
    if not problems:
        with open_store(location) as store:
            place, problems = store.url, find_problems(store)
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    if problems:
        raise StoreError(
            f"{place}: {pluralize(len(problems), 'problem')} found; "
            "go back to the last good backup, or report it"
        )
    sys.stdout.write(f"{place}: no problems found\n")
