"""The default constituency parser: a chart parser with surface features.

After Hall, Durrett and Klein (2014): a grammar of little more than labels, and many features of the
words and tags at the edges of a span, before and after it, and at its split. The best
binary tree is found by CKY; its score is the sum over its nodes of

    span(i, j, A) + split(i, k, j, A) + first[B, A] + second[C, A]

for a constituent A over the words i to j - 1 with children B and C that meet at k. `binarize.py` says
how trees become binary, `kernels/reference/syntax/constituents_features.py` lists the features, and
`constituents_train.py` learns their weights.

Deviations: a parent's two children are scored separately, not as a rule, so that a split costs one sum
for each label, O(n^3 L + n^2 L^2) in all; max-margin training instead of likelihood; no morphology
beyond a word's last three bytes; tags come from our tagger, and the parser does not change them.

Trees do not depend on the number of threads. A sentence of 20 words takes about a millisecond, one of
1,000 words, the most by default, about ten seconds and 400 MB.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids
from paragauge.syntax.binarize import NO_LABEL, Labels, debinarize
from paragauge.syntax.perceptron import PerceptronTagger, join_words
from paragauge.syntax.trees import Trees
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import check_threads

ENGLISH = Path(__file__).parents[1] / "models" / "constituents" / "english.bin"
MAGIC = b"PGCONST1"
LONGEST = 1000
MOST = 4000  # words; a chart of that size takes 6 GB
ZERO = 128  # the code of weight 0 in a file, where no number is negative
Weights = tuple[
    NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8], NDArray[np.int8]
]  # keys, offsets, labels, weights, as the kernel has them


class ChartParser:
    """A trained model with the tagger it was trained for.

    >>> parser = ChartParser.default()
    >>> parser.parse([["She", "reads", "books", "."]]).to_brackets()
    ['(ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (NNS books))) (. .)))']
    """

    def __init__(
        self,
        labels: Labels,
        tags: Sequence[str],
        kinds: NDArray[np.uint8],
        weights: Weights,
        about: Mapping[str, Any],
        tagger: PerceptronTagger | None = None,
    ) -> None:
        self.labels, self.tags, self.about = labels, tuple(tags), dict(about)
        self.tagger = PerceptronTagger.default() if tagger is None else tagger
        missing = set(self.tagger.names) - set(self.tags)
        if missing:
            raise SettingError(
                f"tagger {self.tagger.name}: expected only tags that the parser knows, found "
                f"{sorted(missing)[0]}; give the tagger it was trained with"
            )
        self._kinds, self._weights = kinds, weights
        number = {tag: i for i, tag in enumerate(self.tags)}
        self._numbers = np.array([number[tag] for tag in self.tagger.names], np.int32)
        self._native = _native.ConstituentParser(labels.bar_of(), labels.lowest(), kinds, *weights)

    @classmethod
    def default(cls) -> ChartParser:
        """The English model that comes with the package; it is loaded once.

        >>> ChartParser.default() is ChartParser.default()
        True
        """
        return _english()

    @classmethod
    def load(cls, path: str | Path, tagger: PerceptronTagger | None = None) -> ChartParser:
        """The model in a file; without `tagger`, with the English one.

        >>> ChartParser.load("none.bin")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.bin: no such file; check the path
        """
        about, arrays = read_arrays(path, MAGIC, "a parser's model")
        try:
            chains = tuple(tuple(str(label) for label in chain) for chain in about.pop("chains"))
            labels = Labels(chains, tuple(map(str, about.pop("bars"))))
            tags = [str(tag) for tag in about.pop("tags")]
            children = np.zeros(2 * (len(labels) + len(tags)), np.uint32)
            keys = np.cumsum(arrays["gaps"], dtype=np.uint32)
            counts = np.concatenate([[0], arrays["counts"]])
            weights: Weights = (
                np.concatenate([children, keys]),
                np.cumsum(counts, dtype=np.int64),
                arrays["labels"].astype(np.uint8),
                (arrays["weights"].astype(np.int16) - ZERO).astype(np.int8),
            )
            return cls(labels, tags, arrays["kinds"].astype(np.uint8), weights, about, tagger)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            if isinstance(error, SettingError):
                raise
            raise FileFormatError(
                display_name(path),
                None,
                f"expected a parser's model of this version ({error}); make one with: paragauge "
                "parser train",
            ) from None

    def __reduce__(self) -> tuple[type[ChartParser], tuple[Any, ...]]:
        arguments = (self.labels, self.tags, self._kinds, self._weights, self.about, self.tagger)
        return ChartParser, arguments

    def save(self, path: str | Path) -> None:
        """Write the model to a file, which appears whole or not at all."""
        keys, offsets, labels, weights = self._weights
        features = keys[2 * (len(self.labels) + len(self.tags)) :]
        arrays = {
            "kinds": self._kinds,
            "gaps": np.diff(features, prepend=np.uint32(0)),
            "counts": np.diff(offsets),
            "labels": labels,
            "weights": weights.astype(np.int16) + ZERO,
        }
        about = {
            **self.about,
            "chains": self.labels.chains,
            "bars": self.labels.bars,
            "tags": self.tags,
        }
        write_arrays(path, MAGIC, about, arrays)

    @functools.cached_property
    def name(self) -> str:
        """The kind of parser, the first digits of its contents' SHA-256, and its tagger.

        >>> ChartParser.default().name.partition("-")[0]
        'chart'
        """
        digest = hashlib.sha256(json.dumps([self.labels.names, self.tags]).encode())
        for array in (self._kinds, *self._weights):
            digest.update(array.tobytes())
        return f"chart-{digest.hexdigest()[:8]}+{self.tagger.name}"

    def __repr__(self) -> str:
        return f"ChartParser({self.name}, {len(self.labels)} labels)"

    def parse(self, sentences: Sequence[Sequence[str]]) -> Trees:
        """The tree of each sentence."""
        return self.parse_lines(join_words(sentences))

    def parse_lines(
        self, lines: Lines, *, threads: int = 0, longest: int = LONGEST, flat: bool = False
    ) -> Trees:
        """The tree of each line, whose words are separated by spaces; an empty line has an empty tree.

        A line of more words than `longest` is an error; with `flat` it gets a tree of tags only.

        >>> ChartParser.default().parse_lines(Lines.of(["He left ."])).to_brackets()
        ['(ROOT (S (NP (PRP He)) (VP (VBD left)) (. .)))']
        """
        check_threads(threads)
        if not 1 <= longest <= MOST:
            raise SettingError(
                f"longest: expected a whole number from 1 to {MOST:,}, found {longest!r}"
            )
        tagged = self.tagger.tag_lines(lines, threads)
        tags = Ragged(self._numbers[tagged.ids], tagged.offsets)
        long = np.flatnonzero(tags.lengths > longest)
        if len(long) and not flat:
            raise InputError(
                f"segment {long[0] + 1}: expected at most {longest:,} words, found "
                f"{tags.lengths[long[0]]:,}; split it, raise longest, or ask for flat trees"
            )
        words = LineGroups.of([[word for word in line.split(" ") if word] for line in lines])
        nodes = self._nodes(lines, tags, long, threads)
        return debinarize(nodes, self.labels, self.tags, tags.ids, words)

    def _nodes(self, lines: Lines, tags: Ragged, long: NDArray[np.int64], threads: int) -> Ids:
        if not len(long):
            return self._native.parse(lines.buffer, lines.spans, tags.ids, threads)
        short = np.ones(len(tags), np.bool_)
        short[long] = False
        parsed = self._native.parse(lines.buffer, lines.spans[short], tags[short].ids, threads)
        sizes = np.maximum(2 * tags.lengths - 1, 0)
        nodes = np.empty((int(sizes.sum()), 4), np.int32)
        nodes[np.repeat(short, sizes)] = parsed
        flat = [_flat(words) for words in tags.lengths[long].tolist()]
        nodes[np.repeat(~short, sizes)] = np.concatenate(flat)
        return nodes


def _flat(words: int) -> Ids:
    """A binary tree without any label."""
    nodes = []
    for i in range(words - 1):
        nodes += [(NO_LABEL, i, i + 1, words), (NO_LABEL, i, i, i + 1)]
    return np.array([*nodes, (NO_LABEL, words - 1, words - 1, words)], np.int32)


@functools.cache
def _english() -> ChartParser:
    return ChartParser.load(ENGLISH)


# As with the tagger: nothing must keep the native model alive until exit.
atexit.register(_english.cache_clear)
