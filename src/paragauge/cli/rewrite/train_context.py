"""`paragauge rewrite train context`: train classifiers of contexts on plain text."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Literal

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.lm import lm_options
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option, count_option, seed_option, share_option
from paragauge.cli.progress import Steps
from paragauge.cli.rewrite.word_lists import read_words
from paragauge.errors import unknown_name
from paragauge.report.tables.context_tables import Training, render_training
from paragauge.rewrite.context.context_decision import CALIBRATED, DECISIONS, Decision
from paragauge.rewrite.context.context_train import (
    LEARNERS,
    NEGATIVES,
    ContextSettings,
    Learner,
    Negatives,
    train_numbered,
)
from paragauge.rewrite.context.contexts import MOST_ORDER, MOST_WINDOW, ContextShape
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.text.files import check_writable, display_name

CONTEXT = "Contexts"
LEARNING = "Learning"
BEST = "best"


with_shape = gather_options(
    "shape",
    ContextShape,
    count_option(
        "--order",
        least=0,
        most=MOST_ORDER,
        default=ContextShape.order,
        heading=CONTEXT,
        help="Words in the longest n-grams.",
    ),
    count_option(
        "--window",
        least=1,
        most=MOST_WINDOW,
        default=ContextShape.window,
        heading=CONTEXT,
        help="Distance from the word within which n-grams count.",
    ),
    count_option(
        "--reach",
        least=0,
        most=MOST_WINDOW,
        default=ContextShape.reach,
        heading=CONTEXT,
        help="Distance up to which positions differ; 1: only left and right differ, 0: all do.",
    ),
    option(
        "--collocations/--no-collocations",
        default=ContextShape.collocations,
        heading=CONTEXT,
        help="Whether the ten local collocations count.",
    ),
    option(
        "--positions/--no-positions",
        default=ContextShape.positions,
        heading=CONTEXT,
        help="Whether n-grams have positions; if not, they count wherever they stand.",
    ),
)


@click.command(
    "context",
    cls=Command,
    examples=(
        "paragauge rewrite train context corpus.txt news.txt.gz --output context.bin",
        "paragauge rewrite train context corpus.txt --words words.txt --learner best -o context.bin",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="TEXT...")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MODEL,
    help="The model to write.",
)
@option(
    "--words",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Train these words, one per line. Default: all that WordNet knows.",
)
@count_option(
    "--minimum",
    least=1,
    default=ContextSettings.minimum,
    heading=shared_options.INPUT,
    help="Train words that occur at least this often.",
)
@count_option(
    "--examples",
    least=1,
    default=ContextSettings.examples,
    heading=shared_options.INPUT,
    help="Most occurrences of a word to learn from, drawn at random.",
)
@choice_option(
    "--negatives",
    choices=NEGATIVES,
    default=ContextSettings.negatives,
    heading=shared_options.INPUT,
    help="Negative examples: any token, one of the word's class, or one of a random sentence.",
)
@count_option(
    "--draws",
    least=1,
    default=ContextSettings.draws,
    heading=shared_options.INPUT,
    help="How often negative examples are drawn; the weights are averaged.",
)
@with_shape
@choice_option(
    "--learner",
    choices=(*LEARNERS, BEST),
    default=ContextSettings.learner,
    heading=LEARNING,
    help="The learner, or the better one on held-out examples.",
)
@count_option(
    "--rounds",
    least=0,
    default=0,
    heading=LEARNING,
    help="Passes of logistic regression, rounds of boosting; 0 for 5 and 200.",
)
@count_option(
    "--features",
    least=1,
    default=ContextSettings.features,
    heading=LEARNING,
    help="Most weights that a word keeps: the strongest.",
)
@share_option(
    "--held-out",
    default=ContextSettings.held_out,
    heading=LEARNING,
    help="Share of the examples held out to measure accuracy.",
)
@choice_option(
    "--decision",
    choices=DECISIONS,
    default=CALIBRATED,
    heading=LEARNING,
    help="When the model accepts a word.",
)
@option(
    "--threshold",
    type=float,
    metavar="X",
    heading=LEARNING,
    help="The least score that is accepted. Default: the decision's.",
)
@seed_option(heading=LEARNING, help="Seed of all random draws.")
@lm_options.folder
@shared_options.form
@shared_options.threads
def context_command(
    files: tuple[str, ...],
    output: str,
    words: str | None,
    minimum: int,
    examples: int,
    negatives: Negatives,
    draws: int,
    shape: ContextShape,
    learner: Learner | Literal["best"],
    rounds: int,
    features: int,
    held_out: float,
    decision: str,
    threshold: float | None,
    seed: int,
    folder: str | None,
    form: str,
    threads: int,
) -> None:
    """Train classifiers of the contexts of words.

    TEXT has one sentence per line; - is standard input. Each word that occurs often enough gets a
    classifier that tells its contexts from others. Leave out repeated lines (sort -u): they flatter the
    held-out accuracy.
    """
    shared_options.check_format(form)
    way = Decision.named(decision)
    if threshold is not None:
        way = dataclasses.replace(way, threshold=threshold)
    settings = [
        ContextSettings(
            shape=shape,
            learner=name,
            rounds=rounds,
            minimum=minimum,
            examples=examples,
            negatives=negatives,
            draws=draws,
            features=features,
            held_out=held_out,
            decision=way,
            seed=seed,
        )
        for name in _learners(learner)
    ]
    check_writable(output)
    shared_options.check_no_input("--output", output, (*files, words))
    temporary = lm_options.folder_of(folder)
    word_list = None if words is None else read_words(words)
    trained = []
    with (
        Steps(None) as step,
        numbered_text(files, folder=temporary, threads=threads, progress=step) as text,
    ):
        for setting in settings:
            model = train_numbered(
                text,
                setting,
                words=word_list,
                threads=threads,
                progress=step,
                source=[Path(display_name(file)).name for file in files],
            )
            trained.append(Training(setting.learner, model))
    best = max(trained, key=lambda training: training.model.accuracy())
    best.model.save(output)
    sys.stdout.write(render_training(trained, best, output, form))


def _learners(name: Learner | Literal["best"]) -> tuple[Learner, ...]:
    if name not in (*LEARNERS, BEST):
        raise unknown_name("learner", name, (*LEARNERS, BEST))
    return LEARNERS if name == "best" else (name,)
