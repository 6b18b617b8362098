"""`paragauge grammar extract`: extract a grammar from aligned sentence pairs."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.grammar.extract_options import (
    RULES,
    LinkOptions,
    RuleOptions,
    TreeOptions,
    with_links,
    with_rules,
    with_trees,
)
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import BitextInput, with_bitext
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.engine.dataset import check_output
from paragauge.grammar import extract_files
from paragauge.grammar import features as known
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import KIND
from paragauge.text.wording import pluralize


@click.command(
    cls=Command,
    examples=(
        "paragauge grammar extract pairs.tsv --alignment links.txt --trees source.trees -o rules",
        "paragauge grammar extract a.txt b.txt -a links.txt --settings hiero -o hiero",
        "paragauge grammar extract pairs.tsv --align --labels hiero --set adjacent=no -o rules",
    ),
)
@with_bitext
@with_links
@with_trees
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="The grammar; an existing one is replaced when the new one is complete.",
)
@with_rules
@option(
    "--features",
    default="all",
    metavar="all|none|NAME,...",
    heading=RULES,
    help=f"Features of rules: {', '.join(known.NAMES)}.",
)
@count_option(
    "--min-count", least=1, default=1, heading=RULES, help="Keep rules extracted at least this often."
)
@with_engine
@shared_options.threads
def extract(
    bitext: BitextInput,
    links: LinkOptions,
    trees: TreeOptions,
    output: str,
    rules: RuleOptions,
    features: str,
    min_count: int,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Extract the synchronous rules of an aligned bitext.

    SOURCE and TARGET have one sentence per line; SOURCE alone is a TSV file without a header, with both
    sides in two columns. Use the same tokenizer as for the alignment and the trees.
    """
    settings = rules.rule_settings(trees)
    links.check()
    names = _parse_features(features)
    check_output(Path(output), KIND)
    with Steps(None) as step:
        pairs = links.batches(bitext.files(threads), threads, step)
        grammar = extract_grammar(
            extract_files.attach_trees(pairs, trees.file()),
            output,
            settings,
            features=names,
            min_count=min_count,
            tree_words=trees.tree_words,
            engine=engine.create(threads),
            progress=step,
            facts={} if links.aligner is None else {"aligner": links.aligner},
        )
    counts, kinds = grammar.info["counts"], grammar.info["kinds"]
    sentence_pairs = pluralize(counts["sentence_pairs"], "sentence pair")
    note = f"; {counts['skipped']:,} dropped, a side is empty" if counts["skipped"] else ""
    listed = ", ".join(f"{kinds[kind]:,} {kind}" for kind in kinds)
    click.echo(
        f"{output}: {pluralize(len(grammar), 'rule')} ({listed}) from {sentence_pairs}{note}", err=True
    )


def _parse_features(text: str) -> tuple[str, ...]:
    if text == "all":
        return known.NAMES
    return () if text == "none" else known.check_features(text.split(","))
