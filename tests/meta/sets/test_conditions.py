"""Conditions on candidates: grammar, precedence, missing values, messages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import SettingError
from paragauge.meta.sets.conditions import holds
from paragauge.meta.sets.evalset_builder import build

VALUES = {
    "a": np.array([1.0, 2.0, 3.0, np.nan]),
    "b": np.array([3.0, 2.0, 1.0, 2.0]),
    "bleu:order=2": np.array([10.0, 20.0, 30.0, 40.0]),
    "and": np.array([0.0, 1.0, 0.0, 1.0]),
    "qualité-2": np.array([0.0, 0.5, 1.0, 1.0]),
}


def met(condition: str) -> str:
    return "".join("-x"[int(is_met)] for is_met in holds(condition, VALUES.__getitem__))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a<2", "x---"),
        ("a<=2", "xx--"),
        ("a>2", "--x-"),
        ("a>=2", "-xx-"),
        ("a=2", "-x--"),
        ("a==2", "-x--"),
        ("a!=2", "x-x-"),
        ("  a\t>= 2 ", "-xx-"),
        ("a>=2and b<2", "--x-"),
        ("a>-1", "xxx-"),
        ("a>+1.5e0", "-xx-"),
        ("a>.5", "xxx-"),
        ("a<1e1", "xxx-"),
        ('"bleu:order=2">20', "--xx"),
        ('"and"=1', "-x-x"),
        ("qualité-2>=.5", "-xxx"),
        # and binds closer than or, and not closer than both
        ("a=1 or a=2 and b=1", "x---"),
        ("(a=1 or a=2) and b=2", "-x--"),
        ("not a=1 and b=2", "-x-x"),
        ("not (a=1 and b=3)", "-xxx"),
        ("not not a=1", "x---"),
        ("a=1 and b=3 or a=3 and b=1", "x-x-"),
        ("((a=1))", "x---"),
    ],
)
def test_meaning(condition, expected):
    assert met(condition) == expected


def test_a_missing_value_meets_no_comparison():
    for operator in ("<", "<=", ">", ">=", "=", "==", "!="):
        assert not holds(f"a {operator} 2", VALUES.__getitem__)[3]


@pytest.mark.parametrize(
    ("condition", "token"),
    [
        ("", "its end"),
        ("   ", "its end"),
        ("a", "its end"),
        ("a>", "its end"),
        ("a>b", "'b'"),
        ("4<a", "'4'"),
        ("a>4 b>3", "'b'"),
        ("a>4 and", "its end"),
        ("(a>4", "its end"),
        ("a>4)", "')'"),
        ("a>4 AND b>3", "'AND'"),
        ("a>4 && b>3", "'&'"),
        ("a=>4", "'>'"),
        ("a>3-2", "'-2'"),
        ("a>1,5", "','"),
        ('"a>4', "'\"'"),
        ("and>4", "'and'"),
    ],
)
def test_errors(condition, token):
    with pytest.raises(SettingError) as error:
        holds(condition, VALUES.__getitem__)
    assert str(error.value) == (
        f"condition '{condition}': expected NAME OPERATOR NUMBER, joined by and, or, not and brackets, "
        f"found {token}; for example: adequacy>=4 and bleu>60"
    )


@pytest.mark.parametrize("start", ["(", "not "])
def test_too_many_brackets(start):
    with pytest.raises(SettingError, match="too many brackets and nots within one another"):
        holds(start * 5000 + "a>1" + ")" * 5000 * (start == "("), VALUES.__getitem__)


def test_names_are_metrics_and_criteria():
    judged = build([("1", "a", "A", {"overall": 2.0}), ("2", "a", "A", {"overall": 4.0})])
    assert holds("overall>3", judged.value_of).tolist() == [False, True]
    message = "unknown metric or criterion 'overal'; did you mean 'overall'"
    with pytest.raises(SettingError, match=message):
        holds("overal>3", judged.value_of)


trees = st.recursive(
    st.tuples(
        st.sampled_from(sorted(VALUES)),
        st.sampled_from(["<", "<=", ">", ">=", "=", "==", "!="]),
        st.sampled_from([-1.0, 0.0, 1.0, 2.0, 2.5, 20.0, 1e3]),
    ),
    lambda inner: (
        st.tuples(st.just("not"), inner) | st.tuples(inner, st.sampled_from(["and", "or"]), inner)
    ),
    max_leaves=8,
)


def written(tree):
    """The condition of a tree, with brackets around everything that is put together."""
    if tree[0] == "not":
        return f"not ({written(tree[1])})"
    if tree[1] in ("and", "or") and len(tree) == 3 and isinstance(tree[0], tuple):
        return f"({written(tree[0])}) {tree[1]} ({written(tree[2])})"
    name, operator, bound = tree
    return f'"{name}" {operator} {bound!r}'


def meaning(tree, item):
    if tree[0] == "not":
        return not meaning(tree[1], item)
    if isinstance(tree[0], tuple):
        sides = meaning(tree[0], item), meaning(tree[2], item)
        return all(sides) if tree[1] == "and" else any(sides)
    name, operator, bound = tree
    value = float(VALUES[name][item])
    if math.isnan(value):
        return False
    return {
        "<": value < bound,
        "<=": value <= bound,
        ">": value > bound,
        ">=": value >= bound,
        "=": value == bound,
        "==": value == bound,
        "!=": value != bound,
    }[operator]


@given(tree=trees)
def test_what_is_written_is_what_is_meant(tree):
    expected = [meaning(tree, item) for item in range(4)]
    assert holds(written(tree), VALUES.__getitem__).tolist() == expected


@given(text=st.text('ab()<>=! andornt"0123456789.-', max_size=20))
def test_any_text_is_a_condition_or_an_explained_error(text):
    def value_of(name):
        return VALUES.get(name, VALUES["a"])

    try:
        mask = holds(text, value_of)
    except SettingError as error:
        message = str(error)
    else:
        message = f"condition '{text}'" if len(mask) == 4 else ""
    assert f"condition '{text}'" in message
