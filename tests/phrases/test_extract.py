"""Counts, probabilities and lexical weights: by hand, against a plain computation, on all threads."""

from __future__ import annotations

import errno
from collections import Counter, defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.kernels.reference.phrases.phrases import order_of, pairs_of
from paragauge.phrases import extract
from paragauge.phrases.extract import (
    ExtractionSettings,
    aligned_batches,
    extract_batches,
    extract_table,
)
from paragauge.phrases.table import PhrasePair, PhraseTable
from paragauge.text.bitext import Bitext, BitextFiles

Pairs = list[list[tuple[int, int]]]


def extract_rows(
    folder: Path,
    sources: list[str],
    targets: list[str],
    links: Pairs,
    options: ExtractionSettings | None = None,
) -> list[PhrasePair]:
    bitext = Bitext.of(sources, targets, empty="keep")
    table = extract_table(bitext, Links.from_lists(links), folder, options)
    return [PhrasePair(**row) for batch in table.batches() for row in batch.to_pylist()]


def test_probabilities_by_hand(tmp_path: Path) -> None:
    rows = extract_rows(tmp_path / "t", ["a", "a", "a", "b"], ["x", "x", "y", "x"], [[(0, 0)]] * 4)
    counts = [(r.source, r.target, r.count, r.source_count, r.target_count) for r in rows]
    assert counts == [("a", "x", 2, 3, 3), ("a", "y", 1, 3, 1), ("b", "x", 1, 1, 3)]
    assert [(r.p_target, r.p_source) for r in rows] == [(2 / 3, 2 / 3), (1 / 3, 1.0), (1.0, 1 / 3)]
    # One word each: the lexical weights are the word translation probabilities, which are the same.
    assert [(r.lex_target, r.lex_source) for r in rows] == [(r.p_target, r.p_source) for r in rows]


def test_lexical_weights_by_hand(tmp_path: Path) -> None:
    # "a u" with "x v w": a-x, a-w linked; u and v are not. And "a" with "x" once more.
    rows = extract_rows(tmp_path / "t", ["a u", "a"], ["x v w", "x"], [[(0, 0), (0, 2)], [(0, 0)]])
    by_pair = {(row.source, row.target): row for row in rows}
    whole = by_pair["a u", "x v w"]
    # a is linked three times: twice to x, once to w. NULL has v; v has NULL only.
    assert whole.lex_target == pytest.approx((2 / 3) * 1.0 * (1 / 3))
    # a: the mean of w(a|x) = 1 and w(a|w) = 1; u: w(u|NULL) = 1.
    assert whole.lex_source == pytest.approx(1.0)
    assert whole.alignment == "0-0 0-2"


def test_the_most_frequent_alignment(tmp_path: Path) -> None:
    straight, crossed = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    rows = extract_rows(tmp_path / "t", ["a b"] * 3, ["x y"] * 3, [straight, crossed, straight])
    assert {r.alignment for r in rows if r.source == "a b"} == {"0-0 1-1"}


def test_ties_between_alignments_go_to_the_greater_as_in_moses(tmp_path: Path) -> None:
    # Sets of source words by target word: ({0}, {1}) and ({1}, {0}); the second is greater.
    straight, crossed = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    rows = extract_rows(tmp_path / "t", ["a b"] * 2, ["x y"] * 2, [straight, crossed])
    assert {r.alignment for r in rows if (r.source, r.target) == ("a b", "x y")} == {"1-0 0-1"}
    # ({0}, {}) and ({0, 1}, {}): a set is greater than its beginning.
    rows = extract_rows(tmp_path / "u", ["a b"] * 2, ["x"] * 2, [[(0, 0)], [(0, 0), (1, 0)]])
    assert {r.alignment for r in rows if r.source == "a b"} == {"0-0 1-0"}


def test_a_word_null_is_a_word(small: PhraseTable) -> None:
    (pair,) = small.query("🙂")
    assert (pair.target, pair.lex_target, pair.lex_source) == ("NULL", 1.0, 1.0)


def plain(sources: list[str], targets: list[str], links: Pairs, length: int) -> list[PhrasePair]:
    """The same table from dictionaries."""
    alignments: dict[tuple[str, str], Counter] = defaultdict(Counter)
    words: Counter = Counter()
    for s, t, between in zip(sources, targets, links, strict=True):
        left, right, linked = s.split(), t.split(), sorted(set(between))
        words.update((left[i], right[j]) for i, j in linked)
        words.update((left[i], "") for i in set(range(len(left))) - {i for i, _ in linked})
        words.update(("", right[j]) for j in set(range(len(right))) - {j for _, j in linked})
        for first, last, begin, end in pairs_of(len(left), len(right), linked, length):
            inner = [(i - first, j - begin) for i, j in linked if begin <= j <= end]
            inner.sort(key=lambda link: (link[1], link[0]))
            pair = " ".join(left[first : last + 1]), " ".join(right[begin : end + 1])
            alignments[pair][order_of(inner, end - begin + 1), tuple(inner)] += 1
    counts = {pair: counted_links.total() for pair, counted_links in alignments.items()}

    def totals(rows: dict, side: int) -> Counter:
        total: Counter = Counter()
        for pair, count in rows.items():
            total[pair[side]] += count
        return total

    by_source, by_target = totals(counts, 0), totals(counts, 1)
    word_sources, word_targets = totals(words, 0), totals(words, 1)
    rows = []
    for s, t in sorted(counts, key=lambda pair: (pair[0].encode(), pair[1].encode())):
        _, inner = max(alignments[s, t], key=lambda key: (alignments[s, t][key], key[0]))
        forward = backward = 1.0
        for j, word in enumerate(t.split()):
            mates = [s.split()[i] for i, k in inner if k == j] or [""]
            forward *= sum(words[mate, word] / word_sources[mate] for mate in mates) / len(mates)
        for i, word in enumerate(s.split()):
            mates = [t.split()[j] for k, j in inner if k == i] or [""]
            backward *= sum(words[word, mate] / word_targets[mate] for mate in mates) / len(mates)
        n = counts[s, t]
        shares = n / by_source[s], n / by_target[t]
        text = " ".join(f"{i}-{j}" for i, j in inner)
        rows.append(PhrasePair(s, t, n, by_source[s], by_target[t], *shares, forward, backward, text))
    return rows


texts = st.lists(st.sampled_from(["a", "b", "é", "🙂"]), max_size=4).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[str], Pairs]:
    sources = draw(st.lists(texts, min_size=1, max_size=6))
    targets = [draw(texts) for _ in sources]
    links: Pairs = []
    for s, t in zip(sources, targets, strict=True):
        places = [(i, j) for i in range(len(s.split())) for j in range(len(t.split()))]
        links.append(draw(st.lists(st.sampled_from(places), max_size=5)) if places else [])
    return sources, targets, links


@settings(max_examples=30)
@given(corpora(), st.integers(1, 4))
def test_a_table_is_as_from_dictionaries(
    tmp_path_factory: pytest.TempPathFactory, corpus: tuple, length: int
) -> None:
    folder = tmp_path_factory.mktemp("table") / "t"
    rows = extract_rows(folder, *corpus, ExtractionSettings(max_length=length, threads=1))
    assert rows == plain(*corpus, length)


def many(count: int) -> tuple[list[str], list[str], Pairs]:
    sources = [" ".join(f"s{(i * 7 + k) % 50}" for k in range(6)) for i in range(count)]
    targets = [" ".join(f"t{(i * 5 + k) % 40}" for k in range(6)) for i in range(count)]
    return sources, targets, [[(k, (k * (i % 5 + 1)) % 6) for k in range(6)] for i in range(count)]


def test_the_same_on_any_number_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = extract_rows(tmp_path / "1", *many(900), ExtractionSettings(threads=1))
    monkeypatch.setattr(extract, "BATCH", 100)
    three = extract_rows(tmp_path / "3", *many(900), ExtractionSettings(threads=3))
    assert one == three
    left, right = (PhraseTable.open(tmp_path / name) for name in "13")
    assert left.fingerprint == right.fingerprint
    assert left.path.read_bytes() == right.path.read_bytes()
    assert left.info == right.info


def test_filters(tmp_path: Path) -> None:
    sources, targets = ["a"] * 7 + ["b"], ["x", "x", "x", "y", "y", "z", "w", "x"]
    links = [[(0, 0)]] * 8

    everything = set(extract_rows(tmp_path / "0", sources, targets, links))

    def pairs_left(name: str, **options: float) -> list[tuple[str, str]]:
        rows = extract_rows(tmp_path / name, sources, targets, links, ExtractionSettings(**options))
        assert set(rows) <= everything
        return [(row.source, row.target) for row in rows]

    assert pairs_left("1", min_count=2) == [("a", "x"), ("a", "y")]
    assert pairs_left("2", min_probability=2 / 7) == [("a", "x"), ("a", "y"), ("b", "x")]
    # w and z occur equally often: the first in the alphabet is kept.
    assert pairs_left("3", top=3) == [("a", "w"), ("a", "x"), ("a", "y"), ("b", "x")]
    assert pairs_left("4", top=1, min_count=2) == [("a", "x")]
    assert pairs_left("5", min_count=9) == []


def test_stems(tmp_path: Path) -> None:
    options = ExtractionSettings(stem=("porter", None))
    rows = extract_rows(
        tmp_path / "t", ["houses", "house"], ["maisons", "maison"], [[(0, 0)]] * 2, options
    )
    assert [(r.source, r.target, r.lex_target) for r in rows] == [
        ("hous", "maison", 0.5),
        ("hous", "maisons", 0.5),
    ]


def test_nothing_to_extract(tmp_path: Path) -> None:
    assert extract_rows(tmp_path / "t", ["a", ""], ["x", "y"], [[], []]) == []
    assert PhraseTable.open(tmp_path / "t").query("a") == []


def test_description(small: PhraseTable) -> None:
    info = small.info
    assert info["settings"] == {
        "tokenize": ["blanks", "blanks"],
        "case": "mixed",
        "max_length": 7,
        "stem": [None, None],
        "min_count": 1,
        "min_probability": 0.0,
        "top": None,
    }
    assert info["counts"] == {"sentence_pairs": 5, "skipped": 0, "links": 12, "extracted": 22}
    assert (info["pairs"], info["sources"]) == (18, 17)


def test_progress(tmp_path: Path) -> None:
    said: list[str] = []
    bitext, links = Bitext.of(["a"], ["x"]), Links.from_lists([[(0, 0)]])
    extract_table(bitext, links, tmp_path / "t", progress=said.append)
    assert said == ["extracting, 0 sentence pairs", "counting 1 phrase pairs", "scoring"]
    assert len(said) == extract.steps(1)


BAD_SETTINGS = [
    ({"max_length": 0}, "max_length: expected a whole number from 1 to 64, found 0"),
    ({"max_length": 65}, "max_length: expected a whole number from 1 to 64, found 65"),
    ({"min_count": 0}, "min_count: expected a whole number from 1"),
    ({"top": 0}, "top: expected a whole number from 1"),
    ({"min_probability": 1.5}, "min_probability: expected a number from 0 to 1, found 1.5"),
    ({"min_probability": float("nan")}, "min_probability: expected a number from 0 to 1, found nan"),
    ({"stem": ("portr", None)}, "unknown stemmer 'portr'; did you mean 'porter'?"),
]


@pytest.mark.parametrize(("options", "message"), BAD_SETTINGS)
def test_bad_settings(options: dict, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        ExtractionSettings(**options)
    assert str(caught.value).startswith(message)


def test_links_that_do_not_fit(tmp_path: Path) -> None:
    bitext = Bitext.of(["a", "b"], ["x", "y"])
    with pytest.raises(
        InputError, match="source and target has 2 sentence pairs but the alignment has 1"
    ):
        extract_table(bitext, Links.from_lists([[]]), tmp_path / "t")
    with pytest.raises(InputError, match="source and target:2: link 3-0, but the source has 1 token"):
        extract_table(bitext, Links.from_lists([[], [(3, 0)]]), tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_table(
    small: PhraseTable, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    with pytest.raises(FileFormatError, match=r"copy: the disk is full; make room, or name another"):
        extract_table(Bitext.of(["a"], ["x"]), Links.from_lists([[(0, 0)]]), copied)
    monkeypatch.undo()
    assert [path.name for path in copied.parent.iterdir()] == ["copy"]
    assert PhraseTable.open(copied).fingerprint == small.fingerprint


def test_files(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("The house.\tLa maison.\nYes.\tOui.\n")
    (tmp_path / "links").write_text("0-0 1-1 2-2\n0-0 1-1\n")
    where = BitextFiles(tmp_path / "pairs.tsv", tokenize=("13a", "13a"), case="lower")
    table = extract_batches(aligned_batches(where, tmp_path / "links"), tmp_path / "t")
    assert [pair.target for pair in table.query("the house")] == ["la maison"]
    assert table.info["settings"]["case"] == "lower"
    for text, message in (
        ("0-0\n", "links has 1 line, but there are at least 2 sentence pairs"),
        ("0-0\n0-0\n0-0\n", "links has 3 lines, but there are 2 sentence pairs"),
    ):
        (tmp_path / "links").write_text(text)
        with pytest.raises(LengthError, match=message):
            extract_batches(aligned_batches(where, tmp_path / "links"), tmp_path / "t")


def test_the_engine_is_a_choice(tmp_path: Path) -> None:
    class Counting(DuckDBEngine):
        queries: list[str] = []  # noqa: RUF012

        def batches(self, sql, tables):  # type: ignore[no-untyped-def]
            self.queries.append(sql)
            return super().batches(sql, tables)

        def write(self, sql, tables, output):  # type: ignore[no-untyped-def]
            self.queries.append(sql)
            return super().write(sql, tables, output)

    extract_table(
        Bitext.of(["a"], ["x"]), Links.from_lists([[(0, 0)]]), tmp_path / "t", engine=Counting()
    )
    assert len(Counting.queries) == 3


def test_long_phrases_of_sparse_links_are_cut_into_small_batches(tmp_path: Path) -> None:
    text = " ".join(f"w{i}" for i in range(12))
    options = ExtractionSettings(max_length=64)
    rows = extract_rows(tmp_path / "t", [text] * 20, [text] * 20, [[(5, 5)]] * 20, options)
    # Six beginnings and seven ends on each side.
    assert len(rows) == (6 * 7) ** 2
    assert {row.count for row in rows} == {20}


def test_a_word_that_a_stemmer_empties_stays(tmp_path: Path) -> None:
    # Snowball's Porter leaves nothing of s.
    options = ExtractionSettings(stem=("porter", None))
    rows = extract_rows(tmp_path / "table", ["u s"], ["us états"], [[(0, 0), (1, 1)]], options)
    assert [(row.source, row.target) for row in rows] == [
        ("s", "états"),
        ("u", "us"),
        ("u s", "us états"),
    ]
