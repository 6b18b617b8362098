"""`paragauge parser`: train a constituency parser, test one."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps
from paragauge.cli.tagger import model
from paragauge.errors import SettingError
from paragauge.report.tables.parser_tables import render_parser_test
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.constituents_train import ParserSettings, jackknifed_tags, train_parser
from paragauge.syntax.parseval import measure_parser
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.tree_files import FORMS, read_trees
from paragauge.syntax.treebank import read_treebank
from paragauge.syntax.trees import Trees
from paragauge.text.wording import counted

TRAINING = "Training"

tagger = option(
    "--tagger",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="The model of a tagger. Default: English.",
)
tree_form = option(
    "--form",
    "tree_form",
    default="auto",
    metavar="|".join(FORMS),
    heading=shared_options.INPUT,
    help="Format of the trees.",
)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge parser train corpus.trees --output my.bin",
        "paragauge parser test held-out.trees --model my.bin",
    ),
)
@click.pass_context
def parser(context: click.Context) -> None:
    """Train and test constituency parsers."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@parser.command(
    cls=Command,
    examples=(
        "paragauge parser train gum-train.trees.tsv.gz --tagged ewt-train.conllu.gz -o english.bin",
        "paragauge parser train corpus.trees --folds 0 --epochs 10 --output my.bin",
    ),
)
@click.argument("files", nargs=-1, required=True)
@tree_form
@tagger
@option(
    "--tagged",
    multiple=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="More tagged sentences, CoNLL-U or trees, for the taggers of the folds.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MODEL,
    help="The model.",
)
@option(
    "--folds",
    type=int,
    default=5,
    metavar="N",
    heading=TRAINING,
    help="Train on tags from taggers trained on the other folds; 0: on tags from the tagger.",
)
@option("--epochs", type=int, default=6, metavar="N", heading=TRAINING, help="Passes over the data.")
@option(
    "--cutoff",
    type=int,
    default=3,
    metavar="N",
    heading=TRAINING,
    help="Leave out features seen less often than this.",
)
@option(
    "--chains",
    type=int,
    default=5,
    metavar="N",
    heading=TRAINING,
    help="Leave out unary chains of constituents seen less often than this.",
)
@option("--rate", type=float, default=0.1, metavar="X", heading=TRAINING, help="Learning rate.")
@option(
    "--cost",
    type=float,
    default=1.0,
    metavar="X",
    heading=TRAINING,
    help="Margin by which the right label must win.",
)
@option(
    "--smallest",
    type=int,
    default=4,
    metavar="N",
    heading=TRAINING,
    help="Leave out smaller weights, in units of 1/64.",
)
@option(
    "--seed", type=int, default=7, metavar="N", heading=TRAINING, help="Seed of the order of sentences."
)
def train(
    files: tuple[str, ...],
    tree_form: str,
    tagger: str | None,
    tagged: tuple[str, ...],
    output: str,
    folds: int,
    epochs: int,
    cutoff: int,
    chains: int,
    rate: float,
    cost: float,
    smallest: int,
    seed: int,
) -> None:
    """Train a parser. FILES are constituent trees; function tags (NP-SBJ) are removed."""
    settings = ParserSettings(epochs, cutoff, chains, rate, cost, smallest, seed)
    if folds == 0 and tagged:
        raise SettingError("--tagged is for the taggers of the folds, but --folds is 0; give --folds")
    shared_options.check_no_input("--output", output, (*files, *tagged))
    base = None if tagger is None else PerceptronTagger.load(tagger)
    with Steps(epochs + folds + 1) as step:
        step("reading")
        trees = Trees.joined([read_trees(file, form=tree_form, strip=True) for file in files])
        more = [sentence for file in tagged for sentence in read_treebank(file)]
        sentences = list(trees.sentences())
        tags = jackknifed_tags(sentences, more, folds=folds, progress=step) if folds else None
        trained = train_parser(trees, settings, tags=tags, tagger=base, progress=step)
    trained.save(output)
    click.echo(
        f"{trained.name}: {counted(len(trained.labels), 'label')}, from "
        f"{counted(len(trees.words.lines), 'word')} in "
        f"{counted(len(trees), 'tree')}, seed {seed}"
    )


@parser.command(
    cls=Command,
    examples=(
        "paragauge parser test gum-test.trees.tsv.gz",
        "paragauge parser test held-out.trees --model my.bin --time",
    ),
)
@click.argument("file")
@tree_form
@model
@tagger
@option(
    "--time",
    "timed",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Also print sentences per second.",
)
@shared_options.form
def test(
    file: str, tree_form: str, model: str | None, tagger: str | None, timed: bool, form: str
) -> None:
    """Compare a parser with the trees of FILE.

    Counts labeled constituents, as evalb does.
    """
    shared_options.check_format(form)
    right = read_trees(file, form=tree_form, strip=True)
    found = measure_parser(load_parser(model, tagger), right)
    sys.stdout.write(render_parser_test(found, form, timed=timed))


def load_parser(model: str | None, tagger: str | None) -> ChartParser:
    """The parser of these files, the English one by default."""
    if model is None and tagger is None:
        return ChartParser.default()
    chosen = None if tagger is None else PerceptronTagger.load(tagger)
    if model is None:
        raise SettingError("--tagger: the English parser has its own; give --model too")
    return ChartParser.load(model, chosen)
