r"""ARPA files, the text format that language-model tools share.

    \data\
    ngram 1=4
    ngram 2=3

    \1-grams:
    -1.2	a	-0.3        log10 probability, words, log10 back-off (absent: 0)
    ...
    \2-grams:
    ...
    \end\

Reading is strict: counts must be right, words of n-grams must be unigrams, contexts of n-grams must be
n-grams, no n-gram may appear twice, and ``<s>`` and ``</s>`` must be present. A missing ``<unk>`` gets
-100, as in KenLM. Fields are separated by spaces or tabs. Only blank lines and comments that begin with
``#``, which KenLM allows, may precede ``\data\``; the comment that this package writes records how text
becomes words.

Numbers are written with the fewest digits that identify a 32-bit float, so a model that is read back is
the same model.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, Protocol, cast

import numpy as np

from paragauge.errors import FileFormatError, InputError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids, Singles
from paragauge.lm.estimate import MOST_ORDER
from paragauge.lm.ngram_table import Level, NgramTable
from paragauge.lm.text_form import MARKS, TextForm
from paragauge.text.files import atomic, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.numbers import parse_json
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import pluralize

MISSING = -100.0  # log10 probability of an unknown word where a file has none
BATCH = 1 << 16
LARGEST = float(np.finfo(np.float32).max)


def read_arpa(path: str | Path) -> tuple[NgramTable, TextForm | None]:
    """The n-grams of a file, and the form of its text if the file states it."""
    with LineReader(path) as reader:
        return _ArpaReader(path, reader).read()


class _ArpaReader:
    """The state of reading one file."""

    def __init__(self, path: str | Path, reader: LineReader) -> None:
        self._path = path
        self._reader = reader
        self._words = Vocabulary()  # in the file's order
        self._sorter = _native.NgramSorter()
        self._form: TextForm | None = None

    def read(self) -> tuple[NgramTable, TextForm | None]:
        line = self._content()
        while line.startswith("#"):
            self._comment(line)
            line = self._content()
        self._expect(line, "\\data\\")
        counts, line = self._counts()
        levels: list[Level] = []
        numbers = np.zeros(0, np.int32)
        for order, count in enumerate(counts, 1):
            self._expect(line, f"\\{order}-grams:")
            first = self._reader.line
            words, probabilities, backoffs = self._section(order, count)
            if order == 1:
                numbers, extra = self._numbers()
                count += extra
                words = np.concatenate([words, np.full(extra, len(self._words), np.int32)])
                probabilities = np.append(probabilities, np.full(extra, MISSING)).astype(np.float32)
                backoffs = np.append(backoffs, np.zeros(extra)).astype(np.float32)
            ids = numbers[words]
            positions, parents, fault, at = self._sorter.add(np.ascontiguousarray(ids))
            if fault:
                ngram = " ".join(map(self._words.token, words.reshape(-1, order)[at].tolist()))
                context = (
                    f"expected its context '{ngram.rpartition(' ')[0]}' among the {order - 1}-grams"
                )
                self._fail(
                    f"the {order}-gram '{ngram}' appears twice" if fault == "twice" else context,
                    first + 1 + at,
                )
            if order == len(counts):
                backoffs = np.zeros_like(backoffs)
            last = ids.reshape(-1, order)[positions, -1]
            levels.append(
                Level(
                    parents,
                    np.ascontiguousarray(last),
                    probabilities[positions],
                    backoffs[positions],
                )
            )
            line = self._content()
        self._expect(line, "\\end\\")
        if (rest := self._content(needed=False)) != "":
            self._expect(rest, "the end of the file")
        return NgramTable(self._vocabulary(numbers), tuple(levels)), self._form

    def _numbers(self) -> tuple[Ids, int]:
        """From a word's number in the file to the model's, and how many words (<unk>) are missing."""
        names = ["<unk>" if "<unk>" in self._words else "<UNK>", *MARKS[1:]]
        for mark in MARKS[1:]:
            if mark not in self._words:
                self._fail(f"expected {mark} among the unigrams", None)
        missing = int(names[0] not in self._words)
        size = len(self._words)
        mark_numbers = [self._words.native.find(name) for name in names]
        marks = [size if mark < 0 else mark for mark in mark_numbers]
        others = np.delete(np.arange(size), [mark for mark in marks if mark < size])
        numbers = np.zeros(size + missing, np.int32)
        numbers[np.concatenate([marks, others])] = np.arange(size + missing)
        return numbers, missing

    def _vocabulary(self, numbers: Ids) -> Vocabulary:
        texts = list(self._words)
        order = np.argsort(numbers)[len(MARKS) :]
        vocabulary = Vocabulary(MARKS)
        vocabulary.extend([texts[i] for i in order.tolist()])
        return vocabulary

    def _comment(self, line: str) -> None:
        if not line.startswith(COMMENT):
            return
        try:
            self._form = TextForm.from_record(parse_json(line.removeprefix(COMMENT)))
        except (ValueError, RecursionError) as error:
            self._fail(f"expected the form of the text in the comment: {error}", self._reader.line)

    def _counts(self) -> tuple[list[int], str]:
        """The counts of the header, and the first line with content after them."""
        counts: list[int] = []
        while True:
            line = self._content()
            match = re.fullmatch(r"ngram +([1-9][0-9]{0,2}) *= *([0-9]{1,15})", line, re.ASCII)
            if match is None:
                if not counts:
                    self._expect(line, "ngram 1=NUMBER")
                return counts, line
            if int(match[1]) != len(counts) + 1:
                self._expect(line, f"ngram {len(counts) + 1}=NUMBER")
            if len(counts) == MOST_ORDER:
                self._fail(f"expected at most {MOST_ORDER} orders", self._reader.line)
            counts.append(int(match[2]))

    def _section(self, order: int, count: int) -> tuple[Ids, Singles, Singles]:
        """The n-grams of one order, words in the file's numbers."""
        words, probabilities, backoffs = [np.zeros(0, np.int32)], [], []
        left = count
        while left > 0:
            before = self._reader.line
            lines = self._reader.read(min(left, BATCH), 1 << 24)
            if len(lines) == 0:
                self._fail(f"expected {left:,} more {order}-grams, found the end of the file", None)
            parsed = _native.parse_arpa(lines.buffer, lines.spans, order, self._words.native)
            fault, at = parsed[3], parsed[4]
            if fault:
                self._fail(self._fault(fault, lines, at, order, left - at), before + 1 + at)
            words.append(parsed[0])
            probabilities.append(parsed[1])
            backoffs.append(parsed[2])
            left -= len(lines)
        empty = np.zeros(0, np.float32)
        return (
            np.concatenate(words),
            np.concatenate([empty, *probabilities]),
            np.concatenate([empty, *backoffs]),
        )

    def _fault(self, fault: str, lines: Lines, at: int, order: int, left: int) -> str:
        line = lines[at]
        fields = [field for field in re.split("[ \t]", line) if field]
        if fault == "fields":
            if len(fields) == 0 or line.startswith("\\"):
                excerpt = _abbreviate(line)
                return f"expected {left:,} more {order}-grams, as the header says, found {excerpt}"
            words = "a word" if order == 1 else f"{order} words"
            return (
                f"expected a log10 probability, {words} and perhaps a back-off, "
                f"found {pluralize(len(fields), 'field')}"
            )
        if fault == "number":
            numbers = [fields[0], *fields[order + 1 :]]
            bad = next((text for text in numbers if not _is_number(text)), numbers[0])
            return f"expected a finite number, found {_abbreviate(bad)}"
        if fault == "probability":
            return f"expected a log10 probability of at most 0, found {_abbreviate(fields[0])}"
        if fault == "twice":
            return f"the 1-gram {_abbreviate(fields[1])} appears twice"
        strange = next(word for word in fields[1 : order + 1] if word not in self._words)
        return f"the word {_abbreviate(strange)} is not among the unigrams"

    def _content(self, *, needed: bool = True) -> str:
        """The next line that is not blank; "" at the end unless a line is `needed`."""
        while lines := self._reader.read(1):
            line = lines[0].rstrip(" \t")
            if line:
                return line
        if needed:
            self._fail("the file ends too early; expected an ARPA file that ends with \\end\\", None)
        return ""

    def _expect(self, line: str, expected: str) -> None:
        if line != expected:
            self._fail(f"expected {expected}, found {_abbreviate(line)}", self._reader.line)

    def _fail(self, message: str, line: int | None) -> NoReturn:
        raise FileFormatError(display_name(self._path), line, message)


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) <= LARGEST and text[:1] != "+" and "_" not in text
    except ValueError:
        return False


def _abbreviate(text: str) -> str:
    """Part of a line in quotation marks, short enough for a message."""
    return repr(text if len(text) <= 40 else text[:40] + "...")


COMMENT = "# paragauge "
UNWRITABLE = re.compile(r"[\0\t\n\v\f\r ]")


class NgramSource(Protocol):
    """Where n-grams to write come from: a table, or an estimation that has finished."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The words."""
        ...

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        ...

    def ngrams(self, order: int) -> Iterator[tuple[Ids, Singles, Singles]]:
        """Words, probabilities and back-offs of one order, in batches."""
        ...


def write_arpa(path: str | Path, source: NgramSource, form: TextForm, threads: int = 0) -> None:
    """Write a model, order by order, so that it need not be in memory; .gz and .zst compress."""
    for word in source.vocabulary:
        if not word or UNWRITABLE.search(word):
            raise InputError(
                f"{path}: the word {word!r} cannot stand in an ARPA file; write the binary form (.bin)"
            )
    native = source.vocabulary.native
    with atomic(path) as text:
        out = cast(io.TextIOWrapper, text).buffer
        head = [COMMENT + json.dumps(form.record()), "\\data\\"]
        head += [f"ngram {order}={count}" for order, count in enumerate(source.counts, 1)]
        out.write(("\n".join(head) + "\n").encode())
        for order in range(1, len(source.counts) + 1):
            out.write(f"\n\\{order}-grams:\n".encode())
            highest = order == len(source.counts)
            for words, probabilities, backoffs in source.ngrams(order):
                flat = words.reshape(-1)
                out.write(
                    _native.format_arpa(flat, order, probabilities, backoffs, highest, native, threads)
                )
        out.write(b"\n\\end\\\n")
