"""Files of constituent trees, one a line, after fields that tabs separate: news<TAB>(ROOT (NN dog))."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.trees import LIKE, Trees, read_lines
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.reading import LineReader
from paragauge.text.vocabulary import Vocabulary

BATCH = 1 << 13
BYTES = 1 << 24


def read_trees(path: str | Path, *, strip: bool = False) -> Trees:
    r"""All trees of a file, one a line; lines without anything are passed over.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.trees")
    ...     _ = path.write_text("news\t(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))\n")
    ...     read_trees(path).to_brackets()
    ['(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))']
    """
    return Trees.joined(list(tree_batches(path, strip=strip)))


def read_tagged(path: str | Path) -> Iterator[Sentence]:
    """Words and tags of each tree of a file."""
    for trees in tree_batches(path):
        yield from trees.sentences()


def tree_batches(path: str | Path, *, strip: bool = False) -> Iterator[Trees]:
    """The trees of a file, some thousands at a time; numbers of labels hold for all of it."""
    labels = Vocabulary()
    with LineReader(path) as reader:
        number = 0
        while lines := reader.read(BATCH, BYTES):
            fields = [line.rpartition("\t")[2] if line.strip() else "" for line in lines]
            kept = [i for i, line in enumerate(lines) if line.strip()]
            trees, wrong = read_lines(Lines.of([fields[i] for i in kept]), labels, strip=strip)
            if wrong is not None:
                raise FileFormatError(
                    display_name(path),
                    number + kept[wrong[0]] + 1,
                    f"{LIKE}, {wrong[1]}; put each tree on a line of its own",
                )
            number += len(lines)
            yield trees
