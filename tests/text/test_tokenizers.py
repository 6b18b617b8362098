"""The tokenizers by name; what each of them does is tested with the kernels."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import tokenize
from paragauge.errors import SettingError, ShapeError
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.tokenizers import TOKENIZERS, encode_segments, tokenize_lines

# Everything at which some program ends a line.
blanks = st.text("a.\r\n\t\x0b\x0c\x1c\x1d\x1e\x85\u00a0\u2028\u2029\u3000 ", max_size=12)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(sentences=st.lists(blanks, max_size=4))
def test_one_line_stays_one_line(name, sentences):
    lines = list(tokenize_lines(Lines.of(sentences), name))
    assert len(lines) == len(sentences)
    for line in lines:
        words = re.split(r"[ \t\n\v\f\r]", line) if name == "blanks" else line.split()
        assert line == " ".join(filter(None, words))  # single blanks and nothing else that separates


@pytest.mark.parametrize("name", TOKENIZERS)
def test_nothing(name):
    assert tokenize([], name) == []
    assert tokenize(["", " ", "\t\r"], name) == [[], [], []]


@pytest.mark.parametrize("name", TOKENIZERS)
@given(st.lists(st.text(max_size=8), max_size=4), st.sampled_from(["mixed", "lower"]))
def test_ids_and_tokens_agree(name, sentences, case):
    (encoded,) = encode_segments([LineGroups.of([sentences])], name, case, 1)
    known: dict[str, int] = {}
    expected = [
        [known.setdefault(token, len(known)) for token in tokens]
        for tokens in tokenize(sentences, name, case=case)
    ]
    assert encoded.to_lists() == expected


def test_unknown_names():
    expected = (
        "unknown tokenizer '13b'; did you mean '13a'? known: 13a, intl, zh, char, none, blanks, penn"
    )
    with pytest.raises(SettingError) as caught:
        tokenize(["a"], "13b")
    assert str(caught.value) == expected
    with pytest.raises(SettingError) as caught:
        tokenize(["a"], case="lowr")
    assert str(caught.value) == "unknown case 'lowr'; did you mean 'lower'? known: mixed, lower"


def test_a_single_string():
    with pytest.raises(ShapeError) as caught:
        tokenize("a b")
    assert str(caught.value) == (
        "sentences: expected a list of sentences, found a single str; put it in a list: [text]"
    )


def test_tokenized_text_keeps_the_blanks_that_other_tools_keep():
    # Moses, fast_align, Thrax and Joshua split at blanks of ASCII; sacreBLEU's none splits at all.
    [words] = tokenize(["10\u00a0km  \u3000\tb\u2028c\x1cd\u00a0"], "blanks")
    assert words == ["10\u00a0km", "\u3000", "b\u2028c\x1cd\u00a0"]
    assert tokenize(["10\u00a0km \u3000"], "none") == [["10", "km"]]
