"""`paragauge explain`: how a metric arrives at a score, as text, JSON or a page."""

from __future__ import annotations

import contextlib
import itertools
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.explanation_output import check_form, explanation_form, render_titled
from paragauge.cli.options import shared_options
from paragauge.cli.options.analysis_options import AnalysisChoice, with_analysis
from paragauge.cli.options.encoder_options import EncoderChoice, with_encoder
from paragauge.cli.options.metric_choice import model_files, text_settings, tokenizer
from paragauge.cli.options.option_effect import check_effect
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.options.script_note import note_first_texts
from paragauge.errors import InputError, SettingError
from paragauge.metrics import explanations
from paragauge.metrics.base import Metric
from paragauge.metrics.explanations import EXPLAINED, ExplainedMetric, joint_inputs
from paragauge.text.corpus import Corpus
from paragauge.text.files import atomic_if, display_name
from paragauge.text.tokenizers import Tokenizer

KINDS = ("reference", "source")
# A candidate with one text or with two.
COUNTS = {1: "two", 2: "three"}
TEXTS = "Two sentences"
FILES = "Or a segment of files"
FITTED = ("pinc-sigmoid", "pinc-svr")


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
        help="The sentence to compare it with, if the metric needs one. May repeat: each is explained, "
        "or all at once by metrics that count what any of them has, such as bleu.",
    ),
    option(
        "--source",
        multiple=True,
        metavar="TEXT",
        heading=TEXTS,
        help="The sentence it paraphrases, if the metric needs it. May repeat: each is explained.",
    ),
    option(
        "--candidates",
        "-c",
        multiple=True,
        metavar="[NAME=]FILE",
        heading=FILES,
        help="A system's output, one sentence per line. Repeat for more systems.",
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
        help="Sources, one per line. Repeat for several sources of a segment: each is explained.",
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
        'paragauge explain -m bleu,ter --candidate "A big dog." --reference "The large dogs."',
        'paragauge explain -m pem --source "It was put off." --candidate "It was postponed."',
        "paragauge explain -m pem -s sources.txt -c mine.txt --segment 3 --html why.html",
        "paragauge explain -m bertscore -c mine.txt -r refs.tsv --segment 3 --html matches.html",
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
@with_encoder
@explanation_form
@option(
    "--html",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write an HTML page with the matches or networks drawn.",
)
@option(
    "--browser",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Serve a page on this computer alone, where you type the sentences; Ctrl-C ends.",
)
@count_option(
    "--port", least=0, heading=shared_options.OUTPUT, help="The port of --browser. Default: a free one."
)
def explain(
    sentences: ExplainInput,
    metrics: tuple[str, ...],
    tokenize: Tokenizer | None,
    analysis: AnalysisChoice,
    encoding: EncoderChoice,
    form: str,
    html: str | None,
    browser: bool,
    port: int | None,
) -> None:
    """Show what two sentences share, and why they score as they do."""
    check_form(form)
    defaults = text_settings(tokenize, None) | analysis.settings() | encoding.settings()
    if browser:
        if html is not None or sentences.segment is not None or any(map(sentences.files, KINDS)):
            raise InputError("--browser shows sentences that you type; leave out files and --html")
        encoding.use_cache()
        _serve(sentences, metrics, defaults, port or 0)
        return
    if port is not None:
        raise InputError("--port is that of --browser; give --browser too")
    chosen = _choose_metrics(sentences, metrics, defaults)
    wanted = sorted({_shape(metric) for metric in chosen.values()})
    kinds = [kind for kind in KINDS if any(kind in shape.kinds for shape in wanted)]
    if _are_texts(sentences, kinds):
        pairs = _text_pairs(sentences, wanted)
    else:
        corpus = _corpus(sentences, kinds)
        shared_options.check_outputs({"--html": html}, corpus, model_files(metrics))
        pairs = _segment_pairs(corpus, sentences.segment or 1, wanted)
    english = [label for label, metric in chosen.items() if metric.reads_english]
    for pair in pairs[:1]:
        firsts = {kind: texts[0] for kind, texts in pair.texts.items() if texts}
        note_first_texts({**firsts, "candidate": pair.candidate}, english)
    encoding.use_cache()
    with atomic_if(html) as out:
        titled = {
            f"{pair.title}: {label}" if len(chosen) > 1 else pair.title: explanations.explain(
                pair.candidate, metric, **pair.texts
            )
            for pair in pairs
            for label, metric in chosen.items()
            if _shape(metric) == pair.shape
        }
        if out is not None:
            from paragauge.report.pages.explanation_page import render_explanations

            out.write(render_explanations(titled, shared_options.command_line()))
    sys.stdout.write(render_titled(titled, form, str, schema="explain"))


def _serve(
    sentences: ExplainInput, metrics: tuple[str, ...], defaults: dict[str, str], port: int
) -> None:
    """Serve the page until it is interrupted."""
    from paragauge.cli.explain_server import ExplainServer

    # Regressions need the file of a fit, so they are shown if they are asked for.
    usual = [name for name in EXPLAINED if name not in FITTED]
    chosen = Metric.from_specs(metrics or usual, defaults, wrapped=False)
    for label, metric in chosen.items():
        _check_explained(label, metric)
    texts = {
        "candidate": sentences.candidate or "",
        "source": "\n".join(sentences.source),
        "references": "\n".join(sentences.reference),
    }
    with ExplainServer(chosen, texts, port) as server:
        sys.stdout.write(f"{server.url}  (Ctrl-C ends)\n")
        sys.stdout.flush()
        if sys.stdout.isatty():
            webbrowser.open(server.url)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


def _check_explained(label: str, metric: Metric) -> ExplainedMetric:
    """The metric, if it can be explained."""
    if isinstance(metric, ExplainedMetric):
        return metric
    raise SettingError(f"metric '{label}' cannot be explained; those that can: {', '.join(EXPLAINED)}")


class Shape(NamedTuple):
    """What a metric compares a candidate with, and of which kinds all texts at once."""

    kinds: tuple[str, ...]
    together: tuple[str, ...]


class Pair(NamedTuple):
    """A candidate with the texts that a metric compares it with, by kind: `reference`, `source`."""

    title: str
    candidate: str
    texts: dict[str, list[str]]
    shape: Shape


def _choose_metrics(
    sentences: ExplainInput, metrics: tuple[str, ...], defaults: dict[str, str]
) -> dict[str, ExplainedMetric]:
    """The metrics by label, all of a kind that can be explained."""
    has_sources, has_references = (
        bool(sentences.texts(kind) or sentences.files(kind)) for kind in ("source", "reference")
    )
    texts = metrics or (("pem",) if has_sources and not has_references else ("maxsim",))
    chosen = Metric.from_specs(texts, defaults, wrapped=False)
    explained = {label: _check_explained(label, metric) for label, metric in chosen.items()}
    check_effect(defaults, chosen)
    return explained


def _shape(metric: Metric) -> Shape:
    """What the metric compares a candidate with."""
    joint = joint_inputs(metric)
    return Shape(
        tuple(kind for kind in KINDS if f"{kind}s" in metric.needs),
        tuple(kind for kind in KINDS if f"{kind}s" in joint),
    )


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
            f"{short}, --segment), found "
            + ("both" if has_texts else "neither; --browser opens a page to type in")
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


def _text_pairs(sentences: ExplainInput, wanted: Sequence[Shape]) -> list[Pair]:
    """The pairs of the sentences given as texts."""
    groups = {kind: sentences.texts(kind) for kind in KINDS}
    pairs: list[Pair] = []
    for shape in wanted:
        single = all(len(groups[kind]) == 1 for kind in shape.kinds)
        title = f"{COUNTS[len(shape.kinds)]} sentences" if single else "one candidate"
        pairs += _titled_pairs(title, shape, wanted, str(sentences.candidate), groups)
    return pairs


def _corpus(sentences: ExplainInput, kinds: Sequence[str]) -> Corpus:
    """The files that have the segment, without those that no metric needs."""
    return Corpus(
        shared_options.name_systems(sentences.candidates),
        sentences.sources if "source" in kinds else (),
        sentences.references if "reference" in kinds else (),
    )


def _segment_pairs(corpus: Corpus, segment: int, wanted: Sequence[Shape]) -> list[Pair]:
    """The pairs of one segment of files."""
    index = segment - 1
    seen = 0
    for batch in corpus.batches():
        if index < batch.first + len(batch):
            row = index - batch.first
            groups = {
                kind: group[row]
                for kind, group in (("source", batch.sources), ("reference", batch.references))
                if group is not None
            }
            return [
                pair
                for system, lines in batch.systems.items()
                for shape in wanted
                for pair in _titled_pairs(
                    f"{system}, segment {index + 1}", shape, wanted, lines[row], groups
                )
            ]
        seen = batch.first + len(batch)
    path = display_name(next(iter(corpus.systems.values())))
    raise InputError(
        f"{path}: expected a segment from 1 to {seen:,}, which is all there are, found --segment "
        f"{index + 1:,}; choose another one"
    )


def _titled_pairs(
    title: str,
    shape: Shape,
    wanted: Sequence[Shape],
    candidate: str,
    groups: Mapping[str, Sequence[str]],
) -> list[Pair]:
    """A pair for each text of a kind, or for each combination if the metric needs two kinds.

    Texts of a kind that the metric compares with all at once are together in every pair.
    """
    choices: list[list[tuple[str, list[str]]]] = []
    for kind in shape.kinds:
        texts, name = list(groups[kind]), [kind] if len({one.kinds for one in wanted}) > 1 else []
        if kind in shape.together and len(texts) > 1:
            choices.append([(f"{len(texts)} {kind}s", texts)])
        elif len(texts) > 1:
            choices.append(
                [(f"{kind} {number} of {len(texts)}", [text]) for number, text in enumerate(texts, 1)]
            )
        else:
            choices.append([("".join(name), texts)])
    return [
        Pair(
            ", ".join([title, *(name for name, _ in combination if name)]),
            candidate,
            {kind: texts for kind, (_, texts) in zip(shape.kinds, combination, strict=True)},
            shape,
        )
        for combination in itertools.product(*choices)
    ]
