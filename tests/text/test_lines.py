"""Lines and LineGroups against plain lists."""

from __future__ import annotations

import re
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.errors import LengthError, ShapeError
from paragauge.text.lines import LineGroups, Lines, check_parallel

texts = st.text(max_size=6) | st.text("aÀÉσΣς İıẞǅﬁ\n\t\u2028", max_size=6)
lists = st.lists(texts, max_size=7)
grouped = st.lists(st.lists(texts, max_size=3), max_size=6)
bounds = st.none() | st.integers(-9, 9)
slices = st.builds(slice, bounds, bounds, st.none() | st.integers(-3, 3).filter(bool))


@given(lists)
def test_there_and_back(sentences):
    lines = Lines.of(sentences)
    assert list(lines) == sentences
    assert [lines[i] for i in range(len(lines))] == sentences
    assert [lines[-i - 1] for i in range(len(lines))] == sentences[::-1]
    assert lines == Lines.of(iter(sentences))
    assert Lines.of(lines) is lines
    assert repr(lines) == f"Lines({len(sentences)})"


@given(lists, slices, slices)
def test_slices(sentences, first, second):
    lines = Lines.of(sentences)
    assert list(lines[first]) == sentences[first]
    assert list(lines[first][second]) == sentences[first][second]


@pytest.mark.parametrize("index", [2, -3, 100])
def test_out_of_range(index):
    with pytest.raises(IndexError):
        Lines.of(["a", "b"])[index]


@given(lists, slices)
@example(["ΣΑΣ", "ΟΔΥΣΣΕΥΣ ΣΟΦΟΣ", "Σ"], slice(None))  # a final sigma is ς, a lone one σ
@example(["İSTANBUL", "IĞDIR"], slice(None))  # dotted I becomes two code points
@example(["ABC", "ÀÉ", "XYZ"], slice(1, None))
def test_lower(sentences, part):
    lines = Lines.of(sentences)
    assert list(lines.lower()) == [text.lower() for text in sentences]
    assert list(lines[part].lower()) == [text.lower() for text in sentences[part]]
    assert list(lines) == sentences  # the original is untouched


def test_lower_by_hand():
    lowercased = Lines.of(["ΟΔΥΣΣΕΥΣ", "Σ", "İ", "I", "ẞ", "ABC"]).lower()
    assert list(lowercased) == ["οδυσσευς", "σ", "i\u0307", "i", "ß", "abc"]


@given(lists)
@example(["", " ", "\u3000\u00a0\x85\u2028", "\u200b", "a"])
def test_empty(sentences):
    assert Lines.of(sentences).count_empty() == sum(not text.strip() for text in sentences)


@pytest.mark.parametrize(("value", "kind"), [("abc", "str"), (b"abc", "bytes"), ("", "str")])
def test_a_single_string_is_not_a_list(value, kind):
    expected = f"sources: expected a list of sentences, found a single {kind}; put it in a list: [text]"
    with pytest.raises(ShapeError, match=f"^{re.escape(expected)}$"):
        Lines.of(value, "sources")


@pytest.mark.parametrize(("value", "kind"), [(5, "int"), (b"a", "bytes"), ([], "list"), ({"a"}, "set")])
def test_not_a_string(value, kind):
    with pytest.raises(ShapeError, match=f"^sources: segment 2: expected a string, found {kind}$"):
        Lines.of(["a", value], "sources")


def test_lone_surrogate():
    expected = (
        "sources: segment 2: character 1 is a lone surrogate, which is not text; "
        "decode the input as UTF-8"
    )
    with pytest.raises(ShapeError, match=f"^{expected}$"):
        Lines.of(["a", "b\udcff"], "sources")


@given(grouped)
def test_groups_there_and_back(rows):
    groups = LineGroups.of(rows)
    assert list(groups) == rows
    assert len(groups) == len(rows)
    assert groups.counts().tolist() == [len(row) for row in rows]
    assert repr(groups) == f"LineGroups({len(rows)} segments, {sum(map(len, rows))} lines)"


@given(lists)
def test_groups_of_strings(sentences):
    groups = LineGroups.of(sentences)
    assert list(groups) == [[text] for text in sentences]
    assert groups.counts().tolist() == [1] * len(sentences)
    assert list(LineGroups.of(Lines.of(sentences))) == [[text] for text in sentences]
    assert LineGroups.of(groups) is groups


@given(grouped, slices, slices)
def test_groups_slices(rows, first, second):
    groups = LineGroups.of(rows)
    assert list(groups[first]) == rows[first]
    assert list(groups[first][second]) == rows[first][second]


@given(lists, slices)
def test_groups_of_strings_slices(sentences, key):
    assert list(LineGroups.of(sentences)[key]) == [[text] for text in sentences[key]]


@given(grouped, st.integers(-9, 9))
def test_groups_integers(rows, i):
    groups = LineGroups.of(rows)
    if -len(rows) <= i < len(rows):
        assert groups[i] == rows[i]
    else:
        with pytest.raises(IndexError, match=f"^segment {i} of {len(rows)}$"):
            groups[i]


@given(st.integers(0, 5), st.integers(1, 3), st.data())
def test_side_by_side(segments, columns, data):
    width = {"min_size": segments, "max_size": segments}
    one = st.lists(texts, **width)
    several = st.lists(st.lists(texts, max_size=3), **width)
    drawn = [data.draw(one | several) for _ in range(columns)]
    rows = [[[item] if isinstance(item, str) else item for item in column] for column in drawn]
    merged = LineGroups.side_by_side([LineGroups.of(column) for column in drawn])
    assert list(merged) == [list(chain(*parts)) for parts in zip(*rows, strict=True)]


def test_side_by_side_of_slices():
    left, right = LineGroups.of([["a", "b"], ["c"], []]), LineGroups.of(["x", "y", "z"])
    assert list(LineGroups.side_by_side([left[1:], right[1:]])) == [["c", "y"], ["z"]]


@pytest.mark.parametrize(("value", "kind"), [("abc", "str"), (b"abc", "bytes")])
def test_groups_of_a_single_string(value, kind):
    expected = f"references: expected a list of sentences, found a single {kind}; put it in a list"
    with pytest.raises(ShapeError, match=f"^{expected}: "):
        LineGroups.of(value)


@pytest.mark.parametrize(("value", "kind"), [(5, "int"), ({"c"}, "set"), (b"c", "bytes")])
def test_groups_of_no_known_kind(value, kind):
    expected = f"references: segment 2: expected a string or a list of strings, found {kind}"
    with pytest.raises(ShapeError, match=f"^{expected}$"):
        LineGroups.of([["a", "b"], value])


def test_strings_and_lists_may_be_mixed():
    assert list(LineGroups.of(["a", ["b", "c"]])) == [["a"], ["b", "c"]]
    assert list(LineGroups.of([["b", "c"], "a"])) == [["b", "c"], ["a"]]


@pytest.mark.parametrize(
    ("value", "kind"), [(5, "int"), (None, r"a missing text \(None\); leave it out"), (["d"], "list")]
)
def test_a_bad_item_is_found_in_its_segment(value, kind):
    # Four strings come before it, but it stands in the second segment.
    expected = f"references: segment 2: expected a string, found {kind}"
    with pytest.raises(ShapeError, match=f"^{expected}$"):
        LineGroups.of([["a", "b", "c"], ["d", value]])


def test_a_lone_surrogate_is_found_in_its_segment():
    with pytest.raises(ShapeError, match=r"^references: segment 2: character 0 is a lone surrogate, "):
        LineGroups.of([["a", "b", "c"], ["d", "\ud800"]])


def test_check_parallel():
    same = {"candidates": Lines.of(["a", "b"]), "sources": LineGroups.of([["a"], []])}
    assert check_parallel(same) == 2
    expected = "candidates has 2 segments but sources has 1; give one item per segment"
    with pytest.raises(LengthError, match=f"^{re.escape(expected)}$"):
        check_parallel({"candidates": Lines.of(["a", "b"]), "sources": Lines.of(["a"])})


def test_arrays_are_what_kernels_take():
    lines = Lines.of(["a", "é"])
    assert lines.buffer.dtype == np.uint8
    assert lines.spans.dtype == np.int64
    assert lines.spans.tolist() == [[0, 1], [1, 3]]
