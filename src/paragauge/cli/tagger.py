"""`paragauge tagger`: tag text, train a tagger, test one."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps
from paragauge.errors import unknown_name
from paragauge.report.tables.tagger_tables import render_tagger_test
from paragauge.syntax.conllu import conllu_block, surface_forms
from paragauge.syntax.perceptron import PerceptronTagger, check_training
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.tagger_evaluation import measure_tagger
from paragauge.syntax.treebank import read_treebank
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import tokenize_lines
from paragauge.text.wording import counted

BATCH = 1 << 13
TOKENIZERS = ("penn", "none")
FORMATS = ("words", "conllu")
TRAINING = "Training"

model = option(
    "--model", metavar="FILE", heading=shared_options.INPUT, help="A model. Default: the English one."
)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        'echo "Dogs don\'t bark." | paragauge tagger run',
        "paragauge tagger train corpus.conllu --output my.bin",
        "paragauge tagger test held-out.conllu --model my.bin",
    ),
)
@click.pass_context
def tagger(context: click.Context) -> None:
    """Tag text with Penn tags; train and test taggers."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@tagger.command(
    cls=Command,
    examples=(
        'echo "Dogs don\'t bark." | paragauge tagger run',
        "paragauge tagger run corpus.tok --tokenize none --format conllu > corpus.conllu",
    ),
)
@click.argument("file", default="-")
@model
@option(
    "--tokenize",
    "-t",
    "tokenizer",
    default="penn",
    metavar="|".join(TOKENIZERS),
    heading=shared_options.INPUT,
    help="Split raw text, or only at white space.",
)
@option(
    "--format",
    "-f",
    "form",
    default="words",
    metavar="|".join(FORMATS),
    heading=shared_options.OUTPUT,
    help="word_TAG, one sentence a line; or CoNLL-U.",
)
@shared_options.threads
def run(file: str, model: str | None, tokenizer: str, form: str, threads: int) -> None:
    """Tag each line. FILE is text, one sentence a line; - (the default) is standard input."""
    if tokenizer not in TOKENIZERS:
        raise unknown_name("tokenizer", tokenizer, TOKENIZERS)
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)
    chosen = _tagger(model)
    number = 0
    with LineReader(file) as reader:
        while lines := reader.read(BATCH, 1 << 24):
            words = tokenize_lines(lines, tokenizer, threads=threads)
            tags = chosen.tag_lines(words, threads)
            out = []
            for text, line, row in zip(lines, words, tags, strict=True):
                number += 1
                tokens = tuple(line.split(" ")) if line else ()
                sentence = Sentence(tokens, tuple(chosen.names[i] for i in row.tolist()))
                out.append(_shown(sentence, text, form, number))
            sys.stdout.buffer.write("".join(out).encode("utf-8"))
    sys.stdout.buffer.flush()


def _shown(sentence: Sentence, text: str, form: str, number: int) -> str:
    if form == "words":
        pairs = zip(sentence.words, sentence.tags, strict=True)
        return " ".join(f"{word}_{tag}" for word, tag in pairs) + "\n"
    if not sentence.words:
        return ""
    forms = surface_forms(sentence.words, text)
    if forms is None:  # The tokenizer changed more than quotes, so the tokens are the text.
        return conllu_block(sentence, identifier=str(number))
    return conllu_block(replace(sentence, words=forms), text, str(number))


@tagger.command(
    cls=Command,
    examples=(
        "paragauge tagger train ewt-train.conllu.gz gum-train.trees.tsv.gz --output english.bin",
        "paragauge tagger train corpus.conllu --epochs 10 --seed 1 --output my.bin",
    ),
)
@click.argument("files", nargs=-1, required=True)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MODEL,
    help="The model.",
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
    "--margin",
    type=int,
    default=20,
    metavar="N",
    heading=TRAINING,
    help="Margin by which the right tag must win.",
)
@option(
    "--upper",
    type=float,
    default=0.1,
    metavar="SHARE",
    heading=TRAINING,
    help="Share of sentences repeated in capitals.",
)
@option(
    "--lower",
    type=float,
    default=0.1,
    metavar="SHARE",
    heading=TRAINING,
    help="Share of sentences repeated in lowercase.",
)
@option(
    "--seed", type=int, default=7, metavar="N", heading=TRAINING, help="Seed of the order of sentences."
)
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
        f"{trained.name}: {counted(len(trained.names), 'tag')}, from {counted(words, 'word')} in "
        f"{counted(len(sentences), 'sentence')}, seed {seed}"
    )


@tagger.command(
    cls=Command,
    examples=(
        "paragauge tagger test ewt-test.conllu.gz",
        "paragauge tagger test held-out.conllu --model my.bin --confusions 20 --time",
    ),
)
@click.argument("file")
@model
@option(
    "--confusions",
    type=click.IntRange(0, 10_000),
    default=10,
    metavar="N",
    heading=shared_options.OUTPUT,
    help="How many of the most frequent confusions to print.",
)
@option(
    "--time", "timed", is_flag=True, heading=shared_options.OUTPUT, help="Also print words per second."
)
@shared_options.form
def test(file: str, model: str | None, confusions: int, timed: bool, form: str) -> None:
    """Compare a tagger with the tags of FILE.

    FILE is CoNLL-U or Penn trees, as for train.
    """
    shared_options.check_format(form)
    found = measure_tagger(_tagger(model), read_treebank(file))
    sys.stdout.write(render_tagger_test(found, form, confusions, timed=timed))


def _tagger(model: str | None) -> PerceptronTagger:
    return PerceptronTagger.default() if model is None else PerceptronTagger.load(model)
