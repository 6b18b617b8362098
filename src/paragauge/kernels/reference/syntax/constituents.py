"""Twin of constituents.cpp: parsing with a model of 8-bit weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Bytes, Ids, Ints
from paragauge.kernels.reference.syntax.constituents_chart import Chart, LabelSet, Node, Row, never
from paragauge.kernels.reference.syntax.constituents_features import Words
from paragauge.kernels.reference.syntax.tagger_words import split_words

MOST = 255
Keys = NDArray[np.uint32]
Weights = NDArray[np.int8]


def label_set(bar_of: Ids, lowest: Ids) -> LabelSet:
    """The labels, checked."""
    if not 1 <= len(bar_of) <= MOST or len(lowest) != len(bar_of):
        raise ValueError("expected 1 to 255 labels")
    if (bar_of >= 0).all():
        raise ValueError("expected a label that is no bar")
    return LabelSet(bar_of.tolist(), lowest.tolist())


def tagged_words(buffer: Bytes, spans: Ints, tags: Ids, kinds: Bytes) -> list[Words]:
    """The words of each line with their tags."""
    text = buffer.tobytes()
    tokens = [split_words(text[start:stop]) for start, stop in spans.tolist()]
    if sum(map(len, tokens)) != len(tags):
        raise ValueError("expected one tag for each token")
    if not all(0 <= tag < len(kinds) for tag in tags.tolist()):
        raise ValueError("a tag has no name")
    rest = iter(tags.tolist())
    return [Words(line, [next(rest) for _ in line], kinds.tolist()) for line in tokens]


class ConstituentParser:
    """A model: rows of weights of children, first and second, then of the features `keys`."""

    def __init__(
        self,
        bar_of: Ids,
        lowest: Ids,
        kinds: Bytes,
        keys: Keys,
        offsets: Ints,
        columns: Bytes,
        weights: Weights,
    ) -> None:
        labels = label_set(bar_of, lowest)
        if not 1 <= len(kinds) <= MOST:
            raise ValueError("expected 1 to 255 tags")
        if len(offsets) != len(keys) + 1:
            raise ValueError("expected one offset more than features")
        if offsets[0] < 0 or (np.diff(offsets) < 0).any() or offsets[-1] > len(weights):
            raise ValueError("offsets must not decrease and must stay within the weights")
        if len(columns) != len(weights):
            raise ValueError("expected a label for each weight")
        symbols = len(bar_of) + len(kinds)
        if len(keys) < 2 * symbols:
            raise ValueError("expected rows for all labels and tags")
        if (columns >= len(bar_of)).any():
            raise ValueError("a weight has no label")
        rows = np.zeros((len(keys), len(bar_of)), np.int32)
        for row in range(len(keys)):
            for at in range(offsets[row], offsets[row + 1]):
                rows[row, columns[at]] = weights[at]
        self.kinds = kinds
        features: dict[int, Row] = {}
        for row in range(2 * symbols, len(keys)):
            if int(keys[row]) in features:
                raise ValueError("expected each feature once")
            features[int(keys[row])] = rows[row]
        tables = []
        for shift, forbidden in enumerate(labels.forbidden_pairs(len(kinds), -1)):
            table = rows[shift * symbols : (shift + 1) * symbols]
            tables.append(np.where(forbidden < 0, never(np.dtype(np.int32)), table))
        self.chart = Chart(labels, features.get, *tables)

    def parse(self, buffer: Bytes, spans: Ints, tags: Ids, threads: int) -> Ids:
        """Binary nodes of all lines, int32 [2n - 1 for n words, 4]: label, begin, split, end."""
        del threads
        nodes: list[Node] = []
        for words in tagged_words(buffer, spans, tags, self.kinds):
            nodes += self.chart.parse(words)
        return np.array(nodes, np.int32).reshape(-1, 4)
