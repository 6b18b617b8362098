"""`paragauge generate train phrase`: train a phrase-based paraphraser on sentence pairs."""

from __future__ import annotations

import sys

import click

from paragauge.align.aligners import ALIGNERS, AlignerName
from paragauge.align.eflomal import LongSentences
from paragauge.cli.command import Command, option
from paragauge.cli.generate import generate_options
from paragauge.cli.generate.train import train_options
from paragauge.cli.options import encoder_options, shared_options
from paragauge.cli.options.bitext_options import BitextInput, too_long, with_bitext
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import Steps
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.generate.train import PhraseTraining, train_phrases
from paragauge.phrases.extract import LONGEST
from paragauge.phrases.significance import SIGNIFICANCE, Significance
from paragauge.text.wording import pluralize

PHRASES = "Phrases"


@click.command(
    cls=Command,
    examples=(
        "paragauge generate train phrase source.txt target.txt --output model",
        "paragauge generate train phrase pairs.tsv --columns 2,3 -t 13a --case lower -o model",
    ),
)
@with_bitext
@too_long
@choice_option(
    "--aligner",
    "-a",
    choices=ALIGNERS,
    default=PhraseTraining.aligner,
    heading=PHRASES,
    help="The word aligner. auto: eflomal if it is installed, else systran.",
)
@count_option(
    "--max-length",
    least=1,
    most=LONGEST,
    default=PhraseTraining.max_length,
    heading=PHRASES,
    help="Words in the longest phrases.",
)
@count_option(
    "--min-count",
    least=1,
    default=PhraseTraining.min_count,
    heading=PHRASES,
    help="Keep phrase pairs extracted at least this often.",
)
@option(
    "--min-similarity",
    type=float,
    default=PhraseTraining.min_similarity,
    metavar="X",
    heading=PHRASES,
    help="Leave out sentence pairs whose cosine, from 0 to 100, is lower; 0 keeps all.",
)
@encoder_options.encoder
@choice_option(
    "--significance",
    choices=SIGNIFICANCE,
    default=PhraseTraining.significance,
    heading=PHRASES,
    help="Leave out phrase pairs that occur together no more often than by chance.",
)
@train_options.lm_file
@train_options.lm_order
@option(
    "--lm-text",
    multiple=True,
    metavar="FILE",
    heading=train_options.LM,
    help="Train it on this text too, one sentence per line. May be repeated.",
)
@option(
    "--lm-repeats/--lm-distinct",
    default=PhraseTraining.lm_repeats,
    heading=train_options.LM,
    help="Train it on repeated target sentences each time, or on each distinct one once.",
)
@option(
    "--discount-fallback/--no-discount-fallback",
    default=PhraseTraining.lm_discount_fallback,
    heading=train_options.LM,
    help="Use 0.5, 1 and 1.5 where discounts cannot be estimated, or end with an error there.",
)
@generate_options.copy
@generate_options.longest
@generate_options.setting
@train_options.output
@shared_options.threads
def phrase(
    bitext: BitextInput,
    too_long: LongSentences,
    aligner: AlignerName,
    max_length: int,
    min_count: int,
    min_similarity: float,
    encoder: str | None,
    significance: Significance,
    lm: str | None,
    lm_order: int,
    lm_text: tuple[str, ...],
    lm_repeats: bool,
    discount_fallback: bool,
    copy: str | None,
    longest: int | None,
    settings: tuple[str, ...],
    output: str,
    threads: int,
) -> None:
    """Train a phrase-based model on sentence pairs.

    SOURCE and TARGET have one sentence per line; SOURCE alone is a TSV file without a header, with both
    sides in two columns. Sentence pairs that do not mean the same are left out first, as an encoder
    compares them. The language model is trained on the target side; the weights are Moses' defaults
    until generate tune finds better ones.
    """
    if lm is not None:
        options = ("lm_order", "lm_text", "lm_repeats", "discount_fallback")
        shared_options.refuse_with("--lm", *options)
    files = bitext.files(threads)
    training = PhraseTraining(
        max_length=max_length,
        min_count=min_count,
        min_similarity=min_similarity,
        encoder=encoder or PhraseTraining.encoder,
        significance=significance,
        aligner=aligner,
        too_long=too_long,
        lm=lm,
        lm_order=lm_order,
        lm_repeats=lm_repeats,
        lm_text=lm_text,
        lm_discount_fallback=discount_fallback,
        threads=threads,
    )
    decoder = generate_options.decoder_record(settings, copy=copy, longest=longest)
    decoding = PhraseSettings.from_record(decoder)
    with Steps(None) as step:
        step("reading")
        trained = train_phrases(files.read(), output, training, decoding=decoding, progress=step)
    facts = trained.facts
    notes = [
        (
            f"{output}: {pluralize(facts['phrase_pairs'], 'phrase pair')} from "
            f"{pluralize(facts['sentence_pairs'], 'sentence pair')}, {facts['aligner']}"
        ),
        f"language model of order {len(facts['ngrams'])}, {pluralize(sum(facts['ngrams']), 'n-gram')}",
    ]
    if facts["dissimilar"]:
        pairs = pluralize(facts["dissimilar"], "pair")
        notes.append(f"{pairs} left out, similarity below {min_similarity:g}")
    if facts["skipped"]:
        notes.append(f"{pluralize(facts['skipped'], 'pair')} dropped, a side is empty")
    if facts["too_long"]:
        notes.append(f"{pluralize(facts['too_long'], 'pair')} too long to align")
    generator = trained.generator
    sys.stdout.write("; ".join(notes) + f"\n{generator.name}|{generator.form.label}\n")
