"""Formats of tables, told by the name of a file or by its first bytes."""

from __future__ import annotations

from pathlib import Path

from paragauge.errors import SettingError

FORMATS = ("tsv", "csv", "jsonl", "json", "excel", "parquet")
# What the package writes.
WRITTEN_FORMATS = ("tsv", "csv", "jsonl", "parquet")
# Formats without lists: several texts stand in several columns, where an empty cell is no text.
FLAT_FORMATS = ("tsv", "csv", "excel")
_SUFFIXES = {
    ".tsv": "tsv",
    ".tab": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".parquet": "parquet",
}
_BINARY = ("excel", "parquet")
_MAGIC = {b"PAR1": "parquet", b"PK\x03\x04": "excel", b"\xd0\xcf\x11\xe0": "excel"}


def format_by_name(path: str | Path) -> str | None:
    """The format of a table by its file name, or None if the name does not tell.

    >>> format_by_name("data.csv.gz"), format_by_name("data.txt")
    ('csv', None)
    """
    *before, last = ["", *(suffix.lower() for suffix in Path(path).suffixes)]
    packed = last in (".gz", ".zst")
    kind = _SUFFIXES.get(before[-1] if packed else last)
    return None if packed and kind in _BINARY else kind


def format_by_magic(start: bytes) -> str | None:
    """The format of a binary table by its first four bytes, or None for text.

    >>> format_by_magic(b"PAR1..."), format_by_magic(b"a,b")
    ('parquet', None)
    """
    return _MAGIC.get(start[:4])


def written_format(path: str | Path) -> str:
    """The format in which a table of this name is written.

    >>> written_format("data.jsonl.gz")
    'jsonl'
    """
    kind = format_by_name(path)
    if kind in WRITTEN_FORMATS:
        return kind
    raise SettingError(
        f"{path}: expected a name that ends in .tsv, .csv, .jsonl (.gz or .zst may follow) or "
        ".parquet; choose another name"
    )
