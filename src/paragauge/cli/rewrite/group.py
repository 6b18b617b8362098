"""`paragauge rewrite`: references reworded toward a system's words, and why."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.options import shared_options
from paragauge.cli.progress import watched
from paragauge.cli.rewrite.explain import explain_command
from paragauge.cli.rewrite.rewrite_options import rewriter_of, rewriting
from paragauge.cli.rewrite.train_group import train
from paragauge.errors import InputError
from paragauge.rewrite.reference import VERDICTS, Rewriter, Rewriting
from paragauge.text.files import atomic
from paragauge.text.lines import LineGroups
from paragauge.text.plain import counted


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge rewrite run -r references.tsv -c mine.txt --output rewritten.tsv",
        "paragauge rewrite explain --reference 'It is hard.' --candidate 'It is difficult.'",
        "paragauge score -r references.tsv -c mine.txt --rewrite context",
    ),
)
@click.pass_context
def rewrite(context: click.Context) -> None:
    """Reword references toward a system's words where context allows."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@rewrite.command(
    cls=Command,
    examples=(
        "paragauge rewrite run -r references.tsv -c mine.txt --output rewritten.tsv",
        "paragauge rewrite run -r refs.txt -c mine.txt --rewrite wordnet --record record.tsv",
        "paragauge rewrite run --table data.jsonl -r references -c output --rewrite lm -o new.tsv",
    ),
)
@option(
    "--candidates",
    "-c",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="The system's output, one sentence a line.",
)
@shared_options.references
@shared_options.table
@shared_options.table_format
@rewriting
@option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT,
    help="The rewritten references, tabs between those of a segment. Default: standard output.",
)
@option(
    "--record",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write all proposals, as the name says: .tsv, .csv, .jsonl or .parquet.",
)
@shared_options.threads
def run(**given: Any) -> None:
    """Rewrite references toward the output of one system.

    Each line of the result has the references of a segment, with tabs between; of every reference only
    the words that were replaced differ. How many were is printed if the result goes to a file.
    """
    rewriter = rewriter_of(given)
    given |= {"candidates": (given["candidates"],), "sources": ()}
    corpus = shared_options.corpus_of(given, keep_empty=True)
    if not corpus.references:
        raise InputError("expected references to rewrite, got none; give -r")
    shared_options.check_outputs(given, corpus, "output", "record")
    counts = dict.fromkeys(VERDICTS, 0)
    segments = 0
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(atomic(given["output"]))
        rows = None
        if given["record"] is not None:
            from paragauge.report.tables.rewrite_record import record_writer

            rows = stack.enter_context(record_writer(given["record"], rewriter))
        for batch in watched(corpus.batches()):
            references = rewriter.prepare(
                batch.references or LineGroups.of([]), given["threads"], first=batch.first
            )
            system = next(iter(batch.systems.values()))
            found = rewriter.run(references, system, threads=given["threads"])
            out.write(_lines(found, batch.first))
            if rows is not None:
                rows(found, batch.first)
            segments += len(batch)
            for verdict in VERDICTS:
                counts[verdict] += found.count(verdict)
    if given["output"] != "-":
        sys.stdout.write(_summary(rewriter, segments, counts))


def _lines(found: Rewriting, first: int) -> str:
    """One line for each segment; an error if a reference does not fit in a field."""
    lines = []
    for number, group in enumerate(found.references, first + 1):
        if any(mark in text for text in group for mark in "\t\n\r"):
            raise InputError(
                f"segment {number}: a reference holds a tab or a line end, which separates references "
                "in the output; leave it out of the table"
            )
        lines.append("\t".join(group) + "\n")
    return "".join(lines)


def _summary(rewriter: Rewriter, segments: int, counts: dict[str, int]) -> str:
    total = sum(counts.values())
    shown = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items() if count)
    facts = "|".join(f"{key}:{value}" for key, value in rewriter.signature.items())
    return (
        f"{counted(segments, 'segment')}, {counted(total, 'proposal')}{': ' * bool(shown)}{shown}\n"
        f"{facts}\n"
    )


rewrite.add_command(explain_command)
rewrite.add_command(train)
