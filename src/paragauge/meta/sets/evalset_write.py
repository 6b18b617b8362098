"""Write evaluation sets as tables that `evalset_files` reads back unchanged.

Spaces around names of segments, systems and judges do not count when they are read.
"""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path
from typing import Any

from paragauge.errors import SettingError
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import METRIC
from paragauge.text.csv_rows import csv_line
from paragauge.text.files import atomic_path, compression, open_text
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.table_writers import tsv_cell, tsv_line
from paragauge.text.tables.table_format import FLAT_FORMATS, written_format


def write_evalset(judged: EvalSet, path: str | Path) -> None:
    """Write a set as TSV, CSV, JSON Lines or Parquet, by the name of the file.

    >>> import tempfile, pathlib
    >>> from paragauge.meta.sets.evalset_builder import build
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "set.tsv")
    ...     write_evalset(build([("1", "mine", "A", {"overall": 4.0})]), target)
    ...     print(target.read_text().replace("\\t", " | "), end="")
    segment | system | judge | overall
    1 | mine | A | 4.0
    """
    form = written_format(path)
    rows = [_flat(row, form.upper()) if form in FLAT_FORMATS else row for row in _rows(judged)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    with atomic_path(path) as temporary:
        if form == "parquet":
            require_pyarrow()
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(
                pa.table({name: _column([row.get(name) for row in rows]) for name in names}), temporary
            )
            return
        with contextlib.closing(open_text(temporary, compression(path))) as out:
            if form == "jsonl":
                out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                return
            for row in [dict(zip(names, names, strict=True)), *rows]:
                cells = [tsv_cell(row.get(name)) for name in names]
                out.write(csv_line(cells) if form == "csv" else tsv_line(cells, path))


def _rows(judged: EvalSet) -> list[dict[str, Any]]:
    systems: list[list[str]] = [[] for _ in range(judged.items)]
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        systems[item].append(judged.systems[system])
    base = []
    for item, segment in enumerate(judged.item_segment.tolist()):
        row: dict[str, Any] = {}
        if judged.groups != ("",):
            row["group"] = judged.groups[judged.segment_group[segment]]
        row["segment"] = judged.segments[segment]
        if judged.systems:
            # A list is read as it stands, a text is cut at each |.
            plain = len(systems[item]) == 1 and "|" not in systems[item][0]
            row["system"] = systems[item][0] if plain else systems[item]
        base.append(row)
    rated: list[list[int]] = [[] for _ in range(judged.items)]
    for number, item in enumerate(judged.rating_item.tolist()):
        rated[item].append(number)
    # Without judges, equal candidates of no system are items of their own when they are read.
    whose = ["judge"] if any(judged.judges) else []
    together = ["task"] if bool((judged.rating_task >= 0).any()) else []
    rows = []
    for item, row in enumerate(base):
        texts = _text_cells(judged, item)
        scores = {f"{METRIC}{label}": _cell(one.values[item]) for label, one in judged.scores.items()}
        numbers: list[int | None] = [*rated[item]] or [None]
        for rating in numbers:
            more: dict[str, Any] = dict.fromkeys((*whose, *together, *judged.criteria))
            if rating is not None:
                if whose:
                    more["judge"] = judged.judges[judged.rating_judge[rating]] or None
                task = int(judged.rating_task[rating])
                if task >= 0:
                    more["task"] = str(task + 1)
                for name, values in judged.ratings.items():
                    more[name] = _cell(values[rating])
            rows.append({**row, **more, **scores, **texts})
    return rows


def _flat(row: dict[str, Any], form: str) -> dict[str, Any]:
    """A row as TSV and CSV can hold it: systems in one field, references in several columns."""
    flat = dict(row)
    names = row.get("system")
    several = [names] if isinstance(names, str) else names or []
    if any("|" in name for name in several):
        message = f"system '{several[0]}': {form} cannot hold a name with |; write JSON Lines"
        raise SettingError(message)
    if "system" in flat:
        flat["system"] = "|".join(several)
    if isinstance(row.get("source"), list):
        raise SettingError(f"{form} cannot hold several sources of a segment; write JSON Lines")
    references = flat.pop("reference", [])
    if row.get("source") == "" or "" in references:
        raise SettingError(f"{form} cannot hold an empty source or reference; write JSON Lines")
    for number, text in enumerate(references, 1):
        flat["reference" + str(number) * (number > 1)] = text
    return flat


def _column(cells: list[Any]) -> list[Any]:
    """Cells of one Parquet column, which are all lists if one is."""
    if not any(isinstance(cell, list) for cell in cells):
        return cells
    return [cell if cell is None or isinstance(cell, list) else [cell] for cell in cells]


def _cell(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _text_cells(judged: EvalSet, item: int) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    segment = int(judged.item_segment[item])
    if judged.sources is not None:
        several = judged.sources[segment]
        cells["source"] = list(several) if len(several) > 1 else several[0]
    if judged.candidates is not None:
        cells["candidate"] = judged.candidates[item]
    if judged.references is not None:
        cells["reference"] = list(judged.references[segment])
    return cells
