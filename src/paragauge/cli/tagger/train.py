"""`paragauge tagger train`: train a tagger."""

from __future__ import annotations

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options, training_options
from paragauge.cli.options.option_kinds import share_option
from paragauge.cli.options.training_options import TRAINING
from paragauge.cli.progress import Steps
from paragauge.syntax.perceptron import PerceptronTagger, check_training
from paragauge.syntax.treebank import read_treebank
from paragauge.text.wording import pluralize


@click.command(
    "train",
    cls=Command,
    examples=(
        "paragauge tagger train ewt-train.conllu.gz gum-train.trees.tsv.gz --output english.bin",
        "paragauge tagger train corpus.conllu --epochs 10 --seed 1 --output my.bin",
    ),
)
@click.argument("files", nargs=-1, required=True)
@training_options.output
@training_options.epochs
@training_options.cutoff
@option(
    "--margin",
    type=int,
    default=20,
    metavar="N",
    heading=TRAINING,
    help="Margin by which the right tag must win.",
)
@share_option("--upper", default=0.1, heading=TRAINING, help="Share of sentences repeated in capitals.")
@share_option(
    "--lower", default=0.1, heading=TRAINING, help="Share of sentences repeated in lowercase."
)
@training_options.seed
def train(
    files: tuple[str, ...],
    output: str,
    epochs: int,
    cutoff: int,
    margin: int,
    upper: float,
    lower: float,
    seed: int,
) -> None:
    """Train a tagger. FILES are CoNLL-U (.conllu) with Penn tags in XPOS, or Penn trees, one a
    line (.trees, .tsv).
    """
    check_training(epochs, seed, cutoff, margin, upper, lower)
    shared_options.check_no_input("--output", output, files)
    with Steps(epochs + 1) as step:
        step("reading")
        sentences = [sentence for file in files for sentence in read_treebank(file)]
        trained = PerceptronTagger.train(
            sentences,
            epochs=epochs,
            seed=seed,
            cutoff=cutoff,
            margin=margin,
            upper=upper,
            lower=lower,
            progress=step,
        )
    trained.save(output)
    words = sum(map(len, sentences))
    click.echo(
        f"{trained.name}: {pluralize(len(trained.names), 'tag')}, from {pluralize(words, 'word')} in "
        f"{pluralize(len(sentences), 'sentence')}, seed {seed}"
    )
