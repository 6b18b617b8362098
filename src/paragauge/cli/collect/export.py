"""`paragauge collect export`: write what a campaign has collected to files."""

from __future__ import annotations

import sys
from typing import Literal

import click

from paragauge.cli import streams
from paragauge.cli.collect.collect_options import (
    campaign_option,
    find_campaign,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.option_kinds import count_option, seed_option, share_option
from paragauge.cli.options.shared_options import OUTPUT
from paragauge.errors import SettingError
from paragauge.text.wording import pluralize

CHOICE = "What"
# Options that apply only to some kinds of export.
KINDS_OF_OPTION = {
    "accepted": (
        *("sentences", "clusters", "pairs", "test", "translations", "metrics"),
        *("judgments", "scores", "judges", "suggestions", "answers"),
    ),
    "parallel": ("pairs", "translations"),
    "mixed_languages": ("clusters", "pairs", "test", "metrics"),
    "drop_identical": ("pairs",),
    "include_source": ("test",),
    "no_blocked": ("judgments", "scores", "judges"),
    "dawid_skene": ("scores", "judges"),
    **dict.fromkeys(
        ("tiers", "languages", "min_sentences", "distinct", "part", "test_share"),
        ("sentences", "clusters", "pairs", "test", "translations", "metrics"),
    ),
}
FLAGS = {"tiers": "--tier", "languages": "--language"}


@click.command(
    "export",
    cls=Command,
    examples=(
        "paragauge collect export birds.db clusters --tier 2 --language English -o clusters.jsonl",
        "paragauge collect export birds.db pairs --part train --parallel 5 -o pairs.tsv",
        "paragauge collect export birds.db test --part test --plain -o test/",
        "paragauge collect export birds.db metrics --language English -o metrics.tsv",
        "paragauge collect export birds.db translations --language en --language de -o en-de.tsv",
        "paragauge collect export birds.db judgments --campaign judge -o ratings.tsv",
    ),
)
@store_argument
@click.argument("what", metavar="WHAT")
@campaign_option
@count_option(
    "--tier",
    "tiers",
    least=1,
    most=2,
    multiple=True,
    heading=CHOICE,
    help="Only sentences of this tier. May be repeated.",
)
@option(
    "--language",
    "languages",
    multiple=True,
    metavar="NAME",
    heading=CHOICE,
    help="Only sentences in this language: a name or a tag such as en. May be repeated. Translations: "
    "from the first to the second.",
)
@option(
    "--mixed-languages",
    is_flag=True,
    heading=CHOICE,
    help="Clusters, pairs, test, metrics: put sentences of several languages together.",
)
@option(
    "--accepted",
    is_flag=True,
    heading=CHOICE,
    help="Only accepted answers. Default: all that are not rejected.",
)
@count_option(
    "--min-sentences",
    least=1,
    most=1_000_000,
    default=1,
    heading=CHOICE,
    help="Leave out items with fewer sentences than this.",
)
@option(
    "--distinct",
    is_flag=True,
    heading=CHOICE,
    help="Keep one of several equal sentences about an item.",
)
@option(
    "--part",
    default="all",
    metavar="all|train|test",
    heading=CHOICE,
    help="Export all items, or only those of the training or the test part.",
)
@share_option("--test-share", default=0.1, heading=CHOICE, help="Share of the items in the test part.")
@option(
    "--parallel",
    default="1",
    metavar="N|all",
    heading=CHOICE,
    help="Pairs, translations: how many randomly drawn parallel sentences to pair each sentence with.",
)
@option(
    "--drop-identical",
    is_flag=True,
    heading=CHOICE,
    help="Pairs: leave out pairs with the same text on both sides.",
)
@option(
    "--include-source", is_flag=True, heading=CHOICE, help="Test: count the source as a reference too."
)
@option(
    "--no-blocked",
    is_flag=True,
    heading=CHOICE,
    help="Judgments, scores, judges: leave out those of blocked workers.",
)
@option(
    "--dawid-skene",
    is_flag=True,
    heading=CHOICE,
    help="Scores, judges: add Dawid and Skene's estimates to the plain means.",
)
@seed_option(
    heading=CHOICE,
    help="Seed of the split and of the pairs.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    writes=streams.MORE,
    heading=OUTPUT,
    help="The output file; its name sets the format: .tsv, .csv, .jsonl or .parquet, then .gz or .zst.",
)
@option(
    "--formula-safe/--no-formula-safe",
    default=None,
    heading=OUTPUT,
    help="Put an apostrophe before texts that a spreadsheet would run as formulas. Default: in CSV.",
)
@option(
    "--plain", is_flag=True, heading=OUTPUT, help="Write a folder of plain files with parallel lines."
)
def export_command(
    location: str,
    what: str,
    campaign_name: str | None,
    tiers: tuple[int, ...],
    languages: tuple[str, ...],
    mixed_languages: bool,
    accepted: bool,
    min_sentences: int,
    distinct: bool,
    part: Literal["all", "train", "test"],
    test_share: float,
    parallel: str,
    drop_identical: bool,
    include_source: bool,
    no_blocked: bool,
    dawid_skene: bool,
    seed: int,
    output: str,
    formula_safe: bool | None,
    plain: bool,
) -> None:
    """Export what a campaign has collected.

    WHAT is sentences (one row each), clusters (one row per item), pairs (for training), test (sources
    with references), metrics (each sentence with its BLEU and PINC against the others about its item),
    translations (pairs in different languages about the same item), judgments (an evaluation set for
    `paragauge meta`), scores (the combined judgments of each candidate), judges (the reliability of
    each judge), suggestions (clips that workers suggested, as items), answers (unchanged, with times
    and comments), everything (the answers that were rejected or are to controls among them, marked) or
    consents (who agreed to which text, and when). Only everything has controls.
    """
    from paragauge.collect.corpus.campaign_export import ExportSettings, export
    from paragauge.collect.corpus.clusters import SentenceFilter

    sentence_filter = SentenceFilter(
        frozenset(tiers) or None, frozenset(languages) or None, min_sentences, distinct
    )
    settings = ExportSettings(
        what,
        accepted,
        sentence_filter,
        part,
        test_share,
        seed,
        _parse_parallel(parallel),
        identical=not drop_identical,
        include_source=include_source,
        blocked=not no_blocked,
        plain=plain,
        dawid_skene=dawid_skene,
        formula_safe=formula_safe,
        mixed_languages=mixed_languages,
        direction=languages if what == "translations" else (),
    )
    _refuse_inapplicable(what)
    with open_store(location) as store:
        campaign = find_campaign(store, campaign_name)
        counts = export(store, campaign, output, settings)
    summary = pluralize(counts.rows, "row")
    if counts.items:
        summary += (
            f": {pluralize(counts.sentences, 'sentence')} about {pluralize(counts.items, 'item')}"
        )
    if counts.references:
        each = counts.references
        summary += (
            f"; references of a sentence: {each.mean:.1f} on average, {each.least} to {each.most}"
        )
    if counts.scores:
        summary += "; " + ", ".join(f"{each.name} {each.value:.2f}" for each in counts.scores)
    if counts.identical:
        summary += f"; left out: {pluralize(counts.identical, 'pair')} with the same text on both sides"
    if counts.unconverged:
        summary += f"; Dawid and Skene's estimates did not converge: {', '.join(counts.unconverged)}"
    if counts.guarded:
        summary += f"; {pluralize(counts.guarded, 'text')} began like a formula and got an apostrophe"
    sys.stdout.write(f"{output}: {summary}\n")
    sys.stdout.writelines(f"{score.signature}\n" for score in counts.scores)


def _parse_parallel(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit() and int(text[:9]) >= 1 and len(text) < 9):
        raise SettingError(f"--parallel {text}: expected a number from 1 up, or all")
    return int(text)


def _refuse_inapplicable(what: str) -> None:
    """Refuse options that do not apply to this kind of export."""
    source = click.get_current_context().get_parameter_source
    for name, kinds in KINDS_OF_OPTION.items():
        if what not in kinds and source(name) is not click.core.ParameterSource.DEFAULT:
            flag = FLAGS.get(name, "--" + name.replace("_", "-"))
            raise SettingError(f"{flag} does not apply to {what}, only to {', '.join(kinds)}")
