"""`paragauge controls`: control systems with known quality."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option, seed_option
from paragauge.cli.options.rating_options import split_names
from paragauge.meta.contrast.sentence_changes import (
    CHANGES,
    CONTRASTS,
    check_changes,
    contrast_lines,
    summarize_changes,
)
from paragauge.metrics.control_systems import (
    KINDS,
    LENGTHS,
    PAPER_KINDS,
    RATE,
    RATINGS,
    ControlLength,
    check_kinds,
    write_controls,
)
from paragauge.metrics.control_systems import controls as make_controls
from paragauge.metrics.rated_controls import add_control_ratings
from paragauge.text.line_reader import read_sentences


@click.command(
    cls=Command,
    examples=(
        "paragauge controls -s sources.txt -o controls",
        "paragauge controls -s sources.txt -o controls --domain news.txt --kinds random,unigram",
        "paragauge controls -s sources.txt -o controls --scale 0:100 --force",
        "paragauge controls -s sources.txt -o controls --ratings ratings.tsv",
        "paragauge controls -s long.txt -o controls --kinds deletion --rate 0.72",
        "paragauge controls -s sources.txt -r refs.tsv -o controls --changes negation,number,name",
    ),
)
@option(
    "--sources",
    "-s",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="The sentences that are paraphrased, one per line.",
)
@option(
    "--domain",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Text of the same domain for random sentences. Default: the sources.",
)
@option(
    "--ratings",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Ratings by judges, to which those of the controls are added: segment, system, judge and "
    "criteria (TSV, CSV, JSON Lines or Parquet).",
)
@option(
    "--kinds",
    multiple=True,
    metavar="NAME,...",
    heading=shared_options.INPUT,
    help=f"Which controls: {', '.join(KINDS)}. Default: the first three.",
)
@option(
    "--changes",
    multiple=True,
    metavar="NAME,...",
    heading=shared_options.INPUT,
    help="Also write contrasts.tsv: the sources changed in these ways, for paragauge contrast: "
    f"{', '.join(CHANGES)}, or all.",
)
@option(
    "--references",
    "-r",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Good paraphrases for contrasts.tsv; several on a line are separated by tabs.",
)
@choice_option(
    "--length",
    choices=LENGTHS,
    default="model",
    heading=shared_options.INPUT,
    help="Length of unigram sentences: drawn from the model, or that of the source.",
)
@option(
    "--rate",
    type=float,
    default=RATE,
    show_default=True,
    metavar="SHARE",
    heading=shared_options.INPUT,
    help="The share of words that stay in the control deletion.",
)
@option(
    "--scale",
    default="1:5",
    metavar="LOW:HIGH",
    heading=shared_options.INPUT,
    help="The scale of the ratings.",
)
@seed_option(heading=shared_options.INPUT, help="Seed of all draws.")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="Where to write one file for each control, and ratings.tsv.",
)
@option(
    "--force",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Overwrite existing files, or write beside others.",
)
def controls(
    sources: str,
    domain: str | None,
    ratings: str | None,
    kinds: tuple[str, ...],
    changes: tuple[str, ...],
    references: str | None,
    length: ControlLength,
    rate: float,
    scale: str,
    seed: int,
    output: str,
    force: bool,
) -> None:
    """Write control systems of known quality, and their ratings.

    Controls are copies of the sources, random sentences, sentences of random words, and others. With
    --changes, also write a contrast set: the sources with another meaning, and what was changed.
    """
    ends = shared_options.parse_scale(scale)
    chosen = check_kinds(split_names(kinds) or PAPER_KINDS)
    if "deletion" not in chosen:
        shared_options.refuse_without("--kinds deletion", "rate")
    if not changes:
        shared_options.refuse_without("--changes", "references")
    domain_lines = None if domain is None else read_sentences(domain)
    texts = read_sentences(sources)
    more: dict[str, list[str]] = {}
    summary = ""
    if changes:
        names = CHANGES if changes == ("all",) else check_changes(split_names(changes))
        paraphrases = (
            None if references is None else [line.split("	") for line in read_sentences(references)]
        )
        more[CONTRASTS] = contrast_lines(texts, names, paraphrases, seed=seed)
        summary = summarize_changes(more[CONTRASTS], names, texts)
    systems = make_controls(
        texts,
        chosen,
        domain=domain_lines,
        seed=seed,
        length=length,
        rate=rate,
    )
    left_out: tuple[str, ...] = ()
    if ratings is not None:
        shared_options.check_no_input("--output", str(Path(output) / RATINGS), [ratings])
        rated = add_control_ratings(ratings, texts, systems, scale=ends)
        more[RATINGS], left_out = rated.lines, rated.left_out
    written = write_controls(output, systems, scale=ends, force=force, more=more)
    if left_out:
        click.echo(f"paragauge: criteria that the judges did not rate: {', '.join(left_out)}", err=True)
    click.echo(f"wrote {', '.join(path.name for path in written)} to {output}")
    if summary:
        click.echo(f"{CONTRASTS}: {summary}")
