"""`paragauge generate tune`: weights that raise a metric on a development set."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.generate.generate_options import decoding, generator_of
from paragauge.cli.generate.tables import render_tuning
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError
from paragauge.generate.long_lines import fitting
from paragauge.generate.tune import TuneSettings, tune
from paragauge.generate.weights import write_weights
from paragauge.metrics.base import Metric
from paragauge.text.corpus import Corpus
from paragauge.text.files import check_writable
from paragauge.text.lines import Lines

TUNING = "Tuning"
# Measures of whole resources, which have commands of their own; someone may ask for them here.
OF_RESOURCES = {"paradigm": "PARADIGM", "parametric": "ParaMetric"}


def _setting(name: str, kind: type, letter: str, help_text: str) -> Callable[[Any], Any]:
    flag = "--" + name.replace("_", "-")
    default = getattr(TuneSettings, name)
    return option(flag, type=kind, default=default, metavar=letter, heading=TUNING, help=help_text)


@click.command(
    "tune",
    cls=Command,
    examples=(
        "paragauge generate tune model dev.txt -r dev-refs.tsv --output weights.tsv",
        "paragauge generate tune model dev.txt -r refs.txt --metric precis:ratio=0.7 -o weights.tsv",
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
    help="What to raise: any metric that scores sentences.",
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
@decoding
@_setting("iterations", int, "N", "Rounds of decoding and learning at most.")
@_setting("nbest", int, "N", "Hypotheses of each sentence in each round.")
@_setting("samples", int, "N", "Pairs of hypotheses that are drawn for each sentence.")
@_setting("kept", int, "N", "Pairs of each sentence that are learned from.")
@_setting("least", float, "SHARE", "Least difference of a pair, by the metric's scale.")
@_setting("rate", float, "SHARE", "Share of the new weights in each round.")
@_setting("penalty", float, "X", "Penalty of the regression for large weights.")
@_setting("tolerance", float, "X", "Change of the weights that ends tuning.")
@_setting("seed", int, "N", "Seed of all random draws.")
@shared_options.form
@shared_options.threads
def tune_command(model: str, sources: str, output: str, form: str, **given: Any) -> None:
    """Tune the weights of MODEL to a metric by pairwise ranked optimization (PRO).

    SOURCES is text, one sentence a line; - is standard input. The weights with the best score on these
    sentences are written, those at the start included. A few hundred sentences with references are
    enough; keep others apart to see what the weights are worth.
    """
    shared_options.check_format(form)
    metric = _metric(given["metric"])
    names = TuneSettings.__dataclass_fields__
    settings = TuneSettings(**{name: given[name] for name in names})
    available = {"sources"} | ({"references"} if given["references"] else set())
    metric.require(available, {"sources": "SOURCES", "references": "-r"})
    check_writable(output)
    shared_options.check_no_input(
        "--output", output, (model, sources, *given["references"], given["weights"])
    )
    generator = generator_of(model, given)
    texts, references = _read(sources, given["references"], given["threads"])
    advice = "split it, or leave it out of the development set"
    fitting(generator, Lines.of(texts), path=sources, advice=advice, threads=given["threads"])
    with Steps(2 * settings.iterations + 2) as step:
        done = tune(
            generator,
            texts,
            metric,
            references=references if given["references"] else None,
            settings=settings,
            threads=given["threads"],
            progress=step,
        )
    write_weights(output, done.names, done.weights)
    sys.stdout.write(render_tuning(done, output, form))


def _metric(text: str) -> Metric:
    name = text.partition(":")[0].strip().lower()
    if name in OF_RESOURCES:
        raise SettingError(
            f"{OF_RESOURCES[name]} measures grammars and phrase tables and has no scores of single "
            "sentences, which tuning compares; tune with another metric, for example bleu"
        )
    return Metric.from_spec(text, wrapped=False)


def _read(sources: str, references: tuple[str, ...], threads: int) -> tuple[list[str], list[list[str]]]:
    """All sources, and the references of each."""
    texts: list[str] = []
    groups: list[list[str]] = []
    for batch in Corpus({"sources": sources}, references=references, threads=threads).batches():
        texts += list(batch.systems["sources"])
        if batch.references is not None:
            lines, segment = list(batch.references.lines), batch.references.counts().tolist()
            rest = iter(lines)
            groups += [[next(rest) for _ in range(count)] for count in segment]
    return texts, groups
