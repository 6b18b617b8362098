"""Twin of lexical.cpp: lexical weights of phrase pairs (Koehn, Och and Marcu 2003, section 4.4).

    lex(target | source, a) = product over target words t of
        the mean of w(t|s) over the source words s that a links to t,
        or w(t|NULL) if there are none

and lex(source | target, a) the same with the sides exchanged, which is what Moses' `score` computes.
The empty word stands for NULL. Moses takes 1 for a pair that its table does not have; here that is an
error, because a table counted on the text the phrases are from has them all.

Of rules, symbols such as `[1]` are non-terminals: they have a place but no weight.
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.kernels.layout import Floats, Texts, unpack_texts

_NONTERMINAL = re.compile(r"\[[0-9]+\]")
_LINKS = re.compile(r"(?:[0-9]+-[0-9]+(?: [0-9]+-[0-9]+)*)?")


class LexicalTable:
    """w(target word | source word) and w(source word | target word) of pairs of words."""

    def __init__(self, sources: Texts, targets: Texts, p_target: Floats, p_source: Floats) -> None:
        self._probabilities: dict[tuple[str, str], tuple[float, float]] = {}
        rows = zip(unpack_texts(sources), unpack_texts(targets), p_target, p_source, strict=True)
        for number, (source, target, forward, backward) in enumerate(rows):
            if (source, target) in self._probabilities:
                raise ValueError(f"row {number}: a pair of words stands twice")
            self._probabilities[source, target] = (float(forward), float(backward))

    def __len__(self) -> int:
        return len(self._probabilities)

    def weights(
        self, sources: Texts, targets: Texts, alignments: Texts, threads: int, rules: bool = False
    ) -> tuple[Floats, Floats]:
        """lex(target|source) and lex(source|target) of each row; words are separated by spaces."""
        del threads
        rows = zip(unpack_texts(sources), unpack_texts(targets), unpack_texts(alignments), strict=True)
        row_weights = [self._weigh(number, *row, rules) for number, row in enumerate(rows)]
        result = np.array(row_weights, np.float64).reshape(-1, 2)
        return result[:, 0].copy(), result[:, 1].copy()

    def _weigh(
        self, row: int, source: str, target: str, alignment: str, rules: bool
    ) -> tuple[float, float]:
        words = [word for word in source.split(" ") if word]
        others = [word for word in target.split(" ") if word]
        links = links_of(row, alignment)
        for s, t in links:
            if s >= len(words) or t >= len(others):
                raise ValueError(f"row {row}: a link leaves its phrase")
            gap = rules and (_NONTERMINAL.fullmatch(words[s]) or _NONTERMINAL.fullmatch(others[t]))
            if gap or (words[s], others[t]) not in self._probabilities:
                raise ValueError(f"row {row}: linked words without a translation probability")
        forward = backward = 1.0
        for t, other in enumerate(others):
            if rules and _NONTERMINAL.fullmatch(other):
                continue
            pairs = [(words[s], other) for s, at in links if at == t] or [("", other)]
            forward *= self._mean(row, pairs, 0)
        for s, word in enumerate(words):
            if rules and _NONTERMINAL.fullmatch(word):
                continue
            pairs = [(word, others[t]) for at, t in links if at == s] or [(word, "")]
            backward *= self._mean(row, pairs, 1)
        return forward, backward

    def _mean(self, row: int, pairs: list[tuple[str, str]], direction: int) -> float:
        total = 0.0
        for pair in pairs:
            if pair not in self._probabilities:
                raise ValueError(f"row {row}: an unaligned word without a probability")
            total += self._probabilities[pair][direction]
        return total / len(pairs)


def links_of(row: int, alignment: str) -> list[tuple[int, int]]:
    """Parse links in Moses' notation.

    >>> links_of(0, "0-0 2-1")
    [(0, 0), (2, 1)]
    """
    numbers = [int(number) for number in re.findall(r"[0-9]+", alignment)]
    if _LINKS.fullmatch(alignment) is None or any(number >= 1 << 64 for number in numbers):
        raise ValueError(f"row {row}: expected links such as 0-0 1-2")
    return list(zip(numbers[::2], numbers[1::2], strict=True))
