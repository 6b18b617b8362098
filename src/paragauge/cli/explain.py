"""`paragauge explain`: how a MAXSIM score comes about, as text, JSON or a page with the alignment."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command, option
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.metrics.explanation import Explanation
from paragauge.metrics.maxsim import MaxSim
from paragauge.metrics.registry import METRICS, parse_metrics
from paragauge.report.tables import json_text
from paragauge.text.corpus import Corpus
from paragauge.text.files import atomic, display_name
from paragauge.version import __version__

FORMATS = ("text", "json")
EXPLAINED = [name for name, metric in METRICS.items() if issubclass(metric, MaxSim)]
TEXTS = "Two sentences"
FILES = "Or a segment of files"


@click.command(
    cls=Command,
    examples=(
        'paragauge explain --candidate "A big dog barked." --reference "The large dogs were barking."',
        "paragauge explain -c mine.txt -r refs.tsv --segment 3 --html alignment.html",
        "paragauge explain -c a.txt -c b.txt -r refs.tsv --segment 3 -m maxsim+dep,maxsim-soft -f json",
    ),
)
@option("--candidate", metavar="TEXT", heading=TEXTS, help="The sentence to explain the score of.")
@option(
    "--reference",
    multiple=True,
    metavar="TEXT",
    heading=TEXTS,
    help="What it is compared with. May repeat: each is explained.",
)
@option(
    "--candidates",
    "-c",
    multiple=True,
    metavar="[NAME=]FILE",
    heading=FILES,
    help="A system's output, one sentence a line. Repeat for more systems.",
)
@option(
    "--references",
    "-r",
    multiple=True,
    metavar="FILE",
    heading=FILES,
    help="References; several on a line are separated by tabs. Each is explained.",
)
@option(
    "--segment",
    type=click.IntRange(1),
    metavar="N",
    heading=FILES,
    help="Which segment: the number of its line, from 1.",
)
@option(
    "--metrics",
    "-m",
    multiple=True,
    default=("maxsim",),
    metavar="NAME[:SETTING=VALUE...],...",
    heading=options.METRIC,
    help=f"What to explain: {', '.join(EXPLAINED)}.",
)
@options.tokenizer
@options.tool_choice
@option(
    "--format",
    "-f",
    "form",
    default="text",
    metavar="|".join(FORMATS),
    heading=options.OUTPUT,
    help="How to print the result.",
)
@option(
    "--html",
    metavar="FILE",
    heading=options.OUTPUT,
    help="Also write an HTML page with the alignments drawn.",
)
def explain(**given: Any) -> None:
    """Show which words, n-grams and relations of two sentences match, and why they score as they do."""
    if given["form"] not in FORMATS:
        raise unknown_name("format", given["form"], FORMATS)
    chosen = _chosen(given["metrics"], options.metric_defaults(given))
    pairs = _given_pairs(given)
    with _page(given["html"]) as out:
        found = {
            f"{title}: {label}" if len(chosen) > 1 else title: metric.explain(candidate, reference)
            for title, (candidate, reference) in pairs.items()
            for label, metric in chosen.items()
        }
        if out is not None:
            from paragauge.report.alignment import render_alignment

            out.write(render_alignment(found, options.command_line()))
    sys.stdout.write(_rendered(found, given["form"]))


def _chosen(texts: Sequence[str], defaults: Mapping[str, str]) -> dict[str, MaxSim]:
    """The metrics by label, all of a kind that can be explained."""
    chosen: dict[str, MaxSim] = {}
    for label, metric in parse_metrics(texts, defaults).items():
        if not isinstance(metric, MaxSim):
            raise SettingError(
                f"metric '{label}' cannot be explained; those that can: {', '.join(EXPLAINED)}"
            )
        chosen[label] = metric
    return chosen


@contextlib.contextmanager
def _page(path: str | None) -> Iterator[IO[str] | None]:
    """The file for the page, opened before anything is computed; None if there is to be none."""
    if path is None:
        yield None
        return
    with atomic(path) as out:
        yield out


def _rendered(found: dict[str, Explanation], form: str) -> str:
    if form == "json":
        records = [{"title": title} | each.record() for title, each in found.items()]
        return json_text({"explanations": records, "paragauge": __version__})
    if len(found) == 1:
        return "".join(f"{each}\n" for each in found.values())
    return "\n".join(f"== {title} ==\n{each}\n" for title, each in found.items())


def _given_pairs(given: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The pairs of sentences by title."""
    texts = given["candidate"] is not None or bool(given["reference"])
    files = bool(given["candidates"] or given["references"] or given["segment"])
    if texts == files:
        raise InputError(
            "expected two sentences (--candidate, --reference) or a segment of files (-c, -r, "
            f"--segment), got {'both' if texts else 'neither'}"
        )
    wanted = ("candidate", "reference") if texts else ("candidates", "references", "segment")
    for name in wanted:
        if given[name] is None or given[name] == ():
            flags = [f"--{each}" for each in wanted]
            raise InputError(f"expected {', '.join(flags[:-1])} and {flags[-1]}; --{name} is missing")
    if texts:
        title = "two sentences" if len(given["reference"]) == 1 else "one candidate"
        return _titled(title, given["candidate"], list(given["reference"]))
    return _segment_pairs(given)


def _segment_pairs(given: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The pairs of one segment of files."""
    corpus = Corpus(options.systems_of(given["candidates"]), (), given["references"])
    options.check_outputs(given, corpus, "html")
    wanted = int(given["segment"]) - 1
    seen = 0
    for batch in corpus.batches():
        if wanted < batch.first + len(batch) and batch.references is not None:
            row = wanted - batch.first
            pairs: dict[str, tuple[str, str]] = {}
            for system, lines in batch.systems.items():
                title = f"{system}, segment {wanted + 1}"
                pairs |= _titled(title, lines[row], batch.references[row])
            return pairs
        seen = batch.first + len(batch)
    path = display_name(next(iter(corpus.systems.values())))
    raise InputError(
        f"{path}: expected a segment from 1 to {seen:,}, which is all there are, got --segment "
        f"{wanted + 1:,}; choose another one"
    )


def _titled(title: str, candidate: str, references: list[str]) -> dict[str, tuple[str, str]]:
    if len(references) == 1:
        return {title: (candidate, references[0])}
    return {
        f"{title}, reference {number} of {len(references)}": (candidate, reference)
        for number, reference in enumerate(references, 1)
    }
