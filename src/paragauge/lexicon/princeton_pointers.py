"""Antonyms and satellites in Princeton's data files, `data.noun`, `data.verb`, `data.adj`, `data.adv`.

A line of a data file is a synset:

    synset_offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [ptr...] | gloss

and a pointer is `pointer_symbol synset_offset pos source/target`. Of these the reader takes two. `!`
is an antonym, between the word of this synset and the word of the other whose numbers, from 1, are the
four hexadecimal digits source/target. `&` of a satellite (ss_type `s`) is the head that it is
similar to. `w_cnt` is hexadecimal. An adjective may end in a marker of its position, such as `(p)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from paragauge.errors import FileFormatError
from paragauge.lexicon.wordnet_table import Contents, Sense, table_spelling

_MARKER = re.compile(r"\((?:a|p|ip)\)$")
_POSES = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
_FORM = "'synset_offset lex_filenum ss_type w_cnt word lex_id... p_cnt ptr... | gloss'"


@dataclass(frozen=True)
class _Pointer:
    symbol: str
    offset: str
    pos: str
    source: int
    target: int


@dataclass(frozen=True)
class _Synset:
    type: str
    words: list[str]
    pointers: list[_Pointer]


class PointerReader:
    """Collects the lines of all data files, then adds their antonyms and satellites to the contents."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], tuple[str, int, str]] = {}  # by part of speech and offset

    def add_file(self, pos: str, path: str, lines: Iterable[tuple[int, str]]) -> None:
        """Collect the numbered lines of a file; those that start with a space hold the license."""
        for number, line in lines:
            if line and not line.startswith(" "):
                self._lines[pos, line.partition(" ")[0]] = path, number, line

    def add_pointers(self, contents: Contents) -> None:
        """Add the antonyms and satellites of all files."""
        for (pos, offset), (_, _, line) in self._lines.items():
            if " ! " in line or (pos == "a" and " & " in line):
                self._add_synset(contents, pos, offset)

    def _add_synset(self, contents: Contents, pos: str, offset: str) -> None:
        synset = self._synset(pos, offset)
        for pointer in synset.pointers:
            if pointer.symbol == "!" and pointer.source and pointer.target:
                if (pointer.pos, pointer.offset) not in self._lines:
                    self._fail(pos, offset, f"an antonym in {pointer.offset}, which is not there")
                left = self._sense(contents, pos, offset, pointer.source)
                right = self._sense(contents, pointer.pos, pointer.offset, pointer.target)
                contents.antonyms.add((left, right))
            elif pointer.symbol == "&" and synset.type == "s":
                if ("a", pointer.offset) not in self._lines:
                    self._fail(pos, offset, f"a head {pointer.offset}, which is not there")
                contents.heads.add((offset, pointer.offset))

    def _sense(self, contents: Contents, pos: str, offset: str, number: int) -> Sense:
        words = self._synset(pos, offset).words
        if number > len(words):
            self._fail(pos, offset, f"an antonym of word {number} of {len(words)}")
        word = table_spelling(_MARKER.sub("", words[number - 1]))
        if offset not in contents.senses.get((word, pos), ()):
            self._fail(pos, offset, f"{word!r}, which the index does not list with this synset")
        return word, pos, offset

    def _synset(self, pos: str, offset: str) -> _Synset:
        fields = self._lines[pos, offset][2].partition(" | ")[0].split()
        try:
            first = 4 + 2 * int(fields[3], 16)
            words, last = fields[4:first:2], first + 1 + 4 * int(fields[first])
            if not 4 < first < last <= len(fields):
                raise IndexError  # noqa: TRY301  # more words or pointers than the line has
            rows = [fields[at : at + 4] for at in range(first + 1, last, 4)]
            pointers = [
                _Pointer(symbol, other, _POSES[own], *bytes.fromhex(places))
                for symbol, other, own, places in rows
            ]
        except (ValueError, IndexError, KeyError, TypeError):
            self._fail(pos, offset, repr(self._lines[pos, offset][2][:60]), f"expected {_FORM}, found ")
        return _Synset(fields[2], words, pointers)

    def _fail(
        self, pos: str, offset: str, what: str, start: str = "expected pointers that agree, found "
    ) -> NoReturn:
        path, number, _ = self._lines[pos, offset]
        raise FileFormatError(path, number, f"{start}{what}; download the file again")
