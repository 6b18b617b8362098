"""Options that several commands share, and what they mean."""

from __future__ import annotations

import math
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import option, together
from paragauge.cli.options import analysis_options
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.meta.significance.multiple import CORRECTIONS
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS
from paragauge.metrics.resampling import MOST_REPLICATES
from paragauge.report.tables.score_tables import FORMATS as TABLE_FORMATS
from paragauge.rewrite.specs import parse_metrics
from paragauge.text.corpus import Corpus
from paragauge.text.tables import FORMATS as INPUT_FORMATS
from paragauge.text.tokenisers import (
    CASES,
    MOST_THREADS,
    TOKENISERS,
    check_case,
    check_tokeniser,
)

INPUT = "Input"
METRIC = "Metrics"
UNCERTAINTY = "Uncertainty"
OUTPUT = "Output"

candidates = option(
    "--candidates",
    "-c",
    multiple=True,
    required=True,
    metavar="[NAME=]FILE",
    heading=INPUT,
    help="A system's output, one sentence a line. Repeat for more systems.",
)
sources = option(
    "--sources",
    "-s",
    multiple=True,
    metavar="FILE",
    heading=INPUT,
    help="The sentences that were paraphrased. Repeat if each has several.",
)
references = option(
    "--references",
    "-r",
    multiple=True,
    metavar="FILE",
    heading=INPUT,
    help="References; several on a line are separated by tabs. May repeat.",
)
table = option(
    "--table",
    metavar="FILE",
    heading=INPUT,
    help="Take everything from this TSV, CSV, JSON Lines or Parquet table; -c, -s and -r name columns.",
)
table_format = option(
    "--table-format",
    metavar="|".join(INPUT_FORMATS),
    heading=INPUT,
    help="The table's format, if its name does not tell.",
)
metrics = option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="NAME[:SETTING=VALUE...],...",
    heading=METRIC,
    help=f"What to compute: {', '.join(METRICS)}. Default: bleu and pinc, as the input allows.",
)
tokenizer = option(
    "--tokenize",
    metavar="|".join(TOKENISERS),
    heading=METRIC,
    help="Tokeniser for all metrics. Default: 13a; penn for MAXSIM.",
)
case = option(
    "--case",
    metavar="|".join(CASES),
    heading=METRIC,
    help="Compare words as they are or lowered, for all metrics.",
)
rewrite = option(
    "--rewrite",
    metavar="none|wordnet|context|lm|lsa|brown|phrases",
    heading=METRIC,
    help="Reword references toward each system's words first; parts join with +, as context+lm.",
)
rewrite_model = option(
    "--rewrite-model",
    multiple=True,
    metavar="FILE",
    heading=METRIC,
    help="The model that --rewrite uses. Repeat for each part that has one.",
)
bootstrap = option(
    "--bootstrap",
    type=click.IntRange(0, MOST_REPLICATES),
    default=1000,
    metavar="N",
    heading=UNCERTAINTY,
    help="Bootstrap resamples for intervals; 0 for none.",
)
level = option(
    "--level",
    type=float,
    default=0.95,
    metavar="SHARE",
    heading=UNCERTAINTY,
    help="Level of the intervals.",
)
seed = option(
    "--seed", type=int, default=7, metavar="N", heading=UNCERTAINTY, help="Seed of all random draws."
)
baseline = option(
    "--baseline",
    "-b",
    metavar="NAME",
    heading=INPUT,
    help="The system to compare with. Default: the first one.",
)
randomisation = option(
    "--randomisation",
    type=click.IntRange(0, MOST_REPLICATES),
    default=10000,
    metavar="N",
    heading=UNCERTAINTY,
    help="Trials of approximate randomisation; 0 for none.",
)
alpha = option(
    "--alpha",
    type=float,
    default=0.05,
    metavar="SHARE",
    heading=UNCERTAINTY,
    help="Level of significance.",
)
correction = option(
    "--correction",
    default="holm",
    metavar="|".join(CORRECTIONS),
    heading=UNCERTAINTY,
    help="How p-values are corrected for several systems.",
)
form = option(
    "--format",
    "-f",
    "form",
    default="text",
    metavar="|".join(TABLE_FORMATS),
    heading=OUTPUT,
    help="How to print the result.",
)
html = option(
    "--html", metavar="FILE", heading=OUTPUT, writes=streams.MORE, help="Also write an HTML report."
)
max_segments = option(
    "--max-segments",
    type=click.IntRange(1, 10_000_000),
    default=50_000,
    metavar="N",
    heading=OUTPUT,
    help="Segments that the HTML report keeps to show; scores are always of all.",
)
theme = option(
    "--theme",
    default="light",
    metavar="light|dark",
    heading=OUTPUT,
    help="Colours of the plot.",
)
threads = option(
    "--threads",
    type=click.IntRange(0, MOST_THREADS),
    default=0,
    metavar="N",
    heading=OUTPUT,
    help="Threads; 0 for one per core.",
)

corpus_input = together(candidates, sources, references, table, table_format)
tool_choice = together(
    analysis_options.tagger,
    analysis_options.parser,
    analysis_options.pipeline,
    analysis_options.analysed,
    analysis_options.wordnet,
    analysis_options.language,
)
text_choice = together(tokenizer, case, tool_choice)
metric_choice = together(metrics, rewrite, rewrite_model, text_choice)
tests = together(randomisation, alpha, correction)


def corpus_of(given: dict[str, Any], *, keep_empty: bool = False) -> Corpus:
    """The corpus that the input options describe; `keep_empty` as in `Corpus`."""
    table = given.get("table")
    if table is None and given.get("table_format") is not None:
        raise SettingError("--table-format needs --table; give the table, or leave the format out")
    return Corpus(
        systems_of(given["candidates"], is_column=table is not None),
        given["sources"],
        given["references"],
        table,
        given.get("table_format"),
        given["threads"],
        keep_empty,
    )


def systems_of(
    values: tuple[str, ...],
    *,
    is_column: bool = False,
    what: str = "candidates",
    kind: str = "system",
    flag: str = "-c ",
) -> dict[str, str]:
    """Files or columns by the system's name; errors speak of `what` that have the option `flag`."""

    def own_name(value: str) -> str:
        return "" if is_column else file_stem(value)

    return named_paths(values, own_name, what, kind, f"{flag}NAME=")


def named_paths(
    values: tuple[str, ...], own_name: Callable[[str], str], what: str, one: str, hint: str
) -> dict[str, str]:
    """Paths by their names, given as PATH or as NAME=PATH; `own_name` names those without one.

    `what` and `one` call the paths and one of them in messages, `hint` is how to give a name.

    >>> named_paths(("a=b", "c/d"), lambda path: Path(path).name, "grammars", "grammar", "NAME=")
    {'a': 'b', 'd': 'c/d'}
    """
    named: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or Path(value).exists():
            name, path = own_name(value) or value, value
        if not name or not path:
            raise InputError(f"{what}: expected FILE or NAME=FILE, got '{value}'")
        # A file name may hold bytes that are no text; tables and reports need text.
        name = name.encode("utf-8", "backslashreplace").decode("utf-8")
        if any(unicodedata.category(char) == "Cc" for char in name):
            raise InputError(
                f"{what}: expected a {one}'s name without tabs and line ends, got {name!r}; "
                f"give another one: {hint}FILE"
            )
        if name in named:
            raise InputError(f"{what}: two {one}s are called '{name}'; name them apart: {hint}{path}")
        named[name] = path
    return named


def file_stem(path: str) -> str:
    """The file's name without its endings, which is what a table can show."""
    name = Path(path)
    while name.suffix in (".gz", ".zst"):
        name = name.with_suffix("")
    return "stdin" if path == "-" else name.stem


def metrics_of(given: dict[str, Any], corpus: Corpus) -> dict[str, Metric]:
    """The metrics that the options name, checked against the input there is."""
    defaults = metric_defaults(given)
    available = corpus.inputs()
    texts = given["metrics"]
    if not texts:
        needs = {"bleu": "references", "pinc": "sources"}
        texts = [name for name, need in needs.items() if need in available]
        if not texts:
            raise InputError(
                "expected sources (-s) or references (-r) to compare the candidates with, got neither"
            )
    chosen = parse_metrics(texts, defaults)
    for metric in chosen.values():
        metric.require(available, {"sources": "-s", "references": "-r"})
    return chosen


def metric_defaults(given: dict[str, Any]) -> dict[str, str]:
    """The settings for all metrics that have them: tokeniser, case, tools of analyses, rewriting."""
    return text_settings(given) | analysis_options.analysis_settings(given) | rewrite_settings(given)


def rewrite_settings(given: dict[str, Any]) -> dict[str, str]:
    """How references are rewritten, as far as it is given."""
    if given.get("rewrite") in (None, "none"):
        if given.get("rewrite_model"):
            raise SettingError("--rewrite-model needs --rewrite; give it too, or leave the model out")
        return {}
    models = "+".join(given["rewrite_model"])
    return {"rewrite": given["rewrite"]} | ({"rewrite_model": models} if models else {})


def text_settings(given: dict[str, Any]) -> dict[str, str]:
    """The tokeniser and the case, as far as they are given, checked."""
    chosen = {name: given.get(name) for name in ("tokenize", "case")}
    if chosen["tokenize"] is not None:
        check_tokeniser(chosen["tokenize"])
    if chosen["case"] is not None:
        check_case(chosen["case"])
    return {name: value for name, value in chosen.items() if value is not None}


def check_no_input(flag: str, path: str | None, inputs: Iterable[str | Path | None]) -> None:
    """Refuse to write over an input, or into a folder that is one; `-` and None are no files.

    >>> check_no_input("--output", "a/../b", ["c", "b"])
    Traceback (most recent call last):
    paragauge.errors.InputError: --output a/../b: the file is an input too; choose another name
    >>> check_no_input("--html", "grammar/rules.parquet", ["grammar"])
    Traceback (most recent call last):
    paragauge.errors.InputError: --html grammar/rules.parquet: the folder is an input; choose another
    """
    if path in (None, "-"):
        return
    place = Path(str(path)).resolve()
    taken = {Path(each).resolve() for each in inputs if each not in (None, "-")}
    if place in taken:
        raise InputError(f"{flag} {path}: the file is an input too; choose another name")
    if not taken.isdisjoint(place.parents):
        raise InputError(f"{flag} {path}: the folder is an input; choose another")


def check_outputs(given: dict[str, Any], corpus: Corpus, *names: str) -> None:
    """Refuse to write over an input, or two outputs to one file."""
    inputs = [given.get("ratings"), corpus.table, *_models(given)]
    if corpus.table is None:
        inputs += [*corpus.systems.values(), *corpus.sources, *corpus.references]
    taken: dict[Path, str] = {}
    for name in names:
        path = given[name]
        if path is None or not (Path(path).is_file() or not Path(path).exists()):
            continue
        check_no_input(f"--{name}", path, inputs)
        if Path(path).resolve() in taken:
            what = taken[Path(path).resolve()]
            raise InputError(f"--{name} {path}: the file is {what} too; choose another name")
        taken[Path(path).resolve()] = f"the output of --{name}"


def _models(given: dict[str, Any]) -> list[str]:
    """Files of models: of options, and of settings in metrics' specifications."""
    specified = re.findall(r"model=([^:,]+)", ",".join(given.get("metrics") or ()))
    named = [*(given.get("rewrite_model") or ()), *specified]
    return [path for each in named for path in (each, *each.split("+"))]


def check_format(form: str) -> None:
    """Refuse an unknown output format before anything is computed."""
    if form not in TABLE_FORMATS:
        raise unknown_name("format", form, TABLE_FORMATS)


def baseline_of(given: dict[str, Any], corpus: Corpus) -> str:
    """The system to compare with, the first one if none is named."""
    baseline = str(given["baseline"] or next(iter(corpus.systems)))
    if baseline not in corpus.systems:
        raise unknown_name("system", baseline, corpus.systems)
    return baseline


def command_line() -> str:
    """The command as it was given, quoted for a shell."""
    words = click.get_current_context().find_root().obj
    line = shlex.join(["paragauge", *words])
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


def refuse_without(needed: str, *names: str) -> None:
    """Refuse options that mean nothing because the option `needed` was not given."""
    source = click.get_current_context().get_parameter_source
    for name in names:
        if source(name) is not click.core.ParameterSource.DEFAULT:
            flag = "--" + name.replace("_", "-")
            raise SettingError(f"{flag} needs {needed}; give it too, or leave {flag} out")


def refuse_with(other: str, *names: str) -> None:
    """Refuse options that mean nothing because the option `other` was given."""
    source = click.get_current_context().get_parameter_source
    for name in names:
        if source(name) is not click.core.ParameterSource.DEFAULT:
            flag = "--" + name.replace("_", "-")
            raise SettingError(f"{flag} has no effect with {other}; leave one of them out")


def report_settings(given: dict[str, Any]) -> dict[str, Any]:
    """What the writer of the HTML report needs to know of the options."""
    names = ("bootstrap", "seed", "level", "threads")
    settings = {name: given[name] for name in names}
    return settings | {"limit": given["max_segments"], "command": command_line()}


def scale_of(text: str) -> tuple[float, float]:
    """The two ends of a scale of ratings.

    >>> scale_of("1:5")
    (1.0, 5.0)
    """
    low, colon, high = text.partition(":")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = math.nan, math.nan
    if not colon or not all(map(math.isfinite, ends)) or ends[0] >= ends[1]:
        raise SettingError(f"--scale {text}: expected LOW:HIGH, a smaller and a larger number")
    return ends
