"""Contrast sets: good paraphrases of a source beside candidates that differ from it in one known way.

A set is a table with the columns `source`, `kind` and `candidate`, one candidate a row, in any order;
other columns, such as an id, are ignored. Rows with the same source belong together. Kinds are names
of one's own choosing; those called good are what the others are compared with. A source without a
good candidate is left out and counted.

The set that comes with the package is `models/contrast/english.tsv`. Its card lists the kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.text.table_in_memory import Records, read_records

ENGLISH = Path(__file__).parents[2] / "models" / "contrast" / "english.tsv"
COLUMNS = ("source", "kind", "candidate")
GOOD_KINDS = ("few-changes", "many-changes")


@dataclass(frozen=True)
class ContrastSet:
    """Candidates with their sources and kinds, row by row.

    >>> pairs = ContrastSet(("a b", "a b"), ("few-changes", "copy"), ("a c", "a b"))
    >>> len(pairs), pairs.kind_names()
    (2, ('few-changes', 'copy'))
    """

    sources: tuple[str, ...]
    kinds: tuple[str, ...]
    candidates: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.candidates)

    def kind_names(self) -> tuple[str, ...]:
        """The kinds in the order of their first row."""
        return tuple(dict.fromkeys(self.kinds))

    def check(self, good: Sequence[str]) -> None:
        """Raise an error unless there are good paraphrases and something to compare them with.

        >>> ContrastSet(("a b",), ("copy",), ("a b",)).check(["copy"])
        Traceback (most recent call last):
        paragauge.errors.InputError: expected candidates of other kinds than copy, found none; add some
        """
        if not good or len(set(good)) < len(good):
            raise SettingError(f"expected good kinds, each once, found {', '.join(good) or 'none'}")
        if not len(self.sources) == len(self.kinds) == len(self.candidates):
            raise InputError(
                "expected as many sources and kinds as candidates, found "
                f"{len(self.sources)}, {len(self.kinds)} and {len(self.candidates)}"
            )
        for name in good:
            if name not in self.kinds:
                raise unknown_name("kind of candidate", name, self.kind_names())
        named = " or ".join(good)
        if set(self.kinds) == set(good):
            raise InputError(f"expected candidates of other kinds than {named}, found none; add some")
        if set(self.with_good(good).kinds) <= set(good):
            raise InputError(
                f"expected a source with a candidate of the kind {named} and one of another kind, "
                "found none; add one, or say which kinds are good"
            )

    def with_good(self, good: Sequence[str]) -> ContrastSet:
        """The rows whose source has a candidate of a good kind.

        >>> pairs = ContrastSet(("a", "a", "b"), ("near-copy", "copy", "copy"), ("c", "a", "b"))
        >>> pairs.with_good(["near-copy"]).sources
        ('a', 'a')
        """
        rows = list(zip(self.sources, self.kinds, self.candidates, strict=True))
        paraphrased = {source for source, kind, _ in rows if kind in good}
        kept = [row for row in rows if row[0] in paraphrased]
        return ContrastSet(*(tuple(row[column] for row in kept) for column in range(3)))


def read_contrast_set(path: str | Path = ENGLISH) -> ContrastSet:
    """Read a contrast set from TSV, CSV, JSON, Excel or Parquet; `-` is standard input.

    >>> pairs = read_contrast_set()
    >>> len(set(pairs.sources)), len(pairs)
    (48, 698)
    """
    records = read_records(path)
    source, kind, candidate = records.find(*COLUMNS)
    rows = [
        (records.text(row, source), records.text(row, kind), records.text(row, candidate))
        for row in range(len(records))
    ]
    _check_repeats(records, rows)
    sources, kinds, candidates = zip(*rows, strict=True)
    return ContrastSet(sources, kinds, candidates)


def _check_repeats(records: Records, rows: list[tuple[str, str, str]]) -> None:
    first: dict[tuple[str, str, str], int] = {}
    for number, row in enumerate(rows):
        if row in first:
            place = records.lines[first[row]] if records.lines is not None else first[row] + 1
            unit = "line" if records.lines is not None else "row"
            raise records.error(
                number,
                f"expected each source, kind and candidate once, found those of {unit} {place} again; "
                "remove one",
            )
        first[row] = number
