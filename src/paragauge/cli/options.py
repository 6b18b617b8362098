"""Options that several commands share, and what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS, parse_metrics
from paragauge.report.tables import FORMATS as TABLE_FORMATS
from paragauge.text.corpus import Corpus
from paragauge.text.tables import FORMATS as INPUT_FORMATS
from paragauge.text.tokenisers import CASES, TOKENISERS

_INPUT = "Input"
_METRICS = "Metrics"
_OUTPUT = "Output"
_TEST = "Uncertainty"

Candidates = Annotated[
    list[str],
    typer.Option(
        "--candidates",
        "-c",
        metavar="[NAME=]FILE",
        help="A system's output, one sentence a line. Repeat for more systems.",
        rich_help_panel=_INPUT,
    ),
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--sources",
        "-s",
        metavar="FILE",
        help="The sentences that were paraphrased. Repeat if each has several.",
        rich_help_panel=_INPUT,
    ),
]
References = Annotated[
    list[str] | None,
    typer.Option(
        "--references",
        "-r",
        metavar="FILE",
        help="References; several on a line are separated by tabs. May repeat.",
        rich_help_panel=_INPUT,
    ),
]
Table = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Take everything from this TSV, JSON Lines or Parquet table; -c, -s and -r name columns.",
        rich_help_panel=_INPUT,
    ),
]
TableFormat = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(INPUT_FORMATS),
        help="The table's format, if its name does not tell.",
        rich_help_panel=_INPUT,
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metrics",
        "-m",
        metavar="NAME[:SETTING=VALUE...],...",
        help=f"What to compute: {', '.join(METRICS)}. Default: bleu and pinc, as the input allows.",
        rich_help_panel=_METRICS,
    ),
]
Tokenizer = Annotated[
    str | None,
    typer.Option(
        "--tokenize",
        metavar="|".join(TOKENISERS),
        help="Tokeniser for all metrics. Default: 13a.",
        rich_help_panel=_METRICS,
    ),
]
Case = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(CASES),
        help="Compare words as they are or lowered, for all metrics.",
        rich_help_panel=_METRICS,
    ),
]
Bootstrap = Annotated[
    int,
    typer.Option(min=0, help="Bootstrap resamples for intervals; 0 for none.", rich_help_panel=_TEST),
]
Level = Annotated[float, typer.Option(help="Level of the intervals.", rich_help_panel=_TEST)]
Seed = Annotated[int, typer.Option(help="Seed of all random draws.", rich_help_panel=_TEST)]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        metavar="|".join(TABLE_FORMATS),
        help="How to print the result.",
        rich_help_panel=_OUTPUT,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Also write an HTML report.", rich_help_panel=_OUTPUT),
]
Threads = Annotated[
    int, typer.Option(min=0, help="Threads; 0 for one per core.", rich_help_panel=_OUTPUT)
]


def corpus_of(
    candidates: list[str],
    sources: list[str] | None,
    references: list[str] | None,
    *,
    table: str | None,
    table_format: str | None,
    threads: int,
) -> Corpus:
    """The corpus that the input options describe."""
    if table is None and table_format is not None:
        raise SettingError("--table-format needs --table; give the table, or leave the format out")
    return Corpus(
        _systems(candidates, is_column=table is not None),
        sources or [],
        references or [],
        table,
        table_format,
        threads,
    )


def _systems(values: list[str], *, is_column: bool) -> dict[str, str]:
    systems: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or Path(value).exists():
            name, path = ("" if is_column else _stem(value)) or value, value
        if not name or not path:
            raise InputError(f"candidates: expected FILE or NAME=FILE, got '{value}'")
        if name in systems:
            raise InputError(
                f"candidates: two systems are called '{name}'; name them apart: -c NAME={path}"
            )
        systems[name] = path
    return systems


def _stem(path: str) -> str:
    """The file's name without its endings, which is what a table can show."""
    return "stdin" if path == "-" else Path(path).name.split(".")[0]


def metrics_of(
    texts: list[str] | None, corpus: Corpus, *, tokenize: str | None, case: str | None
) -> dict[str, Metric]:
    """The metrics that the options name, checked against the input there is."""
    given = {"tokenize": tokenize, "case": case}
    defaults = {name: value for name, value in given.items() if value is not None}
    available = corpus.inputs()
    if not texts:
        needs = {"bleu": "references", "pinc": "sources"}
        texts = [name for name, need in needs.items() if need in available]
        if not texts:
            raise InputError(
                "expected sources (-s) or references (-r) to compare the candidates with, got neither"
            )
    metrics = parse_metrics(texts, defaults)
    for metric in metrics.values():
        metric.require(available)
    return metrics


def check_format(form: str, known: tuple[str, ...]) -> None:
    """Refuse an unknown output format before anything is computed."""
    if form not in known:
        raise unknown_name("format", form, known)
