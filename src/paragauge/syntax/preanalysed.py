"""Analyses that exist already, in CoNLL-U files, as tagger and parser.

Sentences are found by their words. Penn's quotes and brackets are equal to plain ones, so `` finds
a sentence with ". If a file has the same words twice, the first analysis counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from paragauge.errors import InputError
from paragauge.syntax.conllu import read_conllu
from paragauge.syntax.conllu_write import conllu_block
from paragauge.syntax.sentence import Sentence
from paragauge.text.files import display_name

PLAIN = {
    "``": '"',
    "''": '"',
    "“": '"',
    "”": '"',
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}


class PreAnalysed:
    r"""A tagger and parser that looks sentences up.

    >>> given = PreAnalysed([Sentence(("Dogs", "bark"), ("NNS", "VBP"))])
    >>> given.tag([["Dogs", "bark"]])
    [['NNS', 'VBP']]
    >>> given.tag([["Cats", "purr"]])
    Traceback (most recent call last):
    paragauge.errors.InputError: no analysis of 'Cats purr' among 1 sentences; analyse it too, with the
    same words
    """

    def __init__(self, sentences: Iterable[Sentence], source: str = "") -> None:
        self._found: dict[tuple[str, ...], Sentence] = {}
        self._source = f" of {source}" if source else ""
        digest = hashlib.sha256()
        for sentence in sentences:
            self._found.setdefault(_key(sentence.words), sentence)
            if sentence.words:
                digest.update(conllu_block(sentence).encode("utf-8"))
        self._name = f"conllu-{digest.hexdigest()[:8]}"

    @classmethod
    def load(cls, *paths: str | Path) -> PreAnalysed:
        """The analyses of CoNLL-U files, which must have Penn tags in XPOS.

        >>> PreAnalysed.load("none.conllu")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.conllu: no such file; check the path
        """
        sentences = (found.sentence() for path in paths for found in read_conllu(path))
        return cls(sentences, ", ".join(display_name(path) for path in paths))

    @property
    def name(self) -> str:
        """The first digits of the SHA-256 of all analyses.

        >>> PreAnalysed([]).name
        'conllu-e3b0c442'
        """
        return self._name

    def __len__(self) -> int:
        return len(self._found)

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """One tag for each word of each sentence."""
        return [list(self._of(words).tags) for words in sentences]

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Each sentence with heads and relations; an error if the files do not have them."""
        parsed = [self._of(words) for words in sentences]
        for sentence in parsed:
            if sentence.words and (sentence.heads is None or sentence.relations is None):
                raise InputError(
                    f"no dependencies of '{_shown(sentence.words)}' among the "
                    f"sentences{self._source}: HEAD or DEPREL is _; parse them first"
                )
        return parsed

    def _of(self, words: Sequence[str]) -> Sentence:
        if not words:
            return Sentence((), (), (), (), ())
        found = self._found.get(_key(words))
        if found is None:
            raise InputError(
                f"no analysis of '{_shown(words)}' among {len(self._found):,} sentences"
                f"{self._source}; analyse it too, with the same words"
            )
        return replace(found, words=tuple(words))


def _key(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(PLAIN.get(word, word) for word in words)


def _shown(words: Sequence[str]) -> str:
    return f"{' '.join(words):.60}"
