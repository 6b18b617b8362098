"""Counts of n-grams of a candidate and of the other texts, and what single ones are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.surface.ngram_explanation import Gram, GramOrder, GramPart, Unit


@dataclass(frozen=True)
class Totals:
    """For each order the matches, the candidate's n-grams and the other's; the other text's length.

    >>> Totals(np.array([1.0]), np.array([2.0]), np.array([3.0]), 3.0).mine.tolist()
    [2.0]
    """

    matches: Floats
    mine: Floats
    theirs: Floats
    other_length: float


Value = Callable[[Totals], float]


@dataclass(frozen=True)
class Level:
    """The n-grams of one order on both sides; `joiner` stands between the pieces of a text."""

    size: int
    unit: Unit
    mine: Counter[tuple[str, ...]]
    theirs: Counter[tuple[str, ...]]
    joiner: str = " "


@dataclass(frozen=True)
class GramComparison:
    """The n-grams of a candidate against those of another text or texts.

    `value_of` scores totals; it is called again with changed totals to find what one n-gram is worth.
    """

    name: str
    other: str
    levels: tuple[Level, ...]
    other_length: float
    value_of: Value

    @property
    def totals(self) -> Totals:
        """The totals of both sides."""
        counts = [
            ((level.mine & level.theirs).total(), level.mine.total(), level.theirs.total())
            for level in self.levels
        ]
        matches, mine, theirs = np.array(counts, np.float64).reshape(-1, 3).T
        return Totals(matches, mine, theirs, self.other_length)

    @property
    def value(self) -> float:
        """The score of the comparison."""
        return self.value_of(self.totals)

    def as_part(self, whole: Callable[[float], float]) -> GramPart:
        """The comparison with worths in points of the `whole` score, as it depends on this value."""
        orders = []
        base = whole(self.value)
        for number, level in enumerate(self.levels):
            totals = self.totals

            def worth(changed: Totals) -> float:
                return base - whole(self.value_of(changed))

            def less(values: Floats, by: float, place: int = number) -> Floats:
                return np.asarray(values - by * (np.arange(len(values)) == place))

            kept, new = level.mine & level.theirs, level.mine - level.theirs
            missing = level.theirs - level.mine
            lacking = replace(totals, theirs=less(totals.theirs, 1))
            if number == 0:
                lacking = replace(lacking, other_length=totals.other_length - 1)
            orders.append(
                GramOrder(
                    level.size,
                    level.unit,
                    kept.total(),
                    new.total(),
                    missing.total(),
                    worth(replace(totals, matches=less(totals.matches, 1))) if kept else 0.0,
                    worth(replace(totals, matches=less(totals.matches, -1))) if new else 0.0,
                    worth(lacking) if missing else 0.0,
                    tuple(
                        Gram(level.joiner.join(gram), kept[gram], new[gram], missing[gram])
                        for gram in dict.fromkeys([*level.mine, *level.theirs])
                    ),
                )
            )
        shown = tuple(order for order in orders if order.kept + order.new + order.missing)
        return GramPart(self.name, self.other, self.value, shown)


def count_ngrams(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of a size occurs.

    >>> count_ngrams(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(words[place : place + size]) for place in range(len(words) - size + 1))


def word_levels(
    candidate: Sequence[str], others: Sequence[Sequence[str]], order: int, *, distinct: bool = False
) -> tuple[Level, ...]:
    """The n-grams of 1 to `order` words; of several texts each as often as in the one with most.

    >>> [level.mine.total() for level in word_levels(["a", "b"], [["a"]], 3)]
    [2, 1, 0]
    """
    levels = []
    for size in range(1, order + 1):
        mine = count_ngrams(candidate, size)
        theirs: Counter[tuple[str, ...]] = Counter()
        for other in others:
            theirs |= count_ngrams(other, size)
        if distinct:
            mine, theirs = Counter(dict.fromkeys(mine, 1)), Counter(dict.fromkeys(theirs, 1))
        levels.append(Level(size, "word", mine, theirs))
    return tuple(levels)
