"""Pharaoh files: round trips, marks, lengths, and complaints that name the line."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.align import pharaoh as module
from paragauge.align.links import Links
from paragauge.align.pharaoh import (
    PharaohReader,
    pharaoh_batches,
    pharaoh_lines,
    read_marked_links,
    read_pharaoh,
    write_pharaoh,
)
from paragauge.errors import FileFormatError, LengthError, ParagaugeError
from paragauge.text.wording import pluralize

link = st.tuples(st.integers(0, 40), st.integers(0, 2**31 - 1))
corpora = st.lists(st.lists(link, max_size=5), max_size=6)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "links.txt"


@given(corpora, st.sampled_from(["a.txt", "a.txt.gz", "a.txt.zst"]), st.integers(1, 3))
def test_what_is_written_is_read(
    tmp_path: Path, rows: list[list[tuple[int, int]]], name: str, batch: int
) -> None:
    links = Links.from_lists(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BATCH", batch)
        write_pharaoh(tmp_path / name, links)
    assert read_pharaoh(tmp_path / name) == links


def test_marks(path: Path) -> None:
    path.write_bytes(b"0-0 1p2\t3?1  \r\n\n2p2 2-2\n")
    marked = read_marked_links(path)
    assert marked.links.to_lists() == [[(0, 0), (1, 2), (3, 1)], [], [(2, 2)]]
    assert marked.sure.to_lists() == [[(0, 0)], [], [(2, 2)]]
    assert list(pharaoh_lines(marked.links, marked.possible)) == ["0-0 1p2 3p1", "", "2-2"]


@pytest.mark.parametrize("text", ["1-", "-1", "x", "1:2", "0-0:0.5", "1--2", "2147483648-0", "１-2"])
def test_what_is_no_link(path: Path, text: str) -> None:
    path.write_text(f"0-0\n0-0 {text}\n", encoding="utf-8")
    with pytest.raises(FileFormatError) as error:
        read_pharaoh(path)
    assert str(error.value) == (
        f"{path}:2: expected links such as 0-0 1-2, found {text!r}; write the position in the source, "
        "a hyphen (p or ? if the link is only possible) and that in the target, both from 0"
    )


def test_long_nonsense_is_cut(path: Path) -> None:
    path.write_text("x" * 10_000)
    with pytest.raises(FileFormatError, match=r"found 'x{40}\.\.\.'; "):
        read_pharaoh(path)


def test_links_are_checked_against_lengths(path: Path) -> None:
    path.write_text("0-0\n5-3\n")
    ok = np.array([1, 6]), np.array([1, 4])
    assert read_pharaoh(path, ok).to_lists() == [[(0, 0)], [(5, 3)]]
    with pytest.raises(FileFormatError) as error:
        read_pharaoh(path, (np.array([1, 5]), np.array([1, 4])))
    assert str(error.value).startswith(f"{path}:2: link 5-3, but the source has 5 tokens; check that")


@pytest.mark.parametrize(("lines", "pairs"), [(1, 2), (3, 2), (0, 1), (1, 0)])
def test_the_number_of_lines_is_checked(path: Path, lines: int, pairs: int) -> None:
    path.write_text("0-0\n" * lines)
    ones = np.ones(pairs, np.int64)
    has, expected = pluralize(lines, "line"), pluralize(pairs, "sentence pair")
    with pytest.raises(LengthError, match=rf"has {has}, but there are .*{expected};"):
        read_pharaoh(path, (ones, ones))


def test_batches_count_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(gzip.compress(b"0-0\n" * 5 + b"x\n"))
    with PharaohReader(path) as reader:
        assert len(reader.read(3).links) == 3
        assert reader.line == 3
        with pytest.raises(FileFormatError, match=r"links\.txt:6: expected links"):
            reader.read(3)
    monkeypatch.setattr(module, "BATCH_BYTES", 1)
    path.write_text("0-0\n1-1\n2-2\n")
    assert [part.links.to_lists() for part in pharaoh_batches(path)] == [[[(0, 0)], [(1, 1)], [(2, 2)]]]


@given(st.binary(max_size=120) | st.text("01-p? \t\r\n\x00", max_size=60).map(str.encode))
@example(gzip.compress(b"0-0\n" * 50)[:-9])
@example(b"\xef\xbb\xbf0-0\r\n")
@example(b"0-0\x00\n")
def test_any_bytes_give_links_or_an_error_of_ours(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "fuzz"
    path.write_bytes(data)
    with contextlib.suppress(ParagaugeError):
        links = read_pharaoh(path)
        assert links.to_lists() == [sorted(set(row)) for row in links.to_lists()]


def test_a_huge_line(path: Path) -> None:
    path.write_text(" ".join(f"{i}-{i}" for i in range(200_000)))
    assert read_pharaoh(path).lengths.tolist() == [200_000]
