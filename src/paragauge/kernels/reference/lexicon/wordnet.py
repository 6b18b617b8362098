"""Twin of wordnet.cpp: WordNet in one table of bytes.

The table, all numbers 32 bits in little-endian order:

    "PGWNET02"
    header      15 numbers: words; synsets of nouns, verbs, adjectives and adverbs; senses;
                exceptions of the four; antonyms; satellites; bytes of the words, of the exceptions
                and of the title
    keys        one number for each synset, its name in the WordNet that it comes from
    offsets     of each word's text, one more than there are words
    offsets     of each word's senses, one more than there are words
    senses      synsets of each word, by part of speech, in the order of its senses
    antonyms    pairs of senses that are antonyms, each in both directions, sorted; a sense is its
                place in the section before, which tells the word and the synset
    satellites  pairs of an adjective synset and its head, which it is similar to, sorted
    offsets     of the texts of the exceptions, two for each and one more
    words       in lower case, spaces as underscores, sorted by their bytes
    exceptions  form and base form in turn, sorted by form within each part of speech
    title       which WordNet it is

Synsets are numbered nouns first, then verbs, adjectives and adverbs. Glosses and other relations are
not in the table. Words and lines come in lower case. A part of speech is 1 (noun), 2 (verb),
3 (adjective) or 4 (adverb).
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints, texts
from paragauge.kernels.reference.lexicon.morphy import base_form, changed_form

MAGIC = b"PGWNET02"
FIELDS = 15
POSES = 4
ADJECTIVE = 3
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


def _cut_pairs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    _check(all(a < b for a, b in itertools.pairwise(pairs)), "pairs must be sorted and differ")
    return pairs


def _group(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """The right numbers of each left one."""
    groups: dict[int, list[int]] = {}
    for left, right in pairs:
        groups.setdefault(left, []).append(right)
    return groups


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
        sizes, exceptions, text_sizes = header[1:5], header[6:10], header[12:]
        pair_sizes = [2 * header[10], 2 * header[11]]
        counts = [sum(sizes), words + 1, words + 1, senses, *pair_sizes, 2 * sum(exceptions) + 1]
        _check(
            len(data) == start + 4 * sum(counts) + sum(text_sizes),
            "its size does not agree with its header",
        )
        sections = []
        for count in counts:
            sections.append(np.frombuffer(data, "<u4", count, start).tolist())
            start += 4 * count
        keys, offsets, sense_offsets, flat, antonyms, heads, exception_offsets = sections
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
        _check(all(sense < senses for sense in antonyms), "an antonym is a sense of the table")
        _check(
            all(one < len(keys) and self._synsets[one][1] == ADJECTIVE for one in heads),
            "a satellite and its head are adjectives of the table",
        )
        self._sense_offsets, self._flat = sense_offsets, flat
        self._pointers = len(antonyms) // 2
        self._antonyms, self._heads = _group(_cut_pairs(antonyms)), _group(_cut_pairs(heads))
        self._opposite_heads = _group(
            sorted(
                {
                    (flat[left], flat[right])
                    for left, own_antonyms in self._antonyms.items()
                    for right in own_antonyms
                    if self._synsets[flat[left]][1] == self._synsets[flat[right]][1] == ADJECTIVE
                }
            )
        )
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

    def antonym_pointers(self) -> int:
        """How many pairs of senses are antonyms, counted in both directions."""
        return self._pointers

    def _places(self, word: str, pos: int | None = None) -> list[int]:
        """Where the senses of a word, of one part of speech or all, stand in the section of senses."""
        number = self._numbers.get(word)
        if number is None:
            return []
        return [
            place
            for place in range(self._sense_offsets[number], self._sense_offsets[number + 1])
            if pos in (None, self._synsets[self._flat[place]][1])
        ]

    def _heads_of(self, synset: int) -> list[int]:
        """An adjective synset itself and its heads."""
        if self._synsets[synset][1] != ADJECTIVE:
            return []
        return [synset, *self._heads.get(synset, [])]

    def _antonyms_of(self, place: int, how: str) -> Iterator[int]:
        """The senses that are antonyms of a sense, and those of the words of its heads."""
        yield from self._antonyms.get(place, [])
        for head in self._heads_of(self._flat[place]) if how == "similar" else []:
            for member in sorted(self._members[head]):
                for other in self._places(self._words[member]):
                    if self._flat[other] == head:
                        yield from self._antonyms.get(other, [])

    def antonyms(self, word: str, how: str) -> tuple[Ids, Ints]:
        """For each sense of the word, the numbers of the words that are its antonyms, each once.

        They are those with a pointer ("direct") and then, for an adjective, those of all words of its
        synset and of the heads that this is a satellite of ("similar").
        """
        _check_opposition(how)
        ids: list[int] = []
        offsets = [0]
        for place in self._places(word):
            ids += dict.fromkeys(
                bisect.bisect_right(self._sense_offsets, other) - 1
                for other in self._antonyms_of(place, how)
            )
            offsets.append(len(ids))
        return np.array(ids, np.int32), np.array(offsets, np.int64)

    def opposite_sets(
        self, buffer: Bytes, spans: Ints, how: str, threads: int
    ) -> tuple[tuple[Ids, Ints], tuple[Ids, Ints]]:
        """For each line, a word in any inflection: sorted numbers of its own and of its opposites.

        Two words are opposites if a number of one is among the opposites of the other. The numbers
        are senses with antonyms ("direct"), and for "similar" also adjective synsets, numbered after
        the senses, that have an antonym pointer and are the word's or a head of the word's.
        """
        del threads
        _check_opposition(how)
        sides: tuple[list[list[int]], list[list[int]]] = ([], [])
        for word in texts(buffer, spans):
            places = self._places(word)
            for pos in range(1, POSES + 1):
                places += self._places(changed_form(self, word, pos) or "", pos)
            pairs = [(place, other) for place in places for other in self._antonyms.get(place, [])]
            if how == "similar":
                pairs += [
                    (len(self._flat) + head, len(self._flat) + other)
                    for place in places
                    for head in self._heads_of(self._flat[place])
                    for other in self._opposite_heads.get(head, [])
                ]
            for side, own in zip(sides, zip(*pairs, strict=True) if pairs else ((), ()), strict=True):
                side.append(sorted(set(own)))
        own_rows, opposite_rows = (
            (
                np.array([number for row in side for number in row], np.int32),
                np.cumsum([0, *map(len, side)], dtype=np.int64),
            )
            for side in sides
        )
        return own_rows, opposite_rows

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


def _check_opposition(how: str) -> None:
    if how not in ("direct", "similar"):
        raise ValueError(f"no opposition named '{how}'")


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
