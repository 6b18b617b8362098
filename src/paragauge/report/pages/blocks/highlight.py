"""Which words of a candidate are kept, moved, taken from a reference, or new.

Words are runs of letters, marks and digits, with apostrophes inside; a Chinese character or a kana is
a word by itself. They are compared in lowercase. Of several sources, the one with the longest common
subsequence counts, the first of several equal ones. Then, from left to right,

- **kept**: the word is part of the longest common subsequence of candidate and source;
- **moved**: the source has the word elsewhere, and no other word of the candidate has claimed it;
- **reference**: a reference has it (a change or an addition that people made too);
- **new**: neither source nor references have it.

A word of the source that is neither kept nor moved is **deleted**. Everything between words is plain.
Among longest common subsequences, the one that advances in the candidate first is chosen: at words
that differ, one word of the candidate is skipped if that loses nothing, else one of the source.

A pair of texts whose table would have more than `MOST_CELLS` cells is not aligned; its words are
compared regardless of order, so that none is kept and all shared ones are moved.

`assets/highlight.js` does the same in the browser; a test runs both on the same cases.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

KINDS = ("kept", "moved", "reference", "new", "deleted")
MOST_CELLS = 1_000_000
_SINGLE = (
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


@dataclass(frozen=True)
class Piece:
    """A stretch of text; `kind` is one of KINDS, or "" for plain text."""

    text: str
    kind: str


@dataclass(frozen=True)
class Highlighted:
    """A candidate and the source it was aligned with; `source` is its number, None without one."""

    candidate: list[Piece]
    source: int | None
    source_pieces: list[Piece]


def split_words(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, each a word or what lies between words.

    >>> split_words("Don't, 汉字!")
    [("Don't", True), (', ', False), ('汉', True), ('字', True), ('!', False)]
    """
    pieces: list[tuple[str, bool]] = []
    start = i = 0
    while i < len(text):
        if not _is_word(text[i]):
            i += 1
            continue
        if start < i:
            pieces.append((text[start:i], False))
        start, i = i, i + 1
        if not _is_single(text[start]):
            while i < len(text) and _goes_on(text, i):
                i += 1
        pieces.append((text[start:i], True))
        start = i
    if start < len(text):
        pieces.append((text[start:], False))
    return pieces


def _goes_on(text: str, i: int) -> bool:
    """Whether the word before character i includes it."""
    if _is_word(text[i]):
        return not _is_single(text[i])
    return (
        text[i] in "'’" and i + 1 < len(text) and _is_word(text[i + 1]) and not _is_single(text[i + 1])
    )


def _is_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"


def _is_single(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in _SINGLE)


def highlight(candidate: str, sources: Sequence[str], references: Sequence[str]) -> Highlighted:
    """What became of the words.

    >>> found = highlight("The dog ran fast", ["The cat ran"], ["A dog ran"])
    >>> [(piece.text, piece.kind) for piece in found.candidate if piece.kind]
    [('The', 'kept'), ('dog', 'reference'), ('ran', 'kept'), ('fast', 'new')]
    >>> [(piece.text, piece.kind) for piece in found.source_pieces if piece.kind]
    [('The', 'kept'), ('cat', 'deleted'), ('ran', 'kept')]
    """
    pieces = split_words(candidate)
    words = _lowercase(pieces)
    known = {word for text in references for word in _lowercase(split_words(text))}
    best: list[tuple[int, int]] = []
    chosen, source_pieces = None, []
    for number, text in enumerate(sources):
        split = split_words(text)
        pairs = common_subsequence(words, _lowercase(split))
        if chosen is None or len(pairs) > len(best):
            chosen, source_pieces, best = number, split, pairs
    source_words = _lowercase(source_pieces)
    kinds = dict.fromkeys(range(len(words)), "new")
    source_kinds = dict.fromkeys(range(len(source_words)), "deleted")
    for i, j in best:
        kinds[i] = source_kinds[j] = "kept"
    spare = Counter(word for j, word in enumerate(source_words) if source_kinds[j] == "deleted")
    claimed: Counter[str] = Counter()
    for i, word in enumerate(words):
        if kinds[i] == "kept":
            continue
        if spare[word] > 0:
            kinds[i] = "moved"
            spare[word] -= 1
            claimed[word] += 1
        elif word in known:
            kinds[i] = "reference"
    for j, word in enumerate(source_words):
        if source_kinds[j] == "deleted" and claimed[word] > 0:
            source_kinds[j] = "moved"
            claimed[word] -= 1
    return Highlighted(_pieces(pieces, kinds), chosen, _pieces(source_pieces, source_kinds))


def common_subsequence(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """The longest common subsequence as pairs of positions.

    >>> common_subsequence("abcd", "acbd")
    [(0, 0), (2, 1), (3, 3)]
    """
    rows, columns = len(left), len(right)
    if rows * columns > MOST_CELLS:
        return []
    length = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        below, row = length[i + 1], length[i]
        for j in range(columns - 1, -1, -1):
            row[j] = below[j + 1] + 1 if left[i] == right[j] else max(below[j], row[j + 1])
    pairs = []
    i = j = 0
    while i < rows and j < columns:
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def render_pieces(pieces: Sequence[Piece]) -> str:
    """The pieces as HTML: words in spans whose class is their kind, everything escaped.

    >>> render_pieces([Piece("<b>", "new"), Piece("!", "")])
    '<span class="w new">&lt;b&gt;</span>!'
    """
    return "".join(
        f'<span class="w {piece.kind}">{escape(piece.text)}</span>'
        if piece.kind
        else escape(piece.text)
        for piece in pieces
    )


def _lowercase(pieces: Sequence[tuple[str, bool]]) -> list[str]:
    return [text.lower() for text, is_word in pieces if is_word]


def _pieces(parts: Sequence[tuple[str, bool]], kinds: dict[int, str]) -> list[Piece]:
    """Pieces with the kinds of their words."""
    pieces = []
    number = 0
    for text, is_word in parts:
        pieces.append(Piece(text, kinds[number] if is_word else ""))
        number += is_word
    return pieces
