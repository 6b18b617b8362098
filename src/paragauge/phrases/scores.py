"""From extracted pairs to the rows of a phrase table: counts, probabilities and lexical weights.

Relative frequencies (Koehn, Och and Marcu 2003, section 4.1), with no smoothing:

    p(target | source) = count(source, target) / count(source)

where count(source) is how often the source phrase was extracted with any target. Word translation
probabilities are likewise relative frequencies of links; a word without any link counts as linked once
to NULL. The lexical weights (`kernels/reference/phrases/lexical.py`) are computed from them and from
the most frequent links of the pair. All of this is what Moses' `score` computes without its smoothing
options; deviations:

- Of two equally frequent alignments of a pair, as in Moses' forward table, the one wins whose list of
  source positions per target word is greater. For its backward table Moses chooses again, by target
  positions per source word, so that a pair may have weights of two different alignments; here one
  alignment, the one in the table, serves both directions.
- Moses writes word translation probabilities with seven decimals and reads them back; here they are
  not rounded.
- NULL is not a word: a token `NULL` in the text is an ordinary token.

Filters only drop rows; counts and probabilities stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.engine.arrow_strings import texts_of
from paragauge.engine.base import Engine, Rows, number_literal
from paragauge.kernels import _native

WORDS = """
WITH pairs AS (
  SELECT source, target, CAST(SUM(count) AS BIGINT) AS count FROM words GROUP BY source, target
),
sources AS (SELECT source, CAST(SUM(count) AS BIGINT) AS total FROM pairs GROUP BY source),
targets AS (SELECT target, CAST(SUM(count) AS BIGINT) AS total FROM pairs GROUP BY target)
SELECT pairs.source AS source, pairs.target AS target,
  CAST(pairs.count AS DOUBLE) / sources.total AS p_target,
  CAST(pairs.count AS DOUBLE) / targets.total AS p_source
FROM pairs
JOIN sources ON pairs.source = sources.source
JOIN targets ON pairs.target = targets.target
"""

# Links of each pair by frequency; `place` 1 is the most frequent.
PAIRS = """
WITH alignments AS (
  SELECT source, target, alignment, alignment_order, COUNT(*) AS occurrences
  FROM extracted GROUP BY source, target, alignment, alignment_order
),
ranked AS (
  SELECT source, target, alignment,
    CAST(SUM(occurrences) OVER (PARTITION BY source, target) AS BIGINT) AS count,
    ROW_NUMBER() OVER (
      PARTITION BY source, target ORDER BY occurrences DESC, alignment_order DESC
    ) AS place
  FROM alignments
)
SELECT source, target, alignment, count FROM ranked WHERE place = 1
"""

SCORES = """
WITH sources AS (
  SELECT source, CAST(SUM(count) AS BIGINT) AS source_count FROM pairs GROUP BY source
),
targets AS (
  SELECT target, CAST(SUM(count) AS BIGINT) AS target_count FROM pairs GROUP BY target
),
scored AS (
  SELECT pairs.source AS source, pairs.target AS target, pairs.count AS count,
    sources.source_count AS source_count, targets.target_count AS target_count,
    CAST(pairs.count AS DOUBLE) / sources.source_count AS p_target,
    CAST(pairs.count AS DOUBLE) / targets.target_count AS p_source,
    pairs.alignment AS alignment
  FROM pairs
  JOIN sources ON pairs.source = sources.source
  JOIN targets ON pairs.target = targets.target
)
"""

ALL = "SELECT * FROM scored {where} ORDER BY source, target"

BEST = """, kept AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY source ORDER BY count DESC, target) AS place
  FROM scored {where}
)
SELECT source, target, count, source_count, target_count, p_target, p_source, alignment
FROM kept WHERE place <= {top} ORDER BY source, target
"""


def scores_query(min_count: int = 1, min_probability: float = 0.0, top: int | None = None) -> str:
    """The query over `pairs` that returns scored rows, without those that the filters drop.

    >>> scores_query(min_count=2, min_probability=0.01).split("FROM scored ")[1]
    'WHERE count >= 2 AND p_target >= 0.01e0 ORDER BY source, target'
    """
    tests = []
    if min_count > 1:
        tests.append(f"count >= {min_count}")
    if min_probability > 0:
        tests.append(f"p_target >= {number_literal(min_probability)}")
    where = f"WHERE {' AND '.join(tests)}" if tests else ""
    rest = ALL.format(where=where) if top is None else BEST.format(where=where, top=top)
    return SCORES + rest


def lexical_table(engine: Engine, words: Rows) -> Any:
    """The kernel's table of word translation probabilities, from counted links of words."""
    import pyarrow as pa

    rows = pa.Table.from_batches(list(engine.batches(WORDS, {"words": words})), _word_schema())
    return _native.LexicalTable(
        texts_of(rows.column("source")),
        texts_of(rows.column("target")),
        rows.column("p_target").to_numpy().astype(np.float64),
        rows.column("p_source").to_numpy().astype(np.float64),
    )


def scored_rows(
    engine: Engine, extracted: Path, words: Path, scratch: Path, query: str, threads: int
) -> Iterator[Any]:
    """Arrow tables with the rows of a phrase table, sorted; `query` is one of `scores_query`."""
    import pyarrow as pa

    pairs = scratch / "pairs.parquet"
    engine.write(PAIRS, {"extracted": extracted}, pairs)
    lexical = lexical_table(engine, words)
    for batch in engine.batches(query, {"pairs": pairs}):
        forward, backward = lexical.weights(
            texts_of(batch.column("source")),
            texts_of(batch.column("target")),
            texts_of(batch.column("alignment")),
            threads,
        )
        table = pa.Table.from_batches([batch])
        table = table.append_column("lex_target", pa.array(forward))
        yield table.append_column("lex_source", pa.array(backward))


def _word_schema() -> Any:
    import pyarrow as pa

    strings = [(name, pa.string()) for name in ("source", "target")]
    return pa.schema([*strings, *((name, pa.float64()) for name in ("p_target", "p_source"))])
