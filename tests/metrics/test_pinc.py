"""PINC: the paper's own sentences worked by hand, and every edge case that people decide differently.

The sentence pairs are from table 2 of Chen and Dolan (2011). The paper prints no PINC of single
sentences, so the expectations are its formula written out as sums.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from paragauge import PINC

TABLE_2 = [
    # (original, paraphrase, new n-grams / n-grams for n = 1..4)
    ("a bunny is cleaning its paw", "a rabbit is cleaning itself", [2 / 5, 3 / 4, 3 / 3, 2 / 2]),
    ("a man fires a revolver", "a man is shooting targets", [3 / 5, 3 / 4, 3 / 3, 2 / 2]),
    ("a big turtle is walking", "a huge turtle is walking", [1 / 5, 2 / 4, 2 / 3, 2 / 2]),
    ("a big turtle is walking", "a large tortoise is walking", [2 / 5, 3 / 4, 3 / 3, 2 / 2]),
    ("children are practicing baseball", "children are playing cricket", [2 / 4, 2 / 3, 2 / 2, 1]),
    ("a boy is doing karate", "a man is doing karate", [1 / 5, 2 / 4, 2 / 3, 2 / 2]),
    ("a boy is doing karate", "a boy is doing martial arts", [2 / 6, 2 / 5, 2 / 4, 2 / 3]),
    ("a woman is browning pork in a pan", "a woman is browning pork in a pan", [0, 0, 0, 0]),
]


@pytest.mark.parametrize(("source", "candidate", "shares"), TABLE_2)
def test_sentences_of_the_paper(source: str, candidate: str, shares: list[float]) -> None:
    expected = 100 * sum(shares) / 4
    assert PINC().segments([candidate], sources=[source])[0] == pytest.approx(expected, abs=1e-12)


def test_corpus_is_the_mean_of_its_segments() -> None:
    sources, candidates = [row[0] for row in TABLE_2], [row[1] for row in TABLE_2]
    score = PINC().score(candidates, sources=sources)
    assert score.value == pytest.approx(np.mean([100 * sum(row[2]) / 4 for row in TABLE_2]))
    # New words over all words of all pairs but the last has its a counted once (a set): 7 words.
    new, words = 2 + 3 + 1 + 2 + 2 + 1 + 2 + 0, 5 + 5 + 5 + 5 + 4 + 5 + 6 + 7
    assert score.parts["new1"] == pytest.approx(100 * new / words)


sentences = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9)


@given(sentences, st.sampled_from(["set", "clip", "member"]))
def test_a_copy_scores_0_and_disjoint_words_100(words: list[str], count: str) -> None:
    text = " ".join(words)
    pinc = PINC(count=count)
    assert pinc.segments([text], sources=[text])[0] == 0
    assert pinc.segments([text], sources=[text.upper()])[0] == 100


# The rows of the table of PINCs that people paste into papers, under our settings.
# count, short -> 3 new, 3 copied, 1 copied, empty candidate
EDGES = {
    ("set", "skip"): (100, 0, 0, 0),
    ("set", "new"): (100, 25, 75, 100),
    ("set", "copied"): (75, 0, 0, 0),
    ("clip", "skip"): (100, 0, 0, 0),
    ("clip", "new"): (100, 25, 75, 100),
    ("clip", "copied"): (75, 0, 0, 0),
    ("member", "skip"): (100, 0, 0, 0),
    ("member", "new"): (100, 25, 75, 100),
    ("member", "copied"): (75, 0, 0, 0),
}


@pytest.mark.parametrize(("settings", "values"), EDGES.items(), ids=str)
def test_short_and_empty_candidates(settings: tuple[str, str], values: tuple[float, ...]) -> None:
    count, short = settings
    pinc = PINC(count=count, short=short)
    scores = pinc.segments(["x y z", "a b c", "a", ""], sources=["a b c", "a b c", "a", "a b"])
    np.testing.assert_allclose(scores, values, atol=1e-12)


def paste(candidate: list[str], source: list[str]) -> float:
    """PINC as it is pasted with lists: every occurrence that the list of the source does not have."""
    shares = []
    for n in range(1, 5):
        mine, theirs = (
            [words[i : i + n] for i in range(len(words) - n + 1)] for words in (candidate, source)
        )
        if mine:
            shares.append(sum(gram not in theirs for gram in mine) / len(mine))
    return 100 * sum(shares) / len(shares)


@given(sentences, sentences)
def test_membership_in_lists(candidate: list[str], source: list[str]) -> None:
    pinc = PINC(count="member", tokenize="none")
    candidates, sources = [" ".join(candidate)], [" ".join(source)]
    expected = paste(candidate, source)
    assert pinc.segments(candidates, sources=sources)[0] == pytest.approx(expected)
    assert pinc.sentence_score(*candidates, source=sources[0]) == pytest.approx(expected)


def test_repeated_word() -> None:
    # candidate: a a a b; source: a c
    # set: {a, b} half new; {aa, ab}, {aaa, aab}, {aaab} all new
    # clip: of a a a b one a matches: 3/4 new; the rest all new
    texts = {"candidates": ["a a a b"], "sources": ["a c"]}
    assert PINC(count="set").segments(**texts)[0] == pytest.approx(100 * (1 / 2 + 1 + 1 + 1) / 4)
    assert PINC(count="clip").segments(**texts)[0] == pytest.approx(100 * (3 / 4 + 1 + 1 + 1) / 4)


@pytest.mark.parametrize("short", ["skip", "new", "copied"])
def test_empty_sources(short: str) -> None:
    pinc = PINC(short=short)
    value, both_empty = pinc.segments(["a b c d", ""], sources=["", ""])
    assert value == 100
    assert both_empty == (100 if short == "new" else 0)


def test_several_sources() -> None:
    sources = [["a b c d", "e f g h"]]
    # Against the first all n-grams are old, against the second all new.
    assert PINC().segments(["a b c d"], sources=sources)[0] == 50
    assert PINC(sources="union").segments(["a b c d"], sources=sources)[0] == 0
    # Against each alone half of the words are new; together none is.
    assert PINC(sources="union", order=1).segments(["a e"], sources=sources)[0] == 0
    assert PINC(sources="mean", order=1).segments(["a e"], sources=sources)[0] == 50


@given(
    st.lists(st.tuples(sentences, st.lists(sentences, min_size=1, max_size=4)), min_size=1, max_size=4)
)
def test_mean_over_sources_is_the_mean_of_single_scores(
    rows: list[tuple[list[str], list[list[str]]]],
) -> None:
    # As many sources as segments in every segment may look transposed, which is an error of its own.
    assume(len(rows) == 1 or any(len(group) != len(rows) for _, group in rows))
    candidates = [" ".join(candidate) for candidate, _ in rows]
    sources = [[" ".join(source) for source in group] for _, group in rows]
    single = [
        np.mean([PINC().segments([candidate], sources=[source])[0] for source in group])
        for candidate, group in zip(candidates, sources, strict=True)
    ]
    np.testing.assert_allclose(PINC().segments(candidates, sources=sources), single)


def test_case_and_tokens() -> None:
    assert PINC().segments(["A B"], sources=["a b"])[0] == 100
    assert PINC(case="lower").segments(["A B"], sources=["a b"])[0] == 0
    assert PINC(tokenize="none").segments(["a,b"], sources=["a, b"])[0] == 100
    assert PINC(tokenize="char").segments(["猫が"], sources=["猫は"])[0] == pytest.approx(
        100 * (1 / 2 + 1) / 2
    )


def test_scale_is_in_the_signature() -> None:
    signature = PINC().score(["a"], sources=["b"]).signature
    assert "|scale:100|" in signature
    assert signature.startswith("PINC|order:4|count:set|short:skip|")
