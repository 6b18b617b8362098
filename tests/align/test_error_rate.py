"""AER by hand, its identities, and gold files with their complaints."""

from __future__ import annotations

import contextlib
import gzip
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align.error_rate import AlignmentScore, alignment_counts, score_alignment
from paragauge.align.gold import GoldAlignment, read_gold, read_gold_jsonl
from paragauge.align.links import Links
from paragauge.align.pharaoh import read_pharaoh
from paragauge.errors import FileFormatError, LengthError, ParagaugeError
from paragauge.text.bitext import read_bitext

link = st.tuples(st.integers(0, 4), st.integers(0, 4))
rows = st.lists(link, max_size=6)
corpora = st.lists(st.tuples(rows, rows, rows), min_size=1, max_size=4)


def test_a_worked_example() -> None:
    # A = 00 11 22 33; S = 00 11 44; P = S and 22. A&S = 2, A&P = 3, |A| = 4, |S| = 3.
    gold = GoldAlignment(
        Links.from_lists([[(0, 0), (1, 1)], [(4, 4)]]), Links.from_lists([[(2, 2)], []])
    )
    links = Links.from_lists([[(0, 0), (1, 1), (2, 2)], [(3, 3)]])
    score = score_alignment(links, gold)
    assert score == AlignmentScore(2, 4, 3, 4, 2, 3)
    assert score.precision == 3 / 4
    assert score.recall == 2 / 3
    assert score.aer == 1 - 5 / 7
    assert score.f1 == pytest.approx(2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3))
    assert alignment_counts(links, gold).tolist() == [[3, 2, 3, 2, 3], [1, 1, 1, 0, 0]]


@given(corpora)
def test_counts_are_those_of_sets(corpus: list) -> None:
    a, s, p = (Links.from_lists(column) for column in zip(*corpus, strict=True))
    expected = []
    for links, sure, possible in (map(set, row) for row in corpus):
        either = sure | possible
        expected.append(list(map(len, (links, sure, either, links & sure, links & either))))
    assert alignment_counts(a, GoldAlignment(s, p)).tolist() == expected


@given(corpora)
def test_without_possible_links_aer_is_one_minus_f1(corpus: list) -> None:
    a, s, p = (Links.from_lists(column) for column in zip(*corpus, strict=True))
    gold = GoldAlignment(s, p).all_sure()
    assert gold.sure == gold.possible
    score = score_alignment(a, gold)
    if score.precision is None or score.recall is None:
        assert score.f1 is None
    else:
        assert math.isclose(score.aer, 1 - score.f1, abs_tol=1e-12)


def test_shares_of_nothing() -> None:
    nothing = Links.from_lists([[]])
    some = Links.from_lists([[(0, 0)]])
    score = score_alignment(nothing, GoldAlignment(nothing, nothing))
    assert (score.precision, score.recall, score.f1, score.aer) == (None, None, None, None)
    score = score_alignment(nothing, GoldAlignment(some, some))
    assert (score.precision, score.recall, score.aer) == (None, 0.0, 1.0)
    score = score_alignment(Links.from_lists([[(1, 1)]]), GoldAlignment(some, some))
    assert (score.precision, score.recall, score.f1, score.aer) == (0.0, 0.0, 0.0, 1.0)


def test_lengths_must_agree() -> None:
    one = Links.from_lists([[]])
    two = Links.from_lists([[], []])
    with pytest.raises(LengthError, match="has 2 sentence pairs but the gold alignment has 1"):
        score_alignment(two, GoldAlignment(one, one))


ROW = {"source": "the house", "target": "la maison", "sure": [[0, 0]], "poss": [[1, 1]]}


def gold_file(folder: Path, *rows: object) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_json_lines(tmp_path: Path) -> None:
    bare = {name: ROW[name] for name in ("source", "target", "sure")}
    bitext, gold = read_gold_jsonl(gold_file(tmp_path, ROW, bare))
    assert bitext[0] == ("the house", "la maison")
    assert gold.sure.to_lists() == [[(0, 0)], [(0, 0)]]
    assert gold.possible.to_lists() == [[(0, 0), (1, 1)], [(0, 0)]]


def test_the_name_decides(tmp_path: Path) -> None:
    path = gold_file(tmp_path, ROW)
    packed = tmp_path / "gold.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_gold(packed).possible.to_lists() == [[(0, 0), (1, 1)]]
    text = tmp_path / "gold.txt"
    text.write_text("0-0 1p1\n")
    assert read_gold(text).possible.to_lists() == [[(0, 0), (1, 1)]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sure": [[0, 2]]}, "link 0-2, but the target has 2 tokens"),
        ({"poss": [[2, 0]]}, "link 2-0, but the source has 2 tokens"),
        ({"sure": [[0]]}, r"column 'sure': expected pairs of positions .*, found \[0\]"),
        ({"sure": 3}, "column 'sure': expected pairs of positions .*, found 3"),
        ({"sure": [[0, -1]]}, r"found \[0, -1\]"),
        ({"sure": [[0, True]]}, r"found \[0, True\]"),
        ({"sure": [[0, 2**40]]}, r"found \[0, 1099511627776\]"),
        ({"source": None}, "column 'source': expected a text, found nothing"),
    ],
)
def test_json_lines_are_checked(tmp_path: Path, change: dict, message: str) -> None:
    path = gold_file(tmp_path, ROW, ROW | change)
    with pytest.raises(FileFormatError, match=rf"gold\.jsonl:2: .*{message}"):
        read_gold_jsonl(path)


def test_json_lines_need_their_columns(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="unknown column 'sure'"):
        read_gold_jsonl(gold_file(tmp_path, {"source": "a", "target": "b"}))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@given(
    st.lists(st.fixed_dictionaries(dict.fromkeys(ROW, values)), min_size=1, max_size=3)
    | st.binary(max_size=60)
)
def test_any_gold_file_gives_links_or_an_error_of_ours(tmp_path: Path, content: object) -> None:
    path = tmp_path / "fuzz.jsonl"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path = gold_file(tmp_path, *content)
    with contextlib.suppress(ParagaugeError):
        bitext, gold = read_gold_jsonl(path)
        assert len(bitext) == len(gold)


def test_the_same_links_in_two_formats(benchmark_data: Path) -> None:
    """What Moses was given for the training pairs is what the JSON Lines hold."""
    bitext, gold = read_gold_jsonl(benchmark_data / "edinburgh" / "train.jsonl.gz")
    folder = benchmark_data / "oracles" / "moses"
    text = read_bitext(folder / "source.gz", folder / "target.gz")
    lengths = text.source_lengths, text.target_lengths
    assert (text.source, text.target) == (bitext.source, bitext.target)
    assert read_pharaoh(folder / "alignment.gz", lengths) == gold.possible


def test_hand_aligned_corpora(benchmark_data: Path) -> None:
    """The counts of the corpus files, and that people's links agree with themselves."""
    bitext, gold = read_gold_jsonl(benchmark_data / "edinburgh" / "test.jsonl.gz")
    assert len(bitext) == 306
    assert score_alignment(gold.sure, gold).aer == 0
    assert score_alignment(gold.possible, gold).precision == 1
