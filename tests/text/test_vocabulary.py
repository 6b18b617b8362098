"""The numbering of tokens: in reading order, whatever the threads and the calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import SettingError, ShapeError
from paragauge.text.vocabulary import Vocabulary

sentences = st.lists(st.text("ab é中\t", max_size=8), max_size=30)


def number_tokens(lines: list[str], known: dict[str, int]) -> list[list[int]]:
    return [[known.setdefault(token, len(known)) for token in line.split()] for line in lines]


@given(sentences, sentences)
def test_reading_order(first, second):
    vocabulary, known = Vocabulary(), {}
    assert vocabulary.encode(first, "none").to_lists() == number_tokens(first, known)
    assert vocabulary.encode(second, "none").to_lists() == number_tokens(second, known)
    assert list(vocabulary) == list(known)
    assert len(vocabulary) == len(known)


@given(sentences)
def test_there_and_back(lines):
    vocabulary = Vocabulary()
    encoded = vocabulary.encode(lines, "none")
    assert vocabulary.decode(encoded) == [line.split() for line in lines]


@given(sentences, sentences)
def test_unknown_tokens(known, lines):
    vocabulary = Vocabulary()
    vocabulary.encode(known, "none")
    before = list(vocabulary)
    encoded = vocabulary.encode(lines, "none", grow=False).to_lists()
    numbers = {token: i for i, token in enumerate(before)}
    assert encoded == [[numbers.get(token, -1) for token in line.split()] for line in lines]
    assert list(vocabulary) == before


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 8])
def test_threads_do_not_matter(threads):
    # 64 lines make a thread; new tokens turn up in all of them.
    lines = [f"w{i % 97} w{i * i % 89} new{i}" for i in range(500)]
    assert Vocabulary().encode(lines, "none", threads=threads).to_lists() == number_tokens(lines, {})


def test_lookup():
    vocabulary = Vocabulary(["a", "", "b c", "é", "a"])
    assert len(vocabulary) == 4
    assert [vocabulary[token] for token in ("a", "", "b c", "é")] == [0, 1, 2, 3]
    assert [vocabulary.token(i) for i in range(4)] == ["a", "", "b c", "é"]
    assert "a" in vocabulary
    assert "b" not in vocabulary
    assert (vocabulary.add("b"), vocabulary.add("a")) == (4, 0)
    with pytest.raises(KeyError, match=r"^'x'$"):
        vocabulary["x"]


@pytest.mark.parametrize("number", [-1, 2, 2**40])
def test_no_such_number(number):
    with pytest.raises(IndexError, match=f"^token {number} of a vocabulary of 2$"):
        Vocabulary(["a", "b"]).token(number)


def test_many_tokens_survive_growth():
    words = [f"word{i}" for i in range(20_000)]
    vocabulary = Vocabulary(words)
    assert [vocabulary[word] for word in words] == list(range(20_000))
    assert list(vocabulary) == words


def test_case_and_tokenizers():
    vocabulary = Vocabulary()
    assert vocabulary.encode(["The the, THE"], case="lower").to_lists() == [[0, 0, 1, 0]]
    assert list(vocabulary) == ["the", ","]
    assert vocabulary.decode(vocabulary.encode(["can't"], "penn")) == [["ca", "n't"]]


def test_errors():
    with pytest.raises(
        SettingError, match=r"^unknown tokenizer '13b'; did you mean '13a'\? known: 13a, "
    ):
        Vocabulary().encode(["a"], "13b")
    with pytest.raises(SettingError, match=r"^unknown case 'upper'; .*known: mixed, lower$"):
        Vocabulary().encode(["a"], case="upper")
    with pytest.raises(ShapeError, match=r"^lines: segment 1: expected a string, found int$"):
        Vocabulary().encode([5])
