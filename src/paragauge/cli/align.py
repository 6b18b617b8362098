"""`paragauge align`: align words, merge directions, compare with gold alignments."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from paragauge.align.aligner import no_directions
from paragauge.align.aligners import ALIGNERS, choose_aligner
from paragauge.align.eflomal import LISTED
from paragauge.align.error_rate import AlignmentScore, score_alignment
from paragauge.align.gold import GoldAlignment, is_jsonl, read_gold, read_gold_jsonl
from paragauge.align.pharaoh import Lengths, read_pharaoh, write_pharaoh
from paragauge.align.symmetrize import DEFAULT, HEURISTICS, check_heuristic, symmetrize
from paragauge.cli import streams
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import BitextInput, too_long, with_bitext
from paragauge.cli.progress import Steps
from paragauge.errors import LengthError
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.line_reader import LineReader
from paragauge.text.wording import counted

ALIGNER = "Alignment"
SHARES = ("aer", "precision", "recall", "f1")

output = option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.TEXT,
    help="The links, one pair a line; - is standard output.",
)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge align run corpus.en corpus.fr --tokenize 13a --case lower --output links.txt",
        "paragauge align symmetrise forward.txt reverse.txt --heuristic union --output links.txt",
        "paragauge align score links.txt --gold gold.txt",
    ),
)
@click.pass_context
def align(context: click.Context) -> None:
    """Align the words of sentence pairs; measure alignments."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@align.command(
    cls=Command,
    examples=(
        "paragauge align run corpus.en corpus.fr --tokenize 13a --case lower --output links.txt",
        "paragauge align run eng-cmn.tsv.gz --tokenize 13a,zh --output links.txt.gz",
    ),
)
@with_bitext
@option(
    "--aligner",
    "-a",
    default="auto",
    metavar="|".join(ALIGNERS),
    heading=ALIGNER,
    help="The aligner. auto: eflomal if it is installed, else systran.",
)
@option(
    "--heuristic",
    metavar="NAME",
    heading=ALIGNER,
    help=f"How to merge the two directions: {', '.join(HEURISTICS)}. Default: {DEFAULT}; "
    "systran only has its own.",
)
@too_long
@output
@shared_options.threads
def run(
    bitext: BitextInput,
    aligner: str,
    heuristic: str | None,
    too_long: str,
    output: str,
    threads: int,
) -> None:
    """Align the words of SOURCE and TARGET.

    Both have one sentence a line. If only SOURCE is given, it is a TSV file without header, with both
    sides in two columns.
    """
    if heuristic is not None:
        check_heuristic(heuristic)
    where = bitext.files(threads)
    shared_options.check_no_input("--output", output, [where.source, where.target])
    chosen = choose_aligner(aligner, too_long=too_long, threads=threads)
    if chosen.symmetric and heuristic is not None:
        raise no_directions(chosen.name, heuristic)
    with Steps(2) as step:
        step("reading")
        pairs = where.read()
        step(f"aligning {counted(len(pairs), 'pair')} with {chosen.name}")
        alignment = chosen.align(pairs)
        links = alignment.symmetrized(heuristic, threads=threads)
    write_pharaoh(output, links.spread(pairs.places, pairs.lines))
    method = "its own symmetric links" if alignment.reverse is None else heuristic or DEFAULT
    size = f"{counted(len(links.source), 'link')} in {counted(len(links), 'pair')}"
    notes = [f"{alignment.aligner}, {method}: {size}"]
    if pairs.skipped:
        notes.append(f"{counted(pairs.skipped, 'pair')} dropped, a side is empty: an empty line each")
    if alignment.skipped:
        listed = ", ".join(map(str, alignment.skipped[:LISTED]))
        rest = ", ..." if len(alignment.skipped) > LISTED else ""
        notes.append(
            f"{counted(len(alignment.skipped), 'pair')} too long, without links: lines {listed}{rest}"
        )
    click.echo("; ".join(notes), err=True)


@align.command(
    name="symmetrise",
    cls=Command,
    examples=(
        "paragauge align symmetrise forward.txt reverse.txt --output links.txt",
        "paragauge align symmetrise forward.txt reverse.txt --heuristic intersection",
    ),
)
@click.argument("forward")
@click.argument("reverse")
@option(
    "--heuristic",
    default=DEFAULT,
    metavar="NAME",
    heading=ALIGNER,
    help=f"One of {', '.join(HEURISTICS)}.",
)
@output
@shared_options.threads
def symmetrize_files(forward: str, reverse: str, heuristic: str, output: str, threads: int) -> None:
    """Merge two directional alignments into one. FORWARD holds the links of p(target | source),
    REVERSE those of p(source | target); both write the source position first.
    """
    check_heuristic(heuristic)
    shared_options.check_no_input("--output", output, [forward, reverse])
    one, other = (read_pharaoh(path, threads=threads) for path in (forward, reverse))
    if len(one) != len(other):
        raise LengthError(
            f"{forward} has {counted(len(one), 'line')} but {reverse} has {len(other):,}; expected "
            "equally many"
        )
    write_pharaoh(output, symmetrize(one, other, heuristic, threads=threads))


@align.command(
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
    wanted, lengths = _gold(gold)
    if all_sure:
        wanted = wanted.all_sure()
    scores = {}
    for file in files:
        links = read_pharaoh(file, lengths)
        if len(links) != len(wanted):
            raise LengthError(
                f"{file} has {counted(len(links), 'line')} but {gold} has "
                f"{counted(len(wanted), 'pair')}; "
                "expected equally many"
            )
        scores[file] = score_alignment(links, wanted)
    sys.stdout.write(_rendered(scores, form))


def _gold(path: str) -> tuple[GoldAlignment, Lengths | None]:
    with LineReader(path) as reader:
        if not is_jsonl(reader):
            return read_gold(reader), None
        bitext, gold = read_gold_jsonl(reader)
        return gold, (bitext.source_lengths, bitext.target_lengths)


def _rendered(scores: dict[str, AlignmentScore], form: str) -> str:
    records = [
        {"alignment": name, **{share: getattr(score, share) for share in SHARES}, **asdict(score)}
        for name, score in scores.items()
    ]
    if form == "json":
        return json_text({"alignments": records})
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
        f"{counted(any_score.pairs, 'pair')}; gold: {any_score.sure:,} sure and "
        f"{any_score.possible:,} possible links (sure ones among them). AER: the lower the better."
    )
    header = ["alignment", "AER", "precision", "recall", "F1", "links"]
    return readable(form, "lrrrrr", header, rows, [note])
