"""`paragauge lm train`: train an n-gram language model."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.lm import lm_options
from paragauge.cli.lm.lm_options import MODEL, TextFormOptions, with_text_form
from paragauge.cli.lm.tables import render_training
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.lm import EstimationSettings, TextForm, train_files
from paragauge.lm.estimate import FALLBACK, MOST_ORDER


@click.command(
    cls=Command,
    examples=(
        "paragauge lm train corpus.txt --output lm.arpa.gz",
        "paragauge lm train a.txt b.txt.gz -n 5 --prune 0,0,1 -t 13a --case lower --bits 8 -o lm.bin",
    ),
)
@click.argument("files", nargs=-1, required=True)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT_MODEL,
    help="The model: ARPA if the name ends in .arpa, .arpa.gz or .arpa.zst, else binary.",
)
@count_option(
    "--order",
    "-n",
    least=1,
    most=MOST_ORDER,
    default=4,
    heading=MODEL,
    help="Words in the longest n-grams.",
)
@option(
    "--prune",
    default="0",
    metavar="N,N,...",
    heading=MODEL,
    help="For each order, remove n-grams that occur this often or less.",
)
@lm_options.entropy_prune
@lm_options.bits
@option(
    "--discount-fallback",
    is_flag=True,
    heading=MODEL,
    help="Use 0.5, 1 and 1.5 where discounts cannot be estimated.",
)
@with_text_form
@option(
    "--memory",
    default="1G",
    metavar="SIZE",
    heading=shared_options.OUTPUT,
    help="Memory for counting and sorting, such as 500M; the rest goes to temporary files.",
)
@lm_options.folder
@shared_options.form
@shared_options.threads
def train(
    files: tuple[str, ...],
    output: str,
    order: int,
    prune: str,
    entropy_prune: float,
    bits: int | None,
    discount_fallback: bool,
    text: TextFormOptions,
    memory: str,
    folder: str | None,
    form: str,
    threads: int,
) -> None:
    """Train a model on all lines of FILES, one sentence per line; - is standard input."""
    shared_options.check_format(form)
    settings = EstimationSettings(
        order,
        lm_options.parse_counts(prune),
        FALLBACK if discount_fallback else None,
        lm_options.parse_bytes(memory),
        lm_options.folder_of(folder),
        threads,
    )
    with Steps(len(files) + settings.order + 2) as step:
        trained = train_files(
            files,
            output,
            settings,
            form=text.form() or TextForm(),
            entropy_prune=lm_options.check_share(entropy_prune),
            bits=bits,
            progress=step,
        )
    sys.stdout.write(render_training(trained, form))
