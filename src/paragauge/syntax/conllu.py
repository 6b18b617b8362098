"""CoNLL-U: one word per line in ten columns, an empty line after each sentence.

https://universaldependencies.org/format.html. Words are syntactic words: a multi-word token
(`1-2<TAB>don't`) gives the words do and n't, and its form gives the text. Empty nodes (`8.1`) and the
columns FEATS and DEPS are checked for their place and left out. `_` in LEMMA, HEAD or DEPREL of all
words of a sentence means that it has none; a single word without a lemma has its form as lemma.

The text of a sentence is its `# text =`, which must have the characters of the forms, apart from white
space; without one it is built from the forms and `SpaceAfter=No`.

Writing gives words, lemmas, Penn tags as XPOS, heads and relations, and `_` for everything else. Where
the text has no white space after a word, its MISC says `SpaceAfter=No`, so that a reader gets the same
text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import FileFormatError, InputError
from paragauge.syntax.sentence import Sentence
from paragauge.text.files import atomic, display_name
from paragauge.text.line_reader import LineReader

COLUMNS = 10
NONE = "_"
BATCH = 1 << 13


@dataclass(frozen=True)
class ConlluSentence:
    """A sentence of a CoNLL-U file; `line` is the number of its first line.

    `tags` are those of column XPOS, None where it is `_`.
    """

    path: str
    line: int
    text: str
    words: tuple[str, ...]
    tags: tuple[str | None, ...]
    universal: tuple[str | None, ...]
    lemmas: tuple[str, ...] | None
    heads: tuple[int, ...] | None
    relations: tuple[str, ...] | None

    def sentence(self) -> Sentence:
        """The analysis with Penn tags; an error if XPOS does not have them."""
        tags = tuple(tag for tag in self.tags if tag is not None)
        if len(tags) < len(self.words):
            missing = len(self.words) - len(tags)
            raise FileFormatError(
                self.path,
                self.line,
                f"expected Penn tags in column 5 (XPOS), found _ for {missing} of "
                f"{len(self.words)} words of this sentence; tag the file first",
            )
        return Sentence(self.words, tags, self.lemmas, self.heads, self.relations)


def read_conllu(path: str | Path) -> Iterator[ConlluSentence]:
    r"""The sentences of a file, one at a time.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.conllu")
    ...     _ = path.write_text("1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    ...                         "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n\n")
    ...     for sentence in read_conllu(path):
    ...         print(sentence.text, sentence.tags, sentence.heads)
    Dogs bark ('NNS', 'VBP') (2, 0)
    """
    name = display_name(path)
    with LineReader(path) as reader:
        block: list[tuple[int, str]] = []
        number = 0
        while lines := reader.read(BATCH, 1 << 24):
            for line in lines:
                number += 1
                if line:
                    block.append((number, line))
                elif block:
                    yield from _sentence(name, block)
                    block = []
        if block:
            yield from _sentence(name, block)


def _sentence(path: str, block: list[tuple[int, str]]) -> Iterator[ConlluSentence]:
    """The sentence of some lines; comments alone make none."""
    rows = [_Row(path, number, line) for number, line in block if not line.startswith("#")]
    if not rows:
        return
    words: list[_Row] = []
    surface: list[_Row] = []
    covered = 0  # the last word that a multi-word token covers
    for row in rows:
        first, last = row.range(len(words))
        if row.is_empty_node:
            continue
        if last > first:
            if first <= covered:
                raise row.error(f"expected a token after word {covered}, found '{row.id}'")
            covered = last
            surface.append(row)
            continue
        words.append(row)
        if first > covered:
            surface.append(row)
    if not words:
        raise rows[0].error("expected words, found none in this sentence")
    if covered > len(words):
        raise rows[-1].error(f"expected words up to {covered}, as its multi-word token says")
    yield ConlluSentence(
        path,
        block[0][0],
        _text(path, block, surface),
        tuple(row.form for row in words),
        tuple(None if row.fields[4] == NONE else row.fields[4] for row in words),
        tuple(None if row.fields[3] == NONE else row.fields[3] for row in words),
        _lemmas(words),
        _heads(words),
        _relations(words),
    )


class _Row:
    """One line of ten fields."""

    def __init__(self, path: str, number: int, line: str) -> None:
        self.path, self.number = path, number
        self.fields = line.split("\t")
        if len(self.fields) != COLUMNS:
            raise self.error(
                f"expected {COLUMNS} tab-separated fields, found {len(self.fields)}; "
                "sentences end with an empty line"
            )
        self.id, self.form = self.fields[:2]
        if not self.form.strip():
            raise self.error("expected a word in column 2 (FORM), found nothing")
        for value in self.fields[2:]:
            if not value:
                raise self.error("expected _ for an empty field, found nothing between two tabs")

    def error(self, message: str) -> FileFormatError:
        return FileFormatError(self.path, self.number, message)

    @property
    def is_empty_node(self) -> bool:
        return "." in self.id

    @property
    def space_after(self) -> bool:
        return "SpaceAfter=No" not in self.fields[9].split("|")

    def range(self, words: int) -> tuple[int, int]:
        """First and last word of the row, which must follow word `words`."""
        expected = f"expected word {words + 1} in column 1 (ID)"
        if self.is_empty_node:
            main, _, sub = self.id.partition(".")
            if _number(main) != words or _number(sub) is None:
                raise self.error(f"{expected} or an empty node {words}.1, found '{self.id:.40}'")
            return words, words
        first, dash, last = self.id.partition("-")
        start = _number(first)
        stop = _number(last) if dash else start
        if start != words + 1 or stop is None or stop < start or (dash and stop == start):
            raise self.error(f"{expected}, found '{self.id:.40}'")
        return start, stop


def _number(text: str) -> int | None:
    """A whole number as CoNLL-U writes it, or None; longer ones than any sentence are none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _text(path: str, block: list[tuple[int, str]], surface: list[_Row]) -> str:
    joined = "".join(row.form + (" " if row.space_after else "") for row in surface).strip()
    for number, line in block:
        key, equals, value = line.partition("=")
        if not line.startswith("#") or not equals or key[1:].strip() != "text":
            continue
        if "".join(value.split()) != "".join(joined.split()):
            raise FileFormatError(
                path,
                number,
                f"expected a text with the characters of its words ('{joined:.60}'), "
                f"found '{value.strip():.60}'; correct one of them",
            )
        return value.strip()
    return joined


def _lemmas(words: list[_Row]) -> tuple[str, ...] | None:
    if all(row.fields[2] == NONE for row in words):
        return None
    return tuple(row.form if row.fields[2] == NONE else row.fields[2] for row in words)


def _heads(words: list[_Row]) -> tuple[int, ...] | None:
    if all(row.fields[6] == NONE for row in words):
        return None
    heads = []
    for row in words:
        head = _number(row.fields[6])
        if head is None or head > len(words):
            raise row.error(
                f"expected a head from 0 (the root) to {len(words)} in column 7 (HEAD), "
                f"found '{row.fields[6]:.40}'"
            )
        heads.append(head)
    return tuple(heads)


def _relations(words: list[_Row]) -> tuple[str, ...] | None:
    if all(row.fields[7] == NONE for row in words):
        return None
    for row in words:
        if row.fields[7] == NONE:
            raise row.error("expected a relation in column 8 (DEPREL), as other words have, found _")
    return tuple(row.fields[7] for row in words)


PENN_QUOTES = ("``", "''")


def conllu_block(sentence: Sentence, text: str | None = None, identifier: str | None = None) -> str:
    r"""A sentence as CoNLL-U, with the empty line that ends it; `identifier` is its `sent_id`.

    >>> print(conllu_block(Sentence(("Dogs", "bark"), ("NNS", "VBP"))), end="")
    # text = Dogs bark
    1	Dogs	_	_	NNS	_	_	_	_	_
    2	bark	_	_	VBP	_	_	_	_	_
    <BLANKLINE>
    """
    if not sentence.words:
        raise InputError("expected words, found none; CoNLL-U has no empty sentences")
    sentence_text = " ".join(sentence.words) if text is None else text
    if "".join(sentence_text.split()) != "".join("".join(sentence.words).split()):
        raise InputError(
            f"expected a text with the characters of its words, found '{sentence_text:.60}'"
        )
    spaces = _spaces(sentence.words, sentence_text)
    lines = [] if identifier is None else [f"# sent_id = {identifier}"]
    lines.append("# text = " + " ".join(sentence_text.split()))
    for i, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True)):
        fields = (
            str(i + 1),
            word,
            sentence.lemmas[i] if sentence.lemmas is not None else NONE,
            NONE,
            tag,
            NONE,
            str(sentence.heads[i]) if sentence.heads is not None else NONE,
            sentence.relations[i] if sentence.relations is not None else NONE,
            NONE,
            NONE if spaces[i] else "SpaceAfter=No",
        )
        for value in fields:
            if not value.strip() or any(c in value for c in "\t\n\r"):
                raise InputError(
                    f"word {i + 1}: expected values without tabs and line ends, found {value!r:.60}"
                )
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"


def surface_forms(words: Sequence[str], text: str) -> tuple[str, ...] | None:
    """The words as the text spells them: Penn's quotes are straight there. None if they differ more.

    >>> surface_forms(("``", "Go", "''", "!"), '"Go" !')
    ('"', 'Go', '"', '!')
    """
    rest = "".join(text.split())
    forms = []
    for word in words:
        form = '"' if word in PENN_QUOTES and rest.startswith('"') else word
        if not rest.startswith(form):
            return None
        forms.append(form)
        rest = rest[len(form) :]
    return None if rest else tuple(forms)


def _spaces(words: tuple[str, ...], text: str) -> list[bool]:
    """Whether white space follows each word in the text; the last one counts as followed."""
    after = []
    at, end = 0, len(text.rstrip())
    for word in words:
        for _ in "".join(word.split()):
            while text[at].isspace():
                at += 1
            at += 1
        after.append(at >= end or text[at].isspace())
    return after


def write_conllu(path: str | Path, sentences: Iterable[Sentence]) -> None:
    """Write sentences to a file, which appears whole or not at all; `.gz` and `.zst` compress.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.conllu")
    ...     write_conllu(path, [Sentence(("Dogs", "bark"), ("NNS", "VBP"))])
    ...     next(read_conllu(path)).sentence().tags
    ('NNS', 'VBP')
    """
    with atomic(path) as out:
        for sentence in sentences:
            out.write(conllu_block(sentence))
