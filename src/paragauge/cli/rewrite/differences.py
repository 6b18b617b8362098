"""`paragauge rewrite differences`: how pairs of references of the same segment differ."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, TableForm, with_table_form
from paragauge.cli.options.option_kinds import count_option
from paragauge.report.tables.difference_tables import render_differences
from paragauge.rewrite.evaluation.reference_differences import LEAST, differences


@click.command(
    "differences",
    cls=Command,
    examples=(
        "paragauge rewrite differences -r references.tsv",
        "paragauge rewrite differences -r first.txt -r second.txt --least 5 -f json",
    ),
)
@shared_options.references
@shared_options.table
@shared_options.table_format
@with_table_form
@count_option(
    "--least",
    least=1,
    default=LEAST,
    heading="Counting",
    help="Count the pairs that differ in at least this many words.",
)
@shared_options.form
@shared_options.threads
def differences_command(
    references: tuple[str, ...],
    table: str | None,
    table_format: str | None,
    table_form: TableForm,
    least: int,
    form: str,
    threads: int,
) -> None:
    """Count how references of the same segment differ, and how much of that is synonyms.

    All pairs of a segment's references are compared, as in the introduction of Kauchak and Barzilay
    (2006). The more they differ, the more a metric with few references misses.
    """
    shared_options.check_format(form)
    corpus = CorpusInput((), (), references, table, table_format, table_form).corpus(threads)
    groups = [list(group) for batch in corpus.reference_groups() for group in batch]
    sys.stdout.write(render_differences(differences(groups, least=least, threads=threads), form))
