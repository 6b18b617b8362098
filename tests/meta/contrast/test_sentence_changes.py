"""Sentences changed in one way: what each rule does, and what it leaves alone."""

from __future__ import annotations

import re

import pytest

from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.lexicon.wordnet import WordNet
from paragauge.meta.contrast.sentence_changes import (
    CHANGES,
    NUMBER_WORDS,
    change_sentences,
    contrast_lines,
)
from paragauge.meta.contrast.word_replacement import synonyms

SENTENCES = [
    "The old car stopped.",
    "The coach praised the young goalkeeper after the match.",
    "She has lived in Oslo with Maria since 1994.",
    "They met Peter in Lisbon and paid 45 dollars for three tickets.",
    "It is not raining.",
    "Nobody came.",
    "",
]


def candidates(kind: str, *sentences: str, seed: int = 7) -> list[str]:
    return [one.candidate for one in change_sentences(sentences, [kind], seed=seed)]


@pytest.mark.parametrize(
    ("source", "negated"),
    [
        ("The nurse helped a man.", "The nurse did not help a man."),
        ("She sings well.", "She does not sing well."),
        ("They work hard.", "They do not work hard."),
        ("She will come.", "She will not come."),
        ("The door was open.", "The door was not open."),
        ("He has seen it.", "He has not seen it."),
        ("We're late.", "We're not late."),
        ("Turn off the light.", "Do not turn off the light."),
        ("It is not raining.", "It is raining."),
    ],
)
def test_negation(source: str, negated: str) -> None:
    assert candidates("negation", source) == [negated]


@pytest.mark.parametrize(
    "source", ["Is it raining?", "What a goal that was!", "Nobody came.", "I can't come.", "", "Rain."]
)
def test_what_is_not_negated(source: str) -> None:
    assert candidates("negation", source) == []


def test_numbers_keep_their_form() -> None:
    for seed in range(20):
        (price,) = candidates("number", "It costs $1,250.50 now.", seed=seed)
        assert re.fullmatch(r"It costs \$[2-9],250\.50 now\.", price)
        (year,) = candidates("number", "He left in 1912.", seed=seed)
        assert re.fullmatch(r"He left in 19\d\d\.", year)
        assert year != "He left in 1912."
        (count,) = candidates("number", "Seven men left.", seed=seed)
        assert count.split()[0].lower() in set(NUMBER_WORDS[0]) - {"seven"}
        assert count[0].isupper()


@pytest.mark.parametrize("source", ["The 7:15 train left.", "One man left.", "He left at 1 o'clock."])
def test_numbers_that_stay(source: str) -> None:
    assert candidates("number", source) == []


def test_a_name_comes_from_another_sentence() -> None:
    sources = ["We went to Lisbon by train.", "She lives in Oslo.", "He came on Monday."]
    assert candidates("name", *sources) == ["We went to Oslo by train.", "She lives in Lisbon."]
    assert candidates("name", *sources[:1]) == []


@pytest.mark.parametrize(
    ("source", "swapped"),
    [
        ("The coach praised the young goalkeeper.", "The young goalkeeper praised the coach."),
        ("A judge will hear the witness.", "The witness will hear a judge."),
    ],
)
def test_roles(source: str, swapped: str) -> None:
    assert candidates("roles-swapped", source) == [swapped]


@pytest.mark.parametrize(
    "source",
    [
        "The door was open.",
        "She praised the coach.",
        "The man slept.",
        "The mayor visited the mother of the boy.",
        "The coach praised the coach.",
        "The boy waited a year.",
    ],
)
def test_roles_that_stay(source: str) -> None:
    assert candidates("roles-swapped", source) == []


def test_truncated_and_scrambled() -> None:
    text = "one two three four five six seven eight nine"
    for seed in range(20):
        (short,) = change_sentences([text], ["truncated"], seed=seed)
        assert text.startswith(short.candidate + " ")
        assert 3 <= len(short.candidate.split()) <= 6
        assert short.change == f"the first {len(short.candidate.split())} of 9 words"
        (mixed,) = candidates("scrambled", text, seed=seed)
        assert sorted(mixed.split()) == sorted(text.split())
    assert candidates("truncated", "Only three words") == []
    assert candidates("scrambled", "word", "") == []


def test_draws_depend_on_the_seed_and_not_on_other_kinds() -> None:
    together = change_sentences(SENTENCES)
    assert together == change_sentences(SENTENCES)
    assert together != change_sentences(SENTENCES, seed=8)
    for kind in CHANGES:
        alone = change_sentences(SENTENCES, [kind])
        assert alone == [one for one in together if one.kind == kind]
        assert alone
    assert all(one.candidate != SENTENCES[one.number] for one in together)


@pytest.mark.parametrize(
    ("source", "opposed"),
    [
        ("A woman is eating.", "A man is eating."),
        ("Women were singing.", "Men were singing."),
        ("The youngest tree died.", "The oldest tree died."),
        ("They opened the door.", "They closed the door."),
        ("They bought a house.", "They sold a house."),
        ("It was an easy test.", "It was a difficult test."),
        ("It is easy to see.", "It is difficult to see."),
    ],
)
def test_opposites(source: str, opposed: str) -> None:
    assert candidates("opposite", source) == [opposed]


@pytest.mark.parametrize(
    "source",
    [
        "A black and white cat.",
        "A woman drove her car.",
        "Tom is a boy.",
        "I am happy to help you.",
        "It is two years old.",
        "You'd better not.",
        "It was not long.",
        "I work in Paris.",
        "They denied any claim.",
        "They will buy back shares.",
        "She depends on it and is dependent on him.",
    ],
)
def test_no_opposite_in_doubt(source: str) -> None:
    assert candidates("opposite", source) == []


@pytest.mark.parametrize(
    ("source", "copied"),
    [
        ("He purchased two bicycles.", ["He bought two bicycles.", "He purchased two bikes."]),
        ("Perhaps it rained.", ["Maybe it rained."]),
        ("A car stopped.", ["An automobile stopped."]),
        ("The largest ship sank.", ["The biggest ship sank."]),
        ("She tried to sing.", ["She attempted to sing."]),
    ],
)
def test_near_copies(source: str, copied: list[str]) -> None:
    assert {text for seed in range(20) for text in candidates("near-copy", source, seed=seed)} == {
        *copied
    }


@pytest.mark.parametrize(
    "source",
    ["He is at large.", "She tried the soup.", "I used to sing.", "It happened to me.", "Rain."],
)
def test_no_near_copy_in_doubt(source: str) -> None:
    assert candidates("near-copy", source) == []


def test_close_synonyms_share_a_synset() -> None:
    net = WordNet.default()
    assert sum(map(len, synonyms().values())) > 190
    for (pos, word), entries in synonyms().items():
        for entry in entries:
            assert set(net.synsets(word, pos)) & set(net.synsets(entry.word, pos)), (word, entry)


def test_lines_of_a_contrast_set() -> None:
    lines = contrast_lines(["It is late."] * 2, ["negation"], [["a", ""], ["a", "b"]])
    assert lines == [
        "source\tkind\tcandidate\tchange",
        "It is late.\tparaphrase\ta\t",
        "It is late.\tnegation\tIt is not late.\t'not' after 'is'",
        "It is late.\tparaphrase\tb\t",
    ]


def test_errors() -> None:
    with pytest.raises(SettingError) as caught:
        change_sentences(["a"], ["numbers"])
    assert str(caught.value) == (
        "unknown kind of change 'numbers'; did you mean 'number'? known: " + ", ".join(CHANGES)
    )
    with pytest.raises(SettingError, match="expected kinds of changes, each once, found none"):
        change_sentences(["a"], [])
    with pytest.raises(InputError, match="expected a list with at least one source sentence"):
        change_sentences([])
    with pytest.raises(LengthError) as caught:
        contrast_lines(["a"], paraphrases=[["b"], ["c"]])
    assert str(caught.value) == "expected paraphrases of each of 1 sources, found 2 lines"
    with pytest.raises(FileFormatError, match="a text has a tab"):
        contrast_lines(["It is\tlate."])
