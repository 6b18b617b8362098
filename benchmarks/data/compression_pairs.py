"""Pairs for sentence compression from several translations of the same sentences.

Weese, Ganitkevitch and Callison-Burch (2014, section 6), after Ganitkevitch et al. (2011): where two
translations of a sentence differ in length by a ratio of 0.67 to 0.75, the longer one is a sentence to
compress and the shorter one a compression made by a person.

    ratio = words of the shorter one / words of the longer one,  low <= ratio <= high

At most one pair of each sentence is taken, drawn from all of its pairs, so that sets chosen together
have no sentence in common. The same seed gives the same sets.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError, LengthError, SettingError

LOW, HIGH = 0.67, 0.75
SEED = 7


@dataclass(frozen=True)
class CompressionSet:
    """Sentences to compress and their compressions; row i is from sentence `sentences[i]`.

    `translations[i]` names the translations of the long and the short one.
    """

    long: tuple[str, ...]
    short: tuple[str, ...]
    sentences: tuple[int, ...]
    translations: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.long)

    @property
    def ratio(self) -> float:
        """Words of all compressions divided by words of all sentences."""
        words = [sum(len(line.split()) for line in side) for side in (self.short, self.long)]
        return words[0] / words[1] if words[1] else 0.0


def compression_pairs(
    translations: Sequence[Sequence[str]],
    low: float = LOW,
    high: float = HIGH,
    *,
    longest: int | None = None,
) -> dict[int, list[tuple[int, int]]]:
    """For each sentence that has any: the (longer, shorter) translations with a ratio in the bounds.

    Translations are tokenized text, one sentence per line; an empty line is a missing
    translation. Sentences of more than `longest` words are not taken as the longer one.

    >>> compression_pairs([["a b c d", "a"], ["a b c", "b"], ["a", ""]])
    {0: [(0, 1)]}
    """
    if not 0 < low <= high <= 1:
        raise SettingError(f"ratio: expected 0 < low <= high <= 1, found {low} and {high}")
    sizes = {len(lines) for lines in translations}
    if len(sizes) > 1:
        raise LengthError(
            "expected as many sentences in each translation, found "
            + ", ".join(map(str, sorted(sizes)))
        )
    words = np.array([[len(line.split()) for line in lines] for lines in translations], np.int64)
    pairs_of: dict[int, list[tuple[int, int]]] = {}
    for long, short in itertools.permutations(range(len(translations)), 2):
        above = words[long].astype(np.float64)
        ratio = np.divide(words[short], above, out=np.zeros_like(above), where=above > 0)
        good = (ratio >= low) & (ratio <= high)
        if longest is not None:
            good &= words[long] <= longest
        for sentence in np.flatnonzero(good).tolist():
            pairs_of.setdefault(sentence, []).append((long, short))
    return dict(sorted(pairs_of.items()))


def choose_compressions(
    translations: Sequence[Sequence[str]],
    sizes: Mapping[str, int],
    *,
    low: float = LOW,
    high: float = HIGH,
    longest: int | None = None,
    seed: int = SEED,
) -> dict[str, CompressionSet]:
    """Sets of pairs, such as `dev` and `test`, of these sizes, each from sentences of its own.

    >>> texts = [["a b c d"] * 3, ["a b c"] * 3]
    >>> sets = choose_compressions(texts, {"dev": 1, "test": 2})
    >>> sets["test"].short, sorted(sets["dev"].sentences + sets["test"].sentences)
    (('a b c', 'a b c'), [0, 1, 2])
    """
    pairs = compression_pairs(translations, low, high, longest=longest)
    total = sum(sizes.values())
    if any(size < 0 for size in sizes.values()) or total > len(pairs):
        raise InputError(
            f"expected sets of at most {len(pairs):,} pairs in all, one of each sentence with two "
            f"translations whose lengths have a ratio of {low:g} to {high:g}; found {total:,}"
        )
    draw = np.random.default_rng(seed)
    order = iter(draw.permutation(np.array(list(pairs), np.int64)).tolist())
    chosen = {}
    for name, size in sizes.items():
        rows = []
        for sentence in sorted(itertools.islice(order, size)):
            long, short = pairs[sentence][int(draw.integers(len(pairs[sentence])))]
            rows.append(
                (translations[long][sentence], translations[short][sentence], sentence, long, short)
            )
        chosen[name] = CompressionSet(
            tuple(row[0] for row in rows),
            tuple(row[1] for row in rows),
            tuple(row[2] for row in rows),
            tuple((row[3], row[4]) for row in rows),
        )
    return chosen
