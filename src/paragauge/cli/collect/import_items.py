"""`paragauge collect import`: items, or a corpus that exists already, into a campaign."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    campaign_of,
    campaign_option,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.shared_options import INPUT
from paragauge.errors import SettingError
from paragauge.text.plain import counted
from paragauge.text.tables import FORMATS


@click.command(
    "import",
    cls=Command,
    examples=(
        "paragauge collect import birds.db clips.tsv --items",
        "paragauge collect import birds.db train.tsv.gz --layout msvd --tier 1 --language English",
        "paragauge collect import birds.db captions.jsonl --column item=clip --column sentence=words",
    ),
)
@store_argument
@click.argument("file", metavar="FILE")
@campaign_option
@option("--items", is_flag=True, heading=INPUT, help="The table has items to show, not sentences.")
@option(
    "--layout",
    default="table",
    metavar="table|msvd",
    heading=INPUT,
    help="A table with a header, or item and sentence with a tab between and no header.",
)
@option(
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    heading=INPUT,
    help="Which column has a role (item, sentence, tier, language, worker ...). May be repeated.",
)
@option(
    "--table-format",
    metavar="|".join(FORMATS),
    heading=INPUT,
    help="The table's format, if its name does not tell.",
)
@option(
    "--tier",
    type=click.IntRange(1, 2),
    default=1,
    metavar="N",
    heading=COLLECTION,
    help="The tier of sentences that do not say.",
)
@option(
    "--language",
    default="",
    metavar="NAME",
    heading=COLLECTION,
    help="The language of sentences that do not say.",
)
def import_command(**given: Any) -> None:
    """Put items or an existing corpus into a campaign, all of it or nothing.

    With --items, workers are asked about the new items. Without it, FILE has sentences that people
    wrote already; they count as collected, and nobody is asked about their items.
    """
    from paragauge.collect.campaigns import items
    from paragauge.collect.campaigns.item_rows import read_items
    from paragauge.collect.corpus.corpus_rows import read_corpus
    from paragauge.collect.corpus.import_corpus import import_corpus

    if given["items"] and (given["columns"] or given["layout"] != "table" or given["language"]):
        raise SettingError("--items takes no --column, --layout or --language; leave them out")
    columns = dict(map(_column, given["columns"]))
    with open_store(given["store"]) as store:
        campaign = campaign_of(store, given["campaign"])
        kind = given["table_format"]
        if given["items"]:
            rows = read_items(given["file"], campaign.settings.kind, kind)
            made = items.add(store, campaign, rows, actor())
            sys.stdout.write(f"{campaign.slug}: {counted(len(made), 'new item')}\n")
            return
        corpus = read_corpus(given["file"], layout=given["layout"], columns=columns, kind=kind)
        done = import_corpus(
            store, campaign, corpus, actor(), tier=given["tier"], language=given["language"]
        )
    sys.stdout.write(
        f"{campaign.slug}: {counted(done.sentences, 'sentence')} about {counted(done.items, 'item')}, "
        f"{done.new_items:,} of them new\n"
    )


def _column(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not equals or not role or not name:
        raise SettingError(f"--column {text}: expected ROLE=NAME, such as sentence=caption")
    return role, name
