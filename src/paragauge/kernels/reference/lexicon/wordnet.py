"""Twin of wordnet.cpp: WordNet in one table of bytes.

The table, all numbers 32 bits in little-endian order:

    "PGWNET01"
    header      13 numbers: words; synsets of nouns, verbs, adjectives and adverbs; senses;
                exceptions of the four; bytes of the words, of the exceptions and of the title
    keys        one number for each synset, its name in the WordNet that it comes from
    offsets     of each word's text, one more than there are words
    offsets     of each word's senses, one more than there are words
    senses      synsets of each word, by part of speech, in the order of its senses
    offsets     of the texts of the exceptions, two for each and one more
    words       in lower case, spaces as underscores, sorted by their bytes
    exceptions  form and base form in turn, sorted by form within each part of speech
    title       which WordNet it is

Synsets are numbered nouns first, then verbs, adjectives and adverbs. Glosses and relations are not
in the table. Words and lines come in lower case. A part of speech is 1 (noun), 2 (verb),
3 (adjective) or 4 (adverb).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints, texts
from paragauge.kernels.reference.lexicon.morphy import base_form, changed_form

MAGIC = b"PGWNET01"
FIELDS = 13
POSES = 4
ANY_POS = 5


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(f"no WordNet table: {message}")


def _cut_words(text: bytes, offsets: Sequence[int]) -> list[str]:
    """The strings of a section."""
    words = []
    for first, last in itertools.pairwise(offsets):
        word = text[first:last]
        _check(word != b"" and b" " not in word, "a word must not be empty or contain spaces")
        words.append(_decode(word))
    return words


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("no WordNet table: text must be UTF-8") from None


def _is_increasing(words: list[str]) -> bool:
    encoded = [word.encode() for word in words]
    return all(left < right for left, right in itertools.pairwise(encoded))


class WordNet:
    """Words, synsets and base forms of one table."""

    def __init__(self, table: Bytes) -> None:
        data = table.tobytes()
        start = len(MAGIC) + 4 * FIELDS
        _check(len(data) >= start and data.startswith(MAGIC), "it starts differently")
        header = np.frombuffer(data, "<u4", FIELDS, len(MAGIC)).tolist()
        words, senses = header[0], header[5]
        sizes, exceptions, text_sizes = header[1:5], header[6:10], header[10:]
        counts = [sum(sizes), words + 1, words + 1, senses, 2 * sum(exceptions) + 1]
        _check(
            len(data) == start + 4 * sum(counts) + sum(text_sizes),
            "its size does not agree with its header",
        )
        sections = []
        for count in counts:
            sections.append(np.frombuffer(data, "<u4", count, start).tolist())
            start += 4 * count
        keys, offsets, sense_offsets, flat, exception_offsets = sections
        pieces = []
        for size in text_sizes:
            pieces.append(data[start : start + size])
            start += size
        for bounds, size in (
            (offsets, text_sizes[0]),
            (sense_offsets, senses),
            (exception_offsets, text_sizes[1]),
        ):
            covered = bounds[0] == 0 and bounds[-1] == size
            _check(
                covered and all(a <= b for a, b in itertools.pairwise(bounds)),
                "offsets must not decrease and must cover their section",
            )
        self._words = _cut_words(pieces[0], offsets)
        forms = _cut_words(pieces[1], exception_offsets)
        self._title = _decode(pieces[2])
        self._synsets = [
            (key, pos)
            for key, pos in zip(keys, np.repeat(np.arange(1, POSES + 1), sizes).tolist(), strict=True)
        ]
        _check(all(sense < len(keys) for sense in flat), "a sense is a synset of the table")
        self._senses = [flat[a:b] for a, b in itertools.pairwise(sense_offsets)]
        for own in self._senses:
            poses = [self._synsets[sense][1] for sense in own]
            _check(poses == sorted(poses), "senses must be in the order of the parts of speech")
        _check(_is_increasing(self._words), "words must be sorted and differ")
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self._exceptions: list[dict[str, str]] = []
        first = 0
        for count in exceptions:
            own_forms = forms[2 * first : 2 * (first + count) : 2]
            _check(_is_increasing(own_forms), "words must be sorted and differ")
            bases = forms[2 * first + 1 : 2 * (first + count) : 2]
            self._exceptions.append(dict(zip(own_forms, bases, strict=True)))
            first += count
        self._members: list[set[int]] = [set() for _ in keys]
        for word, own in enumerate(self._senses):
            for sense in own:
                self._members[sense].add(word)

    def __len__(self) -> int:
        return len(self._words)

    def title(self) -> str:
        """Which WordNet it is."""
        return self._title

    def word(self, number: int) -> str:
        """The word with this number; words are numbered in the order of their bytes."""
        if not 0 <= number < len(self._words):
            raise IndexError("no such word")
        return self._words[number]

    def synset(self, number: int) -> tuple[int, int]:
        """Key and part of speech of a synset."""
        if not 0 <= number < len(self._synsets):
            raise IndexError("no such synset")
        return self._synsets[number]

    def is_word(self, word: str, pos: int) -> bool:
        """Whether the word has a synset of this part of speech."""
        return any(self._synsets[sense][1] == pos for sense in self._senses_of(word))

    def exception(self, form: str, pos: int) -> str | None:
        """The base form in the exception list."""
        return self._exceptions[pos - 1].get(form)

    def _senses_of(self, word: str) -> list[int]:
        number = self._numbers.get(word)
        return [] if number is None else self._senses[number]

    def senses(self, word: str) -> Ids:
        """Numbers of the word's synsets, by part of speech, in the order of its senses."""
        return np.array(self._senses_of(word), np.int32)

    def synonyms(self, word: str) -> list[str]:
        """The words that share a synset with the word, itself among them, in their order."""
        numbers = set().union(*(self._members[sense] for sense in self._senses_of(word)))
        return [self._words[number] for number in sorted(numbers)]

    def morphy(self, word: str, pos: int) -> str | None:
        """The word's base form; see morphy.py."""
        if not 1 <= pos <= POSES:
            raise ValueError("a part of speech is 1, 2, 3 or 4")
        return base_form(self, word, pos)

    def exceptions(self, pos: int) -> list[tuple[str, str]]:
        """Form and base form of each entry of an exception list, sorted by form."""
        if not 1 <= pos <= POSES:
            raise ValueError("a part of speech is 1, 2, 3 or 4")
        return list(self._exceptions[pos - 1].items())

    def related_sets(self, buffer: Bytes, spans: Ints, how: str, threads: int) -> tuple[Ids, Ints]:
        """For each line, a word: sorted numbers, none if it is not in WordNet.

        They are its synsets ("synset"), or those and the synsets of its base forms, each with its
        part of speech ("forms"), or the words that share a synset with it, itself among them
        ("shared").
        """
        del threads
        if how not in ("shared", "synset", "forms"):
            raise ValueError(f"no relation named '{how}'")
        ids: list[int] = []
        offsets = [0]
        for word in texts(buffer, spans):
            own = set(self._senses_of(word))
            if how == "forms":
                for pos in range(1, POSES + 1):
                    senses = self._senses_of(self.morphy(word, pos) or "")
                    own |= {sense for sense in senses if self._synsets[sense][1] == pos}
            if how == "shared":
                own = set().union(*(self._members[sense] for sense in own))
            ids += sorted(own)
            offsets.append(len(ids))
        return np.array(ids, np.int32), np.array(offsets, np.int64)

    def lemmatize(self, buffer: Bytes, spans: Ints, pos: Bytes, threads: int) -> tuple[Bytes, Ints]:
        """Each line with its tokens, which single spaces separate, replaced by their base forms.

        `pos` has one part of speech for each token of all lines; 0 keeps the token, 5 tries all four
        in their order and takes the first that changes it. A token that has no base form stays.
        """
        del threads
        lines = [line.split(" ") if line else [] for line in texts(buffer, spans)]
        if sum(map(len, lines)) != len(pos):
            raise ValueError("there must be one part of speech for each token")
        if any(code > ANY_POS for code in pos.tolist()):
            raise ValueError("a part of speech is 0, 1, 2, 3, 4 or 5")
        codes = iter(pos.tolist())
        joined = []
        for line in lines:
            bases = [
                next(
                    filter(
                        None,
                        (
                            changed_form(self, token, part_of_speech)
                            for part_of_speech in _parts_of_speech(code)
                        ),
                    ),
                    token,
                )
                for token, code in zip(line, codes, strict=False)
            ]
            joined.append(" ".join(bases).encode())
        offsets = np.cumsum([0, *map(len, joined)], dtype=np.int64)
        return np.frombuffer(b"".join(joined), np.uint8), offsets


def _parts_of_speech(code: int) -> range:
    """The parts of speech that a code stands for."""
    return range(1, POSES + 1) if code == ANY_POS else range(code, code + (code > 0))


def sets_meet(ids: Ids, offsets: Ints, left: Ints, right: Ints, threads: int) -> Bytes:
    """For each pair of rows: 1 if they are the same row or have a number in common, else 0."""
    del threads
    bounds = offsets.tolist()
    if not bounds or bounds[0] < 0 or bounds != sorted(bounds) or bounds[-1] > len(ids):
        raise ValueError("offsets must not decrease and must stay within the ids")
    if len(left) != len(right):
        raise ValueError("left and right must have the same length")
    rows = [set(ids[a:b].tolist()) for a, b in itertools.pairwise(bounds)]
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    if any(not 0 <= row < len(rows) for pair in pairs for row in pair):
        raise ValueError("left and right must be rows of the sets")
    return np.array([a == b or not rows[a].isdisjoint(rows[b]) for a, b in pairs], np.uint8)
