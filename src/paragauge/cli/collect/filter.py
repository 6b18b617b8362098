"""`paragauge collect filter`: train a noise filter on a campaign, and let it judge the answers."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.collect.collect_options import (
    COLLECTION,
    campaign_of,
    campaign_option,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.shared_options import INPUT, OUTPUT
from paragauge.errors import SettingError
from paragauge.text.plain import counted


@click.command(
    "filter",
    cls=Command,
    examples=(
        "paragauge collect filter birds.db --save birds.json",
        "paragauge collect filter birds.db --save birds.json -o verdicts.tsv",
        "paragauge collect filter birds.db --load birds.json -o verdicts.tsv",
    ),
)
@store_argument
@campaign_option
@option("--load", metavar="FILE", heading=INPUT, help="Judge by this filter instead of training one.")
@option(
    "--save",
    metavar="FILE",
    heading=OUTPUT,
    writes=streams.TEXT_MODEL,
    help="Write the filter that was trained, as JSON.",
)
@option(
    "-o",
    "--output",
    metavar="FILE",
    heading=OUTPUT,
    writes=streams.MORE,
    help="Write the verdict on each answer: a table in TSV, CSV, JSON Lines or Parquet.",
)
@option(
    "--seed",
    type=int,
    default=7,
    metavar="N",
    heading=COLLECTION,
    help="Which noise is made up for training.",
)
def filter_command(**given: Any) -> None:
    """Tell which answers of a campaign are noise, by a filter trained on the campaign itself.

    Sentences of tier 2 that were not rejected are good; the same sentences given to other items, broken
    ones and what was rejected are noise. Any language will do. Verdicts decide nothing.
    """
    from paragauge.collect.quality.noise import NoiseFilter
    from paragauge.collect.quality.review_hints import train_filter, write_verdicts

    if given["load"] is not None and given["save"] is not None:
        raise SettingError("--load trains nothing that --save could write; leave one out")
    if given["output"] is None and given["save"] is None:
        raise SettingError("expected what to write; give --output, --save or both")
    with open_store(given["store"]) as store:
        campaign = campaign_of(store, given["campaign"])
        if given["load"] is not None:
            found = NoiseFilter.load(given["load"])
        else:
            found = train_filter(store, campaign, seed=given["seed"])
        if given["save"] is not None:
            found.save(given["save"])
            sys.stdout.write(f"{given['save']}: a filter trained on {campaign.slug}\n")
        if given["output"] is not None:
            judged, noisy = write_verdicts(store, campaign, found, given["output"])
            shown = counted(judged, "answer")
            sys.stdout.write(f"{given['output']}: {shown}, {noisy:,} of them likely noise\n")
