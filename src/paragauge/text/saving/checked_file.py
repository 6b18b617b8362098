"""Bytes in a file with their checksum: eight bytes that name the kind, the CRC-32, the bytes."""

from __future__ import annotations

import zlib
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.text.files import atomic_path, check_not_compressed, display_name, read_whole

HEAD = 12


def write_checked(path: str | Path, magic: bytes, data: bytes) -> None:
    """Write a file that `read_checked` reads; it appears whole or not at all."""
    check_not_compressed(path)
    with atomic_path(path) as temporary:
        temporary.write_bytes(magic + zlib.crc32(data).to_bytes(4, "little") + data)


def read_checked(path: str | Path, magic: bytes, expected: str) -> bytes:
    """The bytes in a file; `expected` says in the error what it should be, and how to make one.

    >>> read_checked(__file__, b"PGMODEL1", "a model; make one")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: ...: expected a model, found something else or a damaged ...
    """
    content = read_whole(path, magic)
    data = content[HEAD:]
    if content[:8] != magic or zlib.crc32(data) != int.from_bytes(content[8:HEAD], "little"):
        what, _, remedy = expected.partition("; ")
        message = f"expected {what}, found something else or a damaged one; {remedy}"
        raise FileFormatError(display_name(path), None, message)
    return data
