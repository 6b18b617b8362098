"""Sizes of texts and grammars, and the held-out tenth (Weese et al. 2014, tables 1 and 2)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.grammar import data_sizes, split_translations, write_split

RULES = "[NP] ||| the [NN,1] ||| a [NN,1]\n[X] ||| big dog ||| hound\n[X] ||| cat ||| kitten\n"


def test_sizes_count_pairs_and_words_of_both_sides(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("a b\tc\nd\te f g\n")
    files = []
    for name, text in (("1", "a b\nc\n"), ("2", "d\ne f\n"), ("3", "g h i\nj\n")):
        files.append(tmp_path / name)
        files[-1].write_text(text)
    rules = tmp_path / "rules.txt"
    rules.write_text(RULES)
    sizes = data_sizes({"pairs": [pairs], "sets": files}, {"rules": rules})
    assert sizes.to_dict()["texts"] == [
        {"name": "pairs", "sets": 2, "pairs": 2, "words": 7},
        # Each of the 6 + 4 words is in two of the three pairs of its set.
        {"name": "sets", "sets": 2, "pairs": 6, "words": 2 * (6 + 4)},
    ]
    assert sizes.to_dict()["grammars"] == [
        {"name": "rules", "rules": 3, "syntactic": 1, "phrasal": 1, "lexical": 1}
    ]
    assert [row["kind"] for row in sizes.to_rows()] == ["text", "text", "grammar"]
    assert sizes.to_rows()[0]["rules"] is None


def test_nothing_to_measure() -> None:
    with pytest.raises(InputError, match="expected a grammar or a text"):
        data_sizes({}, {})


@pytest.mark.parametrize("pieces", [2, 3, 10])
def test_the_pieces_hold_every_sentence_once(pieces: int) -> None:
    texts = {name: [f"{name}{number}" for number in range(23)] for name in "abcd"}
    held = [split_translations(texts, pieces=pieces, piece=piece) for piece in range(1, pieces + 1)]
    assert sorted(row for split in held for row in split.held_out) == list(range(23))
    sizes = {len(split.held_out) for split in held}
    assert max(sizes) - min(sizes) <= 1
    for split in held:
        # "4 independent translations of each foreign sentence, giving 6 possible paraphrase pairs"
        assert len(split.pairs) == 6 * (23 - len(split.held_out))
        seen = {side[1:] for pair in split.pairs for side in pair}
        assert seen.isdisjoint(str(row) for row in split.held_out)
        assert all(left[1:] == right[1:] and left[0] < right[0] for left, right in split.pairs)
        assert split.test["c"] == tuple(f"c{row}" for row in split.held_out)


def test_a_missing_translation_has_no_pairs() -> None:
    texts = {"a": ["1", "2", "3"], "b": ["", "2", " "], "c": ["1", "2", "3"]}
    pairs = [
        pair for piece in (1, 2, 3) for pair in split_translations(texts, pieces=3, piece=piece).pairs
    ]
    assert len(pairs) == 2 * (1 + 3 + 1)
    assert all(side.strip() for side in itertools.chain.from_iterable(pairs))


def test_the_seed_decides() -> None:
    texts = {name: [str(number) for number in range(40)] for name in "ab"}
    first = split_translations(texts)
    assert split_translations(texts) == first
    assert split_translations(texts, seed=8).held_out != first.held_out


def test_bad_splits() -> None:
    texts = {"a": ["1", "2"], "b": ["1", "2"]}
    with pytest.raises(InputError, match="at least two translations, found 1"):
        split_translations({"a": ["1"]})
    with pytest.raises(LengthError, match="found a: 1, b: 2"):
        split_translations({"a": ["1"], "b": ["1", "2"]})
    with pytest.raises(
        SettingError, match="pieces: expected 2 to 2, the number of sentences, found 10"
    ):
        split_translations(texts)
    with pytest.raises(SettingError, match="piece: expected the number of a piece, 1 to 2, found 3"):
        split_translations(texts, pieces=2, piece=3)


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    split = split_translations({"a": ["1", "2"], "b": ["1", "2"]}, pieces=2, piece=1)
    written = write_split(tmp_path / "out", split)
    content = [path.read_text() for path in written]
    with pytest.raises(Exception, match="the file exists"):
        write_split(tmp_path / "out", split)
    write_split(tmp_path / "out", split, force=True)
    assert [path.read_text() for path in written] == content
    with pytest.raises(SettingError, match="without slashes"):
        write_split(
            tmp_path / "out2", split_translations({"../a": ["1", "2"], "b": ["1", "2"]}, pieces=2)
        )
