"""`paragauge grammar split`: a part of a multiple-translation corpus to parse, the rest to train on."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option, seed_option
from paragauge.grammar.evaluation.held_out_split import PIECES, split_translations, write_split
from paragauge.text.line_reader import read_sentences
from paragauge.text.wording import pluralize


@click.command(
    "split",
    cls=Command,
    examples=(
        "paragauge grammar split one.txt two.txt three.txt four.txt --output tenth",
        "paragauge grammar split kjv.txt web.txt --pieces 5 --piece 2 -o fifth",
    ),
)
@click.argument("translations", metavar="[NAME=]FILE...", nargs=-1, required=True)
@count_option(
    "--pieces",
    least=2,
    default=PIECES,
    heading=shared_options.INPUT,
    help="How many equal pieces the sentences are divided into.",
)
@count_option(
    "--piece",
    least=1,
    heading=shared_options.INPUT,
    help="Which piece is held out. Default: the last one.",
)
@seed_option(heading=shared_options.INPUT, help="Seed of the division.")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="Where to write train.1.txt, train.2.txt and test.NAME.txt of each translation.",
)
@option("--force", is_flag=True, heading=shared_options.OUTPUT, help="Overwrite existing files.")
def split_command(
    translations: tuple[str, ...],
    pieces: int,
    piece: int | None,
    seed: int,
    output: str,
    force: bool,
) -> None:
    """Divide translations of the same sentences into text to train on and text to parse.

    FILEs have parallel lines; an empty line is a missing translation. One piece is held out, as one
    file for each translation. Of the other pieces, all pairs of translations are written for training.
    Weese, Ganitkevitch and Callison-Burch (2014) train on nine tenths and parse the other tenth.
    """
    files = shared_options.name_systems(translations, what="translations", kind="translation", flag="")
    texts = {name: read_sentences(path) for name, path in files.items()}
    split = split_translations(texts, pieces=pieces, piece=piece, seed=seed)
    paths = write_split(output, split, force=force)
    train = split.sentences - len(split.held_out)
    sys.stdout.write(
        f"train: {pluralize(len(split.pairs), 'pair')} of {pluralize(train, 'sentence')}\n"
        f"test: {pluralize(len(split.held_out), 'sentence')} in {len(split.test)} translations\n"
        f"wrote {', '.join(path.name for path in paths)} to {output}\n"
    )
