"""Input of commands that need ratings together with texts or scores."""

from __future__ import annotations

from typing import Any

import click

from paragauge.cli.command import option, together
from paragauge.cli.options import shared_options
from paragauge.cli.options.rating_options import evalset_of, names_of, rating_columns
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.meta.agreement.judge_controls import check_controls
from paragauge.meta.agreement.judges import z_normalised
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_texts import read_outputs, with_corpus, with_outputs, with_scores
from paragauge.rewrite.specs import parse_metrics
from paragauge.text.corpus import Corpus

judged_input = together(
    click.argument("ratings", metavar="RATINGS"),
    option(
        "--candidates",
        "-c",
        multiple=True,
        metavar="[NAME=]FILE",
        heading=shared_options.INPUT,
        help="A rated system's sentences, one a line, if the ratings have no texts. May repeat.",
    ),
    shared_options.sources,
    shared_options.references,
    option(
        "--outputs",
        multiple=True,
        metavar="[GROUP=]FILE",
        heading=shared_options.INPUT,
        help="Texts as JSON Lines with segment, source, reference and systems. May repeat.",
    ),
    option(
        "--scores",
        multiple=True,
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Segment scores, as score --segments writes them. May repeat.",
    ),
    option(
        "--lower",
        multiple=True,
        metavar="METRIC,...",
        heading=shared_options.INPUT,
        help="Metrics of --scores for which lower is better. Known ones (ter) need no mention.",
    ),
    option(
        "--exclude",
        multiple=True,
        metavar="SYSTEM,...",
        heading=shared_options.INPUT,
        help="Systems to leave out, such as controls. May repeat.",
    ),
    option(
        "--z-normalise",
        is_flag=True,
        heading=shared_options.INPUT,
        help="Give each judge's ratings mean 0 and standard deviation 1 first.",
    ),
    option(
        "--positive",
        multiple=True,
        metavar="SYSTEM",
        heading=shared_options.INPUT,
        help="A positive control, as for agree: judges who fail are left out. May repeat.",
    ),
    option(
        "--negative",
        multiple=True,
        metavar="SYSTEM",
        heading=shared_options.INPUT,
        help="A negative control. May repeat.",
    ),
    option(
        "--group",
        metavar="NAME",
        heading=shared_options.INPUT,
        help="Only this group of segments, such as a language pair. Default: all, averaged.",
    ),
    rating_columns,
)


def judged_of(given: dict[str, Any]) -> EvalSet:
    """The ratings with the texts and scores that the options name."""
    judged = _trusted(evalset_of(given), given)
    if given["outputs"] and given["candidates"]:
        raise SettingError("--outputs and -c both give the texts; use one of them")
    if given["outputs"]:
        judged = with_outputs(judged, read_outputs(_by_group(given["outputs"], judged)))
    elif given["candidates"]:
        corpus = Corpus(
            shared_options.systems_of(given["candidates"]),
            given["sources"],
            given["references"],
            threads=given["threads"],
        )
        judged = with_corpus(judged, corpus)
    elif given["sources"] or given["references"]:
        raise InputError("-s and -r need the candidates too; give -c for every rated system")
    for path in given["scores"]:
        judged = with_scores(judged, path)
    for label in names_of(given["lower"]):
        if label not in judged.scores:
            raise unknown_name("metric of --scores", label, judged.scores)
        judged = judged.with_lower_better(label)
    if given["group"] is not None:
        judged = judged.only_group(given["group"])
    excluded = names_of(given["exclude"])
    return judged.without_systems(excluded) if excluded else judged


def _trusted(judged: EvalSet, given: dict[str, Any]) -> EvalSet:
    """Without controls and the judges who fail them, and normalised, as asked."""
    if given["positive"] or given["negative"]:
        report = check_controls(
            judged, judged.criteria[0], positive=given["positive"], negative=given["negative"]
        )
        judged = report.applied(judged)
        names = ", ".join(report.excluded) or "none"
        click.echo(f"paragauge: judges left out for failing controls: {names}", err=True)
    for criterion in judged.criteria if given["z_normalise"] else ():
        judged = z_normalised(judged, criterion)
    return judged


def scored_of(judged: EvalSet, given: dict[str, Any]) -> EvalSet:
    """The set with the metrics that the options name, or with those that the texts allow."""
    texts = list(given["metrics"])
    available = {"sources": judged.sources, "references": judged.references}
    if not texts and not judged.scores:
        if judged.candidates is None:
            raise InputError(
                "the ratings have no texts and no scores; give the files (-c, -s, -r), --outputs or "
                "--scores"
            )
        needs = {"bleu": "references", "pinc": "sources"}
        texts = [name for name, need in needs.items() if available[need] is not None]
        if not texts:
            raise InputError("expected sources (-s) or references (-r), got neither")
    if not texts:
        return judged
    chosen = parse_metrics(texts, shared_options.metric_defaults(given))
    for metric in chosen.values():
        present = {name for name, value in available.items() if value is not None}
        metric.require(present, {"sources": "-s", "references": "-r"})
    return judged.scored(chosen, given["threads"])


def _by_group(values: tuple[str, ...], judged: EvalSet) -> dict[str, str]:
    paths: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals:
            if judged.groups != ("",):
                raise SettingError(
                    f"--outputs {value}: expected GROUP=FILE, because the ratings have groups: "
                    f"{', '.join(judged.groups)}"
                )
            name, path = "", value
        paths[name] = path
    return paths
