"""Files with scores of segments, as tables and as other programs write them.

Beside tables (segment, system, and one column per metric) there are

- the JSON of `comet-score --to_json`: an object with a list for each system, of objects with the texts
  of a segment and its scores;
- what `comet-score` prints: ``SYSTEM<tab>Segment 0<tab>score: 0.81``, and lines with means of systems;
- one number a line, as BLEURT and others write them, which is named ``METRIC:SYSTEM=FILE``.

Other programs name systems after the files of their outputs: ``out/mine.txt`` is the system ``mine`` if
no other one has that name.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.text.files import display_name
from paragauge.text.line_reader import read_sentences
from paragauge.text.numbers import parse_json
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.number_format import number_hint, parse_number
from paragauge.text.tables.rating_roles import ROLES
from paragauge.text.tables.table_format import format_by_name

PRINTED = "COMET"  # the metric of printed lines, which do not name it
_SEGMENT_LINE = re.compile(r"(.+)\tSegment ([0-9]{1,15})\tscore: (\S+)")
_SYSTEM_LINE = re.compile(r"(.+)\tscore: \S+")
_NUMBERS = re.compile(r"(?P<metric>[^=/\\]+):(?P<system>[^=/\\]+)=(?P<file>.+)")
Row = tuple[str, int, Mapping[str, float]]  # system, segment from 1, scores by metric


def read_score_files(
    sources: Iterable[str | Path], systems: Collection[str], decimal: str = "."
) -> list[Records]:
    r"""The scores of files as tables with the columns segment, system, and one per metric.

    A source is a path, or ``METRIC:SYSTEM=FILE``; those of one metric are one table. With a `decimal`
    comma, files that have one are read so, and others as they are: programs write points.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "numbers")
    ...     _ = file.write_text("0.5\n0.7\n")
    ...     (table,) = read_score_files([f"BLEURT:mine={file}"], ["mine"])
    >>> table.columns
    {'segment': [1, 2], 'system': ['mine', 'mine'], 'BLEURT': [0.5, 0.7]}
    """
    tables: list[Records] = []
    by_metric: dict[str, dict[str, str]] = {}
    for source in sources:
        named = _NUMBERS.fullmatch(str(source))
        if named is None or Path(source).exists():
            tables.append(_with_decimal(_read_score_file(source, systems), decimal))
            continue
        metric, system, file = named["metric"], named["system"], named["file"]
        if system not in systems:
            raise InputError(f"--scores {source}: {unknown_name('system', system, systems)}")
        if system in by_metric.setdefault(metric, {}):
            raise InputError(
                f"--scores {source}: '{metric}' of '{system}' is given twice; leave one out"
            )
        by_metric[metric][system] = file
    return tables + [_read_numbers(metric, files, decimal) for metric, files in by_metric.items()]


def _read_score_file(path: str | Path, systems: Collection[str]) -> Records:
    if format_by_name(path) not in (None, "json", "jsonl") or not Path(path).is_file():
        return read_records(path)
    with Path(path).open("rb") as file:
        start = file.read(1 << 12)
    if b"\tSegment " in start.split(b"\n", 1)[0]:
        return _table(path, _printed_rows(path), systems)
    if start.lstrip()[:1] == b"{" and (lists := _lists_of_systems(path, start)) is not None:
        return _table(path, _json_rows(path, lists), systems)
    return read_records(path)


def _with_decimal(table: Records, decimal: str) -> Records:
    """The table with this sign before decimals if a score has it; a point is never a comma."""
    if decimal == ".":
        return table
    roles = table.roles(ROLES, {}).values()
    scores = (cell for name, cells in table.columns.items() if name not in roles for cell in cells)
    has_comma = any(isinstance(cell, str) and decimal in cell for cell in scores)
    return replace(table, decimal=decimal) if has_comma else table


def _read_numbers(metric: str, files: Mapping[str, str], decimal: str) -> Records:
    """The table of one metric, from a file with one number a line for each system."""
    segments: list[int] = []
    names: list[str] = []
    values: list[float] = []
    for system, path in files.items():
        lines = read_sentences(path)
        for number, line in enumerate(lines, 1):
            value = parse_number(line, decimal if decimal in line else ".")
            if value is None or math.isnan(value):
                hint = number_hint(line, decimal)
                raise FileFormatError(
                    display_name(path), number, f"expected one number a line, found {line[:40]!r}{hint}"
                )
            values.append(value)
        if not lines:
            raise FileFormatError(display_name(path), None, "expected one number a line, found none")
        segments += range(1, len(lines) + 1)
        names += [system] * len(lines)
    first, *more = map(display_name, files.values())
    path = "+".join([first, *(Path(name).name for name in more)])
    return Records(path, {"segment": segments, "system": names, metric: values}, None)


def _printed_rows(path: str | Path) -> Iterable[Row]:
    for number, line in enumerate(read_sentences(path), 1):
        found = _SEGMENT_LINE.fullmatch(line)
        if found is not None and (value := parse_number(found[3])) is not None:
            yield found[1], int(found[2]) + 1, {PRINTED: value}
        elif line.strip() and not _SYSTEM_LINE.fullmatch(line):
            raise FileFormatError(
                display_name(path),
                number,
                f"expected SYSTEM, Segment N and score: X, separated by tabs, found {line[:60]!r}",
            )


def _lists_of_systems(path: str | Path, start: bytes) -> dict[str, list[dict[str, Any]]] | None:
    """The lists of objects by system; None if the file is no such object."""
    first = start.split(b"\n", 1)[0].strip()
    if first != b"{" and b"[" not in first[:1000]:
        return None  # JSON Lines, whose objects have no lists
    try:
        found = parse_json("\n".join(read_sentences(path)))
    except (ValueError, RecursionError):
        return None  # the reader of tables says what is wrong
    if not isinstance(found, dict) or not found:
        return None
    for rows in found.values():
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            return None
    return found


def _json_rows(path: str | Path, lists: dict[str, list[dict[str, Any]]]) -> Iterable[Row]:
    for system, rows in lists.items():
        for number, row in enumerate(rows, 1):
            scores = {
                name: value
                for name, value in row.items()
                if isinstance(value, (int, float)) and not isinstance(value, bool)
            }
            if not scores:
                raise FileFormatError(
                    display_name(path),
                    None,
                    f"segment {number} of '{system}': expected a number, such as its COMET score, "
                    f"found {json.dumps(row, ensure_ascii=False)[:60]}",
                )
            yield system, number, scores


def _table(path: str | Path, rows: Iterable[Row], systems: Collection[str]) -> Records:
    """The rows as a table; files of outputs are called by the systems' names."""
    kept = list(rows)
    names = {system: _system_name(system, systems) for system, _, _ in kept}
    twice = [name for name in set(names.values()) if list(names.values()).count(name) > 1]
    if twice:
        files = " and ".join(file for file, name in names.items() if name == twice[0])
        raise FileFormatError(
            display_name(path), None, f"{files} could both be the system '{twice[0]}'; rename one"
        )
    metrics = list(dict.fromkeys(metric for _, _, scores in kept for metric in scores))
    columns: dict[str, list[Any]] = {
        "segment": [number for _, number, _ in kept],
        "system": [names[system] for system, _, _ in kept],
    }
    for metric in metrics:
        columns[metric] = [scores.get(metric) for _, _, scores in kept]
    return Records(path, columns, None)


def _system_name(file: str, systems: Collection[str]) -> str:
    if file in systems:
        return file
    name = PurePath(file.replace("\\", "/")).name
    ends = [name, *(name[:place] for place, char in enumerate(name) if char == "." and place)]
    return next((end for end in reversed(ends) if end in systems), file)
