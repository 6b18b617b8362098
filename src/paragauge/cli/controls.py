"""`paragauge controls`: control systems with known quality."""

from __future__ import annotations

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option, seed_option
from paragauge.cli.options.rating_options import split_names
from paragauge.metrics.control_systems import (
    KINDS,
    LENGTHS,
    PAPER_KINDS,
    ControlLength,
    check_kinds,
    write_controls,
)
from paragauge.metrics.control_systems import controls as make_controls
from paragauge.text.line_reader import LineReader


@click.command(
    cls=Command,
    examples=(
        "paragauge controls -s sources.txt -o controls",
        "paragauge controls -s sources.txt -o controls --domain news.txt --kinds random,unigram",
        "paragauge controls -s sources.txt -o controls --scale 0:100 --force",
    ),
)
@option(
    "--sources",
    "-s",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="The sentences that are paraphrased, one per line.",
)
@option(
    "--domain",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Text of the same domain for random sentences. Default: the sources.",
)
@option(
    "--kinds",
    multiple=True,
    metavar="NAME,...",
    heading=shared_options.INPUT,
    help=f"Which controls: {', '.join(KINDS)}. Default: the first three.",
)
@choice_option(
    "--length",
    choices=LENGTHS,
    default="model",
    heading=shared_options.INPUT,
    help="Length of unigram sentences: drawn from the model, or that of the source.",
)
@option(
    "--scale",
    default="1:5",
    metavar="LOW:HIGH",
    heading=shared_options.INPUT,
    help="The scale of the ratings.",
)
@seed_option(heading=shared_options.INPUT, help="Seed of all draws.")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="Where to write one file for each control, and ratings.tsv.",
)
@option("--force", is_flag=True, heading=shared_options.OUTPUT, help="Overwrite existing files.")
def controls(
    sources: str,
    domain: str | None,
    kinds: tuple[str, ...],
    length: ControlLength,
    scale: str,
    seed: int,
    output: str,
    force: bool,
) -> None:
    """Write control systems of known quality, and their ratings.

    Controls are copies of the sources, random sentences, sentences of random words, and others.
    """
    ends = shared_options.parse_scale(scale)
    domain_lines = None if domain is None else _lines(domain)
    systems = make_controls(
        _lines(sources),
        check_kinds(split_names(kinds) or PAPER_KINDS),
        domain=domain_lines,
        seed=seed,
        length=length,
    )
    written = write_controls(output, systems, scale=ends, force=force)
    click.echo(f"wrote {', '.join(path.name for path in written)} to {output}")


def _lines(path: str) -> list[str]:
    with LineReader(path) as reader:
        lines: list[str] = []
        while batch := reader.read(1 << 14, 1 << 26):
            lines += batch
    return lines
