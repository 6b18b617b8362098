"""Word pieces in their text: which characters a piece has, and which word it belongs to.

Words are runs of letters and digits, apostrophes between them included; every other character that
is not a space is a word of its own. A piece belongs to the word that has its last character, because
some tokenizers count the space before a word as part of its first piece.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.kernels.layout import Ints

_WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
# What special pieces, which stand for no text, are called: the first and the last.
ENDS = ("(start)", "(end)")


@dataclass(frozen=True)
class TextWord:
    """A word and its span in the text, in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class TextPiece:
    """A word piece, its span, and the number of its word from 0; None for a special piece."""

    text: str
    start: int
    end: int
    word: int | None


@dataclass(frozen=True)
class CutText:
    """A text with its words and its pieces; `role` is candidate, reference or source."""

    role: str
    text: str
    words: tuple[TextWord, ...]
    pieces: tuple[TextPiece, ...]

    def label(self, number: int) -> str:
        """A piece as it is shown: with its word, if that is longer.

        >>> cut_text("candidate", "Dogs", [(0, 0), (0, 3), (3, 4), (0, 0)]).label(1)
        'Dog (Dogs)'
        """
        piece = self.pieces[number]
        if piece.word is None or self.words[piece.word].text == piece.text:
            return piece.text
        return f"{piece.text} ({self.words[piece.word].text})"


def cut_text(role: str, text: str, spans: Ints | Sequence[tuple[int, int]]) -> CutText:
    """The words of a text, and its pieces by their spans; the first and the last are special.

    >>> cut = cut_text("candidate", "It's ok.", [(0, 0), (0, 2), (2, 4), (5, 7), (7, 8), (0, 0)])
    >>> [word.text for word in cut.words], [piece.word for piece in cut.pieces]
    (["It's", 'ok', '.'], [None, 0, 0, 1, 2, None])
    """
    words = tuple(TextWord(match.group(), *match.span()) for match in _WORD.finditer(text))
    starts = [word.start for word in words]
    pieces = []
    last = len(spans) - 1
    for number, (start, end) in enumerate(spans):
        if number in (0, last):
            pieces.append(TextPiece(ENDS[number == last], 0, 0, None))
            continue
        start, end = int(start), int(end)
        word = bisect_right(starts, max(end - 1, start)) - 1
        inside = word >= 0 and start < words[word].end
        shown = text[start:end].strip() or "(space)"
        pieces.append(TextPiece(shown, start, end, word if inside else None))
    return CutText(role, text, words, tuple(pieces))
