"""Line numbers of the keys in a TOML file, for errors that say where.

`tomllib` returns values without their positions. This finds tables and keys by reading the file line by
line: headers, and keys before an equals sign, but nothing inside strings and brackets that span several
lines. A value inside an inline table gets the line of the key before it.
"""

from __future__ import annotations

import re

Path = tuple[str | int, ...]
_NAME = r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'"""
_KEYS = rf"(?:{_NAME})(?:\s*\.\s*(?:{_NAME}))*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_KEYS})\s*\]")
_KEY = re.compile(rf"\s*({_KEYS})\s*=")
# What matters inside a value: strings (whole), comments, brackets.
_PARTS = re.compile(
    r'\"\"\"(?:[^\\]|\\.)*?\"\"\"|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]|\n',
    re.DOTALL,
)


def find_key_lines(text: str) -> dict[Path, int]:
    r"""The line (from 1) of each table and key by its path; the tables of an array are numbered from 0.

    >>> find_key_lines('a = 1\n[b]\nc = "x"\n[[d]]\ne = [\n1]\n[[d]]\ne = 2\n')[("d", 1, "e")]
    8
    """
    lines: dict[Path, int] = {}
    arrays: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _split_statements(text):
        header = _HEADER.match(statement)
        if header is not None:
            table = _resolve(_split_names(header[2]), arrays)
            if header[1] == "[[":
                arrays[table] = arrays.get(table, -1) + 1
                table = (*table, arrays[table])
            lines.setdefault(table, line)
            continue
        key = _KEY.match(statement)
        if key is not None:
            lines.setdefault(table + _split_names(key[1]), line)
    return lines


def find_line(lines: dict[Path, int], path: Path) -> int | None:
    """The line of a path, or where what is in it begins, or of the innermost table around it.

    >>> find_line({("a",): 3}, ("a", 0, "b")), find_line({("a", "b"): 4}, ("a",)), find_line({}, ("a",))
    (3, 4, None)
    """
    for length in range(len(path), 0, -1):
        inside = [line for key, line in lines.items() if key[:length] == path[:length]]
        if inside:
            return lines.get(path[:length], min(inside))
    return None


def _split_statements(text: str) -> list[tuple[int, str]]:
    """Headers and assignments with their first lines; brackets and long strings keep lines together."""
    statements, start, depth, number, first = [], 0, 0, 1, 1
    is_header = text.lstrip(" \t").startswith("[")
    for part in _PARTS.finditer(text):
        mark = part[0]
        if mark in "[{" and not is_header:
            depth += 1
        elif mark in "]}" and not is_header:
            depth = max(0, depth - 1)
        number += mark.count("\n")
        if mark == "\n" and depth == 0:
            statements.append((first, text[start : part.start()]))
            start, first = part.end(), number
            is_header = text[start : start + 200].lstrip(" \t").startswith("[")
    statements.append((first, text[start:]))
    return statements


def _split_names(keys: str) -> Path:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, keys))


def _resolve(names: Path, arrays: dict[Path, int]) -> Path:
    """The path with the number of the last table of each array that it goes through."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if path in arrays and place < len(names) - 1:
            path = (*path, arrays[path])
    return path
