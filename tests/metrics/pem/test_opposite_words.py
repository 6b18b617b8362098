"""The list of opposites that WordNet does not have."""

from __future__ import annotations

import pytest

from paragauge.kernels.word_layout import FEATURES, LinkKind
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.pem.adequacy.opposite_words import GROUPS, opposite_words
from paragauge.metrics.pem.adequacy.word_changes import link_words, measure_changes
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.lines import Lines


def test_opposites_are_mutual_and_never_the_word_itself() -> None:
    listed = opposite_words()
    for word, others in listed.items():
        assert word not in others
        assert all(word in listed[other] for other in others)


def test_every_word_is_a_lemma_of_wordnet() -> None:
    net = WordNet.default()
    words = GROUPS.replace(":", " ").split()
    assert [word for word in words if not net.synsets(word)] == []


def test_words_of_one_side_are_no_opposites_in_wordnet() -> None:
    net = WordNet.default()
    for line in GROUPS.splitlines():
        for side in line.split(":"):
            words = side.split()
            assert not [(a, b) for a in words for b in words if net.are_opposites(a, b)]


@pytest.mark.parametrize(
    ("source", "candidate"),
    [
        ("The board endorsed the merger.", "The board vetoed the merger."),
        ("Exports soared in May.", "Exports plummeted in May."),
        ("The senator applauded the decision.", "The decision was denounced by the senator."),
    ],
)
def test_they_are_linked_in_any_inflection(source: str, candidate: str) -> None:
    columns = Lines.of([candidate]), Lines.of([source])
    (row,) = measure_changes(*columns, WordWeights.default())
    assert row[FEATURES.index("opposites")] == 1
    (links,) = link_words(*columns, WordWeights.default())
    assert [kind for *_, kind in links.links].count(LinkKind.OPPOSITE) == 1
