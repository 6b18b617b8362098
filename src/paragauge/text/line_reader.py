"""Plain text, one sentence per line, read in batches with flat memory.

Strict UTF-8, or UTF-16 with a byte-order mark, or another encoding that is named; a line ends at
``\\n`` or ``\\r\\n`` only; a byte-order mark at the start is dropped.
`LineReader.read(limit)` returns the next lines; several readers that are asked for equal numbers of
lines stay parallel, whatever the lengths of the lines.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.kernels import _native
from paragauge.kernels.layout import Bytes, Ints
from paragauge.text.decoded_file import LEAST_TEXT, DecodedFile, encoding_by_zeros
from paragauge.text.files import Closable, display_name
from paragauge.text.lines import Lines

BLOCK = 1 << 20
MOST_LINE = 1 << 26  # bytes of a line: more is no text, and takes memory
BOM = b"\xef\xbb\xbf"
CONVERT = "convert the file, for example with iconv -f windows-1252 -t utf-8"


class LineReader(Closable):
    r"""The lines of one file.

    A line that is not UTF-8 is an error or, with `blank_invalid`, an empty line, for readers that
    reject and count empty lines. `remedy` is the end of that error.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_bytes(b"one\r\ntwo\nthree")
    ...     with LineReader(path) as reader:
    ...         list(reader.read(2)), list(reader.read(2)), list(reader.read(2))
    (['one', 'two'], ['three'], [])
    """

    def __init__(
        self,
        path: str | Path,
        *,
        blank_invalid: bool = False,
        encoding: str | None = None,
        remedy: str = CONVERT,
    ) -> None:
        self.path = path
        self._remedy = remedy
        self._blank_invalid = blank_invalid
        self.line = 0  # lines given out so far
        self._stream = DecodedFile(path, encoding)
        self._rest: Bytes = np.zeros(0, np.uint8)  # read, not yet given out
        self._ended = False
        self._started = False

    @classmethod
    def of(cls, file: str | Path | LineReader) -> LineReader:
        """The reader of a file; a reader is returned as is, so that a pipe can be peeked at first."""
        return file if isinstance(file, LineReader) else cls(file)

    def first_byte(self) -> bytes:
        r"""The first byte that is not white space, b"" if there is none; nothing is consumed.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "a.txt")
        ...     _ = path.write_bytes(b"\n {")
        ...     with LineReader(path) as reader:
        ...         reader.first_byte(), list(reader.read(2))
        (b'{', ['', ' {'])
        """
        while True:
            text = self._rest.tobytes().lstrip()
            if text or self._ended:
                return text[:1]
            self._fill()

    def peek(self) -> tuple[bytes, bool]:
        """Some of the bytes that come next, and whether they are all; nothing is consumed."""
        if len(self._rest) == 0 and not self._ended:
            self._fill()
        return self._rest.tobytes(), self._ended

    def skip(self, size: int) -> None:
        """Consume one line, which takes `size` of the bytes that `peek` gives."""
        self._rest = self._rest[size:]
        self.line += 1

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._stream.close()

    def read(self, limit: int, max_bytes: int | None = None) -> Lines:
        """The next `limit` lines; fewer at the end, or after `max_bytes`, but at least one."""
        parts: list[Lines] = []
        size = 0
        while limit > 0 and (max_bytes is None or size < max_bytes):
            spans, consumed = _native.split_lines(self._rest, 0, limit, self._ended)
            if len(spans):
                parts.append(self._check_utf8(self._rest[:consumed], spans))
                self._rest = self._rest[consumed:]
                self.line += len(spans)
                limit -= len(spans)
                size += consumed
            elif self._ended:
                break
            else:
                self._fill()
        return Lines.concatenate(parts)

    def count_rest(self) -> int:
        """How many lines are left; reads the file to its end."""
        before = self.line
        while len(self.read(1 << 16, max_bytes=1 << 24)):
            pass
        return self.line - before

    def _fill(self) -> None:
        if len(self._rest) > MOST_LINE:
            raise FileFormatError(
                display_name(self.path),
                self.line + 1,
                f"expected lines of at most {MOST_LINE >> 20} MiB, found a longer one; check that "
                "this is the text, with line breaks",
            )
        # An unfinished line needs at least as much again: doubling keeps the time linear.
        block = self._stream.read(max(BLOCK, len(self._rest)))
        if not self._started:
            self._started = True
            while 0 < len(block) < (LEAST_TEXT if b"\0" in block else len(BOM)):
                more = self._stream.read(BLOCK)
                block += more
                if not more:
                    break
            self._check_zeros(block)
            block = block.removeprefix(BOM)
            if not block:
                block = self._stream.read(BLOCK)
        if not block:
            self._ended = True
            return
        fresh = np.frombuffer(block, np.uint8)
        self._rest = fresh if len(self._rest) == 0 else np.concatenate([self._rest, fresh])

    def _check_zeros(self, start: bytes) -> None:
        """Refuse UTF-16 without a byte-order mark, most of which is valid UTF-8."""
        encoding = encoding_by_zeros(start)
        if encoding is not None:
            raise FileFormatError(
                display_name(self.path),
                1,
                "expected UTF-8 text, found what looks like UTF-16 without a byte-order mark; "
                f"{self._remedy.replace('windows-1252', encoding)}",
            )

    def _check_utf8(self, buffer: Bytes, spans: Ints) -> Lines:
        """The lines; an error unless all of them are UTF-8."""
        bad = _native.first_invalid_utf8(buffer)
        if bad is None:
            return Lines(buffer, spans)
        if self._blank_invalid:
            return _empty_invalid_lines(buffer, spans, bad)
        before = buffer[:bad].tobytes()
        line = self.line + before.count(b"\n") + 1
        column = bad - (before.rfind(b"\n") + 1) + 1
        raise FileFormatError(
            display_name(self.path),
            line,
            f"expected UTF-8 text, found byte 0x{int(buffer[bad]):02x} at byte {column} of the line; "
            f"{self._remedy}",
        )


def read_sentences(path: str | Path) -> list[str]:
    """All lines of a file, for texts that fit in memory.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "text.txt")
    ...     _ = file.write_text("a b\\nc\\n")
    ...     read_sentences(file)
    ['a b', 'c']
    """
    lines: list[str] = []
    with LineReader(path) as reader:
        while batch := reader.read(1 << 14, 1 << 26):
            lines += batch
    return lines


def _empty_invalid_lines(buffer: Bytes, spans: Ints, bad: int | None) -> Lines:
    """The lines, empty where they are not valid UTF-8; the first invalid byte is at `bad`."""
    buffer, spans = buffer.copy(), spans.copy()
    start = 0
    while bad is not None:
        row = int(np.searchsorted(spans[:, 0], start + bad, "right")) - 1
        first, last = spans[row].tolist()
        buffer[first:last] = ord(" ")
        spans[row] = first
        start = last
        bad = _native.first_invalid_utf8(buffer[start:])
    return Lines(buffer, spans)
