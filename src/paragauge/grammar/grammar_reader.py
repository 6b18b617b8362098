"""Read grammars from text: PPDB, Joshua, Thrax, Hiero, cdec and Moses.

    ppdb, joshua, thrax,    [NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| features
    hiero, cdec
    moses-rules             [X][N] 's [X][N] [X] ||| the [X][N] of [X][N] [NP] ||| scores ||| links
    moses                   la maison ||| the house ||| scores ||| links ||| counts

The reader treats the formats of the first row as one: features by name or by position, an alignment
and PPDB 2.0's entailment relation may follow. The left side of a Moses phrase is X. A line is
parsed by the kernel, whose readable form is `kernels/grammar_line.py`. Without a given format, the
first line decides; a line that starts with one word in brackets is still a Moses phrase if numbers and
links follow where Moses puts them. Features by position are named 0, 1, 2 ... unless names are given;
the first four Moses scores are p_source, lex_source, p_target and lex_target, as in phrase tables, and
the others are 4, 5 ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from paragauge.engine.arrow_strings import strings
from paragauge.errors import FileFormatError, SettingError, unknown_name
from paragauge.grammar.grammar_folder import columns_of
from paragauge.kernels import _native
from paragauge.kernels.grammar_line import (
    BLANK,
    LABELED,
    LINK,
    MOSES_PHRASES,
    MOSES_RULES,
    NUMBER,
    parse_grammar_line,
)
from paragauge.kernels.layout import unpack_texts
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.pyarrow_extra import require_pyarrow

BATCH = 1 << 16
BATCH_BYTES = 1 << 24
MOST_NAMES = 999
MOST_BAD_LINES = 20  # whose numbers are recorded
STYLES = {
    **dict.fromkeys(("ppdb", "joshua", "thrax", "hiero", "cdec"), LABELED),
    "moses-rules": MOSES_RULES,
    "moses": MOSES_PHRASES,
}
MOSES_NAMES = ("p_source", "lex_source", "p_target", "lex_target")
OnError = Literal["stop", "skip"]
ON_ERROR: tuple[OnError, ...] = get_args(OnError)


def detect_format(line: str) -> str:
    """Guess the format of a line.

    >>> [detect_format(line) for line in ("[X] ||| a ||| b", "a [X] ||| b [X] ||| 1", "a ||| b ||| 1")]
    ['joshua', 'moses-rules', 'moses']
    >>> detect_format("[noise] ||| [laughter] ||| 0.5 ||| 0-0")
    'moses'
    """
    fields: list[list[str]] = [[]]
    for word in BLANK.split(line):
        if word == "|||":
            fields.append([])
        elif word:
            fields[-1].append(word)
    first, second, third, fourth = [*fields, [], [], []][:4]
    numbers = bool(third) and all(NUMBER.fullmatch(word) for word in third)
    links = bool(fourth) and all(LINK.fullmatch(word) for word in fourth)
    bracketed = len(first) == 1 and first[0].startswith("[") and first[0].endswith("]")
    if bracketed and not (numbers and links):
        return "joshua"
    left = re.compile(r"\[[^\[\]]+\]")
    if all(len(side) > 1 and left.fullmatch(side[-1]) for side in (first, second)):
        return "moses-rules"
    return "moses"


@dataclass
class GrammarReader:
    r"""The rules of a file, batch by batch; features are columns f1, f2 ... in the order of `names`.

    A line that breaks the format or is not UTF-8 is an error, or on request is left out and counted in
    `skipped`.
    `names` grows as features appear, and may be shared by readers of several files.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "grammar")
    ...     _ = path.write_text("[X] ||| a [X,1] ||| [X,1] b ||| p=0.5\n")
    ...     reader = GrammarReader(path)
    ...     [table.column("f1").to_pylist() for table in reader.batches()], reader.names
    ([[0.5]], ['p'])
    """

    path: str | Path
    form: str | None = None
    on_error: OnError = "stop"
    feature_names: Sequence[str] = ()
    threads: int = 0
    names: list[str] = field(default_factory=list)
    lines: int = field(default=0, init=False)
    skipped: int = field(default=0, init=False)
    bad_lines: list[int] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        if self.form is not None and self.form not in STYLES:
            raise unknown_name("format of grammars", self.form, STYLES)
        if self.on_error not in ON_ERROR:
            raise unknown_name("value of on_error", self.on_error, ON_ERROR)
        columns_of(self.feature_names)  # rejects a name given twice
        if "count" in self.feature_names:
            raise SettingError(
                "feature names: expected names other than count, which is the count of the rule itself"
            )
        self._numbers: dict[str, int] = {}  # of features, by their names in the file

    def batches(self) -> Iterator[Any]:
        """Arrow tables with the columns of a grammar, `entailment` and `_line`, in the file's order."""
        require_pyarrow("engine")
        with LineReader(self.path, blank_invalid=self.on_error == "skip") as reader:
            while len(lines := reader.read(BATCH, BATCH_BYTES)):
                if self.form is None:
                    self.form = detect_format(next(filter(None, lines), ""))
                self.lines = reader.line
                yield self._parse(lines, reader.line - len(lines))

    def _parse(self, lines: Lines, before: int) -> Any:
        import pyarrow as pa

        assert self.form is not None  # noqa: S101  # set with the first batch
        *texts, words, counts, names, features, bad = _native.parse_grammar(
            lines.buffer, lines.spans, STYLES[self.form], self.threads
        )
        if len(bad) and self.on_error == "stop":
            raise self._line_error(lines[int(bad[0])], before + int(bad[0]) + 1)
        self.skipped += len(bad)
        room = MOST_BAD_LINES - len(self.bad_lines)
        self.bad_lines += [before + number + 1 for number in bad[:room].tolist()]
        names_of_texts = ("lhs", "labels", "source", "target", "alignment", "entailment")
        columns = dict(zip(names_of_texts, map(strings, texts), strict=True))
        for name in ("alignment", "entailment"):
            columns[name] = _null_if_empty(columns[name])
        columns["source_words"] = pa.array(np.ascontiguousarray(words[:, 0]))
        columns["target_words"] = pa.array(np.ascontiguousarray(words[:, 1]))
        columns["count"] = pa.array(counts, mask=counts < 0)
        columns["_line"] = pa.array(np.delete(np.arange(len(lines)), bad) + before + 1)
        for i, values in enumerate(self._feature_values(unpack_texts(names), features, len(counts))):
            columns[f"f{i + 1}"] = pa.array(values, mask=np.isnan(values))
        return pa.table(columns)

    def _feature_values(self, names: list[str], features: Any, rows: int) -> Any:
        """The values of each feature in a batch, float64 [features, rows], NaN where a row lacks it."""
        ids, values, offsets = features
        numbers = np.array([self._number(name) for name in names], np.int64)
        row = np.repeat(np.arange(rows), np.diff(offsets))
        dense = np.full((len(self.names), rows), np.nan)
        dense[numbers[ids] if len(ids) else ids, row] = values
        return dense

    def _number(self, raw_name: str) -> int:
        """The number of a feature in `names`, to which a new one is added."""
        if raw_name in self._numbers:
            return self._numbers[raw_name]
        names = self.feature_names
        if not names and self.form in ("moses", "moses-rules"):
            names = MOSES_NAMES
        by_position = re.fullmatch("[0-9]{1,4}", raw_name) and int(raw_name) < len(names)
        name = names[int(raw_name)] if by_position else raw_name
        if name not in self.names:
            if len(self.names) == MOST_NAMES:
                raise self._file_error(
                    f"expected at most {MOST_NAMES} features in a grammar, found one more, "
                    f"{name[:60]!r}; leave features that few rules have out of the file"
                )
            self.names.append(name)
        number = self.names.index(name)
        for other, other_number in self._numbers.items():
            if other_number == number:
                raise self._file_error(
                    f"expected features with different names, found {name[:60]!r} for both "
                    f"{other[:60]!r} and {raw_name[:60]!r}; choose other --feature-names"
                )
        self._numbers[raw_name] = number
        return number

    def _file_error(self, message: str) -> FileFormatError:
        return FileFormatError(display_name(self.path), None, message)

    def _line_error(self, line: str, number: int) -> FileFormatError:
        assert self.form is not None  # noqa: S101  # set with the first batch
        try:
            parse_grammar_line(line, STYLES[self.form])
        except ValueError as error:
            skip = "repair the line, or leave such lines out with grammar convert --on-error skip"
            message = f"{error}; {skip}"
            if number == 1:
                message += f" (read as {self.form}; choose another format with grammar convert --from)"
            return FileFormatError(display_name(self.path), number, message)
        raise AssertionError(f"line {number}: the kernel and its twin differ")


def _null_if_empty(column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
