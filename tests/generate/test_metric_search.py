"""Search for the paraphrase with the best value: exhaustive on small spaces, budgets, restarts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge import PINC
from paragauge.errors import SettingError
from paragauge.generate.generator import Generator, Substitution, Substitutions
from paragauge.generate.metric_search import SearchSettings, search
from paragauge.generate.nbest import NBest
from paragauge.generate.objective import Objective, parse_objective
from paragauge.kernels.layout import Floats
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines

CHANGES = {"a": ["x", "y z"], "b": ["q"], "c": ["c2", ""], "x": ["a"]}


@dataclass(frozen=True)
class Rescorer:
    """Copies each line, and adds the line with its words reversed as the second hypothesis."""

    form: TextForm = field(default_factory=lambda: TextForm("13a", "lower"))
    name: str = "copy"
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
        texts: list[str] = []
        scores: list[float] = []
        offsets = [0]
        for line in lines:
            words = line.lower().split()
            paraphrases = list(dict.fromkeys([" ".join(words), " ".join(reversed(words))]))[:size]
            texts += paraphrases if words else []
            scores += [0.0, -4.0][: len(paraphrases)] if words else []
            offsets.append(len(texts))
        values = np.array(scores)
        return NBest(("f",), Lines.of(texts), np.array(offsets), values[:, None], values)


@dataclass(frozen=True)
class Changer(Rescorer):
    """Changes single words as `CHANGES` says, at a cost of 1 each."""

    def substitutions(self, line: str, limit: int = 20) -> list[Substitution]:
        words = line.split()
        return [
            Substitution(place, place + 1, text, -1.0 - rank)
            for place, word in enumerate(words)
            for rank, text in enumerate(CHANGES.get(word, [])[:limit])
        ]


@dataclass(frozen=True)
class Newcomer(Changer):
    """Finds one word for everything, which may be changed back."""

    def nbest(
        self,
        lines: Lines | Sequence[str],
        size: int = 1,
        *,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
    ) -> NBest:
        count = len(lines)
        values = np.zeros(count)
        return NBest(("f",), Lines.of(["x"] * count), np.arange(count + 1), values[:, None], values)


PINC1 = Objective(((1.0, PINC(order=1)),))
WIDE = SearchSettings(budget=100_000, beam=10_000)


def everything(start: str) -> set[str]:
    """All texts that substitutions reach, found breadth first."""
    seen, queue = {start}, [start]
    for text in queue:
        words = text.split()
        for change in Changer().substitutions(text):
            new = " ".join([*words[: change.start], *change.text.split(), *words[change.end :]])
            if new and new not in seen:
                seen.add(new)
                queue.append(new)
    return seen


def test_the_fakes_satisfy_the_protocols() -> None:
    assert isinstance(Rescorer(), Generator)
    assert not isinstance(Rescorer(), Substitutions)
    assert isinstance(Changer(), Substitutions)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_equals_exhaustive_search_with_a_wide_beam(words: list[str]) -> None:
    line = " ".join(words)
    objective = parse_objective("pinc:order=1+0.25*targetf1")
    result = search(Changer(), [line], objective, settings=replace(WIDE, nbest=1))
    texts = sorted(everything(line))
    values = objective.values(texts, [line] * len(texts), np.zeros(len(texts)))
    assert result.values[0] == pytest.approx(values.max())
    assert result.evaluations[0] == len(texts)
    assert result.start_texts == [line]


def test_rescoring_alone() -> None:
    # Reversed words share no pair with the source: PINC of order 2 is the mean of 0 and 100.
    pinc = Objective(((1.0, PINC(order=2)),))
    result = search(Rescorer(), ["a b c", "", "d"], pinc)
    assert result.texts == ["c b a", "", "d"]
    np.testing.assert_array_equal(result.values, [50, np.nan, 0])
    np.testing.assert_array_equal(result.start_values, [0, np.nan, 0])
    np.testing.assert_array_equal(result.rescored_values, [50, np.nan, 0])
    assert result.start_texts == ["a b c", "", "d"]
    assert result.evaluations.tolist() == [2, 0, 1]
    assert result.objective == "pinc:order=2"


def test_by_hand() -> None:
    # a -> x (or y z) and b -> q are new words, c -> c2 is one too: all of 3 words can be new.
    result = search(Changer(), ["A b, C"], PINC1)
    assert result.start_texts == ["a b, c"]
    assert result.values[0] > result.rescored_values[0]
    result = search(Changer(), ["a b c"], PINC1, settings=WIDE)
    assert result.texts == ["x q c2"]
    assert result.values.tolist() == [100]
    assert result.start_values.tolist() == [0]


def test_the_model_breaks_ties() -> None:
    # "x" costs 1 and "y z" 2; both are new.
    assert search(Changer(), ["a"], PINC1).texts == ["x"]
    # The model's term, per word of the source: 100 - 60 * 1 for "x" beats 0, 100 - 110 does not.
    assert search(Changer(), ["a"], parse_objective("pinc:order=1+60*model")).texts == ["x"]
    assert search(Changer(), ["a"], parse_objective("pinc:order=1+110*model")).texts == ["a"]


def test_slack_keeps_search_close_to_the_model() -> None:
    # Per word of "a b": one change costs 1/2, two cost 1, the list's second 2.
    for slack, best in ((0.4, 0), (0.5, 50), (1, 100)):
        result = search(Changer(), ["a b"], PINC1, settings=SearchSettings(slack=slack))
        assert result.values.tolist() == [best]
    assert search(Changer(), ["a b"], PINC1, settings=SearchSettings(slack=0)).evaluations[0] == 1


def test_the_budget_is_respected() -> None:
    lines = ["a b c a b c", "a", "b b b b"]
    used = []
    for budget in (1, 2, 3, 7, 40):
        result = search(Changer(), lines, PINC1, settings=SearchSettings(budget=budget))
        assert (result.evaluations <= budget).all()
        assert (result.values >= result.rescored_values).all()
        assert (result.rescored_values >= result.start_values).all()
        used.append(result.values.sum())
    assert used == sorted(used)
    assert used[-1] > used[0]


def test_restarts_leave_a_local_optimum() -> None:
    # With a beam of one and no better neighbor, the search stops.
    objective = Objective(((1.0, PINC(order=2)),))
    narrow = SearchSettings(beam=1, limit=1)
    few, more = (
        search(Changer(), ["d d a d"], objective, settings=replace(narrow, restarts=restarts))
        for restarts in (0, 2)
    )
    assert more.evaluations[0] > few.evaluations[0]
    assert more.values[0] >= few.values[0]


def test_batches_threads_and_runs_change_nothing() -> None:
    lines = ["a b c", "c b a a", "b", "", "a x c"] * 3
    settings = SearchSettings(restarts=2, beam=2, budget=20)
    whole = search(Changer(), lines, PINC1, settings=settings, threads=1)
    again = search(Changer(), lines, PINC1, settings=settings, threads=2)
    parts = [search(Changer(), [line], PINC1, settings=settings) for line in lines]
    assert whole.texts == again.texts == [part.texts[0] for part in parts]
    assert whole.evaluations.tolist() == [int(part.evaluations[0]) for part in parts]
    steps: list[int] = []
    search(Changer(), lines, PINC1, settings=settings, progress=steps.append)
    assert sum(steps) == len(lines)


def test_the_source_may_be_left_out() -> None:
    # A lower TargetF1 is better, and a copy has the highest, so this asks for copies.
    objective = parse_objective("-1*targetf1")
    assert search(Newcomer(), ["a"], objective, settings=WIDE).texts == ["a"]
    without = search(Newcomer(), ["a"], objective, settings=replace(WIDE, copies=False))
    assert (without.texts, without.evaluations.tolist()) == (["x"], [1])


def test_texts_that_are_too_long_are_not_changed_further() -> None:
    # With at most one word, a becomes x or "y z", and "y z b" is not changed further.
    assert search(Changer(longest=1), ["a"], PINC1, settings=WIDE).evaluations.tolist() == [3]
    assert search(Changer(longest=1), ["a b"], PINC1, settings=WIDE).texts == ["a b"]


def test_objectives_from_text() -> None:
    small = parse_objective("0.00001*pinc+1e7*model")
    assert small.label == "0.00001*pinc+10000000*model"
    assert parse_objective(small.label) == small
    assert parse_objective("1e+2*pinc+model").label == "100*pinc+model"
    assert parse_objective("pinc").label == "pinc"
    assert parse_objective(" 2 * pinc:order=2 + -1*targetf1").label == "2*pinc:order=2+-1*targetf1"
    # A lower TargetF1 is better, so a positive weight subtracts it: a copy has 100.
    assert parse_objective("targetf1").values(["a b"], ["a b"], np.zeros(1)).tolist() == [-100]
    # A text with an undefined value is never chosen.
    assert parse_objective("model").values(["b"], ["a"], np.array([np.nan])).tolist() == [-np.inf]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bleu", "search: BLEU needs references, which a sentence to paraphrase does not have; use"),
        (
            "pem+",
            r"search 'pem\+': expected metrics with weights, such as pem\+0.3\*pinc, found nothing",
        ),
        (
            "x*pinc",
            (
                r"search 'x\*pinc': expected a number before \*, such as 0.3\*pinc, of at most .*, "
                r"found 'x'"
            ),
        ),
        ("nan*pinc", "expected a number before .*, found 'nan'"),
        ("pink", "unknown metric 'pink'; did you mean 'pinc'"),
        ("pinc+2*pinc", r"search 'pinc\+2\*pinc': pinc is given twice; leave one out"),
        ("model+model", "model is given twice"),
        ("1e308*pinc", r"expected a number before \*, .* of at most 1e.09, found '1e308'"),
        ("pinc+maxsim+dep", "search: MAXSIM.* needs references"),
    ],
)
def test_bad_objectives(text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        parse_objective(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"budget": 0}, "search budget: expected a whole number from 1 to 10000000, found 0"),
        ({"beam": 1.5}, "search beam: expected a whole number from 1 to 10000, found 1.5"),
        ({"slack": -1}, "search slack: expected a number from 0, found -1"),
        ({"slack": float("nan")}, "search slack: expected a number from 0, found nan"),
    ],
)
def test_bad_settings(settings: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        SearchSettings(**settings)  # type: ignore[arg-type]
