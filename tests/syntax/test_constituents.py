"""The chart parser: the shipped model, training, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, ParagaugeError, SettingError
from paragauge.syntax.constituents import ENGLISH, ChartParser
from paragauge.syntax.constituents_train import ParserSettings, jackknife_tags, train_parser
from paragauge.syntax.parseval import measure_parser
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.protocols import ConstituencyParser
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.tree_files import read_trees
from paragauge.syntax.trees import Trees
from paragauge.text.lines import Lines

TREEBANK = [
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))",
    "(ROOT (S (NP (PRP she)) (VP (VBZ sees) (NP (PRP him))) (. .)))",
    "(ROOT (S (VP (VB Go))))",
    "(ROOT (UH No))",
] * 4


@pytest.fixture(scope="module")
def trained() -> ChartParser:
    return train_parser(Trees.of(TREEBANK), ParserSettings(epochs=8, chains=1, cutoff=2))


def test_it_learns(trained: ChartParser) -> None:
    trees = Trees.of(TREEBANK)
    assert trained.parse(list(trees.words)) == trees
    assert measure_parser(trained, trees).scores.f1 == 100
    assert isinstance(trained, ConstituencyParser)


def test_same_seed_same_model(trained: ChartParser, tmp_path: Path) -> None:
    again = train_parser(Trees.of(TREEBANK), ParserSettings(epochs=8, chains=1, cutoff=2))
    assert again.name == trained.name
    for name, parser in (("a", trained), ("b", again)):
        parser.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    loaded = ChartParser.load(tmp_path / "a")
    assert (loaded.name, loaded.about) == (trained.name, trained.about)
    assert loaded.parse([["the", "cat", "sees", "him", "."]]) == trained.parse(
        [["the", "cat", "sees", "him", "."]]
    )


sentences = st.lists(
    st.lists(
        st.sampled_from(["the", "DOG", "barks", ".", "(", ")", '"', "日本", "🙂", "e\u0301", "\0"])
        | st.text(min_size=1, max_size=6).map(lambda text: "".join(text.split(" "))).filter(bool),
        max_size=9,
    ),
    max_size=6,
)


@given(sentences)
@settings(max_examples=40)
def test_any_words(rows: list[list[str]]) -> None:
    parser = ChartParser.default()
    lines = Lines.of([" ".join(row) for row in rows])
    trees = parser.parse_lines(lines, threads=1)
    assert [list(words) for words in trees.words] == rows
    for index, row in enumerate(rows):
        spans = trees.spans(index)
        assert spans[:1] == ([("ROOT", 0, len(row))] if row else [])
        assert int(trees[index : index + 1].leaves.sum()) == len(row)
    tags = [[parser.tagger.names.index(trees.labels[i]) for i in row] for row in trees.tags()]
    assert tags == parser.tagger.tag_lines(lines).to_lists()
    assert parser.parse_lines(lines, threads=3) == trees
    readable = [tree for tree in trees.to_brackets() if tree and not set(tree) & set("\t\n\r\v\f")]
    assert Trees.of(readable).to_brackets() == readable


def test_english_sentences() -> None:
    parser = ChartParser.default()
    expected = [
        "(ROOT (S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .)))",
        "(ROOT (S (NP (PRP She)) (VP (VBD saw) (NP (PRP him))) (. .)))",
    ]
    trees = Trees.of(expected)
    assert parser.parse(list(trees.words)).to_brackets() == expected
    shouted = parser.parse([[word.upper() for word in words] for words in trees.words])
    assert [shouted.spans(i) for i in range(2)] == [trees.spans(i) for i in range(2)]
    assert parser.parse([["Yes"], [], ["She", "left"]]).to_brackets() == [
        "(ROOT (UH Yes))",
        "",
        "(ROOT (S (NP (PRP She)) (VP (VBD left))))",
    ]
    assert parser.parse([[]]).to_brackets() == [""]
    assert len(parser.parse([])) == 0


def test_long_sentences() -> None:
    parser = ChartParser.default()
    long = ["dogs", "bark", "and"] * 50
    assert len(parser.parse([long]).words[0]) == 150
    lines = Lines.of(["She left .", " ".join(long), "", "He left ."])
    with pytest.raises(InputError, match=r"segment 2: expected at most 100 words, found 150; split it"):
        parser.parse_lines(lines, longest=100)
    trees = parser.parse_lines(lines, longest=100, flat=True)
    assert trees[[0, 2, 3]] == parser.parse_lines(Lines.of(["She left .", "", "He left ."]))
    assert trees.spans(1)[0] == ("ROOT", 0, 150)
    assert trees.parent[trees.offsets[1] : trees.offsets[2]].tolist() == [-1] + [0] * 150
    with pytest.raises(SettingError, match="longest: expected a whole number from 1 to 4,000, found 0"):
        parser.parse_lines(lines, longest=0)


def test_the_shipped_model_on_held_out_trees(benchmark_data: Path) -> None:
    right = read_trees(benchmark_data / "treebanks" / "gum-test.trees.tsv.gz", strip=True)
    measured = measure_parser(ChartParser.default(), right)
    assert measured.scores.f1 > 82
    assert ENGLISH.stat().st_size < 12_000_000


def test_another_tagger(trained: ChartParser, tmp_path: Path) -> None:
    tagger = PerceptronTagger.train([Sentence(("a",), ("XYZ",))] * 3)
    trained.save(tmp_path / "m")
    with pytest.raises(SettingError, match="expected only tags that the parser knows, found XYZ; give"):
        ChartParser.load(tmp_path / "m", tagger)
    own = train_parser(Trees.of(["(S (XYZ a) (XYZ b))"] * 3), tagger=tagger)
    assert own.parse([["b", "a"]]).to_brackets() == ["(ROOT (S (XYZ b) (XYZ a)))"]


@given(st.binary(max_size=200), st.integers(0, 10_000), st.integers(0, 255))
@settings(max_examples=40)
def test_damaged_files(
    trained: ChartParser, tmp_path_factory: pytest.TempPathFactory, junk: bytes, place: int, byte: int
) -> None:
    path = tmp_path_factory.mktemp("m") / "m"
    trained.save(path)
    good = path.read_bytes()
    place %= len(good)
    for data in (junk, good[:place], good[:place] + bytes([byte]) + good[place + 1 :]):
        path.write_bytes(data)
        message = str(path)
        try:
            assert ChartParser.load(path).name == trained.name
        except ParagaugeError as error:
            message = str(error)
        assert message.startswith(str(path))


def test_wrong_contents(trained: ChartParser, tmp_path: Path) -> None:
    labels, tags, kinds = trained.labels, trained.tags, np.zeros(len(trained.tags), np.uint8)
    empty = np.zeros(2 * (len(labels) + len(tags)), np.uint32)
    weights = (empty, np.zeros(len(empty) + 1, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int8))
    parser = ChartParser(labels, tags, kinds, weights, {})
    parser.save(tmp_path / "m")
    assert ChartParser.load(tmp_path / "m").parse([["a", "b"]]).spans(0)[0] == ("ROOT", 0, 2)
    object.__setattr__(
        parser, "_weights", (*weights[:2], np.full(1, 250, np.uint8), np.zeros(1, np.int8))
    )
    parser.save(tmp_path / "m")
    with pytest.raises(
        FileFormatError, match=r"expected a parser's model of this version \(a weight has no"
    ):
        ChartParser.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"epochs": 0}, "epochs: expected a whole number from 1 to 1,000, found 0"),
        ({"smallest": 128}, "smallest: expected a whole number from 1 to 127, found 128"),
        ({"rate": 0.0}, "rate: expected a number from 1e-06 to 1,000, found 0.0"),
        ({"cost": float("nan")}, "cost: expected a number from 0 to 1,000, found nan"),
    ],
)
def test_settings(setting: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ParserSettings(**setting)  # type: ignore[arg-type]


def test_training_refuses() -> None:
    trees = Trees.of(["(S (NN a) (NN b))"])
    with pytest.raises(InputError, match="expected trees to learn from, found no words"):
        train_parser(trees[:0])
    with pytest.raises(InputError, match="tags: expected one for each word of the trees"):
        train_parser(trees, tags=[["NN"]])
    with pytest.raises(SettingError, match="folds: expected a whole number from 2 to 1"):
        jackknife_tags(list(trees.sentences()), folds=2)
