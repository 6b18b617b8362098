"""`paragauge pem train`: train a model of PEM from bitexts and rated pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import click

from paragauge.align.aligners import ALIGNERS, AlignerName
from paragauge.align.eflomal import LongSentences
from paragauge.align.symmetrization import Heuristic
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.options import bitext_options, shared_options
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.pem.pem_options import RatedInput, TrainingRun, with_rated_pairs, with_run
from paragauge.cli.pem.tables import print_times, training_summary
from paragauge.cli.progress import Steps
from paragauge.errors import InputError, SettingError
from paragauge.lexicon.stems import check_stemmer
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.bitext import CHINESE, JIEBA, SEGMENTERS, PivotText
from paragauge.metrics.pem.train import stage_count, train
from paragauge.phrases.pivot_network import EMPTY, EmptyPhrase, NetworkSettings
from paragauge.text.bitext import EmptySides
from paragauge.text.tokenizers import CASES, TOKENIZERS, Case, Tokenizer

PIVOTS = "Pivots"


@dataclass(frozen=True)
class PivotChoice:
    """How bitexts become pivots."""

    segmenter: tuple[str, ...]
    alignment: tuple[str, ...]
    phrases: tuple[str, ...]
    aligner: AlignerName
    heuristic: Heuristic | None
    too_long: LongSentences
    max_length: int
    least: int
    edge: float
    gram: float
    renormalize: bool
    empty_phrase: EmptyPhrase

    def texts(self, bitexts: Iterable[str]) -> list[PivotText]:
        """The bitexts, each given as NAME=FILE[,FILE], and the phrase tables, as NAME=TABLE."""
        files = _named_values("--bitext", bitexts)
        segmenters = _named_values("--segmenter", self.segmenter)
        alignments = _named_values("--alignment", self.alignment)
        tables = _named_values("--phrases", self.phrases)
        for flag, named in (("--segmenter", segmenters), ("--alignment", alignments)):
            unknown = set(named) - set(files)
            if unknown:
                raise SettingError(f"{flag} {min(unknown)}: no --bitext has that name")
        if not files and not tables:
            raise InputError("expected a bitext or a phrase table; give --bitext or --phrases")
        texts = []
        for name in {**files, **tables}:
            first, _, second = files.get(name, "").partition(",")
            links = alignments.get(name)
            texts.append(
                PivotText(
                    name,
                    first or None,
                    second or None,
                    segmenters.get(name, JIEBA if name in CHINESE else "13a"),
                    alignment=() if links is None else tuple(links.split(",")),
                    phrases=tables.get(name),
                )
            )
        if not set(files) - set(alignments) - set(tables):
            ready = "--alignment" if alignments else "--phrases"
            shared_options.refuse_with(f"{ready} for every pivot", "aligner", "too_long")
        return texts

    def network(self) -> NetworkSettings:
        """How translations become a network."""
        return NetworkSettings(
            self.edge, self.gram, renormalize=self.renormalize, empty=self.empty_phrase
        )


@dataclass(frozen=True)
class LanguageModelChoice:
    """The language model: a file, or how to estimate one."""

    lm: str | None
    lm_smoothing: str | None
    lm_order: int
    lm_prune: str
    lm_bits: str
    lm_discount_fallback: bool

    def check(self) -> None:
        """Refuse options that have no effect."""
        if self.lm is None:
            shared_options.refuse_without("--lm", "lm_smoothing")
        else:
            estimated = ("lm_order", "lm_prune", "lm_bits", "lm_discount_fallback")
            shared_options.refuse_with("--lm, which is complete", *estimated)

    def bits(self) -> int | None:
        """Bits for each value; None for exact values."""
        if self.lm_bits != "none" and not (self.lm_bits.isascii() and self.lm_bits.isdigit()):
            raise SettingError(f"--lm-bits {self.lm_bits}: expected 4 to 8, or none")
        return None if self.lm_bits == "none" else int(self.lm_bits)

    def prune(self) -> tuple[int, ...]:
        """The counts at which n-grams are left out, for each order."""
        parts = self.lm_prune.split(",")
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise SettingError(f"--lm-prune {self.lm_prune}: expected whole numbers such as 0,0,1")
        return tuple(int(part) for part in parts)


with_pivots = gather_options(
    "pivots",
    PivotChoice,
    option(
        "--segmenter",
        multiple=True,
        metavar="NAME=TOKENIZER",
        heading=PIVOTS,
        help=f"How to split a pivot's text into words: {', '.join(SEGMENTERS)}. Default: {JIEBA} for "
        f"{', '.join(CHINESE)}, else 13a. May repeat.",
    ),
    option(
        "--alignment",
        multiple=True,
        metavar="NAME=FILE[,FILE]",
        heading=PIVOTS,
        help="Links of another aligner for a bitext, in Pharaoh format (0-0 1-2), or a file for each "
        "direction. Words are numbered as tokenized here. May repeat.",
    ),
    option(
        "--phrases",
        multiple=True,
        metavar="NAME=TABLE",
        heading=PIVOTS,
        help="A phrase table for a pivot, of phrases extract or of Moses; its words have the form of "
        "--tokenize, --case and --stem. May repeat.",
    ),
    choice_option(
        "--aligner", "-a", choices=ALIGNERS, default="auto", heading=PIVOTS, help="The word aligner."
    ),
    option(
        "--heuristic",
        metavar="NAME",
        heading=PIVOTS,
        help="How to merge the two directions of the alignment. Default: grow-diag-final-and.",
    ),
    bitext_options.too_long,
    count_option(
        "--max-length", least=1, most=16, default=4, heading=PIVOTS, help="Words in the longest phrase."
    ),
    count_option(
        "--least",
        least=1,
        default=2,
        heading=PIVOTS,
        help="Leave out phrases extracted less often than this.",
    ),
    option(
        "--edge",
        type=float,
        default=0.1,
        metavar="P",
        heading=PIVOTS,
        help="Leave out translations with at most this probability.",
    ),
    option(
        "--gram",
        type=float,
        default=0.01,
        metavar="P",
        heading=PIVOTS,
        help="Leave out pivot n-grams with at most this weight.",
    ),
    option(
        "--renormalize/--no-renormalize",
        default=True,
        heading=PIVOTS,
        help="Rescale the remaining translations to sum to one.",
    ),
    choice_option(
        "--empty-phrase",
        choices=EMPTY,
        default="best",
        heading=PIVOTS,
        help="A phrase left without translations: keep the best one, pass its words through, or cut.",
    ),
)
with_language_model = gather_options(
    "language_model",
    LanguageModelChoice,
    option(
        "--lm",
        metavar="FILE",
        heading="Language model",
        help="A language model of text in the same form. Default: estimate one from the bitexts.",
    ),
    option(
        "--lm-smoothing",
        metavar="TEXT",
        heading="Language model",
        help="The smoothing of --lm, for the model's card. Default: not stated.",
    ),
    count_option(
        "--lm-order",
        least=1,
        most=6,
        default=4,
        heading="Language model",
        help="Words in its longest n-grams.",
    ),
    option(
        "--lm-prune",
        default="0",
        metavar="N,...",
        heading="Language model",
        help="Leave out n-grams seen at most this often, for each order, 0 first.",
    ),
    option(
        "--lm-bits",
        default="8",
        metavar="4..8|none",
        heading="Language model",
        help="Quantize it to this many bits per value; none keeps exact values.",
    ),
    option(
        "--lm-discount-fallback",
        is_flag=True,
        heading="Language model",
        help="Use discounts 0.5, 1 and 1.5 where the text is too small to estimate them.",
    ),
)


@click.command(
    "train",
    cls=Command,
    examples=(
        "paragauge pem train --bitext fra=eng-fra.tsv.gz --ratings rated.tsv --output model",
        "paragauge pem train --bitext fra=fra.tsv --bitext cmn=cmn.tsv --ratings r.tsv -o model",
        "paragauge pem train --bitext fra=fra.tsv --alignment fra=links.txt --ratings r.tsv -o model",
        "paragauge pem train --phrases fra=phrase-table.gz --lm lm.arpa --ratings r.tsv -o model",
    ),
)
@option(
    "--bitext",
    multiple=True,
    metavar="NAME=FILE[,FILE]",
    heading=shared_options.INPUT,
    help="A pivot language and its bitext: a TSV file without header, the metric's language first, "
    "or a file for each side. May repeat.",
)
@bitext_options.empty
@with_rated_pairs
@option(
    "--tokenize",
    "-t",
    default="13a",
    metavar="NAME",
    heading=shared_options.METRIC,
    help=f"Tokenizer of the metric's language: {', '.join(TOKENIZERS)}.",
)
@choice_option(
    "--case",
    choices=CASES,
    default="lower",
    heading=shared_options.METRIC,
    help="Take words as they are, or lowercase them.",
)
@option(
    "--stem",
    default="porter",
    metavar="NAME",
    heading=shared_options.METRIC,
    help="Snowball stemmer of the metric's language, or none.",
)
@with_pivots
@with_language_model
@with_run
def train_command(
    bitext: tuple[str, ...],
    empty: EmptySides,
    rated: RatedInput,
    tokenize: Tokenizer,
    case: Case,
    stem: str,
    pivots: PivotChoice,
    language_model: LanguageModelChoice,
    run: TrainingRun,
) -> None:
    """Train a model of PEM from bitexts and rated pairs.

    Aligns words, extracts phrases, estimates the language model and fits the regressions;
    alignments, phrase tables and language models that exist can be given instead. If a run was
    interrupted, the next one continues where it stopped.
    """
    texts = pivots.texts(bitext)
    language_model.check()
    fitting, output = run.settings(rated), run.folder()
    pairs = rated.read(run.threads)
    stemmer = None if stem == "none" else stem
    if stemmer is not None:
        check_stemmer(stemmer)
    settings = replace(
        fitting,
        form=TextForm(tokenize, case, stemmer),
        network=pivots.network(),
        empty=empty,
        too_long=pivots.too_long,
        max_length=pivots.max_length,
        least=pivots.least,
        aligner=pivots.aligner,
        heuristic=pivots.heuristic,
        lm=language_model.lm,
        lm_smoothing=language_model.lm_smoothing,
        lm_order=language_model.lm_order,
        lm_prune=language_model.prune(),
        lm_bits=language_model.bits(),
        lm_discount_fallback=language_model.lm_discount_fallback,
    )
    tables = sum(text.phrases is not None for text in texts)
    with Steps(stage_count(len(texts), tables)) as step:
        trained = train(output, texts, pairs, settings, progress=step)
    print_times(trained)
    click.echo(training_summary(trained, output, pairs.left_out))


def _named_values(flag: str, values: Iterable[str]) -> dict[str, str]:
    """The values of an option that takes NAME=VALUE, by name; a name may occur once."""
    named: dict[str, str] = {}
    for text in values:
        name, value = _split_named(flag, text)
        if name in named:
            raise SettingError(f"{flag}: two values for {name}; give each name once")
        named[name] = value
    return named


def _split_named(name: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise SettingError(f"{name} {text}: expected NAME=..., such as fra=...")
    return key, value
