"""Counts of linked words, from which word translation probabilities are computed.

A word without a link counts as linked once to NULL, which is an empty word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paragauge.align.links import Links
from paragauge.engine.arrow_strings import Texts, strings
from paragauge.text.ragged import Ragged


def word_rows(left: Texts, right: Texts, source: Ragged, target: Ragged, links: Links) -> list[Any]:
    """Columns source, target and count of linked words, from sides in the layout of kernels.

    >>> words = np.frombuffer(b"ab", np.uint8), np.array([0, 1, 2])
    >>> sentence = Ragged.from_lists([[0, 1]])
    >>> columns = word_rows(words, words, sentence, sentence, Links.from_lists([[(0, 0), (0, 1)]]))
    >>> [column.tolist() for column in columns]
    [['a', 'a', 'b'], ['a', 'b', ''], [1, 1, 1]]
    """
    sentence = np.repeat(np.arange(len(links)), links.lengths)
    places = source.offsets[sentence] + links.source, target.offsets[sentence] + links.target
    unaligned = []
    for side, at in zip((source, target), places, strict=True):
        free = np.ones(len(side.ids), np.bool_)
        free[at] = False
        unaligned.append(side.ids[free].astype(np.int64))
    # NULL has the number after the last word.
    nulls = len(left[1]) - 1, len(right[1]) - 1
    sources = np.concatenate(
        [source.ids[places[0]], unaligned[0], np.full(len(unaligned[1]), nulls[0])]
    ).astype(np.int64)
    targets = np.concatenate(
        [target.ids[places[1]], np.full(len(unaligned[0]), nulls[1]), unaligned[1]]
    ).astype(np.int64)
    keys, counts = np.unique(sources * (nulls[1] + 1) + targets, return_counts=True)
    numbers = keys // (nulls[1] + 1), keys % (nulls[1] + 1)
    return [*(_take_words(texts, at) for texts, at in zip((left, right), numbers, strict=True)), counts]


def _take_words(words: Texts, numbers: np.ndarray) -> Any:
    """The words with these numbers; the number after the last is the empty word."""
    buffer, offsets = words
    return strings((buffer, np.append(offsets, offsets[-1]))).take(numbers)
