"""Words that cannot stand in a rule: they would be read as a non-terminal or as a separator.

No format can hold a word with `|||` in it or brackets around digits, `[7]`. A word like `[NP,1]` is a
non-terminal in the formats of PPDB, Joshua and cdec, and one like `[X][NP]` in Moses' rules: a grammar
that was read from the other format may have it, but one that is extracted could not be written to
every format, so extraction refuses all of them.
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.kernels.grammar_line import NONTERMINAL, two_labels
from paragauge.text.lines import Lines

_LIKE = re.compile(rb"\[[0-9]+\]|\|\|\||,[0-9]{1,9}\]|\]\[")
_WORD = re.compile(r"\[[0-9]+\]|.*\|\|\|.*", re.DOTALL)


def is_reserved(word: str) -> bool:
    """Whether a word is like `[7]` or has `|||` in it.

    >>> [is_reserved(word) for word in ("[7]", "a|||", "[x]", "||")]
    [True, True, False, False]
    """
    return _WORD.fullmatch(word) is not None


def is_ambiguous(word: str) -> bool:
    """Whether a word is reserved, or a non-terminal of some format.

    >>> [is_ambiguous(word) for word in ("[7]", "[NP,1]", "[X][NP]", "[x]", "[,1]", "a][b")]
    [True, True, True, False, False, False]
    """
    return is_reserved(word) or NONTERMINAL.fullmatch(word) is not None or two_labels(word) is not None


def first_ambiguous(lines: Lines) -> tuple[int, str] | None:
    """The first line with such a word, and the word; words are separated by blanks.

    >>> first_ambiguous(Lines.of(["a b", "see [7] there", "x[1]"]))
    (1, '[7]')
    """
    starts = lines.spans[:, 0]
    order = np.argsort(starts, kind="stable")
    hits = [match.start() for match in _LIKE.finditer(lines.buffer.tobytes())]
    if not hits:
        return None
    for line in np.unique(order[np.searchsorted(starts[order], hits, "right") - 1]).tolist():
        for word in lines[line].split(" "):
            if is_ambiguous(word):
                return line, word
    return None
