"""Pairs for compression: ratios by hand, sets apart, seeds, errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.generate.compression_pairs import (
    choose_compressions,
    compression_pairs,
    parse_ratio,
    parse_sizes,
    write_pairs,
)


def words(*counts: int) -> list[str]:
    return [" ".join("abcdefghijklmnopqrst"[:count]) for count in counts]


def test_ratios_by_hand() -> None:
    # 2/3 = 0.667 is below 0.67; 3/4 = 0.75 is in; 7/10 is in; an empty line is no translation.
    long, short = words(3, 4, 10, 4, 0), words(2, 3, 7, 4, 3)
    assert compression_pairs([long, short]) == {1: [(0, 1)], 2: [(0, 1)]}
    assert compression_pairs([short, long]) == {1: [(1, 0)], 2: [(1, 0)]}
    assert compression_pairs([long, short], longest=9) == {1: [(0, 1)]}
    assert compression_pairs([long, short], 0.6, 0.67) == {0: [(0, 1)]}
    assert compression_pairs([]) == {}


def test_sets() -> None:
    texts = [words(*[4] * 50), words(*[3] * 50), words(*[3, 1] * 25)]
    sets = choose_compressions(texts, {"dev": 20, "test": 30})
    assert [len(part) for part in sets.values()] == [20, 30]
    assert sorted(sets["dev"].sentences + sets["test"].sentences) == list(range(50))
    assert sets["dev"].ratio == pytest.approx(0.75)
    assert {short for _, short in sets["test"].translations} == {1, 2}
    again = choose_compressions(texts, {"dev": 20, "test": 30})
    assert again == sets
    assert choose_compressions(texts, {"dev": 20, "test": 30}, seed=8) != sets


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12)), max_size=20),
    st.integers(0, 10),
)
def test_every_pair_has_the_ratio_and_a_sentence_of_its_own(
    lengths: list[tuple[int, int, int]], seed: int
) -> None:
    texts = [words(*(row[i] for row in lengths)) for i in range(3)]
    size = len(compression_pairs(texts, 0.5, 0.9))
    sets = choose_compressions(
        texts, {"dev": size // 2, "test": size - size // 2}, low=0.5, high=0.9, seed=seed
    )
    used = [sentence for one in sets.values() for sentence in one.sentences]
    assert len(set(used)) == len(used) == size
    for one in sets.values():
        for long, short, sentence, (a, b) in zip(
            one.long, one.short, one.sentences, one.translations, strict=True
        ):
            assert (texts[a][sentence], texts[b][sentence]) == (long, short)
            assert 0.5 <= len(short.split()) / len(long.split()) <= 0.9


def test_errors() -> None:
    with pytest.raises(InputError, match=r"at most 1 pairs in all, .* ratio of 0.67 to 0.75; found 2"):
        choose_compressions([words(4), words(3)], {"dev": 1, "test": 1})
    with pytest.raises(LengthError, match="found 1, 2"):
        compression_pairs([words(4), words(3, 3)])
    with pytest.raises(SettingError, match="low <= high"):
        compression_pairs([], 0.8, 0.7)


def test_files_have_the_lines_as_they_are(tmp_path: Path) -> None:
    sets = choose_compressions([words(4, 4, 4), words(3, 3, 3)], {"dev": 1, "test": 2})
    texts = {"one": ["A!", "B!", "C!"], "two": ["a", "b", "c"]}
    paths = write_pairs(tmp_path, sets, texts)
    assert [path.name for path in paths] == [
        *("dev.long.txt", "dev.short.txt", "test.long.txt", "test.short.txt", "pairs.tsv")
    ]
    lines = {path.name: path.read_text(encoding="utf-8").split("\n")[:-1] for path in paths}
    assert sorted(lines["dev.long.txt"] + lines["test.long.txt"]) == ["A!", "B!", "C!"]
    assert [line.lower() for line in lines["test.long.txt"]] == [
        f"{line}!" for line in lines["test.short.txt"]
    ]
    header, *rows = (line.split("\t") for line in lines["pairs.tsv"])
    assert header == ["set", "segment", "sentence", "long", "short"]
    for name, segment, sentence, long, short in rows:
        assert (long, short) == ("one", "two")
        assert lines[f"{name}.long.txt"][int(segment) - 1] == texts["one"][int(sentence) - 1]
    with pytest.raises(FileFormatError, match=r"dev.long.txt: the file exists; choose another"):
        write_pairs(tmp_path, sets, texts)
    write_pairs(tmp_path, sets, texts, force=True)


@pytest.mark.parametrize(
    "text", ["", "0.7", "0.7:0.6", "0:0.5", "0.5:1.1", "a:b", "nan:nan", "0.1:0.2:0.3"]
)
def test_bad_ratios(text: str) -> None:
    with pytest.raises(SettingError, match="ratio: expected LOW:HIGH"):
        parse_ratio(text)


@pytest.mark.parametrize("texts", [["dev"], ["dev=0"], ["=3"], ["a/b=3"], ["dev=1", "dev=2"]])
def test_bad_sets(texts: list[str]) -> None:
    with pytest.raises(SettingError, match="set: "):
        parse_sizes(texts)
