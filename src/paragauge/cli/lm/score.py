"""`paragauge lm score`: score text with a language model."""

from __future__ import annotations

import contextlib
import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.lm.lm_options import TEXT, TextFormOptions, check_segments, with_text_form
from paragauge.cli.lm.segments import SegmentRows
from paragauge.cli.lm.tables import render_scores
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.errors import InputError
from paragauge.lm import Totals, open_model
from paragauge.lm.scores import BASES, LogBase, check_base
from paragauge.lm.sentence_model import score_file
from paragauge.text.files import ONE_INPUT, display_name


@click.command(
    cls=Command,
    examples=(
        "paragauge lm score lm.bin system.txt reference.txt",
        "paragauge lm score lm.bin system.txt --segments scores.tsv",
    ),
)
@click.argument("model")
@click.argument("files", nargs=-1)
@option(
    "--segments",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write a row for each sentence to this .tsv, .tsv.gz or .tsv.zst file.",
)
@option(
    "--tokenized",
    is_flag=True,
    heading=TEXT,
    help="The text is in the model's form already: words separated by spaces.",
)
@with_text_form
@choice_option(
    "--base",
    choices=BASES,
    default="e",
    heading=shared_options.OUTPUT,
    help="Base of the logarithm in normalized scores.",
)
@option(
    "--end/--no-end",
    default=True,
    heading=shared_options.OUTPUT,
    help="Whether the length that normalizes scores includes </s>.",
)
@shared_options.form
@shared_options.threads
def score(
    model: str,
    files: tuple[str, ...],
    segments: str | None,
    tokenized: bool,
    text: TextFormOptions,
    base: LogBase,
    end: bool,
    form: str,
    threads: int,
) -> None:
    """Score each line of FILES, or of standard input, with MODEL.

    MODEL is a binary model of paragauge or KenLM, or an ARPA file.
    """
    shared_options.check_format(form)
    check_base(base)
    names = files or ("-",)
    if model == "-" and "-" in names:
        raise InputError(ONE_INPUT)
    if len({display_name(name) for name in names}) < len(names):
        raise InputError("a file is given twice; give each file once")
    check_segments(segments, (model, *names))
    language_model = open_model(model, form=text.form(), threads=threads)
    totals: dict[str, Totals] = {}
    with contextlib.ExitStack() as stack, Steps(len(names)) as step:
        rows = stack.enter_context(SegmentRows.open(segments, base, end))
        for name in names:
            label = display_name(name)
            step(f"scoring {label}")
            totals[label] = Totals()
            for scores in score_file(language_model, name, tokenized=tokenized, threads=threads):
                rows.write(label, totals[label].sentences, scores)
                totals[label] += scores.totals()
    sys.stdout.write(render_scores(language_model, totals, form))
