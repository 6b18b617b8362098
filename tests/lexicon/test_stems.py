"""Stemmers: examples of Porter (1980), and what the wrapper promises."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from paragauge.errors import SettingError, ShapeError
from paragauge.lexicon.stems import algorithms, stem

# Porter (1980), the examples of its steps, as whole words through all steps where these agree.
PORTER = {
    "caresses": "caress",
    "ponies": "poni",
    "cats": "cat",
    "plastered": "plaster",
    "motoring": "motor",
    "hopping": "hop",
    "falling": "fall",
    "hissing": "hiss",
    "fizzed": "fizz",
    "filing": "file",
    "happy": "happi",
    "sky": "sky",
    "relational": "relat",
    "digitizer": "digit",
    "triplicate": "triplic",
    "adjustment": "adjust",
    "probate": "probat",
    "controll": "control",
}


@pytest.mark.parametrize("word", PORTER)
def test_porter(word):
    assert stem([word]) == [PORTER[word]]


def test_where_snowball_leaves_the_paper():
    # The paper's rule gives grok, rev and trek.
    assert stem(["grokked", "revved", "trekking"]) == ["grokk", "revv", "trekk"]


def test_the_published_algorithm():
    porter = pytest.importorskip("nltk.stem.porter", reason="NLTK has Porter's algorithm as published")
    published = porter.PorterStemmer(mode=porter.PorterStemmer.ORIGINAL_ALGORITHM)
    words = sorted(
        {*PORTER, *(w for word in PORTER for w in (word + "s", word + "ing", word + "ness"))}
    )
    assert stem(words) == [published.stem(word) for word in words]


def test_a_word_never_vanishes():
    # Snowball's stemmers give nothing for these.
    assert stem(["s", "as"]) == ["s", "a"]
    assert stem(["'s"], "dutch") == ["'s"]
    assert stem(["'"], "turkish") == ["'"]


def test_algorithms():
    assert stem(["fairly"], "porter") == ["fairli"]
    assert stem(["fairly"], "porter2") == stem(["fairly"], "english") == ["fair"]
    assert stem(["häuser"], "german") == ["haus"]
    assert algorithms()[:2] == ["porter", "porter2"]
    assert stem([]) == []
    assert stem(["", "日本", "🙂s"]) == ["", "日本", "🙂"]


def test_errors():
    with pytest.raises(SettingError, match=r"unknown stemmer 'portr'; did you mean 'porter'\?"):
        stem(["a"], "portr")
    with pytest.raises(
        ShapeError, match="words: expected a list of words, found a single string 'cars'"
    ):
        stem("cars")


def test_threads_may_share_a_stemmer():
    words = [f"{prefix}ing" for prefix in ("shoot", "walk", "talk", "jump")] * 500
    with ThreadPoolExecutor(8) as pool:
        assert all(stems == stem(words) for stems in pool.map(stem, [words] * 16))
