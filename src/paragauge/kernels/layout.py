"""Arrays that kernels take and return (see `kernels/reference`), and limits that callers must know."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ids = NDArray[np.int32]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Bools = NDArray[np.bool_]
TextColumn = tuple[Bytes, Ints, Ints | None]
IdColumn = tuple[Ids, Ints, Ints | None]
Bags = tuple[Ids, Floats, Ints]
Texts = tuple[Bytes, Ints]

MOST_PARSED_NONTERMINALS = 32  # synchronous parsing leaves out rules with more


def texts(buffer: Bytes, spans: Ints) -> Iterator[str]:
    """Each line as a string."""
    text = buffer.tobytes()
    for start, stop in spans.tolist():
        yield text[start:stop].decode("utf-8")


def unpack_texts(rows: Texts) -> list[str]:
    """The strings of concatenated texts with offsets."""
    buffer, offsets = rows
    text, bounds = buffer.tobytes(), offsets.tolist()
    return [text[first:last].decode("utf-8") for first, last in itertools.pairwise(bounds)]


def pack_texts(rows: list[str]) -> Texts:
    """Strings as concatenated bytes with offsets."""
    encoded = [row.encode() for row in rows]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), offsets


def lines_of_segments(lines: int, groups: Ints | None) -> list[range]:
    """The line numbers of each segment."""
    if groups is None:
        return [range(i, i + 1) for i in range(lines)]
    bounds = groups.tolist()
    return [range(first, last) for first, last in itertools.pairwise(bounds)]


def sentences(ids: NDArray[np.integer], offsets: Ints) -> list[list[int]]:
    """The ids of each line."""
    flat, bounds = ids.tolist(), offsets.tolist()
    return [flat[first:last] for first, last in itertools.pairwise(bounds)]
