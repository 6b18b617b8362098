"""The rows of `paragauge lm score --segments`."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import IO

from paragauge.lm import LanguageModelScores
from paragauge.lm.scores import LogBase
from paragauge.text.files import atomic
from paragauge.text.table_writers import tsv_cell


class SegmentRows:
    """Writes a row for each sentence to a file, if there is one."""

    FIELDS = ("file", "segment", "log10", "tokens", "unknown", "normalized")

    def __init__(self, out: IO[str] | None, base: LogBase, end: bool) -> None:
        self._out = out
        self._base = base
        self._end = end

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: str | None, base: LogBase, end: bool) -> Iterator[SegmentRows]:
        """Rows for a file, with the header written; without a path nothing is written."""
        if path is None:
            yield cls(None, base, end)
            return
        with atomic(path) as out:
            out.write("\t".join(cls.FIELDS) + "\n")
            yield cls(out, base, end)

    def write(self, name: str, before: int, scores: LanguageModelScores) -> None:
        """Write the rows of sentences of a file, the first of which is number `before` + 1."""
        if self._out is None:
            return
        columns = (
            scores.log10.tolist(),
            scores.tokens.tolist(),
            scores.unknown.tolist(),
            scores.normalize(base=self._base, end=self._end).tolist(),
        )
        label = re.sub(r"[\t\r\n]", " ", name)
        for number, row in enumerate(zip(*columns, strict=True), before + 1):
            self._out.write("\t".join(map(tsv_cell, (label, number, *row))) + "\n")
