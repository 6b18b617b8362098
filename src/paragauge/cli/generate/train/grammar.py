"""`paragauge generate train grammar`: build a paraphraser from a grammar and a language model."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.generate import generate_options
from paragauge.cli.generate.train import train_options
from paragauge.cli.lm import lm_options
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.errors import InputError, SettingError
from paragauge.generate.first_weights import AUTO, PRESETS, recognize_resource
from paragauge.generate.grammar_based import GrammarSettings, new_grammar_model
from paragauge.generate.metric_search import apply_form
from paragauge.generate.model_folder import WEIGHTS_FILE, read_description
from paragauge.generate.rule_features import feature_names
from paragauge.generate.train import check_marks
from paragauge.generate.weights import read_weights
from paragauge.grammar.grammar_folder import Grammar
from paragauge.lm import LanguageModel, TextForm
from paragauge.lm.estimate import FALLBACK
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import Case, Tokenizer
from paragauge.text.wording import pluralize


@dataclass(frozen=True)
class LanguageModelOptions:
    """The file of a language model, or text to train one on and how."""

    lm: str | None
    lm_text: tuple[str, ...]
    lm_order: int
    discount_fallback: bool
    tokenize: Tokenizer | None
    case: Case | None

    def check(self) -> None:
        """Refuse both a model and text, neither, and options that do not apply."""
        if (self.lm is None) == (not self.lm_text):
            number = "neither" if self.lm is None else "both"
            raise SettingError(
                "expected a language model (--lm FILE) or text to train one on (--lm-text FILE), "
                f"found {number}; give one"
            )
        if self.lm is not None:
            shared_options.refuse_with("--lm", "lm_order", "discount_fallback", "tokenize", "case")

    def load_or_train(self, threads: int) -> LanguageModel:
        """The model of the file, or one trained on all distinct lines of the texts."""
        if self.lm is not None:
            return LanguageModel.load(self.lm, threads=threads)
        form = TextForm(self.tokenize or "none", self.case or "mixed")
        return LanguageModel.train(
            sorted(self._distinct_lines(form, threads)),
            order=self.lm_order,
            form=form,
            discount_fallback=FALLBACK if self.discount_fallback else None,
            threads=threads,
        )

    def _distinct_lines(self, form: TextForm, threads: int) -> set[str]:
        lines: set[str] = set()
        for path in self.lm_text:
            with LineReader(path) as reader:
                while part := reader.read(1 << 13, 1 << 24):
                    before = reader.line - len(part)
                    numbers = range(before + 1, reader.line + 1)
                    check_marks(apply_form(part, form, threads), path, numbers)
                    lines.update(part)
        if not any(line.strip() for line in lines):
            names = ", ".join(self.lm_text)
            raise InputError(f"{names}: expected text to train a language model on, found no words")
        return lines


with_language_model = gather_options(
    "language_model",
    LanguageModelOptions,
    train_options.lm_file,
    option(
        "--lm-text",
        multiple=True,
        metavar="FILE",
        heading=train_options.LM,
        help="Text to train a language model on, one sentence per line. May be repeated.",
    ),
    train_options.lm_order,
    train_options.lm_fallback,
    lm_options.tokenizer,
    lm_options.case,
)


@click.command(
    "grammar",
    cls=Command,
    examples=(
        "paragauge generate train grammar rules --lm-text corpus.txt -t 13a --case lower -o model",
        "paragauge generate train grammar rules --lm lm.bin --output model",
        "paragauge generate train grammar ppdb --lm lm.bin --first-weights ppdb-2.0 -o model",
    ),
)
@click.argument("folder", metavar="GRAMMAR")
@with_language_model
@choice_option(
    "--first-weights",
    choices=(AUTO, *PRESETS),
    default=AUTO,
    heading=generate_options.MODEL,
    help="Weights before tuning, by resource. auto: recognized from the grammar's features.",
)
@generate_options.longest
@generate_options.setting
@train_options.output
@shared_options.threads
def grammar_command(
    folder: str,
    language_model: LanguageModelOptions,
    first_weights: str,
    longest: int | None,
    settings: tuple[str, ...],
    output: str,
    threads: int,
) -> None:
    """Build a model from a paraphrase grammar and a language model.

    GRAMMAR is a folder that paragauge grammar extract, pivot or convert has written. The language model
    must have the form of the grammar's text.
    """
    language_model.check()
    decoder = generate_options.decoder_record(settings, longest=longest)
    decoding = GrammarSettings.from_record(decoder)
    grammar = Grammar.open(folder)
    with Steps(2) as step:
        step("language model")
        lm = language_model.load_or_train(threads)
        step("writing")
        origin = {
            "grammar": Path(folder).name,
            "lm_text": [Path(path).name for path in language_model.lm_text],
        }
        new_grammar_model(grammar, lm, output, weights=first_weights, settings=decoding, facts=origin)
    facts = read_description(Path(output)).facts
    left_out = (
        f" ({facts['left_out']:,} left out, whose source sides are single non-terminals)"
        if facts["left_out"]
        else ""
    )
    sys.stdout.write(
        f"{output}: {pluralize(facts['rules'], 'rule')}{left_out}; language model of order "
        f"{lm.order}, {pluralize(sum(lm.counts), 'n-gram')}\n"
        f"{_describe_weights(grammar, Path(output), first_weights)}\n{lm.form.label}\n"
    )


def _describe_weights(grammar: Grammar, model: Path, preset: str) -> str:
    """The preset and the weights in the model; features without weight are counted."""
    names = feature_names(grammar)
    weights = read_weights(model / WEIGHTS_FILE, names).tolist()
    used = [f"{name} {weight:g}" for name, weight in zip(names, weights, strict=True) if weight]
    name = recognize_resource(names) if preset == AUTO else preset
    return f"first weights ({name}): {', '.join(used)}; 0 for {len(names) - len(used)} others"
