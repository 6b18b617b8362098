"""`paragauge lm`: train n-gram language models, score text, convert and describe models."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Argument, Command, CommandGroup, option
from paragauge.cli.lm import lm_options
from paragauge.cli.lm.segments import SegmentRows
from paragauge.cli.lm.tables import render_info, render_scores, render_training
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps
from paragauge.errors import InputError
from paragauge.lm import LanguageModel, Settings, TextForm, Totals, open_model, train_files
from paragauge.lm.estimate import FALLBACK, MOST_ORDER
from paragauge.lm.model import check_name
from paragauge.lm.scores import BASES, check_base
from paragauge.lm.scoring import score_file
from paragauge.text.files import ONE_INPUT, display_name


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge lm train corpus.txt --order 4 --tokenize 13a --case lower --output lm.bin",
        "paragauge lm score lm.bin system.txt",
        "paragauge lm convert lm.arpa.gz lm.bin --bits 8",
    ),
)
@click.pass_context
def lm(context: click.Context) -> None:
    """Train n-gram language models; score text with them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@lm.command(
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
    help="The model: ARPA if it ends in .arpa (.gz or .zst may follow), else binary.",
)
@option(
    "--order",
    "-n",
    type=click.IntRange(1, MOST_ORDER),
    default=4,
    metavar="N",
    heading=lm_options.MODEL,
    help="Words in the longest n-grams.",
)
@option(
    "--prune",
    default="0",
    metavar="N,N,...",
    heading=lm_options.MODEL,
    help="For each order, take out n-grams that stand in the text this often or less.",
)
@lm_options.entropy_prune
@lm_options.bits
@option(
    "--discount-fallback",
    is_flag=True,
    heading=lm_options.MODEL,
    help="Where discounts cannot be estimated, use 0.5, 1 and 1.5.",
)
@lm_options.text_form
@option(
    "--memory",
    default="1G",
    metavar="SIZE",
    heading=shared_options.OUTPUT,
    help="Memory to count and sort in, such as 500M; more goes to temporary files.",
)
@option("--folder", metavar="DIR", heading=shared_options.OUTPUT, help="Where temporary files go.")
@shared_options.form
@shared_options.threads
def train(files: tuple[str, ...], output: str, form: str, **given: Any) -> None:
    """Train a model on all lines of FILES, one sentence a line; - is standard input."""
    shared_options.check_format(form)
    settings = Settings(
        given["order"],
        lm_options.counts_of(given["prune"]),
        FALLBACK if given["discount_fallback"] else None,
        lm_options.bytes_of(given["memory"]),
        lm_options.folder_of(given["folder"]),
        given["threads"],
    )
    with Steps(len(files) + settings.order + 2) as step:
        done = train_files(
            files,
            output,
            settings,
            form=lm_options.form_of(given) or TextForm(),
            entropy_prune=lm_options.share_of(given["entropy_prune"]),
            bits=given["bits"],
            progress=step,
        )
    sys.stdout.write(render_training(done, form))


@lm.command(
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
    help="Also write a row for each sentence to this .tsv file (.gz or .zst may follow).",
)
@option(
    "--tokenised",
    is_flag=True,
    heading=lm_options.TEXT,
    help="The text is in the model's form already: words with blanks between.",
)
@lm_options.text_form
@option(
    "--base",
    default="e",
    metavar="|".join(BASES),
    heading=shared_options.OUTPUT,
    help="Base of the logarithm in normalised scores.",
)
@option(
    "--end/--no-end",
    default=True,
    heading=shared_options.OUTPUT,
    help="Whether </s> counts in the length that scores are normalised by.",
)
@shared_options.form
@shared_options.threads
def score(model: str, files: tuple[str, ...], form: str, **given: Any) -> None:
    """Score each line of FILES (standard input if there are none) with MODEL: ours, ARPA or KenLM."""
    shared_options.check_format(form)
    check_base(given["base"])
    names = files or ("-",)
    if model == "-" and "-" in names:
        raise InputError(ONE_INPUT)
    if len({display_name(name) for name in names}) < len(names):
        raise InputError("expected each file once, got one twice; name each once")
    lm_options.check_segments(given["segments"], (model, *names))
    opened = open_model(model, form=lm_options.form_of(given), threads=given["threads"])
    totals: dict[str, Totals] = {}
    with contextlib.ExitStack() as stack, Steps(len(names)) as step:
        rows = stack.enter_context(SegmentRows.to(given))
        for name in names:
            shown = display_name(name)
            step(f"scoring {shown}")
            totals[shown] = Totals()
            for scores in score_file(
                opened, name, tokenised=given["tokenised"], threads=given["threads"]
            ):
                rows.write(shown, totals[shown].sentences, scores)
                totals[shown] += scores.totals()
    sys.stdout.write(render_scores(opened, totals, form))


@lm.command(
    cls=Command,
    examples=(
        "paragauge lm convert lm.arpa.gz lm.bin --bits 8",
        "paragauge lm convert lm.bin small.bin --entropy-prune 1e-7",
    ),
)
@click.argument("model")
@click.argument("output", cls=Argument, metavar="OUTPUT", writes=streams.TEXT_MODEL)
@lm_options.entropy_prune
@lm_options.bits
@lm_options.text_form
@shared_options.threads
def convert(model: str, output: str, **given: Any) -> None:
    """Write MODEL, ours or ARPA, to OUTPUT: ARPA if it ends in .arpa (.gz or .zst may follow), else
    binary. Prune or quantise it on the way.
    """
    check_name(output, given["bits"])
    threshold = lm_options.share_of(given["entropy_prune"])
    if model != "-" and Path(model).resolve() == Path(output).resolve():
        raise InputError(f"{output}: the file is the input too; choose another name")
    loaded = LanguageModel.load(model, form=lm_options.form_of(given), threads=given["threads"])
    if threshold:
        table = loaded.table.entropy_pruned(threshold, given["threads"])
        loaded = LanguageModel(table, loaded.form, given["threads"])
    loaded.save(output, bits=given["bits"], threads=given["threads"])


@lm.command(cls=Command, examples=("paragauge lm info lm.bin",))
@click.argument("model")
@shared_options.form
def info(model: str, form: str) -> None:
    """Describe MODEL: order, n-grams, and the form of text it was trained on."""
    shared_options.check_format(form)
    sys.stdout.write(render_info(open_model(model), model, form))
