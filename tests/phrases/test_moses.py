"""Moses phrase tables: the format by hand, the kernel against its twin, what comes back, bad files."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError
from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts
from paragauge.phrases.moses import MosesReader, moses_text, read_moses, write_moses
from paragauge.phrases.table import PhraseTable, schema

LINE = "la maison ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 4 2 1 |||"


def rows(path: Path, **options: bool) -> list[dict]:
    return [row for table in MosesReader(path, **options).batches() for row in table.to_pylist()]


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "phrase-table"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_line(file) -> None:
    (row,) = rows(file(LINE + "\n"))
    assert row == {
        "source": "la maison",
        "target": "the house",
        "p_source": 0.5,
        "lex_source": 0.25,
        "p_target": 1.0,
        "lex_target": 0.125,
        "alignment": "0-0 1-1",
        "target_count": 4,
        "source_count": 2,
        "count": 1,
    }


@pytest.mark.parametrize(
    "line",
    [
        "a ||| b ||| 1 1 1 1",
        "a ||| b ||| 1 1 1 1 |||",
        "a ||| b ||| 1 1 1 1 ||| |||",
        "a ||| b ||| 1 1 1 1 |||  |||  |||",
        "a ||| b ||| 1 1 1 1 2.718 ||| ||| ||| sparse=1 ||| {{Prop x}}",
        "  a  |||  b ||| 1.0 1e0 1. 10E-1  ",
    ],
)
def test_lines_of_other_versions(file, line: str) -> None:
    (row,) = rows(file(line))
    assert (row["source"], row["target"], row["alignment"], row["count"]) == ("a", "b", "", None)
    assert row["lex_target"] == 1.0


def test_words_are_left_as_they_are(file) -> None:
    (row,) = rows(file("&#124; |||| ||| é\u00a0🙂 \u3000 ||| 1 1 1 1 ||| 1-1\n"))
    assert (row["source"], row["target"]) == ("&#124; ||||", "é\u00a0🙂 \u3000")


BAD = [
    ("la maison", "expected source ||| target ||| scores, found 1 field"),
    ("", "expected source ||| target ||| scores, found 1 field"),
    ("a ||| b", "expected source ||| target ||| scores, found 2 fields"),
    (" ||| b ||| 1 1 1 1", "expected a source phrase, found nothing"),
    ("a ||| ||| 1 1 1 1", "expected a target phrase, found nothing"),
    ("a ||| b ||| 1 1 1", "expected four numbers such as 0.5 0.25 1 0.125, found '1 1 1'"),
    ("a ||| b ||| 1 1 1 -1", "expected four numbers such as 0.5 0.25 1 0.125, found '1 1 1 -1'"),
    ("a ||| b ||| 1 1 1 nan", "expected four numbers"),
    ("a ||| b ||| 1 1 1 1e999", "expected four numbers"),
    ("a ||| b ||| 1 1 1 1_0", "expected four numbers"),
    ("a ||| b ||| 1 1 1 ١", "expected four numbers"),
    ("a ||| b ||| 1 1 1 1 ||| 0:0", "expected links such as 0-0 1-2, found '0:0'"),
    ("a ||| b ||| 1 1 1 1 ||| 0-1", "expected links within phrases of 1 and 1 words, found '0-1'"),
    ("a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1", "expected whole counts of the target, the source and the"),
    ("a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 0.5", "expected whole counts"),
    ("a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 1e17", "expected whole counts"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_bad_lines(file, line: str, message: str) -> None:
    path = file(f"{LINE}\n{line}\n{LINE}\n")
    with pytest.raises(FileFormatError) as caught:
        rows(path)
    assert str(caught.value).startswith(f"{path}:2: {message}")
    assert str(caught.value).endswith(
        "; repair the line, or leave such lines out with paragauge phrases convert --skip-bad"
    )
    reader = MosesReader(path, skip_bad=True)
    assert sum(map(len, reader.batches())) == 2
    assert (reader.rows, reader.skipped) == (2, 1)


PIECES = "||| a é 🙂 0-0 1-0 0- 0-0-0 1 0.5 .5 5. 1e-3 1e -1 +1 1e400 1e-400 inf nan 0x1 ١ 3 |||| . \t"
LARGE = ["99999999999999999999-0", "9007199254740993", "1e+06"]
pieces = st.sampled_from([*PIECES.split(" "), *LARGE, " ", " ||| "])
lines = st.lists(st.lists(pieces, max_size=16).map("".join) | st.just(LINE), max_size=5)


@st.composite
def near_misses(draw: st.DrawFn) -> str:
    """A good line with one of its words changed."""
    words = LINE.split(" ")
    words[draw(st.integers(0, len(words) - 1))] = draw(pieces)
    return " ".join(words)


@settings(max_examples=300)
@given(lines | st.lists(near_misses(), max_size=5), st.sampled_from([0, 1, 3]))
@example([LINE] * 2000 + ["x"], 3)
def test_the_kernel_is_as_the_twin(texts: list[str], threads: int) -> None:
    buffer, offsets = pack_texts(texts)
    spans = np.stack([offsets[:-1], offsets[1:]], axis=1)
    native = _native.parse_moses(buffer, spans, threads)
    twin = reference.parse_moses(buffer, spans, threads)
    for column, expected in zip(native, twin, strict=True):
        for a, b in (
            zip(column, expected, strict=True) if isinstance(column, tuple) else [(column, expected)]
        ):
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)


scores = st.floats(0, 1e300)
counts = st.integers(0, 1 << 50)
phrase = st.lists(
    st.text(st.characters(exclude_characters=" \n\r", exclude_categories=["Cs"]), min_size=1),
    min_size=1,
).map(" ".join)


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(phrase, phrase, *[scores] * 4, st.none() | st.tuples(*[counts] * 3), st.booleans())
    )
)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, pairs: list) -> None:
    rows_written = [
        {
            **dict(zip(("source", "target"), row[:2], strict=True)),
            **dict(zip(("p_target", "p_source", "lex_target", "lex_source"), row[2:6], strict=True)),
            **dict(zip(("count", "source_count", "target_count"), row[6] or [None] * 3, strict=True)),
            "alignment": "0-0" if row[7] else "",
        }
        for row in pairs
        if "|||" not in row[0].split(" ") + row[1].split(" ")
    ]
    table = pa.Table.from_pylist(rows_written, schema=schema())
    path = tmp_path_factory.mktemp("moses") / "phrase-table.gz"
    assert write_moses([table], path) == len(rows_written)
    assert rows(path) == table.to_pylist()


def test_a_word_that_is_a_separator() -> None:
    row = dict.fromkeys(schema().names, 1) | {"source": "a ||| b", "target": "c", "alignment": "0-0"}
    with pytest.raises(
        InputError, match=r"phrase 'a \|\|\| b': Moses phrase tables cannot hold the word"
    ):
        moses_text(pa.Table.from_pylist([row], schema=schema()))


def test_there_and_back(small: PhraseTable, tmp_path: Path) -> None:
    for name in ("table", "table.gz", "table.zst"):
        write_moses(small.batches(), tmp_path / name)
        again = read_moses(tmp_path / name, tmp_path / f"{name}.folder")
        assert again.fingerprint == small.fingerprint
        assert again.info["origin"] == {"moses": name, "skipped": 0}
    assert (tmp_path / "table.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_any_order_but_each_pair_once(file, tmp_path: Path) -> None:
    table = read_moses(
        file("b ||| x ||| 1 1 1 1\na ||| y ||| 1 1 1 1\na ||| x ||| 1 1 1 1\n"), tmp_path / "t"
    )
    keys = [(r["source"], r["target"]) for b in table.batches() for r in b.to_pylist()]
    assert keys == [("a", "x"), ("a", "y"), ("b", "x")]
    with pytest.raises(
        FileFormatError, match="expected each pair once, found 'la maison' with 'the house'"
    ):
        read_moses(file(f"{LINE}\n{LINE}\n"), tmp_path / "u")
    assert not (tmp_path / "u").exists()


@settings(max_examples=100)
@given(st.binary(max_size=300), st.sampled_from(["plain", "gzip", "cut"]))
@example(b"\0" * 100, "plain")
@example(b"a ||| b\r\n\n\r", "plain")
@example(b"x" * 3_000_000, "plain")
@example(LINE.encode() * 50, "cut")
def test_fuzzed_files(tmp_path_factory: pytest.TempPathFactory, data: bytes, how: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "table"
    packed_ = gzip.compress(data)
    path.write_bytes({"plain": data, "gzip": packed_, "cut": packed_[: len(packed_) // 2]}[how])
    for skip_bad in (False, True):
        message = ""
        try:
            rows(path, skip_bad=skip_bad)
        except FileFormatError as error:
            message = str(error)
        assert "\n" not in message
