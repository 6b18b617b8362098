"""`paragauge generate tune`: tune the weights of a model to a metric on a development set."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click
import numpy as np

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.generate.generate_options import (
    DecodingOptions,
    may_copy,
    parse_metric,
    read_development,
    with_decoding,
)
from paragauge.cli.generate.tables import render_search_tuning, render_tuning
from paragauge.cli.options import shared_options
from paragauge.cli.options.encoder_options import EncoderChoice, with_encoder
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.generate.long_lines import take_fitting_lines
from paragauge.generate.metric_search import SearchSettings
from paragauge.generate.objective import parse_objective
from paragauge.generate.search_tuning import tune_search
from paragauge.generate.tuning import TuneSettings, tune
from paragauge.generate.weights import write_weights
from paragauge.text.files import check_writable
from paragauge.text.lines import Lines

TUNING = "Tuning"
PRO = ("iterations", "samples", "kept", "least", "rate", "penalty", "tolerance", "seed")


def _setting(name: str, kind: type, letter: str, help_text: str) -> Callable[[Any], Any]:
    flag = "--" + name.replace("_", "-")
    default = getattr(TuneSettings, name)
    return option(flag, type=kind, default=default, metavar=letter, heading=TUNING, help=help_text)


with_tuning = gather_options(
    "tuning",
    TuneSettings,
    _setting("iterations", int, "N", "Most rounds of decoding and learning."),
    _setting("nbest", int, "N", "Hypotheses per sentence and round."),
    _setting("samples", int, "N", "Pairs of hypotheses drawn per sentence."),
    _setting("kept", int, "N", "Pairs per sentence to learn from."),
    _setting("least", float, "SHARE", "Smallest difference of a pair, by the metric's scale."),
    _setting("rate", float, "SHARE", "Share of the new weights in each round."),
    _setting("penalty", float, "X", "Penalty of the regression for large weights."),
    _setting("tolerance", float, "X", "Change of the weights below which tuning ends."),
    _setting("seed", int, "N", "Seed of all random draws."),
)


@click.command(
    "tune",
    cls=Command,
    examples=(
        "paragauge generate tune model dev.txt -r dev-refs.tsv --output weights.tsv",
        "paragauge generate tune model dev.txt -r refs.txt --metric precis:ratio=0.7 -o weights.tsv",
        "paragauge generate tune model dev.txt -r refs.tsv --search pem-context+model -o search.tsv",
    ),
)
@click.argument("model", metavar="MODEL")
@click.argument("sources", metavar="SOURCES")
@shared_options.references
@option(
    "--metric",
    "-m",
    default="bleu",
    metavar="NAME[:SETTING=VALUE...]",
    heading=TUNING,
    help="The metric to raise: any that scores sentences.",
)
@option(
    "--search",
    metavar="[WEIGHT*]METRIC+...",
    heading=TUNING,
    help="Tune the weights of this objective of generate run --search instead of the model's.",
)
@count_option(
    "--rounds",
    least=1,
    most=1000,
    default=3,
    heading=TUNING,
    help="With --search: most rounds of searching and choosing weights.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Where to write the weights.",
)
@with_decoding
@with_tuning
@with_encoder
@shared_options.form
@shared_options.threads
def tune_command(
    model: str,
    sources: str,
    references: tuple[str, ...],
    metric: str,
    search: str | None,
    rounds: int,
    output: str,
    decoding: DecodingOptions,
    tuning: TuneSettings,
    encoding: EncoderChoice,
    form: str,
    threads: int,
) -> None:
    """Tune the weights of MODEL to a metric by pairwise ranked optimization (PRO).

    SOURCES is text, one sentence per line; - is standard input. Writes the weights that score best on
    these sentences, which may be those at the start. A few hundred sentences with references are
    enough; measure the gain on other sentences.

    With --search the weights are those of an objective such as pem-context+model: they are chosen on
    --nbest paraphrases of each sentence, for generate run --search-weights.
    """
    if search is None:
        shared_options.refuse_without("--search", "rounds")
    else:
        shared_options.refuse_with("--search", *PRO)
    shared_options.check_format(form)
    encoding.use_cache()
    objective = parse_metric(metric, encoding.settings())
    available = {"sources"} | ({"references"} if references else set())
    objective.require(available, {"sources": "SOURCES", "references": "-r"})
    check_writable(output)
    shared_options.check_no_input("--output", output, (model, sources, *references, decoding.weights))
    generator = decoding.open(model, threads)
    texts, grouped_references = read_development(sources, references, threads)
    advice = "split it, or leave it out of the development set"
    take_fitting_lines(generator, Lines.of(texts), path=sources, advice=advice, threads=threads)
    if search is not None:
        settings = SearchSettings(tuning.nbest, tuning.nbest, copies=may_copy(generator))
        with Steps(rounds + 1) as step:
            tuned_search = tune_search(
                generator,
                texts,
                parse_objective(search, encoding.settings()),
                objective,
                references=grouped_references if references else None,
                settings=settings,
                rounds=rounds,
                threads=threads,
                progress=step,
            )
        best = tuned_search.objective
        write_weights(output, best.names, np.array(best.weights))
        sys.stdout.write(render_search_tuning(tuned_search, output, form))
        return
    with Steps(2 * tuning.iterations + 2) as step:
        tuned = tune(
            generator,
            texts,
            objective,
            references=grouped_references if references else None,
            settings=tuning,
            threads=threads,
            progress=step,
        )
    write_weights(output, tuned.names, tuned.weights)
    sys.stdout.write(render_tuning(tuned, output, form))
