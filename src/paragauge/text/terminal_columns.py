"""Text in columns, as a terminal shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def width(text: str) -> int:
    """Columns that a terminal uses: wide East Asian characters take two, combining marks none.

    >>> width("cafe\\u0301"), width("汉字")
    (4, 4)
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def pad_text(text: str, columns: int, side: str = "l") -> str:
    """Pad a text to a width with spaces after it (side `l`) or before it (`r`).

    >>> pad_text("汉", 4) + "|", pad_text("1.5", 5, "r")
    ('汉  |', '  1.5')
    """
    padding = " " * (columns - width(text))
    return padding + text if side == "r" else text + padding


def align_columns(alignment: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Format rows as lines with aligned columns, two spaces apart; `alignment` is such as `lr`.

    >>> print("\\n".join(align_columns("lr", [["word", "n"], ["汉字", "12"]])))
    word   n
    汉字  12
    """
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(pad_text, row, widths, alignment)).rstrip() for row in rows]
