"""Sentence pairs to parse: pairs of a file, or all pairs of several translations of the same sentences.

A *set* holds the translations of one sentence: line n of each file. All unordered pairs of a set are
parsed (Weese, Ganitkevitch and Callison-Burch 2014, section 5.2: 4 translations, 6 pairs). A file of
pairs has one pair per line, with a tab or ` ||| ` between its sides; each line is a set with one pair.
Sentences are words joined by one space: text that is not tokenized yet is tokenized when it is read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from paragauge.errors import FileFormatError, InputError, LengthError, unknown_name
from paragauge.kernels.layout import Ints
from paragauge.text.bitext import BARS, EMPTY, EmptySides, token_counts
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
    check_tokenizer,
    tokenize_lines,
)
from paragauge.text.wording import pluralize


@dataclass(frozen=True, eq=False)
class SentencePairs:
    """Pairs with the number of their set (from 1) and, in `members`, of their two translations there.

    `sets` is the number of sets that have pairs; `skipped` counts the pairs dropped because a side was
    empty; `signature` says how sentences were read.

    >>> pairs = SentencePairs.of_translations([["a", "b"], ["c", "d"], ["e", "f"]])
    >>> len(pairs), pairs.sets, pairs[1], pairs.members[1].tolist(), pairs.set_of.tolist()
    (6, 2, ('a', 'e'), [1, 3], [1, 1, 1, 2, 2, 2])
    >>> pairs.signature
    'tok:blanks|case:mixed|empty:error'
    """

    source: Lines
    target: Lines
    set_of: Ints
    members: Ints
    sets: int
    skipped: int = 0
    signature: str = f"tok:{TOKENIZED}|case:mixed|empty:error"

    @classmethod
    def of(cls, source: Iterable[str], target: Iterable[str]) -> SentencePairs:
        """Pairs of strings, each a set of its own.

        >>> SentencePairs.of(["a b"], ["c"]).sets
        1
        """
        return cls.of_translations([source, target])

    @classmethod
    def of_translations(
        cls,
        translations: Sequence[Iterable[str]],
        *,
        names: Sequence[str] = (),
        tokenize: Tokenizer = TOKENIZED,
        case: Case = "mixed",
        empty: EmptySides = "error",
        threads: int = 0,
    ) -> SentencePairs:
        """All pairs of several translations of the same sentences."""
        if len(translations) < 2:
            raise InputError(f"expected at least two translations, found {len(translations)}")
        check_tokenizer(tokenize)
        check_case(case)
        if empty not in EMPTY:
            raise unknown_name("treatment of empty sides", empty, EMPTY)
        names = names or [f"translation {number}" for number in range(1, len(translations) + 1)]
        columns = [Lines.of(lines, name) for lines, name in zip(translations, names, strict=True)]
        for name, column in zip(names, columns, strict=True):
            if len(column) != len(columns[0]):
                raise LengthError(
                    f"{names[0]} has {pluralize(len(columns[0]), 'sentence')} but {name} has "
                    f"{len(column):,}; "
                    "expected equally many"
                )
        tokenized = [
            tokenize_lines(apply_case(lines, case), tokenize, threads=threads) for lines in columns
        ]
        counts = np.stack([token_counts(lines) for lines in tokenized])
        if empty == "error" and bool((counts == 0).any()):
            side, row = (int(indices[0]) for indices in np.nonzero(counts == 0))
            raise FileFormatError(
                names[side],
                row + 1,
                "expected a sentence, found an empty line; repair it, keep such pairs with --empty "
                "keep, or drop them with --empty skip",
            )
        pairs = cls._combine(tokenized, counts, skip=empty == "skip")
        return replace(pairs, signature=f"tok:{tokenize}|case:{case}|empty:{empty}")

    @classmethod
    def _combine(cls, columns: Sequence[Lines], counts: Ints, *, skip: bool) -> SentencePairs:
        sets = len(columns[0])
        parts = []
        for left, right in itertools.combinations(range(len(columns)), 2):
            keep = (counts[left] > 0) & (counts[right] > 0) if skip else np.ones(sets, np.bool_)
            rows = np.flatnonzero(keep)
            parts.append(np.stack([rows, np.full(len(rows), left), np.full(len(rows), right)], axis=1))
        pairs = np.concatenate(parts)  # set and two translations of each pair
        pairs = pairs[np.lexsort((pairs[:, 2], pairs[:, 1], pairs[:, 0]))]
        whole = Lines.concatenate(columns)
        sides = [pairs[:, at] * sets + pairs[:, 0] for at in (1, 2)]
        skipped = sets * len(parts) - len(pairs)
        return cls(
            Lines(whole.buffer, np.ascontiguousarray(whole.spans[sides[0]])),
            Lines(whole.buffer, np.ascontiguousarray(whole.spans[sides[1]])),
            pairs[:, 0] + 1,
            pairs[:, 1:] + 1,
            len(np.unique(pairs[:, 0])),
            skipped,
        )

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, pair: int) -> tuple[str, str]:
        return self.source[pair], self.target[pair]

    def take(self, rows: ArrayLike) -> SentencePairs:
        """The pairs with these numbers, from 0, in this order.

        >>> SentencePairs.of(["a", "b", "c"], ["x", "y", "z"]).take([2, 0])[0]
        ('c', 'z')
        """
        indices = np.asarray(rows, np.int64)
        source, target = (
            Lines(side.buffer, np.ascontiguousarray(side.spans[indices]))
            for side in (self.source, self.target)
        )
        sets = self.set_of[indices]
        return replace(
            self,
            source=source,
            target=target,
            set_of=sets,
            members=self.members[indices],
            sets=len(np.unique(sets)),
        )

    @property
    def lengths(self) -> Ints:
        """Words of both sentences of each pair, int64 [n, 2]."""
        return np.stack([token_counts(self.source), token_counts(self.target)], axis=1)


def read_pairs(
    path: str | Path,
    *,
    tokenize: Tokenizer = TOKENIZED,
    case: Case = "mixed",
    empty: EmptySides = "error",
    threads: int = 0,
) -> SentencePairs:
    r"""Read the pairs of a file, one per line, with a tab or ` ||| ` between the sides.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "pairs.txt")
    ...     _ = path.write_text("a b ||| c d\ne ||| f\n")
    ...     read_pairs(path)[0]
    ('a b', 'c d')
    """
    name = display_name(path)
    sides: tuple[list[str], list[str]] = ([], [])
    with LineReader(path) as reader:
        number = 0
        while len(lines := reader.read(1 << 14, 1 << 24)):
            for line in lines:
                number += 1
                left, right = _sides(line, name, number)
                sides[0].append(left)
                sides[1].append(right)
    if not sides[0]:
        raise FileFormatError(name, None, "the file is empty; expected one pair of sentences per line")
    return SentencePairs.of_translations(
        sides, names=[name, name], tokenize=tokenize, case=case, empty=empty, threads=threads
    )


def _sides(line: str, name: str, number: int) -> tuple[str, str]:
    parts = line.split("\t") if "\t" in line else f" {line} ".split(BARS)
    if len(parts) != 2:
        raise FileFormatError(
            name,
            number,
            f"expected two sentences with a tab or ' ||| ' between them, found "
            f"{pluralize(len(parts), 'part')}; repair the line",
        )
    return parts[0].strip(" "), parts[1].strip(" ")


def read_translations(
    paths: Sequence[str | Path],
    *,
    tokenize: Tokenizer = TOKENIZED,
    case: Case = "mixed",
    empty: EmptySides = "error",
    threads: int = 0,
) -> SentencePairs:
    r"""Read all pairs of translations: line n of each file translates the same sentence.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [Path(folder, name) for name in "abc"]
    ...     for path in paths:
    ...         _ = path.write_text(f"{path.name} .\n")
    ...     len(read_translations(paths))
    3
    """
    if len(paths) < 2:
        raise InputError(f"expected at least two files of translations, found {len(paths)}")
    parts: list[list[Lines]] = [[] for _ in paths]
    with open_parallel(list(paths)) as readers:
        while (columns := read_parallel(readers)) is not None:
            for part, column in zip(parts, columns, strict=True):
                part.append(column)
    return SentencePairs.of_translations(
        [Lines.concatenate(part) for part in parts],
        names=[display_name(path) for path in paths],
        tokenize=tokenize,
        case=case,
        empty=empty,
        threads=threads,
    )
