"""`paragauge generate run`: paraphrases of text, by a model alone or driven by a metric."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any

import click
import numpy as np

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.generate.generate_options import MODEL, decoding, generator_of, may_copy
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Sentences
from paragauge.errors import SettingError, unknown_name
from paragauge.generate.long_lines import TOO_LONG, fitting
from paragauge.generate.nbest_files import nbest_format, nbest_lines
from paragauge.generate.objective import Objective, parse_objective
from paragauge.generate.protocol import Generator
from paragauge.generate.search import Searched, SearchSettings, search
from paragauge.text.files import atomic, atomic_if
from paragauge.text.lines import Lines
from paragauge.text.plain import counted
from paragauge.text.reading import LineReader

SEARCH = "Search"
BATCH = 1000  # sentences at most that are decoded at once; search takes its rounds with so many
BATCH_BYTES = 1 << 22
HYPOTHESES = 100_000  # of all lists that are in memory at once


def _setting(flag: str, default: int, help_text: str) -> Callable[[Any], Any]:
    return option(flag, type=int, default=default, metavar="N", heading=SEARCH, help=help_text)


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
@decoding
@option(
    "--too-long",
    default="error",
    metavar="|".join(TOO_LONG),
    heading=MODEL,
    help="Sentences above the longest: refuse them, or copy and count them.",
)
@option(
    "--search",
    "spec",
    metavar="[WEIGHT*]METRIC+...",
    heading=SEARCH,
    help="Look for the paraphrases that maximize metrics of the source, such as pem+200*model.",
)
@_setting("--rescore", SearchSettings.nbest, "Hypotheses of the model that search begins with.")
@_setting("--budget", SearchSettings.budget, "Paraphrases of a sentence that metrics are computed of.")
@_setting("--beam", SearchSettings.beam, "Paraphrases that search changes further.")
@_setting("--limit", SearchSettings.limit, "Substitutions of each span of words.")
@option(
    "--slack",
    type=float,
    metavar="X",
    heading=SEARCH,
    help="How far below the model's best its score may be, per word. Default: as far as you like.",
)
@_setting("--restarts", SearchSettings.restarts, "Times that search begins anew, at random.")
@_setting("--seed", SearchSettings.seed, "Seed of the restarts.")
@option(
    "--nbest",
    type=click.IntRange(1, 100_000),
    default=100,
    metavar="N",
    heading=shared_options.OUTPUT,
    help="Paraphrases of each sentence in --nbest-output.",
)
@option(
    "--nbest-output",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write lists with all features: JSON Lines for .jsonl, else Moses' format.",
)
@option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT,
    help="The paraphrases, one a line. Default: standard output.",
)
@shared_options.threads
def run_command(model: str, sources: str, **given: Any) -> None:
    """Paraphrase each line of SOURCES with MODEL; - (the default) is standard input.

    The result has one line for each: words with blanks between, in the form that the model was trained
    on. Empty lines stay empty. What was done is printed if the result goes to a file.
    """
    objective, settings = _search(given)
    output, lists = given["output"], given["nbest_output"]
    if lists is None:
        shared_options.refuse_without("--nbest-output", "nbest")
    inputs = (model, sources, given["weights"])
    shared_options.check_no_input("--output", output, inputs)
    shared_options.check_no_input("--nbest-output", lists, (*inputs, None if output == "-" else output))
    generator = generator_of(model, given)
    settings = replace(settings, copies=may_copy(generator))
    found = Means()
    threads, copied = given["threads"], 0
    most = max(1 if lists is None else given["nbest"], 1 if objective is None else given["budget"])
    batch = min(BATCH, max(1, HYPOTHESES // most))
    with (
        LineReader(sources) as reader,
        atomic(output) as out,
        atomic_if(lists) as more,
        Sentences() as done,
    ):
        while len(lines := reader.read(batch, BATCH_BYTES)):
            before = reader.line - len(lines)
            fit = fitting(
                generator, lines, given["too_long"], path=sources, before=before, threads=threads
            )
            texts: list[str] = []
            if objective is None or more is not None:
                watch = done if objective is None else None
                texts = _decoded(generator, fit.lines, before, more, given, watch)
            if objective is not None:
                searched = search(
                    generator,
                    fit.lines,
                    objective,
                    settings=settings,
                    threads=threads,
                    progress=done,
                )
                found.add(searched)
                texts = searched.texts
            out.writelines(f"{text}\n" for text in fit.restored(texts))
            copied += len(fit.long)
    if output != "-":
        sys.stdout.write(_summary(output, reader.line, copied, generator))
        if objective is not None:
            sys.stdout.write(found.line(objective.label))
            sys.stdout.writelines(f"{signature}\n" for signature in objective.signatures)


def _search(given: dict[str, Any]) -> tuple[Objective | None, SearchSettings]:
    """What to maximize, if anything, and how far to go."""
    names = ("budget", "beam", "limit", "slack", "restarts", "seed")
    if given["too_long"] not in TOO_LONG:
        raise unknown_name("--too-long", given["too_long"], TOO_LONG)
    try:
        settings = SearchSettings(given["rescore"], **{name: given[name] for name in names})
    except SettingError as error:
        raise SettingError(str(error).replace("search nbest", "--rescore")) from None
    if given["spec"] is None:
        shared_options.refuse_without("--search", "rescore", *names)
        return None, settings
    return parse_objective(given["spec"]), settings


def _decoded(
    generator: Generator,
    lines: Lines,
    before: int,
    lists: IO[str] | None,
    given: dict[str, Any],
    progress: Callable[[int], None] | None,
) -> list[str]:
    """The model's best paraphrases; longer lists are written if there is a file for them."""
    size = 1 if lists is None else given["nbest"]
    found = generator.nbest(lines, size, threads=given["threads"], progress=progress)
    if lists is not None:
        lists.writelines(nbest_lines(found, nbest_format(given["nbest_output"]), before))
    return found.best()


def _summary(output: str, count: int, copied: int, generator: Generator) -> str:
    """What was done, in a line."""
    note = f", {copied:,} of them too long and copied" if copied else ""
    return f"{output}: {counted(count, 'sentence')}{note}. {generator.name}|{generator.form.label}\n"


class Means:
    """Means of what search found, over batches; empty lines have no value."""

    def __init__(self) -> None:
        self._sums = np.zeros(3)
        self._known = np.zeros(3)
        self._evaluations = 0

    def add(self, found: Searched) -> None:
        """Count one batch more."""
        values = np.stack([found.start_values, found.rescored_values, found.values])
        known = np.isfinite(values)
        self._sums += np.where(known, values, 0).sum(axis=1)
        self._known += known.sum(axis=1)
        self._evaluations += int(found.evaluations.sum())

    def line(self, objective: str) -> str:
        """What search was worth."""
        if not self._known.all():
            return (
                f"{objective}: no sentence to search for; {counted(self._evaluations, 'evaluation')}.\n"
            )
        start, rescored, end = (self._sums / self._known).tolist()
        return (
            f"{objective}: {start:.2f} of the model alone, {rescored:.2f} of its lists, {end:.2f} "
            f"after search; {counted(self._evaluations, 'evaluation')}.\n"
        )
