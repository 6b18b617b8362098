"""From rows of sentence pairs to rows of rules and of linked words: what an engine maps.

A row has the columns `source` and `target` (tokens separated by one blank), `links` (Pharaoh format,
`0-0 1-2`), `tree` (Penn brackets of the side that has trees, or nothing) and `number`, by which errors
name it. Both mappers are small objects that can be pickled, so that an engine can call them where the
rows are.

Equal rules of a batch are one row with a count before they leave the mapper. A batch gives as many
batches of rules as it takes to hold at most `max_rows` rows at once: hand-aligned paraphrases can have
tens of thousands of rules a pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.align.links import Links
from paragauge.engine.columns import strings, texts_of
from paragauge.errors import InputError
from paragauge.grammar.labels import tree_columns
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.kernels import _native
from paragauge.phrases.word_links import word_rows
from paragauge.syntax.trees import LIKE, Trees, read_lines
from paragauge.text.lines import Lines
from paragauge.text.plain import counted
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.vocabulary import Vocabulary

MAX_ROWS = 1 << 20
NOTHING = "( (-NONE- -))"
TEXTS = ("lhs", "labels", "source", "target")


def pair_schema() -> Any:
    """The Arrow schema of sentence pairs."""
    import pyarrow as pa

    names = ("source", "target", "links", "tree")
    return pa.schema([*((name, pa.string()) for name in names), ("number", pa.int64())])


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
    """Gives the rules of sentence pairs.

    >>> import pyarrow as pa
    >>> pairs = pa.record_batch([["a b"], ["x y"], ["0-0 1-1"], [""], [1]], pair_schema())
    >>> mapper = RuleMapper(RuleSettings.named("hiero"))
    >>> [batch.column("source").to_pylist() for batch in mapper(iter([pairs]))]
    [['a', 'a b', '[1] b', 'a [1]', 'b']]
    """

    settings: RuleSettings
    alignment: bool = False
    threads: int = 0
    max_rows: int = MAX_ROWS

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Rules of each batch of pairs, with their counts in it."""
        for batch in batches:
            yield from self.rules(batch)

    def rules(self, batch: Any) -> Iterator[Any]:
        """Record batches of the rules of one batch of pairs."""
        import pyarrow as pa

        pairs = Pairs.of(batch, self.threads)
        trees = None
        if self.settings.labels.needs_trees:
            side = pairs.source if self.settings.parsed == "source" else pairs.target
            trees = tree_columns(parsed_trees(batch, side))
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
                *(pa.array(each) for each in (source_words, target_words, counts)),
                strings(alignment),
            ]
            schema = rule_schema()
            cast = [each.cast(kind) for each, kind in zip(arrays, schema.types, strict=True)]
            yield pa.RecordBatch.from_arrays(cast, schema=schema)


@dataclass(frozen=True)
class WordMapper:
    """Gives the linked words of sentence pairs; an empty word stands for NULL.

    >>> import pyarrow as pa
    >>> pairs = pa.record_batch([["a b"], ["x"], ["0-0"], [""], [1]], pair_schema())
    >>> [batch.to_pydict() for batch in WordMapper()(iter([pairs]))]
    [{'source': ['a', 'b'], 'target': ['x', ''], 'count': [1, 1]}]
    """

    threads: int = 0

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Pairs of linked words with their counts in each batch."""
        import pyarrow as pa

        for batch in batches:
            pairs = Pairs.of(batch, self.threads)
            rows = word_rows(pairs.words, pairs.words, pairs.source, pairs.target, pairs.links)
            arrays = [pa.array(each) if isinstance(each, np.ndarray) else each for each in rows]
            schema = word_schema()
            cast = [each.cast(kind) for each, kind in zip(arrays, schema.types, strict=True)]
            yield pa.RecordBatch.from_arrays(cast, schema=schema)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Sentence pairs as kernels take them: both sides share the numbers of words."""

    words: tuple[Any, Any]
    source: Ragged
    target: Ragged
    links: Links

    @classmethod
    def of(cls, batch: Any, threads: int) -> Pairs:
        """The pairs of an Arrow batch; an error names the row that is not right."""
        vocabulary = Vocabulary()
        source, target = (
            vocabulary.encode(column_lines(batch, name), TOKENIZED, threads=threads)
            for name in ("source", "target")
        )
        lines = column_lines(batch, "links")
        left, right, _, offsets, bad = _native.parse_pharaoh(lines.buffer, lines.spans, threads)
        if len(bad):
            row, start, stop = bad.tolist()
            found = lines.buffer[start:stop].tobytes().decode()[:40]
            raise InputError(
                f"pair {_number(batch, row)}: expected links such as 0-0 1-2, found {found!r}"
            )
        links = Links(left, right, offsets)
        if (outside := links.first_outside(source.lengths, target.lengths)) is not None:
            raise InputError(f"pair {_number(batch, outside[0])}: {outside[1]}")
        texts = vocabulary.texts()
        bounds = np.concatenate([[0], texts.spans[:, 1]]).astype(np.int64)
        return cls((texts.buffer, bounds), source, target, links)


def parsed_trees(batch: Any, side: Ragged) -> Trees:
    """The trees of an Arrow batch, which have the words of one side; an error names the row."""
    texts = [text or NOTHING for text in batch.column("tree").to_pylist()]
    trees, wrong = read_lines(Lines.of(texts), Vocabulary(), strip=False)
    if wrong is not None:
        raise InputError(f"pair {_number(batch, wrong[0])}: {LIKE}, {wrong[1]}")
    different = np.flatnonzero(trees.words.counts() != side.lengths)
    if len(different):
        row = int(different[0])
        raise InputError(
            f"pair {_number(batch, row)}: expected a tree of "
            f"{counted(int(side.lengths[row]), 'word')}, got one "
            f"of {int(trees.words.counts()[row])}"
        )
    return trees


def column_lines(batch: Any, name: str) -> Lines:
    """A column of strings as lines, without copying."""
    buffer, bounds = texts_of(batch.column(name))
    return Lines(buffer, np.stack([bounds[:-1], bounds[1:]], axis=1))


def _number(batch: Any, row: int) -> int:
    """What a row is called in the text it is from."""
    return int(batch.column("number")[row].as_py())
