"""A paraphrase grammar from bitext: phrases that share translations.

Bannard and Callison-Burch (2005): two phrases of one language are paraphrases to the extent that they
have the same translations; the phrases f of the other language are the pivot:

    p(e2 | e1) = sum over f of p(f | e1) p(e2 | f)

With tables of several languages, the mean over them is taken; a pair that is not in a table counts as 0
there. Each pair of different phrases is a rule without non-terminals, with the left side X and the
features `p_target`, p(e2 | e1), and `p_source`, p(e1 | e2).

Pairs of a phrase and its translation that were extracted fewer than `min_count` times are left out,
since p(f | e1) of a phrase seen once is 1 for any f; the probabilities of the others do not change.
Phrases with `[` or `|||`, which have another meaning in grammars, are left out.

One query does it all. Products are summed as whole multiples of 1e-15, so that the sum does not depend
on the order of its terms, and any number of threads gives the same grammar. Time and disk space grow
with the number of pairs that share a translation, before they are summed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from paragauge.engine.base import Engine, number_literal
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, SettingError
from paragauge.grammar.grammar_folder import Grammar, new_grammar
from paragauge.phrases.table import PhraseTable

FEATURES = ("p_target", "p_source")
MIN_COUNT = 2
MIN_PROBABILITY = 0.01
LABEL = "X"
UNITS = "1e15"


def pivot_grammar(
    tables: Sequence[PhraseTable],
    output: str | Path,
    *,
    min_count: int = MIN_COUNT,
    min_probability: float = MIN_PROBABILITY,
    engine: Engine | None = None,
) -> Grammar:
    """Build the grammar of phrase tables with the same source language, in the folder `output`.

    >>> import tempfile
    >>> from paragauge.phrases.moses import read_moses
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "moses")
    ...     lines = ["big ||| grand ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2 |||",
    ...              "large ||| grand ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2 |||"]
    ...     _ = file.write_text("\\n".join(lines))
    ...     table = read_moses(file, f"{folder}/table")
    ...     grammar = pivot_grammar([table], f"{folder}/paraphrases")
    ...     [(row.rule.target, row.features["p_target"]) for row in grammar.query("big")]
    [('large', 0.5)]
    """
    check_pivoting("phrase table", tables, min_count, min_probability)
    engine = engine or DuckDBEngine()
    if min_count > 1:
        for table in tables:
            _check_counts(table, engine)
    paths = {f"table_{i}": table.path for i, table in enumerate(tables)}
    with new_grammar(output, FEATURES) as writer:
        for batch in engine.batches(_query(len(tables), min_count, min_probability), paths):
            writer.write(batch)
        origin = {
            "pivoted": [
                {"table": table.folder.name, "fingerprint": table.fingerprint, "pairs": len(table)}
                for table in tables
            ],
            "settings": {"min_count": min_count, "min_probability": min_probability},
        }
        writer.finish({"origin": origin})
    return Grammar.open(output)


def check_pivoting(kind: str, tables: Sequence[object], min_count: int, min_probability: float) -> None:
    """Reject settings that cannot be used.

    >>> check_pivoting("phrase table", [], 1, 0.5)
    Traceback (most recent call last):
    paragauge.errors.SettingError: expected at least one phrase table, found none
    """
    if not tables:
        raise SettingError(f"expected at least one {kind}, found none")
    if min_count < 1:
        raise SettingError(f"min_count: expected a whole number of at least 1, found {min_count}")
    if not (math.isfinite(min_probability) and 0 <= min_probability <= 1):
        raise SettingError(
            f"min_probability: expected a probability from 0 to 1, found {min_probability}"
        )


def _query(tables: int, min_count: int, min_probability: float) -> str:
    """The query over table_0, table_1 ... for the rows of a grammar, in order."""
    usable = " AND ".join(f"source NOT LIKE '%{mark}%'" for mark in ("[", "|||"))
    frequent = f" AND count >= {min_count}" if min_count > 1 else ""
    filtered = ", ".join(
        f"kept_{i} AS (SELECT source, target, p_target, p_source FROM table_{i} "  # noqa: S608
        f"WHERE {usable}{frequent})"
        for i in range(tables)
    )
    joined = " UNION ALL ".join(
        "SELECT a.source AS source, b.source AS target, "  # noqa: S608
        f"{as_units('a.p_target * b.p_source')} AS forward, "
        f"{as_units('b.p_target * a.p_source')} AS backward "
        f"FROM kept_{i} a JOIN kept_{i} b ON a.target = b.target WHERE a.source <> b.source"
        for i in range(tables)
    )
    means = ", ".join(
        f"CAST(SUM({column}) AS DOUBLE) / ({UNITS} * {tables}) AS {name}"
        for column, name in zip(("forward", "backward"), FEATURES, strict=True)
    )
    words = ", ".join(
        f"LENGTH({side}) - LENGTH(REPLACE({side}, ' ', '')) + 1 AS {side}_words"
        for side in ("source", "target")
    )
    return (
        f"WITH {filtered}, joined AS ({joined}), "  # noqa: S608
        f"summed AS (SELECT source, target, {means} FROM joined GROUP BY source, target) "
        f"SELECT '{LABEL}' AS lhs, '' AS labels, source, target, {words}, p_target, p_source "
        f"FROM summed WHERE p_target >= {number_literal(min_probability)} ORDER BY source, target"
    )


def as_units(product: str) -> str:
    """A probability as a whole number of units; truncated first, because engines cast differently.

    >>> as_units("a * b")
    'CAST(a * b * 1e15 - (a * b * 1e15) % 1e0 AS BIGINT)'
    """
    scaled = f"{product} * {UNITS}"
    return f"CAST({scaled} - ({scaled}) % 1e0 AS BIGINT)"


def _check_counts(table: PhraseTable, engine: Engine) -> None:
    """Reject a table with pairs that have no count, which a minimum count needs."""
    sql = "SELECT COUNT(*) - COUNT(count) AS missing FROM pairs"
    for batch in engine.batches(sql, {"pairs": table.path}):
        if batch.column("missing").to_pylist()[0]:
            raise FileFormatError(
                table.folder,
                None,
                "expected a count for every pair, which a minimum count needs, found pairs without; "
                "use a minimum count of 1",
            )
