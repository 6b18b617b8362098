"""`paragauge align score`: compare alignments with a gold alignment."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from paragauge.align.error_rate import AlignmentScore, score_alignment
from paragauge.align.gold import GoldAlignment, is_jsonl, read_gold, read_gold_jsonl
from paragauge.align.pharaoh import Lengths, read_pharaoh
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.errors import LengthError
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.line_reader import LineReader
from paragauge.text.wording import pluralize

SHARES = ("aer", "precision", "recall", "f1")


@click.command(
    "score",
    cls=Command,
    examples=(
        "paragauge align score links.txt --gold gold.txt",
        "paragauge align score eflomal.txt giza.txt --gold test.jsonl.gz --format markdown",
    ),
)
@click.argument("files", nargs=-1, required=True)
@option(
    "--gold",
    "-g",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Gold links: a Pharaoh file (0-0 sure, 1p2 possible), or JSON Lines with source, target, "
    "sure, poss.",
)
@option(
    "--all-sure",
    is_flag=True,
    heading=shared_options.INPUT,
    help="Take possible gold links as sure ones.",
)
@shared_options.form
def score(files: tuple[str, ...], gold: str, all_sure: bool, form: str) -> None:
    """Compare alignments with a gold alignment. FILES are Pharaoh files with a line for each pair
    of the gold alignment.
    """
    shared_options.check_format(form)
    gold_links, lengths = _gold(gold)
    if all_sure:
        gold_links = gold_links.all_sure()
    scores = {}
    for file in files:
        links = read_pharaoh(file, lengths)
        if len(links) != len(gold_links):
            raise LengthError(
                f"{file} has {pluralize(len(links), 'line')} but {gold} has "
                f"{pluralize(len(gold_links), 'pair')}; "
                "expected equally many"
            )
        scores[file] = score_alignment(links, gold_links)
    sys.stdout.write(_render_scores(scores, form))


def _gold(path: str) -> tuple[GoldAlignment, Lengths | None]:
    with LineReader(path) as reader:
        if not is_jsonl(reader):
            return read_gold(reader), None
        bitext, gold = read_gold_jsonl(reader)
        return gold, (bitext.source_lengths, bitext.target_lengths)


def _render_scores(scores: dict[str, AlignmentScore], form: str) -> str:
    records = [
        {"alignment": name, **{share: getattr(score, share) for share in SHARES}, **asdict(score)}
        for name, score in scores.items()
    ]
    if form == "json":
        return json_text("align-score", {"alignments": records})
    if form == "tsv":
        return tsv_text(tuple(records[0]), records)
    rows = [
        [
            str(record["alignment"]),
            *("-" if record[share] is None else f"{100 * record[share]:.2f}" for share in SHARES),
            f"{record['links']:,}",
        ]
        for record in records
    ]
    any_score = next(iter(scores.values()))
    note = (
        f"{pluralize(any_score.pairs, 'pair')}; gold: {any_score.sure:,} sure and "
        f"{any_score.possible:,} possible links (sure ones among them). AER: the lower the better."
    )
    header = ["alignment", "AER", "precision", "recall", "F1", "links"]
    return readable(form, "lrrrrr", header, rows, [note])
