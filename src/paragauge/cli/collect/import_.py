"""`paragauge collect import`: add items or an existing corpus to a campaign."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    campaign_option,
    find_campaign,
    media_folder,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.corpus_input import TableForm, with_table_form
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.options.shared_options import INPUT
from paragauge.collect.corpus.corpus_tables import CorpusLayout
from paragauge.errors import SettingError
from paragauge.text.tables.table_format import FORMATS
from paragauge.text.wording import pluralize


@click.command(
    "import",
    cls=Command,
    examples=(
        "paragauge collect import birds.db clips.tsv --items",
        "paragauge collect import birds.db train.tsv.gz --layout msvd --tier 1 --language English",
        "paragauge collect import birds.db export.csv --encoding windows-1252 --header-row 3",
        "paragauge collect import birds.db captions.jsonl --column item=clip --column sentence=words",
    ),
)
@store_argument
@click.argument("file", metavar="FILE")
@campaign_option
@option(
    "--items",
    is_flag=True,
    heading=INPUT,
    help="The table has items to show to workers, not sentences.",
)
@option(
    "--layout",
    default="table",
    metavar="table|msvd",
    heading=INPUT,
    help="A table with a header, or item and sentence separated by a tab without a header.",
)
@option(
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    heading=INPUT,
    help="The column for a role (item, sentence, tier, language, worker ...). May be repeated.",
)
@choice_option(
    "--table-format",
    choices=FORMATS,
    heading=INPUT,
    help="The format of the table, if its name does not show it.",
)
@with_table_form
@option(
    "--media",
    metavar="FOLDER",
    heading=COLLECTION,
    help="The folder with clips and pictures; items with links under /media/ must have them there.",
)
@count_option(
    "--tier", least=1, most=2, default=1, heading=COLLECTION, help="The tier of sentences without one."
)
@option(
    "--language",
    default="",
    metavar="NAME",
    heading=COLLECTION,
    help="The language of sentences without one.",
)
def import_command(
    location: str,
    file: str,
    campaign_name: str | None,
    items: bool,
    layout: CorpusLayout,
    columns: tuple[str, ...],
    table_format: str | None,
    table_form: TableForm,
    media: str | None,
    tier: int,
    language: str,
) -> None:
    """Add items or an existing corpus to a campaign: all of it, or nothing on an error.

    With --items, workers get tasks about the new items. Without it, FILE has sentences that people
    have written already; they count as collected, and workers get no tasks about their items.
    """
    from paragauge.collect.campaigns.item_tables import read_items
    from paragauge.collect.campaigns.items import add
    from paragauge.collect.campaigns.media_check import check_media
    from paragauge.collect.corpus.corpus_import import import_corpus
    from paragauge.collect.corpus.corpus_tables import read_corpus

    if items and (columns or layout != "table" or language):
        raise SettingError("--items takes no --column, --layout or --language; leave them out")
    if media is not None and not items:
        raise SettingError("--media is for --items; leave it out")
    if layout == "msvd" and (given := table_form.given()) in ("--sheet", "--header-row"):
        raise SettingError(f"{given} has no effect on --layout msvd, which has no header; leave it out")
    roles = dict(map(_parse_column, columns))
    dialect = replace(table_form.dialect(), kind=table_format)
    with open_store(location) as store:
        campaign = find_campaign(store, campaign_name)
        if items:
            rows = read_items(file, campaign.settings.kind, dialect=dialect)
            check_media(rows, media_folder(media))
            added = add(store, campaign, rows, actor())
            sys.stdout.write(f"{campaign.slug}: {pluralize(len(added), 'new item')}\n")
            return
        corpus = read_corpus(file, layout=layout, columns=roles, dialect=dialect)
        counts = import_corpus(store, campaign, corpus, actor(), tier=tier, language=language)
    sys.stdout.write(
        f"{campaign.slug}: {pluralize(counts.sentences, 'sentence')} about "
        f"{pluralize(counts.items, 'item')}, {counts.new_items:,} of them new\n"
    )


def _parse_column(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not equals or not role or not name:
        raise SettingError(f"--column {text}: expected ROLE=NAME, such as sentence=caption")
    return role, name
