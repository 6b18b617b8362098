"""The shipped tagger and its training."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import InputError, ParagaugeError, SettingError, ShapeError
from paragauge.syntax.perceptron import ENGLISH, PerceptronTagger
from paragauge.syntax.protocols import Tagger
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.tagger_evaluation import measure_tagger
from paragauge.syntax.treebank import read_treebank
from paragauge.text.lines import Lines

CORPUS = [
    Sentence(("The", "dog", "barks", "."), ("DT", "NN", "VBZ", ".")),
    Sentence(("A", "cat", "sleeps", "."), ("DT", "NN", "VBZ", ".")),
    Sentence(("The", "cats", "see", "a", "dog", "."), ("DT", "NNS", "VBP", "DT", "NN", ".")),
] * 4


@pytest.fixture(scope="module")
def english() -> PerceptronTagger:
    return PerceptronTagger.default()


def test_it_is_a_tagger(english: PerceptronTagger) -> None:
    assert isinstance(english, Tagger)
    assert english.name.startswith("perceptron-")
    assert len(english.names) == 49


def test_ordinary_english(english: PerceptronTagger) -> None:
    words = ["The", "old", "man", "does", "n't", "read", "his", "3", "books", "in", "London", "."]
    tags = ["DT", "JJ", "NN", "VBZ", "RB", "VB", "PRP$", "CD", "NNS", "IN", "NNP", "."]
    assert english.tag([words]) == [tags]


@pytest.mark.parametrize(
    "pair",
    [
        ("`` Yes , '' he said .", '" Yes , " he said .'),
        ("`` Yes , '' he said .", "“ Yes , ” he said ."),
        ("She left -LRB- early -RRB- .", "She left ( early ) ."),
        ("It 's n't John 's .", "It ’s n’t John ’s ."),
    ],
)
def test_spellings_are_equal(english: PerceptronTagger, pair: tuple[str, str]) -> None:
    left, right = english.tag([text.split() for text in pair])
    assert left == right
    if '"' in pair[1]:
        assert (left[0], left[3]) == ("``", "''")


def test_the_bars_of_the_shipped_model(benchmark_data: Path, english: PerceptronTagger) -> None:
    """94.0 % on ewt-test with gold tokens, in a file of less than 4 MB."""
    sentences = list(read_treebank(benchmark_data / "treebanks" / "ewt-test.conllu.gz"))
    measured = measure_tagger(english, sentences)
    assert measured.accuracy >= 0.94
    assert english.accuracy(sentences) == measured.accuracy
    assert ENGLISH.stat().st_size < 4_000_000
    for change in (str.upper, str.lower):
        other = [Sentence(tuple(map(change, sentence.words)), sentence.tags) for sentence in sentences]
        assert english.accuracy(other) >= 0.92


def test_the_card_is_about_this_model(english: PerceptronTagger) -> None:
    card = ENGLISH.with_name("MODEL_CARD.md").read_text(encoding="utf-8")
    assert f"`{english.name.removeprefix('perceptron-')}`" in card


def test_the_recipe_of_the_card_makes_the_model(benchmark_data: Path) -> None:
    folder = benchmark_data / "treebanks"
    names = ("ewt-train.conllu.gz", "gum-train.trees.tsv.gz")
    sentences = [sentence for name in names for sentence in read_treebank(folder / name)]
    assert PerceptronTagger.train(sentences).name == PerceptronTagger.default().name


def test_lines(english: PerceptronTagger) -> None:
    lines = Lines.of(["They ran .", "", " ", "日本 🙂 e\u0301"])
    for threads in (0, 1, 2):
        tags = english.tag_lines(lines, threads)
        assert tags.lengths.tolist() == [3, 0, 0, 3]
    assert english.known(lines).to_lists()[0] == [1, 1, 1]
    assert english.tag([["They"], []])[1] == []
    assert english.tag([]) == []


@given(st.lists(st.lists(st.text(min_size=1, max_size=8).filter(lambda w: " " not in w), max_size=5)))
@settings(max_examples=50)
def test_any_words(sentences: list[list[str]]) -> None:
    tags_by_sentence = PerceptronTagger.default().tag(sentences)
    assert [len(tags) for tags in tags_by_sentence] == [len(words) for words in sentences]


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ("a b", "sentences: expected lists of words, found a single string; tokenize it"),
        (["a b"], "sentences: segment 1: expected a list of words, found a string; tokenize it"),
        ([["a"], ["a b"]], "sentences: segment 2: expected words without spaces, found 'a b'"),
        ([["a", ""]], "sentences: segment 1: expected words without spaces, found ''"),
        (
            [["a"], ["\ud800"]],
            "sentences: segment 2: character 0 is a lone surrogate, which is not text; ",
        ),
        ([["a", 1]], "sentences: segment 1: expected words without spaces, found 1"),
    ],
)
def test_not_words(english: PerceptronTagger, sentences: object, message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        english.tag(sentences)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_threads(english: PerceptronTagger) -> None:
    with pytest.raises(SettingError, match="threads: expected a whole number"):
        english.tag_lines(Lines.of(["a"]), -1)


def test_training_is_deterministic_and_the_seed_counts(tmp_path: Path) -> None:
    one, same, other = (PerceptronTagger.train(CORPUS, seed=seed) for seed in (1, 1, 2))
    assert one.name == same.name != other.name
    assert one.accuracy(CORPUS) == 1.0
    one.save(tmp_path / "a.bin")
    again = PerceptronTagger.load(tmp_path / "a.bin")
    assert again.name == one.name
    assert again.tag([["The", "dog"]]) == [["DT", "NN"]]
    (tmp_path / "a.bin.gz").write_bytes(gzip.compress((tmp_path / "a.bin").read_bytes()))
    assert PerceptronTagger.load(tmp_path / "a.bin.gz").name == one.name


def test_other_case_helps() -> None:
    plain = PerceptronTagger.train(CORPUS, upper=0, lower=0)
    mixed = PerceptronTagger.train(CORPUS, upper=0.5, lower=0.5)
    assert plain.name != mixed.name
    assert mixed.tag([["THE", "DOG", "BARKS", "."]]) == [["DT", "NN", "VBZ", "."]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epochs": 0}, "epochs: expected a whole number from 1 to 1,000, found 0"),
        ({"epochs": 1.5}, "epochs: expected a whole number from 1 to 1,000, found 1.5"),
        ({"seed": -1}, "seed: expected a whole number from 0 to"),
        ({"cutoff": 0}, "cutoff: expected a whole number from 1 to 1,000, found 0"),
        ({"margin": -1}, "margin: expected a whole number from 0 to 10,000, found -1"),
        ({"upper": 0.8, "lower": 0.3}, "upper, lower: expected shares from 0 to 1 with a sum of at"),
        ({"upper": float("nan")}, "upper, lower: expected shares from 0 to 1"),
    ],
)
def test_bad_settings(change: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        PerceptronTagger.train(CORPUS, **change)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_bad_corpora() -> None:
    with pytest.raises(InputError, match="expected sentences with 1 to 63 tags, found 0"):
        PerceptronTagger.train([])
    many = [Sentence(("a",), (f"T{i}",)) for i in range(64)]
    with pytest.raises(InputError, match="expected sentences with 1 to 63 tags, found 64"):
        PerceptronTagger.train(many)
    with pytest.raises(InputError, match="training: a tag is printable ASCII without spaces"):
        PerceptronTagger.train([Sentence(("a",), ("É",))])
    with pytest.raises(InputError, match="found no words"):
        PerceptronTagger.train(CORPUS).accuracy([])


@given(data=st.binary(max_size=30), cut=st.integers(0, 2000))
@settings(max_examples=60)
def test_not_a_model(tmp_path_factory: pytest.TempPathFactory, data: bytes, cut: int) -> None:
    path = tmp_path_factory.mktemp("m") / "m.bin"
    for content in (data, ENGLISH.read_bytes()[:cut], ENGLISH.read_bytes() + data + b"x"):
        path.write_bytes(content)
        with pytest.raises(ParagaugeError, match=r"expected a tagger's model|damaged") as caught:
            PerceptronTagger.load(path)
        assert str(caught.value).startswith(f"{path}: ")


def test_measured_by_hand() -> None:
    trained = PerceptronTagger.train(CORPUS)
    held = [Sentence(("The", "dog", "."), ("DT", "JJ", ".")), Sentence((), ())]
    measured = measure_tagger(trained, held)
    assert (measured.sentences, measured.words, measured.correct) == (2, 3, 2)
    assert (measured.known, measured.known_correct, measured.known_accuracy) == (3, 2, 2 / 3)
    assert measured.unknown_accuracy is None
    assert measured.confusions == (("JJ", "NN", 1),)
    with pytest.raises(InputError, match="found no words"):
        measure_tagger(trained, [])


def test_a_sentence_has_one_of_each() -> None:
    with pytest.raises(ShapeError, match="lemmas: expected 1, one for each word, found 2"):
        Sentence(("a",), ("N",), ("a", "b"))
    with pytest.raises(ShapeError, match=r"heads: word 1: expected 0 \(the root\) to 1, found 2"):
        Sentence(("a",), ("N",), heads=(2,))
