"""LineReader against a plain reader of a few lines, for any bytes and any block size."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, ParagaugeError
from paragauge.text import line_reader
from paragauge.text.files import GZIP, ZSTD
from paragauge.text.line_reader import LineReader

BOM = b"\xef\xbb\xbf"
SMALL = [1, 2, 3, 7]
# Characters at which str.splitlines cuts and this reader must not.
FALSE_ENDS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e"
pieces = st.sampled_from(
    [
        b"\n",
        b"\r\n",
        b"\r",
        b"a",
        b"bc",
        b"\0",
        b"\t",
        b" ",
        BOM,
        "é".encode(),
        "\u2028".encode(),
        b"\xff",
    ]
)
contents = st.lists(pieces, max_size=12).map(b"".join) | st.binary(max_size=20)


def uncompressed(data: bytes) -> bool:
    """Whether the reader takes bytes as they are: no UTF-8 text begins as gzip or Zstandard do."""
    return not data.startswith((GZIP, ZSTD))


def plain(data: bytes) -> list[str]:
    """The rules once more, in plain Python: what the reader must give, or UnicodeDecodeError."""
    *ended, last = data.removeprefix(BOM).split(b"\n")
    lines = [line.removesuffix(b"\r") for line in ended] + ([last] if last else [])
    return [line.decode("utf-8") for line in lines]


def read_all(path: Path, limit: int = 1 << 20, max_bytes: int | None = None) -> list[str]:
    lines_read: list[str] = []
    with LineReader(path) as reader:
        while lines := list(reader.read(limit, max_bytes)):
            assert len(lines) <= limit
            lines_read += lines
            assert reader.line == len(lines_read)
        assert list(reader.read(limit)) == []  # the end stays the end
    return lines_read


def message(path: Path | str) -> str:
    with pytest.raises(FileFormatError) as caught:
        read_all(Path(path))
    return str(caught.value)


def zstd(data: bytes) -> bytes:
    return pa.compress(data, "zstd", asbytes=True)


def open_files(path: Path) -> int:
    """How many of this process's descriptors point to the file."""
    here = Path("/proc/self/fd")
    if not here.is_dir():
        pytest.skip("needs /proc")
    count = 0
    for link in here.iterdir():
        try:
            count += link.readlink() == path
        except FileNotFoundError:  # the descriptor of this very listing
            continue
    return count


@pytest.fixture(params=[*SMALL, line_reader.BLOCK], ids=lambda size: f"block{size}")
def block(request, monkeypatch):
    monkeypatch.setattr(line_reader, "BLOCK", request.param)
    return request.param


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\r\n", [""]),
        (b"a", ["a"]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\nc", ["a", "b", "c"]),
        (b"a\n\n\nb", ["a", "", "", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\r", ["a\r"]),
        (b"\r", ["\r"]),
        (b"\n\r", ["", "\r"]),
        (b"a\0b\n\0\n", ["a\0b", "\0"]),
        (b" a\t\n", [" a\t"]),
        (BOM, []),
        (BOM + b"\n", [""]),
        (BOM + b"a\n", ["a"]),
        (BOM + BOM + b"a\n", ["\ufeffa"]),
        (b"a\n" + BOM + b"b\n", ["a", "\ufeffb"]),
        (b"a" + BOM, ["a\ufeff"]),
        ("é\r\n日本\n🙂".encode(), ["é", "日本", "🙂"]),
    ],
)
def test_by_hand(tmp_path, block, data, lines):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert read_all(path) == lines
    assert plain(data) == lines


@pytest.mark.parametrize("end", FALSE_ENDS, ids=ascii)
def test_only_line_feeds_end_lines(tmp_path, block, end):
    path = tmp_path / "a.txt"
    path.write_bytes(f"a{end}b\nc{end}\r\n{end}".encode())
    assert read_all(path) == [f"a{end}b", f"c{end}", end]


@pytest.mark.parametrize("size", [*SMALL, line_reader.BLOCK])
@given(data=contents, limit=st.integers(1, 4), max_bytes=st.none() | st.integers(1, 9))
@example(data=b"\xef\xbb", limit=1, max_bytes=None)
@example(data=b"\x1f\x8b", limit=1, max_bytes=None)
@example(data=ZSTD, limit=1, max_bytes=None)
@settings(max_examples=60)
def test_any_bytes(tmp_path, size, data, limit, max_bytes):
    path = tmp_path / "any"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_reader, "BLOCK", size)
        if not uncompressed(data):
            with pytest.raises(FileFormatError):
                read_all(path, limit, max_bytes)
            return
        try:
            lines = plain(data)
        except UnicodeDecodeError:
            with pytest.raises(FileFormatError):
                read_all(path, limit, max_bytes)
        else:
            assert read_all(path, limit, max_bytes) == lines


@given(data=contents.filter(uncompressed), size=st.sampled_from(SMALL))
@settings(max_examples=60)
def test_errors_do_not_depend_on_blocks(tmp_path, data, size):
    path = tmp_path / "any"
    path.write_bytes(data)
    outcomes = []
    for block_size in (size, 1 << 20):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(line_reader, "BLOCK", block_size)
            try:
                outcomes.append(read_all(path))
            except ParagaugeError as error:
                outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("data", "line", "value", "byte"),
    [
        (b"caf\xe9\n", 1, 0xE9, 4),
        (b"one\ntwo\nna\xc3ve\n", 3, 0xC3, 3),
        (b"one\r\n\xff", 2, 0xFF, 1),
        (b"ok \xc0\x80\n", 1, 0xC0, 4),  # overlong
        (b"\xed\xa0\x80\n", 1, 0xED, 1),  # a surrogate
        (b"\xf4\x90\x80\x80\n", 1, 0xF4, 1),  # beyond U+10FFFF
        (b"a\n\xe2\x82\nb\n", 2, 0xE2, 1),  # cut by the end of the line
        (b"a\n\xe2\x82", 2, 0xE2, 1),  # cut by the end of the file
        (b"\x80\n", 1, 0x80, 1),
        ("日本é".encode() + b"\xfe\n", 1, 0xFE, 9),
    ],
)
def test_invalid_utf8_gives_file_line_and_byte(tmp_path, block, data, line, value, byte):
    path = tmp_path / "latin1.txt"
    path.write_bytes(data)
    assert message(path) == (
        f"{path}:{line}: expected UTF-8 text, found byte 0x{value:02x} at byte {byte} of the line; "
        "convert the file, for example with iconv -f windows-1252 -t utf-8"
    )


def test_lines_before_the_invalid_one_can_be_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo\n\xff\n")
    with LineReader(path) as reader:
        assert list(reader.read(2)) == ["one", "two"]
        with pytest.raises(
            FileFormatError, match=r":3: expected UTF-8 text, found byte 0xff at byte 1 "
        ):
            reader.read(1)


def test_a_line_of_five_megabytes(tmp_path):
    path = tmp_path / "long.txt"
    long = "word " * (1 << 20)
    path.write_bytes(f"first\n{long}\r\nlast".encode())
    assert read_all(path, 1) == ["first", long, "last"]
    assert read_all(path) == ["first", long, "last"]


def test_a_line_that_never_ends_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(line_reader, "MOST_LINE", 3 << 20)
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(b"a\n" + bytes(20 << 20)))
    with LineReader(path) as reader:
        assert list(reader.read(1)) == ["a"]
        with pytest.raises(
            FileFormatError, match=r"zeros\.gz:2: expected lines of at most 3 MiB"
        ) as caught:
            reader.read(1)
        assert len(reader.peek()[0]) < 8 << 20
    assert str(caught.value).endswith(
        "found a longer one; check that this is the text, with line breaks"
    )


def test_count_rest(tmp_path, block):
    path = tmp_path / "a.txt"
    path.write_bytes(b"1\n2\n3\n4\n5")
    with LineReader(path) as reader:
        reader.read(2)
        assert reader.count_rest() == 3
        assert reader.line == 5


def test_at_least_one_line_whatever_the_limit_of_bytes(tmp_path, block):
    path = tmp_path / "a.txt"
    path.write_bytes(b"aaaaaaaa\nbbbbbbbb\n")
    with LineReader(path) as reader:
        assert len(reader.read(10, max_bytes=1)) >= 1


@pytest.mark.parametrize("name", ["a.txt", "a.gz", "a.zst", "a"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd], ids=["plain", "gzip", "zstd"])
def test_compression_is_told_by_content(tmp_path, block, name, pack):
    path = tmp_path / name
    path.write_bytes(pack(BOM + "één\r\ntwee\n".encode()))
    assert read_all(path) == ["één", "twee"]


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_members_one_after_the_other(tmp_path, block, pack):
    path = tmp_path / "a"
    path.write_bytes(pack(b"one\ntw") + pack(b"") + pack(b"o\nthree"))
    assert read_all(path) == ["one", "two", "three"]


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_nothing_compressed(tmp_path, pack):
    path = tmp_path / "a"
    path.write_bytes(pack(b""))
    assert read_all(path) == []


@pytest.mark.parametrize("cut", [2, 5, 12, -9, -1])
def test_truncated_gzip(tmp_path, block, cut):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"hello world\n" * 9)[:cut])
    assert message(path) == (
        f"{path}: damaged gzip data (Compressed file ended before the end-of-stream marker was "
        "reached); compress the file again"
    )


@pytest.mark.parametrize("cut", [4, 5, 12, -1])
def test_truncated_zstd(tmp_path, cut):
    path = tmp_path / "a.zst"
    path.write_bytes(zstd(b"hello world\n" * 9)[:cut])
    assert message(path) == (
        f"{path}: damaged compressed data (Truncated compressed stream); compress it again"
    )


@given(st.sampled_from([gzip.compress, zstd]), st.data())
@settings(max_examples=150)
def test_damaged_archives(tmp_path, pack, data):
    path = tmp_path / "damaged"
    content = bytearray(pack(b"hello world\nand you\n" * 5))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        read_all(path)
    except ParagaugeError as error:
        assert str(error).startswith(f"{path}:")  # noqa: PT017  # an error is allowed, not required


def test_missing_file(tmp_path):
    path = tmp_path / "none.txt"
    assert message(path) == f"{path}: no such file; check the path"


def test_directory(tmp_path):
    assert message(tmp_path) == f"{tmp_path}: expected a file, found a directory; name a file in it"


def test_unreadable_file(tmp_path, unprivileged):
    path = tmp_path / "locked.txt"
    path.write_bytes(b"a\n")
    path.chmod(0)
    with unprivileged():
        text = message(path)
    assert text == f"{path}: no permission to open it; check its owner and mode"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_read_error_names_the_file():
    assert message("/proc/self/mem") == "/proc/self/mem: input/output error"


class Trickle(io.RawIOBase):
    """A pipe whose writer sends one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        return self._data.readinto(memoryview(buffer)[:1])


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd], ids=["plain", "gzip", "zstd"])
@pytest.mark.parametrize("raw", [io.BytesIO, Trickle], ids=["at-once", "byte-by-byte"])
def test_standard_input(monkeypatch, pack, raw):
    # A pipe may hold a single byte when it is first looked at: too little to know the format.
    stream = io.BufferedReader(raw(pack(b"one\ntwo\n")))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    with LineReader("-") as reader:
        assert list(reader.read(9)) == ["one", "two"]
    assert not sys.stdin.closed


def test_standard_input_in_messages(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\n\xff\n"))))
    with pytest.raises(FileFormatError, match=r"^<stdin>:2: expected UTF-8 text, found byte 0xff at "):
        LineReader("-").read(9)


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)  # what Python does when the shell says <&-
    with pytest.raises(ParagaugeError, match=r"^<stdin>: "):
        LineReader("-")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd], ids=["plain", "gzip", "zstd"])
def test_files_are_closed(tmp_path, pack):
    path = tmp_path / "a"
    path.write_bytes(pack(b"one\ntwo\n"))
    reader = LineReader(path)
    reader.read(1)
    assert open_files(path) == 1
    reader.close()
    assert open_files(path) == 0


def test_lines_that_are_not_utf8_can_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xffa\none\r\nt\xc3\n\xa9\nfive\nf\xe9")
    with LineReader(path, blank_invalid=True) as reader:
        assert [list(reader.read(4)), list(reader.read(4))] == [["", "one", "", ""], ["five", ""]]


@given(
    st.lists(st.binary(max_size=6).map(lambda line: line.replace(b"\n", b"x")), max_size=8).filter(
        lambda lines: uncompressed(b"\n".join(lines))
    )
)
def test_what_stays_of_random_bytes(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"".join(line + b"\n" for line in lines))

    def decode_line(line: bytes) -> str:
        try:
            return line.removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            return ""

    expected = [decode_line(line) for line in lines]
    if lines and lines[0].startswith(b"\xef\xbb\xbf"):
        expected[0] = decode_line(lines[0][3:])
    with LineReader(path, blank_invalid=True) as reader:
        assert list(reader.read(100)) == expected


@pytest.mark.parametrize("magic", [GZIP, ZSTD], ids=["gzip", "zstd"])
def test_a_magic_number_is_a_claim_to_be_compressed(tmp_path: Path, magic: bytes) -> None:
    # Not a first line that is blank because it is not UTF-8: the rest of the file would be lost.
    for rest in (b"\n", b"\x00 not compressed\nsecond line\n"):
        path = tmp_path / "a.txt"
        path.write_bytes(magic + rest)
        with (
            LineReader(path, blank_invalid=True) as reader,
            pytest.raises(FileFormatError, match=r"a\.txt: damaged .*; compress "),
        ):
            reader.read(100)
        # Anywhere else the bytes are part of a line that is not UTF-8.
        path.write_bytes(b"one\n" + magic + b"\nthree\n")
        with LineReader(path, blank_invalid=True) as reader:
            assert list(reader.read(100)) == ["one", "", "three"]


@pytest.mark.parametrize("magic", [GZIP, ZSTD], ids=["gzip", "zstd"])
def test_no_text_begins_with_a_magic_number(magic: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        magic.decode()
