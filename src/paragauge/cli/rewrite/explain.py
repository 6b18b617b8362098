"""`paragauge rewrite explain`: what was proposed for a reference, and why."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.explanation_output import (
    check_form,
    check_texts_or_files,
    explanation_form,
    render_titled,
)
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.rewrite.rewrite_options import RewritingChoice, with_rewriting
from paragauge.errors import InputError
from paragauge.rewrite.explanation import explain
from paragauge.text.files import atomic_if

TEXTS = "Two sentences"
FILES = "Or lines of files"


@click.command(
    "explain",
    cls=Command,
    examples=(
        "paragauge rewrite explain --reference 'It is hard.' --candidate 'It is difficult.'",
        "paragauge rewrite explain -r references.tsv -c mine.txt --line 3 --html why.html",
        "paragauge rewrite explain -r refs.txt -c mine.txt --line 3 --line 8 --rewrite lm -f json",
    ),
)
@option("--reference", metavar="TEXT", heading=TEXTS, help="The reference.")
@option("--candidate", metavar="TEXT", heading=TEXTS, help="What the system wrote.")
@option(
    "--references",
    "-r",
    multiple=True,
    metavar="FILE",
    heading=FILES,
    help="References; several on a line are separated by tabs. May repeat.",
)
@option(
    "--candidates",
    "-c",
    metavar="FILE",
    heading=FILES,
    help="The system's output, one sentence per line.",
)
@count_option(
    "--line",
    least=1,
    multiple=True,
    heading=FILES,
    help="Which segment, the number of its line from 1. May repeat.",
)
@with_rewriting
@explanation_form
@option(
    "--html",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write an HTML page.",
)
def explain_command(
    reference: str | None,
    candidate: str | None,
    references: tuple[str, ...],
    candidates: str | None,
    line: tuple[int, ...],
    rewriting: RewritingChoice,
    form: str,
    html: str | None,
) -> None:
    """Show what was proposed for references, and why it was accepted or refused."""
    check_form(form)
    inputs = [*references, candidates, *rewriting.rewrite_model]
    shared_options.check_no_input("--html", html, inputs)
    with atomic_if(html) as out:
        are_texts = check_texts_or_files(
            {"reference": reference, "candidate": candidate},
            {"references": references, "candidates": candidates, "line": line},
            "two sentences (--reference, --candidate) or lines of files (-r, -c, --line)",
        )
        if are_texts:
            pairs = {"two sentences": (str(reference), str(candidate))}
        else:
            pairs = _read_pairs(references, str(candidates), line)
        rewriter = rewriting.rewriter()
        explanations = {title: explain(rewriter, *pair) for title, pair in pairs.items()}
        if out is not None:
            from paragauge.report.pages.rewrite_page import render_rewriting

            out.write(render_rewriting(explanations, rewriter.signature, shared_options.command_line()))
    sys.stdout.write(render_titled(explanations, form, str, schema="rewrite-explain"))


def _read_pairs(
    references: tuple[str, ...], candidates: str, numbers: tuple[int, ...]
) -> dict[str, tuple[str, str]]:
    """References with their outputs, by title, of the lines with these numbers."""
    corpus = CorpusInput((candidates,), (), references, None, None).corpus(0, keep_empty=True)
    lines = sorted(set(numbers))
    pairs: dict[str, tuple[str, str]] = {}
    count = 0
    for batch in corpus.batches():
        outputs = next(iter(batch.systems.values()))
        count = batch.first + len(batch)
        for line in lines:
            if batch.references is None or not batch.first < line <= count:
                continue
            group = batch.references[line - 1 - batch.first]
            for number, reference in enumerate(group, 1):
                if reference == "" and len(group) > 1:
                    continue  # an empty field is not a reference, but the others keep their numbers
                more = f", reference {number}" if len(group) > 1 else ""
                pairs[f"line {line}{more}"] = reference, outputs[line - 1 - batch.first]
    if lines[-1] > count:
        raise InputError(
            f"{candidates}: expected a line from 1 to {count:,}, found --line {lines[-1]:,}"
        )
    return pairs
