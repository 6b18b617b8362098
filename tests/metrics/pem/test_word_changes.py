"""Words of two sentences, their classes and links, from text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import InputError, LengthError
from paragauge.kernels.word_layout import FEATURES, FIELDS, Category, NumberPart, WordFlag
from paragauge.metrics.pem.adequacy.word_changes import (
    WordLinks,
    find_negated,
    link_words,
    measure_changes,
)
from paragauge.metrics.pem.adequacy.word_classes import CLASSES, describe_word, number_parts
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.lines import Lines


@pytest.fixture(scope="module")
def resources():
    return WordWeights.default()


def link(resources, candidate: str, source: str) -> WordLinks:
    (pair,) = link_words(Lines.of([candidate]), Lines.of([source]), resources)
    return pair


def named_links(pair: WordLinks) -> dict[str, str]:
    return {f"{pair.candidate[i].text}-{pair.source[j].text}": kind.name for i, j, kind in pair.links}


def test_links_of_words(resources):
    pair = link(resources, "The quick boys hated cold soup.", "A fast boy loves colder broth.")
    assert named_links(pair) == {
        "The-A": "SLOT",
        "quick-fast": "SYNONYM",
        "boys-boy": "LEMMA",
        "hated-loves": "OPPOSITE",
        "cold-colder": "LEMMA",
        "soup-broth": "SLOT",
    }


@pytest.mark.parametrize(
    ("candidate", "source"),
    [
        ("She was unhappy.", "She was happy."),
        ("Be careless with it.", "Be careful with it."),
        ("inexperienced doctors", "experienced doctors"),
    ],
)
def test_opposites_by_prefix_or_suffix(resources, candidate, source):
    assert link(resources, candidate, source).features["polarity"] == 1


def test_words_that_only_look_negated():
    assert find_negated({"der": 0, "under": 1, "invoice": 2, "voice": 3}) == [(2, 3)]
    assert find_negated({"unhappy": 4, "happy": 4}) == []  # one lemma


@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_contractions_with_any_apostrophe(resources, apostrophe):
    features = link(resources, f"He didn{apostrophe}t come.", "He came.").features
    assert (features["negation_candidate"], features["polarity"]) == (1, 1)


def test_a_period_inside_the_line_is_not_part_of_the_word(resources):
    pair = link(resources, "He ended it on dates. It rained at 21.", "It rained. He ended dates at 21")
    assert [word.text for word in pair.candidate] == [
        "He",
        "ended",
        "it",
        "on",
        "dates",
        "It",
        "rained",
        "at",
        "21",
    ]
    assert pair.features["loose_content_both"] == 0


@pytest.mark.parametrize(
    ("candidate", "source", "changes"),
    [
        ("It cost 2,000 euros.", "It cost two thousand euros.", {"number_both": 0, "unit_both": 0}),
        ("It cost 2,000 euros.", "It cost 3,000 dollars.", {"number_both": 1, "unit_both": 1}),
        ("Come on Monday.", "Come on Friday.", {"unit_both": 1}),
        ("It may rain.", "It must rain.", {"unit_both": 0, "modal_candidate": 1, "modal_source": 1}),
        ("All birds fly.", "Some birds fly.", {"quantifier_both": 1}),
        ("He sang.", "She sang.", {"pronoun_both": 1}),
        ("He sings.", "He sang.", {"tense_differs": 1, "past_difference": -1, "present_difference": 1}),
        ("The cat was chased by a dog.", "A dog chased the cat.", {"role_swaps_active": 0}),
        (
            "The dog chased the man.",
            "The man chased the dog.",
            {"role_swaps_active": 1, "same_lemmas": 1},
        ),
        ("It rained on", "It rained.", {"ends_open": 1}),
        ("The score was 3\u20131.", "The score was 3 to 1.", {"number_both": 0}),
    ],
)
def test_changes_by_name(resources, candidate, source, changes):
    features = link(resources, candidate, source).features
    assert {name: features[name] for name in changes} == changes


def test_a_copy_changes_nothing(resources):
    text = "The old man bought two red apples on Monday, because he was not hungry."
    features = link(resources, text, text).features
    assert (features["content_f1"], features["word_recall"], features["chunks"]) == (1, 1, 1)
    for name in FEATURES:
        if name.startswith(("loose", "slot", "inver")) or name.endswith(("_difference", "_both")):
            assert features[name] == 0, name


def test_classes_have_distinct_words():
    for name, members in CLASSES.items():
        words = [word for listed in members.values() for word in listed.split()]
        assert len(words) == len(set(words)), name


def test_describe_word():
    facts = describe_word("Has", "have", "VBZ")
    assert (facts.category, facts.flags) == (
        Category.LIGHT,
        WordFlag.PRESENT | WordFlag.CAPITALIZED,
    )
    assert len(FIELDS) == 8  # spelling and lemma, and those of WordFacts


@pytest.mark.parametrize(
    ("spelling", "value"), [("2,500", 2500), ("7th", 7), ("$3", 3), ("90%", 90), ("1.5", 1.5)]
)
def test_numbers_in_digits(spelling, value):
    assert number_parts(spelling, "CD") == ((NumberPart.DIGITS, value),)


def test_numbers_that_are_none():
    """Digits with several points get a value of their own, the same in every process."""
    assert number_parts("12.10.2010", "CD") == ((NumberPart.DIGITS, 1657979850.5),)
    assert number_parts("12.10.2010", "CD") != number_parts("13.10.2010", "CD")
    assert number_parts("one", "PRP")[0][0] == NumberPart.END
    assert np.isfinite(number_parts("9" * 400, "CD")[0][1])


def test_rows_are_those_of_single_pairs(resources):
    candidates = ["I hate tea.", "", "He did not come.", "I hate tea."]
    sources = ["I love tea.", "x", "He came late.", ""]
    rows = measure_changes(Lines.of(candidates), Lines.of(sources), resources, threads=2)
    for row, candidate, source in zip(rows, candidates, sources, strict=True):
        single = link(resources, candidate, source).features
        assert dict(zip(FEATURES, row.tolist(), strict=True)) == single


def test_no_lines(resources):
    assert measure_changes(Lines.of([]), Lines.of([]), resources).shape == (0, len(FEATURES))


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.text(max_size=20))
def test_any_text(candidate, source):
    pair = link(WordWeights.default(), candidate, source.encode("utf-8", "ignore").decode())
    assert np.isfinite(list(pair.features.values())).all()


def test_what_is_refused(resources):
    one, two = Lines.of(["a"]), Lines.of(["a", "b"])
    with pytest.raises(LengthError):
        measure_changes(one, two, resources)
    foreign = Lines.of(["Кошка сидит на окне."] * 100)
    with pytest.raises(InputError, match="sources: expected English, found mostly letters of another"):
        measure_changes(foreign, foreign, resources)
    long = Lines.of(["a", "word " * 1001])
    message = "candidates: segment 2: expected a sentence of at most 1,000 words, found 1,001; split it"
    with pytest.raises(InputError, match=re.escape(message)):
        measure_changes(long, two, resources)
