"""Map rows of sentence pairs (`grammar/pair_rows.py`) to rows of rules and of linked words.

Both mappers are small and can be pickled, so that an engine can call them where the rows are.

A mapper merges equal rules of a batch into one row with a count. One batch of pairs gives as many
batches of rules as are needed to hold at most `max_rows` rows at a time: hand-aligned paraphrases can
have tens of thousands of rules per pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.engine.arrow_strings import strings
from paragauge.grammar.pair_rows import EncodedPairs, encode_trees
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.kernels import _native
from paragauge.phrases.word_links import word_rows

MAX_ROWS = 1 << 20
TEXTS = ("lhs", "labels", "source", "target")


def rule_schema() -> Any:
    """The Arrow schema of extracted rules; `alignment` is empty if it was not asked for."""
    import pyarrow as pa

    sizes = [("source_words", pa.int32()), ("target_words", pa.int32()), ("count", pa.int64())]
    return pa.schema([*((name, pa.string()) for name in TEXTS), *sizes, ("alignment", pa.string())])


def word_schema() -> Any:
    """The Arrow schema of linked words and how often they are linked."""
    import pyarrow as pa

    return pa.schema([("source", pa.string()), ("target", pa.string()), ("count", pa.int64())])


@dataclass(frozen=True)
class RuleMapper:
    """Maps sentence pairs to rules; `tree_labels` are the labels of trees by their numbers.

    >>> import pyarrow as pa
    >>> from paragauge.grammar.pair_rows import pair_schema
    >>> pairs = pa.record_batch([["a b"], ["x y"], [[0, 0, 1, 1]], [[]], [[]], [1]], pair_schema())
    >>> mapper = RuleMapper(RuleSettings.named("hiero"))
    >>> [batch.column("source").to_pylist() for batch in mapper(iter([pairs]))]
    [['a', 'a b', '[1] b', 'a [1]', 'b']]
    """

    settings: RuleSettings
    alignment: bool = False
    threads: int = 0
    max_rows: int = MAX_ROWS
    tree_labels: tuple[str, ...] = ()

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rules of each batch of pairs, with their counts in the batch."""
        for batch in batches:
            yield from self.rules(batch)

    def rules(self, batch: Any) -> Iterator[Any]:
        """Record batches of the rules of one batch of pairs."""
        import pyarrow as pa

        pairs = EncodedPairs.of(batch, self.threads)
        trees = None
        if self.settings.labels.needs_trees:
            side = pairs.source if self.settings.parsed == "source" else pairs.target
            trees = encode_trees(batch, side, self.tree_labels)
        extractor = _native.RuleExtractor(
            pairs.words,
            (pairs.source.ids, pairs.source.offsets),
            (pairs.target.ids, pairs.target.offsets),
            (pairs.links.source, pairs.links.target, pairs.links.offsets),
            trees,
            self.settings.parsed == "target",
            self.settings.labels.native,
            self.settings.limits(self.alignment),
            self.max_rows,
        )
        while (columns := extractor.next(self.threads)) is not None:
            *texts, source_words, target_words, counts, alignment = columns
            arrays = [
                *(strings(text) for text in texts),
                *(pa.array(numbers) for numbers in (source_words, target_words, counts)),
                strings(alignment),
            ]
            schema = rule_schema()
            cast = [array.cast(kind) for array, kind in zip(arrays, schema.types, strict=True)]
            yield pa.RecordBatch.from_arrays(cast, schema=schema)


@dataclass(frozen=True)
class WordMapper:
    """Maps sentence pairs to linked words; an empty word stands for NULL.

    >>> import pyarrow as pa
    >>> from paragauge.grammar.pair_rows import pair_schema
    >>> pairs = pa.record_batch([["a b"], ["x"], [[0, 0]], [[]], [[]], [1]], pair_schema())
    >>> [batch.to_pydict() for batch in WordMapper()(iter([pairs]))]
    [{'source': ['a', 'b'], 'target': ['x', ''], 'count': [1, 1]}]
    """

    threads: int = 0

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Pairs of linked words, with their counts in each batch."""
        import pyarrow as pa

        for batch in batches:
            pairs = EncodedPairs.of(batch, self.threads)
            columns = word_rows(pairs.words, pairs.words, pairs.source, pairs.target, pairs.links)
            arrays = [
                pa.array(column) if isinstance(column, np.ndarray) else column for column in columns
            ]
            schema = word_schema()
            cast = [array.cast(kind) for array, kind in zip(arrays, schema.types, strict=True)]
            yield pa.RecordBatch.from_arrays(cast, schema=schema)
