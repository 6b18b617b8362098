"""`paragauge grammar overlap`: compare grammars with a gold grammar."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import Literal

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.grammar.grammar_options import RULES, lexical, named_grammars, parse_numbers
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.engine.base import Engine
from paragauge.errors import SettingError
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.grammar_forms import open_grammar
from paragauge.grammar.overlap_curves import OverlapCurve, overlap_curve
from paragauge.grammar.rule import LexicalRule
from paragauge.grammar.rule_overlap import MODES, VARIANTS, LabelVariants, OverlapMode, overlap
from paragauge.report.drawing.save import check_plot, save_plot
from paragauge.report.tables.grammar_tables import overlap_plot, render_curves, render_overlap

CURVE = "Curve"


@dataclass(frozen=True)
class CurveOptions:
    """The score that ranks the rules of each grammar, and how many of the best to compare."""

    curve: str | None
    ascending: bool
    sizes: str

    def compute(
        self,
        gold: Grammar,
        resources: dict[str, Grammar],
        mode: OverlapMode,
        frequency: int,
        variants: LabelVariants,
        engine: Engine,
        step: Steps,
    ) -> list[OverlapCurve]:
        """The curve of each grammar."""
        sizes = parse_numbers("sizes", self.sizes)
        curves = []
        for name, resource in resources.items():
            step(f"curve of {name}")
            curves.append(
                overlap_curve(
                    gold,
                    resource,
                    str(self.curve),
                    name=name,
                    ascending=self.ascending,
                    sizes=sizes if "," in self.sizes else sizes[0],
                    mode=mode,
                    frequency=frequency,
                    variants=variants,
                    engine=engine,
                )
            )
        return curves


with_curve = gather_options(
    "curve",
    CurveOptions,
    option(
        "--curve",
        metavar="SCORE",
        heading=CURVE,
        help="Rank the rules of each grammar by this feature, or by count, and compare only the best.",
    ),
    option("--ascending", is_flag=True, heading=CURVE, help="The lowest scores are best."),
    option(
        "--sizes",
        default="10",
        metavar="N|N,N,...",
        heading=CURVE,
        help="The number of equal steps up to all rules, or numbers of rules separated by commas.",
    ),
)


@click.command(
    "overlap",
    cls=Command,
    examples=(
        "paragauge grammar overlap PPDB=ppdb hiero --gold gold --frequencies 1,2,5",
        "paragauge grammar overlap ppdb --gold gold --curve PPDB2.0Score --plot figure4.svg",
    ),
)
@click.argument("grammars", nargs=-1, required=True, metavar="[NAME=]GRAMMAR...")
@option(
    "--gold",
    "-g",
    required=True,
    metavar="FOLDER|FILE",
    heading=shared_options.INPUT,
    help="The gold grammar.",
)
@option(
    "--mode",
    default="both",
    metavar="strict|non-strict|both",
    heading=RULES,
    help="Compare rules with their labels, without them, or both.",
)
@option(
    "--frequencies",
    metavar="N,...",
    heading=RULES,
    help="Use gold rules extracted at least this often. Default: 1,2; 1 if gold has no counts.",
)
@choice_option(
    "--variants",
    choices=VARIANTS,
    default="max",
    heading=RULES,
    help="Frequency of a gold rule without labels: of its most frequent label variant, or their sum.",
)
@lexical
@with_curve
@option(
    "--plot",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also draw the curves; the name sets the format: .svg or .png.",
)
@shared_options.theme
@shared_options.form
@with_engine
@shared_options.threads
def overlap_command(
    grammars: tuple[str, ...],
    gold: str,
    mode: OverlapMode | Literal["both"],
    frequencies: str | None,
    variants: LabelVariants,
    lexical: LexicalRule,
    curve: CurveOptions,
    plot: str | None,
    theme: str,
    form: str,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Compare grammars with a gold grammar.

    GRAMMAR is a folder, or a text file in the format of PPDB, Joshua, cdec or Moses. Prints how many of
    the gold rules each grammar has, by kind, with a lower bound on precision and relative recall.
    """
    shared_options.check_format(form)
    numbers = None if frequencies is None else parse_numbers("frequencies", frequencies)
    modes = list(MODES) if mode == "both" else [mode]
    if curve.curve is None:
        shared_options.refuse_without("--curve", "ascending", "sizes", "plot")
        if modes == ["strict"]:
            shared_options.refuse_without("--mode non-strict or both", "variants")
    else:
        if modes[0] == "strict":
            shared_options.refuse_without("--mode non-strict", "variants")
        shared_options.refuse_with("--curve", "lexical")
        _check_single(numbers)
        if plot is not None:
            check_plot(plot, theme)
    paths = named_grammars(grammars, "grammar")
    counting = engine.create(threads)
    with Steps(None) as step, contextlib.ExitStack() as stack:

        def open_path(path: str) -> Grammar:
            opening = open_grammar(path, engine=counting, threads=threads, progress=step)
            return stack.enter_context(opening)

        gold_grammar = open_path(gold)
        resources = {name: open_path(path) for name, path in paths.items()}
        if curve.curve is None:
            overlaps = overlap(
                gold_grammar,
                resources,
                modes=modes,
                frequencies=numbers,
                lexical=lexical,
                variants=variants,
                engine=counting,
                progress=step,
            )
            text = render_overlap(overlaps, f"{gold_grammar.folder.name} (gold)", form)
        else:
            frequency = 1 if numbers is None else numbers[0]
            curves = curve.compute(
                gold_grammar, resources, modes[0], frequency, variants, counting, step
            )
            text = render_curves(curves, form)
            if plot is not None:
                save_plot(overlap_plot(curves), plot, theme)
    sys.stdout.write(text)


def _check_single(frequencies: list[int] | None) -> None:
    """Refuse several frequencies for a curve, which has one."""
    if frequencies is not None and len(frequencies) > 1:
        raise SettingError(
            f"--frequencies: expected one number with --curve, found {len(frequencies)}; give one"
        )
