"""`paragauge generate train`: paraphrasers from sentence pairs, or from a grammar."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from paragauge.align.choose import ALIGNERS
from paragauge.cli import streams
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.generate import generate_options
from paragauge.cli.lm import lm_options
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import bitext_input, bitext_of, too_long
from paragauge.cli.progress import Steps
from paragauge.errors import InputError, SettingError
from paragauge.generate.grammar_based import GrammarSettings, new_grammar_model
from paragauge.generate.model_folder import read_description
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.generate.search import formed
from paragauge.generate.train import PhraseTraining, check_marks, train_phrases
from paragauge.grammar.table import Grammar
from paragauge.lm import LanguageModel, TextForm
from paragauge.lm.estimate import FALLBACK, MOST_ORDER
from paragauge.phrases.extract import LONGEST
from paragauge.text.plain import counted
from paragauge.text.reading import LineReader

LM = "Language model"
PHRASES = "Phrases"

output = option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="The model; one that is there is replaced when the new one is complete.",
)
lm_file = option(
    "--lm", metavar="FILE", heading=LM, help="A language model to use, in place of one that is trained."
)
lm_order = option(
    "--lm-order",
    type=click.IntRange(1, MOST_ORDER),
    default=PhraseTraining.lm_order,
    metavar="N",
    heading=LM,
    help="Words in the longest n-grams.",
)
lm_repeats = option(
    "--lm-repeats",
    is_flag=True,
    heading=LM,
    help="Train it on target sentences as often as they stand there, not once on each different one.",
)
fallback = option(
    "--discount-fallback",
    is_flag=True,
    heading=LM,
    help="Where discounts cannot be estimated, as on little text, use 0.5, 1 and 1.5.",
)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge generate train phrase source.txt target.txt --output model",
        "paragauge generate train grammar rules --lm-text corpus.txt --output model",
    ),
)
@click.pass_context
def train(context: click.Context) -> None:
    """Train a paraphraser from sentence pairs, or make one of a grammar."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@train.command(
    "phrase",
    cls=Command,
    examples=(
        "paragauge generate train phrase source.txt target.txt --output model",
        "paragauge generate train phrase pairs.tsv --columns 2,3 -t 13a --case lower -o model",
    ),
)
@bitext_input
@too_long
@option(
    "--aligner",
    "-a",
    default=PhraseTraining.aligner,
    metavar="|".join(ALIGNERS),
    heading=PHRASES,
    help="What aligns words. auto: eflomal if it is installed, else systran.",
)
@option(
    "--max-length",
    type=click.IntRange(1, LONGEST),
    default=PhraseTraining.max_length,
    metavar="N",
    heading=PHRASES,
    help="Words in the longest phrases.",
)
@option(
    "--min-count",
    type=click.IntRange(1),
    default=PhraseTraining.min_count,
    metavar="N",
    heading=PHRASES,
    help="Keep phrase pairs that were extracted at least so often.",
)
@lm_file
@lm_order
@lm_repeats
@fallback
@generate_options.copy
@generate_options.longest
@generate_options.setting
@output
@shared_options.threads
def phrase_command(**given: Any) -> None:
    """Train a phrase-based model on the pairs of SOURCE and TARGET, one sentence a line, or of two
    columns of a TSV file without header, if only SOURCE is given.

    The model's language model is trained on the target side; its weights are Moses' defaults until
    generate tune finds better ones.
    """
    if given["lm"] is not None:
        shared_options.refuse_with("--lm", "lm_order", "lm_repeats", "discount_fallback")
    where = bitext_of(given)
    settings = PhraseTraining(
        max_length=given["max_length"],
        min_count=given["min_count"],
        aligner=given["aligner"],
        too_long=given["too_long"],
        lm=given["lm"],
        lm_order=given["lm_order"],
        lm_repeats=given["lm_repeats"],
        lm_discount_fallback=given["discount_fallback"],
        threads=given["threads"],
    )
    decoding = PhraseSettings.of_record(generate_options.settings_of(given))
    with Steps(None) as step:
        step("reading")
        done = train_phrases(where.read(), given["output"], settings, decoding=decoding, progress=step)
    facts = done.facts
    notes = [
        (
            f"{given['output']}: {counted(facts['phrase_pairs'], 'phrase pair')} from "
            f"{counted(facts['sentence_pairs'], 'sentence pair')}, {facts['aligner']}"
        ),
        f"language model of order {len(facts['ngrams'])}, {counted(sum(facts['ngrams']), 'n-gram')}",
        *(
            [f"{counted(facts['skipped'], 'pair')} dropped, a side is empty"]
            if facts["skipped"]
            else []
        ),
        *([f"{counted(facts['too_long'], 'pair')} too long to align"] if facts["too_long"] else []),
    ]
    sys.stdout.write("; ".join(notes) + f"\n{done.generator.name}|{done.generator.form.label}\n")


@train.command(
    "grammar",
    cls=Command,
    examples=(
        "paragauge generate train grammar rules --lm-text corpus.txt -t 13a --case lower -o model",
        "paragauge generate train grammar rules --lm lm.bin --output model",
    ),
)
@click.argument("grammar", metavar="GRAMMAR")
@lm_file
@option(
    "--lm-text",
    multiple=True,
    metavar="FILE",
    heading=LM,
    help="Text to train a language model on, one sentence a line. May repeat.",
)
@lm_order
@fallback
@lm_options.tokenizer
@lm_options.case
@generate_options.longest
@generate_options.setting
@output
@shared_options.threads
def grammar_command(grammar: str, **given: Any) -> None:
    """Make a model of GRAMMAR, the folder of a paraphrase grammar (paragauge grammar extract, pivot or
    convert make them), and of a language model in the form of the grammar's text.
    """
    if (given["lm"] is None) == (not given["lm_text"]):
        found = "neither" if given["lm"] is None else "both"
        raise SettingError(
            "expected a language model (--lm FILE) or text to train one on (--lm-text FILE), "
            f"got {found}; give one"
        )
    if given["lm"] is not None:
        shared_options.refuse_with("--lm", "lm_order", "discount_fallback", "tokenize", "case")
    settings = GrammarSettings.of_record(generate_options.settings_of({"copy": None, **given}))
    opened = Grammar.open(grammar)
    with Steps(2) as step:
        step("language model")
        model = _language_model(given)
        step("writing")
        made = {
            "grammar": Path(grammar).name,
            "lm_text": [Path(each).name for each in given["lm_text"]],
        }
        new_grammar_model(opened, model, given["output"], settings=settings, made=made)
    facts = read_description(Path(given["output"])).made
    left_out = (
        f" ({facts['left_out']:,} left out, whose source sides are single non-terminals)"
        if facts["left_out"]
        else ""
    )
    sys.stdout.write(
        f"{given['output']}: {counted(facts['rules'], 'rule')}{left_out}; language model of order "
        f"{model.order}, {counted(sum(model.counts), 'n-gram')}\n{model.form.label}\n"
    )


def _language_model(given: dict[str, Any]) -> LanguageModel:
    """The model of the file, or one that is trained on all different lines of the texts."""
    if given["lm"] is not None:
        return LanguageModel.load(given["lm"], threads=given["threads"])
    form = TextForm(given["tokenize"] or "none", given["case"] or "mixed")
    lines: set[str] = set()
    for path in given["lm_text"]:
        with LineReader(path) as reader:
            while part := reader.read(1 << 13, 1 << 24):
                before = reader.line - len(part)
                check_marks(
                    formed(part, form, given["threads"]), path, range(before + 1, reader.line + 1)
                )
                lines.update(part)
    if not any(line.strip() for line in lines):
        names = ", ".join(given["lm_text"])
        raise InputError(f"{names}: expected text to learn a language model from, found no words")
    return LanguageModel.train(
        sorted(lines),
        order=given["lm_order"],
        form=form,
        discount_fallback=FALLBACK if given["discount_fallback"] else None,
        threads=given["threads"],
    )
