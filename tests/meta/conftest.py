"""Judged candidates as plain facts, and every statistic on them as a plain loop.

`Fact` is one candidate with everything that is known of it; `Plain` computes from a list of facts
what the package computes from arrays, with scipy and with lists that repeat what was drawn twice.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
import scipy.stats

from paragauge.kernels.reference import resample_weight
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
CRITERION = "overall"


@dataclass(frozen=True)
class Fact:
    """One candidate: where it belongs, what judges said, and how metrics score it."""

    segment: str
    systems: tuple[str, ...]
    ratings: dict[str, float]
    scores: dict[str, float]
    group: str = ""


@dataclass(frozen=True)
class Item:
    """A candidate that is rated and scored, larger being better."""

    segment: int
    systems: tuple[str, ...]
    gold: float
    scores: dict[str, float] = field(default_factory=dict)


def correlation(x: Sequence[float], y: Sequence[float], name: str) -> float | None:
    """scipy's coefficient, or None where it has none."""
    return _correlation(tuple(x), tuple(y), name)


@functools.cache
def _correlation(x: tuple[float, ...], y: tuple[float, ...], name: str) -> float | None:
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return float(SCIPY[name](x, y).statistic)


def sign(value: float) -> int:
    return int(value > 0) - int(value < 0)


@dataclass(frozen=True)
class Plain:
    """The items of one group, and statistics on them; `times` says how often a segment counts."""

    items: tuple[Item, ...]
    systems: tuple[str, ...]
    constant: str = "zero"

    @property
    def segments(self) -> list[int]:
        return sorted({item.segment for item in self.items})

    def poisson(self, seed: int, replicate: int) -> dict[int, int]:
        """How often each segment is drawn."""
        return {i: resample_weight("poisson", seed, replicate, i) for i in self.segments}

    def exchanged_items(self, a: str, b: str, seed: int, replicate: int) -> Plain:
        """Standardized scores of a and b, exchanged in every item whose coin is 0."""
        one, two = self.standard(a), self.standard(b)
        items = []
        for place, item in enumerate(self.items):
            pair = (one[place], two[place])
            coin = resample_weight("coin", seed, replicate, place)
            items.append(
                dataclasses.replace(
                    item, scores=dict(zip(("a", "b"), pair[:: 2 * coin - 1], strict=True))
                )
            )
        return dataclasses.replace(self, items=tuple(items))

    def exchanged_sources(self, a: str, b: str, seed: int, replicate: int, keeps: int) -> Plain:
        """The same for whole sources; `keeps` is the side of the coin that changes nothing."""
        one, two = self.standard(a), self.standard(b)
        items = []
        for place, item in enumerate(self.items):
            pair = (one[place], two[place])
            stays = resample_weight("coin", seed, replicate, item.segment) == keeps
            items.append(
                dataclasses.replace(
                    item, scores=dict(zip(("a", "b"), pair if stays else pair[::-1], strict=True))
                )
            )
        return dataclasses.replace(self, items=tuple(items))

    def standard(self, label: str) -> list[float]:
        values = [item.scores[label] for item in self.items]
        deviation = float(np.std(values))
        return [(value - float(np.mean(values))) / (deviation or 1.0) for value in values]

    def pooled(self, label: str, name: str, times: dict[int, int] | None = None) -> float | None:
        drawn = [
            item for item in self.items for _ in range(1 if times is None else times[item.segment])
        ]
        return correlation([item.scores[label] for item in drawn], [item.gold for item in drawn], name)

    def mean_of_parts(
        self, parts: Iterable[Sequence[Item]], label: str, name: str
    ) -> tuple[float | None, int]:
        """The mean of the parts' coefficients under the policy, and the number of parts."""
        values = []
        for part in parts:
            gold = [item.gold for item in part]
            value = correlation([item.scores[label] for item in part], gold, name)
            if value is None and self.constant == "zero" and len(set(gold)) > 1:
                value = 0.0
            if value is not None:
                values.append(value)
        return (math.fsum(values) / len(values) if values else None), len(values)

    def by_source(self, label: str, name: str, times: dict[int, int] | None = None) -> float | None:
        parts = [
            [item for item in self.items if item.segment == segment]
            for segment in self.segments
            for _ in range(1 if times is None else times[segment])
        ]
        return self.mean_of_parts(parts, label, name)[0]

    def by_system(self, label: str, name: str, times: dict[int, int] | None = None) -> float | None:
        parts = [
            [
                item
                for item in self.items
                if system in item.systems
                for _ in range(1 if times is None else times[item.segment])
            ]
            for system in self.systems
        ]
        return self.mean_of_parts(parts, label, name)[0]

    def system_means(
        self, label: str | None, times: dict[int, int] | None = None
    ) -> list[float] | None:
        """The mean score, or rating without a label, of each system; None if one has no item."""
        means = []
        for system in self.systems:
            values = [
                item.gold if label is None else item.scores[label]
                for item in self.items
                if system in item.systems
                for _ in range(1 if times is None else times[item.segment])
            ]
            if not values:
                return None
            means.append(math.fsum(values) / len(values))
        return means

    def pairs(self) -> list[tuple[Item, Item]]:
        """All pairs of candidates for one source."""
        return [
            pair
            for segment in self.segments
            for pair in itertools.combinations(
                [item for item in self.items if item.segment == segment], 2
            )
        ]

    def accuracy(
        self, label: str, times: dict[int, int] | None = None, tie: float = 0.0
    ) -> float | None:
        """Mean share of pairs on which both agree; differences up to `tie` count as none."""
        agreed: dict[int, list[bool]] = {}
        for a, b in self.pairs():
            change = a.scores[label] - b.scores[label]
            said = 0 if abs(change) <= tie else sign(change)
            agreed.setdefault(a.segment, []).append(said == sign(a.gold - b.gold))
        shares = [
            sum(right) / len(right)
            for segment, right in agreed.items()
            for _ in range(1 if times is None else times[segment])
        ]
        return math.fsum(shares) / len(shares) if shares else None

    def tuned(self, label: str, times: dict[int, int] | None = None) -> tuple[float | None, float]:
        """The largest accuracy over all thresholds, and the smallest threshold that reaches it."""
        gaps = {abs(a.scores[label] - b.scores[label]) for a, b in self.pairs()}
        best, tie = None, 0.0
        for gap in sorted({0.0, *gaps}):
            value = self.accuracy(label, times, gap)
            if value is not None and (best is None or value > best + 1e-12):
                best, tie = value, gap
        return best, tie


def plain(
    facts: Sequence[Fact],
    labels: Iterable[str],
    *,
    judge: str | None = None,
    lower: Iterable[str] = (),
    sign_of_gold: int = 1,
    constant: str = "zero",
) -> dict[str, Plain]:
    """The usable items of each group."""
    numbers: dict[tuple[str, str], int] = {}
    for fact in facts:
        numbers.setdefault((fact.group, fact.segment), len(numbers))
    order = list(dict.fromkeys(name for fact in facts for name in fact.systems))
    result = {}
    for group in dict.fromkeys(fact.group for fact in facts):
        items = []
        for fact in facts:
            said = [
                value
                for name, value in fact.ratings.items()
                if not math.isnan(value) and judge in (None, name)
            ]
            scores = {label: fact.scores[label] * (-1 if label in lower else 1) for label in labels}
            if fact.group != group or not said or any(map(math.isnan, scores.values())):
                continue
            gold = sign_of_gold * math.fsum(said) / len(said)
            items.append(Item(numbers[group, fact.segment], fact.systems, gold, scores))
        present = {name for item in items for name in item.systems}
        if items:
            systems = tuple(name for name in order if name in present)
            result[group] = Plain(tuple(items), systems, constant)
    return result


def evalset(facts: Sequence[Fact], *, lower: Iterable[str] = (), criterion: str = CRITERION) -> EvalSet:
    """The facts as an evaluation set."""
    builder = Builder()
    for fact in facts:
        item = builder.item(builder.segment(fact.segment, fact.group), fact.systems)
        for judge, value in fact.ratings.items():
            builder.rating(item, judge, {criterion: value})
        for label, value in fact.scores.items():
            builder.score(item, label, value)
    judged = builder.done()
    scores = {
        label: dataclasses.replace(one, higher_is_better=label not in lower)
        for label, one in judged.scores.items()
    }
    return dataclasses.replace(judged, scores=scores)


def random_facts(
    seed: int,
    *,
    segments: int = 12,
    systems: Sequence[str] = ("a", "b", "c", "d"),
    judges: Sequence[str] = ("A", "B"),
    groups: Sequence[str] = ("",),
    missing: float = 0.1,
    step: float = 1.0,
) -> list[Fact]:
    """Candidates with ties, shared and nameless ones, and gaps in ratings and scores.

    Metrics: `near` follows the ratings, `coarse` does so in large steps, `ter` falls as they rise.
    """
    rng = np.random.default_rng(seed)
    quality = dict(zip(systems, rng.normal(size=len(systems)), strict=True))
    facts = []
    for group, number in itertools.product(groups, range(segments)):
        left = list(systems)
        while left:
            # One in seven candidates is shared with the next system, one in ten has no system.
            names = tuple(left[: 2 if rng.random() < 1 / 7 else 1])
            left = left[len(names) :]
            if rng.random() < missing:
                continue
            true = quality[names[0]] + rng.normal()
            ratings = {
                judge: float(np.clip(np.round((3 + true + 0.5 * rng.normal()) / step) * step, 1, 5))
                for judge in judges
                if rng.random() > missing
            }
            near = 0.7 * true + rng.normal()
            scores = {
                "near": near,
                "coarse": float(np.round(true + rng.normal())),
                "ter": 60 - 10 * true + 12 * rng.normal(),
            }
            scores = {k: v if rng.random() > missing / 3 else math.nan for k, v in scores.items()}
            facts.append(Fact(str(number), names if rng.random() > 0.1 else (), ratings, scores, group))
    return facts


class Twin:
    """The builders and the plain loops, for tests."""

    Fact = Fact
    criterion = CRITERION
    facts = staticmethod(random_facts)
    evalset = staticmethod(evalset)
    plain = staticmethod(plain)
    correlation = staticmethod(correlation)


@pytest.fixture(scope="session")
def twin() -> Twin:
    """Facts, the evaluation set made of them, and plain loops over them."""
    return Twin()


@pytest.fixture(scope="session")
def same() -> Callable[..., None]:
    """Check that numbers are equal to 1e-9, None standing for NaN."""

    def check(actual: Iterable[float], wanted: Iterable[float | None]) -> None:
        expected = [math.nan if value is None else value for value in wanted]
        np.testing.assert_allclose(list(actual), expected, rtol=0, atol=1e-9, equal_nan=True)

    return check
