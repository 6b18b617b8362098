"""Write grammars as text, for Joshua, cdec, Moses and tools that read PPDB.

| format | a line |
|---|---|
| `joshua` | `[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| p=0.5 ||| 1-2` |
| `hiero` | the same with `[2]` and `[1]` on the target side, as cdec reads it |
| `ppdb` | the same as `joshua`, with all five fields, and the entailment relation where there is one |
| `moses-rules` | `[X][N] 's [X][N] [X] ||| the [X][N] of [X][N] [NP] ||| 0.5 ||| 0-3 1-2 2-1 ||| |||` |
| `moses` | a Moses phrase table: rules without non-terminals only; left sides are not written |

Features are written by name, or by position where their names are 0, 1, 2 ..., as they were read. A
count is the feature `count`. In the Moses formats all features are scores by position, Moses' own
features first and in its order, and a rule that lacks one cannot be written; a grammar with others and
only some of Moses' own features would be read back under wrong names, and is rejected. Numbers have the
digits needed to read them back exactly. Reading a written file gives the same grammar, except for what
`conversion_losses` lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

from paragauge.engine.arrow_strings import texts_of
from paragauge.errors import InputError, unknown_name
from paragauge.grammar.grammar_folder import ENTAILMENT, Grammar, rule_of
from paragauge.grammar.grammar_reader import MOSES_NAMES
from paragauge.kernels import _native
from paragauge.kernels.grammar_line import BLANK, MOSES_COUNTS
from paragauge.kernels.layout import pack_texts
from paragauge.text.files import atomic
from paragauge.text.progress import Progress, silent

STYLES = {"joshua": 0, "hiero": 1, "ppdb": 2, "moses-rules": 3, "moses": 4}
TEXTS = ("lhs", "labels", "source", "target", "alignment", ENTAILMENT)
REASONS = {
    1: "it lacks a feature that this format writes by position; choose ppdb or joshua, which name them",
    2: "one of its words would be read as a non-terminal or a separator; escape the word",
    3: "its sides are not in normal form: each index once on each side; rebuild the grammar",
    4: "a phrase table cannot hold non-terminals; choose moses-rules, or prune to lexical and phrasal",
    5: "one of its labels is empty or would be read as something else; rename it",
    6: "its alignment or its entailment relation is invalid; rebuild the grammar",
}


def write_grammar(
    grammar: Grammar,
    output: str | Path,
    form: str = "joshua",
    *,
    threads: int = 0,
    progress: Progress = silent,
) -> int:
    """Write a grammar as text; return the number of rules.

    A name that ends in `.gz` or `.zst` asks for compression. The file appears complete or not at all.

    >>> import tempfile
    >>> from paragauge.grammar.convert import read_grammar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "hiero")
    ...     _ = file.write_text("[X] ||| [X,1] foo ||| foo [1] ||| 0.5 1\\n")
    ...     rules = write_grammar(read_grammar(file, f"{folder}/g"), f"{folder}/out")
    ...     rules, Path(folder, "out").read_text()
    (1, '[X] ||| [X,1] foo ||| foo [X,1] ||| 0.5 1\\n')
    """
    if form not in STYLES:
        raise unknown_name("format of grammars", form, STYLES)
    rows = 0
    with atomic(output, level=1) as out:
        raw = cast(Any, out).buffer
        for text, number in _format_batches(grammar, form, threads):
            raw.write(text)
            rows += number
            progress(f"{rows:,} of {len(grammar):,} rules written")
    return rows


def conversion_losses(grammar: Grammar, form: str) -> list[str]:
    """What a grammar has that a format cannot hold.

    >>> import tempfile
    >>> from paragauge.grammar.convert import read_grammar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "text").write_text("[NN] ||| a ||| b ||| p=0.5 count=2\\n")
    ...     conversion_losses(read_grammar(f"{folder}/text", f"{folder}/g"), "moses")
    ['labels', 'names of features', 'counts']
    """
    names = grammar.features
    losses = []
    if form == "moses":
        losses.append("labels")
    if form.startswith("moses"):
        if any(name not in (*MOSES_NAMES, *MOSES_COUNTS) for name in names):
            losses.append("names of features")
        if not set(MOSES_COUNTS) <= set(names) and _has_values(grammar, "count"):
            losses.append("counts")
    if form != "ppdb" and _has_values(grammar, ENTAILMENT):
        losses.append("entailment relations")
    return losses


def _has_values(grammar: Grammar, column: str) -> bool:
    """Whether any rule has a value in a column."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(grammar.path)
    if column not in file.schema_arrow.names:
        return False
    at = file.schema_arrow.names.index(column)
    groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
    return any(group.column(at).statistics.null_count < group.num_rows for group in groups)


def _format_batches(grammar: Grammar, form: str, threads: int) -> Iterator[tuple[bytes, int]]:
    scores, names, counts = _layout(grammar, form)
    last: tuple[str, str] | None = None
    for batch in grammar.batches():
        if form == "moses" and len(batch):
            last = _check_variants(grammar, batch, last)
        columns = [_strings(batch, name) for name in TEXTS]
        text, bad, reason = _native.format_grammar(
            (columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]),
            _matrix(batch, scores),
            pack_texts(names),
            _matrix(batch, counts),
            STYLES[form],
            threads,
        )
        if bad >= 0:
            rule = rule_of(batch.slice(bad, 1).to_pylist()[0])
            raise InputError(f"{grammar.folder}: rule {str(rule)[:100]!r}: {REASONS[reason]}")
        yield text, len(batch)


def _check_variants(grammar: Grammar, batch: Any, last: tuple[str, str] | None) -> tuple[str, str]:
    """Reject rules that a phrase table cannot tell apart; return the sides of the last rule."""
    sides = list(
        zip(batch.column("source").to_pylist(), batch.column("target").to_pylist(), strict=True)
    )
    for pair in sides:
        if pair == last:
            raise InputError(
                f"{grammar.folder}: {' ||| '.join(pair)[:100]!r}: expected one left side, as phrase "
                "tables have none, found several; keep the best with grammar prune --variants 1"
            )
        last = pair
    return sides[-1]


def _layout(grammar: Grammar, form: str) -> tuple[list[str], list[str], list[str]]:
    """Columns of features, the names to write them with ("" by position), and columns of counts."""
    columns = grammar.columns
    if form.startswith("moses"):
        own_counts = [name for name in MOSES_COUNTS if name in columns]
        counts = [columns[name] for name in own_counts] if len(own_counts) == len(MOSES_COUNTS) else []
        moses_features = [name for name in MOSES_NAMES if name in columns]
        rest = [name for name in grammar.features if name not in (*moses_features, *MOSES_COUNTS)]
        read_back = [*MOSES_NAMES, *rest][: len(moses_features + rest)]
        if moses_features and read_back != moses_features + rest:
            raise InputError(
                f"{grammar.folder}: expected all of Moses' features {', '.join(MOSES_NAMES)} or none, "
                f"found {', '.join(moses_features)}; choose ppdb or joshua, which name features"
            )
        return (
            [columns[name] for name in moses_features + rest],
            [""] * len(moses_features + rest),
            counts,
        )
    for name in grammar.features:
        if not name or BLANK.search(name) or name == "|||":
            raise InputError(
                f"{grammar.folder}: feature {name!r}: expected a name without spaces; rename it"
            )
    numbered = list(grammar.features) == [str(i) for i in range(len(columns))]
    names = [""] * len(columns) if numbered else list(grammar.features)
    return [*columns.values(), "count"], [*names, "count"], []


def _strings(batch: Any, name: str) -> tuple[Any, Any]:
    if name not in batch.schema.names:
        return np.zeros(0, np.uint8), np.zeros(len(batch) + 1, np.int64)
    return texts_of(batch.column(name).fill_null(""))


def _matrix(batch: Any, columns: list[str]) -> Any:
    values = np.empty((len(batch), len(columns)))
    for i, name in enumerate(columns):
        column = batch.column(name).to_numpy(zero_copy_only=False)
        values[:, i] = column
    return values
