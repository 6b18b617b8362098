"""`paragauge generate pairs`: pairs of translations for sentence compression."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.lm import lm_options
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option, seed_option
from paragauge.errors import SettingError
from paragauge.generate.compression_pairs import (
    choose_compressions,
    parse_ratio,
    parse_sizes,
    write_pairs,
)
from paragauge.text.line_reader import read_sentences
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import Tokenizer, tokenize_lines

SETS = ("dev=1000", "test=1000")


@click.command(
    "pairs",
    cls=Command,
    examples=(
        "paragauge generate pairs one.txt two.txt three.txt four.txt --output pairs",
        "paragauge generate pairs a=kjv.txt b=web.txt --ratio 0.67:0.75 --set dev=500 -o pairs",
    ),
)
@click.argument("translations", metavar="[NAME=]FILE...", nargs=-1, required=True)
@option(
    "--ratio",
    default="0.67:0.75",
    metavar="LOW:HIGH",
    heading=shared_options.INPUT,
    help="Words of the shorter sentence divided by words of the longer one.",
)
@option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=SIZE",
    heading=shared_options.INPUT,
    help="A set of pairs of its own sentences. May be repeated. Default: dev=1000 and test=1000.",
)
@count_option(
    "--longest",
    least=1,
    heading=shared_options.INPUT,
    help="Words in the longest sentences to compress. Default: no limit.",
)
@lm_options.tokenizer
@seed_option(heading=shared_options.INPUT, help="Seed of all draws.")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="Where to write NAME.long.txt and NAME.short.txt of each set, and pairs.tsv.",
)
@option(
    "--force",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Overwrite existing files, or write beside others.",
)
def pairs_command(
    translations: tuple[str, ...],
    ratio: str,
    sets: tuple[str, ...],
    longest: int | None,
    tokenize: Tokenizer | None,
    seed: int,
    output: str,
    force: bool,
) -> None:
    """Choose pairs for sentence compression from translations of the same sentences.

    FILEs have parallel lines; an empty line is a missing translation. Where two translations of a
    sentence have lengths of the given ratio, the longer one is a sentence to compress and the shorter
    one its compression by a person. At most one pair of each sentence is drawn.
    """
    low, high = parse_ratio(ratio)
    sizes = parse_sizes(sets or SETS)
    files = shared_options.name_systems(translations, what="translations", kind="translation", flag="")
    if len(files) < 2:
        raise SettingError(f"expected at least two translations, found {translations[0]}; give another")
    texts = {name: read_sentences(path) for name, path in files.items()}
    words = [tokenize_lines(Lines.of(lines), tokenize or "none") for lines in texts.values()]
    chosen = choose_compressions(
        [list(lines) for lines in words], sizes, low=low, high=high, longest=longest, seed=seed
    )
    paths = write_pairs(output, chosen, texts, force=force)
    for name, part in chosen.items():
        sys.stdout.write(f"{name}: {len(part):,} pairs, {100 * part.ratio:.1f}% of the words\n")
    sys.stdout.write(f"wrote {', '.join(path.name for path in paths)} to {output}\n")
