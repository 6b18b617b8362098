"""GIZA++'s files: the published example of its format, and what is no such file."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align import giza as module
from paragauge.align.giza import read_giza
from paragauge.errors import FileFormatError, ParagaugeError

PAIRS = [
    "# Sentence pair (1) source length 3 target length 4 alignment score : 1.3e-05",
    "I 'm here .",
    "NULL ({ 2 }) je ({ 1 }) suis ({ }) ici ({ 3 4 }) ",
    "# Sentence pair (2) source length 1 target length 1 alignment score : 0.5",
    "你好",
    "NULL ({ }) ({ ({ 1 }) ",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "en-fr.A3.final"


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("batch", [3, 6])
def test_pairs(path: Path, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", batch)
    write(path, PAIRS)
    assert read_giza(path).to_lists() == [[(0, 0), (2, 2), (2, 3)], [(0, 0)]]


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "# Sentence", r":1: expected '# Sentence pair \(1\) ...', found '# Sentence'; give a file"),
        (4, PAIRS[0], r":4: expected '# Sentence pair \(2\) ...', found '# Sentence pair \(1\)"),
        (3, "je ({ 1 })", r":3: expected words such as 'NULL .*', found ''"),
        (3, "NULL ({ }) je ({ 1 }) x", r":3: expected words .*, found 'x'"),
        (3, "NULL ({ }) je ({ 1", r":3: expected words .*, found 'je \(\{ 1'"),
        (3, "NULL ({ }) je ({ 5 })", ":3: link to word 5, but the line before has 4"),
        (3, "NULL ({ }) je ({ 0 })", ":3: link to word 0, but the line before has 4"),
    ],
)
def test_what_is_refused(path: Path, line: int, text: str, message: str) -> None:
    lines = list(PAIRS)
    lines[line - 1] = text
    write(path, lines)
    with pytest.raises(FileFormatError, match=message):
        read_giza(path)


def test_a_file_that_was_cut(path: Path) -> None:
    write(path, PAIRS[:5])
    with pytest.raises(FileFormatError, match=r"final:5: expected three lines a pair, found the end"):
        read_giza(path)
    path.write_bytes(b"")
    with pytest.raises(FileFormatError, match="the file is empty; expected three lines a pair"):
        read_giza(path)


pieces = st.sampled_from([*PAIRS, "", "NULL ({ })", "NULL ({ 1 }) a ({ 1 2", "x" * 500, "\x00", "\r"])


@given(
    st.lists(pieces, max_size=7).map(lambda lines: "\n".join(lines).encode()) | st.binary(max_size=90)
)
def test_any_bytes_give_links_or_an_error_of_ours(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "fuzz"
    path.write_bytes(data)
    with contextlib.suppress(ParagaugeError):
        assert len(read_giza(path)) > 0
