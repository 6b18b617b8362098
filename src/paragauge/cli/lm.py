"""`paragauge lm`: train n-gram language models, score text, convert and describe models."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.lm_tables import render_info, render_scores, render_training
from paragauge.cli.progress import Steps
from paragauge.errors import InputError, SettingError
from paragauge.lm import (
    LanguageModel,
    LanguageModelScores,
    Settings,
    TextForm,
    Totals,
    open_model,
    train_files,
)
from paragauge.lm.estimate import FALLBACK, LEAST_MEMORY, MOST_ORDER
from paragauge.lm.quantise import check_bits
from paragauge.lm.scores import BASES, check_base
from paragauge.lm.scoring import score_file
from paragauge.report.tables import tsv_cell
from paragauge.text.files import atomic_path, compression, display_name, open_text
from paragauge.text.tables import table_format
from paragauge.text.tokenisers import CASES, TOKENISERS

MODEL = "Model"
TEXT = "Text"
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

tokenizer = option(
    "--tokenize", "-t", metavar="|".join(TOKENISERS), heading=TEXT, help="Tokeniser. Default: none."
)
case = option(
    "--case", metavar="|".join(CASES), heading=TEXT, help="Keep the case, or lower it. Default: mixed."
)
stemmer = option("--stem", metavar="NAME", heading=TEXT, help="Stemmer, such as porter. Default: none.")
text_form = options.together(tokenizer, case, stemmer)
entropy_prune = option(
    "--entropy-prune",
    type=float,
    default=0.0,
    metavar="SHARE",
    heading=MODEL,
    help="Take out n-grams that raise the perplexity by less, such as 1e-7.",
)
bits = option(
    "--bits",
    type=int,
    metavar="N",
    heading=MODEL,
    help="Quantise a binary model to 4 to 8 bits a value. Default: exact values.",
)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge lm train corpus.txt --order 4 --tokenize 13a --case lower --output lm.bin",
        "paragauge lm score lm.bin system.txt",
        "paragauge lm convert lm.arpa.gz lm.bin --bits 8",
    ),
)
@click.pass_context
def lm(context: click.Context) -> None:
    """Train n-gram language models; score text with them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@lm.command(
    cls=Command,
    examples=(
        "paragauge lm train corpus.txt --output lm.arpa.gz",
        "paragauge lm train a.txt b.txt.gz -n 5 --prune 0,0,1 -t 13a --case lower --bits 8 -o lm.bin",
    ),
)
@click.argument("files", nargs=-1, required=True)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=options.OUTPUT,
    help="The model: ARPA if it ends in .arpa (.gz or .zst may follow), else binary.",
)
@option(
    "--order",
    "-n",
    type=click.IntRange(1, MOST_ORDER),
    default=4,
    metavar="N",
    heading=MODEL,
    help="Words in the longest n-grams.",
)
@option(
    "--prune",
    default="0",
    metavar="N,N,...",
    heading=MODEL,
    help="For each order, take out n-grams that stand in the text this often or less.",
)
@entropy_prune
@bits
@option(
    "--discount-fallback",
    is_flag=True,
    heading=MODEL,
    help="Where discounts cannot be estimated, use 0.5, 1 and 1.5.",
)
@text_form
@option(
    "--memory",
    default="1G",
    metavar="SIZE",
    heading=options.OUTPUT,
    help="Memory to count and sort in, such as 500M; more goes to temporary files.",
)
@option("--folder", metavar="DIR", heading=options.OUTPUT, help="Where temporary files go.")
@options.form
@options.threads
def train(files: tuple[str, ...], output: str, form: str, **given: Any) -> None:
    """Train a model on all lines of FILES, one sentence a line; - is standard input."""
    options.check_format(form)
    settings = Settings(
        given["order"],
        _counts(given["prune"]),
        FALLBACK if given["discount_fallback"] else None,
        _bytes(given["memory"]),
        _folder(given["folder"]),
        given["threads"],
    )
    with Steps(len(files) + settings.order + 2) as step:
        done = train_files(
            files,
            output,
            settings,
            form=_form(given) or TextForm(),
            entropy_prune=_share(given["entropy_prune"]),
            bits=given["bits"],
            progress=step,
        )
    sys.stdout.write(render_training(done, form))


@lm.command(
    cls=Command,
    examples=(
        "paragauge lm score lm.bin system.txt reference.txt",
        "paragauge lm score lm.bin system.txt --segments scores.tsv",
    ),
)
@click.argument("model")
@click.argument("files", nargs=-1)
@option(
    "--segments",
    metavar="FILE",
    heading=options.OUTPUT,
    help="Also write a row for each sentence to this .tsv file (.gz or .zst may follow).",
)
@option(
    "--tokenised",
    is_flag=True,
    heading=TEXT,
    help="The text is in the model's form already: words with blanks between.",
)
@text_form
@option(
    "--base",
    default="e",
    metavar="|".join(BASES),
    heading=options.OUTPUT,
    help="Base of the logarithm in normalised scores.",
)
@option(
    "--end/--no-end",
    default=True,
    heading=options.OUTPUT,
    help="Whether </s> counts in the length that scores are normalised by.",
)
@options.form
@options.threads
def score(model: str, files: tuple[str, ...], form: str, **given: Any) -> None:
    """Score each line of FILES (standard input if there are none) with MODEL: ours, ARPA or KenLM."""
    options.check_format(form)
    check_base(given["base"])
    names = files or ("-",)
    if model == "-" and "-" in names:
        raise InputError("expected the model or the text in standard input, not both; give a file")
    if len({display_name(name) for name in names}) < len(names):
        raise InputError("expected each file once, got one twice; name each once")
    _check_segments(given["segments"], (model, *names))
    opened = open_model(model, form=_form(given), threads=given["threads"])
    totals: dict[str, Totals] = {}
    with contextlib.ExitStack() as stack, Steps(len(names)) as step:
        rows = stack.enter_context(_Segments.to(given))
        for name in names:
            shown = display_name(name)
            step(f"scoring {shown}")
            totals[shown] = Totals()
            for scores in score_file(
                opened, name, tokenised=given["tokenised"], threads=given["threads"]
            ):
                rows.write(shown, totals[shown].sentences, scores)
                totals[shown] += scores.totals()
    sys.stdout.write(render_scores(opened, totals, form))


@lm.command(
    cls=Command,
    examples=(
        "paragauge lm convert lm.arpa.gz lm.bin --bits 8",
        "paragauge lm convert lm.bin small.bin --entropy-prune 1e-7",
    ),
)
@click.argument("model")
@click.argument("output")
@entropy_prune
@bits
@text_form
@options.threads
def convert(model: str, output: str, **given: Any) -> None:
    """Write MODEL, ours or ARPA, to OUTPUT: ARPA if it ends in .arpa (.gz or .zst may follow), else
    binary. Prune or quantise it on the way.
    """
    check_bits(given["bits"])
    threshold = _share(given["entropy_prune"])
    if model != "-" and Path(model).resolve() == Path(output).resolve():
        raise InputError(f"{output}: the file is the input too; choose another name")
    loaded = LanguageModel.load(model, form=_form(given), threads=given["threads"])
    if threshold:
        table = loaded.table.entropy_pruned(threshold, given["threads"])
        loaded = LanguageModel(table, loaded.form, given["threads"])
    loaded.save(output, bits=given["bits"], threads=given["threads"])


@lm.command(cls=Command, examples=("paragauge lm info lm.bin",))
@click.argument("model")
@options.form
def info(model: str, form: str) -> None:
    """Describe MODEL: order, n-grams, and the form of text it was trained on."""
    options.check_format(form)
    sys.stdout.write(render_info(open_model(model), model, form))


class _Segments:
    """Writes a row for each sentence, or nothing."""

    FIELDS = ("file", "segment", "log10", "tokens", "unknown", "normalised")

    def __init__(self, out: Any, base: str, end: bool) -> None:
        self._out = out
        self._base = base
        self._end = end

    @classmethod
    @contextlib.contextmanager
    def to(cls, given: dict[str, Any]) -> Iterator[_Segments]:
        path = given["segments"]
        if path is None:
            yield cls(None, given["base"], given["end"])
            return
        with atomic_path(path) as temporary, open_text(temporary, compression(path)) as out:
            out.write("\t".join(cls.FIELDS) + "\n")
            yield cls(out, given["base"], given["end"])

    def write(self, name: str, before: int, scores: LanguageModelScores) -> None:
        if self._out is None:
            return
        columns = (
            scores.log10.tolist(),
            scores.tokens.tolist(),
            scores.unknown.tolist(),
            scores.normalised(base=self._base, end=self._end).tolist(),
        )
        shown = re.sub(r"[\t\r\n]", " ", name)
        for number, row in enumerate(zip(*columns, strict=True), before + 1):
            self._out.write("\t".join(map(tsv_cell, (shown, number, *row))) + "\n")


def _check_segments(path: str | None, inputs: tuple[str, ...]) -> None:
    if path is None:
        return
    if table_format(path) != "tsv":
        raise SettingError(
            f"--segments {path}: expected a name that ends in .tsv, .gz or .zst may follow"
        )
    if Path(path).resolve() in {Path(each).resolve() for each in inputs if each != "-"}:
        raise InputError(f"--segments {path}: the file is an input too; choose another name")


def _form(given: dict[str, Any]) -> TextForm | None:
    """The form that the options name, None if they name none."""
    if given["tokenize"] is None and given["case"] is None and given["stem"] is None:
        return None
    return TextForm(given["tokenize"] or "none", given["case"] or "mixed", given["stem"])


def _counts(text: str) -> tuple[int, ...]:
    parts = re.split(r"[ ,]+", text.strip())
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise SettingError(f"--prune: expected counts such as 0,0,1, got '{text}'")
    return tuple(map(int, parts))


def _bytes(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,12})([KMG]?)B?", text.strip().upper(), re.ASCII)
    if found is None or int(found[1]) * UNITS[found[2]] < LEAST_MEMORY:
        raise SettingError(f"--memory: expected at least 1M, such as 500M or 2G, got '{text}'")
    return int(found[1]) * UNITS[found[2]]


def _folder(path: str | None) -> str | None:
    if path is not None and not Path(path).is_dir():
        raise InputError(f"--folder {path}: no such folder; make it first")
    return path


def _share(value: float) -> float:
    if not 0 <= value < 1:
        raise SettingError(
            f"--entropy-prune: expected a share from 0 to 1, such as 1e-7, got {value!r}"
        )
    return value
