"""Options that several commands share, and what they mean."""

from __future__ import annotations

import math
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from paragauge.cli import streams
from paragauge.cli.command import gather_options, option
from paragauge.cli.options.option_kinds import choice_option, count_option, seed_option, share_option
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.meta.significance.comparison import Comparison, compare_batches
from paragauge.meta.significance.multiple_comparisons import CORRECTIONS, Correction
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import MOST_REPLICATES
from paragauge.metrics.scoring import Observer
from paragauge.report.tables.score_tables import FORMATS as TABLE_FORMATS
from paragauge.text.batch import Batch
from paragauge.text.corpus import Corpus
from paragauge.text.files import resolve_path
from paragauge.text.rated_pairs import SegmentRange, segment_number
from paragauge.text.tables.table_format import FORMATS as INPUT_FORMATS
from paragauge.text.tokenizers import MOST_THREADS

INPUT = "Input"
METRIC = "Metrics"
UNCERTAINTY = "Uncertainty"
OUTPUT = "Output"

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
    help="Take everything from this TSV, CSV, JSON, Excel or Parquet table; -c, -s, -r name columns.",
)
table_format = choice_option(
    "--table-format",
    choices=INPUT_FORMATS,
    heading=INPUT,
    help="The table's format, if its name and its first lines do not tell.",
)
text_encoding = option(
    "--encoding",
    "text_encoding",  # `encoding` is the choice of an encoder
    metavar="NAME",
    heading=INPUT,
    help="The table's encoding, such as windows-1252. Default: UTF-8, or UTF-16 by mark.",
)
sheet = option(
    "--sheet",
    metavar="NAME",
    heading=INPUT,
    help="The sheet of an Excel file. Default: the only one that is not empty.",
)
header_row = count_option(
    "--header-row",
    least=1,
    most=1_000_000,
    heading=INPUT,
    help="The row with the names of columns. Default: the first, or in Excel the first that has cells.",
)
segment_range = option(
    "--range",
    "segment_range",
    metavar="FIRST:LAST",
    heading=INPUT,
    help="Only the segments with these numbers, such as 201:300. Default: all.",
)
bootstrap = count_option(
    "--bootstrap",
    least=0,
    most=MOST_REPLICATES,
    default=1000,
    heading=UNCERTAINTY,
    help="Bootstrap resamples for intervals; 0 for none.",
)
level = share_option("--level", default=0.95, heading=UNCERTAINTY, help="Level of the intervals.")
seed = seed_option(heading=UNCERTAINTY, help="Seed of all random draws.")
baseline = option(
    "--baseline",
    "-b",
    metavar="NAME",
    heading=INPUT,
    help="The system to compare with. Default: the first one.",
)
randomization = count_option(
    "--randomization",
    least=0,
    most=MOST_REPLICATES,
    default=10000,
    heading=UNCERTAINTY,
    help="Trials of approximate randomization; 0 for none.",
)
alpha = share_option("--alpha", default=0.05, heading=UNCERTAINTY, help="Level of significance.")
correction = choice_option(
    "--correction",
    choices=CORRECTIONS,
    default="holm",
    heading=UNCERTAINTY,
    help="Correction of p-values for several systems.",
)
form = choice_option(
    "--format",
    "-f",
    "form",
    choices=TABLE_FORMATS,
    default="text",
    heading=OUTPUT,
    help="How to print the result.",
)
html = option(
    "--html", metavar="FILE", heading=OUTPUT, writes=streams.MORE, help="Also write an HTML report."
)
max_segments = count_option(
    "--max-segments",
    least=1,
    most=10_000_000,
    default=50_000,
    heading=OUTPUT,
    help="Segments that the HTML report shows; scores always cover all.",
)
theme = option(
    "--theme",
    default="light",
    metavar="light|dark",
    heading=OUTPUT,
    help="Colors of the plot.",
)
threads = count_option(
    "--threads",
    least=0,
    most=MOST_THREADS,
    default=0,
    heading=OUTPUT,
    help="Threads; 0 for one per core.",
)


@dataclass(frozen=True)
class ComparisonTests:
    """How differences between systems are tested, and the intervals of scores."""

    bootstrap: int
    randomization: int
    alpha: float
    correction: Correction
    level: float
    seed: int

    def compare(
        self,
        batches: Iterable[Batch],
        metrics: Mapping[str, Metric],
        baseline: str,
        threads: int,
        observers: Sequence[Observer] = (),
    ) -> Comparison:
        """Compare the systems of the batches with the baseline."""
        return compare_batches(
            batches,
            metrics,
            baseline=baseline,
            bootstrap=self.bootstrap,
            randomization=self.randomization,
            seed=self.seed,
            level=self.level,
            alpha=self.alpha,
            correction=self.correction,
            threads=threads,
            observers=observers,
        )


with_tests = gather_options(
    "tests", ComparisonTests, bootstrap, randomization, alpha, correction, level, seed
)


def name_systems(
    values: tuple[str, ...],
    *,
    is_column: bool = False,
    what: str = "candidates",
    kind: str = "system",
    flag: str = "-c ",
) -> dict[str, str]:
    """Files or columns by system; messages call them `what` and name the option `flag`."""

    def own_name(value: str) -> str:
        return "" if is_column else file_stem(value)

    return named_paths(values, own_name, what, kind, f"{flag}NAME=")


def named_paths(
    values: tuple[str, ...], own_name: Callable[[str], str], what: str, one: str, hint: str
) -> dict[str, str]:
    """Paths by their names, given as PATH or as NAME=PATH; `own_name` names those without one.

    Messages call the paths `what` and one of them `one`; `hint` shows how to give a name.

    >>> named_paths(("a=b", "c/d"), lambda path: Path(path).name, "grammars", "grammar", "NAME=")
    {'a': 'b', 'd': 'c/d'}
    """
    named: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or Path(value).exists():
            name, path = own_name(value) or value, value
        if not name or not path:
            raise InputError(f"{what}: expected FILE or NAME=FILE, found '{value}'")
        # A file name may contain bytes that are not text; tables and reports need text.
        name = name.encode("utf-8", "backslashreplace").decode("utf-8")
        if any(unicodedata.category(char) == "Cc" for char in name):
            raise InputError(
                f"{what}: expected a {one}'s name without tabs and line ends, found {name!r}; "
                f"give another one: {hint}FILE"
            )
        if name in named:
            raise InputError(
                f"{what}: two {one}s are called '{name}'; give them different names: {hint}{path}"
            )
        named[name] = path
    return named


def file_stem(path: str) -> str:
    """The file's name without its endings, which is what a table can show."""
    name = Path(path)
    while name.suffix in (".gz", ".zst"):
        name = name.with_suffix("")
    return "stdin" if path == "-" else name.stem


def check_no_input(flag: str, path: str | None, inputs: Iterable[str | Path | None]) -> None:
    """Refuse to overwrite an input, or to write into a folder that is one; skips `-` and None.

    >>> check_no_input("--output", "a/../b", ["c", "b"])
    Traceback (most recent call last):
    paragauge.errors.InputError: --output a/../b: the file is an input too; choose another name
    >>> check_no_input("--html", "grammar/rules.parquet", ["grammar"])
    Traceback (most recent call last):
    paragauge.errors.InputError: --html grammar/rules.parquet: the folder is an input; choose another
    """
    if path in (None, "-"):
        return
    place = resolve_path(str(path))
    places = {resolve_path(name) for name in inputs if name not in (None, "-")}
    if place in places:
        raise InputError(f"{flag} {path}: the file is an input too; choose another name")
    if not places.isdisjoint(place.parents):
        raise InputError(f"{flag} {path}: the folder is an input; choose another")


def check_outputs(
    outputs: Mapping[str, str | None], corpus: Corpus, more_inputs: Iterable[str | None] = ()
) -> None:
    """Refuse to overwrite an input, or to write two outputs to one file.

    `outputs` has the paths by option; `more_inputs` are files that the command reads besides the texts.
    """
    inputs = [corpus.table, *more_inputs]
    if corpus.table is None:
        inputs += [*corpus.systems.values(), *corpus.sources, *corpus.references]
    flags: dict[Path, str] = {}
    for flag, path in outputs.items():
        if path is None or not (Path(path).is_file() or not Path(path).exists()):
            continue
        check_no_input(flag, path, inputs)
        target = resolve_path(path)
        if target in flags:
            raise InputError(
                f"{flag} {path}: the file is the output of {flags[target]} too; choose another name"
            )
        flags[target] = flag


def check_format(form: str) -> None:
    """Refuse an unknown output format before anything is computed."""
    if form not in TABLE_FORMATS:
        raise unknown_name("format", form, TABLE_FORMATS)


def command_line() -> str:
    """The command line, quoted for a shell, without `--threads`, on which no result depends."""
    words = list(click.get_current_context().find_root().obj)
    while "--threads" in words:
        at = words.index("--threads")
        del words[at : at + 2]
    line = shlex.join(["paragauge", *(word for word in words if not word.startswith("--threads="))])
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


def _flag_of(name: str) -> str:
    """The option of a parameter of the command that runs."""
    parameters = click.get_current_context().command.params
    return next((one.opts[0] for one in parameters if one.name == name), f"--{name.replace('_', '-')}")


def refuse_without(needed: str, *names: str) -> None:
    """Refuse options that have no effect without the option `needed`."""
    source = click.get_current_context().get_parameter_source
    for name in names:
        if source(name) is not click.core.ParameterSource.DEFAULT:
            flag = _flag_of(name)
            raise SettingError(f"{flag} needs {needed}; give it too, or leave {flag} out")


def refuse_with(other: str, *names: str) -> None:
    """Refuse options that have no effect together with the option `other`."""
    source = click.get_current_context().get_parameter_source
    for name in names:
        if source(name) is not click.core.ParameterSource.DEFAULT:
            flag = _flag_of(name)
            raise SettingError(f"{flag} has no effect with {other}; leave one of them out")


def parse_range(text: str | None) -> SegmentRange | None:
    """A range of segments by number; None for all.

    >>> parse_range("1:200")
    SegmentRange(first=1, last=200)
    """
    if text is None:
        return None
    parts = [segment_number(part) for part in text.split(":")]
    if len(parts) != 2 or parts[0] is None or parts[1] is None or parts[0] > parts[1]:
        raise SettingError(f"--range {text}: expected FIRST:LAST, two numbers from 1 on such as 1:200")
    return SegmentRange(parts[0], parts[1])


def parse_scale(text: str) -> tuple[float, float]:
    """The two ends of a scale of ratings.

    >>> parse_scale("1:5")
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
