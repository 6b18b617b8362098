"""`paragauge generate judge`: a campaign in which people judge compressions."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.generate.judging_campaign import JUDGES, write_judging
from paragauge.text.line_reader import read_sentences


@click.command(
    "judge",
    cls=Command,
    examples=(
        "paragauge generate judge -s long.txt -c a.txt -c b.txt --positive short.txt -o judging",
    ),
)
@option(
    "--sources",
    "-s",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="The sentences that were compressed, one per line.",
)
@option(
    "--candidates",
    "-c",
    multiple=True,
    required=True,
    metavar="[NAME=]FILE",
    heading=shared_options.INPUT,
    help="A system's compressions, one per line. May be repeated.",
)
@option(
    "--positive",
    multiple=True,
    metavar="[NAME=]FILE",
    heading=shared_options.INPUT,
    help="A positive control: compressions by people. May be repeated.",
)
@option(
    "--negative",
    multiple=True,
    metavar="[NAME=]FILE",
    heading=shared_options.INPUT,
    help="A negative control, such as deletion of paragauge controls. May be repeated.",
)
@count_option(
    "--judges",
    least=1,
    default=JUDGES,
    heading=shared_options.INPUT,
    help="How many people judge each sentence.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="Where to write campaign.toml and items.jsonl, for collect init.",
)
def judge_command(
    sources: str,
    candidates: tuple[str, ...],
    positive: tuple[str, ...],
    negative: tuple[str, ...],
    judges: int,
    output: str,
) -> None:
    """Write a campaign in which people judge compressions, for paragauge collect.

    Judges see each sentence with the output of all systems and controls, in random order and without
    names, and rate meaning and grammaticality from 1 to 5.
    """
    files = shared_options.name_systems((*candidates, *positive, *negative))
    campaign, items = write_judging(
        output,
        read_sentences(sources),
        {name: read_sentences(path) for name, path in files.items()},
        judges=judges,
    )
    names = list(files)
    first, second = len(candidates), len(candidates) + len(positive)
    options = [f"--positive {name}" for name in names[first:second]]
    options += [f"--negative {name}" for name in names[second:]]
    sys.stdout.write(
        f"{campaign}, {items.name}: {', '.join(names)}; {judges} for each sentence\n"
        f"then: paragauge collect init judging.db --campaign {campaign}\n"
    )
    if options:
        sys.stdout.write(f"controls in the ratings: paragauge meta ... {' '.join(options)}\n")
