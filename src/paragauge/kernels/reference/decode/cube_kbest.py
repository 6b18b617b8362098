"""Twin of cube_kbest.cpp: the best derivations of an item, lazily (Huang and Chiang 2005, algorithm 3).

Of derivations with the same text only the best is kept, at every item: what is put together from equal
texts is equal. Equal scores are taken in the order of the item's edges, then of positions.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

TIES = 64  # derivations beyond the end of a list that may score as its last one


@dataclass(eq=False)
class Edge:
    """One way to make an item: a rule, its own part of the score, and the items under its labels."""

    rule: int
    target: tuple[int, ...]
    transition: float
    tails: tuple[Item, ...]

    def best(self) -> float:
        """The score with the best derivations of all items under it."""
        total = self.transition
        for tail in self.tails:
            total += tail.score
        return total


@dataclass(eq=False)
class Item:
    """See `cube.py`; `score` is that of the best edge."""

    label: int
    left: tuple[int, ...]
    state: int
    score: float
    rank: float
    number: int
    edges: list[Edge] = field(default_factory=list)

    def add(self, edge: Edge) -> None:
        """One way more."""
        self.edges.append(edge)
        self.score = max(self.score, edge.best())


@dataclass(frozen=True)
class Derivation:
    """An edge with a derivation of each item under it; rules from the top, then from left to right."""

    score: float
    text: tuple[int, ...]
    rules: tuple[int, ...]


class KBest:
    """The derivations of an item with different texts, made when they are asked for."""

    def __init__(self, item: Item) -> None:
        self._item = item
        self._derivations: list[Derivation] = []
        self._texts: set[tuple[int, ...]] = set()
        self._under: dict[int, KBest] = {}
        self._queue: list[tuple[float, int, tuple[int, ...], Derivation]] = []
        self._started = False
        self._last: tuple[int, tuple[int, ...]] | None = None

    def first(self, size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Texts and rules of the best derivations, and of up to `TIES` more that score as the last."""
        last = 0.0
        for number in range(size + TIES if size else 0):
            derivation = self.at(number, {})
            if derivation is None or (number >= size and derivation.score != last):
                return
            last = derivation.score
            yield derivation.text, derivation.rules

    def at(self, number: int, shared: dict[int, KBest]) -> Derivation | None:
        """The derivation with this place from 0; `shared` has those of other items."""
        if not self._started:
            self._started = True
            self._under = shared
            for edge in range(len(self._item.edges)):
                self._push(edge, (0,) * len(self._item.edges[edge].tails))
        while len(self._derivations) <= number:
            if self._last is not None:
                edge, at = self._last
                for place in range(len(at)):
                    self._push(edge, (*at[:place], at[place] + 1, *at[place + 1 :]))
                    if at[place] > 0:
                        break
                self._last = None
            if not self._queue:
                return None
            _, edge, at, derivation = heapq.heappop(self._queue)
            self._last = edge, at
            if derivation.text not in self._texts:
                self._texts.add(derivation.text)
                self._derivations.append(derivation)
        return self._derivations[number]

    def _push(self, edge: int, at: tuple[int, ...]) -> None:
        chosen = self._item.edges[edge]
        score, parts = chosen.transition, []
        for tail, place in zip(chosen.tails, at, strict=True):
            if id(tail) not in self._under:
                self._under[id(tail)] = KBest(tail)
            part = self._under[id(tail)].at(place, self._under)
            if part is None:
                return
            score += part.score
            parts.append(part)
        text: list[int] = []
        for symbol in chosen.target:
            text += parts[-1 - symbol].text if symbol < 0 else (symbol,)
        rules = [chosen.rule, *(rule for part in parts for rule in part.rules)]
        derivation = Derivation(score, tuple(text), tuple(rules))
        heapq.heappush(self._queue, (-score, edge, at, derivation))
