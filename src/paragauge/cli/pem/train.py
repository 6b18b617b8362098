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
from paragauge.cli.pem.tables import training_summary
from paragauge.cli.progress import Steps
from paragauge.errors import SettingError
from paragauge.lexicon.stems import check_stemmer
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.bitext import CHINESE, JIEBA, SEGMENTERS, PivotText
from paragauge.metrics.pem.train import stage_count, train
from paragauge.phrases.pivot import EMPTY, EmptyPhrase, NetworkSettings
from paragauge.text.bitext import EmptySides
from paragauge.text.tokenizers import CASES, TOKENIZERS

PIVOTS = "Pivots"


@dataclass(frozen=True)
class PivotChoice:
    """How bitexts become pivots."""

    segmenter: tuple[str, ...]
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
        """The bitexts, each given as NAME=FILE[,FILE], with their segmenters."""
        segmenters = dict(_split_named("--segmenter", text) for text in self.segmenter)
        texts = [_pivot_text(text, segmenters) for text in bitexts]
        unknown = set(segmenters) - {text.language for text in texts}
        if unknown:
            raise SettingError(f"--segmenter {min(unknown)}: no --bitext has that name")
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
    lm_order: int
    lm_prune: str
    lm_discount_fallback: bool

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
    ),
)
@option(
    "--bitext",
    multiple=True,
    required=True,
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
    tokenize: str,
    case: str,
    stem: str,
    pivots: PivotChoice,
    language_model: LanguageModelChoice,
    run: TrainingRun,
) -> None:
    """Train a model of PEM from bitexts and rated pairs.

    Aligns words, extracts phrases, estimates the language model and fits the regressions. If a
    run was interrupted, the next one continues where it stopped.
    """
    texts = pivots.texts(bitext)
    fitting, output = run.settings(rated), run.folder()
    pairs = rated.read()
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
        lm_order=language_model.lm_order,
        lm_prune=language_model.prune(),
        lm_discount_fallback=language_model.lm_discount_fallback,
    )
    with Steps(stage_count(len(texts))) as step:
        trained = train(output, texts, pairs, settings, progress=step)
    click.echo(training_summary(trained, output))


def _pivot_text(text: str, segmenters: dict[str, str]) -> PivotText:
    name, files = _split_named("--bitext", text)
    first, _, second = files.partition(",")
    usual = JIEBA if name in CHINESE else "13a"
    return PivotText(name, first, second or None, segmenters.get(name, usual))


def _split_named(name: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise SettingError(f"{name} {text}: expected NAME=..., such as fra=...")
    return key, value
