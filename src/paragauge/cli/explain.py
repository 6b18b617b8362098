"""`paragauge explain`: how a score of MAXSIM or PEM comes about, as text, JSON or a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.explained import FORMATS, check_form, rendered
from paragauge.cli.options import shared_options
from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.pem.explain import explain as explain_pem
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.registry import METRICS, parse_metrics
from paragauge.text.corpus import Corpus
from paragauge.text.files import atomic_if, display_name

EXPLAINED = [name for name, metric in METRICS.items() if issubclass(metric, MaxSim | PEM)]
KINDS = ("reference", "source")
TEXTS = "Two sentences"
FILES = "Or a segment of files"


@click.command(
    cls=Command,
    examples=(
        'paragauge explain --candidate "A big dog barked." --reference "The large dogs were barking."',
        "paragauge explain -c mine.txt -r refs.tsv --segment 3 --html alignment.html",
        "paragauge explain -c a.txt -c b.txt -r refs.tsv --segment 3 -m maxsim+dep,maxsim-soft -f json",
        'paragauge explain -m pem --source "It was put off." --candidate "It was postponed."',
        "paragauge explain -m pem -s sources.txt -c mine.txt --segment 3 --html why.html",
    ),
)
@option("--candidate", metavar="TEXT", heading=TEXTS, help="The sentence to explain the score of.")
@option(
    "--reference",
    multiple=True,
    metavar="TEXT",
    heading=TEXTS,
    help="What MAXSIM compares it with. May repeat: each is explained.",
)
@option(
    "--source",
    multiple=True,
    metavar="TEXT",
    heading=TEXTS,
    help="What PEM takes it for a paraphrase of. May repeat: each is explained.",
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
    "--sources",
    "-s",
    multiple=True,
    metavar="FILE",
    heading=FILES,
    help="Sources, one a line. Repeat for several sources of a segment: each is explained.",
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
    metavar="NAME[:SETTING=VALUE...],...",
    heading=shared_options.METRIC,
    help=f"What to explain: {', '.join(EXPLAINED)}. Default: maxsim, or pem without references.",
)
@shared_options.tokenizer
@shared_options.tool_choice
@option(
    "--format",
    "-f",
    "form",
    default="text",
    metavar="|".join(FORMATS),
    heading=shared_options.OUTPUT,
    help="How to print the result.",
)
@option(
    "--html",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write an HTML page with the alignments or networks drawn.",
)
def explain(**given: Any) -> None:
    """Show what two sentences share, and why they score as they do."""
    check_form(given["form"])
    chosen = _chosen(given)
    pairs = _given_pairs(given, [kind for kind in KINDS if kind in map(_kind, chosen.values())])
    with atomic_if(given["html"]) as out:
        found = {
            f"{pair.title}: {label}" if len(chosen) > 1 else pair.title: _explained(metric, pair)
            for pair in pairs
            for label, metric in chosen.items()
            if _kind(metric) == pair.kind
        }
        if out is not None:
            from paragauge.report.pages.explanation_page import render_explanations

            out.write(render_explanations(found, shared_options.command_line()))
    sys.stdout.write(rendered(found, given["form"], "explanations", str))


class Pair(NamedTuple):
    """A candidate with one text that it is compared with: a `reference` or a `source`, the kind."""

    title: str
    kind: str
    candidate: str
    other: str


def _chosen(given: dict[str, Any]) -> dict[str, MaxSim | PEM]:
    """The metrics by label, all of a kind that can be explained."""
    sources, references = (given[kind] or given[f"{kind}s"] for kind in ("source", "reference"))
    texts = given["metrics"] or (("pem",) if sources and not references else ("maxsim",))
    chosen: dict[str, MaxSim | PEM] = {}
    for label, metric in parse_metrics(texts, shared_options.metric_defaults(given)).items():
        if not isinstance(metric, MaxSim | PEM):
            raise SettingError(
                f"metric '{label}' cannot be explained; those that can: {', '.join(EXPLAINED)}"
            )
        chosen[label] = metric
    return chosen


def _kind(metric: Metric) -> str:
    """What the metric compares a candidate with."""
    return "source" if "sources" in metric.needs else "reference"


def _explained(metric: MaxSim | PEM, pair: Pair) -> Explanation | PEMExplanation:
    if isinstance(metric, PEM):
        return explain_pem(metric, pair.candidate, pair.other)
    return metric.explain(pair.candidate, pair.other)


def _given_pairs(given: dict[str, Any], kinds: Sequence[str]) -> list[Pair]:
    """The pairs of sentences to explain, with references, sources or both, as the metrics need."""
    others, plural = [f"--{kind}" for kind in kinds], [f"--{kind}s" for kind in kinds]
    texts = given["candidate"] is not None or any(given[kind] for kind in KINDS)
    files = any(given[name] for name in ("candidates", "references", "sources", "segment"))
    if texts == files:
        short = ", ".join({"reference": "-r", "source": "-s"}[kind] for kind in kinds)
        raise InputError(
            f"expected two sentences (--candidate, {', '.join(others)}) or a segment of files (-c, "
            f"{short}, --segment), got {'both' if texts else 'neither'}"
        )
    wanted = ["--candidate", *others] if texts else ["--candidates", *plural, "--segment"]
    for flag in wanted:
        if given[flag[2:]] is None or given[flag[2:]] == ():
            raise InputError(f"expected {', '.join(wanted[:-1])} and {wanted[-1]}; {flag} is missing")
    if not texts:
        return _segment_pairs(given, kinds)
    pairs = []
    for kind in kinds:
        title = "two sentences" if len(given[kind]) == 1 else "one candidate"
        pairs += _titled(title, kind, kinds, given["candidate"], list(given[kind]))
    return pairs


def _segment_pairs(given: dict[str, Any], kinds: Sequence[str]) -> list[Pair]:
    """The pairs of one segment of files."""
    read = {f"{kind}s": given[f"{kind}s"] if kind in kinds else () for kind in KINDS}
    corpus = Corpus(shared_options.systems_of(given["candidates"]), read["sources"], read["references"])
    shared_options.check_outputs(given, corpus, "html")
    wanted = int(given["segment"]) - 1
    seen = 0
    for batch in corpus.batches():
        if wanted < batch.first + len(batch):
            row = wanted - batch.first
            groups = {"source": batch.sources, "reference": batch.references}
            return [
                pair
                for system, lines in batch.systems.items()
                for kind in kinds
                for group in [groups[kind]]
                if group is not None
                for pair in _titled(
                    f"{system}, segment {wanted + 1}", kind, kinds, lines[row], group[row]
                )
            ]
        seen = batch.first + len(batch)
    path = display_name(next(iter(corpus.systems.values())))
    raise InputError(
        f"{path}: expected a segment from 1 to {seen:,}, which is all there are, got --segment "
        f"{wanted + 1:,}; choose another one"
    )


def _titled(
    title: str, kind: str, kinds: Sequence[str], candidate: str, others: Sequence[str]
) -> list[Pair]:
    if len(others) == 1:
        whole = f"{title}, {kind}" if len(kinds) > 1 else title
        return [Pair(whole, kind, candidate, others[0])]
    return [
        Pair(f"{title}, {kind} {number} of {len(others)}", kind, candidate, other)
        for number, other in enumerate(others, 1)
    ]
