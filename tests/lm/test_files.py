"""ARPA and binary files: round trips, KenLM, damaged ones, messages."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, ParagaugeError, SettingError
from paragauge.lm import LanguageModel, TextForm, open_model
from paragauge.lm.binary import MAGIC, binary_bytes, parse_binary
from paragauge.lm.quantize import pack_codes, quantize, unpack_codes

SMALL = """\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.5
-0.7\t</s>
-0.6\ta\t-0.3
-0.9 b -0.2

\\2-grams:
-0.2\t<s> a
-0.4\ta b
-0.1\tb </s>

\\end\\
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.arpa"
    path.write_text(SMALL)
    return path


def same_tables(left: LanguageModel, right: LanguageModel) -> None:
    assert list(left.vocabulary) == list(right.vocabulary)
    assert left.form == right.form
    for a, b in zip(left.table.levels, right.table.levels, strict=True):
        for x, y in zip(a.arrays(), b.arrays(), strict=True):
            np.testing.assert_array_equal(x, y)


def test_scores_by_hand(small: Path) -> None:
    model = LanguageModel.load(small)
    assert model.counts == (5, 3)
    scores = model.score(["a b", "b a", "", "z <s> </s> <unk>"])
    expected = [
        -0.2 - 0.4 - 0.1,
        (-0.5 - 0.9) + (-0.2 - 0.6) + (-0.3 - 0.7),
        -0.5 - 0.7,
        (-0.5 - 1.5) - 1.5 - 1.5 - 1.5 - 0.7,
    ]
    assert scores.log10.tolist() == pytest.approx(expected, abs=1e-6)
    assert scores.tokens.tolist() == [2, 2, 0, 4]
    assert scores.unknown.tolist() == [0, 0, 0, 4]
    assert scores.known_log10.tolist() == pytest.approx([*expected[:3], -0.7], abs=1e-6)
    tokens = model.token_scores(["a b", ""])
    assert tokens.log10.tolist() == pytest.approx([-0.2, -0.4, -0.1, -1.2], abs=1e-6)
    assert tokens.matched.tolist() == [2, 2, 2, 1]
    assert tokens.offsets.tolist() == [0, 3, 4]


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz", "m.arpa.zst", "m.bin"])
def test_what_is_written_is_read(tmp_path: Path, model: LanguageModel, name: str) -> None:
    model.save(tmp_path / name)
    read = LanguageModel.load(tmp_path / name)
    same_tables(model, read)
    assert read.name == model.name


def test_form_is_kept_and_must_not_differ(tmp_path: Path, model: LanguageModel, small: Path) -> None:
    for name in ("m.arpa", "m.bin"):
        model.save(tmp_path / name)
        assert LanguageModel.load(tmp_path / name, form=model.form).form == model.form
        with pytest.raises(InputError, match=r"trained on text of the form tok:13a\|case:lower"):
            LanguageModel.load(tmp_path / name, form=TextForm())
    assert LanguageModel.load(small).form == TextForm()
    assert LanguageModel.load(small, form=TextForm("13a")).form == TextForm("13a")


def test_a_missing_unknown_word_is_as_unlikely_as_in_kenlm(small: Path) -> None:
    small.write_text(SMALL.replace("-1.5\t<unk>\n", "").replace("1=5", "1=4"))
    model = LanguageModel.load(small)
    assert model.counts == (5, 3)
    assert model.score(["z"]).log10.tolist() == pytest.approx([-0.5 - 100 - 0.7])
    small.write_text(SMALL.replace("<unk>", "<UNK>"))
    assert LanguageModel.load(small).score(["z"]).log10.tolist() == pytest.approx([-0.5 - 1.5 - 0.7])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "small.arpa:1: expected \\data\\, found 'data'"),
        ("ngram 1=5\n", "", "small.arpa:2: expected ngram 1=NUMBER, found 'ngram 2=3'"),
        ("ngram 2=3", "ngram 3=3", "small.arpa:3: expected ngram 2=NUMBER, found 'ngram 3=3'"),
        ("ngram 2=3", "ngram 2=x", "small.arpa:3: expected \\1-grams:, found 'ngram 2=x'"),
        ("1=5", "1=4", "small.arpa:10: expected \\2-grams:, found '-0.9 b -0.2'"),
        ("1=5", "1=6", "small.arpa:11: expected 1 more 1-grams, as the header says, found ''"),
        ("2=3", "2=9", "small.arpa:16: expected 6 more 2-grams, as the header says, found ''"),
        ("-0.6\ta", "-0.6\ta\tb\tc", "small.arpa:9: expected a log10 probability, a word and"),
        ("-0.6\ta", "x\ta", "small.arpa:9: expected a finite number, found 'x'"),
        ("\ta\t-0.3", "\ta\tnan", "small.arpa:9: expected a finite number, found 'nan'"),
        ("-0.6\ta", "-1e39\ta", "small.arpa:9: expected a finite number, found '-1e39'"),
        ("-0.6", "0.6", "small.arpa:9: expected a log10 probability of at most 0, found '0.6'"),
        ("-0.9 b", "-0.9 a", "small.arpa:10: the 1-gram 'a' appears twice"),
        ("\ta b", "\ta c", "small.arpa:14: the word 'c' is not among the unigrams"),
        ("\tb </s>", "\ta b", "small.arpa:15: the 2-gram 'a b' appears twice"),
        ("<s>\t-0.5", "S\t-0.5", "small.arpa: expected <s> among the unigrams"),
        ("\\end\\", "\\End\\", "small.arpa:17: expected \\end\\, found '\\\\End\\\\'"),
        ("\\end\\\n", "", "small.arpa: the file ends too early"),
        ("\\end\\\n", "\\end\\\nmore\n", "small.arpa:18: expected the end of the file, found 'more'"),
        ("\\data\\", "# paragauge {}\n\\data\\", "small.arpa:1: expected the form of the text"),
    ],
)
def test_wrong_lines(small: Path, old: str, new: str, message: str) -> None:
    small.write_text(SMALL.replace(old, new, 1))
    with pytest.raises(FileFormatError) as error:
        LanguageModel.load(small)
    assert message in str(error.value)


def test_a_context_that_is_missing(small: Path) -> None:
    more = SMALL.replace("2=3\n", "2=3\nngram 3=1\n")
    small.write_text(more.replace("\\end\\", "\\3-grams:\n-1 b a b\n\n\\end\\"))
    with pytest.raises(FileFormatError) as error:
        LanguageModel.load(small)
    assert "small.arpa:19: expected its context 'b a' among the 2-grams" in str(error.value)


def test_too_many_orders(small: Path) -> None:
    small.write_text("\\data\\\n" + "".join(f"ngram {k}=1\n" for k in range(1, 8)))
    with pytest.raises(FileFormatError, match=r"small\.arpa:8: expected at most 6 orders"):
        LanguageModel.load(small)


def test_a_file_in_another_order_is_the_same_model(small: Path, tmp_path: Path) -> None:
    lines = SMALL.split("\n")
    lines[5:10] = reversed(lines[5:10])
    lines[12:15] = reversed(lines[12:15])
    other = tmp_path / "other.arpa"
    other.write_text("\r\n".join(lines))
    sentences = ["a b", "b a", "", "z"]
    left, right = (LanguageModel.load(path).score(sentences) for path in (small, other))
    np.testing.assert_array_equal(left.log10, right.log10)


def test_words_that_an_arpa_file_cannot_hold(tmp_path: Path) -> None:
    model = LanguageModel.train(["a\0b c"], order=2, discount_fallback=(0.5, 1, 1.5))
    with pytest.raises(InputError, match="cannot stand in an ARPA file; write the binary form"):
        model.save(tmp_path / "m.arpa")
    assert list(tmp_path.iterdir()) == []
    model.save(tmp_path / "m.bin")
    assert LanguageModel.load(tmp_path / "m.bin").score(["a\0b c"]).unknown.tolist() == [0]


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode), st.integers(0, 400))
@settings(max_examples=200)
def test_random_bytes_are_no_model(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, at: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz"
    text = SMALL.encode()
    for content in (data, text[:at] + data + text[at:], text[:at] + data, gzip.compress(text)[:at]):
        path.write_bytes(content)
        try:
            model = LanguageModel.load(path)
        except ParagaugeError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            model.score(["a b"])


@pytest.mark.parametrize(
    "content", [b"\0" * 100, b"x" * (1 << 22), b"\r\r\n" * 9, b"", b"\n", b"\\data\\"]
)
def test_things_that_are_no_model(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(content)
    with pytest.raises(FileFormatError) as error:
        LanguageModel.load(path)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("bits", [None, 4, 8])
def test_damaged_binaries(model: LanguageModel, bits: int | None) -> None:
    data = binary_bytes(model.table, model.form, bits)
    draw = np.random.default_rng(7)
    for _ in range(60):
        cut = data[: int(draw.integers(0, len(data)))]
        with pytest.raises(FileFormatError, match=r"expected a language model|cut short"):
            parse_binary(cut, "m.bin")
    for _ in range(300):
        # A changed byte under a right checksum: an error of ours or a model, never a crash.
        body = bytearray(data[12:])
        body[int(draw.integers(0, len(body)))] = int(draw.integers(0, 256))
        broken = MAGIC + zlib.crc32(body).to_bytes(4, "little") + bytes(body)
        try:
            table, form, _ = parse_binary(broken, "m.bin")
        except FileFormatError as error:
            assert "train it again" in str(error)  # noqa: PT017
            continue
        try:
            LanguageModel(table, form).score(["the man"])
        except ValueError as error:
            assert "not a trie" in str(error)  # noqa: PT017


def test_headers_that_are_wrong(model: LanguageModel) -> None:
    data = binary_bytes(model.table, model.form)
    length = int.from_bytes(data[12:16], "little")
    header = json.loads(data[16 : 16 + length])
    for change in (
        {"counts": []},
        {"counts": [1] * 7},
        {"counts": [2**40]},
        {"sizes": [1]},
        {"bits": 3},
        {"bits": "8"},
        {"form": None},
        {"form": {"tokenize": "x", "case": "mixed", "stem": None}},
        {"words": -1},
        {"words": 2**50},
        {"sizes": None},
    ):
        text = json.dumps(header | change).encode()
        body = len(text).to_bytes(4, "little") + text + data[16 + length :]
        with pytest.raises(FileFormatError, match="train it again"):
            parse_binary(MAGIC + zlib.crc32(body).to_bytes(4, "little") + body, "m.bin")


@given(st.lists(st.floats(-8, 8, width=32), max_size=60), st.integers(4, 8), st.booleans())
def test_quantization(values: list[float], bits: int, zero: bool) -> None:
    originals = np.array(values, np.float32)
    book, codes = quantize(originals, bits, zero=zero)
    assert len(book) == 1 << bits
    rounded = book[codes]
    if zero:
        assert (rounded[originals == 0] == 0).all()
    used = np.unique(rounded)
    for value, chosen in zip(originals, rounded, strict=True):
        if value != 0 or not zero:
            others = used[used != 0] if zero else used
            assert abs(value - chosen) <= np.abs(others - value).min() + 1e-6 if len(others) else True
    np.testing.assert_array_equal(unpack_codes(pack_codes(codes, bits), bits, len(codes)), codes)


def test_quantized_models_are_small_and_close(
    tmp_path: Path, model: LanguageModel, text: list[str]
) -> None:
    whole = model.score(text)
    sizes = []
    for bits in (None, 8, 4):
        path = tmp_path / f"{bits}.bin"
        model.save(path, bits=bits)
        sizes.append(path.stat().st_size)
        scores = LanguageModel.load(path).score(text)
        tolerance = {None: 0.0, 8: 0.02, 4: 0.3}[bits]
        difference = np.abs(scores.log10 - whole.log10) / (whole.tokens + 1)
        assert difference.max() <= tolerance
    assert sizes == sorted(sizes, reverse=True)


def test_bits_that_make_no_sense(tmp_path: Path, model: LanguageModel) -> None:
    with pytest.raises(
        SettingError, match="bits: expected a whole number from 4 to 8, or none, found 3"
    ):
        model.save(tmp_path / "m.bin", bits=3)
    with pytest.raises(InputError, match="ARPA files are not quantized"):
        model.save(tmp_path / "m.arpa", bits=8)
    assert list(tmp_path.iterdir()) == []


def test_kenlm_reads_what_we_write_and_agrees(
    tmp_path: Path, model: LanguageModel, text: list[str]
) -> None:
    pytest.importorskip("kenlm", reason="kenlm is not installed: pip install 'paragauge[lm]'")
    from paragauge.lm import KenLMModel, SentenceModel

    model.save(tmp_path / "m.arpa")
    theirs = KenLMModel(tmp_path / "m.arpa", model.form)
    assert isinstance(theirs, SentenceModel)
    assert isinstance(model, SentenceModel)
    assert theirs.order == model.order
    odd = [
        "",
        "zzz the man",
        "日本 <s> x",
        "the </s> man",
        "a\0b the",
        *(line[::-1] for line in text[:20]),
    ]
    sentences = text + odd + [line.upper() for line in text]
    for tokenized in (False, True):
        ours = model.score(sentences, tokenized=tokenized)
        other = theirs.score(sentences, tokenized=tokenized)
        for name in ("log10", "known_log10"):
            np.testing.assert_allclose(getattr(ours, name), getattr(other, name), atol=1e-4)
        np.testing.assert_array_equal(ours.tokens, other.tokens)
        np.testing.assert_array_equal(ours.unknown, other.unknown)
    ours_tokens, other_tokens = model.token_scores(sentences), theirs.token_scores(sentences)
    np.testing.assert_allclose(ours_tokens.log10, other_tokens.log10, atol=1e-4)
    np.testing.assert_array_equal(ours_tokens.offsets, other_tokens.offsets)
    known = ours_tokens.matched != other_tokens.matched
    assert not known.any()


def test_kenlm_says_what_is_wrong(tmp_path: Path) -> None:
    pytest.importorskip("kenlm", reason="kenlm is not installed: pip install 'paragauge[lm]'")
    from paragauge.lm import KenLMModel

    path = tmp_path / "x.binary"
    path.write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0" + b"junk" * 10)
    with pytest.raises(FileFormatError, match="KenLM cannot load it"):
        open_model(path)
    with pytest.raises(FileFormatError, match="no such file"):
        KenLMModel(tmp_path / "none")


def test_without_kenlm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from paragauge.errors import MissingExtraError

    path = tmp_path / "x.binary"
    path.write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0")
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[lm\]'"):
        open_model(path)
