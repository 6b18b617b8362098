"""`paragauge grammar extract`: a grammar out of aligned sentence pairs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from paragauge.align.choose import ALIGNERS, choose_aligner
from paragauge.align.links import Links
from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import bitext_input, bitext_of, check_links, too_long
from paragauge.cli.options.engine_options import chosen_engine, engine_choice
from paragauge.cli.progress import Steps
from paragauge.engine.dataset_write import check_output
from paragauge.errors import SettingError, unknown_name
from paragauge.grammar import features as known
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.extract_files import TreeFile, with_trees
from paragauge.grammar.labels import NAMES as LABELS
from paragauge.grammar.labels import UNARY, Labels
from paragauge.grammar.rule_settings import (
    FALLBACK,
    NUMBERS,
    PARSED,
    PRESETS,
    SWITCHES,
    RuleSettings,
)
from paragauge.grammar.table import KIND
from paragauge.grammar.tree_words import TREE_WORDS
from paragauge.phrases.extract import aligned_batches
from paragauge.syntax.tree_files import FORMS
from paragauge.text.bitext import Bitext
from paragauge.text.plain import counted

RULES = "Rules"
ABOUT_TREES = ("strip", "form", "parsed", "tree_words", "unary")
CHANGEABLE = (*NUMBERS, *SWITCHES, "fallback")


@click.command(
    name="extract",
    cls=Command,
    examples=(
        "paragauge grammar extract pairs.tsv --alignment links.txt --trees source.trees -o rules",
        "paragauge grammar extract a.txt b.txt -a links.txt --settings hiero -o hiero",
        "paragauge grammar extract pairs.tsv --align --labels hiero --set adjacent=no -o rules",
    ),
)
@bitext_input
@option(
    "--alignment",
    "-a",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Links, one line for each pair: 0-0 1-2 (Pharaoh format).",
)
@option(
    "--align",
    "aligner",
    is_flag=False,
    flag_value="auto",
    metavar="|".join(ALIGNERS),
    heading=shared_options.INPUT,
    help="Align the words here instead. auto: eflomal if it is installed, else systran.",
)
@too_long
@option(
    "--trees",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Trees of one side in Penn brackets, one for each pair.",
)
@option(
    "--form",
    default="auto",
    metavar="|".join(FORMS),
    heading=shared_options.INPUT,
    help="How the trees are written.",
)
@option(
    "--strip",
    is_flag=True,
    heading=shared_options.INPUT,
    help="Take labels like NP-SBJ=1 of trees for NP.",
)
@option(
    "--parsed",
    default="source",
    metavar="|".join(PARSED),
    heading=shared_options.INPUT,
    help="The side that the trees are of.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="The grammar; one that is there is replaced when the new one is complete.",
)
@option(
    "--tree-words",
    default="same",
    metavar="|".join(TREE_WORDS),
    heading=shared_options.INPUT,
    help="Words of trees are those of the sentences, but for case, brackets and quotes; or any.",
)
@option(
    "--settings",
    default="thrax",
    metavar="|".join(PRESETS),
    heading=RULES,
    help="Limits on rules: of Thrax, of Chiang 2007 (hiero), or of PARADIGM.",
)
@option(
    "--labels",
    metavar="|".join(LABELS),
    heading=RULES,
    help="Labels of left sides and non-terminals. Default: constituents; hiero and slashed for the "
    "settings hiero and paradigm.",
)
@option(
    "--unary",
    default="bottom",
    metavar="|".join(UNARY),
    heading=RULES,
    help="Which label of a unary chain to take.",
)
@option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    heading=RULES,
    help=f"Change a limit: {', '.join(CHANGEABLE)}. May repeat.",
)
@option(
    "--features",
    default="all",
    metavar="all|none|NAME,...",
    heading=RULES,
    help=f"Features of rules: {', '.join(known.NAMES)}.",
)
@option(
    "--min-count",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    heading=RULES,
    help="Keep rules that were extracted at least so often.",
)
@engine_choice
@shared_options.threads
def extract(**given: Any) -> None:
    """Extract the synchronous rules of SOURCE and TARGET, one sentence a line, or of two columns of a
    TSV file without header, if only SOURCE is given. Read the text as it was aligned and parsed: with
    the same tokenizer.
    """
    settings = _settings(given)
    check_links(given)
    names = _features(given["features"])
    output = given["output"]
    check_output(Path(output), KIND)
    facts = {} if given["aligner"] is None else {"aligner": given["aligner"]}
    trees = None
    if given["trees"] is not None:
        trees = TreeFile(given["trees"], given["form"], given["strip"])
    with Steps(None) as step:
        grammar = extract_grammar(
            with_trees(_pairs(given, step), trees),
            output,
            settings,
            features=names,
            min_count=given["min_count"],
            tree_words=given["tree_words"],
            engine=chosen_engine(given),
            progress=step,
            facts=facts,
        )
    counts, kinds = grammar.info["counts"], grammar.info["kinds"]
    pairs = counted(counts["sentence_pairs"], "sentence pair")
    note = f"; {counts['skipped']:,} dropped, a side is empty" if counts["skipped"] else ""
    listed = ", ".join(f"{kinds[kind]:,} {kind}" for kind in kinds)
    click.echo(
        f"{output}: {counted(len(grammar), 'rule')} ({listed}) from {pairs}{note}",
        err=True,
    )


def _pairs(given: dict[str, Any], step: Steps) -> Iterator[tuple[Bitext, Links]]:
    """Sentence pairs with links, of a file or of an aligner."""
    where, threads = bitext_of(given), given["threads"]
    if given["aligner"] is None:
        yield from aligned_batches(where, given["alignment"], threads)
        return
    aligner = choose_aligner(given["aligner"], too_long=given["too_long"], threads=threads)
    step("reading")
    bitext = where.read()
    step(f"aligning {counted(len(bitext), 'pair')} with {aligner.name}")
    links = aligner.align(bitext).symmetrized(None, threads=threads)
    start = 0
    for batch in bitext.batches():
        yield batch, links[start : start + len(batch)]
        start += len(batch)


def _settings(given: dict[str, Any]) -> RuleSettings:
    base = RuleSettings.named(given["settings"])
    labels = Labels.named(given["labels"]) if given["labels"] else base.labels
    changes = dict(_change(text) for text in given["changes"])
    labels = Labels(**{**vars(labels), "unary": given["unary"]})
    settings = RuleSettings.named(given["settings"], labels=labels, parsed=given["parsed"], **changes)
    if labels.needs_trees and given["trees"] is None:
        raise SettingError(
            f"--trees: expected the trees of the {settings.parsed} side; for rules without trees use "
            "--labels hiero"
        )
    if not labels.needs_trees and given["trees"] is not None:
        raise SettingError("--trees: rules with the labels hiero need none; leave it out")
    if not labels.needs_trees:
        shared_options.refuse_without("labels from --trees", *ABOUT_TREES)
    return settings


def _change(text: str) -> tuple[str, Any]:
    """A limit and its new value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingError(f"--set: expected NAME=VALUE such as nonterminals=1, got '{text}'")
    if name not in CHANGEABLE:
        raise unknown_name("limit", name, CHANGEABLE)
    if name in SWITCHES:
        if value not in ("yes", "no"):
            raise SettingError(f"--set {name}: expected yes or no, got '{value}'")
        return name, value == "yes"
    if name == "fallback":
        if value not in FALLBACK:
            raise unknown_name("use of the fallback", value, FALLBACK)
        return name, value
    if value == "none" and not name.startswith("min_"):
        return name, None
    if not (value.isascii() and value.isdigit()):
        raise SettingError(f"--set {name}: expected a whole number, or none, got '{value}'")
    return name, int(value)


def _features(text: str) -> tuple[str, ...]:
    if text == "all":
        return known.NAMES
    return () if text == "none" else known.check_features(text.split(","))
