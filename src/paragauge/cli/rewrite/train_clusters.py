"""`paragauge rewrite train brown` and `lsa`: thesauri learned from text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.cli.rewrite.word_lists import read_words
from paragauge.rewrite.thesauri.brown import CLUSTERS, MIN_COUNT, BrownClusters
from paragauge.rewrite.thesauri.lsa import LSA, TOP, WEIGHTS, CountWeight, LSASettings
from paragauge.rewrite.thesauri.stop_words import STOP_WORDS
from paragauge.text.files import check_writable
from paragauge.text.wording import pluralize

TRAINING = "Training"
DEFAULTS = LSASettings()

folder = option(
    "--folder", metavar="DIR", heading=shared_options.OUTPUT, help="Folder for the temporary file."
)


def output(what: str, writes: str) -> Callable[[Any], Any]:
    """The option for the file to write."""
    return option(
        "--output",
        "-o",
        required=True,
        metavar="FILE",
        heading=shared_options.OUTPUT,
        writes=writes,
        help=what,
    )


def number(name: str, default: int, what: str) -> Callable[[Any], Any]:
    """An option for a number of the training."""
    return option(f"--{name}", type=int, default=default, metavar="N", heading=TRAINING, help=what)


@click.command(
    "brown",
    cls=Command,
    examples=(
        "paragauge rewrite train brown news.txt --output news.paths",
        "paragauge rewrite train brown *.txt.gz --clusters 320 --min-count 10 -o small.paths.gz",
        "paragauge score -r refs.txt -c mine.txt --rewrite brown --rewrite-model news.paths",
    ),
)
@click.argument("files", nargs=-1, required=True)
@output(
    "The clusters: bits, word and count, separated by tabs. .gz or .zst compresses.", streams.TEXT_MODEL
)
@number("clusters", CLUSTERS, "How many clusters.")
@number("min-count", MIN_COUNT, "Leave out words that occur less often than this.")
@folder
@shared_options.threads
def brown_command(
    files: tuple[str, ...],
    output: str,
    clusters: int,
    min_count: int,
    folder: str | None,
    threads: int,
) -> None:
    """Cluster words by their neighbors (Brown et al. 1992).

    FILES are text with one sentence per line; - is standard input.
    """
    _check_output(output, files)
    with Steps(None) as step:
        trained = BrownClusters.train(
            files,
            clusters=clusters,
            min_count=min_count,
            folder=folder,
            threads=threads,
            progress=step,
        )
    trained.save(output)
    about = trained.about
    click.echo(
        f"{trained.name}: {pluralize(trained.clusters, 'cluster')} of "
        f"{pluralize(len(trained.rows), 'word')}, from {pluralize(about['tokens'], 'token')} in "
        f"{pluralize(about['sentences'], 'line')}; "
        f"neighboring clusters share {about['information']:.3f} nats"
    )


@click.command(
    "lsa",
    cls=Command,
    examples=(
        "paragauge rewrite train lsa news.txt --output news.lsa",
        "paragauge rewrite train lsa *.txt.gz --words 50000 --dimensions 200 -o large.lsa",
        "paragauge score -r refs.txt -c mine.txt --rewrite lsa --rewrite-model news.lsa",
    ),
)
@click.argument("files", nargs=-1, required=True)
@output("The model.", streams.MODEL)
@number("words", DEFAULTS.words, "Words that get a vector, the most frequent ones.")
@number(
    "features", DEFAULTS.features, "Words to count near them: the most frequent, without stop words."
)
@number("window", DEFAULTS.window, "How far before and after a word to look.")
@number("dimensions", DEFAULTS.dimensions, "Dimensions of the vectors.")
@number("top", TOP, "Neighbors that each word keeps.")
@choice_option(
    "--weight",
    choices=WEIGHTS,
    default=DEFAULTS.weight,
    heading=TRAINING,
    help="How to weight counts: as they are, by logarithm or by square root.",
)
@option(
    "--stop-words",
    metavar="FILE",
    heading=TRAINING,
    help="Words that are not features, one per line. Default: the built-in English ones.",
)
@option("--vectors", is_flag=True, heading=shared_options.OUTPUT, help="Keep the vectors in the model.")
@folder
@shared_options.threads
def lsa_command(
    files: tuple[str, ...],
    output: str,
    words: int,
    features: int,
    window: int,
    dimensions: int,
    top: int,
    weight: CountWeight,
    stop_words: str | None,
    vectors: bool,
    folder: str | None,
    threads: int,
) -> None:
    """Find words used like each other, by latent semantic analysis.

    Such words occur near the same words. FILES are text with one sentence per line; - is
    standard input.
    """
    _check_output(output, (*files, *([stop_words] if stop_words else [])))
    stops = _stop_words(stop_words)
    settings = LSASettings(words, features, window, dimensions, top, weight, stops)
    with Steps(None) as step:
        trained = LSA.train(
            files, settings, vectors=vectors, folder=folder, threads=threads, progress=step
        )
    trained.save(output)
    about = trained.about
    click.echo(
        f"{trained.name}: {pluralize(trained.neighbors.shape[1], 'neighbor')} of each of "
        f"{pluralize(len(trained.words), 'word')}, "
        f"by {pluralize(about['features'], 'feature word')}, "
        f"from {pluralize(about['tokens'], 'token')} in "
        f"{pluralize(about['sentences'], 'line')}"
    )


def _stop_words(path: str | None) -> frozenset[str]:
    if path is None:
        return STOP_WORDS
    return frozenset(word.lower() for word in read_words(path))


def _check_output(output: str, files: tuple[str, ...]) -> None:
    """Fail at once rather than after the training."""
    shared_options.check_no_input("--output", output, files)
    check_writable(output)
