"""Rows of JSON, with the lines in which they begin: JSON Lines, or one array of objects.

The first character that is not white space tells which it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.numbers import json_decoder, parse_json

BATCH = 1 << 14
RECORDS = (
    'write an array of objects, one for each row (in pandas frame.to_json(path, orient="records"))'
)
_SPACE = re.compile(r"[ \t\r\n]*")


def json_rows(reader: LineReader) -> Iterator[tuple[int, dict[str, Any]]]:
    r"""The objects of a file, each with its line.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.json")
    ...     _ = path.write_text('[{"n": 1},\n {"n": 2}]')
    ...     with LineReader(path) as reader:
    ...         list(json_rows(reader))
    [(1, {'n': 1}), (2, {'n': 2})]
    """
    if reader.first_byte() == b"[":
        yield from _array_rows(reader)
        return
    first = True
    while batch := reader.read(BATCH, 1 << 26):
        for number, line in enumerate(batch, reader.line - len(batch) + 1):
            if first and line.strip() == "{":
                message = f"expected a JSON object in one line, found one in several; {RECORDS}"
                raise FileFormatError(display_name(reader.path), number, message)
            row = parse_json_line(line, reader.path, number)
            if first and (found := _other_layout(row)):
                raise FileFormatError(
                    display_name(reader.path), number, f"expected a row, found {found}; {RECORDS}"
                )
            first = False
            yield number, row


def parse_json_line(text: str, path: str | Path, line: int) -> dict[str, Any]:
    """The object that a line of JSON Lines holds.

    >>> parse_json_line('{"n": 1}', "a.jsonl", 1)
    {'n': 1}
    """
    try:
        row = parse_json(text)
    except (ValueError, RecursionError) as error:
        raise _bad_json(path, line, error) from None
    return _check_object(row, path, line)


def _other_layout(row: dict[str, Any]) -> str:
    """What an object is that is a whole table and no row; empty if it is a row."""
    if {"columns", "data"} <= row.keys() <= {"columns", "index", "data"} or row.keys() == {
        "schema",
        "data",
    }:
        return "a table whose rows are lists or in 'data'"
    values = list(row.values())
    if len(values) > 1 and all(isinstance(value, dict) for value in values):
        keys = values[0].keys()
        if keys and all(value.keys() == keys for value in values):
            return "an object that has the columns, or the rows, by name"
    return ""


def json_kind(value: object) -> str:
    """What a value is in JSON, in words.

    >>> json_kind([1]), json_kind(1.5)
    ('a list', 'a number')
    """
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else "a string")


def _array_rows(reader: LineReader) -> Iterator[tuple[int, dict[str, Any]]]:
    path = reader.path
    parts: list[str] = []
    while batch := reader.read(BATCH, 1 << 26):
        parts += batch
    text = "\n".join(parts)
    decoder = json_decoder()
    at = text.index("[") + 1
    line, counted = 1, 0
    separator = ""
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        line += text.count("\n", counted, at)
        counted = at
        mark = text[at : at + 1]
        if mark == "]":
            break
        if separator:
            if mark != ",":
                found = repr(mark) if mark else "the end of the file"
                message = f"expected , or ] after an object of the array, found {found}"
                raise FileFormatError(display_name(path), line, message)
            at, separator = at + 1, ""
            continue
        try:
            row, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _bad_json(path, line, error) from None
        if isinstance(row, list):
            message = f"expected a JSON object, found a list; {RECORDS}"
            raise FileFormatError(display_name(path), line, message)
        yield line, _check_object(row, path, line)
        separator = ","
    if rest := text[at + 1 :].strip():
        message = f"expected nothing after the array, found {rest[:20]!r}"
        raise FileFormatError(display_name(path), line, message)


def _bad_json(path: str | Path, line: int, error: Exception) -> FileFormatError:
    reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    if isinstance(error, json.JSONDecodeError) and error.lineno == 1:
        reason = str(error)
    message = f"expected a JSON object, found bad JSON: {reason or type(error).__name__}"
    return FileFormatError(display_name(path), line, message)


def _check_object(row: object, path: str | Path, line: int) -> dict[str, Any]:
    if not isinstance(row, dict):
        message = f"expected a JSON object, found {json_kind(row)}"
        raise FileFormatError(display_name(path), line, message)
    return row
