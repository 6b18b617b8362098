"""Options of `paragauge grammar extract`: where links and trees come from, which rules to extract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from paragauge.align.aligners import ALIGNERS, AlignerName, choose_aligner
from paragauge.align.eflomal import LongSentences
from paragauge.align.links import Links
from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import check_link_source, too_long
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError, unknown_name
from paragauge.grammar.extract_files import TreeFile
from paragauge.grammar.labels import NAMES as LABELS
from paragauge.grammar.labels import UNARY, Labels, UnaryChains
from paragauge.grammar.pair_rows import TREE_WORDS, TreeWords
from paragauge.grammar.rule_settings import (
    FALLBACK,
    NUMBERS,
    PARSED,
    PRESETS,
    SWITCHES,
    ParsedSide,
    RuleSettings,
)
from paragauge.phrases.extract import aligned_batches
from paragauge.syntax.tree_files import FORMS, TreeForm
from paragauge.text.bitext import Bitext, BitextFiles
from paragauge.text.wording import pluralize

RULES = "Rules"
TREE_OPTIONS = ("strip", "form", "parsed", "tree_words", "unary")
CHANGEABLE = (*NUMBERS, *SWITCHES, "fallback")


@dataclass(frozen=True)
class LinkOptions:
    """A file of links, or an aligner that makes them."""

    alignment: str | None
    aligner: AlignerName | None
    too_long: LongSentences

    def check(self) -> None:
        """Refuse both, neither, and options that do not apply."""
        check_link_source(self.alignment, self.aligner)

    def batches(self, files: BitextFiles, threads: int, step: Steps) -> Iterator[tuple[Bitext, Links]]:
        """Sentence pairs with their links."""
        if self.aligner is None:
            yield from aligned_batches(files, str(self.alignment), threads)
            return
        aligner = choose_aligner(self.aligner, too_long=self.too_long, threads=threads)
        step("reading")
        bitext = files.read()
        step(f"aligning {pluralize(len(bitext), 'pair')} with {aligner.name}")
        links = aligner.align(bitext).symmetrize(None, threads=threads)
        start = 0
        for batch in bitext.batches():
            yield batch, links[start : start + len(batch)]
            start += len(batch)


@dataclass(frozen=True)
class TreeOptions:
    """The trees of one side, and how to read them."""

    trees: str | None
    form: TreeForm
    strip: bool
    parsed: ParsedSide
    tree_words: TreeWords

    def file(self) -> TreeFile | None:
        """The file of trees, if there is one."""
        return None if self.trees is None else TreeFile(self.trees, self.form, self.strip)


@dataclass(frozen=True)
class RuleOptions:
    """Limits on rules, and their labels."""

    settings: str
    labels: str | None
    unary: UnaryChains
    changes: tuple[str, ...]

    def rule_settings(self, trees: TreeOptions) -> RuleSettings:
        """The settings that the options describe, checked against the trees there are."""
        base = RuleSettings.named(self.settings)
        labels = Labels.named(self.labels) if self.labels else base.labels
        changes = dict(map(parse_change, self.changes))
        labels = replace(labels, unary=self.unary)
        settings = RuleSettings.named(self.settings, labels=labels, parsed=trees.parsed, **changes)
        if labels.needs_trees and trees.trees is None:
            raise SettingError(
                f"--trees: expected the trees of the {settings.parsed} side; for rules without trees "
                "use --labels hiero"
            )
        if not labels.needs_trees and trees.trees is not None:
            raise SettingError("--trees: rules with the labels hiero need none; leave it out")
        if not labels.needs_trees:
            shared_options.refuse_without("labels from --trees", *TREE_OPTIONS)
        return settings


def parse_change(text: str) -> tuple[str, Any]:
    """A limit and its new value.

    >>> parse_change("nonterminals=1"), parse_change("identity=no")
    (('nonterminals', 1), ('identity', False))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingError(f"--set: expected NAME=VALUE such as nonterminals=1, found '{text}'")
    if name not in CHANGEABLE:
        raise unknown_name("limit", name, CHANGEABLE)
    if name in SWITCHES:
        if value not in ("yes", "no"):
            raise SettingError(f"--set {name}: expected yes or no, found '{value}'")
        return name, value == "yes"
    if name == "fallback":
        if value not in FALLBACK:
            raise unknown_name("use of the fallback", value, FALLBACK)
        return name, value
    if value == "none" and not name.startswith("min_"):
        return name, None
    if not (value.isascii() and value.isdigit()):
        raise SettingError(f"--set {name}: expected a whole number, or none, found '{value}'")
    return name, int(value)


with_links = gather_options(
    "links",
    LinkOptions,
    option(
        "--alignment",
        "-a",
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Links, one line per sentence pair, in Pharaoh format: 0-0 1-2.",
    ),
    choice_option(
        "--align",
        "aligner",
        choices=ALIGNERS,
        is_flag=False,
        flag_value="auto",
        heading=shared_options.INPUT,
        help="Align words instead of reading links. auto: eflomal if it is installed, else systran.",
    ),
    too_long,
)
with_trees = gather_options(
    "trees",
    TreeOptions,
    option(
        "--trees",
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Trees of one side in Penn brackets, one for each pair.",
    ),
    choice_option(
        "--form",
        choices=FORMS,
        default="auto",
        heading=shared_options.INPUT,
        help="The format of the trees.",
    ),
    option(
        "--strip",
        is_flag=True,
        heading=shared_options.INPUT,
        help="Shorten labels of trees such as NP-SBJ=1 to NP.",
    ),
    choice_option(
        "--parsed",
        choices=PARSED,
        default="source",
        heading=shared_options.INPUT,
        help="The side that has trees.",
    ),
    choice_option(
        "--tree-words",
        choices=TREE_WORDS,
        default="same",
        heading=shared_options.INPUT,
        help="Require the words of trees to be those of the sentences, except for case, brackets and "
        "quotes; or allow any.",
    ),
)
with_rules = gather_options(
    "rules",
    RuleOptions,
    choice_option(
        "--settings",
        choices=PRESETS,
        default="thrax",
        heading=RULES,
        help="Limits on rules: those of Thrax, of Chiang 2007 (hiero), of PARADIGM's gold grammar, or "
        "of the paper's figures.",
    ),
    choice_option(
        "--labels",
        choices=LABELS,
        heading=RULES,
        help="Labels of left sides and non-terminals. Default: constituents; hiero for the settings "
        "hiero, slashed for paradigm and paradigm-figure.",
    ),
    choice_option(
        "--unary",
        choices=UNARY,
        default="bottom",
        heading=RULES,
        help="Which label of a unary chain to use.",
    ),
    option(
        "--set",
        "changes",
        multiple=True,
        metavar="NAME=VALUE",
        heading=RULES,
        help=f"Change a limit: {', '.join(CHANGEABLE)}. May be repeated.",
    ),
)
