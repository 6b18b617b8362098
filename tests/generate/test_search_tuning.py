"""Weights of a search objective: the choice by hand on a small pool, rounds, and what is rejected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import pytest

from paragauge import BLEU, TER
from paragauge.errors import InputError, LengthError, SettingError
from paragauge.generate.nbest import NBest
from paragauge.generate.objective import parse_objective
from paragauge.generate.search_tuning import SearchRound, TextPool, tune_search
from paragauge.kernels.layout import Floats
from paragauge.lm.text_form import TextForm
from paragauge.metrics.base import MeanMetric
from paragauge.text.lines import Lines

OBJECTIVE = parse_objective("pinc:order=1+model")
SOURCES = ["a b c d", "e f g h"]
# The model prefers copies by 1 per word to the first rewording, and that by 1 to the second one.
LISTS = {
    "a b c d": [("a b c d", -0.0), ("a b c x", -4.0), ("z y x w", -8.0)],
    "e f g h": [("e f g h", -0.0), ("e f g x", -4.0), ("z y x w", -8.0)],
}


@dataclass(frozen=True)
class Listed:
    """A paraphraser with given lists."""

    form: TextForm = field(default_factory=lambda: TextForm("blanks"))
    name: str = "lists"
    longest: int = 200
    features: tuple[str, ...] = ("f",)
    weights: Floats = field(default_factory=lambda: np.ones(1))

    def with_weights(self, weights: Floats) -> Self:
        return replace(self, weights=weights)

    def nbest(
        self,
        lines: Lines | Sequence[str],
        size: int = 1,
        *,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
    ) -> NBest:
        rows = [row for line in lines for row in LISTS.get(line, [])[:size]]
        counts = [len(LISTS.get(line, [])[:size]) for line in lines]
        scores = np.array([score for _, score in rows])
        texts = Lines.of([text for text, _ in rows])
        return NBest(("f",), texts, np.cumsum([0, *counts]), scores[:, None], scores)


class FirstColumn(MeanMetric):
    """A stand-in whose statistics are given."""

    name = "first"
    needs = frozenset()

    def batch_stats(self, batch: object, system: str) -> Floats:
        raise NotImplementedError


def pool() -> TextPool:
    """PINC of order 1 and the model per word; the middle text of each sentence is the good one."""
    terms = np.array([[0.0, 0.0], [25.0, -1.0], [100.0, -2.0]] * 2)
    stats = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 1.0]] * 2)
    return TextPool(terms, stats, np.array([0, 3, 6]))


def test_the_middle_text_wins_between_two_weights() -> None:
    # 25 - w > 0 and 25 - w > 100 - 2 w never hold together: w < 25 and w > 75. So the middle one of
    # these can never be the best; with 60 for its PINC, it is for 40 < w < 60.
    assert pool().score(FirstColumn(), [1, 50]) == 0
    better = replace(pool(), terms=np.array([[0.0, 0.0], [60.0, -1.0], [100.0, -2.0]] * 2))
    assert better.score(FirstColumn(), [1, 50]) == 1
    assert better.score(FirstColumn(), [1, 39]) == 0
    assert better.score(FirstColumn(), [1, 61]) == 0
    # 3 x 2^4 = 48 is the only one of the grid between 40 and 60; 50 stays as it is.
    assert better.choose_weights(FirstColumn(), [1, 3]) == (1, 48)
    assert better.choose_weights(FirstColumn(), [1, 50]) == (1, 50)


def test_balanced_weights_by_hand() -> None:
    # Within sentences the variances are those of (0, 25, 100) and (0, -1, -2).
    first, second = np.std([0, 25, 100]), np.std([0, 1, 2])
    assert pool().balanced_weights([2, 7]) == pytest.approx((2, 2 * first / second))
    assert pool().balanced_weights([2, -7]) == pytest.approx((2, -2 * first / second))
    constant = replace(pool(), terms=np.ones((6, 2)))
    assert constant.balanced_weights([2, 7]) == (2, 7)


def test_tuning_finds_the_copies_that_the_references_are() -> None:
    rounds: list[SearchRound] = []
    tuned = tune_search(
        Listed(), SOURCES, OBJECTIVE, BLEU(), references=[[text] for text in SOURCES],
        on_round=rounds.append,
    )  # fmt: skip
    # With weight 1 PINC decides; copies win from weight 50 on.
    assert tuned.history[0].weights == (1, 1)
    assert tuned.history[0].score < 1
    assert tuned.history[tuned.best].score == pytest.approx(100)
    assert tuned.objective.weights[1] > 50
    assert tuned.objective.names == OBJECTIVE.names
    assert tuple(rounds) == tuned.history
    assert tuned.history[-1].texts == 6
    again = tune_search(Listed(), SOURCES, OBJECTIVE, BLEU(), references=[[s] for s in SOURCES])
    assert again == tuned


def test_lower_can_be_better_and_the_original_weights_may_stay() -> None:
    tuned = tune_search(Listed(), SOURCES, OBJECTIVE, TER(), references=[["z y x w"]] * 2)
    assert (tuned.best, tuned.objective) == (0, OBJECTIVE)
    assert tuned.history[0].score == 0


def test_what_is_rejected() -> None:
    cases = [
        ({"objective": parse_objective("pinc")}, SettingError, "expected two or more terms"),
        ({"objective": parse_objective("pinc+0*targetf1+model")}, SettingError, "a weight of 0"),
        ({"rounds": 0}, SettingError, "rounds: expected a whole number from 1 to 1000, found 0"),
        ({"sources": [""]}, InputError, "expected at least one sentence"),
        ({"references": [["a"]]}, LengthError, "expected references for 2 sources, found 1"),
    ]
    for changes, error, message in cases:
        given = {"sources": SOURCES, "objective": OBJECTIVE, "metric": BLEU(), **changes}
        given.setdefault("references", [["a"]] * len(given["sources"]))
        with pytest.raises(error, match=message):
            tune_search(Listed(), **given)
