"""The most frequent words of a text, numbered in order of frequency, and the text in these numbers.

Clusters and co-occurrences are counted over these words. Equally frequent words are in the order of
their first occurrence in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paragauge.kernels.layout import Ids, Ints
from paragauge.rewrite.numbered_text import NumberedText
from paragauge.text.lines import Lines
from paragauge.text.vocabulary import Vocabulary

BATCH = 1 << 20  # tokens


@dataclass(frozen=True)
class FrequentWords:
    """`words` and their `counts`, the most frequent first; `text` in their numbers, -1 for others."""

    words: Lines
    counts: Ints
    text: NumberedText
    ranks: Ids

    @classmethod
    def of(cls, text: NumberedText, most: int | None = None, min_count: int = 1) -> FrequentWords:
        """The words of `text` that occur at least `min_count` times, at most `most` of them."""
        order = np.argsort(-text.counts, kind="stable")
        frequent = order[text.counts[order] >= min_count][:most]
        ranks = np.full(len(text.counts), -1, np.int32)
        ranks[frequent] = np.arange(len(frequent), dtype=np.int32)
        texts = text.vocabulary.texts()
        words = Lines(texts.buffer, np.ascontiguousarray(texts.spans[frequent]))
        return cls(words, text.counts[frequent], text, ranks)

    def batches(self) -> Iterator[tuple[Ids, Ints]]:
        """All lines, in batches of numbers and offsets."""
        offsets = self.text.offsets
        first = 0
        while first < self.text.sentences:
            last = int(np.searchsorted(offsets, offsets[first] + BATCH, side="right")) - 1
            last = max(last, first + 1)
            ids = self.ranks[self.text.ids[offsets[first] : offsets[last]]]
            yield np.ascontiguousarray(ids, np.int32), offsets[first : last + 1] - offsets[first]
            first = last


def word_numbers(vocabulary: Vocabulary, words: Lines, threads: int = 0) -> Ints:
    """The number in `vocabulary` of each row of `words`, one word per row; -1 if it is not there.

    >>> word_numbers(Vocabulary(["a", "b"]), Lines.of(["b", "c", "", "a a"])).tolist()
    [1, -1, -1, -1]
    """
    encoded = vocabulary.encode(words, "none", grow=False, threads=threads)
    numbers = np.full(len(words), -1, np.int64)
    single = encoded.lengths == 1
    numbers[single] = encoded.ids[encoded.offsets[:-1][single]]
    return numbers
