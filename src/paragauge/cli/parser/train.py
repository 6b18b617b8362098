"""`paragauge parser train`: train a constituency parser."""

from __future__ import annotations

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options, training_options
from paragauge.cli.options.training_options import TRAINING
from paragauge.cli.parser.parser_options import tagger, tree_form
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError
from paragauge.syntax.constituents_train import ParserSettings, jackknife_tags, train_parser
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.tree_files import TreeForm, read_trees
from paragauge.syntax.treebank import read_treebank
from paragauge.syntax.trees import Trees
from paragauge.text.wording import pluralize


@click.command(
    "train",
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
@training_options.output
@option(
    "--folds",
    type=int,
    default=5,
    metavar="N",
    heading=TRAINING,
    help="Train on tags from taggers trained on the other folds; 0: on tags from the tagger.",
)
@training_options.epochs
@training_options.cutoff
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
@training_options.seed
def train(
    files: tuple[str, ...],
    tree_form: TreeForm,
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
        trees = Trees.concatenate([read_trees(file, form=tree_form, strip=True) for file in files])
        more = [sentence for file in tagged for sentence in read_treebank(file)]
        sentences = list(trees.sentences())
        tags = jackknife_tags(sentences, more, folds=folds, progress=step) if folds else None
        trained = train_parser(trees, settings, tags=tags, tagger=base, progress=step)
    trained.save(output)
    click.echo(
        f"{trained.name}: {pluralize(len(trained.labels), 'label')}, from "
        f"{pluralize(len(trees.words.lines), 'word')} in "
        f"{pluralize(len(trees), 'tree')}, seed {seed}"
    )
