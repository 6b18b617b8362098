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
from paragauge.generate.train import DevelopmentSet, PhraseTraining, train_phrases
from paragauge.phrases.extract import LONGEST
from paragauge.phrases.significance import SIGNIFICANCE, Significance
from paragauge.text.wording import pluralize

PHRASES = "Phrases"
TUNING = "Tuning"


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
@option(
    "--min-phrase-similarity",
    type=float,
    metavar="X",
    heading=PHRASES,
    help="The same for phrase pairs. Default: 60, or 0 with --min-similarity 0.",
)
@option(
    "--keep-persons/--any-persons",
    default=None,
    heading=PHRASES,
    help="Leave out phrase pairs such as person and man (English). Default: keep, or any with "
    "--min-similarity 0.",
)
@option(
    "--keep-details/--any-details",
    default=None,
    heading=PHRASES,
    help="Leave out phrase pairs such as drinks and drinking, cats and cat, room and living room "
    "(English). Default: keep, or any with --min-similarity 0.",
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
@option(
    "--dev",
    metavar="FILE",
    heading=TUNING,
    help="Sentences to tune the weights on, none of them in the training text.",
)
@option(
    "--dev-references",
    multiple=True,
    metavar="FILE",
    heading=TUNING,
    help="Their references, in the forms of --references elsewhere. May be repeated.",
)
@option(
    "--dev-metric",
    default="bleu",
    metavar="NAME[:SETTING=VALUE...]",
    heading=TUNING,
    help="The metric to raise: any that scores sentences.",
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
    min_phrase_similarity: float | None,
    keep_persons: bool | None,
    keep_details: bool | None,
    encoder: str | None,
    significance: Significance,
    lm: str | None,
    lm_order: int,
    lm_text: tuple[str, ...],
    lm_repeats: bool,
    discount_fallback: bool,
    dev: str | None,
    dev_references: tuple[str, ...],
    dev_metric: str,
    copy: str | None,
    longest: int | None,
    settings: tuple[str, ...],
    output: str,
    threads: int,
) -> None:
    """Train a phrase-based model on sentence pairs.

    SOURCE and TARGET have one sentence per line; SOURCE alone is a TSV file without a header, with both
    sides in two columns. Sentence pairs that do not mean the same are left out first, as an encoder
    compares them. The language model is trained on the target side; the weights are Moses' defaults,
    or tuned on the sentences of --dev, as by generate tune.
    """
    if lm is not None:
        options = ("lm_order", "lm_text", "lm_repeats", "discount_fallback")
        shared_options.refuse_with("--lm", *options)
    files = bitext.files(threads)
    training = PhraseTraining(
        max_length=max_length,
        min_count=min_count,
        min_similarity=min_similarity,
        min_phrase_similarity=min_phrase_similarity,
        keep_persons=keep_persons,
        keep_details=keep_details,
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
    development = None
    if dev is None:
        shared_options.refuse_without("--dev", "dev_references", "dev_metric")
    else:
        metric = generate_options.parse_metric(dev_metric, {})
        available = {"sources"} | ({"references"} if dev_references else set())
        metric.require(available, {"sources": "--dev", "references": "--dev-references"})
        texts, groups = generate_options.read_development(dev, dev_references, threads)
        development = DevelopmentSet(texts, groups if dev_references else None, metric)
    with Steps(None) as step:
        step("reading")
        trained = train_phrases(
            files.read(),
            output,
            training,
            decoding=decoding,
            development=development,
            progress=step,
        )
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
    if facts["dissimilar_phrases"]:
        pairs = pluralize(facts["dissimilar_phrases"], "phrase pair")
        notes.append(f"{pairs} left out, unlike or about other persons")
    if facts["skipped"]:
        notes.append(f"{pluralize(facts['skipped'], 'pair')} dropped, a side is empty")
    if facts["too_long"]:
        notes.append(f"{pluralize(facts['too_long'], 'pair')} too long to align")
    generator = trained.generator
    tuned = facts.get("tuning")
    if tuned is not None:
        notes[-1] += (
            f"\nweights from iteration {tuned['iteration']} on "
            f"{pluralize(tuned['sentences'], 'sentence')}: {tuned['after']:.2f}, "
            f"{tuned['after'] - tuned['before']:+.2f} by tuning; {tuned['metric']}"
        )
    sys.stdout.write("; ".join(notes) + f"\n{generator.name}|{generator.form.label}\n")
