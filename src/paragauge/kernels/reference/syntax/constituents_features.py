"""Twin of constituents_features.hpp: what the parser sees of a sentence.

Features are keys (`feature_key`) of a number and a value. A word is its lowercased form, its last
three bytes and its tag; two boundaries stand before the first word and two behind the last one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from paragauge.kernels.reference.syntax.tagger_words import combine, feature_key, read_word

STARTS = 100
ENDS = 120
LENGTHS = ((5, None), (7, 6), (10, 7), (15, 8), (25, 9))


@dataclass(frozen=True)
class Word:
    """A word as hashes."""

    word: int
    suffix: int
    tag: int


class Words:
    """The words of a sentence; `kinds` gives the kind of each tag."""

    def __init__(self, tokens: list[bytes], tags: list[int], kinds: list[int]) -> None:
        forms = [read_word(token) for token in tokens]
        words = [Word(f.lower, f.suffix[2], tag + 3) for f, tag in zip(forms, tags, strict=True)]
        self.tags = tags
        self._words = [Word(1, 1, 1)] * 2 + words + [Word(2, 2, 2)] * 2
        self._kinds = [kinds[tag] + 1 for tag in tags]

    def __len__(self) -> int:
        return len(self.tags)

    def at(self, i: int) -> Word:
        """Word i; -2 and -1 are before the first one."""
        return self._words[i + 2]

    def kinds(self, i: int, j: int) -> int:
        """A hash of the kinds of the words from i to j - 1, runs of equal kinds counted once."""
        code = 0
        for kind, _ in groupby(self._kinds[i:j]):
            code = combine(code, kind)
        return code


def length_class(n: int) -> int:
    """1 to 5; 6 and 7, to 10, to 15, to 25 and more words."""
    for most, number in LENGTHS:
        if n <= most:
            return n if number is None else number
    return 10


def _number_keys(first: int, values: list[int]) -> list[int]:
    return [feature_key(first + i, value) for i, value in enumerate(values)]


def place_features(s: Words, i: int, number: int) -> list[int]:
    """Of the place before word i, where spans start or end."""
    b2, b, a, a2 = (s.at(i + k) for k in (-2, -1, 0, 1))
    tags = combine(b.tag, a.tag)
    values = [a.word, b.word, a.tag, b.tag, tags, combine(b.word, a.tag), combine(b.tag, a.word)]
    values += [combine(a.tag, a2.tag), combine(b2.tag, b.tag), combine(tags, a2.tag)]
    values += [combine(tags, b2.tag), combine(b.word, a.word), a.suffix, b.suffix]
    values += [combine(a.word, a2.tag), combine(b2.tag, b.word)]
    return _number_keys(number, values)


def span_features(s: Words, i: int, j: int) -> list[int]:
    """Of the span of the words from i to j - 1: before it, its first, its last, and after it."""
    b, f, last, a = s.at(i - 1), s.at(i), s.at(j - 1), s.at(j)
    length, kinds = length_class(j - i), s.kinds(i, j)
    inner, outer = combine(f.tag, last.tag), combine(b.tag, a.tag)
    values = [length, inner, combine(f.word, last.tag), combine(f.tag, last.word)]
    values += [combine(f.word, last.word), outer, combine(b.word, a.tag), combine(b.tag, a.word)]
    values += [combine(inner, outer), combine(inner, b.tag), combine(inner, a.tag)]
    values += [combine(outer, f.tag), combine(outer, last.tag)]
    values += [combine(length, x) for x in (f.tag, last.tag, b.tag, a.tag, f.word, last.word)]
    values += [combine(f.word, a.tag), combine(f.tag, a.word), combine(b.word, last.tag)]
    values += [combine(inner, s.at(i + 1).tag), combine(inner, s.at(j - 2).tag), kinds]
    values += [combine(kinds, x) for x in (b.tag, a.tag, outer, f.tag, last.tag)]
    features = _number_keys(1, values)
    if j - i > 1:
        ends = combine(s.at(j - 2).tag, last.tag)
        values = [combine(ends, combine(f.tag, s.at(i + 1).tag)), combine(ends, f.word)]
        values += [combine(outer, f.word), combine(combine(b.word, a.tag), f.tag)]
        values += [combine(combine(b.tag, a.word), last.tag)]
        values += [combine(outer, s.at(i - 2).tag), combine(outer, s.at(j + 1).tag)]
        features += _number_keys(31, values)
    if j - i <= 6:
        tags = 0
        for k in range(i, j):
            tags = combine(tags, s.at(k).tag)
        features += _number_keys(38, [tags, combine(tags, outer)])
    if j - i <= 3:
        words = 0
        for k in range(i, j):
            words = combine(words, s.at(k).word)
        features += _number_keys(40, [words])
    return features


def middle_features(s: Words, k: int) -> list[int]:
    """Of a split before word k."""
    b, a = s.at(k - 1), s.at(k)
    pairs = ((b.tag, a.tag), (b.word, a.tag), (b.tag, a.word), (b.word, a.word))
    return _number_keys(50, [b.word, a.word, *(combine(*pair) for pair in pairs)])


def left_features(s: Words, i: int, k: int) -> list[int]:
    """Of a split before word k whose left part begins at i."""
    f, last, a = s.at(i), s.at(k - 1), s.at(k)
    pairs = ((f.tag, a.tag), (f.word, a.word), (f.word, a.tag), (f.tag, a.word))
    values = [length_class(k - i), *(combine(*pair) for pair in pairs)]
    values += [combine(combine(f.tag, a.tag), last.tag), combine(s.kinds(i, k), a.tag)]
    return _number_keys(60, [*values, combine(combine(f.word, a.word), last.tag)])


def right_features(s: Words, k: int, j: int) -> list[int]:
    """Of a split before word k whose right part ends before j."""
    b, f, last, a = s.at(k - 1), s.at(k), s.at(j - 1), s.at(j)
    middle, kinds = combine(b.tag, f.tag), s.kinds(k, j)
    values = [length_class(j - k), combine(b.tag, last.tag), combine(b.word, last.word)]
    values += [combine(middle, last.tag), combine(middle, a.tag), combine(kinds, b.tag)]
    return _number_keys(
        70, [*values, combine(kinds, b.word), combine(combine(b.word, f.word), last.tag)]
    )
