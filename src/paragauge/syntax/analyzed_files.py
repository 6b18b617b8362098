"""Existing analyses: CoNLL-U files as a dictionary from text to analysis.

A line of a corpus is looked up by its text, ignoring differences in white space, so files need not be
parallel to anything, one file may serve candidates and references, and a line that no file has is an
error. With `normalize` texts, words and lemmas are normalized as the lines are. A text with two
different analyses is an error too. `digest` is computed while reading, so that files are read once and
may be pipes.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence

from paragauge.errors import FileFormatError, InputError
from paragauge.syntax.conllu import ConlluSentence, read_conllu
from paragauge.syntax.sentence import Sentence
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import Normalize, normalize_text


class AnalyzedFiles:
    """The sentences of CoNLL-U files by their text; with `parsed`, all must have dependencies."""

    def __init__(
        self, paths: Sequence[str], *, parsed: bool = False, normalize: Normalize = "none"
    ) -> None:
        self._normalize = normalize
        self.paths = tuple(paths)
        self._parsed = parsed
        self._known: dict[str, tuple[Sentence, ConlluSentence]] = {}
        digest = hashlib.sha256()
        for path in paths:
            for sentence in read_conllu(path):
                self._add(sentence)
                digest.update(repr((sentence.text, sentence.sentence())).encode())
        self.digest = digest.hexdigest()[:8]

    def _add(self, parsed: ConlluSentence) -> None:
        sentence = parsed.sentence()
        if self._parsed and (sentence.heads is None or sentence.relations is None):
            raise FileFormatError(
                parsed.path,
                parsed.line,
                "expected dependencies in columns 7 and 8 (HEAD, DEPREL), found _; parse the file",
            )
        text = normalize_text(parsed.text, self._normalize)
        if self._normalize != "none":
            sentence = self._normalize_words(sentence)
        known = self._known.setdefault(_key(text), (sentence, parsed))
        if known[0] != sentence:
            raise FileFormatError(
                parsed.path,
                parsed.line,
                f"expected one analysis of each text, found a second one of '{_short(parsed.text)}', "
                f"which {known[1].path}:{known[1].line} analyzes differently; keep one of them",
            )

    def _normalize_words(self, sentence: Sentence) -> Sentence:
        """The sentence with normalized words; a word of which nothing would be left stays."""

        def normalized(words: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(normalize_text(word, self._normalize).strip() or word for word in words)

        lemmas = None if sentence.lemmas is None else normalized(sentence.lemmas)
        return dataclasses.replace(sentence, words=normalized(sentence.words), lemmas=lemmas)

    def __len__(self) -> int:
        return len(self._known)

    def sentences(self, lines: Lines) -> list[Sentence]:
        """The analysis of each line; an empty line has no words."""
        sentences = []
        for line in lines:
            text = _key(line)
            if not text:
                sentences.append(Sentence((), (), (), (), ()))
                continue
            if text not in self._known:
                files = ", ".join(map(display_name, self.paths))
                raise InputError(
                    f"{files}: expected an analysis of every line, found none of "
                    f"'{_short(text)}'; add the sentence, with '# text = ' and exactly this text"
                )
            sentences.append(self._known[text][0])
        return sentences


def _key(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
