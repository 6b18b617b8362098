"""`paragauge rewrite sample`: draw accepted substitutions for blind judgment."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, TableForm, candidates, with_table_form
from paragauge.cli.options.option_kinds import count_option
from paragauge.errors import InputError
from paragauge.rewrite.evaluation.sample_files import JUDGES, write_campaign, write_items, write_key
from paragauge.rewrite.evaluation.substitution_sample import COUNT, USUAL, SubstitutionSample, sample
from paragauge.text.wording import pluralize

SAMPLING = "Sampling"


@click.command(
    "sample",
    cls=Command,
    examples=(
        "paragauge rewrite sample -r refs.txt -c a.txt -c b.txt -o sample.tsv --key key.tsv",
        "paragauge rewrite sample -r refs.txt -c a.txt -o s.tsv --key key.tsv --campaign judge.toml",
        "paragauge rewrite sample -r refs.txt -c a.txt --method lm --count 40 -o s.tsv --key k.tsv",
        "paragauge meta judgments.tsv --layout kauchak-7 --key key.tsv",
    ),
)
@candidates
@shared_options.references
@shared_options.table
@shared_options.table_format
@with_table_form
@option(
    "--method",
    "methods",
    multiple=True,
    metavar="METHOD[:SETTING=VALUE...]",
    heading=SAMPLING,
    help="A method to draw from, such as context:threshold=-1; random is as strict as the filter "
    f"before it. May repeat. Default: {' and '.join((', '.join(USUAL[:-1]), USUAL[-1]))}.",
)
@count_option(
    "--count",
    least=1,
    default=COUNT,
    heading=SAMPLING,
    help="How many substitutions to draw from each method.",
)
@shared_options.seed
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="What judges see, as collect takes it: .tsv, .csv, .jsonl or .parquet.",
)
@option(
    "--key",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="What judges must not see: which methods drew an example, and every method's verdict.",
)
@option(
    "--campaign",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write a judging campaign for collect init, beside --output.",
)
@count_option(
    "--judges",
    least=1,
    default=JUDGES,
    heading=shared_options.OUTPUT,
    help="How many people judge each example, for --campaign.",
)
@shared_options.threads
def sample_command(
    candidates: tuple[str, ...],
    references: tuple[str, ...],
    table: str | None,
    table_format: str | None,
    table_form: TableForm,
    methods: tuple[str, ...],
    count: int,
    seed: int,
    output: str,
    key: str,
    campaign: str | None,
    judges: int,
    threads: int,
) -> None:
    """Draw accepted substitutions of several methods for judges who must not know the method.

    Each example is a reference with a word in brackets and the same with the word that replaces it. The
    order is random, and what several methods drew is shown once. The judgments come back as tables with
    meta --layout kauchak-7 and kauchak-8.
    """
    if campaign is None:
        shared_options.refuse_without("--campaign", "judges")
    corpus = CorpusInput(candidates, (), references, table, table_format, table_form).corpus(
        threads, keep_empty=True
    )
    if not corpus.references:
        raise InputError("expected references to rewrite, found none; give -r")
    outputs = {"--output": output, "--key": key, "--campaign": campaign}
    shared_options.check_outputs(outputs, corpus, [])
    systems: dict[str, list[str]] = {name: [] for name in corpus.systems}
    groups: list[list[str]] = []
    for batch in corpus.batches():
        for name, texts in batch.systems.items():
            systems[name] += list(texts)
        groups += [list(group) for group in batch.references or ()]
    drawn = sample(groups, systems, methods or USUAL, count=count, seed=seed, threads=threads)
    if not drawn.rows:
        raise InputError("no method accepts a substitution in these texts; there is nothing to judge")
    write_items(drawn, output)
    write_key(drawn, key)
    if campaign is not None:
        write_campaign(output, campaign, judges)
    sys.stdout.write(_summary(drawn))


def _summary(drawn: SubstitutionSample) -> str:
    lines = [f"{pluralize(len(drawn.rows), 'substitution')} to judge, seed {drawn.seed}"]
    for method in drawn.methods:
        own = sum(method in row.drawn_by for row in drawn.rows)
        facts = "|".join(f"{key}:{value}" for key, value in drawn.signatures[method].items())
        lines.append(
            f"{method}: {own:,} of {drawn.accepted[method]:,} accepted and {drawn.proposed[method]:,} "
            f"proposed, {facts}"
        )
    return "\n".join(lines) + "\n"
