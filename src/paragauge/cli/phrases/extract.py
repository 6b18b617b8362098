"""`paragauge phrases extract`: extract a phrase table from aligned text."""

from __future__ import annotations

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import BitextInput, with_bitext
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError
from paragauge.phrases.extract import LONGEST, ExtractionSettings, aligned_batches, extract_batches
from paragauge.phrases.significance import SIGNIFICANCE, Significance
from paragauge.text.wording import pluralize

PHRASES = "Phrases"


@click.command(
    cls=Command,
    examples=(
        "paragauge phrases extract corpus.en corpus.fr --alignment links.txt --output en-fr",
        "paragauge phrases extract eng-fra.tsv.gz -t 13a --case lower -a links.txt --max-length 4 -o t",
        "paragauge phrases extract corpus.en corpus.fr -a links.txt -o en-fr --engine spark://host:7077",
    ),
)
@with_bitext
@option(
    "--alignment",
    "-a",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Links, one line per sentence pair, in Pharaoh format: 0-0 1-2.",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="The phrase table; an existing one is replaced when the new one is complete.",
)
@count_option(
    "--max-length",
    least=1,
    most=LONGEST,
    default=7,
    heading=PHRASES,
    help="Words in the longest phrases, on both sides.",
)
@option(
    "--stem",
    metavar="NAME[,NAME]",
    heading=PHRASES,
    help="Stemmer for the words, or one for each side; none leaves a side as it is.",
)
@count_option(
    "--min-count", least=1, default=1, heading=PHRASES, help="Keep pairs extracted at least this often."
)
@option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    heading=PHRASES,
    help="Keep pairs with at least this p(target|source).",
)
@count_option(
    "--top",
    least=1,
    heading=PHRASES,
    help="Keep the N most frequent targets of each source. Default: all.",
)
@choice_option(
    "--significance",
    choices=SIGNIFICANCE,
    default=ExtractionSettings.significance,
    heading=PHRASES,
    help="Drop pairs that occur together no more often than by chance (Johnson et al. 2007). Keeps the "
    "text in memory.",
)
@with_engine
@shared_options.threads
def extract(
    bitext: BitextInput,
    alignment: str,
    output: str,
    max_length: int,
    stem: str | None,
    min_count: int,
    min_probability: float,
    top: int | None,
    significance: Significance,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Extract the phrase pairs of an aligned bitext.

    SOURCE and TARGET have one sentence per line; SOURCE alone is a TSV file without a header, with both
    sides in two columns. Use the same tokenizer as for the alignment.
    """
    files = bitext.files(threads)
    settings = ExtractionSettings(
        max_length=max_length,
        stem=_parse_stemmers(stem),
        min_count=min_count,
        min_probability=min_probability,
        top=top,
        significance=significance,
        threads=threads,
    )
    with Steps(None) as step:
        table = extract_batches(
            aligned_batches(files, alignment, threads), output, settings, engine.create(threads), step
        )
    counts = table.info["counts"]
    note = f"; {counts['insignificant']:,} dropped, not significant" if significance != "off" else ""
    note += f"; {counts['skipped']:,} dropped, a side is empty" if counts["skipped"] else ""
    click.echo(
        f"{output}: {pluralize(len(table), 'phrase pair')}, from {counts['extracted']:,} in "
        f"{pluralize(counts['sentence_pairs'], 'sentence pair')}{note}",
        err=True,
    )


def _parse_stemmers(text: str | None) -> tuple[str | None, str | None]:
    names = [None if name == "none" else name for name in (text or "none").split(",")]
    if len(names) > 2:
        raise SettingError(f"--stem: expected one name, or two such as porter,french, found '{text}'")
    return names[0], names[-1]
