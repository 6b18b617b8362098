"""Brown clusters: training, paths files, answers, damaged files."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.kernels import reference
from paragauge.rewrite.thesauri.brown import BrownClusters, bit_strings, read_paths
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize

TEXT = (
    """
The cat sat on the mat. The dog sat on the rug. A cat ran to the mat. A dog ran to the rug.
The cat saw a dog. The dog saw a cat. A newt sat on a rug. The newt ran.
""".strip().split("\n")
    * 2
)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT) + "\n", encoding="utf-8")
    return path


def clusters_of(rows: list[tuple[str, str, int]]) -> set[frozenset[str]]:
    paths = {bits for bits, _, _ in rows}
    return {frozenset(word for bits, word, _ in rows if bits == path) for path in paths}


@pytest.mark.parametrize("clusters", [1, 4, 7, 50])
def test_training_is_exhaustive_greedy_merging(text: Path, clusters: int) -> None:
    trained = BrownClusters.train([text], clusters=clusters, min_count=1)
    lines = tokenize(TEXT, "penn", case="lower")
    counts: dict[str, int] = {}
    for line in lines:
        for word in line:
            counts[word] = counts.get(word, 0) + 1
    words = sorted(counts, key=lambda word: -counts[word])  # ties: the first in the text
    assert [word for _, word, _ in trained.rows] == words
    assert [count for _, _, count in trained.rows] == [counts[word] for word in words]
    number = {word: i for i, word in enumerate(words)}
    counter = reference.BigramCounter()
    flat = np.array([number[word] for line in lines for word in line], np.int32)
    counter.add(flat, np.cumsum([0, *map(len, lines)], dtype=np.int64))
    twin = reference.BrownClustering(*counter.bigrams(), len(words), clusters, 1)
    merges, losses = twin.merge(len(words))
    names = list(range(len(words)))
    for stays, goes in merges.tolist()[: max(0, len(words) - clusters)]:
        names = [stays if name == goes else name for name in names]
    expected = {
        frozenset(word for word, name in zip(words, names, strict=True) if name == cluster)
        for cluster in names
    }
    assert clusters_of(list(trained.rows)) == expected
    assert len(expected) == trained.clusters == min(clusters, len(words))
    left = losses[max(0, len(words) - clusters) :].sum()
    assert trained.about["information"] == pytest.approx(left)


def test_paths_are_a_prefix_code_that_ends_merges_first(text: Path) -> None:
    trained = BrownClusters.train([text], clusters=6, min_count=1)
    paths = sorted({bits for bits, _, _ in trained.rows})
    assert not any(b.startswith(a) for a in paths for b in paths if a != b)
    assert sum(2.0 ** -len(path) for path in paths) == 1


def test_bit_strings_of_a_worked_example() -> None:
    # Words 3 and 1 merge into the clusters {0} {1, 3} {2}; then 0 with 2; then that with 1.
    merges = np.array([[1, 3], [0, 2], [0, 1]], np.int32)
    assert bit_strings(merges, 4, 3) == ["00", "1", "01", "1"]
    assert bit_strings(merges, 4, 1) == ["0"] * 4
    assert bit_strings(merges[:0], 1, 5) == ["0"]


def test_rare_words_are_left_out(text: Path) -> None:
    words = {word for _, word, _ in BrownClusters.train([text], clusters=3, min_count=6).rows}
    assert "cat" in words
    assert "newt" not in words
    with pytest.raises(InputError, match="occur 1000 times or more, found none; give more text"):
        BrownClusters.train([text], min_count=1000)


def test_threads_and_parts_change_nothing(text: Path, tmp_path: Path) -> None:
    halves = tmp_path / "first.txt", tmp_path / "second.txt.gz"
    halves[0].write_text("\n".join(TEXT[:2]) + "\n", encoding="utf-8")
    halves[1].write_bytes(gzip.compress(("\n".join(TEXT[2:]) + "\n").encode()))
    one = BrownClusters.train([text], clusters=5, min_count=1, threads=1)
    other = BrownClusters.train(halves, clusters=5, min_count=1, threads=3)
    assert one.rows == other.rows
    assert one.name == other.name


def test_only_frequent_words_of_the_cluster_are_substitutes() -> None:
    rows = [("01", "rare", 1), ("01", "often", 9), ("00", "else", 5), ("01", "some", 4)]
    clusters = BrownClusters(rows, top=2)
    words = Lines.of(["rare", "often", "some", "else", "unknown", "two words", ""])
    answers = {
        (words[i], words[k])
        for i in range(7)
        for k in range(7)
        if clusters.substitutable(words, np.array([i]), np.array([k]), None)[0]
    }
    assert answers == {("rare", "often"), ("rare", "some"), ("often", "some"), ("some", "often")}
    assert clusters.members("rare") == ["often", "some"]
    assert clusters.members("unknown") == []
    assert clusters.name != BrownClusters(rows, top=3).name


@pytest.mark.parametrize("name", ["a.paths", "a.paths.gz", "a.paths.zst"])
def test_files_keep_everything(name: str, tmp_path: Path) -> None:
    rows = [("1", "wörd", 3), ("0", "猫", 2), ("1", "🙂", 7)]
    clusters = BrownClusters(rows)
    clusters.save(tmp_path / name)
    again = BrownClusters.open(tmp_path / name)
    assert again.rows == [("0", "猫", 2), ("1", "🙂", 7), ("1", "wörd", 3)]
    assert again.name == clusters.name


EXPECTED = "expected a bit string, a word and a count with tabs between, found "


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "paths: " + EXPECTED + "an empty file"),
        ("0\ta\t1\n0 b 1\n", "paths:2: " + EXPECTED + "1 field; train clusters with"),
        ("0\ta\t1\tx\n", "paths:1: " + EXPECTED + "4 fields"),
        ("02\ta\t1\n", "paths:1: " + EXPECTED + "'02' as bits"),
        ("\ta\t1\n", "paths:1: " + EXPECTED + "'' as bits"),
        ("0\t\t1\n", "paths:1: " + EXPECTED + "'' as a word"),
        ("0\ta b\t1\n", "paths:1: " + EXPECTED + "'a b' as a word"),
        ("0\ta\t-1\n", "paths:1: " + EXPECTED + "'-1' as a count"),
        ("0\ta\t٣\n", "paths:1: " + EXPECTED + "'٣' as a count"),
        ("0\ta\t1\n1\ta\t2\n", "paths:2: the word 'a' is also in line 1; leave one out"),
    ],
)
def test_wrong_files(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "paths"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FileFormatError) as caught:
        BrownClusters.open(path)
    assert message in str(caught.value)


@given(st.binary(max_size=200) | st.text("01\ta\n\r\x00 é", max_size=60).map(str.encode))
def test_any_bytes_are_read_or_rejected(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "paths"
    path.write_bytes(content)
    try:
        rows = read_paths(path)
    except FileFormatError:
        return
    words = Lines.of([word for _, word, _ in rows])
    assert len(BrownClusters(rows).substitutable(words, np.array([0]), np.array([0]), None)) == 1


def test_a_truncated_archive_and_a_huge_line(tmp_path: Path) -> None:
    whole = gzip.compress(b"0\ta\t1\n" * 500)
    (tmp_path / "cut.gz").write_bytes(whole[:-9])
    with pytest.raises(FileFormatError, match="damaged gzip data"):
        BrownClusters.open(tmp_path / "cut.gz")
    (tmp_path / "long").write_bytes(b"0" * 3_000_000)
    with pytest.raises(FileFormatError, match="found 1 field"):
        BrownClusters.open(tmp_path / "long")


@pytest.mark.parametrize(("name", "value"), [("clusters", 0), ("min_count", 0), ("top", 0)])
def test_wrong_settings(name: str, value: int, text: Path) -> None:
    with pytest.raises(SettingError, match=f"{name}: expected a whole number from 1"):
        BrownClusters.train([text], **{name: value})
