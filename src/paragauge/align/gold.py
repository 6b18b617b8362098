"""Gold alignments by people: sure links, and possible ones where judges were unsure or disagreed.

Read from a Pharaoh file with marks (see `pharaoh.py`), or from JSON Lines with the text: each line
has `source` and `target` (tokens joined by spaces) and the lists of positions `sure` and `poss`,
as in the corpus of Cohn, Callison-Burch and Lapata (2008) in that form. Every sure link is possible
too, whether or not the file repeats it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.align.links import Links, Pair
from paragauge.align.pharaoh import Lengths, read_marked_links
from paragauge.align.symmetrization import symmetrize
from paragauge.text.bitext import Bitext
from paragauge.text.files import compression, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.table_in_memory import Records, read_jsonl


@dataclass(frozen=True, eq=False)
class GoldAlignment:
    """Sure and possible links; `possible` includes the sure ones.

    >>> gold = GoldAlignment(Links.from_lists([[(0, 0)]]), Links.from_lists([[(1, 0)]]))
    >>> gold.possible.to_lists()
    [[(0, 0), (1, 0)]]
    """

    sure: Links
    possible: Links

    def __post_init__(self) -> None:
        object.__setattr__(self, "possible", symmetrize(self.sure, self.possible, "union"))

    def __len__(self) -> int:
        return len(self.sure)

    def all_sure(self) -> GoldAlignment:
        """The same links, every possible one taken as sure."""
        return GoldAlignment(self.possible, self.possible)


def read_gold(file: str | Path | LineReader, lengths: Lengths | None = None) -> GoldAlignment:
    r"""Gold links of a Pharaoh file or of JSON Lines (see `is_jsonl`).

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "gold.txt")
    ...     _ = path.write_text("0-0 1p2\n")
    ...     read_gold(path).sure.to_lists()
    [[(0, 0)]]
    """
    with LineReader.of(file) as reader:
        if is_jsonl(reader):
            return read_gold_jsonl(reader)[1]
        marked = read_marked_links(reader, lengths)
        return GoldAlignment(marked.sure, marked.links)


def is_jsonl(reader: LineReader) -> bool:
    """Whether the input is JSON Lines: by its name (.jsonl, .ndjson), or if it starts with a brace.

    Standard input and pipes have no such name. Nothing is consumed.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "gold")
    ...     _ = path.write_text('{"source": "a", "target": "b", "sure": [[0, 0]]}')
    ...     with LineReader(path) as reader:
    ...         is_jsonl(reader), read_gold_jsonl(reader)[1].sure.to_lists()
    (True, [[(0, 0)]])
    """
    path = Path(reader.path)
    bare = path.with_suffix("") if compression(path) else path
    return bare.suffix in (".jsonl", ".ndjson") or reader.first_byte() == b"{"


def read_gold_jsonl(file: str | Path | LineReader) -> tuple[Bitext, GoldAlignment]:
    """The sentence pairs of a JSON Lines file and their gold links."""
    records = read_jsonl(file)
    records.require("source", "target", "sure")
    rows = range(len(records))
    name = display_name(records.path)
    bitext = Bitext.of(
        [records.text(row, "source") for row in rows],
        [records.text(row, "target") for row in rows],
        names=(name, name),
        empty="keep",
    )
    sure, possible = (
        Links.from_lists([_positions(records, row, column) for row in rows])
        for column in ("sure", "poss")
    )
    gold = GoldAlignment(sure, possible)
    if (
        outside := gold.possible.first_outside(bitext.source_lengths, bitext.target_lengths)
    ) is not None:
        pair, message = outside
        raise records.error(pair, message)
    return bitext, gold


def _positions(records: Records, row: int, column: str) -> list[Pair]:
    cells: Any = records.columns[column][row] if column in records.columns else None
    links: list[Pair] = []
    for link in cells if isinstance(cells, list) else [] if cells is None else [cells]:
        whole = isinstance(link, list) and all(type(at) is int and 0 <= at < 1 << 31 for at in link)
        if not whole or len(link) != 2:
            raise records.error(
                row,
                f"column '{column}': expected pairs of positions from 0 such as [[0, 0], [1, 2]], "
                f"found {str(link)[:40]}",
            )
        links.append((link[0], link[1]))
    return links
