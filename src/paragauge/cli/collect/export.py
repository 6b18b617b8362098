"""`paragauge collect export`: what a campaign has collected, as files for the rest of paragauge."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.collect.collect_options import (
    campaign_of,
    campaign_option,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.shared_options import OUTPUT
from paragauge.errors import SettingError
from paragauge.text.plain import counted

CHOICE = "What"
# The options that only some exports have.
ONLY = {
    "parallel": ("pairs",),
    "drop_identical": ("pairs",),
    "include_source": ("test",),
    "no_blocked": ("judgments", "scores", "judges"),
    "dawid_skene": ("scores", "judges"),
    **dict.fromkeys(
        ("tiers", "languages", "min_sentences", "distinct", "part", "test_share"),
        ("sentences", "clusters", "pairs", "test"),
    ),
}
FLAGS = {"tiers": "--tier", "languages": "--language"}


@click.command(
    "export",
    cls=Command,
    examples=(
        "paragauge collect export birds.db clusters --tier 2 --language English -o clusters.jsonl",
        "paragauge collect export birds.db pairs --part train --parallel 5 -o pairs.tsv",
        "paragauge collect export birds.db test --part test --plain -o test/",
        "paragauge collect export birds.db judgments --campaign judge -o ratings.tsv",
    ),
)
@store_argument
@click.argument("what", metavar="WHAT")
@campaign_option
@option(
    "--tier",
    "tiers",
    type=click.IntRange(1, 2),
    multiple=True,
    metavar="N",
    heading=CHOICE,
    help="Only sentences of this tier. May be repeated.",
)
@option(
    "--language",
    "languages",
    multiple=True,
    metavar="NAME",
    heading=CHOICE,
    help="Only sentences in this language, as workers named it. May be repeated.",
)
@option(
    "--accepted",
    is_flag=True,
    heading=CHOICE,
    help="Only what was accepted; else all that was not rejected.",
)
@option(
    "--min-sentences",
    type=click.IntRange(1, 1_000_000),
    default=1,
    metavar="N",
    heading=CHOICE,
    help="Leave out items with fewer sentences.",
)
@option("--distinct", is_flag=True, heading=CHOICE, help="Of equal sentences about an item, keep one.")
@option(
    "--part",
    default="all",
    metavar="all|train|test",
    heading=CHOICE,
    help="Only the items for training, or those for testing.",
)
@option(
    "--test-share",
    type=float,
    default=0.1,
    metavar="SHARE",
    heading=CHOICE,
    help="The share of items that is for testing.",
)
@option(
    "--parallel",
    default="1",
    metavar="N|all",
    heading=CHOICE,
    help="Pairs: with how many parallel sentences each one is paired, drawn at random.",
)
@option(
    "--drop-identical",
    is_flag=True,
    heading=CHOICE,
    help="Pairs: leave out those with the same text on both sides.",
)
@option("--include-source", is_flag=True, heading=CHOICE, help="Test: the source is a reference too.")
@option(
    "--no-blocked",
    is_flag=True,
    heading=CHOICE,
    help="Judgments, scores: leave out those of workers who are blocked.",
)
@option(
    "--dawid-skene",
    is_flag=True,
    heading=CHOICE,
    help="Scores, judges: add Dawid and Skene's estimates to the plain means.",
)
@option(
    "--seed",
    type=int,
    default=7,
    metavar="N",
    heading=CHOICE,
    help="Seed of the split and of the pairs.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    writes=streams.MORE,
    heading=OUTPUT,
    help="Where to, as the name says: .tsv, .csv, .jsonl or .parquet; .gz or .zst may follow.",
)
@option(
    "--plain", is_flag=True, heading=OUTPUT, help="Write a folder of plain files with parallel lines."
)
def export_command(**given: Any) -> None:
    """Export what a campaign has collected.

    WHAT is sentences (one row each), clusters (one row for each item), pairs (for training), test
    (sources with references), judgments (an evaluation set for `paragauge meta`), scores (judgments of
    each candidate put together), judges (how reliable each one is), suggestions (clips that workers
    suggested, as items) or answers (everything as it came). Controls are in none of them.
    """
    from paragauge.collect.corpus.clusters import Wanted
    from paragauge.collect.corpus.export_choice import ExportSettings, export

    wanted = Wanted(
        frozenset(given["tiers"]) or None,
        frozenset(given["languages"]) or None,
        given["min_sentences"],
        given["distinct"],
    )
    settings = ExportSettings(
        given["what"],
        given["accepted"],
        wanted,
        given["part"],
        given["test_share"],
        given["seed"],
        _parallel(given["parallel"]),
        not given["drop_identical"],
        given["include_source"],
        not given["no_blocked"],
        given["plain"],
        given["dawid_skene"],
    )
    _refuse_idle(given["what"])
    with open_store(given["store"]) as store:
        campaign = campaign_of(store, given["campaign"])
        done = export(store, campaign, given["output"], settings)
    told = counted(done.rows, "row")
    if done.items:
        told += f": {counted(done.sentences, 'sentence')} about {counted(done.items, 'item')}"
    if done.identical:
        told += f"; left out: {counted(done.identical, 'pair')} of the same text"
    if done.unsettled:
        told += f"; Dawid and Skene's estimates did not converge: {', '.join(done.unsettled)}"
    sys.stdout.write(f"{given['output']}: {told}\n")


def _parallel(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit() and int(text[:9]) >= 1 and len(text) < 9):
        raise SettingError(f"--parallel {text}: expected a number from 1, or all")
    return int(text)


def _refuse_idle(what: str) -> None:
    """Refuse an option that this export does not have."""
    source = click.get_current_context().get_parameter_source
    for name, kinds in ONLY.items():
        if what not in kinds and source(name) is not click.core.ParameterSource.DEFAULT:
            flag = FLAGS.get(name, "--" + name.replace("_", "-"))
            raise SettingError(f"{flag} means nothing for {what}; it is for {', '.join(kinds)}")
