"""Bitexts: two files or a table, tokenized, with every complaint at its place."""

from __future__ import annotations

import contextlib
import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, LengthError, ParagaugeError, SettingError
from paragauge.text import side_by_side
from paragauge.text.bitext import Bitext, BitextFiles, read_bitext, read_bitext_tsv, token_counts
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import TOKENIZERS, tokenize_lines
from paragauge.text.vocabulary import Vocabulary

text = st.text(st.sampled_from("ab 你é\u0301😀\u3000"), max_size=8)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "a.en", tmp_path / "a.fr"


def test_two_files(files: tuple[Path, Path]) -> None:
    files[0].write_bytes(b"\xef\xbb\xbfthe  house\r\nyes")
    files[1].write_bytes(gzip.compress(b"la maison\noui\n"))
    bitext = read_bitext(*files)
    assert list(bitext.source) == ["the house", "yes"]
    assert list(bitext.target) == ["la maison", "oui"]
    assert bitext.numbers.tolist() == [1, 2]
    assert bitext.name == f"{files[0]} and {files[1]}"


def test_a_table_and_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("Hi.\t你好。\tCC-BY\nNo!\t不！\tCC-BY\n", encoding="utf-8")
    bitext = read_bitext_tsv(path, tokenize=("13a", "zh"), case="lower")
    assert [bitext[0], bitext[1]] == [("hi .", "你 好 。"), ("no !", "不 ！")]
    assert (bitext.tokenize, bitext.case, bitext.name) == (("13a", "zh"), "lower", str(path))
    assert read_bitext_tsv(path, (3, 1))[1] == ("CC-BY", "No!")


def test_unequal_files(files: tuple[Path, Path]) -> None:
    files[0].write_text("a\nb\nc\n")
    files[1].write_text("a\n")
    with pytest.raises(LengthError) as error:
        read_bitext(*files)
    assert str(error.value) == (
        f"{files[1]} has 1 line but {files[0]} has 3; expected equally many; "
        f"line 2 is the first that {files[1]} lacks"
    )


def test_an_empty_side(files: tuple[Path, Path]) -> None:
    files[0].write_text("a\nb\n\n")
    files[1].write_text("a\n \nc\n")
    with pytest.raises(FileFormatError) as error:
        read_bitext(*files)
    assert str(error.value) == (
        f"{files[1]}:2: expected text on both sides, found nothing on the target side; repair the "
        "pair, keep such pairs with --empty keep, or drop such pairs with --empty skip"
    )
    bitext = read_bitext(*files, empty="keep")
    assert (list(bitext.source), list(bitext.target)) == (["a", "b", ""], ["a", "", "c"])
    assert bitext.skipped == 0
    assert bitext.target_lengths.tolist() == [1, 0, 1]
    skipped = read_bitext(*files, empty="skip")
    assert (list(skipped.source), list(skipped.target)) == (["a"], ["a"])
    assert skipped.skipped == 2
    assert skipped.numbers.tolist() == [1]


def test_a_table_with_too_few_columns(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\na b\n")
    with pytest.raises(FileFormatError) as error:
        read_bitext_tsv(path)
    assert str(error.value) == (
        f"{path}:2: expected at least 2 tab-separated columns, found 1; "
        "check the separator, or name the columns to read"
    )


def test_bad_bytes_are_named(files: tuple[Path, Path]) -> None:
    files[0].write_bytes(b"a\nb\n")
    files[1].write_bytes(b"a\nb\xff\n")
    with pytest.raises(FileFormatError, match=r"a\.fr:2: expected UTF-8 text, found byte 0xff"):
        read_bitext(*files)


def test_empty_files(files: tuple[Path, Path]) -> None:
    for path in files:
        path.write_bytes(b"")
    with pytest.raises(FileFormatError, match="the file is empty; expected one sentence per line"):
        read_bitext(*files)
    with pytest.raises(FileFormatError, match="the file is empty; expected two columns of text"):
        read_bitext_tsv(files[0])


def test_standard_input_serves_one_side(files: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match=r"standard input \(-\) can serve one input only"):
        read_bitext("-", "-")


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"tokenize": ("13b", "none")}, "unknown tokenizer '13b'"),
        ({"case": "upper"}, "unknown case 'upper'"),
        ({"empty": "drop"}, "unknown treatment of empty sides 'drop'; .*known: error, keep, skip"),
        ({"columns": (0, 1)}, "columns: expected two different numbers from 1, found 0 and 1"),
        ({"columns": (2, 2)}, "columns: expected two different numbers from 1, found 2 and 2"),
    ],
)
def test_settings_are_checked(settings_: dict, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        BitextFiles("a", **settings_)


def test_strings_must_be_parallel() -> None:
    with pytest.raises(LengthError, match="source has 2 sentences but target has 1"):
        Bitext.of(["a", "b"], ["c"])


@settings(deadline=None)
@given(st.lists(st.tuples(text, text), min_size=1, max_size=12), st.integers(1, 5))
def test_batches_are_the_whole_in_parts(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]], size: int
) -> None:
    folder = tmp_path_factory.mktemp("bitext")
    (folder / "a").write_text("".join(f"{left}\n" for left, _ in pairs), encoding="utf-8")
    (folder / "b").write_text("".join(f"{right}\n" for _, right in pairs), encoding="utf-8")
    table = "".join(f"{left}\t{right}\n" for left, right in pairs)
    (folder / "t").write_text(table, encoding="utf-8")
    words = [[re.findall(r"[^ \t\v\f\r]+", side) for side in pair] for pair in pairs]
    expected = [(i, s, t) for i, (s, t) in enumerate(words, 1) if s and t]
    for where in (
        BitextFiles(folder / "a", folder / "b", empty="skip"),
        BitextFiles(folder / "t", empty="skip"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(side_by_side, "BATCH", size)
            streamed = list(where.batches())
            whole = where.read()
        for parts in (streamed, [whole], list(whole.batches(size))):
            pairs_read = [
                (number, *(side.split(" ") for side in batch[i]))
                for batch in parts
                for i, number in enumerate(batch.numbers.tolist())
            ]
            assert pairs_read == expected
        assert sum(part.skipped for part in streamed) == whole.skipped == len(pairs) - len(expected)


def test_a_batch_holds_its_own_bytes_only() -> None:
    bitext = Bitext.of([f"s{i}" for i in range(10)], [f"t{i}" for i in range(10)])
    assert [len(batch.source.buffer) for batch in bitext.batches(5)] == [10, 10]
    with pytest.raises(SettingError, match="size: expected a whole number from 1, found 0"):
        list(bitext.batches(0))


blanks = st.sampled_from(" \t\x0b\x1c\x85\u00a0\u2028\u3000\x00")
anything = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n") | blanks, max_size=12
)


@given(st.lists(anything, max_size=4), st.sampled_from(TOKENIZERS))
def test_blanks_separate_tokens_and_nothing_else_does(texts: list[str], tokenizer: str) -> None:
    """Aligners and kernels that cut at blanks see as many tokens as those that cut at white space."""
    lines = tokenize_lines(Lines.of(texts), tokenizer)
    again = Vocabulary().encode(lines, "blanks")
    assert token_counts(lines).tolist() == again.lengths.tolist()


@given(st.lists(st.lists(st.sampled_from(["a", "bc", "你"]), max_size=4), max_size=5))
def test_token_counts(rows: list[list[str]]) -> None:
    assert token_counts(Lines.of([" ".join(row) for row in rows])).tolist() == list(map(len, rows))


@settings(deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=200), st.sampled_from(["error", "keep", "skip"]))
def test_any_bytes_give_pairs_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, left: bytes, right: bytes, empty: str
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "a").write_bytes(left)
    (folder / "b").write_bytes(right)
    for read in (
        lambda: read_bitext(folder / "a", folder / "b", empty=empty),
        lambda: read_bitext_tsv(folder / "a", empty=empty),
    ):
        with contextlib.suppress(ParagaugeError):
            bitext = read()
            assert len(bitext.source) == len(bitext.target) == len(bitext.numbers)


@given(st.lists(st.booleans(), max_size=9), st.integers(1, 4))
def test_batches_cover_all_lines(full: list[bool], size: int) -> None:
    bitext = Bitext.of(["a" * good for good in full], ["b"] * len(full), empty="skip")
    batches = list(bitext.batches(size))
    assert bitext.lines == sum(batch.lines for batch in batches) == len(full)
    assert [batch.first + place for batch in batches for place in batch.places] == [
        line for line, good in enumerate(full) if good
    ]
    before = 0
    for batch in batches:
        assert batch.first == before
        before += batch.lines
