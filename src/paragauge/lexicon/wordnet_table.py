"""Pack the contents of a WordNet into the table that the kernel opens.

The layout is described in `kernels/reference/lexicon/wordnet.py`. The same contents give the same
bytes, whatever the order in which they were read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from paragauge.errors import ShapeError
from paragauge.kernels.layout import Bytes

MAGIC = b"PGWNET02"
POS_LETTERS = "nvar"
ADJECTIVE = POS_LETTERS.index("a")
MOST = 2**32 - 1
Sense = tuple[str, str, str]  # a word, a part of speech and a synset


@dataclass
class Contents:
    """The contents of a WordNet.

    `senses` maps a word (in lower case, spaces as underscores) and a part of speech (a letter of
    `nvar`) to its synsets in the order of its senses; `keys` maps a synset to its number in that
    WordNet, if it has one. `exceptions` maps an irregular form and a part of speech to its base form.
    `antonyms` holds pairs of senses, each a word, a part of speech and a synset, in one direction or
    both.
    `heads` holds pairs of adjective synsets: a satellite and the head that it is similar to.
    """

    title: str
    senses: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    exceptions: dict[tuple[str, str], str] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    antonyms: set[tuple[Sense, Sense]] = field(default_factory=set)
    heads: set[tuple[str, str]] = field(default_factory=set)


def pack(contents: Contents) -> Bytes:
    """The table as bytes, uint8 [size].

    >>> contents = Contents("small", {("big", "a"): ["00000001"], ("large", "a"): ["00000001"]})
    >>> pack(contents).tobytes()[:8]
    b'PGWNET02'
    """
    names = sorted(
        {(POS_LETTERS.index(pos), name) for (_, pos), own in contents.senses.items() for name in own}
    )
    numbers = {name: number for number, name in enumerate(names)}
    keys = [contents.keys.get(name, number) for number, (_, name) in enumerate(names)]
    words = sorted({word for word, _ in contents.senses}, key=str.encode)
    senses = [
        [
            numbers[(p, name)]
            for p, pos in enumerate(POS_LETTERS)
            for name in contents.senses.get((word, pos), ())
        ]
        for word in words
    ]
    antonyms = _antonym_places(contents)
    heads = _head_numbers(contents, numbers)
    exceptions = [
        sorted(
            ((form, base) for (form, own), base in contents.exceptions.items() if own == pos),
            key=lambda pair: pair[0].encode(),
        )
        for pos in POS_LETTERS
    ]
    forms = [text for own in exceptions for pair in own for text in pair]
    texts = [_concatenate(words), _concatenate(forms), contents.title.encode()]
    by_pos = np.bincount([pos for pos, _ in names], minlength=len(POS_LETTERS)).tolist()
    sections: list[Iterable[int]] = [
        [
            *(len(words), *by_pos, sum(map(len, senses))),
            *(*map(len, exceptions), len(antonyms), len(heads), *map(len, texts)),
        ],
        keys,
        _offsets(words),
        [0, *itertools.accumulate(map(len, senses))],
        [sense for own in senses for sense in own],
        _flatten(antonyms),
        _flatten(heads),
        _offsets(forms),
    ]
    data = b"".join([MAGIC, *map(_numbers, sections), *texts])
    return np.frombuffer(data, np.uint8)


def _antonym_places(contents: Contents) -> list[tuple[int, int]]:
    """Pairs of places among all senses, in both directions."""
    words = sorted(contents.senses, key=lambda key: (key[0].encode(), POS_LETTERS.index(key[1])))
    senses = [(word, pos, synset) for word, pos in words for synset in contents.senses[word, pos]]
    places = {sense: place for place, sense in enumerate(senses)}
    try:
        pairs = [(places[left], places[right]) for left, right in contents.antonyms]
    except KeyError as error:
        raise ShapeError(f"antonyms: expected senses of the WordNet, found {error}") from None
    return sorted({*pairs, *((right, left) for left, right in pairs)})


def _head_numbers(contents: Contents, numbers: dict[tuple[int, str], int]) -> list[tuple[int, int]]:
    """Pairs of a satellite and its head among all synsets."""
    try:
        return sorted(
            (numbers[(ADJECTIVE, satellite)], numbers[(ADJECTIVE, head)])
            for satellite, head in contents.heads
        )
    except KeyError as error:
        raise ShapeError(f"heads: expected adjective synsets of the WordNet, found {error}") from None


def _flatten(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return [number for pair in pairs for number in pair]


def synset_counts(table: Bytes) -> list[int]:
    """How many synsets of each part of speech a table has.

    >>> synset_counts(pack(Contents("small", {("big", "a"): ["1"], ("large", "a"): ["1"]})))
    [0, 0, 1, 0]
    """
    start = len(MAGIC) + 4
    return [int(count) for count in np.frombuffer(table.tobytes()[start : start + 16], "<u4")]


def table_spelling(text: str) -> str:
    """How the table spells a word: lower case, underscores for white space.

    >>> table_spelling("Ice  cream")
    'ice_cream'
    """
    return "_".join(text.lower().split())


def _concatenate(words: Iterable[str]) -> bytes:
    return "".join(words).encode()


def _offsets(words: Iterable[str]) -> list[int]:
    return [0, *itertools.accumulate(len(word.encode()) for word in words)]


def _numbers(values: Iterable[int]) -> bytes:
    array = np.array(list(values), np.int64)
    if array.size and not 0 <= array.min() <= array.max() <= MOST:
        raise ShapeError(f"a WordNet table holds numbers from 0 to {MOST:,}, found {array.max():,}")
    return array.astype("<u4").tobytes()
