"""Words that cannot stand in a rule: they would be read as a non-terminal or as a separator."""

from __future__ import annotations

import re

import numpy as np

from paragauge.text.lines import Lines

_LIKE = re.compile(rb"\[[0-9]+\]|\|\|\|")
_WORD = re.compile(r"\[[0-9]+\]|.*\|\|\|.*", re.DOTALL)


def is_reserved(word: str) -> bool:
    """Whether a word is like `[7]` or has `|||` in it.

    >>> [is_reserved(word) for word in ("[7]", "a|||", "[x]", "||")]
    [True, True, False, False]
    """
    return _WORD.fullmatch(word) is not None


def first_reserved(lines: Lines) -> tuple[int, str] | None:
    """The first line with such a word, and the word; words are separated by blanks.

    >>> first_reserved(Lines.of(["a b", "see [7] there", "x[1]"]))
    (1, '[7]')
    """
    starts = lines.spans[:, 0]
    order = np.argsort(starts, kind="stable")
    hits = [match.start() for match in _LIKE.finditer(lines.buffer.tobytes())]
    if not hits:
        return None
    for line in np.unique(order[np.searchsorted(starts[order], hits, "right") - 1]).tolist():
        for word in lines[line].split(" "):
            if is_reserved(word):
                return line, word
    return None
