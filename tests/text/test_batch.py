"""Batch.of: what is parallel is packed, everything else is refused in words."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.errors import InputError, LengthError, ParagaugeError, ShapeError
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups, Lines


def message(kind: type[ParagaugeError], *arguments, **keywords) -> str:
    with pytest.raises(kind) as caught:
        Batch.of(*arguments, **keywords)
    assert type(caught.value) is kind
    return str(caught.value)


def test_packed():
    batch = Batch.of(
        {"mine": ["a", "b"], "yours": ("c", "d")},
        sources=iter(["s", "t"]),
        references=[["x", "y"], ("z",)],
    )
    assert {name: list(lines) for name, lines in batch.systems.items()} == {
        "mine": ["a", "b"],
        "yours": ["c", "d"],
    }
    assert list(batch.sources) == [["s"], ["t"]]
    assert list(batch.references) == [["x", "y"], ["z"]]
    assert len(batch) == 2
    assert batch.first == 0


def test_ids_are_numbered_anew_in_each_segment():
    batch = Batch.of({"a": ["x y x", "z"]}, sources=["y w", "z z"], references=[["w", "x"], ["q"]])
    tokens = batch.tokens("none", "mixed")
    assert tokens.candidates["a"].to_lists() == [[0, 1, 0], [0]]
    assert tokens.sources.tokens.to_lists() == [[1, 2], [0, 0]]
    assert tokens.references.tokens.to_lists() == [[2], [0], [1]]
    assert tokens.references.segment_of_line().tolist() == [0, 0, 1]
    assert tokens.references.mean(np.array([1.0, 3.0, 5.0])).tolist() == [2.0, 5.0]
    assert batch.tokens("none", "mixed") is tokens  # made once
    assert batch.tokens("none", "lower") is not tokens


def test_case():
    batch = Batch.of({"a": ["A a"]}, sources=["a"])
    assert batch.tokens("none", "mixed").candidates["a"].to_lists() == [[0, 1]]
    assert batch.tokens("none", "lower").candidates["a"].to_lists() == [[0, 0]]


def test_nothing_is_wanted_that_is_not_there():
    tokens = Batch.of({"a": ["x"]}).tokens("13a", "mixed")
    with pytest.raises(InputError, match=r"^expected references, found none$"):
        tokens.require("references")


def test_packed_lines_are_taken_as_they_are():
    lines, groups = Lines.of(["a"]), LineGroups.of([["b", "c"]])
    batch = Batch.of({"a": lines}, sources=lines, references=groups)
    assert batch.systems["a"] is lines
    assert batch.references is groups


def test_no_system():
    assert message(InputError, {}) == "expected at least one system's candidates, found none"


def test_unequal_lengths():
    assert message(LengthError, {"a": ["x"], "b": ["x", "y"]}) == (
        "candidates of 'a' has 1 segment but candidates of 'b' has 2; give one item per segment"
    )
    assert message(LengthError, {"": ["x", "y"]}, sources=["x"]) == (
        "candidates has 2 segments but sources has 1; give one item per segment"
    )
    assert message(LengthError, {"": ["x"]}, references=[["x", "y"], ["z", "w"]]) == (
        "candidates has 1 segment but references has 2; give one item per segment"
    )


@pytest.mark.parametrize("what", ["sources", "references"])
def test_segments_without_texts(what):
    assert message(InputError, {"": ["x", "y"]}, **{what: [["x"], []]}) == (
        f"{what}: segment 2: expected at least one of the {what}, found none; "
        "give an empty string if that is meant"
    )
    Batch.of({"": ["x", "y"]}, **{what: [["x"], [""]]})


def test_lone_surrogates():
    assert message(ShapeError, {"mine": ["ok", "caf\udce9"]}) == (
        "candidates of 'mine': segment 2: character 3 is a lone surrogate, which is not text; "
        "decode the input as UTF-8"
    )
    assert message(ShapeError, {"": ["ok"]}, sources=["\ud800"]) == (
        "sources: segment 1: character 0 is a lone surrogate, which is not text; "
        "decode the input as UTF-8"
    )


def test_not_strings():
    assert message(ShapeError, {"mine": ["a", None]}) == (
        "candidates of 'mine': missing text (None) at index 1; leave out these segments in every "
        'input, or put "" where an empty text is meant'
    )
    assert message(ShapeError, {"": [["a", "b"]]}) == (
        "candidates: segment 1: expected a string, found list"
    )
    assert message(ShapeError, {"": ["a", "b"]}, references=[["a", "b", "c"], ["d", 5]]) == (
        "references: segment 2: expected a string, found int"
    )


def test_a_single_string_for_candidates():
    assert message(ShapeError, {"mine": "a b"}) == (
        "candidates of 'mine': expected a list of sentences, found a single str; put it in a list: "
        "[text]"
    )


@pytest.mark.parametrize("what", ["sources", "references"])
def test_a_single_string_for_the_others(what):
    # Two candidates and a string of two characters look parallel; they are not.
    expected = f"{what}: expected a list of sentences, found a single str; put it in a list: [text]"
    assert message(ShapeError, {"": ["x", "y"]}, **{what: "ab"}) == expected
    assert message(ShapeError, {"": ["x"]}, **{what: "a sentence"}) == expected


def transposed(what: str, sets: int, count: int) -> str:
    return (
        f"{what}: found {sets} lists of {count} for {count} candidates: they look transposed (one list "
        f"per set of {what}, as sacreBLEU takes them); give one list per segment: list(zip(*{what}))"
    )


@pytest.mark.parametrize("sets", [1, 2, 4])
@pytest.mark.parametrize("what", ["sources", "references"])
def test_transposed(what, sets):
    streams = [["the cat", "a dog", "two birds"] for _ in range(sets)]
    assert message(ShapeError, {"": ["a cat", "a dog", "birds"]}, **{what: streams}) == (
        transposed(what, sets, 3)
    )


def test_transposed_square():
    candidates = ["the cat sat down", "a dog barked loudly"]
    streams = [["the cat sat", "a dog barked"], ["a cat sat down", "the dog barked loudly"]]
    assert message(ShapeError, {"": candidates}, references=streams) == transposed("references", 2, 2)


def test_transposed_square_of_three():
    candidates = ["one red fish", "two blue birds", "three green frogs"]
    streams = [["red fish", "blue birds", "green frogs"] for _ in range(3)]
    assert message(ShapeError, {"": candidates}, references=streams) == transposed("references", 3, 3)


def test_squares_that_are_right():
    candidates = ["the cat sat down", "a dog barked loudly"]
    Batch.of({"": candidates}, references=[["the cat sat", "a cat sat"], ["a dog barked", "dog"]])
    Batch.of({"": candidates}, references=[["x", "y"], ["z", "w"]])  # words that tell nothing
    Batch.of({"": ["a"]}, references=[["b"]])
    Batch.of({"": ["a", "a"]}, references=[["a", "a"], ["a", "a"]])


def test_transposed_in_a_metric():
    streams = [["the cat", "a dog", "two birds"]]
    for metric, what in ((BLEU(), "references"), (PINC(), "sources")):
        with pytest.raises(ShapeError, match="they look transposed"):
            metric.score(["a cat", "a dog", "birds"], **{what: streams})


def test_an_empty_batch_has_tokens():
    batch = Batch.of({"a": []}, sources=[])
    assert len(batch) == 0
    assert batch.tokens("13a", "mixed").candidates["a"].to_lists() == []
