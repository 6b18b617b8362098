"""`paragauge collect filter`: train a noise filter on a campaign and apply it to the answers."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.collect.collect_options import (
    COLLECTION,
    campaign_option,
    find_campaign,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.option_kinds import seed_option
from paragauge.cli.options.shared_options import INPUT, OUTPUT
from paragauge.errors import SettingError
from paragauge.text.wording import pluralize


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
@option("--load", metavar="FILE", heading=INPUT, help="Use this filter instead of training one.")
@option(
    "--save",
    metavar="FILE",
    heading=OUTPUT,
    writes=streams.TEXT_MODEL,
    help="Write the trained filter as JSON.",
)
@option(
    "-o",
    "--output",
    metavar="FILE",
    heading=OUTPUT,
    writes=streams.MORE,
    help="Write the verdict on each answer: a table in TSV, CSV, JSON Lines or Parquet.",
)
@seed_option(
    heading=COLLECTION,
    help="Seed of the artificial noise for training.",
)
def filter_command(
    location: str,
    campaign_name: str | None,
    load: str | None,
    save: str | None,
    output: str | None,
    seed: int,
) -> None:
    """Find the answers of a campaign that are noise, with a filter trained on the campaign itself.

    The filter learns from sentences of tier 2 that were not rejected (good), and from the same
    sentences attached to other items, corrupted sentences and rejected answers (noise). It works in any
    language. A verdict changes nothing in the store.
    """
    from paragauge.collect.quality.campaign_noise_filter import train_filter, write_verdicts
    from paragauge.collect.quality.noise_filter import NoiseFilter

    if load is not None and save is not None:
        raise SettingError("--save needs a filter trained here, and --load trains none; leave one out")
    if output is None and save is None:
        raise SettingError("nothing to write; give --output, --save or both")
    with open_store(location) as store:
        campaign = find_campaign(store, campaign_name)
        if load is not None:
            noise_filter = NoiseFilter.load(load)
        else:
            noise_filter = train_filter(store, campaign, seed=seed)
        if save is not None:
            noise_filter.save(save)
            sys.stdout.write(f"{save}: a filter trained on {campaign.slug}\n")
        if output is not None:
            judged, noisy = write_verdicts(store, campaign, noise_filter, output)
            answers = pluralize(judged, "answer")
            sys.stdout.write(f"{output}: {answers}, {noisy:,} of them likely noise\n")
