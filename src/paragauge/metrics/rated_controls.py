"""A table of ratings with the predetermined ratings of control systems added to it.

The controls of Liu, Dahlmeier and Ng (2010), section 5.1, are rated without judges. To evaluate a
metric on them too, their ratings must be in the judges' table, under the same columns. Rows of the
judges stay as they are; rows of the controls follow, with the judge `control`. The columns `source` and
`candidate` are filled in if the table has them; others stay empty. Criteria that the judges did not
rate are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.metrics.control_systems import (
    CRITERIA,
    JUDGE,
    PAPER_SCALE,
    RATINGS,
    ControlKind,
    control_ratings,
)
from paragauge.text.rated_pairs import check_rating, segment_number
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.table_writers import tsv_cell, tsv_line

NAMES = ("segment", "system", "judge")


@dataclass(frozen=True)
class RatedControls:
    """The lines of a TSV file, header first; `left_out` are criteria that the judges did not rate."""

    lines: list[str]
    left_out: tuple[str, ...]


def add_control_ratings(
    path: str | Path,
    sources: Sequence[str],
    systems: Mapping[ControlKind, Sequence[str]],
    *,
    scale: tuple[float, float] = PAPER_SCALE,
) -> RatedControls:
    r"""The ratings in a table with those of the controls, which are as in `controls`.

    Segments are the numbers of the sources, from 1.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "ratings.tsv")
    ...     _ = table.write_text("segment\tsystem\tjudge\toverall\n1\tmine\tA\t4\n")
    ...     add_control_ratings(table, ["a b"], {"copy": ["a b"]}).lines
    ['segment\tsystem\tjudge\toverall', '1\tmine\tA\t4', '1\tcopy\tcontrol\t2']
    """
    records = read_records(path)
    records.require(*NAMES)
    rated = [name for name in CRITERIA if name in records.columns]
    if not rated:
        raise records.error(
            None,
            f"expected a column that controls have ratings for ({', '.join(CRITERIA)}), found none; "
            "rename the columns of the criteria",
        )
    for row in range(len(records)):
        _check_row(records, row, sources, systems)
        for name in rated:
            _check_rating(records, row, name, scale)
    columns = list(records.columns)
    lines = [[_judge_cell(records, row, name) for name in columns] for row in range(len(records))]
    for rating in control_ratings(len(sources), list(systems), scale=scale):
        texts: dict[str, Any] = {name: value for name, value in rating.items() if name in columns}
        number = int(texts["segment"]) - 1
        kind = next(kind for kind in systems if kind == texts["system"])
        texts |= {"source": sources[number], "candidate": systems[kind][number]}
        lines.append([_whole(texts.get(name)) for name in columns])
    left_out = tuple(name for name in CRITERIA if name not in rated)
    table = [tsv_line(cells, RATINGS).removesuffix("\n") for cells in [columns, *lines]]
    return RatedControls(table, left_out)


def _check_row(
    records: Records, row: int, sources: Sequence[str], systems: Mapping[ControlKind, Sequence[str]]
) -> None:
    name = records.text(row, "segment")
    number = segment_number(name)
    if number is None or number > len(sources):
        raise records.error(
            row,
            f"column 'segment': expected a number from 1 to {len(sources)}, the line of its source, "
            f"found {name[:40]!r}; number the segments as the sources are",
        )
    system = records.text(row, "system")
    if system in systems or records.text(row, "judge") == JUDGE:
        raise records.error(
            row,
            f"expected ratings of other systems and judges than the controls, found {system!r} by "
            f"{records.text(row, 'judge')!r}; rename it, or take the ratings without controls",
        )
    if "source" in records.columns and records.text(row, "source") != sources[number - 1]:
        raise records.error(
            row,
            f"column 'source': expected line {number} of the sources, found another sentence; check "
            "that the ratings are of these sources",
        )


def _check_rating(records: Records, row: int, name: str, scale: tuple[float, float]) -> None:
    value = check_rating(records, row, name, scale)
    cell = records.columns[name][row]
    if math.isnan(value) and isinstance(cell, str) and cell.strip():
        raise records.error(
            row,
            f"column '{name}': expected a number as rating, found '{cell}'; correct it, or leave the "
            "cell empty if there is none",
        )


def _judge_cell(records: Records, row: int, name: str) -> str:
    value = records.columns[name][row]
    if isinstance(value, (list, dict)):
        raise records.error(
            row, f"column '{name}': expected a text or a number, found a list; leave the column out"
        )
    return "" if isinstance(value, float) and math.isnan(value) else _whole(value)


def _whole(value: Any) -> str:
    """A cell; whole numbers without a decimal point, as people write ratings."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else tsv_cell(value)
