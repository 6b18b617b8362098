"""Twin of pharaoh.cpp: the links of Pharaoh files."""

from __future__ import annotations

import re

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints

LINK = re.compile(rb"([0-9]+)([-?p])([0-9]+)")
MOST = 2**31 - 1


def parse_pharaoh(buffer: Bytes, spans: Ints, threads: int) -> tuple[Ids, Ids, Bytes, Ints, Ints]:
    """Links of lines such as ``0-0 1-2 3?1 3p2``, separated by spaces or tabs.

    Returns source and target positions, 1 for a possible link and 0 for a sure one, and the offsets of
    each line's links, which are sorted by source, then target, each once, sure if it is sure anywhere.
    Reading stops at a token that is not a link: the last array then holds its line, its first byte and
    the byte after it, and otherwise nothing. O(n log n) in the links of a line.
    """
    del threads
    text = buffer.tobytes()
    rows: list[list[tuple[int, int, int]]] = []
    bad: list[int] = []
    for line, (start, stop) in enumerate(spans.tolist()):
        links: dict[tuple[int, int], int] = {}
        for token in re.finditer(rb"[^ \t]+", text[start:stop]):
            match = LINK.fullmatch(token[0])
            if match is None or max(int(match[1]), int(match[3])) > MOST:
                bad = [line, start + token.start(), start + token.end()]
                break
            key = int(match[1]), int(match[3])
            links[key] = min(links.get(key, 1), int(match[2] != b"-"))
        if bad:
            break
        rows.append([(*key, possible) for key, possible in sorted(links.items())])
    flat = np.array([link for row in rows for link in row], np.int64).reshape(-1, 3)
    return (
        flat[:, 0].astype(np.int32),
        flat[:, 1].astype(np.int32),
        flat[:, 2].astype(np.uint8),
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
        np.array(bad, np.int64),
    )
