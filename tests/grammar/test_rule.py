"""Rules in normal form: parsing, printing, kinds."""

from __future__ import annotations

import re

import pytest

from paragauge.errors import InputError, SettingError
from paragauge.grammar.rule import Rule

# Figure 2 of Weese, Ganitkevitch and Callison-Burch (2014): four examples of each kind.
FIGURE_2 = {
    "lexical": [
        "[CC] ||| and ||| while",
        "[VBP] ||| want ||| propose",
        "[VBP] ||| expect ||| want",
        "[DT] ||| some ||| some people",
    ],
    "phrasal": [
        "[S] ||| him to step down ||| him to resign",
        "[VP] ||| step down ||| resign",
        "[VP] ||| to step down ||| to resign",
        "[VP] ||| want to impeach him ||| propose to impeach him",
    ],
    "syntactic": [
        "[VP] ||| want [VP,1] ||| propose [VP,1]",
        "[VP] ||| want to impeach [PRP,1] ||| propose to impeach [PRP,1]",
        "[VP] ||| [VBP,1] him to step down ||| [VBP,1] him to resign",
        "[S] ||| [PRP,1] to step down ||| [PRP,1] to resign",
    ],
}


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, t) for kind, texts in FIGURE_2.items() for t in texts]
)
def test_kinds_are_those_of_figure_2(kind: str, text: str) -> None:
    rule = Rule.parse(text)
    assert rule.kind == kind
    assert str(rule) == text


def test_lexical_on_both_sides() -> None:
    rule = Rule.parse("[DT] ||| some ||| some people")
    assert rule.kind_by("both") == "phrasal"
    assert Rule.parse("[X] ||| a ||| b").kind_by("both") == "lexical"
    with pytest.raises(SettingError, match="unknown value of lexical 'left'"):
        rule.kind_by("left")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]",
            Rule("NP", "[1] 's [2]", "the [2] of [1]", ("N", "N")),
        ),
        ("[X] ||| [B,2] [A,1] ||| [A,1] [B,2]", Rule("X", "[1] [2]", "[2] [1]", ("B", "A"))),
        ("[,] ||| [,,1] x ||| y [1]", Rule(",", "[1] x", "y [1]", (",",))),
        ("[NP\\PP] ||| [$+PRN+PRP,7] ||| [$+PRN+PRP,7]", Rule("NP\\PP", "[1]", "[1]", ("$+PRN+PRP",))),
        ("[X] ||| 中文 e\u0301 ||| 🙂 a\u00a0b", Rule("X", "中文 e\u0301", "🙂 a\u00a0b")),
        ("[X] ||| a ||| b ||| p=0.5 ||| whatever ||| comes ||| next", Rule("X", "a", "b")),
        ("[X] ||| [applause] ||| [,1]", Rule("X", "[applause]", "[,1]")),
    ],
)
def test_parse(text: str, rule: Rule) -> None:
    assert Rule.parse(text) == rule
    assert Rule.parse(str(rule)) == rule


def test_words() -> None:
    assert Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]").words() == (1, 2)
    assert Rule.parse("[NP] ||| [N,1] ||| [N,1]").row()["source_words"] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[X] ||| a", "rule '.*': expected three to six fields"),
        ("[X] ||| [7] ||| a", "stands for a non-terminal; escape the word"),
        ("X ||| a ||| b", "expected a label in brackets"),
    ],
)
def test_invalid_rules(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rule.parse(text)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (("", "a", "b"), "expected labels without spaces and |||, found ''"),
        (("N P", "a", "b"), "expected labels without spaces and |||, found 'N P'"),
        (("X", "[1]", "[1]", ("A|||",)), "expected labels without spaces and |||, found 'A|||'"),
        (("X", "[1]", "[1]", "A"), "expected labels such as ('NP',), found 'A'"),
        (
            ("X", "a  b", "c"),
            "expected words with one space between them on the source side, found",
        ),
        (("X", "a", ""), "expected words with one space between them on the target side, found ''"),
        (("X", "a\tb", "c"), "expected words with one space between them on the source side"),
        (("X", "a", "b |||"), "expected words without ||| on the target side, found 'b |||'"),
        (("X", "[2] [1]", "[1] [2]", ("A", "B")), "expected [1] [2], one for each label, from left"),
        (("X", "[1]", "[1]"), "expected no non-terminals, one for each label"),
        (("X", "a", "b", ("A",)), "expected [1], one for each label, from left to right, found none"),
        (("X", "[1]", "a", ("A",)), "expected on the target side the non-terminals of the source side"),
        (("X", "[1]", "[1] [1]", ("A",)), "each once, found [1] [1]"),
        (
            ("X", "[01]", "[1]", ("A",)),
            "one for each label, from left to right, found [01]",
        ),
    ],
)
def test_rules_that_are_built_are_checked(parts: tuple, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Rule(*parts)
