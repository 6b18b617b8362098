"""Stems of words, by the Snowball library (PyStemmer).

`porter` is Porter's algorithm of 1980 and `porter2` his revision of it, Snowball's `english`; the
names of Snowball's other stemmers are those of their languages. Words are taken as they are: stem
lowercased words, because the stemmers know lowercase only.

Snowball's `porter` is not quite the algorithm as published: where the paper shortens every double
consonant but ll, ss and zz after -ed and -ing is gone, Snowball shortens bb, dd, ff, gg, mm, nn, pp,
rr and tt only. So trekked is trekk here and trek in the paper.

Some stemmers leave nothing of a word (`porter` of s, `dutch` of 's). Such a word stays as it is: an
empty word would be lost as soon as words are joined by spaces.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable
from typing import Any

from paragauge.errors import ShapeError, unknown_name

ALIASES = {"porter2": "english"}
# Words cached with their stems. A cache too small for a batch's words is slower than none.
CACHED = 100_000


def stem(words: Iterable[str], algorithm: str = "porter") -> list[str]:
    """The stem of each word.

    >>> stem(["shooting", "relational", "cars"])
    ['shoot', 'relat', 'car']
    >>> stem(["generously"], "porter2"), stem(["Häuser".lower()], "german")
    (['generous'], ['haus'])
    """
    if isinstance(words, str):
        raise ShapeError(f"words: expected a list of words, found a single string {words[:40]!r}")
    stemmer, lock = _stemmer(algorithm)
    word_list = list(words)
    with lock:
        stems = stemmer.stemWords(word_list)
    return [stemmed or word for stemmed, word in zip(stems, word_list, strict=True)]


def check_stemmer(algorithm: str) -> None:
    """Raise the error for an unknown stemmer.

    >>> check_stemmer("portr")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown stemmer 'portr'; did you mean 'porter'? known: porter, ...
    """
    known = algorithms()
    if algorithm not in known:
        raise unknown_name("stemmer", algorithm, known)


def algorithms() -> list[str]:
    """The names of stemmers that `stem` accepts.

    >>> {"porter", "porter2", "german"} <= set(algorithms())
    True
    """
    import Stemmer

    return ["porter", *ALIASES, *(name for name in Stemmer.algorithms() if name != "porter")]


@functools.cache
def _stemmer(algorithm: str) -> tuple[Any, threading.Lock]:
    """The stemmer, with a bounded cache, and a lock: only one thread at a time may use it."""
    import Stemmer

    check_stemmer(algorithm)
    return Stemmer.Stemmer(ALIASES.get(algorithm, algorithm), CACHED), threading.Lock()
