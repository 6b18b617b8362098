"""`paragauge pem`: train models of PEM, and say what is in one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from paragauge.align.choose import ALIGNERS
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.options import bitext_options, shared_options
from paragauge.cli.pem.pem_options import rated_input, rating_options, run_options
from paragauge.cli.pem.tables import model_record, model_rows, training_summary
from paragauge.cli.progress import Steps
from paragauge.errors import InputError, SettingError
from paragauge.lexicon.stems import check_stemmer
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.bitext import CHINESE, JIEBA, SEGMENTERS, PivotText
from paragauge.metrics.pem.features import FEATURE_SETS
from paragauge.metrics.pem.model import open_model
from paragauge.metrics.pem.train import TrainSettings, refit, stage_count, train
from paragauge.phrases.pivot import EMPTY, NetworkSettings
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.tokenisers import CASES, TOKENISERS

PIVOTS = "Pivots"


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge pem train --bitext fra=eng-fra.tsv.gz --ratings rated.tsv --output model",
        "paragauge score -s sources.txt -c system.txt --metrics pem:model=model",
        "paragauge pem info",
    ),
)
@click.pass_context
def pem(context: click.Context) -> None:
    """Train and fit models of PEM; say what is in one."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@pem.command(
    "train",
    cls=Command,
    examples=(
        "paragauge pem train --bitext fra=eng-fra.tsv.gz --ratings rated.tsv --output model",
        "paragauge pem train --bitext fra=fra.tsv --bitext cmn=cmn.tsv --ratings r.tsv -o model",
    ),
)
@option(
    "--bitext",
    multiple=True,
    required=True,
    metavar="NAME=FILE[,FILE]",
    heading=shared_options.INPUT,
    help="A pivot language and its bitext: a TSV file without header, the metric's language first, "
    "or a file for each side. May repeat.",
)
@bitext_options.empty
@rating_options
@option(
    "--tokenize",
    "-t",
    default="13a",
    metavar="NAME",
    heading=shared_options.METRIC,
    help=f"Tokeniser of the metric's language: {', '.join(TOKENISERS)}.",
)
@option(
    "--case",
    default="lower",
    metavar="|".join(CASES),
    heading=shared_options.METRIC,
    help="Take words as they are, or lowered.",
)
@option(
    "--stem",
    default="porter",
    metavar="NAME",
    heading=shared_options.METRIC,
    help="Snowball stemmer of the metric's language, or none.",
)
@option(
    "--segmenter",
    multiple=True,
    metavar="NAME=TOKENISER",
    heading=PIVOTS,
    help=f"How a pivot's text becomes words: {', '.join(SEGMENTERS)}. Default: {JIEBA} for "
    f"{', '.join(CHINESE)}, else 13a. May repeat.",
)
@option(
    "--aligner",
    "-a",
    default="auto",
    metavar="|".join(ALIGNERS),
    heading=PIVOTS,
    help="What aligns words.",
)
@option(
    "--heuristic",
    metavar="NAME",
    heading=PIVOTS,
    help="How the two directions of the alignment become one. Default: grow-diag-final-and.",
)
@bitext_options.too_long
@option(
    "--max-length",
    type=click.IntRange(1, 16),
    default=4,
    metavar="N",
    heading=PIVOTS,
    help="Words in the longest phrase.",
)
@option(
    "--least",
    type=click.IntRange(1),
    default=2,
    metavar="N",
    heading=PIVOTS,
    help="Leave out phrases that were extracted less often.",
)
@option(
    "--edge",
    type=float,
    default=0.1,
    metavar="P",
    heading=PIVOTS,
    help="Leave out translations of this probability or less.",
)
@option(
    "--gram",
    type=float,
    default=0.01,
    metavar="P",
    heading=PIVOTS,
    help="Leave out pivot n-grams of this weight or less.",
)
@option(
    "--renormalise/--no-renormalise",
    default=True,
    heading=PIVOTS,
    help="Scale the translations that stay so that they sum to one.",
)
@option(
    "--empty-phrase",
    default="best",
    metavar="|".join(EMPTY),
    heading=PIVOTS,
    help="A phrase without translations after that: keep the best, pass its words, or cut.",
)
@option(
    "--lm",
    metavar="FILE",
    heading="Language model",
    help="A language model of text of the same form. Default: one of the bitexts' sentences.",
)
@option(
    "--lm-order",
    type=click.IntRange(1, 6),
    default=4,
    metavar="N",
    heading="Language model",
    help="Words in its longest n-grams.",
)
@option(
    "--lm-prune",
    default="0",
    metavar="N,...",
    heading="Language model",
    help="Leave out n-grams seen so often or less, for each order, 0 first.",
)
@option(
    "--lm-discount-fallback",
    is_flag=True,
    heading="Language model",
    help="Fall back to discounts 0.5, 1 and 1.5 where the text is too small to estimate them.",
)
@run_options
def train_command(**given: Any) -> None:
    """Train a model of PEM from bitexts and rated pairs: align, extract, estimate, fit.

    A run that was interrupted goes on where it stopped when it is started again.
    """
    segmenters = dict(_named("--segmenter", text) for text in given["segmenter"])
    texts = [_pivot_text(each, segmenters) for each in given["bitext"]]
    unknown = set(segmenters) - {text.language for text in texts}
    if unknown:
        raise SettingError(f"--segmenter {min(unknown)}: no --bitext has that name")
    output, ratings, rated = rated_input(given)
    stemmer = None if given["stem"] == "none" else given["stem"]
    if stemmer is not None:
        check_stemmer(stemmer)
    settings = TrainSettings(
        form=TextForm(given["tokenize"], given["case"], stemmer),
        network=NetworkSettings(
            given["edge"], given["gram"], renormalise=given["renormalise"], empty=given["empty_phrase"]
        ),
        lm_prune=_prune(given["lm_prune"]),
        **rated,
        **{
            name: given[name]
            for name in (
                *("empty", "too_long", "max_length", "least", "aligner", "heuristic", "lm", "lm_order"),
                "lm_discount_fallback",
            )
        },
    )
    with Steps(stage_count(len(texts))) as step:
        found = train(output, texts, ratings, settings, progress=step)
    click.echo(training_summary(found, output))


@pem.command(
    "fit",
    cls=Command,
    examples=(
        "paragauge pem fit --ratings rated.tsv --output mine",
        "paragauge pem fit --model news --ratings rated.tsv --column score --scale 0:100 -o mine",
    ),
)
@rating_options
@option(
    "--model",
    default="english",
    metavar="FOLDER",
    heading=shared_options.METRIC,
    help="The model whose pivots and language model are used; english comes with the package.",
)
@run_options
def fit_command(**given: Any) -> None:
    """Fit the regressions of a model to other rated pairs; pivots and language model stay."""
    output, ratings, rated = rated_input(given)
    if output.resolve() == Path(given["model"]).resolve():
        raise InputError(f"--output {output}: is the model itself; choose another name")
    with Steps(len(FEATURE_SETS)) as step:
        base = open_model(given["model"])
        found = refit(output, base, ratings, TrainSettings(**rated), progress=step)
    click.echo(training_summary(found, output))


@pem.command(
    "info", cls=Command, examples=("paragauge pem info", "paragauge pem info model --format json")
)
@click.argument("model", default="english")
@shared_options.form
def info(model: str, form: str) -> None:
    """Say what is in a model: MODEL is a folder, or english, which comes with the package."""
    shared_options.check_format(form)
    opened = open_model(model)
    if form == "json":
        click.echo(json_text(model_record(opened)), nl=False)
        return
    rows = [list(row) for row in model_rows(opened)]
    if form == "tsv":
        records = [dict(zip(("what", "value"), row, strict=True)) for row in rows]
        click.echo(tsv_text(("what", "value"), records), nl=False)
        return
    click.echo(readable(form, "ll", ["PEM model", model], rows, []), nl=False)


def _pivot_text(text: str, segmenters: dict[str, str]) -> PivotText:
    name, files = _named("--bitext", text)
    first, _, second = files.partition(",")
    usual = JIEBA if name in CHINESE else "13a"
    return PivotText(name, first, second or None, segmenters.get(name, usual))


def _named(name: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise SettingError(f"{name} {text}: expected NAME=..., such as fra=...")
    return key, value


def _prune(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise SettingError(f"--lm-prune {text}: expected whole numbers such as 0,0,1")
    return tuple(int(part) for part in parts)
