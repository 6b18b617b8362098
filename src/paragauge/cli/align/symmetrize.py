"""`paragauge align symmetrize`: merge two directions."""

from __future__ import annotations

import click

from paragauge.align.pharaoh import read_pharaoh, write_pharaoh
from paragauge.align.symmetrization import DEFAULT, HEURISTICS, Heuristic, check_heuristic, symmetrize
from paragauge.cli.align.align_options import ALIGNER, output
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.errors import LengthError
from paragauge.text.wording import pluralize


@click.command(
    "symmetrize",
    cls=Command,
    examples=(
        "paragauge align symmetrize forward.txt reverse.txt --output links.txt",
        "paragauge align symmetrize forward.txt reverse.txt --heuristic intersection",
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
def symmetrize_files(
    forward: str, reverse: str, heuristic: Heuristic, output: str, threads: int
) -> None:
    """Merge two directional alignments into one. FORWARD holds the links of p(target | source),
    REVERSE those of p(source | target); both write the source position first.
    """
    check_heuristic(heuristic)
    shared_options.check_no_input("--output", output, [forward, reverse])
    one, other = (read_pharaoh(path, threads=threads) for path in (forward, reverse))
    if len(one) != len(other):
        raise LengthError(
            f"{forward} has {pluralize(len(one), 'line')} but {reverse} has {len(other):,}; expected "
            "equally many"
        )
    write_pharaoh(output, symmetrize(one, other, heuristic, threads=threads))
