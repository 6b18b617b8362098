"""Opposites and exchanged roles in new wording, and what only looks like them."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from paragauge import PEM, Adequacy, PEMContext
from paragauge.metrics.pem.adequacy import contradictions
from paragauge.metrics.pem.adequacy.contradictions import (
    exchanges_roles,
    find_contradictions,
    may_contradict,
    says_opposite,
)
from paragauge.metrics.pem.adequacy.word_changes import WordLinks, link_words
from paragauge.metrics.pem.learned_parts import OTHER_MEANING
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

OPPOSITE = [
    ("Shares of the bakery fell sharply on Monday.", "On Monday the bakery's stock gained a lot."),
    ("The jury convicted the driver.", "In the end the driver was acquitted by the jurors."),
    ("The soup was hot when it came.", "It was cold, the soup that the waiter brought."),
    ("Nora lent Paul her bicycle.", "For a week, Nora borrowed Paul's old bicycle."),
]
ROLES = [
    ("The lawyer accused the banker of fraud.", "The lawyer was charged with fraud by the banker."),
    ("The dog chased the postman.", "The dog was chased down the whole street by the postman."),
    ("The nurse called him.", "He called the nurse."),
    ("The price of oil depends on the dollar.", "The dollar depends on the price of crude oil."),
    ("My cousin teaches Spanish.", "A Spanish teaches my cousin."),
]
KEPT = [
    ("Shares of the bakery fell by 12 percent.", "The bakery's shares dropped 12 percent."),
    ("The lawyer accused the banker of fraud.", "The banker was accused of fraud by the lawyer."),
    ("The eagle found by the keeper was hurt.", "The keeper found the eagle, which was hurt."),
    ("Tom sold the car to Ann.", "Ann bought the car from Tom."),
    ("Nora lent Paul her bicycle.", "Paul borrowed Nora's bicycle."),
    ("Ann is taller than Tom.", "Tom is shorter than Ann."),
    ("Trains are cheaper than planes.", "Trains are less expensive than planes."),
    ("The door was open.", "The door was not closed."),
    ("As the sea warms, fish look for cold water.", "Fish look for cooler water as the sea warms up."),
    ("The price came down.", "The price went down."),
    ("He said that he would come.", "He promised that he was coming."),
    ("Physics does not interest me.", "I am not interested in physics."),
]


def link(pairs: list[tuple[str, str]]) -> list[WordLinks]:
    return link_words(
        Lines.of([candidate for _, candidate in pairs]),
        Lines.of([source for source, _ in pairs]),
        WordWeights.default(),
    )


def find(pairs: list[tuple[str, str]]) -> list[bool]:
    sources, candidates = (Lines.of(list(side)) for side in zip(*pairs, strict=True))
    return [bool(value) for value in find_contradictions(candidates, sources)]


def test_examples() -> None:
    assert doctest.testmod(contradictions).failed == 0


@pytest.mark.parametrize("pair", OPPOSITE)
def test_opposites_are_found_in_new_wording(pair: tuple[str, str]) -> None:
    assert find([pair]) == find([pair[::-1]]) == [True]
    assert says_opposite(link([pair])[0])


@pytest.mark.parametrize("pair", ROLES)
def test_exchanged_roles_are_found_in_new_wording(pair: tuple[str, str]) -> None:
    assert find([pair]) == find([pair[::-1]]) == [True]
    assert exchanges_roles(link([pair])[0])


@pytest.mark.parametrize("pair", KEPT)
def test_what_says_the_same_is_no_contradiction(pair: tuple[str, str]) -> None:
    assert find([pair]) == find([pair[::-1]]) == [False]


def test_nothing_contradicts_itself() -> None:
    texts = [text for pair in (*OPPOSITE, *ROLES, *KEPT) for text in pair]
    assert not any(find([(text, text) for text in texts]))


@pytest.mark.parametrize("pair", [*OPPOSITE, *ROLES])
def test_features_tell_which_pairs_to_link(pair: tuple[str, str]) -> None:
    batch = Batch.of({"": [pair[1]]}, sources=[pair[0]])
    assert may_contradict(Adequacy().line_features(batch, "")).tolist() == [True]


def test_less_of_the_adequacy_counts_in_pem() -> None:
    pairs = [*OPPOSITE, *ROLES, *KEPT]
    texts = {"candidates": [pair[1] for pair in pairs], "sources": [pair[0] for pair in pairs]}
    own = Adequacy().segments(texts["candidates"], sources=texts["sources"])
    part = PEM().components(texts["candidates"], sources=texts["sources"])["adequacy"]
    share = np.where(find(pairs), OTHER_MEANING, 1.0)
    np.testing.assert_allclose(part, own * share)


def test_each_source_of_a_segment_is_compared() -> None:
    source, candidate = ROLES[0]
    kept = "The banker accused the lawyer of fraud."
    alone = [PEM().segments([candidate], sources=[text])[0] for text in (source, kept)]
    assert alone[0] < alone[1]
    both = PEM().segments(["It rains.", candidate], sources=[["It is raining."], [source, kept]])
    assert both[1] == pytest.approx(np.mean(alone))


@pytest.mark.parametrize("metric", [PEM(), PEMContext()], ids=lambda metric: metric.name)
@pytest.mark.parametrize(
    ("source", "kept", "changed"),
    [
        (
            "The lawyer accused the banker of hiding money abroad.",
            "The banker was accused by the lawyer of stashing cash overseas.",
            "The lawyer was accused by the banker of stashing cash overseas.",
        ),
        (
            "Police arrested three men on Friday over the theft of jewelry.",
            "On Friday officers detained three male suspects in the jewel robbery.",
            "On Friday officers freed three male suspects in the jewel robbery.",
        ),
    ],
)
def test_new_wording_does_not_hide_them(
    metric: PEM | PEMContext, source: str, kept: str, changed: str
) -> None:
    good, bad = metric.segments([kept, changed], sources=[source] * 2)
    assert bad < 35 < 70 < good
