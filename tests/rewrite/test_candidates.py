"""Candidates: the paper's example, and a naive twin on any text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import InputError, LengthError
from paragauge.kernels import reference
from paragauge.lexicon.wordnet import WordNet
from paragauge.rewrite.agreement.tag_agreement import ADJUNCT
from paragauge.rewrite.candidates import References, candidates
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.thesauri.inflection import POS_OF_TAG, Inflection
from paragauge.rewrite.thesauri.stop_words import STOP_WORDS
from paragauge.rewrite.thesauri.wordnet_thesaurus import APART, WordNetThesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import LineGroups, Lines

# Kauchak and Barzilay (2006), table 2.
REFERENCE = (
    "It is hard to believe that such tremendous changes have taken place for those people and lands "
    "that I have never stopped missing while living abroad."
)
OUTPUT = (
    "For someone born here but has been sentimentally attached to a foreign country far from home, "
    "it is difficult to believe this kind of changes."
)

WORDS = ["hard", "difficult", "Place", "home", "homes", "houses", "lands", "country", "countries"]
WORDS += ["up", "that", "of", "by", "it", "Great", "Britain", "UK", "well", "good", "think", "believe"]
WORDS += ["took", "taken", "begin", "began", "begun", "started", "fast", "quick", "quickly", "the"]
WORDS += [
    "said",
    "told",
    "state",
    "stated",
    "2006",
    ",",
    ".",
    '"',
    "can't",
    "don't",
    "do",
    "make",
    "İstanbul",
    "中国",
    "🙂",
]
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=20)


def naive(references: list[list[str]], outputs: list[str]) -> list[tuple[int, int, int, str, str]]:
    """Candidates by the definition, word by word."""
    net, forms, tagger = WordNet.default(), Inflection.of(), PerceptronTagger.default()
    rows = []
    number = -1
    for group, output in zip(references, outputs, strict=True):
        output_tokens = reference.tokens(output, "penn")
        ours = [token.lower() for token in output_tokens]
        output_tags = tagger.tag([output_tokens])[0]
        for line in group:
            number += 1
            tokens = reference.tokens(line, "penn")
            theirs = [token.lower() for token in tokens]
            tags = tagger.tag([tokens])[0]
            for at, (old, tag) in enumerate(zip(theirs, tags, strict=True)):
                for place, new in enumerate(ours):
                    if old in ours or new in theirs or new in ours[:place]:
                        continue
                    if not any(map(str.isalpha, old)) or not any(map(str.isalpha, new)):
                        continue
                    if tag not in POS_OF_TAG or "n't" in theirs[at + 1 : at + 2]:
                        continue
                    pos = "nvar"[POS_OF_TAG[tag] - 1]
                    base = forms.base(old, tag) or net.morphy(old, pos)
                    other = forms.base(new, tag)
                    if base is None or other is None:
                        continue
                    if base == other or {old, new} & STOP_WORDS or {base, other} in APART:
                        continue
                    if in_compound(theirs, tags, at):
                        continue
                    if not agree((theirs, tags, at), (ours, output_tags, place)):
                        continue
                    if {*net.synsets(base, pos)} & {*net.synsets(other, pos)}:
                        rows.append((number, at, place, old, new))
    return rows


TaggedWord = tuple[list[str], list[str], int]  # a sentence, its tags, and a place


def agree(reference: TaggedWord, output: TaggedWord) -> bool:
    """The rules of `tag_agreement.py`, as its table has them."""
    (words, tags, at), (new_words, new_tags, place) = reference, output
    old, new = words[at], new_words[place]
    if old.replace(".", "") == new.replace(".", ""):
        return True
    speech = {"VBN": {"VB", "JJ"}, "VBG": {"VB", "JJ"}}
    if not speech.get(tags[at], {tags[at][:2]}) & speech.get(new_tags[place], {new_tags[place][:2]}):
        return False
    names = ("NNP", "NNPS")
    beside = [*tags[max(0, at - 1) : at], *tags[at + 1 : at + 2]]
    if tags[at] in names and any(tag in names for tag in beside):
        return False
    after, new_after = complement(words, tags, at), complement(new_words, new_tags, place)
    if not tags[at].startswith("VB"):
        return True
    if after[0] == "preposition":
        return after == new_after
    if tags[at] == "VBN":
        return True
    if after[0] == "other":
        return new_after[0] != "object"
    return new_after[0] in ("object", "that")


def in_compound(words: list[str], tags: list[str], at: int) -> bool:
    """Whether WordNet has the word with a neighbor as one noun."""
    net = WordNet.default()
    pairs = [(i, i + 1) for i in (at - 1, at) if 0 <= i < len(words) - 1]
    return any(
        tags[a][:2] in ("NN", "JJ")
        and tags[b][:2] in ("NN", "JJ")
        and any(f"{words[a]} {last}" in net for last in {words[b], net.morphy(words[b], "n")} - {None})
        for a, b in pairs
    )


def complement(words: list[str], tags: list[str], at: int) -> tuple[str, str]:
    """What follows a verb."""
    if at + 1 == len(words):
        return "other", ""
    word, tag = words[at + 1], tags[at + 1]
    if word == "that":
        return "that", word
    if word in ADJUNCT:
        return "other", word
    if tag in ("IN", "TO", "RP"):
        return "preposition", word
    objects = ("DT", "PDT", "PRP", "NN", "JJ", "CD", "$", "WP", "EX")
    return ("object" if tag.startswith(objects) else "other"), word


def test_table_2() -> None:
    ready = References.of(LineGroups.of([REFERENCE]), tagged=True)
    proposed = candidates(ready, Lines.of([OUTPUT]), WordNetThesaurus())
    assert proposed.pairs() == [("hard", "difficult"), ("place", "home")]
    assert proposed.first.tolist() == [2, 11]


def test_identical_sentences_propose_nothing() -> None:
    ready = References.of(LineGroups.of([REFERENCE]), tagged=True)
    assert len(candidates(ready, Lines.of([REFERENCE]), WordNetThesaurus())) == 0


class Anything:
    """Any word may replace any other."""

    name, needs_tags = "anything", False

    def substitutable(self, words: Lines, left: Any, *_: Any) -> Any:
        return np.ones(len(left), np.bool_)


@pytest.mark.parametrize(
    ("given_reference", "output", "expected"),
    [
        ("They don't.", "They make.", []),
        ("They do n't.", "They make.", []),
        ("It isn't.", "It not.", []),
        ("It's.", "It is.", []),
        ("It is.", "It's.", []),
        ("Do not.", "Do n't.", []),
        ("You cannot.", "You could.", []),
        ("I gonna.", "I go.", []),
        ("Will.", "Can't.", []),
        ("Make.", "Don't.", [("make", "do")]),
        ("Man's.", "Person's.", [("man", "person")]),
        ("Not.", "Never.", [("not", "never")]),
    ],
)
def test_no_contraction_is_split(
    given_reference: str, output: str, expected: list[tuple[str, str]]
) -> None:
    ready = References.of(LineGroups.of([given_reference]), tagged=False)
    assert candidates(ready, Lines.of([output]), Anything()).pairs() == expected
    rules = PhraseRules.from_pairs([("do", "make", 1), ("is", "are", 1), ("not go", "stay", 1)])
    ready = References.of(LineGroups.of(["They don't.", "I cannot go.", "They do."]), tagged=False)
    proposed = candidates(ready, Lines.of(["They make.", "I stay.", "They make."]), None, 0, rules)
    assert proposed.pairs() == [("do", "make")]


@settings(max_examples=60)
@given(
    st.lists(st.tuples(sentences, st.lists(sentences, max_size=3)), max_size=4),
    st.sampled_from([0, 1, 2]),
)
def test_candidates_equal_a_naive_twin(segments: list[tuple[str, list[str]]], threads: int) -> None:
    outputs, groups = [output for output, _ in segments], [group for _, group in segments]
    ready = References.of(LineGroups.of(groups), tagged=True, threads=threads)
    proposed = candidates(ready, Lines.of(outputs), WordNetThesaurus(), threads)
    places = np.stack([proposed.line, proposed.first, proposed.place], axis=1).tolist()
    rows = [(*row, *pair) for row, pair in zip(places, proposed.pairs(), strict=True)]
    assert rows == naive(groups, outputs)


def test_a_thesaurus_that_needs_tags_gets_them() -> None:
    ready = References.of(LineGroups.of(["hard"]), tagged=False)
    with pytest.raises(InputError, match=r"wordnet-3\.0 needs tags"):
        candidates(ready, Lines.of(["difficult"]), WordNetThesaurus())
    with pytest.raises(InputError, match="one for each pair"):
        WordNetThesaurus().substitutable(Lines.of(["a"]), np.array([0]), np.array([0]), None)


def test_function_words_are_not_reworded() -> None:
    words = Lines.of(["one", "i", "america", "us", "usa", "have", "own"])
    left, right = np.array([0, 2, 2, 6, 5]), np.array([1, 3, 4, 5, 6])
    tags = ["NN", "NNP", "NNP", "VB", "VB"]
    substitutable = WordNetThesaurus().substitutable(words, left, right, tags)
    assert substitutable.tolist() == [False, False, True, False, False]


def test_forms_of_one_word_are_not_synonyms() -> None:
    words = Lines.of(["was", "were", "learned", "learnt", "say", "tell", "state"])
    left, right = np.array([0, 1, 2, 4, 4]), np.array([1, 0, 3, 5, 6])
    tags = ["VBD", "VBD", "VBD", "VB", "VB"]
    substitutable = WordNetThesaurus().substitutable(words, left, right, tags)
    assert substitutable.tolist() == [False, False, False, False, True]


def test_not_parallel() -> None:
    ready = References.of(LineGroups.of(["hard"]), tagged=True)
    with pytest.raises(LengthError, match="candidates has 0 segments but references has 1"):
        candidates(ready, Lines.of([]), WordNetThesaurus())


def test_clearing_the_cache_does_not_change_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paragauge.rewrite.thesauri.wordnet_thesaurus.MOST_WORDS", 1)
    thesaurus = WordNetThesaurus()
    words = Lines.of(["hard", "difficult", "big", "large"])
    for _ in range(3):
        for left, right in ((0, 1), (2, 3)):
            pair = np.array([left]), np.array([right])
            assert thesaurus.substitutable(words, *pair, ["JJ"]).tolist() == [True]
        assert thesaurus.substitutable(words, np.array([0]), np.array([3]), ["JJ"]).tolist() == [False]


def test_parts_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [["It is hard.", "A big man left the place."], [], ["He began."]] * 7
    outputs = ["difficult or large", "home", "He started"] * 7
    ready = References.of(LineGroups.of(groups), tagged=True)
    whole = candidates(ready, Lines.of(outputs), WordNetThesaurus())
    for most in (1, 20, 30, 100):
        monkeypatch.setattr("paragauge.rewrite.candidates.TOGETHER", most)
        proposed = candidates(ready, Lines.of(outputs), WordNetThesaurus())
        for name in ("line", "first", "last", "place", "place_last", "old", "new"):
            np.testing.assert_array_equal(getattr(proposed, name), getattr(whole, name))
    assert len(whole) == 3 * 7


def test_very_long_lines_are_rejected() -> None:
    many = " ".join(f"w{i}" for i in range(9000))
    ready = References.of(LineGroups.of(["a", many]), tagged=True, first=40)
    with pytest.raises(
        InputError, match=r"segment 42: expected at most 67,108,864 pairs of words, found 9,"
    ):
        candidates(ready, Lines.of(["a", many]), WordNetThesaurus())
