"""Numbers that say the same in another way, and numbers that do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.metrics.pem import PEM
from paragauge.metrics.pem.adequacy.quantities import numbers_disagree, read_quantities

SAME = [
    ("half an hour", "30 minutes"),
    ("at half past three", "at 3:30"),
    ("at a quarter to four", "at 3:45"),
    ("five and a half hours", "five hours and thirty minutes"),
    ("an hour and a half", "90 minutes"),
    ("six months", "half a year"),
    ("more than fifty years", "over half a century"),
    ("half of the class", "one in two pupils"),
    ("50 percent", "half"),
    ("two thirds", "67 percent"),
    ("twenty-one", "21"),
    ("two thousand five hundred", "2,500"),
    ("1,500", "fifteen hundred"),
    ("one hundred and five", "105"),
    ("260 pounds", "117 kg"),
    ("8,3 m", "8.30 m"),
    ("$64.7 billion", "some $65 billion"),
    ("0.66 percent", "0.7 percent"),
    ("75.88%", "75 percent"),
    ("14 days", "two weeks"),
    ("1,000 meters", "one kilometer"),
    ("$1.0 bn", "$1 billion"),
]
OTHER = [
    ("in 2005", "in 2006"),
    ("at 7 p.m.", "at eight in the evening"),
    ("1,500 people", "2,500 people"),
    ("3.9 percent, to $1.63 billion", "5 percent to $1.46 billion"),
    ("25 people", "30 people"),
    ("paragraph 104", "paragraph 105"),
    ("at 3:30", "at half past four"),
    ("two hours", "two hours and a half"),
    ("a third of it", "a quarter of it"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_number_in_another_form_agrees(one: str, other: str) -> None:
    assert not numbers_disagree(one, other)
    assert not numbers_disagree(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_numbers_disagree(one: str, other: str) -> None:
    assert numbers_disagree(one, other)
    assert numbers_disagree(other, one)


def test_a_number_on_one_side_only_is_no_disagreement() -> None:
    assert not numbers_disagree("He has 3 dogs and 2 cats.", "He has 3 dogs.")
    assert not numbers_disagree("", "He has 3 dogs.")


@given(st.text(alphabet="0123456789:.,% ahlfndoeimutsrkp", max_size=30))
def test_no_text_disagrees_with_itself_and_reading_never_fails(text: str) -> None:
    read_quantities(text)
    assert not numbers_disagree(text, text)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_disagreement_has_no_direction(one: int, other: int) -> None:
    texts = f"{one} people", f"{other:,} people"
    assert numbers_disagree(*texts) == numbers_disagree(*texts[::-1])


@pytest.mark.parametrize(
    ("source", "candidate"),
    [
        (
            "Revenue rose 3.9 percent, to $1.63 billion, in the second quarter.",
            "In the first quarter, revenue increased 5 percent to $1.46 billion.",
        ),
        (
            "About 1,500 people came to the concert.",
            "Some 2,500 fans attended the concert on the evening.",
        ),
    ],
)
def test_pem_counts_other_numbers_in_new_wording(source: str, candidate: str) -> None:
    (score,) = PEM().segments([candidate], sources=[source])
    assert score < 40
