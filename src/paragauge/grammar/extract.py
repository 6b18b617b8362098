"""Grammars from a word-aligned bitext, with trees of one side or without.

Sentence pairs go to a Parquet file, an engine maps them to rules (`grammar/rule_mapper.py`), counts
equal ones, and makes features of the counts (`grammar/features.py`); sorted, they are the grammar.
Memory does not grow with the text; disk holds the rules of all batches until the grammar is done.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.align.links import Links
from paragauge.align.pharaoh import pharaoh_lines
from paragauge.engine.base import Engine
from paragauge.engine.columns import texts_of
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.grammar.features import LEXICAL, NAMES, check_features, features_query
from paragauge.grammar.rule import first_ambiguous
from paragauge.grammar.rule_mapper import RuleMapper, WordMapper, pair_schema, rule_schema, word_schema
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.grammar.table import Grammar, GrammarWriter, new_grammar
from paragauge.grammar.tree_words import check_tree_words, first_difference
from paragauge.phrases.scores import lexical_table
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext
from paragauge.text.plain import counted
from paragauge.text.progress import Progress, silent

Batch = tuple[Bitext, Links, Trees | None]
SHARE = 1 << 25  # rows that are counted together

TOTAL = "SELECT CAST(SUM(count) AS BIGINT) AS total FROM rules"
# Rules of all batches, without and with the links inside of them. Of several alignments of a rule the
# most frequent one is kept, the first by its text among those.
COUNTED = """
SELECT lhs, labels, source, target, source_words, target_words,
  CAST(SUM(count) AS BIGINT) AS count, '' AS alignment
FROM extracted WHERE {chosen} GROUP BY lhs, labels, source, target, source_words, target_words
"""
ALIGNED = """
WITH alignments AS (
  SELECT lhs, labels, source, target, source_words, target_words, alignment,
    CAST(SUM(count) AS BIGINT) AS occurrences
  FROM extracted WHERE {chosen}
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
    batches: Iterable[Batch],
    output: str | Path,
    settings: RuleSettings | None = None,
    *,
    features: Sequence[str] = NAMES,
    min_count: int = 1,
    tree_words: str = "same",
    engine: Engine | None = None,
    progress: Progress = silent,
    facts: Mapping[str, Any] | None = None,
) -> Grammar:
    """The grammar of aligned sentence pairs, in the folder `output`.

    Batches are (bitext, links, trees of one side or None). Rules that were extracted fewer than
    `min_count` times are left out; probabilities are of all rules. The words of trees must be the
    `same` as those of the sentences, as `grammar/tree_words.py` compares them, or may be `any`. `facts`
    are kept in the grammar's description, for example how the text was aligned.

    >>> import tempfile
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
        raise SettingError(f"min_count: expected a whole number from 1, got {min_count!r}")
    engine = engine or DuckDBEngine()
    with new_grammar(output, features=names) as writer:
        pairs = writer.scratch / "pairs.parquet"
        counts = write_pairs(batches, pairs, settings, progress, tree_words=tree_words)
        counts["extracted"] = _count(
            pairs, writer, settings, names, min_count, engine, progress, counts["sentence_pairs"]
        )
        writer.finish(
            {
                "settings": {**counts.pop("text"), **settings.recorded(), "min_count": min_count},
                "counts": counts,
                **(facts or {}),
            }
        )
    return Grammar.open(output)


def write_pairs(
    batches: Iterable[Batch],
    path: Path,
    settings: RuleSettings,
    progress: Progress = silent,
    *,
    tree_words: str = "same",
) -> dict[str, Any]:
    """Write sentence pairs as rows for `RuleMapper`; gives how many there are, and how they are read.

    What does not fit together is an error that names file and line.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    counts: dict[str, Any] = {"sentence_pairs": 0, "skipped": 0, "links": 0, "text": {}}
    with pq.ParquetWriter(path, pair_schema(), compression="lz4") as writer:
        for bitext, links, trees in batches:
            progress(f"reading, {counts['sentence_pairs']:,} sentence pairs")
            brackets = _checked(bitext, links, trees, settings, tree_words)
            columns = [
                pa.array(list(bitext.source), pa.string()),
                pa.array(list(bitext.target), pa.string()),
                pa.array(list(pharaoh_lines(links)), pa.string()),
                pa.array(brackets, pa.string()),
                pa.array(bitext.numbers),
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=pair_schema()))
            counts["sentence_pairs"] += len(bitext)
            counts["skipped"] += bitext.skipped
            counts["links"] += len(links.source)
            counts["text"] = {"tokenize": list(bitext.tokenize), "case": bitext.case}
    return counts


def _checked(
    bitext: Bitext, links: Links, trees: Trees | None, settings: RuleSettings, tree_words: str
) -> list[str]:
    """The trees as brackets, or nothing for each pair; raises the error for what does not fit."""
    if len(bitext) != len(links):
        raise InputError(
            f"{bitext.name} has {len(bitext)} sentence pairs but the alignment has {len(links)}; "
            "expected equally many"
        )
    lengths = bitext.source_lengths, bitext.target_lengths
    if (outside := links.first_outside(*lengths)) is not None:
        raise InputError(
            f"{bitext.name}:{bitext.numbers[outside[0]]}: {outside[1]}; expected links between its "
            "tokens, so give the text as it was aligned, with the same tokenizer"
        )
    for lines, name in zip((bitext.source, bitext.target), bitext.names, strict=True):
        if (found := first_ambiguous(lines)) is not None:
            raise FileFormatError(
                name,
                int(bitext.numbers[found[0]]),
                f"the word {found[1]!r} cannot stand in a rule, where it would be a non-terminal or a "
                "separator; escape it, in the text and in its tree",
            )
    if not settings.labels.needs_trees:
        return [""] * len(bitext)
    if trees is None or len(trees) != len(bitext):
        found_trees = "none" if trees is None else f"{len(trees)}"
        raise InputError(
            f"{bitext.name}: expected a tree of the {settings.parsed} side of each of {len(bitext)} "
            f"sentence pairs, got {found_trees}; for rules without trees use the labels hiero"
        )
    side = PARSED_SIDE[settings.parsed]
    different = np.flatnonzero(trees.words.counts() != lengths[side])
    if len(different):
        pair = int(different[0])
        raise FileFormatError(
            bitext.names[side],
            int(bitext.numbers[pair]),
            f"expected a tree of the {counted(int(lengths[side][pair]), 'word')} of the "
            f"{settings.parsed} side, "
            f"got one of {int(trees.words.counts()[pair])}; parse the text as it is tokenized here",
        )
    sentences = (bitext.source, bitext.target)[side]
    if tree_words == "same" and (other := first_difference(sentences, trees.words)) is not None:
        raise FileFormatError(
            bitext.names[side],
            int(bitext.numbers[other[0]]),
            f"expected a tree of this sentence, got one with {other[2]!r} for {other[1]!r}; give the "
            f"trees of the {settings.parsed} side in the order of the text, or --tree-words any",
        )
    return trees.to_brackets()


PARSED_SIDE = {"source": 0, "target": 1}


def _count(
    pairs: Path,
    writer: GrammarWriter,
    settings: RuleSettings,
    names: tuple[str, ...],
    min_count: int,
    engine: Engine,
    progress: Progress,
    size: int,
) -> int:
    """Extract, count and score; gives how many rules were found, equal ones as often as they were."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    lexical = any(name in names for name in LEXICAL)
    progress(f"extracting from {size:,} sentence pairs")
    mapper = RuleMapper(settings, lexical, engine.map_threads)
    parts = engine.map(mapper, pairs, rule_schema(), writer.scratch / "extracted")
    extracted = sum(int(pq.read_metadata(part).num_rows) for part in parts)
    progress(f"counting {extracted:,} rows")
    rules = _shares(engine, ALIGNED if lexical else COUNTED, parts, writer.scratch, extracted)
    shutil.rmtree(writer.scratch / "extracted")
    [total] = pa.Table.from_batches(engine.batches(TOTAL, {"rules": rules})).column("total").to_pylist()
    table = None
    if lexical:
        words = engine.map(
            WordMapper(engine.map_threads), pairs, word_schema(), writer.scratch / "words"
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


def _shares(engine: Engine, query: str, parts: list[Path], folder: Path, rows: int) -> list[Path]:
    """Count share by share, so that memory does not grow with the rows.

    Equal rules are in one share, because their sides are equally long.
    """
    number = max(1, -(-rows // SHARE))
    files = []
    for share in range(number):
        chosen = f"(31 * LENGTH(source) + LENGTH(target)) % {number} = {share}"
        files.append(folder / f"rules-{share}.parquet")
        engine.write(query.format(chosen=chosen), {"extracted": parts}, files[-1])
    return files
