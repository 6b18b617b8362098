"""Lines of text as bytes and positions: what readers return and kernels take.

`Lines` holds UTF-8 bytes and int64 spans [n, 2]; as a sequence it gives `str`. `LineGroups` adds
`groups`, int64 [segments + 1]: lines groups[i] to groups[i + 1] belong to segment i, for example the
references of one sentence, whose number may differ from segment to segment. Slicing shares the
buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import LengthError, ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Bytes, Ints
from paragauge.text.python_data.text_columns import (
    are_texts,
    grouped_items,
    is_missing,
    refuse_items,
    refuse_missing,
    text_items,
)
from paragauge.text.wording import pluralize

# Bytes beyond ASCII that are needed to call a text foreign.
LEAST_FOREIGN = 2000
# Lines that are decoded at once.
_LISTED = 1024


class Lines(Sequence[str]):
    """A sequence of lines.

    >>> lines = Lines.of(["one", "two", "drei"])
    >>> lines[-1], list(lines[:2])
    ('drei', ['one', 'two'])
    """

    __slots__ = ("buffer", "spans")

    def __init__(self, buffer: Bytes, spans: Ints) -> None:
        self.buffer = buffer
        self.spans = spans

    @classmethod
    def of(cls, texts: Iterable[str], what: str = "lines") -> Lines:
        """Pack strings; `what` names them in error messages.

        >>> len(Lines.of(["a", "b"]))
        2
        """
        if isinstance(texts, Lines):
            return texts
        items = text_items(texts, what)
        try:
            text = "".join(items)
        except TypeError:
            refuse_items(texts, items, what)
        if text.isascii():
            return cls._divide(text.encode("ascii"), items)
        try:
            return cls._pack(list(map(str.encode, items)))
        except UnicodeEncodeError:
            return cls._pack([_encode(text, what, number) for number, text in enumerate(items, 1)])

    @classmethod
    def _pack(cls, encoded: list[bytes]) -> Lines:
        return cls._divide(b"".join(encoded), encoded)

    @classmethod
    def _divide(cls, data: bytes, parts: Sequence[str] | Sequence[bytes]) -> Lines:
        """The lines that were joined; they must be as long in bytes as in `data`."""
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=offsets[1:])
        spans = np.stack([offsets[:-1], offsets[1:]], axis=1)
        return cls(np.frombuffer(data, np.uint8), spans)

    @classmethod
    def concatenate(cls, parts: Sequence[Lines]) -> Lines:
        """The lines of all parts, one part after the other.

        >>> list(Lines.concatenate([Lines.of(["a"]), Lines.of(["b", "c"])]))
        ['a', 'b', 'c']
        """
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls._pack([])
        starts = np.cumsum([0, *(len(part.buffer) for part in parts)])
        spans = [part.spans + start for part, start in zip(parts, starts, strict=False)]
        return cls(np.concatenate([part.buffer for part in parts]), np.concatenate(spans))

    def __len__(self) -> int:
        return len(self.spans)

    @overload
    def __getitem__(self, key: int) -> str: ...
    @overload
    def __getitem__(self, key: slice) -> Lines: ...
    def __getitem__(self, key: int | slice) -> str | Lines:
        if isinstance(key, slice):
            return Lines(self.buffer, np.ascontiguousarray(self.spans[key]))
        start, stop = self.spans[key].tolist()
        return self.buffer[start:stop].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        data = self.buffer.tobytes()
        text = data.decode("ascii") if data.isascii() else None
        # A list at a time: a step of this generator for each line would take as long as the line.
        for first in range(0, len(self.spans), _LISTED):
            spans = self.spans[first : first + _LISTED].tolist()
            if text is not None:
                yield from [text[start:stop] for start, stop in spans]
            else:
                yield from [data[start:stop].decode("utf-8") for start, stop in spans]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lines) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # mutable arrays

    def __repr__(self) -> str:
        return f"Lines({len(self)})"

    def lower(self) -> Lines:
        """Each line lowercased as `str.lower` does, which depends on context in Greek.

        >>> list(Lines.of(["ΣΑΣ", "ABC"]).lower())
        ['σας', 'abc']
        """
        buffer, foreign = _native.lower_latin(self.buffer, self.spans)
        if len(foreign) == 0:
            return Lines(buffer, self.spans)
        # Only lines in other scripts need Python's tables; they go to the end of the buffer.
        data = self.buffer.tobytes()
        lowercased = [
            data[start:stop].decode().lower().encode() for start, stop in self.spans[foreign].tolist()
        ]
        ends = len(buffer) + np.cumsum([0, *map(len, lowercased)], dtype=np.int64)
        spans = self.spans.copy()
        spans[foreign] = np.stack([ends[:-1], ends[1:]], axis=1)
        tail = np.frombuffer(b"".join(lowercased), np.uint8)
        return Lines(np.concatenate([buffer, tail]), spans)

    def normalize_typography(self) -> Lines:
        """Each line with typographic characters as a typewriter has them; itself if there are none.

        >>> print(*Lines.of(["“Don’t”—really…"]).normalize_typography())
        "Don't" - really...
        """
        normalized = _native.normalize_typography(self.buffer, self.spans)
        if normalized is None:
            return self
        buffer, offsets = normalized
        return Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))

    def count_tabbed(self) -> int:
        """How many lines hold a tab.

        >>> Lines.of(["a\\tb", "c"]).count_tabbed()
        1
        """
        return _native.count_tabbed(self.buffer, self.spans)

    def is_mostly_foreign(self) -> bool:
        """Whether more than half of the bytes, and at least 2,000, are beyond ASCII.

        Such text is plainly in a script other than English.

        >>> Lines.of(["Кошка сидит на окне."] * 100).is_mostly_foreign()
        True
        """
        foreign = int(np.count_nonzero(self.buffer >= 0x80))
        return foreign > max(LEAST_FOREIGN, 0.5 * len(self.buffer))

    def count_empty(self) -> int:
        """How many lines hold nothing but white space.

        >>> Lines.of(["", "a", " "]).count_empty()
        2
        """
        return _native.count_blank(self.buffer, self.spans)


def segment_of_line(groups: Ints | None, lines: int) -> Ints:
    """The segment that each line belongs to, int64 [lines]; `groups` as in `LineGroups`.

    >>> segment_of_line(np.array([0, 2, 3]), 3).tolist()
    [0, 0, 1]
    """
    if groups is None:
        return np.arange(lines, dtype=np.int64)
    return np.repeat(np.arange(len(groups) - 1, dtype=np.int64), np.diff(groups))


def group_means(groups: Ints | None, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over each segment's lines of one row per line: [lines, ...] to [segments, ...].

    >>> group_means(np.array([0, 2, 3]), np.array([1.0, 2.0, 5.0])).tolist()
    [1.5, 5.0]
    """
    if groups is None or len(values) == 0:
        return values
    counts = np.diff(groups).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(np.add.reduceat(values, groups[:-1], axis=0) / counts)


class LineGroups(Sequence[list[str]]):
    """The lines of each segment.

    >>> groups = LineGroups.of([["a", "b"], ["c"]])
    >>> groups[0], len(groups)
    (['a', 'b'], 2)
    """

    __slots__ = ("groups", "lines")

    def __init__(self, lines: Lines, groups: Ints | None = None) -> None:
        self.lines = lines
        self.groups = groups

    @classmethod
    def of(cls, texts: Iterable[str | Sequence[str]], what: str = "references") -> LineGroups:
        """Pack one string, or a list of strings, per segment.

        >>> list(LineGroups.of(["a", "b"]))
        [['a'], ['b']]
        """
        if isinstance(texts, LineGroups):
            return texts
        if isinstance(texts, Lines):
            return cls(texts)
        items = grouped_items(texts, what)
        if are_texts(items):
            return cls(Lines.of(items, what))
        encoded: list[bytes] = []
        bounds = [0]
        for number, item in enumerate(items, 1):
            if is_missing(item):
                refuse_missing(texts, items, what)
            if isinstance(item, bytes) or not isinstance(item, (str, Sequence)):
                raise ShapeError(
                    f"{what}: segment {number}: expected a string or a list of strings, "
                    f"found {type(item).__name__}"
                )
            group = [item] if isinstance(item, str) else item
            encoded += [_encode(text, what, number) for text in group]
            bounds.append(len(encoded))
        return cls(Lines._pack(encoded), np.array(bounds, np.int64))

    @classmethod
    def side_by_side(cls, columns: Sequence[LineGroups]) -> LineGroups:
        """One group per segment with the lines of all columns, in their order.

        >>> left, right = LineGroups.of(["a", "b"]), LineGroups.of([["c", "d"], ["e"]])
        >>> list(LineGroups.side_by_side([left, right]))
        [['a', 'c', 'd'], ['b', 'e']]
        """
        if len(columns) == 1:
            return columns[0]
        starts = np.cumsum([0, *(len(column.lines.buffer) for column in columns)])
        spans = np.concatenate(
            [column.lines.spans + start for column, start in zip(columns, starts, strict=False)]
        )
        counts = np.stack([column.counts() for column in columns])
        segment = np.concatenate([np.repeat(np.arange(len(count)), count) for count in counts])
        order = np.argsort(segment, kind="stable")
        groups = np.concatenate([[0], np.cumsum(counts.sum(axis=0))]).astype(np.int64)
        buffer = np.concatenate([column.lines.buffer for column in columns])
        return cls(Lines(buffer, np.ascontiguousarray(spans[order])), groups)

    def take(self, segments: Ints) -> LineGroups:
        """The groups of these segments, in this order; a segment may come several times.

        >>> list(LineGroups.of([["a", "b"], ["c"]]).take(np.array([1, 0, 1])))
        [['c'], ['a', 'b'], ['c']]
        """
        if self.groups is None:
            return LineGroups(
                Lines(self.lines.buffer, np.ascontiguousarray(self.lines.spans[segments]))
            )
        counts = self.counts()[segments]
        groups = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        lines = np.arange(groups[-1]) + np.repeat(self.groups[:-1][segments] - groups[:-1], counts)
        spans = np.ascontiguousarray(self.lines.spans[lines])
        return LineGroups(Lines(self.lines.buffer, spans), groups)

    def firsts(self) -> Lines:
        """The first line of each segment; each must have one.

        >>> list(LineGroups.of([["a", "b"], ["c"]]).firsts())
        ['a', 'c']
        """
        if self.groups is None:
            return self.lines
        return Lines(self.lines.buffer, np.ascontiguousarray(self.lines.spans[self.groups[:-1]]))

    def counts(self) -> Ints:
        """Number of lines of each segment, int64 [n].

        >>> LineGroups.of([["a", "b"], []]).counts().tolist()
        [2, 0]
        """
        if self.groups is None:
            return np.ones(len(self.lines), np.int64)
        return np.diff(self.groups)

    def __len__(self) -> int:
        return len(self.lines) if self.groups is None else len(self.groups) - 1

    @overload
    def __getitem__(self, key: int) -> list[str]: ...
    @overload
    def __getitem__(self, key: slice) -> LineGroups: ...
    def __getitem__(self, key: int | slice) -> list[str] | LineGroups:
        if isinstance(key, slice):
            if self.groups is None:
                return LineGroups(self.lines[key])
            start, stop, step = key.indices(len(self))
            if step != 1:
                return LineGroups.of([self[i] for i in range(start, stop, step)])
            bounds = self.groups[start : max(start, stop) + 1]
            lines = self.lines[int(bounds[0]) : int(bounds[-1])]
            return LineGroups(lines, bounds - bounds[0])
        if not -len(self) <= key < len(self):
            raise IndexError(f"segment {key} of {len(self)}")
        key %= len(self)
        if self.groups is None:
            return [self.lines[key]]
        return [self.lines[i] for i in range(int(self.groups[key]), int(self.groups[key + 1]))]

    def __repr__(self) -> str:
        return f"LineGroups({len(self)} segments, {len(self.lines)} lines)"


def _encode(text: object, what: str, segment: int) -> bytes:
    """The bytes of one text; errors name the segment it belongs to."""
    if not isinstance(text, str):
        found = type(text).__name__
        if is_missing(text):
            found = f"a missing text ({text}); leave it out"
        raise ShapeError(f"{what}: segment {segment}: expected a string, found {found}")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ShapeError(
            f"{what}: segment {segment}: character {error.start} is a lone surrogate, "
            "which is not text; decode the input as UTF-8"
        ) from None


def check_parallel(inputs: dict[str, Lines | LineGroups]) -> int:
    """The common number of segments of all inputs; an error that names two if they differ.

    >>> check_parallel({"candidates": Lines.of(["a"]), "sources": Lines.of(["b"])})
    1
    """
    (first, lines), *rest = inputs.items()
    for name, other in rest:
        if len(other) != len(lines):
            raise LengthError(
                f"{first} has {pluralize(len(lines), 'segment')} but {name} has {len(other):,}; "
                "give one item per segment"
            )
    return len(lines)
