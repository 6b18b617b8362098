"""Text in other encodings than UTF-8, read as UTF-8.

UTF-16 and UTF-32 are known by their byte-order mark. Any other encoding must be named: bytes do not
tell windows-1252 from iso-8859-15.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.text.files import Closable, RawFile, display_name

# The longer marks first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MARK_OF_UTF8 = "utf-8"
LONGEST_MARK = 4
LEAST_TEXT = 16  # bytes that tell UTF-16 without a mark
_LOOKED_AT = 1000


def encoding_by_mark(start: bytes) -> str | None:
    r"""The encoding that a byte-order mark tells, None for UTF-8 or no mark.

    >>> encoding_by_mark(b"\xff\xfea\0"), encoding_by_mark(b"abc")
    ('utf-16', None)
    """
    return next((name for mark, name in _MARKS if start.startswith(mark)), None)


def encoding_by_zeros(start: bytes) -> str | None:
    r"""UTF-16 without a byte-order mark, if every other byte of Latin text is zero; None otherwise.

    >>> encoding_by_zeros("Der Satz".encode("utf-16-le")), encoding_by_zeros(b"Der Satz")
    ('utf-16-le', None)
    """
    even, odd = start[:_LOOKED_AT:2], start[1:_LOOKED_AT:2]
    zeros = even.count(0), odd.count(0)
    if len(odd) * 2 < LEAST_TEXT or min(zeros) or max(zeros) * 2 < len(odd):
        return None
    return "utf-16-le" if zeros[1] else "utf-16-be"


class DecodedFile(Closable):
    """The bytes of a file, as UTF-8; `encoding` overrides what the first bytes tell."""

    def __init__(self, path: str | Path, encoding: str | None = None) -> None:
        self._file = RawFile(path)
        self._encoding = encoding
        self._decoder: codecs.IncrementalDecoder | None = None
        self._lines = 0
        self._started = False

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._file.close()

    def read(self, size: int) -> bytes:
        """About `size` bytes, b"" at the end."""
        while True:
            block = self._file.read(size)
            if not self._started:
                block = self._start(block, size)
            if self._decoder is None:
                return block
            text = self._decode(self._decoder, block)
            # A block may end within a character, and a byte-order mark is no text.
            if text or not block:
                return text.encode("utf-8", "surrogatepass")

    def _start(self, block: bytes, size: int) -> bytes:
        self._started = True
        while 0 < len(block) < LONGEST_MARK and (more := self._file.read(size)):
            block += more
        if self._encoding is not None:
            self._check_mark(self._encoding, block)
        self._encoding = self._encoding or encoding_by_mark(block)
        if self._encoding is not None and codecs.lookup(self._encoding).name != "utf-8":
            self._decoder = codecs.getincrementaldecoder(self._encoding)()
        return block

    def _check_mark(self, encoding: str, start: bytes) -> None:
        """Refuse an encoding that a mark contradicts, or UTF-16 without the mark that it needs."""
        mark = _MARK_OF_UTF8 if start.startswith(codecs.BOM_UTF8) else encoding_by_mark(start)
        name = codecs.lookup(encoding).name
        if mark is not None and not name.startswith(mark):
            raise FileFormatError(
                display_name(self._file.path),
                1,
                f"expected {encoding.upper()} text, found the byte-order mark of {mark.upper()}; leave "
                "the encoding out",
            )
        if mark is None and start and name in ("utf-16", "utf-32"):
            order = encoding_by_zeros(start) or f"{name}-le"
            raise FileFormatError(
                display_name(self._file.path),
                1,
                f"expected {encoding.upper()} text with a byte-order mark, found none; name the order "
                f"of the bytes ({order}), or another encoding",
            )

    def _decode(self, decoder: codecs.IncrementalDecoder, block: bytes) -> str:
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(error.encoding, "replace")
            raise FileFormatError(
                display_name(self._file.path),
                self._lines + before.count("\n") + 1,
                f"expected {str(self._encoding).upper()} text, found byte "
                f"0x{error.object[error.start]:02x}, which is none ({error.reason}); give another "
                "encoding, or save the file as UTF-8",
            ) from None
        self._lines += text.count("\n")
        return text
