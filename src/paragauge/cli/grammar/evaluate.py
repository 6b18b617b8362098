"""`paragauge grammar evaluate`: how good a paraphrase resource is, from text files to one page."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from paragauge.align.aligners import ALIGNERS, AlignerName
from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.grammar.evaluate_commands import single_commands
from paragauge.cli.grammar.extract_options import CHANGEABLE, parse_change
from paragauge.cli.grammar.grammar_options import RULES, lexical, parse_numbers
from paragauge.cli.grammar.overlap import CURVE
from paragauge.cli.grammar.parsing_options import PARSING, ParsingOptions, with_parsing_all
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import Steps
from paragauge.grammar.convert import DUPLICATES, Duplicates
from paragauge.grammar.evaluation.evaluate import evaluate_grammar, plan_evaluation
from paragauge.grammar.evaluation.parallel_text import ParallelFiles
from paragauge.grammar.evaluation.settings import GrammarEvaluationSettings
from paragauge.grammar.grammar_reader import ON_ERROR, OnError
from paragauge.grammar.labels import NAMES as LABELS
from paragauge.grammar.labels import Labels
from paragauge.grammar.pair_coverage import DIRECTIONS, CoverageDirections
from paragauge.grammar.parametric import IDENTITY, Identity, ParametricSettings
from paragauge.grammar.parametric_sheet import GOLD_LINKS, GoldLinks
from paragauge.grammar.rule import LexicalRule
from paragauge.grammar.rule_overlap import VARIANTS, LabelVariants
from paragauge.grammar.rule_settings import PRESETS, RuleSettings
from paragauge.phrases.extract import LONGEST
from paragauge.report.pages.evaluation_page import render_evaluation_page
from paragauge.report.tables.evaluation_tables import evaluation_notes, render_evaluation, render_plan
from paragauge.text.bitext import EmptySides
from paragauge.text.files import atomic
from paragauge.text.tokenizers import CASES, TOKENIZERS, Case, Tokenizer

PAGE, RESULTS = "report.html", "results.json"
EMPTY: tuple[EmptySides, ...] = ("error", "skip")
PHRASES = "Phrases"


@dataclass(frozen=True)
class TextOptions:
    """The text that a resource is evaluated on, and how it is read."""

    pairs: tuple[str, str] | None
    pair_file: str | None
    sets: tuple[str, ...]
    gold: tuple[str, ...]
    alignment: str | None
    trees: str | None
    tokenize: Tokenizer | None
    case: Case
    empty: EmptySides
    aligner: AlignerName

    def files(self) -> ParallelFiles:
        """The files of the text."""
        if self.gold or self.alignment is not None:
            shared_options.refuse_with("links that are given", "aligner")
        return ParallelFiles(
            self.pairs, self.pair_file, self.sets, self.gold, self.alignment, self.trees
        )


@dataclass(frozen=True)
class GoldOptions:
    """The limits of the gold grammar, and how rules are compared with it."""

    settings: str
    labels: str | None
    changes: tuple[str, ...]
    frequencies: str | None
    variants: LabelVariants
    lexical: LexicalRule
    curve: str | None
    ascending: bool
    sizes: str

    def rules(self) -> RuleSettings:
        """The settings of the gold grammar."""
        changes = dict(map(parse_change, self.changes))
        if self.labels is not None:
            changes["labels"] = Labels.named(self.labels)
        return RuleSettings.named(self.settings, **changes)

    def frequency_numbers(self) -> tuple[int, ...] | None:
        """The frequencies, None for the default."""
        if self.frequencies is None:
            return None
        return tuple(parse_numbers("frequencies", self.frequencies))

    def size_numbers(self) -> int | tuple[int, ...]:
        """The number of steps of the curve, or its sizes."""
        numbers = parse_numbers("sizes", self.sizes)
        return tuple(numbers) if "," in self.sizes else numbers[0]


@dataclass(frozen=True)
class PhraseOptions:
    """What counts as a paraphrase of a phrase."""

    links: GoldLinks
    max_length: int
    identity: Identity


with_text = gather_options(
    "text",
    TextOptions,
    option(
        "--pairs",
        nargs=2,
        metavar="FILE FILE",
        heading=shared_options.INPUT,
        help="Two files of sentences that paraphrase each other, one per line.",
    ),
    option(
        "--pair-file",
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Sentence pairs in one file, the sides separated by a tab or ' ||| '.",
    ),
    option(
        "--sets",
        "-T",
        multiple=True,
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Translations of the same sentences, one per line. Repeat it: all pairs of files count.",
    ),
    option(
        "--gold",
        "-g",
        multiple=True,
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Hand-aligned pairs: JSON Lines with the text, and trees in source_tree. May be repeated.",
    ),
    option(
        "--alignment",
        "-a",
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Links of the pairs in Pharaoh format, instead of aligning them.",
    ),
    option(
        "--trees",
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Trees of the first sentence of each pair, instead of parsing it.",
    ),
    choice_option(
        "--tokenize",
        "-t",
        choices=TOKENIZERS,
        heading=shared_options.INPUT,
        help="Tokenizer of the text for links, trees and all comparisons. Default: penn, as in PPDB; "
        "blanks if links or trees are given.",
    ),
    choice_option(
        "--case",
        choices=CASES,
        default="lower",
        heading=shared_options.INPUT,
        help="Compare words in lowercase, as in PPDB, or as they are.",
    ),
    choice_option(
        "--empty",
        choices=EMPTY,
        default="error",
        heading=shared_options.INPUT,
        help="A pair with an empty side: refuse it, or drop and count it.",
    ),
    choice_option(
        "--aligner",
        choices=ALIGNERS,
        default="auto",
        heading=shared_options.INPUT,
        help="The aligner. auto: eflomal if it is installed, else systran.",
    ),
)
with_gold = gather_options(
    "rules",
    GoldOptions,
    choice_option(
        "--settings",
        choices=PRESETS,
        default="paradigm",
        heading=RULES,
        help="Limits on gold rules, as in grammar extract.",
    ),
    choice_option(
        "--labels",
        choices=LABELS,
        heading=RULES,
        help="Labels of gold rules. Default: those of the settings.",
    ),
    option(
        "--set",
        "changes",
        multiple=True,
        metavar="NAME=VALUE",
        heading=RULES,
        help=f"Change a limit: {', '.join(CHANGEABLE)}. May be repeated.",
    ),
    option(
        "--frequencies",
        metavar="N,...",
        heading=RULES,
        help="Use gold rules extracted at least this often. Default: 1,2.",
    ),
    choice_option(
        "--variants",
        choices=VARIANTS,
        default="max",
        heading=RULES,
        help="Frequency of a gold rule without labels: of its most frequent label variant, or their "
        "sum.",
    ),
    lexical,
    option(
        "--curve",
        metavar="SCORE",
        heading=CURVE,
        help="Rank rules by this feature, or by count. Default: PPDB2.0Score, p_target, -logp(e2|e1), "
        "p(e|f) or count, whichever a resource has.",
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
with_phrases = gather_options(
    "phrases",
    PhraseOptions,
    choice_option(
        "--links",
        choices=GOLD_LINKS,
        default="all",
        heading=PHRASES,
        help="Gold phrases come from all links, or from the sure ones only.",
    ),
    count_option(
        "--max-length",
        least=1,
        most=LONGEST,
        default=7,
        heading=PHRASES,
        help="Words in the longest phrases that are compared, on both sides.",
    ),
    choice_option(
        "--identity",
        choices=IDENTITY,
        default="drop",
        heading=PHRASES,
        help="Phrases as paraphrases of themselves.",
    ),
)


@click.command(
    "evaluate",
    cls=Command,
    examples=(
        "paragauge grammar evaluate ppdb-2.0-s-all.gz --pairs a.txt b.txt",
        "paragauge grammar evaluate S=ppdb-s.gz L=ppdb-l.gz -T one.txt -T two.txt -T three.txt",
        "paragauge grammar evaluate mine --gold edinburgh.jsonl.gz --output mine-edinburgh --dry-run",
    ),
)
@click.argument("resources", nargs=-1, required=True, metavar="[NAME=]RESOURCE...")
@with_text
@choice_option(
    "--on-error",
    choices=ON_ERROR,
    default="stop",
    heading=shared_options.INPUT,
    help="Lines of a text file that break the format: stop, or skip and count them.",
)
@choice_option(
    "--duplicates",
    choices=DUPLICATES,
    default="stop",
    heading=shared_options.INPUT,
    help="Repeated rules in a text file: stop, or keep the first and count the others.",
)
@with_gold
@choice_option(
    "--directions",
    choices=DIRECTIONS,
    default="one",
    heading=PARSING,
    help="Parse from the first sentence of a pair to the second, or both ways, of which either counts.",
)
@with_parsing_all
@with_phrases
@option(
    "--output",
    "-o",
    default="evaluation",
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help=f"The folder for the page ({PAGE}), the results ({RESULTS}) and every stage, which a later "
    "run uses again.",
)
@option(
    "--dry-run",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Print what will be done and roughly how long it takes, and stop.",
)
@shared_options.form
@with_engine
@shared_options.threads
def evaluate_command(
    resources: tuple[str, ...],
    text: TextOptions,
    on_error: OnError,
    duplicates: Duplicates,
    rules: GoldOptions,
    directions: CoverageDirections,
    parsing: ParsingOptions,
    phrases: PhraseOptions,
    output: str,
    dry_run: bool,
    form: str,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Evaluate paraphrase resources on sentences that paraphrase each other.

    RESOURCE is a grammar's folder, or a text file in the format of PPDB, Joshua, cdec or Moses. The
    text is tokenized, aligned and parsed, and a gold grammar is extracted from it. Prints sizes,
    overlap, precision and recall, coverage and ParaMetric, and writes them as one HTML page with
    examples.
    """
    shared_options.check_format(form)
    if rules.curve is None:
        shared_options.refuse_without("--curve", "ascending")
    paths = shared_options.named_paths(
        resources, shared_options.file_stem, "resources", "resource", "NAME="
    )
    settings = GrammarEvaluationSettings(
        tokenize=text.tokenize,
        case=text.case,
        empty=text.empty,
        aligner=text.aligner,
        rules=rules.rules(),
        frequencies=rules.frequency_numbers(),
        lexical=rules.lexical,
        variants=rules.variants,
        curve=rules.curve,
        ascending=rules.ascending,
        sizes=rules.size_numbers(),
        parsing=parsing.settings(),
        directions=directions,
        parametric=ParametricSettings(phrases.max_length, phrases.identity),
        links=phrases.links,
        duplicates=duplicates,
        on_error=on_error,
    )
    files = text.files()
    if dry_run:
        planned = plan_evaluation(paths, files, output, settings, threads=threads)
        sys.stdout.write(render_plan(planned, form))
        return
    with Steps(None) as step:
        evaluation = evaluate_grammar(
            paths,
            files,
            output,
            settings,
            engine=engine.create(threads),
            threads=threads,
            progress=step,
        )
    page = Path(output, PAGE)
    with atomic(page) as out:
        commands = single_commands(evaluation)
        out.write(render_evaluation_page(evaluation, shared_options.command_line(), commands))
    with atomic(Path(output, RESULTS)) as out:
        out.write(render_evaluation(evaluation, "json"))
    sys.stdout.write(render_evaluation(evaluation, form))
    for note in evaluation_notes(evaluation):
        click.echo(note, err=True)
    ran = sum(is_new for is_new, _, _ in evaluation.stages)
    kept = len(evaluation.stages) - ran
    click.echo(f"{page}: the page ({ran} stages run, {kept} kept)", err=True)
