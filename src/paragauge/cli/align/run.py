"""`paragauge align run`: align the words of sentence pairs."""

from __future__ import annotations

import click

from paragauge.align.aligner import no_directions
from paragauge.align.aligners import ALIGNERS, AlignerName, choose_aligner
from paragauge.align.eflomal import LISTED, LongSentences
from paragauge.align.pharaoh import write_pharaoh
from paragauge.align.symmetrization import DEFAULT, HEURISTICS, Heuristic, check_heuristic
from paragauge.cli.align.align_options import ALIGNER, output
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import BitextInput, too_long, with_bitext
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.text.wording import pluralize


@click.command(
    "run",
    cls=Command,
    examples=(
        "paragauge align run corpus.en corpus.fr --tokenize 13a --case lower --output links.txt",
        "paragauge align run eng-cmn.tsv.gz --tokenize 13a,zh --output links.txt.gz",
    ),
)
@with_bitext
@choice_option(
    "--aligner",
    "-a",
    choices=ALIGNERS,
    default="auto",
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
    aligner: AlignerName,
    heuristic: Heuristic | None,
    too_long: LongSentences,
    output: str,
    threads: int,
) -> None:
    """Align the words of SOURCE and TARGET.

    Both have one sentence per line. If only SOURCE is given, it is a TSV file without header, with both
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
        step(f"aligning {pluralize(len(pairs), 'pair')} with {chosen.name}")
        alignment = chosen.align(pairs)
        links = alignment.symmetrize(heuristic, threads=threads)
    write_pharaoh(output, links.spread(pairs.places, pairs.lines))
    method = "its own symmetric links" if alignment.reverse is None else heuristic or DEFAULT
    size = f"{pluralize(len(links.source), 'link')} in {pluralize(len(links), 'pair')}"
    notes = [f"{alignment.aligner}, {method}: {size}"]
    if pairs.skipped:
        notes.append(
            f"{pluralize(pairs.skipped, 'pair')} with an empty side dropped, written as empty lines"
        )
    if alignment.skipped:
        listed = ", ".join(map(str, alignment.skipped[:LISTED]))
        rest = ", ..." if len(alignment.skipped) > LISTED else ""
        notes.append(
            f"{pluralize(len(alignment.skipped), 'pair')} too long, without links: lines {listed}{rest}"
        )
    click.echo("; ".join(notes), err=True)
