"""Arrays with a description in one small file.

    eight bytes that name the kind of file
    CRC-32 of all that follows     32 bits, little-endian
    length of the header           32 bits, little-endian
    header                         JSON: "about", the writer's own facts; "arrays", their names, types,
                                   shapes and sizes
    arrays                         one after the other

Integers are stored in the smallest unsigned type that holds them. The bytes of an array are stored
plane by plane, all first bytes before all second bytes, and compressed by zlib: numbers of similar size
take little space. The same contents give the same bytes.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.text.files import atomic_path, check_not_compressed, display_name, read_whole
from paragauge.text.numbers import parse_json

HEAD = 16
LEVEL = 7  # files are 1 % larger than with 9, and written five times as fast
MOST_RATIO = 1100  # zlib cannot compress better
KINDS = {"uint8", "uint16", "uint32", "uint64", "float32", "float64"}
Arrays = Mapping[str, np.ndarray]


def write_arrays(path: str | Path, magic: bytes, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a file that `read_arrays` reads; integers must not be negative."""
    check_not_compressed(path)
    parts, described = [], []
    for name, array in arrays.items():
        small = _smallest(array)
        planes = np.ascontiguousarray(small.reshape(-1).view(np.uint8).reshape(-1, small.itemsize).T)
        parts.append(zlib.compress(planes.tobytes(), LEVEL))
        described.append([name, small.dtype.name, list(small.shape), len(parts[-1])])
    header = json.dumps({"about": about, "arrays": described}, sort_keys=True).encode()
    body = b"".join([len(header).to_bytes(4, "little"), header, *parts])
    with atomic_path(path) as temporary:
        temporary.write_bytes(magic + zlib.crc32(body).to_bytes(4, "little") + body)


def read_arrays(
    path: str | Path, magic: bytes, what: str
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The description and the arrays in a file; `what` names the kind of file in errors."""
    data = read_whole(path, magic)
    if data[: len(magic)] != magic:
        raise _wrong(path, f"expected {what} written by paragauge, found another file; check the path")
    body = data[len(magic) + 4 :]
    if len(data) < HEAD or zlib.crc32(body) != int.from_bytes(data[8:12], "little"):
        raise _wrong(path, f"expected {what}, found a damaged one; copy or make it again")
    try:
        return _unpack(body)
    except (ValueError, TypeError, KeyError, zlib.error, RecursionError) as error:
        raise _wrong(path, f"expected {what} of this version ({error}); make it again") from None


def _unpack(body: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    start = 4 + int.from_bytes(body[:4], "little")
    header = parse_json(body[4:start])
    arrays = {}
    for name, kind, shape, size in header["arrays"]:
        if kind not in KINDS or any(type(side) is not int or side < 0 for side in shape):
            raise ValueError(f"array {name}")
        if type(size) is not int or not 0 <= size <= len(body) - start:
            raise ValueError(f"array {name}")
        expected_bytes = math.prod(shape) * np.dtype(kind).itemsize
        if expected_bytes > size * MOST_RATIO:  # before memory is taken
            raise ValueError(f"array {name}")
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(body[start : start + size], expected_bytes + 1)
        if len(raw) != expected_bytes or not unpacker.eof:
            raise ValueError(f"array {name}")
        planes = np.frombuffer(raw, np.uint8).reshape(np.dtype(kind).itemsize, -1)
        arrays[name] = np.ascontiguousarray(planes.T).view(kind).reshape(shape)
        start += size
    about = header["about"]
    if not isinstance(about, dict):
        raise TypeError("about")
    return about, arrays


def _smallest(array: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest type that holds them, little-endian."""
    if array.dtype.kind not in "iu":
        return array.astype(array.dtype.newbyteorder("<"))
    if array.size and int(array.min()) < 0:
        raise ValueError("integers must not be negative")
    largest = int(array.max()) if array.size else 0
    kind = next(kind for kind in ("u1", "u2", "u4", "u8") if largest < 1 << (8 * int(kind[1])))
    return array.astype(f"<{kind}")


def _wrong(path: str | Path, message: str) -> FileFormatError:
    return FileFormatError(display_name(path), None, message)
