"""`paragauge rewrite run`: reword references toward a system's words."""

from __future__ import annotations

import contextlib
import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, TableForm, with_table_form
from paragauge.cli.options.metric_choice import model_files
from paragauge.cli.progress import track_segments
from paragauge.cli.rewrite.rewrite_options import RewritingChoice, with_rewriting
from paragauge.errors import InputError
from paragauge.rewrite.rewriter import VERDICTS, Rewriter, Rewriting
from paragauge.text.files import atomic
from paragauge.text.lines import LineGroups
from paragauge.text.wording import pluralize


@click.command(
    "run",
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
    help="The system's output, one sentence per line.",
)
@shared_options.references
@shared_options.table
@shared_options.table_format
@with_table_form
@with_rewriting
@option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT,
    help="The rewritten references, those of a segment separated by tabs. Default: standard output.",
)
@option(
    "--record",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write all proposals; the extension sets the format: .tsv, .csv, .jsonl or .parquet.",
)
@shared_options.threads
def run(
    candidates: str,
    references: tuple[str, ...],
    table: str | None,
    table_format: str | None,
    table_form: TableForm,
    rewriting: RewritingChoice,
    output: str,
    record: str | None,
    threads: int,
) -> None:
    """Rewrite references toward the output of one system.

    Each line of the result has the references of a segment, separated by tabs. Only replaced words
    differ from the originals; their number is printed if the result goes to a file.
    """
    rewriter = rewriting.rewriter()
    texts = CorpusInput((candidates,), (), references, table, table_format, table_form)
    corpus = texts.corpus(threads, keep_empty=True)
    if not corpus.references:
        raise InputError("expected references to rewrite, found none; give -r")
    models = model_files((), rewriting.rewrite_model)
    shared_options.check_outputs({"--output": output, "--record": record}, corpus, models)
    counts = dict.fromkeys(VERDICTS, 0)
    segments = 0
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(atomic(output))
        rows = None
        if record is not None:
            from paragauge.report.tables.rewrite_record import record_writer

            rows = stack.enter_context(record_writer(record, rewriter))
        for batch in track_segments(corpus.batches()):
            groups = batch.references or LineGroups.of([])
            prepared = rewriter.prepare(groups, threads, first=batch.first)
            system = next(iter(batch.systems.values()))
            rewritten = rewriter.run(prepared, system, threads=threads)
            out.write(_lines(rewritten, batch.first))
            if rows is not None:
                rows(rewritten, batch.first)
            segments += len(batch)
            for verdict in VERDICTS:
                counts[verdict] += rewritten.count(verdict)
    if output != "-":
        sys.stdout.write(_summary(rewriter, segments, counts))


def _lines(rewritten: Rewriting, first: int) -> str:
    """One line for each segment; an error if a reference does not fit in a field."""
    lines = []
    for number, group in enumerate(rewritten.references, first + 1):
        if any(mark in text for text in group for mark in "\t\n\r"):
            raise InputError(
                f"segment {number}: a reference holds a tab or a line end, which separates references "
                "in the output; leave it out of the table"
            )
        lines.append("\t".join(group) + "\n")
    return "".join(lines)


def _summary(rewriter: Rewriter, segments: int, counts: dict[str, int]) -> str:
    total = sum(counts.values())
    verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items() if count)
    facts = "|".join(f"{key}:{value}" for key, value in rewriter.signature.items())
    proposals = pluralize(total, "proposal") + (f": {verdicts}" if verdicts else "")
    return f"{pluralize(segments, 'segment')}, {proposals}\n{facts}\n"
