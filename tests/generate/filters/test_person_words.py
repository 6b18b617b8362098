"""Which pairs of phrases speak of the same persons."""

from __future__ import annotations

import pyarrow as pa
import pytest

from paragauge.generate.filters.person_words import keeps_persons
from paragauge.generate.filters.phrase_filter import PhraseFilter

KEPT = [
    ("a lady", "the woman"),
    ("a boy sings", "a kid is singing"),
    ("a young man", "the man"),
    ("is slicing", "cuts"),
    ("is being cut", "someone is cutting"),
    ("played his guitar", "played the guitar"),
    ("the man plays his guitar", "a guy plays a guitar"),
    ("A Man", "the man"),
]
CHANGED = [
    ("a person", "a man"),
    ("someone is", "a man is"),
    ("a kid", "a boy"),
    ("a man", "a boy"),
    ("a man", "men"),
    ("two men", "a man"),
    ("a girl", "a boy"),
    ("man is riding", "riding"),
    ("is being cut", "a man is cutting"),
    ("the guitar", "his guitar"),
]


@pytest.mark.parametrize(("source", "target"), KEPT)
def test_the_same_persons(source: str, target: str) -> None:
    assert keeps_persons(source, target)


@pytest.mark.parametrize(("source", "target"), CHANGED)
def test_other_persons(source: str, target: str) -> None:
    assert not keeps_persons(source, target)


def test_the_filter_asks_for_persons_alone_too() -> None:
    sides = [("a man", "a man"), *KEPT, *CHANGED]
    rows = pa.table({"source": [s for s, _ in sides], "target": [t for _, t in sides]})
    phrases = PhraseFilter(0, "no-such-encoder", keep_details=False)
    kept = phrases.filter_rows(rows)
    assert (len(kept), phrases.dropped) == (1 + len(KEPT), len(CHANGED))
    either = PhraseFilter(0, "no-such-encoder", keep_persons=False, keep_details=False)
    assert either.filter_rows(rows) is rows
