"""`paragauge tagger run`: tag text."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.tagger.tagger_options import load_tagger, model
from paragauge.errors import unknown_name
from paragauge.syntax.conllu import conllu_block, surface_forms
from paragauge.syntax.sentence import Sentence
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import Tokenizer, tokenize_lines

BATCH = 1 << 13
TOKENIZERS = ("penn", "none")
FORMATS = ("words", "conllu")


@click.command(
    "run",
    cls=Command,
    examples=(
        'echo "Dogs don\'t bark." | paragauge tagger run',
        "paragauge tagger run corpus.tok --tokenize none --format conllu > corpus.conllu",
    ),
)
@click.argument("file", default="-")
@model
@choice_option(
    "--tokenize",
    "-t",
    "tokenizer",
    choices=TOKENIZERS,
    default="penn",
    heading=shared_options.INPUT,
    help="Split raw text, or only at white space.",
)
@choice_option(
    "--format",
    "-f",
    "form",
    choices=FORMATS,
    default="words",
    heading=shared_options.OUTPUT,
    help="word_TAG, one sentence per line; or CoNLL-U.",
)
@shared_options.threads
def run(file: str, model: str | None, tokenizer: Tokenizer, form: str, threads: int) -> None:
    """Tag each line. FILE is text, one sentence per line; - (the default) is standard input."""
    if tokenizer not in TOKENIZERS:
        raise unknown_name("tokenizer", tokenizer, TOKENIZERS)
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)
    chosen = load_tagger(model)
    number = 0
    with LineReader(file) as reader:
        while lines := reader.read(BATCH, 1 << 24):
            words = tokenize_lines(lines, tokenizer, threads=threads)
            tags = chosen.tag_lines(words, threads)
            out = []
            for text, line, row in zip(lines, words, tags, strict=True):
                number += 1
                tokens = tuple(line.split(" ")) if line else ()
                sentence = Sentence(tokens, tuple(chosen.names[i] for i in row.tolist()))
                out.append(_render_sentence(sentence, text, form, number))
            sys.stdout.buffer.write("".join(out).encode("utf-8"))
    sys.stdout.buffer.flush()


def _render_sentence(sentence: Sentence, text: str, form: str, number: int) -> str:
    if form == "words":
        pairs = zip(sentence.words, sentence.tags, strict=True)
        return " ".join(f"{word}_{tag}" for word, tag in pairs) + "\n"
    if not sentence.words:
        return ""
    forms = surface_forms(sentence.words, text)
    if forms is None:  # The tokenizer changed more than quotes, so the tokens are the text.
        return conllu_block(sentence, identifier=str(number))
    return conllu_block(replace(sentence, words=forms), text, str(number))
