"""Clusters, splits, pairs and test sets: counts that a reader can check, and those of a real corpus."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.collect.corpus.clusters import (
    Cluster,
    ClusterSizes,
    FilteredClusters,
    Sentence,
    SentenceFilter,
    group_by_item,
)
from paragauge.collect.corpus.corpus_tables import read_corpus
from paragauge.collect.corpus.export_pairs import (
    draw_partners,
    make_pairs,
    pick_references,
    write_pairs,
    write_test,
)
from paragauge.collect.corpus.export_sentences import write_clusters, write_sentences
from paragauge.collect.corpus.splits import Split, SplitPart
from paragauge.errors import FileFormatError, SettingError

KINDS = ["tsv", "csv", "jsonl", "parquet"]
TEXTS = ["a dog runs", "a puppy is running", "犬が走る", "a dog runs"]


def cluster(size: int, item: str = "v1") -> Cluster:
    return Cluster(item, tuple(Sentence(item, f"{item} {number}") for number in range(size)))


CORPUS = group_by_item(
    [
        Sentence("v1", text, 1 + number % 2, ["English", "german", None][number % 3], f"w{number}")
        for number, text in enumerate(TEXTS)
    ]
    + [
        Sentence(
            "v2", "it rains", 2, "English", "w0", "2011-06-19T10:00:00+00:00", 21.5, "accepted", "ok"
        )
    ]
)


def read(path: Path) -> list[dict]:
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in lines]
    header, *rows = [line.split("," if path.suffix == ".csv" else "\t") for line in lines]
    return [dict(zip(header, row, strict=True)) for row in rows]


@given(st.integers(1, 30), st.integers(1, 40), st.data())
def test_a_draw_has_no_sentence_twice_and_never_itself(count, parallel, data):
    own = data.draw(st.integers(0, count - 1))
    chosen = draw_partners(count, own, parallel, "7 v1")
    assert len(chosen) == len(set(chosen)) == min(parallel, count - 1)
    assert own not in chosen
    assert set(chosen) <= set(range(count))


@given(st.integers(2, 20), st.integers(0, 10))
def test_smaller_draws_are_parts_of_larger_ones(size, seed):
    draws = [set(make_pairs(cluster(size), parallel, seed)) for parallel in (1, 5, 10, None)]
    assert draws[0] <= draws[1] <= draws[2] <= draws[3]
    assert len(draws[3]) == size * (size - 1)


def test_draws_are_even():
    """Of 4 sentences, each of the others is drawn for a third of 3000 items."""
    counts = [0, 0, 0, 0]
    for item in range(3000):
        counts[draw_partners(4, 0, 1, f"7 v{item}")[0]] += 1
    assert counts[0] == 0
    assert all(900 < count < 1100 for count in counts[1:])


def test_pairs_depend_on_seed_and_item_only():
    assert list(make_pairs(cluster(9), 3, 7)) == list(make_pairs(cluster(9), 3, 7))
    assert list(make_pairs(cluster(9), 3, 7)) != list(make_pairs(cluster(9), 3, 8))
    with pytest.raises(SettingError, match="parallel: expected 1 or more, or all, found 0"):
        list(make_pairs(cluster(2), 0, 7))


def test_counts_of_the_paper(tmp_path):
    """Chen and Dolan (2011), section 5.1: 28,785 sentences give 28K, 143K and 287K pairs, and all 449K.

    1,799 clusters of 16 have 28,784 sentences; 28,784 times 1, 5, 10 and 15 pairs.
    """
    clusters = [cluster(16, f"v{number}") for number in range(1799)]
    expected = {1: 28_784, 5: 143_920, 10: 287_840, None: 431_760}
    for parallel, rows in expected.items():
        assert sum(1 for cluster in clusters for _ in make_pairs(cluster, parallel, 7)) == rows


def test_identical_pairs_are_counted_when_left_out(tmp_path):
    path = tmp_path / "pairs.jsonl"
    counts = write_pairs(CORPUS, path, parallel=None, identical=False)
    # Of the 12 ordered pairs of v1 two join equal texts; v2 has one sentence and no pair.
    assert (counts.items, counts.sentences, counts.rows, counts.identical) == (2, 5, 10, 2)
    assert all(row["source"] != row["target"] and row["item"] == "v1" for row in read(path))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("include_source", [False, True])
def test_test_sets(tmp_path, kind, include_source):
    path = tmp_path / f"test.{kind}"
    counts = write_test(CORPUS, path, include_source=include_source)
    assert counts.rows == 4
    rows = read(path)
    assert [row["source"] for row in rows] == TEXTS
    if kind in ("tsv", "csv"):
        names = [f"reference{number}" for number in range(2, 4 + include_source)]
        row = [rows[1]["reference"], *(rows[1][name] for name in names)]
    else:
        row = rows[1]["reference"]
    assert row == [TEXTS[0], TEXTS[2], TEXTS[3], *([TEXTS[1]] if include_source else [])]


def test_references_keep_their_order():
    assert pick_references(["a", "b", "c"], 2) == ["a", "b"]


def test_plain_files(tmp_path):
    write_test(CORPUS, tmp_path / "test", plain=True)
    assert (tmp_path / "test" / "source.txt").read_text(encoding="utf-8").split("\n") == [*TEXTS, ""]
    lines = (tmp_path / "test" / "reference.tsv").read_text(encoding="utf-8").split("\n")
    assert lines[0].split("\t") == TEXTS[1:]
    write_pairs(CORPUS, tmp_path / "pairs", parallel=1, plain=True)
    assert {path.name for path in (tmp_path / "pairs").iterdir()} == {
        "item.txt",
        "source.txt",
        "target.txt",
    }
    (tmp_path / "file").write_text("")
    with pytest.raises(
        FileFormatError, match="file: expected a folder, found a file; choose another name"
    ):
        write_pairs(CORPUS, tmp_path / "file", plain=True)


@pytest.mark.parametrize("kind", [*KINDS, "tsv.gz", "csv.gz", "jsonl.zst"])
def test_there_and_back(tmp_path, kind):
    path = tmp_path / f"out.{kind}"
    write_sentences(CORPUS, path)
    assert group_by_item(read_corpus(path)) == CORPUS
    write_clusters(CORPUS, path)
    assert [cluster.texts for cluster in group_by_item(read_corpus(path))] == [
        cluster.texts for cluster in CORPUS
    ]


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)


@given(st.lists(st.tuples(st.sampled_from(["v1", "v2", "é \u2028"]), texts), min_size=1, max_size=8))
def test_any_text_goes_there_and_back_unless_it_is_in_tsv(tmp_path, rows):
    corpus = group_by_item(Sentence(item, text) for item, text in rows)
    for kind in ("csv", "jsonl", "parquet"):
        path = tmp_path / f"out.{kind}"
        write_sentences(corpus, path)
        assert group_by_item(read_corpus(path)) == corpus


def test_tsv_refuses_what_it_cannot_hold(tmp_path):
    corpus = group_by_item([Sentence("v1", "two\nlines"), Sentence("v1", "b")])
    path = tmp_path / "out.tsv"
    path.write_text("old")
    for write in (write_sentences, write_clusters, write_pairs, write_test):
        with pytest.raises(FileFormatError, match=r"out.tsv: a text has a tab or a line end"):
            write(corpus, path)
    with pytest.raises(FileFormatError, match="which plain files cannot hold"):
        write_test(corpus, tmp_path / "folder", plain=True)
    assert path.read_text() == "old"
    # Nothing half-written: no folder, and nothing of the attempt beside it.
    assert list(tmp_path.iterdir()) == [path]


def test_a_plain_folder_that_is_there_keeps_its_files_until_the_end(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("source.txt", "notes.txt"):
        (folder / name).write_text("old")
    wrong = group_by_item([Sentence("v1", "a"), Sentence("v1", "two\nlines")])
    with pytest.raises(FileFormatError, match="which plain files cannot hold"):
        write_test(wrong, folder, plain=True)
    assert {file.name: file.read_text() for file in folder.iterdir()} == {
        "source.txt": "old",
        "notes.txt": "old",
    }
    write_test(CORPUS, folder, plain=True)
    assert (folder / "source.txt").read_text(encoding="utf-8").split("\n") == [*TEXTS, ""]
    assert (folder / "notes.txt").read_text() == "old"
    assert list(tmp_path.iterdir()) == [folder]
    with pytest.raises(FileFormatError, match=r"its folder .* does not exist; make it first"):
        write_test(CORPUS, tmp_path / "none" / "folder", plain=True)


def test_parquet_has_few_row_groups(tmp_path):
    path = tmp_path / "out.parquet"
    write_sentences([cluster(2, f"v{number}") for number in range(9000)], path)
    assert pq.ParquetFile(path).num_row_groups == 2


def test_wanted_sentences():
    def chosen(**settings) -> list[tuple[str, int]]:
        return [
            (cluster.item, len(cluster.sentences))
            for cluster in FilteredClusters(CORPUS, SentenceFilter(**settings))
        ]

    assert chosen() == [("v1", 4), ("v2", 1)]
    assert chosen(tiers=frozenset({2})) == [("v1", 2), ("v2", 1)]
    assert chosen(languages=frozenset({"ENGLISH"})) == [("v1", 2), ("v2", 1)]
    assert chosen(min_sentences=2) == [("v1", 4)]
    assert chosen(distinct=True) == [("v1", 3), ("v2", 1)]
    assert [
        s.worker for s in next(iter(FilteredClusters(CORPUS, SentenceFilter(distinct=True)))).sentences
    ] == [
        "w0",
        "w1",
        "w2",
    ]
    with pytest.raises(SettingError, match="min_sentences: expected 1 or more, found 0"):
        SentenceFilter(min_sentences=0)


def test_split_is_by_item_exact_and_without_order():
    items = [f"v{number}" for number in range(1970)]
    split = Split.of(items)
    test = {item for item in items if split.is_test(item)}
    assert len(test) == 197
    assert Split.of(reversed(items)) == split
    more = Split.of([*items, "new"])
    assert len({item for item in items if more.is_test(item)} ^ test) <= 1
    clusters = [cluster(2, item) for item in items]
    parts = [
        {cluster.item for cluster in SplitPart(clusters, split, part)}
        for part in ("train", "test", "all")
    ]
    assert parts[0] | parts[1] == parts[2] == set(items)
    assert not parts[0] & parts[1]
    none = Split.of(["a", "b"], share=0.1)
    assert not any(none.is_test(item) for item in "ab")
    with pytest.raises(SettingError, match="test share: expected a number between 0 and 1, found 1"):
        Split.of(items, share=1)
    with pytest.raises(SettingError, match="unknown part 'tset'; did you mean 'test'"):
        SplitPart(clusters, split, "tset")


def test_msvd(benchmark_data):
    """80,827 descriptions of 1,970 videos, 41 on average, 27 or more for over 95 % (section 3.3)."""
    rows = [
        sentence
        for part in ("train", "val", "test")
        for sentence in read_corpus(benchmark_data / "msvd" / f"{part}.tsv.gz", layout="msvd")
    ]
    corpus = group_by_item(rows)
    sizes = ClusterSizes.of([len(cluster.sentences) for cluster in corpus])
    assert (sizes.items, sizes.sentences, round(sizes.mean)) == (1970, 80_827, 41)
    assert sizes.least_for_95 >= 27
    train = list(SplitPart(corpus, Split.of(cluster.item for cluster in corpus), "train"))
    assert len(train) == 1773
    sentences = sum(len(cluster.sentences) for cluster in train)
    assert sentences == 72_909  # this and the next are in docs/guides/collect.md
    counts = [sum(1 for cluster in train for _ in make_pairs(cluster, n, 7)) for n in (1, 5, 10, None)]
    assert counts == [sentences, 5 * sentences, 10 * sentences, 3_113_806]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"v1\ta\nv2\n", "c.tsv:2: expected an item and a sentence separated by a tab, found 1 fields"),
        (b"v1\ta\tb\n", "c.tsv:1: .* found 3 fields"),
        (b"v1\t \n", "c.tsv:1: .* found an empty one"),
        (b"", "c.tsv: the corpus has no sentences"),
        (b"v1\t\xff\n", "c.tsv:1: expected UTF-8"),
    ],
)
def test_bad_msvd(tmp_path, content, message):
    path = tmp_path / "c.tsv"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        read_corpus(path, layout="msvd")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("v1\ta b\n", "c.tsv: the table has no rows"),
        ("v1\ta b\nv1\tc\n", "expected a column for the item, found v1, a b; .* use the layout msvd"),
        ("item\tsentence\ttier\nv1\ta\t3\n", "c.tsv:2: column 'tier': expected 1 or 2, found 3"),
        ("item\tsentence\nv1\t\n", "c.tsv:2: column 'sentence': expected a sentence, found nothing"),
        ("item\tsentence\n\ta\n", "c.tsv:2: column 'item': expected a text, found nothing"),
        ("item\tid\tsentence\nv\tv\ta\n", "columns item and id could both be the item; say which"),
    ],
)
def test_bad_tables(tmp_path, content, message):
    path = tmp_path / "c.tsv"
    path.write_text(content)
    with pytest.raises(FileFormatError, match=message):
        read_corpus(path)


def test_columns_by_name(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text('{"clip": 7, "words": "a dog"}\n')
    assert read_corpus(path, columns={"item": "clip", "sentence": "words"}) == [Sentence("7", "a dog")]
    with pytest.raises(SettingError, match="unknown role of a column 'itme'; did you mean 'item'"):
        read_corpus(path, columns={"itme": "clip"})
    with pytest.raises(SettingError, match="unknown layout 'msdv'; did you mean 'msvd'"):
        read_corpus(path, layout="msdv")


@given(st.binary(max_size=80), st.sampled_from(["table", "msvd"]), st.sampled_from(KINDS))
def test_any_bytes_are_read_or_refused(tmp_path, content, layout, kind):
    path = tmp_path / f"c.{kind}"
    path.write_bytes(content)
    with contextlib.suppress(FileFormatError):
        assert read_corpus(path, layout=layout)
