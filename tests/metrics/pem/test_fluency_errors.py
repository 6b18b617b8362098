"""The errors that the learned fluency is trained on: each is one error, and the seed decides which."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tools.models import train_fluency as tool

WORDS = ["The", "dogs", "were", "sleeping", "in", "a", "small", "house", "."]
PAST = {"went": "go"}


@pytest.mark.parametrize(
    ("text", "kind", "changed"),
    [
        ("He saw the dog.", "drop_article", {"He saw dog."}),
        ("He went home.", "change_verb", {"He go home."}),
        ("Is he here?", "change_verb", {"Are he here?"}),
        ("He sat in it.", "drop_preposition", {"He sat it."}),
        ("It is their car.", "confuse", {"It is there car."}),
        ("one two three four", "swap", {"two one three four", "one three two four"}),
        ("It rains.", "double_word", {"It It rains."}),
        ("He ran.", "drop_article", {None}),
        ("He ran.", "swap", {None}),
    ],
)
def test_kinds_of_errors(text: str, kind: str, changed: set[str | None]) -> None:
    results = set()
    for seed in range(20):
        words = getattr(tool, kind)(text.split(), random.Random(seed), PAST)
        results.add(None if words is None else " ".join(words))
    assert results == changed


@pytest.mark.parametrize("kind", tool.CHANGES)
def test_an_error_changes_one_or_two_words(kind: tool.Change) -> None:
    for seed in range(20):
        words = kind(list(WORDS), random.Random(seed), PAST)
        if words is not None:
            assert abs(len(words) - len(WORDS)) <= 1
            # In a swap two words stand elsewhere; otherwise at most one is new.
            assert len(set(words) - set(WORDS)) <= 1


def test_a_misspelled_word_has_one_other_letter_or_two_in_another_order() -> None:
    for seed in range(50):
        (word,) = tool.misspell(["Sleeping,"], random.Random(seed), {}) or ["Sleeping,"]
        assert word[0] == "S"
        assert word[-1] == ","
        assert abs(len(word) - len("Sleeping,")) <= 1


def test_numbers_of_errors() -> None:
    sentences = [" ".join(WORDS)] * 200
    texts, errors = tool.make_errors(sentences, random.Random(7))
    counts = Counter(errors.tolist())
    assert [counts[count] for count in (0, 1, 2, 4)] == [200] * 4
    assert 10 <= counts[tool.SHUFFLED] <= 60  # 15 in a hundred
    assert all(
        text == sentences[0] for (_, text), count in zip(texts, errors, strict=True) if not count
    )
    again, _ = tool.make_errors(sentences, random.Random(7))
    assert again == texts


def test_tokens_are_joined_as_people_write_them() -> None:
    joined = tool.join_tokens("He did n't pay $ 5 -LRB- or 6 -RRB- , she 's `` fine '' .")
    assert joined == "He didn't pay $5 (or 6), she's \" fine \"."
