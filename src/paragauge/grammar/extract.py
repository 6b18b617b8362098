"""Extract grammars from a word-aligned bitext, with or without trees of one side.

Sentence pairs go to a Parquet file (`grammar/pair_rows.py`); an engine maps them to rules
(`grammar/rule_mapper.py`), counts equal ones and turns the counts into features
(`grammar/features.py`); sorted, they are the grammar. Memory does not grow with the text; the rules of
all batches stay on disk until the grammar is complete.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paragauge.engine.arrow_strings import texts_of
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import SettingError
from paragauge.grammar.features import LEXICAL, NAMES, check_features, features_query
from paragauge.grammar.grammar_folder import Grammar, GrammarWriter, new_grammar
from paragauge.grammar.pair_rows import (
    WORD_COLUMNS,
    AlignedBatch,
    TreeWords,
    WrittenPairs,
    check_tree_words,
    write_pair_rows,
)
from paragauge.grammar.rule_mapper import RuleMapper, WordMapper, rule_schema, word_schema
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.phrases.scores import lexical_table
from paragauge.text.progress import Progress, silent

SHARE = 1 << 25  # rows that are counted together

TOTAL = "SELECT CAST(SUM(count) AS BIGINT) AS total FROM rules"
# Rules of all batches, without and with the links inside them. A rule keeps its most frequent
# alignment; a tie goes to the first one by text.
COUNTED = """
SELECT lhs, labels, source, target, source_words, target_words,
  CAST(SUM(count) AS BIGINT) AS count, '' AS alignment
FROM extracted WHERE {condition} GROUP BY lhs, labels, source, target, source_words, target_words
"""
ALIGNED = """
WITH alignments AS (
  SELECT lhs, labels, source, target, source_words, target_words, alignment,
    CAST(SUM(count) AS BIGINT) AS occurrences
  FROM extracted WHERE {condition}
  GROUP BY lhs, labels, source, target, source_words, target_words, alignment
),
ranked AS (
  SELECT lhs, labels, source, target, source_words, target_words, alignment,
    CAST(SUM(occurrences) OVER (PARTITION BY lhs, labels, source, target) AS BIGINT) AS count,
    ROW_NUMBER() OVER (
      PARTITION BY lhs, labels, source, target ORDER BY occurrences DESC, alignment
    ) AS place
  FROM alignments
)
SELECT lhs, labels, source, target, source_words, target_words, count, alignment
FROM ranked WHERE place = 1
"""


def extract_grammar(
    batches: Iterable[AlignedBatch],
    output: str | Path,
    settings: RuleSettings | None = None,
    *,
    features: Sequence[str] = NAMES,
    min_count: int = 1,
    tree_words: TreeWords = "same",
    engine: Engine | None = None,
    progress: Progress = silent,
    facts: Mapping[str, Any] | None = None,
) -> Grammar:
    """Extract the grammar of aligned sentence pairs into the folder `output`.

    Batches are (bitext, links, trees of one side or None). Rules extracted fewer than `min_count` times
    are left out, but count in the probabilities of the others. The words of trees must be the `same` as
    those of the sentences, as `first_difference` compares them, or may be `any`. `facts` go into the
    grammar's description, for example how the text was aligned.

    >>> import tempfile
    >>> from paragauge.align.links import Links
    >>> from paragauge.syntax.trees import Trees
    >>> from paragauge.text.bitext import Bitext
    >>> bitext = Bitext.of(["the house", "the book"], ["this house", "the volume"])
    >>> links = Links.from_lists([[(0, 0), (1, 1)], [(0, 0), (1, 1)]])
    >>> trees = Trees.of(["(NP (DT the) (NN house))", "(NP (DT the) (NN book))"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     grammar = extract_grammar([(bitext, links, trees)], f"{folder}/grammar")
    ...     [(str(row.rule), row.features["p_target"]) for row in grammar.query("the [1]")]
    [('[NP] ||| the [NN,1] ||| the [NN,1]', 0.5), ('[NP] ||| the [NN,1] ||| this [NN,1]', 0.5)]
    """
    settings = settings or RuleSettings()
    names = check_features(features)
    check_tree_words(tree_words)
    if not isinstance(min_count, int) or min_count < 1:
        raise SettingError(f"min_count: expected a whole number from 1, found {min_count!r}")
    engine = engine or DuckDBEngine()
    with new_grammar(output, features=names) as writer:
        pairs = writer.scratch / "pairs.parquet"
        written = write_pair_rows(batches, pairs, settings, progress, tree_words=tree_words)
        extracted = _count(pairs, written, writer, settings, names, min_count, engine, progress)
        writer.finish(
            {
                "settings": {**written.text, **settings.record(), "min_count": min_count},
                "counts": {**written.counts, "extracted": extracted},
                **(facts or {}),
            }
        )
    return Grammar.open(output)


def _count(
    pairs: Path,
    written: WrittenPairs,
    writer: GrammarWriter,
    settings: RuleSettings,
    names: tuple[str, ...],
    min_count: int,
    engine: Engine,
    progress: Progress,
) -> int:
    """Extract, count and score rules; return how many were extracted, repetitions included."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    lexical = any(name in names for name in LEXICAL)
    progress(f"extracting from {written.counts['sentence_pairs']:,} sentence pairs")
    mapper = RuleMapper(settings, lexical, engine.map_threads, tree_labels=written.labels)
    parts = engine.map(mapper, pairs, rule_schema(), writer.scratch / "extracted")
    extracted = sum(int(pq.read_metadata(part).num_rows) for part in parts)
    progress(f"counting {extracted:,} rows")
    rules = _count_in_shares(engine, ALIGNED if lexical else COUNTED, parts, writer.scratch, extracted)
    shutil.rmtree(writer.scratch / "extracted")
    [total] = pa.Table.from_batches(engine.batches(TOTAL, {"rules": rules})).column("total").to_pylist()
    table = None
    if lexical:
        words = engine.map(
            WordMapper(engine.map_threads),
            pairs,
            word_schema(),
            writer.scratch / "words",
            columns=WORD_COLUMNS,
        )
        table = lexical_table(engine, words)
    progress("scoring")
    for batch in engine.batches(
        features_query(names, settings.nonterminals, min_count), {"rules": rules}
    ):
        rows = pa.Table.from_batches([batch])
        if table is not None:
            sides = (texts_of(batch.column(name)) for name in ("source", "target", "alignment"))
            weights = table.weights(*sides, engine.map_threads, True)
            for name, values in zip(LEXICAL, weights, strict=True):
                if name in names:
                    rows = rows.append_column(name, pa.array(values))
            links = rows.column("alignment")
            known = pc.if_else(pc.equal(links, ""), pa.scalar(None, links.type), links)
            rows = rows.set_column(rows.column_names.index("alignment"), "alignment", known)
        else:
            rows = rows.drop_columns("alignment")
        writer.write(rows)
    return int(total or 0)


def _count_in_shares(
    engine: Engine, query: str, parts: list[Path], folder: Path, rows: int
) -> list[Path]:
    """Count one share of the rules at a time, so that memory does not grow with the rows.

    Equal rules fall into the same share, because their sides have the same lengths.
    """
    shares = max(1, -(-rows // SHARE))
    files = []
    for share in range(shares):
        condition = f"(31 * LENGTH(source) + LENGTH(target)) % {shares} = {share}"
        files.append(folder / f"rules-{share}.parquet")
        engine.write(query.format(condition=condition), {"extracted": parts}, files[-1])
    return files
