"""Sentence pairs as rows of a Parquet file, which an engine maps to rules.

| column | |
|---|---|
| `source`, `target` | the sentences, tokens separated by one space |
| `links` | list of int32: source and target position of each link in turn, `0, 0, 1, 2` |
| `labels` | list of int32: the label of each constituent, in pre-order, as a number |
| `spans` | list of int32: first word and word after the last of each constituent in turn |
| `number` | the line of the pair, which errors name |

Labels are numbered over the whole file; a reader of `labels` needs the list that `PairRows` collects.
Without trees, `labels` and `spans` are empty. Before pairs are written, `check_pairs` checks that
words, links and trees belong together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.align.links import Links
from paragauge.engine.arrow_strings import Texts, texts_of
from paragauge.errors import FileFormatError, InputError, ShapeError, unknown_name
from paragauge.grammar.labels import label_texts
from paragauge.grammar.rule import first_ambiguous
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.kernels.layout import Ids, Ints
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import pluralize

AlignedBatch = tuple[Bitext, Links, Trees | None]
SIDES = {"source": 0, "target": 1}
WORD_COLUMNS = ("source", "target", "links", "number")  # all but those of trees
TreeWords = Literal["same", "any"]
TREE_WORDS: tuple[TreeWords, ...] = get_args(TreeWords)
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_MARKS = str.maketrans({"`": "'", "‘": "'", "’": "'", "“": "''", "”": "''", '"': "''", "\\": None})


def pair_schema() -> Any:
    """The Arrow schema of sentence pairs."""
    import pyarrow as pa

    numbers = pa.list_(pa.int32())
    texts = [("source", pa.string()), ("target", pa.string())]
    lists = [("links", numbers), ("labels", numbers), ("spans", numbers)]
    return pa.schema([*texts, *lists, ("number", pa.int64())])


class PairRows:
    """Turns sentence pairs into rows, and numbers the labels of all trees.

    >>> rows = PairRows()
    >>> trees = Trees.of(["(NP (DT the) (NN house))"])
    >>> table = rows.table(Bitext.of(["the house"], ["home"]), Links.from_lists([[(1, 0)]]), trees)
    >>> rows.labels, table.column("labels").to_pylist(), table.column("spans").to_pylist()
    (('NP', 'DT', 'NN'), [[0, 1, 2]], [[0, 2, 0, 1, 1, 2]])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels so far, in the order of their numbers."""
        return tuple(self._numbers)

    def table(self, bitext: Bitext, links: Links, trees: Trees | None = None) -> Any:
        """The rows of some pairs, as an Arrow table."""
        import pyarrow as pa

        label, span = np.zeros(0, np.int32), np.zeros((0, 2), np.int32)
        offsets = np.zeros(len(bitext) + 1, np.int64)
        if trees is not None:
            numbers = [self._numbers.setdefault(text, len(self._numbers)) for text in trees.labels]
            label = np.array(numbers, np.int32)[trees.label]
            span, offsets = np.stack([trees.begin, trees.end], axis=1), trees.offsets
        positions = np.stack([links.source, links.target], axis=1)
        columns = [
            pa.array(list(bitext.source), pa.string()),
            pa.array(list(bitext.target), pa.string()),
            _list_array(positions.reshape(-1), 2 * links.offsets),
            _list_array(label, offsets),
            _list_array(span.reshape(-1), 2 * offsets),
            pa.array(bitext.numbers),
        ]
        return pa.Table.from_arrays(columns, schema=pair_schema())


@dataclass(frozen=True)
class WrittenPairs:
    """What was written to a file of sentence pairs: how many, how they were read, labels of trees."""

    counts: dict[str, int]
    text: dict[str, Any]
    labels: tuple[str, ...]


def write_pair_rows(
    batches: Iterable[AlignedBatch],
    path: Path,
    settings: RuleSettings,
    progress: Progress = silent,
    *,
    tree_words: TreeWords = "same",
) -> WrittenPairs:
    """Write sentence pairs to a Parquet file.

    A pair that does not fit its links or its tree is an error that names the file and the line.
    """
    import pyarrow.parquet as pq

    counts = {"sentence_pairs": 0, "skipped": 0, "links": 0}
    text: dict[str, Any] = {}
    rows = PairRows()
    with pq.ParquetWriter(path, pair_schema(), compression="lz4") as writer:
        for bitext, links, trees in batches:
            progress(f"reading, {counts['sentence_pairs']:,} sentence pairs")
            check_pairs(bitext, links, trees, settings, tree_words)
            used_trees = trees if settings.labels.needs_trees else None
            writer.write_table(rows.table(bitext, links, used_trees))
            counts["sentence_pairs"] += len(bitext)
            counts["skipped"] += bitext.skipped
            counts["links"] += len(links.source)
            text = {"tokenize": list(bitext.tokenize), "case": bitext.case}
    return WrittenPairs(counts, text, rows.labels)


def check_pairs(
    bitext: Bitext, links: Links, trees: Trees | None, settings: RuleSettings, tree_words: TreeWords
) -> None:
    """Raise the error for links or trees that do not fit the sentences."""
    if len(bitext) != len(links):
        raise InputError(
            f"{bitext.name} has {len(bitext)} sentence pairs but the alignment has {len(links)}; "
            "expected equally many"
        )
    lengths = bitext.source_lengths, bitext.target_lengths
    if (outside := links.first_outside(*lengths)) is not None:
        raise InputError(
            f"{bitext.name}:{bitext.numbers[outside[0]]}: {outside[1]}; expected links between its "
            "tokens; give the text as it was aligned, with the same tokenizer"
        )
    for lines, name in zip((bitext.source, bitext.target), bitext.names, strict=True):
        if (ambiguous := first_ambiguous(lines)) is not None:
            raise FileFormatError(
                name,
                int(bitext.numbers[ambiguous[0]]),
                f"the word {ambiguous[1]!r} cannot be part of a rule, where it would be a non-terminal "
                "or a separator; escape it in the text and in its tree",
            )
    if not settings.labels.needs_trees:
        return
    if trees is None or len(trees) != len(bitext):
        size = "none" if trees is None else f"{len(trees)}"
        raise InputError(
            f"{bitext.name}: expected a tree of the {settings.parsed} side of each of {len(bitext)} "
            f"sentence pairs, found {size}; to extract rules without trees, use the labels hiero"
        )
    side = SIDES[settings.parsed]
    mismatches = np.flatnonzero(trees.words.counts() != lengths[side])
    if len(mismatches):
        pair = int(mismatches[0])
        raise FileFormatError(
            bitext.names[side],
            int(bitext.numbers[pair]),
            f"expected a tree of the {pluralize(int(lengths[side][pair]), 'word')} of the "
            f"{settings.parsed} side, "
            f"found one of {int(trees.words.counts()[pair])}; parse the text as it is tokenized here",
        )
    sentences = (bitext.source, bitext.target)[side]
    if tree_words == "same" and (other := first_difference(sentences, trees.words)) is not None:
        raise FileFormatError(
            bitext.names[side],
            int(bitext.numbers[other[0]]),
            f"expected a tree of this sentence, found one with {other[2]!r} for {other[1]!r}; give the "
            f"trees of the {settings.parsed} side in the order of the text, or --tree-words any",
        )


def check_tree_words(name: str) -> None:
    """Reject an unknown value of `tree_words`.

    >>> check_tree_words("some")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown value of tree_words 'some'; did you mean 'same'? known: ...
    """
    if name not in TREE_WORDS:
        raise unknown_name("value of tree_words", name, TREE_WORDS)


def fold_word(word: str) -> str:
    r"""Remove what parsers and preprocessing may change between a sentence and its tree.

    That is case, brackets (-LRB-), quotes, and the Penn Treebank's backslash before `/` and `*`.

    >>> [fold_word(word) for word in ("-LRB-", ":--LRB-", "``", "“", "1\\/2", "The")]
    ['(', ':-(', "''", "''", '1/2', 'the']
    """
    plain = word.casefold()
    for name, bracket in _BRACKETS.items():
        plain = plain.replace(name, bracket)
    return plain.translate(_MARKS)


def first_difference(sentences: Lines, words: LineGroups) -> tuple[int, str, str] | None:
    """The first sentence whose words differ from its tree's, with both words; None if there is none.

    Without this check a tree of another sentence of the same length would silently give wrong labels.

    >>> first_difference(Lines.of(["a cat"]), LineGroups.of([["the", "house"]]))
    (0, 'a', 'the')
    """
    for number, (sentence, leaves) in enumerate(zip(sentences, words, strict=True)):
        if sentence == " ".join(leaves):
            continue
        for word, leaf in zip(sentence.split(" "), leaves, strict=False):
            if word != leaf and fold_word(word) != fold_word(leaf):
                return number, word, leaf
    return None


@dataclass(frozen=True, eq=False)
class EncodedPairs:
    """Sentence pairs in the form that kernels take; both sides share one vocabulary."""

    words: Texts
    source: Ragged
    target: Ragged
    links: Links

    @classmethod
    def of(cls, batch: Any, threads: int) -> EncodedPairs:
        """The pairs of an Arrow batch; an error names the row."""
        vocabulary = Vocabulary()
        source, target = (
            vocabulary.encode(_column_lines(batch, name), TOKENIZED, threads=threads)
            for name in ("source", "target")
        )
        positions, offsets = _lists(batch, "links", 2)
        links = Links(positions[:, 0], positions[:, 1], offsets)
        if (outside := links.first_outside(source.lengths, target.lengths)) is not None:
            raise InputError(f"pair {_number(batch, outside[0])}: {outside[1]}")
        texts = vocabulary.texts()
        bounds = np.concatenate([[0], texts.spans[:, 1]]).astype(np.int64)
        return cls((texts.buffer, bounds), source, target, links)


def encode_trees(batch: Any, side: Ragged, labels: Sequence[str]) -> tuple[Texts, Ids, Ids, Ids, Ints]:
    """The trees of an Arrow batch, over the words of one side, in the form that kernels take.

    `labels` are the labels by their numbers. An error names the row.
    """
    label, offsets = _lists(batch, "labels", 1)
    span, bounds = _lists(batch, "spans", 2)
    if not np.array_equal(offsets, bounds):
        raise ShapeError("expected one label and one span for each constituent")
    if len(label) and not 0 <= int(label.min()) <= int(label.max()) < len(labels):
        raise ShapeError(
            f"expected numbers of {pluralize(len(labels), 'label')}, found {int(label.max())}"
        )
    sizes = np.zeros(len(side), np.int64)
    np.maximum.at(sizes, np.repeat(np.arange(len(side)), np.diff(offsets)), span[:, 1])
    mismatches = np.flatnonzero(sizes != side.lengths)
    if len(mismatches):
        row = int(mismatches[0])
        raise InputError(
            f"pair {_number(batch, row)}: expected a tree of "
            f"{pluralize(int(side.lengths[row]), 'word')}, found one of {int(sizes[row])}"
        )
    begin, end = (np.ascontiguousarray(span[:, at]) for at in (0, 1))
    return label_texts(labels), label[:, 0].copy(), begin, end, offsets


def _list_array(values: NDArray[np.int32], offsets: Ints) -> Any:
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(values, pa.int32()))


def _lists(batch: Any, name: str, width: int) -> tuple[Ids, Ints]:
    """The values of a column of lists, int32 [n, width], and the offsets of the rows in them."""
    column = batch.column(name)
    offsets = column.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
    if column.null_count or bool((np.diff(offsets) % width).any()):
        raise ShapeError(f"{name}: expected lists with a multiple of {width} numbers")
    first, last = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    values = column.values[first:last].to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    return values.reshape(-1, width), (offsets - first) // width


def _column_lines(batch: Any, name: str) -> Lines:
    """A column of strings as lines, without copying."""
    buffer, bounds = texts_of(batch.column(name))
    return Lines(buffer, np.stack([bounds[:-1], bounds[1:]], axis=1))


def _number(batch: Any, row: int) -> int:
    """The line number of a row in the original text."""
    return int(batch.column("number")[row].as_py())
