"""Antonyms: the shipped WordNet against its files and by hand, other WordNets, and errors."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import FileFormatError, SettingError, ShapeError
from paragauge.lexicon.opposites import opposite_pairs
from paragauge.lexicon.wordnet import WordNet
from paragauge.lexicon.wordnet_table import Contents, pack
from paragauge.text.lines import Lines

NET = WordNet.default()

# What the pointers `!` in data.noun, data.verb, data.adj and data.adv of WordNet 3.0 say.
ANTONYMS = [
    ("hot", "a", ("cold",)),
    ("love", "v", ("hate",)),
    ("love", "n", ("hate",)),
    ("man", "n", ("woman",)),
    ("increase", "v", ("decrease",)),
    ("increase", "n", ("decrease",)),
    ("quickly", "r", ("slowly",)),
    ("true", "a", ("false",)),
    ("table", "n", ()),
    ("qqq", "n", ()),
]


@pytest.mark.parametrize(("word", "pos", "antonyms"), ANTONYMS)
def test_antonyms(word: str, pos: str, antonyms: tuple[str, ...]) -> None:
    assert NET.antonyms(word, pos) == antonyms


def test_antonyms_of_each_sense() -> None:
    rows = NET.antonyms_by_sense("hot", "a")
    assert len(rows) == len(NET.synsets("hot", "a")) == 21
    assert [number for number, row in enumerate(rows) if row] == [0, 2]
    assert NET.antonyms("HOT") == NET.antonyms("hot")


def test_every_antonym_has_the_word_as_its_antonym() -> None:
    words = [NET._native.word(number) for number in range(0, len(NET), 7)]
    with_antonyms = [word for word in words if NET.antonyms(word)]
    assert len(with_antonyms) > 700
    for word in with_antonyms:
        for antonym in NET.antonyms(word):
            assert word in NET.antonyms(antonym), (word, antonym)
            assert NET.are_opposites(word, antonym)
            assert NET.are_opposites(antonym, word, "similar")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("hated", "loves"),
        ("hotter", "colder"),
        ("rose", "fell"),
        ("men", "women"),
        ("bought", "selling"),
        ("Best", "WORST"),
        ("lacks", "has"),
    ],
)
def test_inflected_opposites(a: str, b: str) -> None:
    assert NET.are_opposites(a, b)
    assert NET.are_opposites(b, a)


@pytest.mark.parametrize(
    ("a", "b"), [("ran", "runs"), ("hot", "hot"), ("of", "of"), ("dog", "cat"), ("", "hot")]
)
def test_no_opposites(a: str, b: str) -> None:
    assert not NET.are_opposites(a, b)
    assert not NET.are_opposites(a, b, "similar")


@pytest.mark.parametrize(("a", "b"), [("huge", "tiny"), ("swift", "slow"), ("sluggish", "rapid")])
def test_opposites_through_heads(a: str, b: str) -> None:
    assert not NET.are_opposites(a, b)
    assert NET.are_opposites(a, b, "similar")


def test_pairs_do_not_depend_on_threads() -> None:
    words = ["hot", "cold", "colder", "of", "rose", "falls", "huge", "tiny"] * 40
    left, right = (side.ravel() for side in np.meshgrid(np.arange(len(words)), np.arange(len(words))))
    for how, per_block in (("direct", 6), ("similar", 8)):
        sets = NET.opposite_sets(Lines.of(words), how, threads=3)
        pairs = opposite_pairs(sets, left, right, threads=2)
        np.testing.assert_array_equal(pairs, opposite_pairs(sets, right, left, threads=1))
        assert pairs.sum() == per_block * 40 * 40


def check_sizes(net: WordNet) -> None:
    assert net.antonyms("large") == ("small",)
    assert net.antonyms("big") == ()
    assert net.antonyms("big", how="similar") == ("small",)
    assert net.antonyms("huge", "a", "similar") == ("small",)
    assert net.antonyms("huge", "n", "similar") == ()
    assert net.are_opposites("small", "huge", "similar")


def test_princetons_data_files(with_pointers: Path) -> None:
    net = WordNet.open(with_pointers)
    check_sizes(net)
    assert net.antonyms("automobile") == ("car",)
    assert net.antonyms_by_sense("car") == [(), ("automobile",)]


def test_data_files_in_an_archive(with_pointers: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.zip"
    with zipfile.ZipFile(path, "w") as out:
        for file in with_pointers.iterdir():
            out.write(file, f"dict/{file.name}")
    assert WordNet.open(path).name == WordNet.open(with_pointers).name


def test_relations_of_lmf(lmf_with_relations: Path) -> None:
    check_sizes(WordNet.open(lmf_with_relations))


def test_an_unknown_target_in_lmf(lmf_with_relations: Path) -> None:
    text = lmf_with_relations.read_text(encoding="utf-8")
    lmf_with_relations.write_text(text.replace('target="s2"', 'target="s7"'), encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"relations.xml:3: expected the id of a Sense .* 's7'"):
        WordNet.open(lmf_with_relations)


def test_a_wordnet_without_antonyms(princeton: Path) -> None:
    net = WordNet.open(princeton)
    message = rf"WordNet {net.name}: expected antonyms, found none; open one that has them"
    for ask in (lambda: net.antonyms("car"), lambda: net.are_opposites("car", "big")):
        with pytest.raises(SettingError, match=message):
            ask()


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        (
            "data.adj",
            "001 ! 00000800",
            "0x1 ! 00000800",
            "data.adj:3: expected 'synset_offset lex_filenum",
        ),
        ("data.adj", "a 0102", "q 0102", "data.adj:4: expected 'synset_offset lex_filenum"),
        ("data.adj", "! 00000800", "! 00000801", "data.adj:3: .* an antonym in 00000801, which is not"),
        (
            "data.adj",
            "0 001 ! 00000700",
            f"0 {10**18} ! 00000700",
            "data.adj:4: expected 'synset_offset",
        ),
        ("data.adj", "0 001 ! 00000700", "0 -1 ! 00000700", "data.adj:4: expected 'synset_offset"),
        ("data.adj", "a 01 small", f"a {'9' * 400} small", "data.adj:4: expected 'synset_offset"),
        ("data.adj", "a 0102", "a 01-2", "data.adj:4: expected 'synset_offset lex_filenum"),
        ("data.adj", "a 0102", "a 010102", "data.adj:4: expected 'synset_offset lex_filenum"),
        ("data.adj", "a 0102", "a 0109", "data.adj:3: .* an antonym of word 9 of 2"),
        ("data.adj", "small(a)", "little", "data.adj:4: .* 'little', which the index does not list"),
        ("data.adj", "& 00000700", "& 00000701", "data.adj:5: .* a head 00000701, which is not there"),
    ],
)
def test_broken_data_files(with_pointers: Path, name: str, old: str, new: str, expected: str) -> None:
    text = (with_pointers / name).read_text(encoding="utf-8")
    assert old in text
    (with_pointers / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(FileFormatError, match=expected) as caught:
        WordNet.open(with_pointers)
    assert "\n" not in str(caught.value)


def test_a_missing_data_file(with_pointers: Path) -> None:
    (with_pointers / "data.verb").unlink()
    with pytest.raises(FileFormatError, match=r"data\.verb: no such file; check the path"):
        WordNet.open(with_pointers)


def test_unknown_ways_to_be_opposites() -> None:
    with pytest.raises(SettingError, match="unknown opposition 'similer'; did you mean 'similar'"):
        NET.antonyms("hot", how="similer")
    with pytest.raises(SettingError, match="unknown part of speech 'x'"):
        NET.antonyms("hot", "x")


def test_rows_that_do_not_exist() -> None:
    sets = NET.opposite_sets(Lines.of(["hot", "cold"]))
    for left, right in (([0], [2]), ([-1], [0]), ([0, 1], [0])):
        with pytest.raises(ShapeError, match="expected as many left as right rows, below 2, found"):
            opposite_pairs(sets, np.array(left), np.array(right))
    assert opposite_pairs(sets, np.array([], np.int64), np.array([], np.int64)).tolist() == []


def test_senses_that_the_table_does_not_have() -> None:
    hot, cold = ("hot", "a", "1"), ("cold", "a", "2")
    with pytest.raises(ShapeError, match="antonyms: expected senses of the WordNet, found"):
        pack(Contents("t", {("hot", "a"): ["1"]}, antonyms={(hot, cold)}))
    with pytest.raises(ShapeError, match="heads: expected adjective synsets of the WordNet, found"):
        pack(Contents("t", {("hot", "a"): ["1"]}, heads={("1", "2")}))
