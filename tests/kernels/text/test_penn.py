"""The Penn tokenizer: examples worked by hand with the rules of tokenizer.sed, in its order, and
the kernel against the chain of regular expressions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge import tokenize
from paragauge.kernels import _native
from paragauge.kernels.reference import tokens
from paragauge.kernels.reference.text.penn import penn_tokens

# Every character that a rule names, pieces that several rules meet in, and blanks that are none.
CHARACTERS = "abBcCdDlLmMnNrRsStTvVye01.,;:@#$%&?!()[]{}<>\"'`- \t\n\x00\x1c\x85\u00a0\u2003é中🙂\u0301"
PIECES = [
    *("can't", "shouldn't've", "'Tis", "'twas", "cannot", "Cannot", "gonna", "more'n", "d'ye"),
    *("gimme", "gotta", "lemme", "wanna", "'ll", "'re", "'ve", "n't", "'LL", "'RE", "'VE", "N'T"),
    *("'s", "'S", "'", "''", '"', "...", ".", "--", "-", " ", "  ", "\t", "\u00a0", ")", "(", "I"),
]
lines = st.one_of(
    st.text(CHARACTERS, max_size=24),
    st.text("'.\" )-", max_size=16),
    st.lists(st.sampled_from(PIECES), max_size=10).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=10).map(" ".join),
    st.text(max_size=30),
)


def native(line):
    text = np.frombuffer(line.encode(), np.uint8)
    joined, _ = _native.tokenize_lines(text, np.array([[0, len(text)]]), "penn", 1)
    return joined.tobytes().decode()


@settings(max_examples=700)
@given(lines)
@example("gonna gonna  gonna gonna's gonna")
@example("'' ' ' '")
@example("we'll're's'")
def test_the_kernel_gives_what_the_chain_gives(line):
    assert native(line) == " ".join(tokens(line, "penn"))


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ('"', 2**18),  # each a token, the first two opening
        (".", 2**18 // 3 + 1),  # by threes, and the one that remains
        ("'", 1),
        ("gonna ", 2**18 + 2**17),  # every other one in two
        ("a'll", 2),
        (")", 2**18),
        ("a.) ", 2**19 + 1),  # the last full stop only is split off
    ],
)
def test_long_lines(piece, expected):
    assert len(native(piece * 2**18).split(" ")) == expected


CASES = [
    # Double quotes open at the start and after a blank or a bracket, and close elsewhere.
    ('"Yes"', "`` Yes ''"),
    ('He said "no" twice', "He said `` no '' twice"),
    ('("no")', "( `` no '' )"),
    ('["no"]', "[ `` no '' ]"),
    ('a"b', "a '' b"),
    ('5" 6"', "5 '' 6 ''"),
    ('""', "`` ``"),  # the blank that the first rule adds opens the second
    ("“curly”", "“curly”"),
    # Punctuation.
    ("a,b;c:d", "a , b ; c : d"),
    ("me@example.com", "me @ example.com"),
    ("$5 & 10% #1", "$ 5 & 10 % # 1"),
    ("1,000", "1 , 000"),
    ("What?! No!", "What ? ! No !"),
    ("a--b - c---d", "a -- b - c -- -d"),
    ("f(x)[1]{2}<3>", "f ( x ) [ 1 ] { 2 } < 3 >"),
    ("Q&A", "Q & A"),
    # The final full stop, also with quotes and brackets after it; others stay.
    ("Mr. Smith left.", "Mr. Smith left ."),
    ("He left. She stayed.", "He left. She stayed ."),
    ("He left.  \t ", "He left ."),
    ('"He left."', "`` He left . ''"),
    ("(He left.)", "( He left . )"),
    ("He said 'go.'", "He said 'go . '"),
    ("(He left.).", "( He left. ) ."),
    ("U.S.", "U.S ."),
    (".", "."),
    ("3.5", "3.5"),
    # Ellipses.
    ("Well...", "Well ..."),
    ("Wait ... what", "Wait ... what"),
    ("a....", "a ... ."),
    ("a..", "a.."),
    # Possessives, contractions and closing single quotes.
    ("John's dogs' tails", "John 's dogs ' tails"),
    ("It's HE'S I'm we'd I'D", "It 's HE 'S I 'm we 'd I 'D"),
    ("we'll they're I've don't", "we 'll they 're I 've do n't"),
    ("WE'LL THEY'RE I'VE DON'T", "WE 'LL THEY 'RE I 'VE DO N'T"),
    ("Don't", "Do n't"),
    ("can't won't", "ca n't wo n't"),
    ("it's, isn't?", "it 's , is n't ?"),
    ("rock 'n' roll", "rock 'n ' roll"),
    ("o'clock", "o'clock"),
    ("''", "''"),
    # Words that fall into two; only whole words, lower case or with a capital.
    ("I cannot, CANNOT", "I can not , CANNOT"),
    ("Cannot I", "Can not I"),
    ("D'ye gimme Gonna gotta lemme wanna", "D' ye gim me Gon na got ta lem me wan na"),
    ("more'n that", "more 'n that"),
    ("'tis 'Twas", "'t is 'T was"),
    ("cannots", "cannots"),
    ("whaddya", "whaddya"),
    # Blanks.
    ("", ""),
    ("  a \t b  ", "a b"),
]


@pytest.mark.parametrize(("line", "expected"), CASES, ids=[repr(line) for line, _ in CASES])
def test_by_hand(line, expected):
    assert penn_tokens(line) == expected.split() == native(line).split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("shouldn't've", "should n't 've"),
        ("I shouldn't've gone.", "I should n't 've gone ."),
        ("SHOULDN'T'VE'll", "SHOULD N'T 'VE 'll"),
    ],
)
def test_one_rule_after_the_other(line, expected):
    # The script splits 've first and then finds n't before a blank: eight rules, not one.
    assert penn_tokens(line) == expected.split() == native(line).split()


@pytest.mark.parametrize("word", ["gonna gonna", "cannot cannot cannot"])
def test_a_blank_is_used_once(word):
    # " gonna " takes both blanks, so sed does not see the word right after it; every other is split.
    first, *_ = word.split()
    split = {"gonna": ["gon", "na"], "cannot": ["can", "not"]}[first]
    expected = [
        token for i, part in enumerate(word.split()) for token in (split if i % 2 == 0 else [part])
    ]
    assert penn_tokens(word) == expected == native(word).split()


@given(st.text("abn't.()[]-,$ \t", max_size=20))
def test_nothing_is_lost(line):
    # But for double quotes, which get a direction, the rules only add blanks.
    assert "".join(penn_tokens(line)) == "".join(line.split())


def test_through_the_public_function():
    assert tokenize(['"I can\'t," he said. ', ""], "penn") == [
        ["``", "I", "ca", "n't", ",", "''", "he", "said", "."],
        [],
    ]
    assert tokenize(["Cannot"], "penn", case="lower") == [["can", "not"]]
