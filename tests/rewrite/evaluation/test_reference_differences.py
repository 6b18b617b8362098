"""How references differ: arithmetic by hand, and a twin that counts one pair at a time."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, SettingError
from paragauge.rewrite.evaluation.reference_differences import differences, edit_distance

FOUR = ["It is hard.", "It is hard.", "it is difficult!", "Nothing is easy to say here."]


def test_pairs_by_hand():
    counts = differences([FOUR, ["Only one."]], least=3)
    # Six pairs of four references; one of them is identical, letter by letter.
    assert (counts.segments, counts.single, counts.pairs, counts.identical) == (2, 1, 6, 1)
    # it is hard / it is hard: 0; it is hard / it is difficult: 1 (twice); it is hard / nothing is easy
    # to say here: 2 words are only in the first, 5 only in the second: 5; also for it is difficult.
    assert counts.words.tolist() == [0, 1, 5, 1, 5, 5]
    assert counts.unmatched.tolist() == [0, 2, 7, 2, 7, 7]
    # nothing for it; easy, to, say, here for hard: five edits, and is stays.
    assert counts.edits.tolist() == [0, 1, 5, 1, 5, 5]
    # hard and difficult are synonyms in both directions.
    assert counts.synonyms.tolist() == [0, 2, 0, 2, 0, 0]
    assert (counts.at_least, counts.with_synonyms) == (3, 2)
    assert counts.synonym_share == pytest.approx(4 / 25)


def test_the_pairs_of_the_paper():
    """1,788 segments with four references are the paper's 10,728 pairs."""
    assert differences([["a", "b", "c", "d"]] * 1788).pairs == 10728


def test_order_alone_makes_edits_but_no_words_that_differ():
    counts = differences([["a b c d", "d c b a"]])
    assert (counts.words.tolist(), counts.edits.tolist(), counts.identical) == ([0], [4], 0)


def test_repeated_words_count_as_often_as_they_occur():
    assert differences([["the the the cat", "the cat"]]).words.tolist() == [2]


@given(
    st.lists(
        st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=2, max_size=3),
        min_size=1,
        max_size=3,
    )
)
def test_against_a_twin(segments):
    # The names of the words are long, so that no thesaurus knows them.
    groups = [["x " + " ".join(f"zzq{w}" for w in words) for words in group] for group in segments]
    if len(groups) > 1 and all(len(group) == len(groups) for group in groups):
        return  # looks transposed, which is refused
    counts = differences(groups)
    expected_words, expected_edits = [], []
    for group in segments:
        for one, other in combinations(group, 2):
            surplus, lack = (
                sum(max(0, a.count(w) - b.count(w)) for w in "abcde")
                for a, b in ((one, other), (other, one))
            )
            expected_words.append(max(surplus, lack))
            expected_edits.append(slow_edits(tuple(one), tuple(other)))
    assert counts.words.tolist() == expected_words
    assert counts.edits.tolist() == expected_edits
    assert (counts.words <= counts.edits).all()
    assert counts.synonyms.sum() == 0


def slow_edits(one, other):
    """The definition, by recursion."""
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return slow_edits(one[1:], other[1:])
    return 1 + min(
        slow_edits(one[1:], other), slow_edits(one, other[1:]), slow_edits(one[1:], other[1:])
    )


def test_edit_distance_by_hand():
    assert edit_distance([], []) == 0
    assert edit_distance(["a"], []) == 1
    assert edit_distance(list("kitten"), list("sitting")) == 3


def test_errors():
    with pytest.raises(InputError, match="expected at least two references of some segment, found one"):
        differences([["a"], ["b"]])
    with pytest.raises(SettingError, match="least: expected at least 1 word, found 0"):
        differences([["a", "b"]], least=0)
