"""`paragauge explain`: how MAXSIM or PEM arrives at a score, as text, JSON or a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.explanation_output import check_form, explanation_form, render_titled
from paragauge.cli.options import shared_options
from paragauge.cli.options.analysis_options import AnalysisChoice, with_analysis
from paragauge.cli.options.metric_choice import model_files, text_settings, tokenizer
from paragauge.cli.options.option_kinds import count_option
from paragauge.errors import InputError, SettingError
from paragauge.metrics import explanations
from paragauge.metrics.base import Metric
from paragauge.metrics.explanations import EXPLAINED
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.metric import PEM
from paragauge.text.corpus import Corpus
from paragauge.text.files import atomic_if, display_name

KINDS = ("reference", "source")
TEXTS = "Two sentences"
FILES = "Or a segment of files"


@dataclass(frozen=True)
class ExplainInput:
    """The sentences to explain: as texts, or as a segment of files."""

    candidate: str | None
    reference: tuple[str, ...]
    source: tuple[str, ...]
    candidates: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...]
    segment: int | None

    def texts(self, kind: str) -> tuple[str, ...]:
        """The texts of a kind, `reference` or `source`, that are given."""
        return self.reference if kind == "reference" else self.source

    def files(self, kind: str) -> tuple[str, ...]:
        """The files of a kind, `reference` or `source`, that are given."""
        return self.references if kind == "reference" else self.sources


with_sentences = gather_options(
    "sentences",
    ExplainInput,
    option("--candidate", metavar="TEXT", heading=TEXTS, help="The sentence whose score to explain."),
    option(
        "--reference",
        multiple=True,
        metavar="TEXT",
        heading=TEXTS,
        help="The sentence to compare it with, for MAXSIM. May repeat: each is explained.",
    ),
    option(
        "--source",
        multiple=True,
        metavar="TEXT",
        heading=TEXTS,
        help="The sentence it paraphrases, for PEM. May repeat: each is explained.",
    ),
    option(
        "--candidates",
        "-c",
        multiple=True,
        metavar="[NAME=]FILE",
        heading=FILES,
        help="A system's output, one sentence a line. Repeat for more systems.",
    ),
    option(
        "--references",
        "-r",
        multiple=True,
        metavar="FILE",
        heading=FILES,
        help="References; several on a line are separated by tabs. Each is explained.",
    ),
    option(
        "--sources",
        "-s",
        multiple=True,
        metavar="FILE",
        heading=FILES,
        help="Sources, one a line. Repeat for several sources of a segment: each is explained.",
    ),
    count_option(
        "--segment", least=1, heading=FILES, help="Which segment: the number of its line, from 1."
    ),
)


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
@with_sentences
@option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="NAME[:SETTING=VALUE...],...",
    heading=shared_options.METRIC,
    help=f"What to explain: {', '.join(EXPLAINED)}. Default: maxsim, or pem without references.",
)
@tokenizer
@with_analysis
@explanation_form
@option(
    "--html",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write an HTML page with the alignments or networks drawn.",
)
def explain(
    sentences: ExplainInput,
    metrics: tuple[str, ...],
    tokenize: str | None,
    analysis: AnalysisChoice,
    form: str,
    html: str | None,
) -> None:
    """Show what two sentences share, and why they score as they do."""
    check_form(form)
    chosen = _choose_metrics(sentences, metrics, text_settings(tokenize, None) | analysis.settings())
    kinds = [kind for kind in KINDS if kind in map(_kind, chosen.values())]
    if _are_texts(sentences, kinds):
        pairs = _text_pairs(sentences, kinds)
    else:
        corpus = _corpus(sentences, kinds)
        shared_options.check_outputs({"--html": html}, corpus, model_files(metrics))
        pairs = _segment_pairs(corpus, sentences.segment or 1, kinds)
    with atomic_if(html) as out:
        explanations = {
            f"{pair.title}: {label}" if len(chosen) > 1 else pair.title: _explain_pair(metric, pair)
            for pair in pairs
            for label, metric in chosen.items()
            if _kind(metric) == pair.kind
        }
        if out is not None:
            from paragauge.report.pages.explanation_page import render_explanations

            out.write(render_explanations(explanations, shared_options.command_line()))
    sys.stdout.write(render_titled(explanations, form, "explanations", str))


class Pair(NamedTuple):
    """A candidate with one text that it is compared with: a `reference` or a `source`, the kind."""

    title: str
    kind: str
    candidate: str
    other: str


def _choose_metrics(
    sentences: ExplainInput, metrics: tuple[str, ...], defaults: dict[str, str]
) -> dict[str, MaxSim | PEM]:
    """The metrics by label, all of a kind that can be explained."""
    has_sources, has_references = (
        bool(sentences.texts(kind) or sentences.files(kind)) for kind in ("source", "reference")
    )
    texts = metrics or (("pem",) if has_sources and not has_references else ("maxsim",))
    chosen: dict[str, MaxSim | PEM] = {}
    for label, metric in Metric.from_specs(texts, defaults, wrapped=False).items():
        if not isinstance(metric, MaxSim | PEM):
            raise SettingError(
                f"metric '{label}' cannot be explained; those that can: {', '.join(EXPLAINED)}"
            )
        chosen[label] = metric
    return chosen


def _kind(metric: Metric) -> str:
    """What the metric compares a candidate with."""
    return "source" if "sources" in metric.needs else "reference"


def _explain_pair(metric: MaxSim | PEM, pair: Pair) -> Explanation | PEMExplanation:
    return explanations.explain(pair.candidate, metric, **{pair.kind: pair.other})


def _are_texts(sentences: ExplainInput, kinds: Sequence[str]) -> bool:
    """Whether the sentences are given as texts rather than in files; refuses incomplete ones.

    Metrics need the `kinds`: references, sources or both.
    """
    texts = {
        "--candidate": sentences.candidate,
        **{f"--{kind}": sentences.texts(kind) for kind in KINDS},
    }
    files = {
        "--candidates": sentences.candidates,
        **{f"--{kind}s": sentences.files(kind) for kind in KINDS},
        "--segment": sentences.segment,
    }
    has_texts = sentences.candidate is not None or any(texts.values())
    has_files = any(files.values())
    if has_texts == has_files:
        others = ", ".join(f"--{kind}" for kind in kinds)
        short = ", ".join({"reference": "-r", "source": "-s"}[kind] for kind in kinds)
        raise InputError(
            f"expected two sentences (--candidate, {others}) or a segment of files (-c, "
            f"{short}, --segment), got {'both' if has_texts else 'neither'}"
        )
    unused = {f"--{kind}{'' if has_texts else 's'}" for kind in KINDS if kind not in kinds}
    needed = {
        flag: value for flag, value in (texts if has_texts else files).items() if flag not in unused
    }
    flags = list(needed)
    for flag, value in needed.items():
        if value is None or value == ():
            raise InputError(f"expected {', '.join(flags[:-1])} and {flags[-1]}; {flag} is missing")
    return has_texts


def _text_pairs(sentences: ExplainInput, kinds: Sequence[str]) -> list[Pair]:
    """The pairs of the sentences given as texts."""
    pairs: list[Pair] = []
    for kind in kinds:
        title = "two sentences" if len(sentences.texts(kind)) == 1 else "one candidate"
        pairs += _titled_pairs(title, kind, kinds, str(sentences.candidate), sentences.texts(kind))
    return pairs


def _corpus(sentences: ExplainInput, kinds: Sequence[str]) -> Corpus:
    """The files that have the segment, without those that no metric needs."""
    return Corpus(
        shared_options.name_systems(sentences.candidates),
        sentences.sources if "source" in kinds else (),
        sentences.references if "reference" in kinds else (),
    )


def _segment_pairs(corpus: Corpus, segment: int, kinds: Sequence[str]) -> list[Pair]:
    """The pairs of one segment of files."""
    index = segment - 1
    seen = 0
    for batch in corpus.batches():
        if index < batch.first + len(batch):
            row = index - batch.first
            groups = {"source": batch.sources, "reference": batch.references}
            return [
                pair
                for system, lines in batch.systems.items()
                for kind in kinds
                for group in [groups[kind]]
                if group is not None
                for pair in _titled_pairs(
                    f"{system}, segment {index + 1}", kind, kinds, lines[row], group[row]
                )
            ]
        seen = batch.first + len(batch)
    path = display_name(next(iter(corpus.systems.values())))
    raise InputError(
        f"{path}: expected a segment from 1 to {seen:,}, which is all there are, got --segment "
        f"{index + 1:,}; choose another one"
    )


def _titled_pairs(
    title: str, kind: str, kinds: Sequence[str], candidate: str, others: Sequence[str]
) -> list[Pair]:
    if len(others) == 1:
        whole = f"{title}, {kind}" if len(kinds) > 1 else title
        return [Pair(whole, kind, candidate, others[0])]
    return [
        Pair(f"{title}, {kind} {number} of {len(others)}", kind, candidate, other)
        for number, other in enumerate(others, 1)
    ]
