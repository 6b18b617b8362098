"""A sentence-aligned corpus of two sides, tokenized, read whole or in batches with flat memory.

Line i of the source translates or paraphrases line i of the target. Sides come from two files with one
sentence per line, or from two columns of a TSV file without header (as Tatoeba's); bars ` ||| ` may
replace the tabs of a line. A `Bitext` holds tokens joined by one space: tokenized text is read with the
tokenizer `blanks`, other text is tokenized as it is read, each side by its own tokenizer.

A pair with an empty side is an error by default: `empty="keep"` keeps it, so that what is made from the
bitext has a line for every line of the files, and `empty="skip"` drops and counts it. Files of links or
trees that go with the text have a line for every line of it in any case; the line of a dropped pair is
skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args, overload

import numpy as np

from paragauge.errors import FileFormatError, LengthError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text import side_by_side
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.side_by_side import open_parallel, read_parallel
from paragauge.text.tokenizers import (
    TOKENIZED,
    Case,
    Tokenizer,
    apply_case,
    check_case,
    check_threads,
    check_tokenizer,
    tokenize_lines,
)
from paragauge.text.wording import pluralize

SIDES = ("source", "target")
EmptySides = Literal["error", "keep", "skip"]
EMPTY: tuple[EmptySides, ...] = get_args(EmptySides)
BLANK = ord(" ")
BARS = " ||| "


@dataclass(frozen=True, eq=False)
class Bitext:
    """Pairs of tokenized sentences.

    `names` say where each side comes from; pair i is on line `numbers[i]` there (from 1). `skipped`
    pairs were dropped because a side was empty; `first` lines precede these in their files.

    >>> bitext = Bitext.of(["the house", "a book"], ["la maison", "un livre"])
    >>> bitext[1], len(bitext), bitext.source_lengths.tolist()
    (('a book', 'un livre'), 2, [2, 2])
    """

    source: Lines
    target: Lines
    names: tuple[str, str]
    numbers: Ints
    tokenize: tuple[Tokenizer, Tokenizer] = (TOKENIZED, TOKENIZED)
    case: Case = "mixed"
    skipped: int = 0
    first: int = 0

    @classmethod
    def of(
        cls,
        source: Iterable[str],
        target: Iterable[str],
        *,
        names: tuple[str, str] = SIDES,
        tokenize: tuple[Tokenizer, Tokenizer] = (TOKENIZED, TOKENIZED),
        case: Case = "mixed",
        empty: EmptySides = "error",
        threads: int = 0,
    ) -> Bitext:
        """Pack and tokenize Python strings.

        >>> list(Bitext.of(["Hello!"], ["你好！"], tokenize=("13a", "zh")).target)
        ['你 好 ！']
        """
        reading = BitextFiles(
            names[0], names[1], tokenize=tokenize, case=case, empty=empty, threads=threads
        )
        sides = Lines.of(source, names[0]), Lines.of(target, names[1])
        if len(sides[0]) != len(sides[1]):
            raise LengthError(
                f"{names[0]} has {pluralize(len(sides[0]), 'sentence')} but {names[1]} has "
                f"{len(sides[1]):,}; "
                "expected equally many"
            )
        return reading.tokenize_pairs(sides[0], sides[1], names, 0)

    @property
    def name(self) -> str:
        """Where the pairs come from, for messages."""
        return self.names[0] if self.names[0] == self.names[1] else " and ".join(self.names)

    @property
    def source_lengths(self) -> Ints:
        """Number of tokens of each source sentence, int64 [n]."""
        return token_counts(self.source)

    @property
    def target_lengths(self) -> Ints:
        """Number of tokens of each target sentence, int64 [n]."""
        return token_counts(self.target)

    def __len__(self) -> int:
        return len(self.source)

    @property
    def lines(self) -> int:
        """How many lines the pairs come from, dropped ones included."""
        return len(self) + self.skipped

    @property
    def places(self) -> Ints:
        """Where each pair is among these lines, from 0, int64 [n].

        >>> Bitext.of(["", "a", "b"], ["x", "y", ""], empty="skip").places.tolist()
        [1]
        """
        return self.numbers - self.first - 1

    @overload
    def __getitem__(self, key: int) -> tuple[str, str]: ...
    @overload
    def __getitem__(self, key: slice) -> Bitext: ...
    def __getitem__(self, key: int | slice) -> tuple[str, str] | Bitext:
        if isinstance(key, slice):
            return Bitext(
                _compact(self.source[key]),
                _compact(self.target[key]),
                self.names,
                self.numbers[key],
                self.tokenize,
                self.case,
            )
        return self.source[key], self.target[key]

    def take(self, places: Ints) -> Bitext:
        """The pairs at these places, in that order.

        >>> Bitext.of(["a", "b"], ["c", "d"]).take(np.array([1]))[0]
        ('b', 'd')
        """
        source, target = (
            Lines(lines.buffer, np.ascontiguousarray(lines.spans[places]))
            for lines in (self.source, self.target)
        )
        return Bitext(
            source,
            target,
            self.names,
            self.numbers[places],
            self.tokenize,
            self.case,
            self.skipped,
            self.first,
        )

    def batches(self, size: int = side_by_side.BATCH) -> Iterator[Bitext]:
        """The pairs in order, `size` at a time.

        >>> [len(batch) for batch in Bitext.of(["a", "b", "c"], ["d", "e", "f"]).batches(2)]
        [2, 1]
        """
        if size < 1:
            raise SettingError(f"size: expected a whole number from 1, found {size}")
        before = self.first
        for start in range(0, max(len(self), min(self.skipped, 1)), size):
            part = self[start : start + size]
            # A dropped line belongs to the batch of the next pair; those at the end, to the last batch.
            last = start + size >= len(self)
            stop = self.first + self.lines if last else int(part.numbers[-1])
            yield replace(part, skipped=stop - before - len(part), first=before)
            before = stop


@dataclass(frozen=True)
class BitextFiles:
    """A bitext on disk: two files, or two columns (from 1) of one TSV file, and how to read it."""

    source: str | Path
    target: str | Path | None = None
    columns: tuple[int, int] = (1, 2)
    tokenize: tuple[Tokenizer, Tokenizer] = (TOKENIZED, TOKENIZED)
    case: Case = "mixed"
    empty: EmptySides = "error"
    threads: int = 0

    def __post_init__(self) -> None:
        for name in self.tokenize:
            check_tokenizer(name)
        check_case(self.case)
        check_threads(self.threads)
        if self.empty not in EMPTY:
            raise unknown_name("treatment of empty sides", self.empty, EMPTY)
        if min(self.columns) < 1 or self.columns[0] == self.columns[1]:
            raise SettingError(
                f"columns: expected two different numbers from 1, found {self.columns[0]} "
                f"and {self.columns[1]}"
            )

    def batches(self) -> Iterator[Bitext]:
        """The pairs in order, batch by batch; errors name file and line."""
        first = 0
        if self.target is None:
            name = display_name(self.source)
            with LineReader(self.source) as reader:
                while len(lines := reader.read(side_by_side.BATCH, side_by_side.BATCH_BYTES)):
                    yield self.tokenize_pairs(*self._fields(lines, first), (name, name), first)
                    first += len(lines)
            if first == 0:
                raise FileFormatError(name, None, "the file is empty; expected two columns of text")
            return
        names = display_name(self.source), display_name(self.target)
        with open_parallel([self.source, self.target]) as readers:
            while (sides := read_parallel(readers)) is not None:
                yield self.tokenize_pairs(sides[0], sides[1], names, first)
                first += len(sides[0])

    def read(self) -> Bitext:
        """All pairs."""
        parts = list(self.batches())
        return Bitext(
            Lines.concatenate([part.source for part in parts]),
            Lines.concatenate([part.target for part in parts]),
            parts[0].names,
            np.concatenate([part.numbers for part in parts]),
            self.tokenize,
            self.case,
            sum(part.skipped for part in parts),
        )

    def tokenize_pairs(
        self, source: Lines, target: Lines, names: tuple[str, str], first: int
    ) -> Bitext:
        """The pairs of equally many lines, `first` of which precede them in their files."""
        sides = [
            tokenize_lines(apply_case(lines, self.case), name, threads=self.threads)
            for lines, name in zip((source, target), self.tokenize, strict=True)
        ]
        numbers = np.arange(first + 1, first + len(source) + 1, dtype=np.int64)
        bare = [lines.spans[:, 0] == lines.spans[:, 1] for lines in sides]
        either = bare[0] | bare[1]
        skipped = 0
        if self.empty != "keep" and bool(either.any()):
            if self.empty == "error":
                pair = int(np.argmax(either))
                side = 0 if bare[0][pair] else 1
                raise FileFormatError(
                    names[side],
                    int(numbers[pair]),
                    f"expected text on both sides, found nothing on the {SIDES[side]} side; repair the "
                    "pair, keep such pairs with --empty keep, or drop such pairs with --empty skip",
                )
            sides = [Lines(lines.buffer, np.ascontiguousarray(lines.spans[~either])) for lines in sides]
            numbers, skipped = numbers[~either], int(either.sum())
        return Bitext(sides[0], sides[1], names, numbers, self.tokenize, self.case, skipped, first)

    def _fields(self, lines: Lines, first: int) -> tuple[Lines, Lines]:
        """The two columns of these lines."""
        spans, groups = _native.split_fields(lines.buffer, lines.spans)
        widths, needed = np.diff(groups), max(self.columns)
        short = np.flatnonzero(widths < needed)
        if len(short) and any(widths[row] == 1 and BARS in f" {lines[row]} " for row in short.tolist()):
            return self._fields(_bars_to_tabs(lines), first)
        if len(short):
            raise FileFormatError(
                display_name(self.source),
                first + int(short[0]) + 1,
                f"expected at least {needed} tab-separated columns, found {int(widths[short[0]])}; "
                "check the separator, or name the columns to read",
            )
        source, target = (
            Lines(lines.buffer, np.ascontiguousarray(spans[groups[:-1] + column - 1]))
            for column in self.columns
        )
        return source, target


def read_bitext(
    source: str | Path,
    target: str | Path,
    *,
    tokenize: tuple[Tokenizer, Tokenizer] = (TOKENIZED, TOKENIZED),
    case: Case = "mixed",
    empty: EmptySides = "error",
    threads: int = 0,
) -> Bitext:
    r"""All pairs of two files (``-``, ``.gz`` and ``.zst`` as usual), one sentence per line.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [pathlib.Path(folder, name) for name in ("a.en", "a.fr")]
    ...     for path, text in zip(paths, ["yes\nno\n", "oui\nnon\n"]):
    ...         _ = path.write_text(text)
    ...     read_bitext(*paths)[1]
    ('no', 'non')
    """
    return BitextFiles(
        source, target, tokenize=tokenize, case=case, empty=empty, threads=threads
    ).read()


def read_bitext_tsv(
    path: str | Path,
    columns: tuple[int, int] = (1, 2),
    *,
    tokenize: tuple[Tokenizer, Tokenizer] = (TOKENIZED, TOKENIZED),
    case: Case = "mixed",
    empty: EmptySides = "error",
    threads: int = 0,
) -> Bitext:
    r"""All pairs of a TSV file without header; `columns` counts from 1.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "pairs.tsv")
    ...     _ = path.write_text("Yes.\tOui.\nNo.\tNon.\n")
    ...     read_bitext_tsv(path, tokenize=("13a", "13a"), case="lower")[1]
    ('no .', 'non .')
    """
    return BitextFiles(
        path, columns=columns, tokenize=tokenize, case=case, empty=empty, threads=threads
    ).read()


def token_counts(lines: Lines) -> Ints:
    """Number of tokens of each line whose tokens are joined by one space, int64 [n].

    >>> token_counts(Lines.of(["a b", "", "c"])).tolist()
    [2, 0, 1]
    """
    blanks = np.concatenate([[0], np.cumsum(lines.buffer == BLANK)])
    starts, stops = lines.spans[:, 0], lines.spans[:, 1]
    return np.asarray(blanks[stops] - blanks[starts] + (stops > starts), np.int64)


def _bars_to_tabs(lines: Lines) -> Lines:
    r"""The lines with tabs in place of the bars ` ||| ` in those without a tab.

    >>> list(_bars_to_tabs(Lines.of(["a ||| b", "c\td ||| e"])))
    ['a\tb', 'c\td ||| e']
    """
    return Lines.of(
        line if "\t" in line else "\t".join(part.strip(" ") for part in f" {line} ".split(BARS))
        for line in lines
    )


def _compact(lines: Lines) -> Lines:
    """The same lines with no more of the buffer than they span."""
    if len(lines) == 0:
        return Lines.concatenate([])
    start = lines.spans.min()
    return Lines(lines.buffer[start : lines.spans.max()], lines.spans - start)
