"""`paragauge rewrite explain`: what was proposed for one reference, and why it was refused or not."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.explained import FORMATS, check_form, rendered, takes_texts
from paragauge.cli.options import shared_options
from paragauge.cli.rewrite.rewrite_options import rewriter_of, rewriting
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
    "--candidates", "-c", metavar="FILE", heading=FILES, help="The system's output, a sentence a line."
)
@option(
    "--line",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    heading=FILES,
    help="Which segment, the number of its line from 1. May repeat.",
)
@rewriting
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
    help="Also write an HTML page.",
)
def explain_command(**given: Any) -> None:
    """Show what was proposed for references, what was accepted or refused, and why."""
    check_form(given["form"])
    inputs = [*given["references"], given["candidates"], *given["rewrite_model"]]
    shared_options.check_no_input("--html", given["html"], inputs)
    with atomic_if(given["html"]) as out:
        pairs = _pairs(given)
        rewriter = rewriter_of(given)
        found = {title: explain(rewriter, *pair) for title, pair in pairs.items()}
        if out is not None:
            from paragauge.report.pages.rewrite_page import render_rewriting

            out.write(render_rewriting(found, rewriter.signature, shared_options.command_line()))
    sys.stdout.write(rendered(found, given["form"], "explanations", str))


def _pairs(given: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """References with their outputs, by title."""
    what = "two sentences (--reference, --candidate) or lines of files (-r, -c, --line)"
    files = ["references", "candidates", "line"]
    if takes_texts(given, ["reference", "candidate"], files, what):
        return {"two sentences": (given["reference"], given["candidate"])}
    return _of_files(given)


def _of_files(given: dict[str, Any]) -> dict[str, tuple[str, str]]:
    chosen = {"candidates": (given["candidates"],), "sources": (), "threads": 0}
    corpus = shared_options.corpus_of({**given, **chosen}, keep_empty=True)
    lines = sorted(set(given["line"]))
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
                    continue  # an empty field is no reference, but the others keep their numbers
                more = f", reference {number}" if len(group) > 1 else ""
                pairs[f"line {line}{more}"] = reference, outputs[line - 1 - batch.first]
    if lines[-1] > count:
        raise InputError(
            f"{given['candidates']}: expected a line from 1 to {count:,}, got --line {lines[-1]:,}"
        )
    return pairs
