"""`paragauge generate run`: paraphrase text with a model, or by search for the best metric."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.generate.generate_options import MODEL, DecodingOptions, may_copy, with_decoding
from paragauge.cli.options import shared_options
from paragauge.cli.options.encoder_options import EncoderChoice, with_encoder
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import SentenceCounter
from paragauge.errors import SettingError, unknown_name
from paragauge.generate.long_lines import TOO_LONG, LongLines, take_fitting_lines
from paragauge.generate.metric_search import SearchResult, SearchSettings, search
from paragauge.generate.nbest_files import nbest_format, nbest_lines
from paragauge.generate.objective import Objective, parse_objective
from paragauge.generate.surface_text import surface_texts
from paragauge.generate.weights import read_weights
from paragauge.kernels.layout import Floats
from paragauge.text.files import atomic, atomic_if
from paragauge.text.line_reader import LineReader
from paragauge.text.wording import pluralize

SEARCH = "Search"
BATCH = 1000  # most sentences that are decoded, or searched for, at once
BATCH_BYTES = 1 << 22
FORMS = ("text", "words")
HYPOTHESES = 100_000  # most hypotheses in memory at once


@dataclass(frozen=True)
class SearchOptions:
    """What search maximizes, if anything, and how far it goes."""

    spec: str | None
    search_weights: str | None
    rescore: int
    budget: int
    beam: int
    limit: int
    slack: float | None
    restarts: int
    seed: int

    def settings(self) -> SearchSettings:
        """The settings that the options describe."""
        try:
            return SearchSettings(
                self.rescore,
                self.budget,
                self.beam,
                self.limit,
                self.slack,
                self.restarts,
                self.seed,
            )
        except SettingError as error:
            raise SettingError(str(error).replace("search nbest", "--rescore")) from None

    def objective(self, encoding: EncoderChoice) -> Objective | None:
        """What to maximize; None if the model decodes without search."""
        if self.spec is None:
            names = (
                "search_weights",
                "rescore",
                "budget",
                "beam",
                "limit",
                "slack",
                "restarts",
                "seed",
            )
            shared_options.refuse_without("--search", *names, "encoder", "cache")
            return None
        encoding.use_cache()
        objective = parse_objective(self.spec, encoding.settings())
        if self.search_weights is None:
            if "*" not in self.spec and objective.model and objective.terms:
                click.echo(
                    f"paragauge: --search {self.spec}: each term has weight 1, but their scales "
                    "differ; generate tune --search chooses weights on a development set",
                    err=True,
                )
            return objective
        if "*" in self.spec:
            raise SettingError(
                f"--search '{self.spec}': weights are given both here and by --search-weights; "
                "leave one out"
            )
        weights = read_weights(self.search_weights, objective.names)
        return objective.with_weights(weights.tolist())


def _setting(flag: str, default: int, help_text: str) -> Callable[[Any], Any]:
    return option(flag, type=int, default=default, metavar="N", heading=SEARCH, help=help_text)


with_search = gather_options(
    "search_options",
    SearchOptions,
    option(
        "--search",
        "spec",
        metavar="[WEIGHT*]METRIC+...",
        heading=SEARCH,
        help="Search for paraphrases that maximize metrics of the source, such as pem+200*model.",
    ),
    option(
        "--search-weights",
        metavar="FILE",
        heading=SEARCH,
        help="Weights of the objective's terms, as generate tune --search writes them.",
    ),
    _setting("--rescore", SearchSettings.nbest, "Hypotheses of the model that search starts from."),
    _setting("--budget", SearchSettings.budget, "Paraphrases of a sentence that metrics score."),
    _setting("--beam", SearchSettings.beam, "Paraphrases that search changes further."),
    _setting("--limit", SearchSettings.limit, "Substitutions of each span of words."),
    option(
        "--slack",
        type=float,
        metavar="X",
        heading=SEARCH,
        help="How far below the model's best its score may be, per word. Default: no limit.",
    ),
    _setting("--restarts", SearchSettings.restarts, "Random restarts of the search."),
    _setting("--seed", SearchSettings.seed, "Seed of the restarts."),
)


@click.command(
    "run",
    cls=Command,
    examples=(
        "paragauge generate run model source.txt > paraphrases.txt",
        "paragauge generate run model source.txt --nbest 100 --nbest-output lists.nbest -o out.txt",
        "paragauge generate run model source.txt --search pem+200*model --budget 300 -o out.txt",
    ),
)
@click.argument("model", metavar="MODEL")
@click.argument("sources", metavar="[SOURCES]", default="-")
@with_decoding
@choice_option(
    "--too-long",
    choices=TOO_LONG,
    default="error",
    heading=MODEL,
    help="Sentences longer than --longest: refuse them, or copy and count them.",
)
@with_search
@with_encoder
@count_option(
    "--nbest",
    least=1,
    most=100_000,
    default=100,
    heading=shared_options.OUTPUT,
    help="Paraphrases per sentence in --nbest-output.",
)
@option(
    "--nbest-output",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write n-best lists with all features: JSON Lines if the name ends in .jsonl, else the "
    "format of Moses.",
)
@choice_option(
    "--output-form",
    choices=FORMS,
    default="text",
    heading=shared_options.OUTPUT,
    help="text: with the spaces and the case of the source. words: as the model writes them.",
)
@option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT,
    help="The paraphrases, one per line. Default: standard output.",
)
@shared_options.threads
def run_command(
    model: str,
    sources: str,
    decoding: DecodingOptions,
    too_long: LongLines,
    search_options: SearchOptions,
    encoding: EncoderChoice,
    nbest: int,
    nbest_output: str | None,
    output_form: str,
    output: str,
    threads: int,
) -> None:
    """Paraphrase each line of SOURCES with MODEL; - (the default) is standard input.

    The output has as many lines, written with the spaces and the case of the source, or, with
    --output-form words, as words separated by spaces in the form of the training text. Empty lines stay
    empty. If the output goes to a file, a summary is printed.
    """
    if too_long not in TOO_LONG:
        raise unknown_name("--too-long", too_long, TOO_LONG)
    settings = search_options.settings()
    objective = search_options.objective(encoding)
    if nbest_output is None:
        shared_options.refuse_without("--nbest-output", "nbest")
    inputs = (model, sources, decoding.weights, search_options.search_weights)
    shared_options.check_no_input("--output", output, inputs)
    shared_options.check_no_input(
        "--nbest-output", nbest_output, (*inputs, None if output == "-" else output)
    )
    generator = decoding.open(model, threads)
    settings = replace(settings, copies=may_copy(generator))
    summary = SearchSummary()
    copied = 0
    size = 1 if nbest_output is None else nbest
    per_sentence = max(size, 1 if objective is None else settings.budget)
    batch = min(BATCH, max(1, HYPOTHESES // per_sentence))
    with (
        LineReader(sources) as reader,
        atomic(output) as out,
        atomic_if(nbest_output) as lists,
        SentenceCounter() as progress,
    ):
        while len(lines := reader.read(batch, BATCH_BYTES)):
            before = reader.line - len(lines)
            fit = take_fitting_lines(
                generator, lines, too_long, path=sources, before=before, threads=threads
            )
            texts: list[str] = []
            if objective is None or lists is not None:
                decoded = generator.nbest(
                    fit.lines,
                    size,
                    threads=threads,
                    progress=progress if objective is None else None,
                )
                if lists is not None:
                    lists.writelines(nbest_lines(decoded, nbest_format(str(nbest_output)), before))
                texts = decoded.best()
            if objective is not None:
                searched = search(
                    generator,
                    fit.lines,
                    objective,
                    settings=settings,
                    threads=threads,
                    progress=progress,
                )
                summary.add(searched)
                texts = searched.texts
            texts = fit.insert_copies(texts)
            if output_form == "text":
                texts = surface_texts(texts, list(lines), generator.form)
            out.writelines(f"{text}\n" for text in texts)
            copied += len(fit.long)
    if output != "-":
        note = f", {copied:,} of them too long and copied" if copied else ""
        sys.stdout.write(
            f"{output}: {pluralize(reader.line, 'sentence')}{note}. "
            f"{generator.name}|{generator.form.label}\n"
        )
        if objective is not None:
            sys.stdout.write(summary.line(objective.label))
            sys.stdout.writelines(summary.term_lines(objective))
            sys.stdout.writelines(f"{signature}\n" for signature in objective.signatures)


class SearchSummary:
    """Means of the objective before and after search, over batches; empty lines have no value."""

    def __init__(self) -> None:
        self._sums = np.zeros(3)
        self._known = np.zeros(3)
        self._evaluations = 0
        self._terms: list[Floats] = []

    def add(self, searched: SearchResult) -> None:
        """Add a batch."""
        values = np.stack([searched.start_values, searched.rescored_values, searched.values])
        known = np.isfinite(values)
        self._sums += np.where(known, values, 0).sum(axis=1)
        self._known += known.sum(axis=1)
        self._evaluations += int(searched.evaluations.sum())
        self._terms.append(
            np.stack([searched.start_terms, searched.rescored_terms, searched.end_terms])
        )

    def term_lines(self, objective: Objective) -> list[str]:
        """The means of each term before it is weighted, one line per term."""
        if not self._terms or not objective.names:
            return []
        values = np.concatenate(self._terms, axis=1)
        known = np.isfinite(values)
        counts = known.sum(axis=1)
        if not counts.all():
            return []
        means = np.where(known, values, 0).sum(axis=1) / counts
        return [
            f"  {name}: {start:.2f}, {rescored:.2f}, {end:.2f}\n"
            for name, (start, rescored, end) in zip(objective.names, means.T.tolist(), strict=True)
        ]

    def line(self, objective: str) -> str:
        """The means as a line of text."""
        if not self._known.all():
            evaluations = pluralize(self._evaluations, "evaluation")
            return f"{objective}: no sentence to search for; {evaluations}.\n"
        start, rescored, end = (self._sums / self._known).tolist()
        return (
            f"{objective}: {start:.2f} of the model alone, {rescored:.2f} of its lists, {end:.2f} "
            f"after search; {pluralize(self._evaluations, 'evaluation')}.\n"
        )
