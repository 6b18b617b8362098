"""`paragauge grammar overlap`: grammars against a gold grammar."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import RULES, folders_of, lexical, numbers, work
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import chosen_engine
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError
from paragauge.grammar.overlap import MODES, overlap
from paragauge.grammar.overlap_curve import OverlapCurve, overlap_curve
from paragauge.grammar.table import Grammar
from paragauge.report.drawing.save import check_plot, save_plot
from paragauge.report.tables.grammar_tables import overlap_plot, render_curves, render_overlap

CURVE = "Curve"


@click.command(
    "overlap",
    cls=Command,
    examples=(
        "paragauge grammar overlap PPDB=ppdb hiero --gold gold --frequencies 1,2,5",
        "paragauge grammar overlap ppdb --gold gold --curve PPDB2.0Score --plot figure4.svg",
    ),
)
@click.argument("grammars", nargs=-1, required=True, metavar="[NAME=]FOLDER...")
@option(
    "--gold",
    "-g",
    required=True,
    metavar="FOLDER",
    heading=shared_options.INPUT,
    help="The gold grammar.",
)
@option(
    "--mode",
    default="both",
    metavar="strict|non-strict|both",
    heading=RULES,
    help="Compare rules with their labels, without them, or both ways.",
)
@option(
    "--frequencies",
    metavar="N,...",
    heading=RULES,
    help="Gold rules that were extracted at least so often. Default: 1,2; 1 if gold has no counts.",
)
@lexical
@option(
    "--curve",
    metavar="SCORE",
    heading=CURVE,
    help="Instead, cut each grammar by this feature, or count, and show the best rules only.",
)
@option("--ascending", is_flag=True, heading=CURVE, help="The lowest scores are the best.")
@option(
    "--sizes",
    default="10",
    metavar="N|N,N,...",
    heading=CURVE,
    help="Equal steps up to all rules, or numbers of rules separated by commas.",
)
@option(
    "--plot",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also draw the curves, as the name says: .svg or .png.",
)
@shared_options.theme
@shared_options.form
@work
def overlap_command(**given: Any) -> None:
    """Compare grammars with a gold grammar: how many of its rules they have, of which kind, with a
    lower bound on precision and relative recall.
    """
    shared_options.check_format(given["form"])
    asked = given["frequencies"]
    frequencies = None if asked is None else numbers("frequencies", asked)
    modes = list(MODES) if given["mode"] == "both" else [given["mode"]]
    if given["curve"] is None:
        shared_options.refuse_without("--curve", "ascending", "sizes", "plot")
    else:
        shared_options.refuse_with("--curve", "lexical")
        _check_single(frequencies)
        if given["plot"] is not None:
            check_plot(given["plot"], given["theme"])
    gold = Grammar.open(given["gold"])
    resources = {
        name: Grammar.open(path) for name, path in folders_of(given["grammars"], "grammar").items()
    }
    with Steps(None) as step:
        if given["curve"] is None:
            found = overlap(
                gold,
                resources,
                modes=modes,
                frequencies=frequencies,
                lexical=given["lexical"],
                engine=chosen_engine(given),
                progress=step,
            )
            shown = render_overlap(found, f"{gold.folder.name} (gold)", given["form"])
        else:
            curves = _curves(gold, resources, modes, frequencies, given, step)
            shown = render_curves(curves, given["form"])
            if given["plot"] is not None:
                save_plot(overlap_plot(curves), given["plot"], given["theme"])
    sys.stdout.write(shown)


def _check_single(frequencies: list[int] | None) -> None:
    """A curve is of one kind of gold rules."""
    if frequencies is not None and len(frequencies) > 1:
        raise SettingError(
            f"--frequencies: expected one number with --curve, got {len(frequencies)}; give one"
        )


def _curves(
    gold: Grammar,
    resources: dict[str, Grammar],
    modes: list[str],
    frequencies: list[int] | None,
    given: dict[str, Any],
    step: Steps,
) -> list[OverlapCurve]:
    sizes = numbers("sizes", given["sizes"])
    curves = []
    for name, resource in resources.items():
        step(f"curve of {name}")
        curves.append(
            overlap_curve(
                gold,
                resource,
                given["curve"],
                name=name,
                ascending=given["ascending"],
                sizes=sizes if "," in given["sizes"] else sizes[0],
                mode=modes[0],
                frequency=1 if frequencies is None else frequencies[0],
                engine=chosen_engine(given),
            )
        )
    return curves
