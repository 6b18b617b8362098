"""Twin of typography.cpp: typographic characters as a typewriter has them.

The table, which is the specification:

| characters | become |
|---|---|
| single quotes: U+2018 to U+201B, U+2039, U+203A, U+02BC, U+00B4; primes U+2032, U+2035 | ``'`` |
| double quotes: U+201C to U+201F, U+00AB, U+00BB, U+301D to U+301F; primes U+2033, U+2036 | ``"`` |
| hyphens U+2010, U+2011, figure dash U+2012, en dash U+2013, minus U+2212 | ``-`` |
| em dash U+2014, horizontal bar U+2015, longer dashes U+2E3A, U+2E3B | ``-`` between spaces |
| ellipsis U+2026 | ``...`` |
| spaces U+00A0, U+2000 to U+200A, U+202F, U+205F, U+3000 | space |
| soft hyphen U+00AD, zero width space U+200B, word joiner U+2060, U+FEFF | nothing |
| ligatures U+FB00 to U+FB06 | their letters |
| full-width forms U+FF01 to U+FF5E | the ASCII characters U+0021 to U+007E |
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Bytes, Ints, texts

# fmt: off
TYPOGRAPHY: dict[int, str] = {
    **dict.fromkeys([*range(0x2018, 0x201C), 0x2039, 0x203A, 0x02BC, 0x00B4, 0x2032, 0x2035], "'"),
    **dict.fromkeys([*range(0x201C, 0x2020), 0xAB, 0xBB, *range(0x301D, 0x3020), 0x2033, 0x2036], '"'),
    **dict.fromkeys([*range(0x2010, 0x2014), 0x2212], "-"),
    **dict.fromkeys([0x2014, 0x2015, 0x2E3A, 0x2E3B], " - "),
    0x2026: "...",
    **dict.fromkeys([0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " "),
    **dict.fromkeys([0xAD, 0x200B, 0x2060, 0xFEFF], ""),
    **dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)),
    **{wide: chr(wide - 0xFF01 + 0x21) for wide in range(0xFF01, 0xFF5F)},
}
# fmt: on


def normalize_typography(buffer: Bytes, spans: Ints) -> tuple[Bytes, Ints] | None:
    """The lines with typographic characters replaced, and offsets; None if no line has any.

    >>> buffer = np.frombuffer("don’t wait…".encode(), np.uint8)
    >>> text, offsets = normalize_typography(buffer, np.array([[0, 15]]))
    >>> text.tobytes(), offsets.tolist()
    (b"don't wait...", [0, 13])
    """
    lines = list(texts(buffer, spans))
    replaced = [line.translate(TYPOGRAPHY) for line in lines]
    if replaced == lines:
        return None
    encoded = [line.encode() for line in replaced]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), offsets
