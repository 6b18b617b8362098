"""Twin of occurrences.cpp: sentences with a phrase, and Fisher's exact test (Johnson et al. 2007).

Of N sentence pairs, C(s) have the source phrase s in the source sentence, C(t) have the target phrase t
in the target sentence, and C(s, t) have both, whatever the word alignment says; a phrase counts once
per sentence. If s and t were independent, the number with both would be hypergeometric; the p-value is
the probability of at least C(s, t),

    p = sum over k from C(s, t) to min(C(s), C(t)) of
        C(N - C(s), C(t) - k) C(C(s), k) / C(N, C(t))

where C(n, k) is a binomial coefficient, and the significance is -ln p. Pairs that occur once, of
phrases that occur once, have p = 1/N, so that ln N is the significance at which Johnson et al. cut.
"""

from __future__ import annotations

import math

import numpy as np

from paragauge.kernels.layout import Bytes, Floats, Ints, Texts, texts, unpack_texts


class PhraseOccurrences:
    """The sentences in which each phrase occurs; words are separated by one space."""

    def __init__(self, buffer: Bytes, spans: Ints, phrases: Texts) -> None:
        self._sentences: dict[str, set[int]] = {phrase: set() for phrase in unpack_texts(phrases)}
        self._size = len(spans)
        for number, line in enumerate(texts(buffer, spans)):
            words = line.split(" ") if line else []
            for start in range(len(words)):
                for end in range(start + 1, len(words) + 1):
                    phrase = " ".join(words[start:end])
                    if phrase in self._sentences:
                        self._sentences[phrase].add(number)

    def __len__(self) -> int:
        return self._size

    def of(self, phrase: str) -> set[int]:
        """The numbers of the sentences."""
        if phrase not in self._sentences:
            raise ValueError("unknown phrase")
        return self._sentences[phrase]


def count_phrase_pairs(
    source: PhraseOccurrences,
    target: PhraseOccurrences,
    sources: Texts,
    targets: Texts,
    threads: int,
) -> Ints:
    """C(s), C(t) and C(s, t) of each row, int64 [rows, 3]."""
    del threads
    if len(source) != len(target):
        raise ValueError("both sides must have the same number of sentences")
    left, right = unpack_texts(sources), unpack_texts(targets)
    if len(left) != len(right):
        raise ValueError("all columns must have the same number of rows")
    counts = [
        (len(source.of(s)), len(target.of(t)), len(source.of(s) & target.of(t)))
        for s, t in zip(left, right, strict=True)
    ]
    return np.array(counts, np.int64).reshape(-1, 3)


def significances(counts: Ints, sentences: int) -> Floats:
    """-ln p of each row of C(s), C(t) and C(s, t).

    >>> bool(np.isclose(significances(np.array([[1, 1, 1]]), 50)[0], math.log(50)))
    True
    """
    values = []
    for source, target, both in counts.tolist():
        if not 0 <= both <= min(source, target) or not max(source, target) <= sentences:
            raise ValueError("counts must fit into each other")
        if source + target - both > sentences:
            raise ValueError("counts must fit into each other")
        ways = sum(
            math.comb(source, k) * math.comb(sentences - source, target - k)
            for k in range(both, min(source, target) + 1)
        )
        values.append(math.log(math.comb(sentences, target)) - math.log(ways))
    return np.maximum(0.0, np.array(values, np.float64))
