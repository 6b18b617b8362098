"""METEOR: values worked out by hand, what differs from NLTK, several references, errors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from paragauge import METEOR
from paragauge.errors import FileFormatError, SettingError
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.base import Metric


def by_hand(matches, ours, theirs, chunks, alpha=0.9, beta=3.0, gamma=0.5):
    p, r = matches / ours, matches / theirs
    return 100 * p * r / (alpha * p + (1 - alpha) * r) * (1 - gamma * (chunks / matches) ** beta)


@pytest.mark.parametrize(
    ("candidate", "reference", "counts"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", (6, 6, 6, 1)),
        # Fewest crosses come first: the two "the" keep their order, and no chunk has two words.
        ("on the mat sat the cat", "the cat sat on the mat", (6, 6, 6, 6)),
        ("the cat sat", "the cat sat on the mat", (3, 3, 6, 1)),
        ("a cat", "the cat sat", (1, 2, 3, 1)),
        # Stems: jumped and jumping.
        ("he jumped high", "he was jumping", (2, 3, 3, 2)),
        # Synonyms: big and large; and by base form: cars and automobile.
        ("a big dog", "a large dog", (3, 3, 3, 1)),
        ("two cars", "two automobile", (2, 2, 2, 1)),
        ("The CAT", "the cat", (2, 2, 2, 1)),
    ],
)
def test_by_hand(candidate, reference, counts):
    score = METEOR().segments([candidate], references=[reference])[0]
    assert score == pytest.approx(by_hand(*counts))


@pytest.mark.parametrize(
    ("candidate", "score"),
    [
        ("on the mat sat the cat", 0.5000),
        ("the cat sat on the mat", 0.9977),
        ("the cat was sat on the mat", 0.9654),
    ],
)
def test_worked_examples(candidate, score):
    """The examples in Wikipedia's article on METEOR, against "the cat sat on the mat"."""
    actual = METEOR(stages="exact").segments([candidate], references=["the cat sat on the mat"])[0]
    assert actual / 100 == pytest.approx(score, abs=5e-5)


def test_both_published_settings():
    texts = ["on the mat sat the cat"], ["the cat sat on the mat"]
    old, new = METEOR.published("2005"), METEOR.published("2007")
    assert old == METEOR()
    assert old.segments(texts[0], references=texts[1])[0] == pytest.approx(by_hand(6, 6, 6, 6))
    assert new.segments(texts[0], references=texts[1])[0] == pytest.approx(
        by_hand(6, 6, 6, 6, 0.81, 0.83, 0.28)
    )
    assert Metric.from_spec("meteor:alpha=0.81:beta=0.83:gamma=0.28") == new


@pytest.mark.parametrize(
    ("stages", "matches"),
    [("exact", 1), ("exact+stem", 2), ("exact+synonym", 2), ("exact+stem+synonym", 3)],
)
def test_stages(stages, matches):
    # dog; nationally and nations, by their stem only; big and large.
    score = METEOR(stages=stages).score(["big dog nationally"], references=["large dog nations"])
    assert score.parts["matches"] == matches


class Lemma:
    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name


class Synset:
    def __init__(self, names):
        self._names = names

    def lemmas(self):
        return [Lemma(name) for name in self._names]


class Corpus:
    """Our WordNet with the two methods that NLTK's METEOR asks for."""

    def synsets(self, word):
        return [Synset(WordNet.default().synonyms(word))]


def test_nltk_hands_stems_to_wordnet():
    """So that big and large, which are synonyms, never match there: larg is no word."""
    nltk = pytest.importorskip("nltk.translate.meteor_score", reason="NLTK is not installed")
    theirs = nltk.single_meteor_score(["large", "dog"], ["big", "dog"], wordnet=Corpus())
    ours = METEOR().segments(["big dog"], references=["large dog"])[0]
    assert 100 * theirs == pytest.approx(by_hand(1, 2, 2, 1))
    assert ours == pytest.approx(by_hand(2, 2, 2, 1))
    # WordNet itself knows them as synonyms through NLTK's own stage, if it gets words.
    matched, *_ = nltk.wordnetsyn_match(["big"], ["large"], wordnet=Corpus())
    assert matched == [(0, 0)]


def test_equal_to_nltk_where_nothing_is_ambiguous():
    """Without repeated words and synonyms there is one alignment, and both score it alike."""
    nltk = pytest.importorskip("nltk.translate.meteor_score", reason="NLTK is not installed")
    pairs = [
        ("we saw her cats jumping", "her cat jumped when we arrived"),
        ("a b c d", "c d a b"),
        ("alpha beta", "gamma"),
    ]

    class Empty:
        def synsets(self, word):
            return []

    for candidate, reference in pairs:
        theirs = nltk.single_meteor_score(reference.split(), candidate.split(), wordnet=Empty())
        ours = METEOR(stages="exact+stem").segments([candidate], references=[reference])[0]
        assert ours == pytest.approx(100 * theirs)


def test_nothing_to_match():
    texts = ["", "", "a", "b"], ["", "a", "", "c"]
    assert METEOR().segments(texts[0], references=texts[1]).tolist() == [0, 0, 0, 0]
    assert METEOR().score(*texts[:1], references=texts[1]).value == 0


def test_several_references():
    references = [["x y z", "the cat", "the cat sat"], ["dog"]]
    candidates = ["the cat sat", "a dog"]
    single = [METEOR().segments(["the cat sat"], references=[text])[0] for text in references[0]]
    best, mean = METEOR(), METEOR(references="mean")
    assert best.segments(candidates, references=references)[0] == pytest.approx(max(single))
    assert mean.segments(candidates, references=references)[0] == pytest.approx(np.mean(single))
    # The corpus: matches, candidate words, reference words and chunks of the best references.
    stats = best.stats(candidates, references=references)
    assert stats[:, :4].tolist() == [[3, 3, 3, 1], [1, 2, 1, 1]]
    assert best.score(candidates, references=references).value == pytest.approx(by_hand(4, 5, 4, 2))
    means = mean.stats(candidates, references=references)
    assert means[0, :4].tolist() == pytest.approx([5 / 3, 3, 8 / 3, 2 / 3])


def test_cut_searches_are_counted():
    candidate, reference = "a b c d " * 8, "d b a c b a " * 7
    score = METEOR(beam=1, stages="exact").score([candidate] * 2, references=[[reference, "x"]] * 2)
    assert score.parts["cut"] == 2
    assert METEOR().score(["a b"], references=["b a"]).parts["cut"] == 0


def test_a_very_long_line():
    line = "word " * 200_000
    score = METEOR().score([line], references=[line])
    assert score.parts["matches"] == 200_000
    assert score.parts["cut"] == 1


def test_any_script():
    for text in ("猫 が 好き", "naïve café", "🙂 🙃", "ΣΑΣ σας"):
        score = METEOR().segments([text], references=[text])[0]
        words = len(text.split())
        assert score == pytest.approx(by_hand(words, words, words, 1))


def test_another_wordnet(tmp_path: Path):
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"{part}.exc").write_text("")
        (tmp_path / f"index.{part}").write_text("")
    (tmp_path / "index.noun").write_text("foo n 1 0 1 0 00000001\nbar n 1 0 1 0 00000001\n")
    metric = METEOR(wordnet=str(tmp_path))
    assert metric.score(["foo"], references=["bar"]).parts["matches"] == 1
    assert METEOR().score(["foo"], references=["bar"]).parts["matches"] == 0
    assert "|wordnet:unknown-" in metric.signature
    assert str(tmp_path) not in metric.signature
    assert metric.label == f"meteor:wordnet={tmp_path}"


def test_errors():
    with pytest.raises(SettingError, match=r"unknown stemmer 'portr'; did you mean 'porter'\?"):
        METEOR(stemmer="portr")
    with pytest.raises(
        SettingError, match="METEOR wordnet: expected a string that is not empty, found ''"
    ):
        METEOR(wordnet="")
    with pytest.raises(
        SettingError, match="METEOR wordnet: expected a string that is not empty, found 3"
    ):
        METEOR(wordnet=3)
    with pytest.raises(SettingError, match=r"unknown METEOR stages 'exact\+stems'"):
        METEOR(stages="exact+stems")
    with pytest.raises(SettingError, match="METEOR beam: expected a whole number from 1"):
        METEOR(beam=0)
    with pytest.raises(FileFormatError, match="/nowhere: no such file; check the path"):
        METEOR(wordnet="/nowhere").score(["a"], references=["b"])
    with pytest.raises(SettingError, match="unknown year '2010' of METEOR"):
        METEOR.published("2010")


def test_the_penalty_is_largest_without_neighbors():
    score = METEOR().score(["a b c"], references=["c b a"])
    assert score.parts["penalty"] == pytest.approx(0.5)
    assert math.isclose(score.value, 50)


def test_another_language_needs_its_tools() -> None:
    german = {"language": "de"}
    for text, english in (
        ("meteor", "its stemmer and WordNet are English"),
        ("meteor:stemmer=german", "its WordNet is English"),
        ("meteor:stages=exact+stem", "its stemmer is English"),
    ):
        with pytest.raises(SettingError, match=f"METEOR language=de: {english}; choose stemmer=NAME"):
            Metric.from_spec(text, german)
    for text in ("meteor:stages=exact", "meteor:stages=exact+stem:stemmer=german"):
        assert Metric.from_spec(text, german) == Metric.from_spec(text)
    assert Metric.from_spec("meteor", {"language": "en"}) == METEOR()
