"""Pharaoh files: one line of links per sentence pair, source position first, from 0: ``0-0 1-2``.

fast_align, eflomal, the Berkeley aligner and Moses' symal (for GIZA++) write them. Gold alignments
mark a *possible* link by ``p`` (``1p2``, as the gold files that Lilt's alignment-scripts read) or by
``?`` (``1?2``); ``-`` is a *sure* one. An empty line is a pair without links. A repeated link
counts once, as sure if it is sure anywhere. Links are separated by spaces or tabs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.align.links import Links
from paragauge.errors import FileFormatError, LengthError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text.bitext import Bitext
from paragauge.text.files import Closable, atomic, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.wording import pluralize

BATCH = 1 << 16
BATCH_BYTES = 1 << 24
EXCERPT = 40
Lengths = tuple[Ints, Ints]


@dataclass(frozen=True, eq=False)
class MarkedLinks:
    """Links of which some are only possible: `possible` is a mask over those of `links`."""

    links: Links
    possible: NDArray[np.bool_]

    @property
    def sure(self) -> Links:
        """The links that are sure."""
        is_sure = ~self.possible
        bounds = np.concatenate([[0], np.cumsum(is_sure)])[self.links.offsets]
        return Links(self.links.source[is_sure], self.links.target[is_sure], bounds)


class PharaohReader(Closable):
    r"""The alignments of one file, a few at a time.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "links.txt")
    ...     _ = path.write_text("0-0 1-1\n\n2-0 1p0\n")
    ...     with PharaohReader(path) as reader:
    ...         reader.read(2).links.to_lists(), reader.read(2).sure.to_lists()
    ([[(0, 0), (1, 1)], []], [[(2, 0)]])
    """

    def __init__(self, file: str | Path | LineReader, threads: int = 0) -> None:
        self._threads = threads
        self._reader = LineReader.of(file)
        self.path = self._reader.path

    @property
    def line(self) -> int:
        """How many lines have been read."""
        return self._reader.line

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._reader.close()

    def read(self, limit: int = BATCH, lengths: Lengths | None = None) -> MarkedLinks:
        """The links of the next `limit` pairs; fewer at the end.

        `lengths` holds the number of tokens of the `limit` source and target sentences: a link beyond
        the end of its sentence is an error then, and so is the end of the file.
        """
        before = self._reader.line
        lines = self._reader.read(limit, None if lengths else BATCH_BYTES)
        source, target, possible, offsets, bad = _native.parse_pharaoh(
            lines.buffer, lines.spans, self._threads
        )
        if len(bad):
            line, start, stop = bad.tolist()
            raise self._error(before + line + 1, lines.buffer[start:stop].tobytes().decode())
        links = Links(source, target, offsets)
        if lengths is not None:
            self._check(links, lengths, before)
        return MarkedLinks(links, possible.astype(np.bool_))

    def read_for(self, bitext: Bitext) -> Links:
        """The links of the pairs of a bitext, from a file with a line for every line of the bitext.

        The line of a dropped pair must exist and have no links, as one of its sides has no words.
        """
        lengths = np.zeros((2, bitext.lines), np.int64)
        lengths[:, bitext.places] = bitext.source_lengths, bitext.target_lengths
        links = self.read(bitext.lines, (lengths[0], lengths[1])).links
        return links.take(bitext.places) if bitext.skipped else links

    def check_end(self) -> None:
        """Raise an error if there are lines beyond those that were read."""
        read = self.line
        if self.count_rest():
            raise LengthError(
                f"{display_name(self.path)} has {pluralize(self.line, 'line')}, but there are "
                f"{pluralize(read, 'sentence pair')}; expected one line of links for each"
            )

    def count_rest(self) -> int:
        """How many lines are left; reads the file to its end."""
        return self._reader.count_rest()

    def _check(self, links: Links, lengths: Lengths, before: int) -> None:
        if len(links) != len(lengths[0]):
            raise LengthError(
                f"{display_name(self.path)} has {pluralize(before + len(links), 'line')}, but there "
                "are at least "
                f"{pluralize(before + len(lengths[0]), 'sentence pair')}; expected one line of "
                "links for each, an "
                "empty one for a pair without links"
            )
        if (outside := links.first_outside(*lengths)) is not None:
            pair, message = outside
            raise FileFormatError(
                display_name(self.path),
                before + pair + 1,
                f"{message}; check that the alignment was made from these files, tokenized as here",
            )

    def _error(self, line: int, text: str) -> FileFormatError:
        excerpt = text if len(text) <= EXCERPT else text[:EXCERPT] + "..."
        return FileFormatError(
            display_name(self.path),
            line,
            f"expected links such as 0-0 1-2, found {excerpt!r}; write the position in the source, "
            "a hyphen (p or ? if the link is only possible) and that in the target, both from 0",
        )


def pharaoh_batches(file: str | Path | LineReader, threads: int = 0) -> Iterator[MarkedLinks]:
    """The alignments of a file batch by batch, with flat memory."""
    with PharaohReader(file, threads) as reader:
        while len((batch := reader.read()).links):
            yield batch


def read_marked_links(
    file: str | Path | LineReader, lengths: Lengths | None = None, *, threads: int = 0
) -> MarkedLinks:
    """All alignments of a file, with their marks; `lengths` as in `read_pharaoh`."""
    if lengths is None:
        parts = list(pharaoh_batches(file, threads))
        links = Links.concatenate([part.links for part in parts])
        none = np.zeros(0, np.bool_)
        return MarkedLinks(links, np.concatenate([none, *(part.possible for part in parts)]))
    with PharaohReader(file, threads) as reader:
        whole = reader.read(max(1, len(lengths[0])), lengths)
        reader.check_end()
        return whole


def read_pharaoh(path: str | Path, lengths: Lengths | None = None, *, threads: int = 0) -> Links:
    r"""All alignments of a file, whether sure or possible.

    `lengths` holds the number of tokens of each source and each target sentence (int64 [n]); the
    number of lines and every link are then checked against it.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "links.txt")
    ...     _ = path.write_text("1-0 0-0\n")
    ...     read_pharaoh(path).to_lists()
    [[(0, 0), (1, 0)]]
    """
    return read_marked_links(path, lengths, threads=threads).links


def pharaoh_lines(links: Links, possible: NDArray[np.bool_] | None = None) -> Iterator[str]:
    """Each pair's line; `possible` masks the links to be marked by ``p``.

    >>> list(pharaoh_lines(Links.from_lists([[(0, 0), (1, 2)], []]), np.array([False, True])))
    ['0-0 1p2', '']
    """
    marks = ["-"] * len(links.source) if possible is None else np.where(possible, "p", "-").tolist()
    columns = zip(links.source.tolist(), marks, links.target.tolist(), strict=True)
    texts = [f"{source}{mark}{target}" for source, mark, target in columns]
    bounds = links.offsets.tolist()
    for first, last in itertools.pairwise(bounds):
        yield " ".join(texts[first:last])


def write_pharaoh(path: str | Path, links: Links) -> None:
    r"""Write links, one pair per line; ``.gz`` and ``.zst`` compress. The file appears when complete.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "links.txt")
    ...     write_pharaoh(path, Links.from_lists([[(0, 0), (1, 2)], []]))
    ...     path.read_text()
    '0-0 1-2\n\n'
    """
    with atomic(path) as out:
        for start in range(0, len(links), BATCH):
            out.writelines(f"{line}\n" for line in pharaoh_lines(links[start : start + BATCH]))
