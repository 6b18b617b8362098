"""Which pairs of phrases agree in number, verb forms and directions, and add nothing."""

from __future__ import annotations

import pyarrow as pa
import pytest

from paragauge.generate.filters.phrase_details import keeps_details
from paragauge.generate.filters.phrase_filter import PhraseFilter

KEPT = [
    ("plays", "is playing"),
    ("playing", "is playing"),
    ("chopping", "slicing"),
    ("people", "a group of people"),
    ("in the sofa", "on the couch"),
    ("falls down", "falls"),
    ("potatoes", "some potatoes"),
    ("some paper", "paper"),
    ("fries", "is cooking"),
    ("is being cut", "someone is cutting"),
    ("the", "a"),
    ("Is Cutting", "slices"),
    ("a bus", "the bus"),
    ("something", "a thing"),
    ("is falling", "falls"),
    ("jumping over", "is jumping over"),
]
CHANGED = [
    ("drinks", "drinking"),
    ("falling", "falls"),
    ("pushing a", "pushes a"),
    ("jumps in", "jumps out of"),
    ("conversation", "talking"),
    ("dance", "dancing"),
    ("buttered bread", "spreading butter on bread"),
    ("potatoes", "a potato"),
    ("a trick", "tricks"),
    ("cats are", "cat are"),
    ("drums", "a drum set"),
    ("room", "living room"),
    ("soup", "chicken noodle soup"),
    ("cracking eggs", "cracks eggs into a bowl"),
    ("is picking", "picks up"),
    ("walking", "walking on"),
]


@pytest.mark.parametrize(("source", "target"), KEPT)
def test_the_same_details(source: str, target: str) -> None:
    assert keeps_details(source, target)


@pytest.mark.parametrize(("source", "target"), CHANGED)
def test_other_details(source: str, target: str) -> None:
    assert not keeps_details(source, target)


def test_the_filter_asks_for_details_alone_too() -> None:
    sides = [("room", "room"), *KEPT, *CHANGED]
    rows = pa.table({"source": [s for s, _ in sides], "target": [t for _, t in sides]})
    phrases = PhraseFilter(0, "no-such-encoder", keep_persons=False)
    kept = phrases.filter_rows(rows)
    assert (len(kept), phrases.dropped) == (1 + len(KEPT), len(CHANGED))
    either = PhraseFilter(0, "no-such-encoder", keep_persons=False, keep_details=False)
    assert either.filter_rows(rows) is rows
