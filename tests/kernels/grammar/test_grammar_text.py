"""Lines of grammars: the kernels against their twins, on lines that are good, near misses and noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.grammar_line import (
    LABELED,
    MOSES_PHRASES,
    MOSES_RULES,
    ParsedRule,
    parse_grammar_line,
)
from paragauge.kernels.layout import pack_texts, unpack_texts
from paragauge.kernels.reference.grammar.grammar_writer import JOSHUA, TO_MOSES_PHRASES, TO_MOSES_RULES

GOOD = [
    "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| p=0.5 q=-1e-3 ||| 1-2 ||| Equivalence",
    "[X] ||| [X,1] foo ||| foo [1] ||| EgivenF=1 count=3",
    "[$+PRN+PRP] ||| [,,1] [NP\\PP,2] us ||| [NP\\PP,2] [,,1] us ||| 0 1 -0.0 x=NA ||| 0-1 2-2",
    "[X] ||| a ||| b",
    "[X][NP] 's [X][X] [X] ||| the [X][X] of [X][NP] [S] ||| 0.5 1 ||| 0-3 1-0 2-1 ||| 4 2.5 1 |||",
    "la maison ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 4 2 1 |||",
]
PIECES = (
    "||| | a é 🙂 [X] [X,1] [X,2] [Y,1] [1] [2] [01] [0] [,,1] [a,1 [,1] [X,] [X][X] [X][Y] [Y][X] "
    "[][X] [X][] [99999999999] [a,9999999999] 0-0 1-0 0-1 2-2 0- 0-0-0 1 0.5 -.5 +5. 1e-3 1e -1 --1 "
    "1e400 1e-400 inf nan NA a=NA a=1 a=2 b==3 =1 a= count=3 count=0.5 count=-1 count=1e17 0=4 "
    "p(e|f)=1 ١ \t \r \0"
)
pieces = st.sampled_from([*PIECES.split(" "), " ", " ||| "])


def same(left: Any, right: Any) -> None:
    if isinstance(left, tuple):
        for a, b in zip(left, right, strict=True):
            same(a, b)
    elif isinstance(left, np.ndarray):
        assert left.dtype == right.dtype
        assert left.shape == right.shape
        np.testing.assert_array_equal(left, right)
        if left.dtype == np.float64:
            np.testing.assert_array_equal(np.signbit(left), np.signbit(right))
    else:
        assert left == right


def both(name: str, *arguments: Any) -> Any:
    native = getattr(_native, name)(*arguments)
    same(native, getattr(reference, name)(*arguments))
    return native


def parse_with_both(lines: list[str], style: int, threads: int = 1) -> Any:
    buffer, offsets = pack_texts(lines)
    return both("parse_grammar", buffer, np.stack([offsets[:-1], offsets[1:]], axis=1), style, threads)


@st.composite
def near_misses(draw: st.DrawFn) -> str:
    """A good line with one or two of its words changed."""
    words = draw(st.sampled_from(GOOD)).split(" ")
    for _ in range(draw(st.integers(0, 2))):
        words[draw(st.integers(0, len(words) - 1))] = draw(pieces)
    return " ".join(words)


noise = st.lists(pieces, max_size=20).map("".join)


@settings(max_examples=500)
@given(st.lists(near_misses() | noise, max_size=6), st.integers(0, 2), st.sampled_from([0, 1, 3]))
@example([line for line in GOOD for _ in range(700)], LABELED, 3)
@example([GOOD[0], "x", "[X] ||| a ||| b ||| new=1", GOOD[1]] * 600, LABELED, 3)
@example([GOOD[4]] * 2000, MOSES_RULES, 2)
@example(["[X] ||| a ||| b ||| " + " ".join(f"f{i}=1" for i in range(1000))], LABELED, 1)
@example([" ".join(["[X] |||", *(f"[X,{i}]" for i in range(100)), "||| [X,1]"])], LABELED, 1)
def test_parsing_is_as_the_twin(lines: list[str], style: int, threads: int) -> None:
    parse_with_both(lines, style, threads)


@pytest.mark.parametrize(("lines", "style"), [(GOOD[:4], LABELED), (GOOD[4:5], MOSES_RULES)])
def test_good_lines_are_good(lines: list[str], style: int) -> None:
    assert len(parse_with_both(lines, style)[-1]) == 0
    assert len(parse_with_both(GOOD[5:], MOSES_PHRASES)[-1]) == 0


def test_a_labeled_line() -> None:
    lhs, labels, source, target, alignment, entailment, words, counts, names, features, _ = (
        parse_with_both(
            ["[S] ||| [B,2] x [A,1] ||| [1] y [B,2] ||| 7 p=0.5 8 count=3 ||| 1-1 ||| Exclusion"],
            LABELED,
        )
    )
    columns = [
        unpack_texts(column)[0] for column in (lhs, labels, source, target, alignment, entailment)
    ]
    assert columns == ["S", "B A", "[1] x [2]", "[2] y [1]", "1-1", "Exclusion"]
    assert words.tolist() == [[1, 1]]
    assert counts.tolist() == [3]
    assert unpack_texts(names) == ["0", "p", "1"]
    assert features[1].tolist() == [7, 0.5, 8]


def test_moses_rules_lose_the_links_of_nonterminals() -> None:
    rule = parse_grammar_line(GOOD[4], MOSES_RULES)
    assert rule == ParsedRule(
        "S",
        ["NP", "X"],
        ["[1]", "'s", "[2]"],
        ["the", "[2]", "of", "[1]"],
        ["1-0"],
        features={"0": 0.5, "1": 1, "target_count": 4, "source_count": 2.5, "joint_count": 1},
        count=1,
    )


BAD = [
    ("a", LABELED, "expected three to six fields"),
    ("[NP]|||a|||b", LABELED, r"expected spaces around \|\|\|, found '\[NP\]\|\|\|a\|\|\|b'"),
    ("[NP] ||| a||| ||| b", LABELED, r"expected spaces around \|\|\|, found 'a\|\|\|'"),
    ("a|||b ||| c ||| 1", MOSES_PHRASES, r"expected spaces around \|\|\|, found 'a\|\|\|b'"),
    ("[X] ||| a ||| b ||| x||||=1", LABELED, r"expected spaces around \|\|\|"),
    ("[X] ||| a ||| b ||| ||| ||| c ||| d", LABELED, "expected three to six fields, .* found 7"),
    ("X ||| a ||| b", LABELED, r"expected a label in brackets such as \[NP\], found 'X'"),
    ("[] ||| a ||| b", LABELED, "expected a label in brackets"),
    ("[X] [Y] ||| a ||| b", LABELED, r"expected a label in brackets .*found '\[X\] \[Y\]'"),
    ("[X] ||| ||| b", LABELED, "expected words on the source side, found nothing"),
    ("[X] ||| a |||", LABELED, "expected words on the target side, found nothing"),
    ("[X] ||| [7] ||| b", LABELED, r"found '\[7\]', which stands for a non-terminal; escape the word"),
    ("[X] ||| a ||| [7]", LABELED, r"the non-terminals of the source side, each once, found '\[7\]'"),
    ("[X] ||| [A,1] [B,1] ||| b", LABELED, r"expected each index once .* found '\[B,1\]'"),
    ("[X] ||| [A,1] ||| [A,1] [A,1]", LABELED, r"each once, found '\[A,1\]'"),
    (
        "[X] ||| [A,1] ||| [B,1]",
        LABELED,
        r"expected the label 'A' of the source side, found '\[B,1\]'",
    ),
    ("[X] ||| [A,3] ||| b", LABELED, "expected index 3 on the target side too, found it missing"),
    ("[X] ||| a ||| b ||| p=x", LABELED, "expected features such as p=0.5 or numbers, found 'p=x'"),
    ("[X] ||| a ||| b ||| =1", LABELED, "expected features such as p=0.5, found '=1'"),
    ("[X] ||| a ||| b ||| p=1 p=2", LABELED, "expected each feature once, found 'p' twice"),
    ("[X] ||| a ||| b ||| count=0.5", LABELED, "expected the feature count to be a whole number"),
    ("[X] ||| a ||| b ||| ||| 0:0", LABELED, "expected links such as 0-0 1-2, found '0:0'"),
    ("[X] ||| a ||| b ||| ||| 0-1", LABELED, "expected links within sides of 1 and 1 symbols"),
    ("a ||| b", MOSES_PHRASES, "expected source ||| target ||| scores, found 2 of these fields"),
    ("a ||| b ||| x", MOSES_PHRASES, "expected numbers such as 0.5 0.25, found 'x'"),
    ("a ||| b ||| 1 ||| ||| 1", MOSES_PHRASES, "expected counts of the target, the source and both"),
    ("a [1] ||| b ||| 1", MOSES_PHRASES, "which stands for a non-terminal"),
    ("a ||| b ||| 1", MOSES_RULES, r"expected a left side such as \[X\] at the end, found 'a'"),
    (
        "a [A] ||| b [B] ||| 1",
        MOSES_RULES,
        "expected equal labels, or X on one side, found 'A' and 'B'",
    ),
    ("[X][A] [X] ||| b [X] ||| 1", MOSES_RULES, r"expected a link from '\[X\]\[A\]' at position 0"),
    ("[X][A] [X] ||| [X][A] [X][A] [X] ||| 1 ||| 0-0", MOSES_RULES, "expected a link to"),
]


@pytest.mark.parametrize(("line", "style", "message"), BAD)
def test_bad_lines_say_why(line: str, style: int, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("|||", r"\|\|\|")):
        parse_grammar_line(line, style)
    assert parse_with_both(["[X] ||| a ||| b", line], style)[-1].tolist()[-1] == 1


tokens = st.sampled_from(
    [
        "a",
        "é",
        "🙂",
        "[X]",
        "[X,1]",
        "[A][B]",
        "[1]",
        "[2]",
        "[3]",
        "[]",
        "|||",
        "",
        "a\tb",
        "a\nb",
        "[12345678901]",
    ]
)
sides = st.lists(tokens, min_size=1, max_size=4).map(" ".join)
rows = st.tuples(
    st.sampled_from(["X", "NP\\PP", "", "a b", ",", "A][B"]),
    st.sampled_from(["", "A", "A B", "A  B", "X ,", "A][B"]),
    sides | st.sampled_from(["[1] a", "[1] b [2]", "a"]),
    sides | st.sampled_from(["c [1]", "[2] [1]", "a"]),
    st.sampled_from(["", "0-0", "1-1 0-0 0-0", "0-", "a", "10-2 9-1 007-3"]),
    st.sampled_from(["", "Equivalence", "a |||", "a\nb"]),
)
values = st.floats(allow_nan=True, allow_infinity=False)


@settings(max_examples=500)
@given(
    st.lists(st.tuples(rows, values, values, st.floats(0, 1e6) | st.just(float("nan"))), max_size=4),
    st.booleans(),
    st.integers(0, 4),
    st.sampled_from([0, 1, 3]),
)
@example([(("X", "", "a", "a", "", "Equivalence"), 0.0, 0.0, 1.0)], True, 0, 1)
def test_formatting_is_as_the_twin(rows: list, named: bool, style: int, threads: int) -> None:
    columns = tuple(pack_texts([row[0][i] for row in rows]) for i in range(6))
    features = np.array([row[1:3] for row in rows], np.float64).reshape(-1, 2)
    counts = np.array([row[3:] for row in rows], np.float64).reshape(-1, 1)
    names = pack_texts(["p" if named else "", "q(e|f)"])
    both("format_grammar", columns, features, names, counts, style, threads)


def write_with_both(
    rules: list[ParsedRule], style: int, names: list[str] | None = None
) -> tuple[bytes, int, int]:
    columns = tuple(
        pack_texts(column)
        for column in (
            [rule.lhs for rule in rules],
            [" ".join(rule.labels) for rule in rules],
            [" ".join(rule.source) for rule in rules],
            [" ".join(rule.target) for rule in rules],
            [" ".join(rule.alignment) for rule in rules],
            [" ".join(rule.entailment) for rule in rules],
        )
    )
    feature_names = names or []
    features = [[rule.features.get(name, np.nan) for name in feature_names] for rule in rules]
    array = np.array(features, np.float64).reshape(len(rules), len(feature_names))
    none = np.zeros((len(rules), 0))
    return both("format_grammar", columns, array, pack_texts(feature_names), none, style, 1)


RULE = parse_grammar_line(GOOD[0], LABELED)


@pytest.mark.parametrize(
    ("style", "line"),
    [
        (0, "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| p=0.5 q=-0.001 ||| 1-2"),
        (1, "[NP] ||| [N,1] 's [N,2] ||| the [2] of [1] ||| p=0.5 q=-0.001 ||| 1-2"),
        (2, GOOD[0].replace("-1e-3", "-0.001")),
        (3, "[X][N] 's [X][N] [X] ||| the [X][N] of [X][N] [NP] ||| p=0.5 ||| 0-3 1-2 2-1 ||| |||"),
    ],
)
def test_written_lines(style: int, line: str) -> None:
    names = ["p"] if style == TO_MOSES_RULES else ["p", "q"]
    assert write_with_both([RULE], style, names) == (line.encode() + b"\n", -1, 0)


def test_why_rows_cannot_be_written() -> None:
    def reason(style: int, source: list[str], target: list[str], labels: tuple[str, ...] = ()) -> int:
        return write_with_both([ParsedRule("X", list(labels), source, target)], style)[2]

    assert reason(JOSHUA, ["[a,1]"], ["b"]) == 2
    assert reason(TO_MOSES_PHRASES, ["[a,1]"], ["b"]) == 0
    assert reason(TO_MOSES_RULES, ["[a][b]"], ["b"]) == 2
    assert reason(JOSHUA, ["[a][b]"], ["b"]) == 0
    assert reason(JOSHUA, ["[2]"], ["[2]"], ("A",)) == 3
    assert reason(TO_MOSES_PHRASES, ["[1]"], ["[1]"], ("A",)) == 4
    assert reason(JOSHUA, ["[1]"], ["[1]"], ("",)) == 3
    assert write_with_both([ParsedRule("", [], ["a"], ["b"])], JOSHUA)[2] == 5


words = st.text(st.characters(exclude_characters=" \t\r\v\f\n", exclude_categories=["Cs"]), min_size=1)
labels = words | st.sampled_from([",", "NP\\PP", "$+PRN", "X"])


@st.composite
def rules(draw: st.DrawFn) -> ParsedRule:
    rule_labels = draw(st.lists(labels, max_size=3))
    indices = [f"[{i}]" for i in range(1, len(rule_labels) + 1)]
    sides = []
    for order in (indices, draw(st.permutations(indices))):
        side = draw(st.lists(words, min_size=0 if order else 1, max_size=3))
        for place, token in zip(
            draw(st.lists(st.integers(0, 9), min_size=len(order))), order, strict=False
        ):
            side.insert(place % (len(side) + 1), token)
        numbered = [token for token in side if token in indices]
        if order is indices:  # from left to right on the source side
            side = [indices[numbered.index(token)] if token in indices else token for token in side]
        sides.append(side)
    features = draw(
        st.dictionaries(words, st.floats(allow_nan=False, allow_infinity=False), max_size=3)
    )
    return ParsedRule(draw(labels), rule_labels, *sides, features=features)


@settings(max_examples=300)
@given(rules(), st.integers(0, 2))
def test_what_is_written_is_read(rule: ParsedRule, style: int) -> None:
    text, bad, _ = write_with_both([rule], style, list(rule.features))
    if bad < 0:
        again = parse_grammar_line(text.decode().removesuffix("\n"), LABELED)
        if rule.features.keys().isdisjoint({"count"}):
            assert again == rule


def test_arguments_are_checked() -> None:
    buffer, offsets = pack_texts(["a"])
    spans = np.stack([offsets[:-1], offsets[1:]], axis=1)
    columns = (pack_texts(["a"]),) * 6
    none = np.zeros((1, 0))
    for kernels in (_native, reference):
        with pytest.raises(ValueError, match="style must be 0, 1 or 2"):
            kernels.parse_grammar(buffer, spans, 3, 1)
        with pytest.raises(ValueError, match="style must be from 0 to 4"):
            kernels.format_grammar(columns, none, pack_texts([]), none, 5, 1)
        with pytest.raises(ValueError, match="all columns must have the same number of rows"):
            kernels.format_grammar(columns, np.zeros((2, 0)), pack_texts([]), none, 0, 1)
        with pytest.raises(ValueError, match="each feature needs a name"):
            kernels.format_grammar(columns, none, pack_texts(["a"]), none, 0, 1)
