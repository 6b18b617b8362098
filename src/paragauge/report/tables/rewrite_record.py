"""The record of a rewriting in a file: one row for each proposal.

Columns: segment, reference and token (from 1), old, new, verdict, and the score of each filter under
its name. With phrase rules, also `last`, the last token that is replaced, and the rule's
`probability`, which words of a thesaurus do not have.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from paragauge.rewrite.rewriter import VERDICTS, Rewriter, Rewriting
from paragauge.text.table_writers import RowWriter, row_writer


class RecordWriter:
    """Writes the proposals of each rewriting that it is given."""

    def __init__(self, rows: RowWriter, filters: list[str], phrases: bool) -> None:
        self._rows = rows
        self._filters = filters
        self._phrases = phrases

    def __call__(self, rewriting: Rewriting, first: int) -> None:
        """The proposals of the segments from number `first` (from 0) on."""
        pairs = rewriting.candidates.pairs()
        last = {"last": (rewriting.candidates.last + 1).tolist()}
        probability = {"probability": rewriting.candidates.probability.tolist()}
        self._rows.write(
            {
                "segment": (rewriting.segment + first + 1).tolist(),
                "reference": (rewriting.reference + 1).tolist(),
                "token": (rewriting.candidates.first + 1).tolist(),
                **(last if self._phrases else {}),
                "old": [old for old, _ in pairs],
                "new": [new for _, new in pairs],
                "verdict": [VERDICTS[verdict] for verdict in rewriting.verdicts.tolist()],
                **(probability if self._phrases else {}),
                **dict(zip(self._filters, rewriting.scores.T.tolist(), strict=True)),
            }
        )


@contextlib.contextmanager
def record_writer(path: str | Path, rewriter: Rewriter) -> Iterator[RecordWriter]:
    """A writer for `path`; its name sets the format and the compression."""
    filters = [filter_.name for filter_ in rewriter.filters]
    phrases = rewriter.phrases is not None
    kinds: dict[str, type] = dict.fromkeys(("segment", "reference", "token", *["last"] * phrases), int)
    kinds |= dict.fromkeys(("old", "new", "verdict"), str)
    kinds |= dict.fromkeys([*["probability"] * phrases, *filters], float)
    with row_writer(path, kinds) as rows:
        yield RecordWriter(rows, filters, phrases)
