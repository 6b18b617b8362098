"""Words of a paraphraser as text: spaces, quotes and case, and sources that come back unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import LengthError
from paragauge.generate.metric_search import apply_form
from paragauge.generate.surface_text import surface_texts
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import Tokenizer

LOWER = TextForm("13a", "lower")


@pytest.mark.parametrize(
    ("words", "source", "text"),
    [
        ("the rate is 5.1 % , in march .", "In March, 5.1%.", "The rate is 5.1%, in March."),
        ("i paid $ 45 ( too much ) .", "These cost me $45 (too much).", "I paid $45 (too much)."),
        ("he said \" yes \" and left .", "\"Yes,\" he said.", "He said \"yes\" and left."),
        ("yes , i did , nasa !", "I told NASA: yes!", "Yes, I did, NASA!"),
        ("what a mess ?", "WHAT NOW?", "WHAT A MESS?"),
        ("a man sings", "a man is singing", "a man sings"),
        ("well-known facts", "(Well-known) facts", "Well-known facts"),
        ("", "No paraphrase.", ""),
    ],
)  # fmt: skip
def test_spaces_and_case_come_from_the_source(words: str, source: str, text: str) -> None:
    assert surface_texts([words], [source], LOWER) == [text]


def test_forms_of_text() -> None:
    penn = TextForm("penn", "lower")
    assert surface_texts(["`` do n't , '' she said ."], ["Do not go, Ann."], penn) == [
        '"Don\'t," she said.'
    ]
    assert surface_texts(["b , A"], ["A b"], TextForm("blanks")) == ["B , A"]
    assert surface_texts(["三 只 猫 。"], ["三只狗。"], TextForm("zh")) == ["三只猫。"]
    assert surface_texts(["a b"], ["Ab"], TextForm("char")) == ["a b"]
    with pytest.raises(LengthError, match="expected one for each of 1 sources, found 0"):
        surface_texts([], ["a"], LOWER)


WORDS = st.sampled_from(
    ["Ann", "NASA", "I", "it's", "well-known", "3.5", "$", "(no)", '"so"', "end.", "5%"]
)


@given(
    st.lists(WORDS, min_size=1, max_size=8).map(" ".join),
    st.sampled_from(["13a", "intl", "penn", "none", "blanks"]),
    st.booleans(),
)
def test_a_source_whose_words_all_differ_comes_back(
    text: str, tokenize: Tokenizer, lower: bool
) -> None:
    # Each pair of words must be separated alike wherever it stands.
    text = " ".join(dict.fromkeys(text.split(" ")))
    form = TextForm(tokenize, "lower" if lower else "mixed")
    words = apply_form(Lines.of([text]), form)[0]
    assert surface_texts([words], [text], form) == [text]


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["13a", "penn", "none", "zh"]))
def test_only_spaces_and_case_change(words: str, source: str, tokenize: Tokenizer) -> None:
    form = TextForm(tokenize, "lower")
    tokens = apply_form(Lines.of([words.replace("\n", " ").replace("\r", " ")]), form)[0]
    source = source.replace("\n", " ").replace("\r", " ")
    text = surface_texts([tokens], [source], form)[0]
    for mark in ("``", "''"):
        tokens, text = tokens.replace(mark, '"'), text.replace(mark, '"')
    assert text.replace(" ", "").casefold() == tokens.replace(" ", "").casefold()
