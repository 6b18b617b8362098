"""The rows of `paragauge lm score --segments`."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from paragauge.lm import LanguageModelScores
from paragauge.text.files import atomic
from paragauge.text.row_files import tsv_cell


class SegmentRows:
    """Writes a row for each sentence, or nothing."""

    FIELDS = ("file", "segment", "log10", "tokens", "unknown", "normalised")

    def __init__(self, out: Any, base: str, end: bool) -> None:
        self._out = out
        self._base = base
        self._end = end

    @classmethod
    @contextlib.contextmanager
    def to(cls, given: dict[str, Any]) -> Iterator[SegmentRows]:
        """Rows for the file that --segments names."""
        path = given["segments"]
        if path is None:
            yield cls(None, given["base"], given["end"])
            return
        with atomic(path) as out:
            out.write("\t".join(cls.FIELDS) + "\n")
            yield cls(out, given["base"], given["end"])

    def write(self, name: str, before: int, scores: LanguageModelScores) -> None:
        """The rows of sentences `before` + 1 and following of a file."""
        if self._out is None:
            return
        columns = (
            scores.log10.tolist(),
            scores.tokens.tolist(),
            scores.unknown.tolist(),
            scores.normalised(base=self._base, end=self._end).tolist(),
        )
        shown = re.sub(r"[\t\r\n]", " ", name)
        for number, row in enumerate(zip(*columns, strict=True), before + 1):
            self._out.write("\t".join(map(tsv_cell, (shown, number, *row))) + "\n")
