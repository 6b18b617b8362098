"""Texts as word pieces, and windows over texts that are too long for an encoder.

A `tokenizer.json` (Hugging Face's format, run by the library `tokenizers`) decides the pieces. What it
says about truncation and padding is switched off: nothing is cut, and texts are batched by length, so
nothing is padded.

An encoder takes a limited number of pieces at once. A longer text is read in windows that overlap by
`OVERLAP` pieces (at most half a window); every piece takes its vectors from the window in which it is
farther from a cut, so the middle of each overlap is where one window hands over to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, MissingExtraError
from paragauge.kernels.layout import Ints

OVERLAP = 64


@dataclass(frozen=True)
class Pieces:
    """A text's pieces with the special ones at both ends, and their spans, int64 [n, 2]."""

    ids: Ints
    spans: Ints


class WordPieces:
    """A tokenizer from a file `tokenizer.json`."""

    def __init__(self, path: str | Path) -> None:
        """Read the file; an error in one line if it is not a tokenizer."""
        try:
            import tokenizers
        except ImportError:
            raise MissingExtraError(
                "tokenizers, which cuts text into word pieces,", "context"
            ) from None
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise FileFormatError(
                path,
                None,
                "expected a tokenizer in Hugging Face's format, cannot read it; copy it again",
            ) from None
        try:
            self._tokenizer: Any = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # noqa: BLE001  # the library raises plain Exception
            reason = " ".join(str(error).split())
            raise FileFormatError(
                path,
                None,
                f"expected a tokenizer in Hugging Face's format, found another file; take the one that "
                f"came with the model ({reason})",
            ) from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.special = len(self._tokenizer.encode("").ids)
        if self.special != 2:
            raise FileFormatError(
                path,
                None,
                f"expected two special pieces around a text, found {self.special}; take the "
                "tokenizer that came with the model",
            )

    @property
    def size(self) -> int:
        """The number of pieces in the vocabulary."""
        return int(self._tokenizer.get_vocab_size())

    def cut(self, texts: Sequence[str]) -> list[Pieces]:
        """The pieces of each text."""
        return [
            Pieces(np.array(text.ids, np.int64), np.array(text.offsets, np.int64).reshape(-1, 2))
            for text in self._tokenizer.encode_batch(list(texts))
        ]


@dataclass(frozen=True)
class Window:
    """Pieces [start, end) of a text's own pieces are read; [first, last) of them are kept."""

    start: int
    end: int
    first: int
    last: int


def windows(count: int, limit: int, overlap: int = OVERLAP) -> list[Window]:
    """Windows of at most `limit` pieces over `count` pieces, none of them special.

    >>> windows(5, 10)
    [Window(start=0, end=5, first=0, last=5)]
    >>> windows(10, 6, 2)
    [Window(start=0, end=6, first=0, last=5), Window(start=4, end=10, first=5, last=10)]
    """
    if count <= limit:
        return [Window(0, count, 0, count)]
    step = limit - min(overlap, limit // 2)
    starts = [*range(0, count - limit, step), count - limit]
    ends = [start + limit for start in starts]
    # Where one window hands over to the next: the middle of what both have read.
    borders = [
        0,
        *((start + end) // 2 for start, end in zip(starts[1:], ends[:-1], strict=True)),
        count,
    ]
    return [
        Window(start, end, first, last)
        for start, end, first, last in zip(starts, ends, borders[:-1], borders[1:], strict=True)
    ]
