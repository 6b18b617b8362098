"""`paragauge parametric`: phrasal paraphrases and alignments against hand alignments."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from paragauge.align.gold import GoldAlignment, is_jsonl, read_gold, read_gold_jsonl
from paragauge.align.pharaoh import read_pharaoh
from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import named_grammars
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import Steps
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.grammar.parametric import DIRECTIONS, IDENTITY, Directions, Identity, ParametricSettings
from paragauge.grammar.parametric_sheet import GOLD_LINKS, GoldLinks
from paragauge.grammar.parametric_sheet import parametric as score_parametric
from paragauge.phrases.extract import LONGEST
from paragauge.report.tables.parametric_tables import render_parametric
from paragauge.text.bitext import Bitext, read_bitext
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import CASES, Case, check_case

PHRASES = "Phrases"


@click.command(
    cls=Command,
    examples=(
        "paragauge parametric ppdb msr-phrases --gold edinburgh.jsonl --case lower",
        "paragauge parametric --gold gold.txt --text a.txt b.txt --alignment eflomal.txt -a giza.txt",
    ),
)
@click.argument("resources", nargs=-1, metavar="[[NAME=]RESOURCE...]")
@option(
    "--gold",
    "-g",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Hand alignments: JSON Lines with the text, or Pharaoh format.",
)
@option(
    "--text",
    nargs=2,
    metavar="SOURCE TARGET",
    heading=shared_options.INPUT,
    help="The aligned sentences, one per line, if --gold is in Pharaoh format.",
)
@option(
    "--alignment",
    "-a",
    multiple=True,
    metavar="[NAME=]FILE",
    heading=shared_options.INPUT,
    help="An automatic alignment of the same sentences, in Pharaoh format. May repeat.",
)
@choice_option(
    "--links",
    choices=GOLD_LINKS,
    default="all",
    heading=PHRASES,
    help="Gold phrases come from all links of the hand alignment, or from the sure ones only.",
)
@count_option(
    "--max-length",
    least=1,
    most=LONGEST,
    default=7,
    heading=PHRASES,
    help="Words in the longest phrases that are compared, on both sides.",
)
@choice_option(
    "--identity",
    choices=IDENTITY,
    default="drop",
    heading=PHRASES,
    help="Phrases as paraphrases of themselves.",
)
@choice_option(
    "--directions",
    choices=DIRECTIONS,
    default="given",
    heading=PHRASES,
    help="Take pairs as they are given, or each in both directions.",
)
@choice_option(
    "--case",
    choices=CASES,
    default="mixed",
    heading=PHRASES,
    help="Gold sentences as they are, or lowercase as most resources are.",
)
@shared_options.form
@with_engine
@shared_options.threads
def parametric(
    resources: tuple[str, ...],
    gold: str,
    text: tuple[str, str] | None,
    alignment: tuple[str, ...],
    links: GoldLinks,
    max_length: int,
    identity: Identity,
    directions: Directions,
    case: Case,
    form: str,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Compare paraphrases and alignments with hand alignments.

    ParaMetric compares paraphrases in phrase tables and grammars with those that people aligned, and
    automatic alignments with the hand alignment. Needs at least one RESOURCE, a folder or a text file
    of rules, or --alignment.
    """
    shared_options.check_format(form)
    check_case(case)
    if not resources and not alignment:
        raise InputError("expected a phrase table, a grammar or an --alignment to score, found none")
    settings = ParametricSettings(max_length, identity, directions, threads)
    counting = engine.create(threads)
    bitext, hand = _gold(gold, text, case)
    lengths = bitext.source_lengths, bitext.target_lengths
    files = shared_options.name_systems(alignment, what="alignments", kind="alignment", flag="-a ")
    with Steps(None) as step:
        sheet = score_parametric(
            bitext,
            hand,
            resources=named_grammars(resources, "resource"),
            alignments={name: read_pharaoh(path, lengths) for name, path in files.items()},
            links=links,
            settings=settings,
            engine=counting,
            step=step,
        )
    sys.stdout.write(render_parametric(sheet, form, case))


def _gold(path: str, text: tuple[str, str] | None, case: Case) -> tuple[Bitext, GoldAlignment]:
    if path != "-" and not Path(path).exists():
        raise FileFormatError(path, None, "no such file; check the path of --gold")
    with LineReader(path) as reader:
        if is_jsonl(reader):
            shared_options.refuse_without("--gold in Pharaoh format", "text")
            bitext, gold = read_gold_jsonl(reader)
        elif text:
            bitext = read_bitext(*text, empty="keep")
            gold = read_gold(reader, (bitext.source_lengths, bitext.target_lengths))
        else:
            raise SettingError("--gold in Pharaoh format needs --text SOURCE TARGET; give both files")
    if case == "lower":
        bitext = Bitext.of(bitext.source.lower(), bitext.target.lower(), empty="keep")
    return bitext, gold
