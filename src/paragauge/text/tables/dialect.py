"""How a table is written: its format, and what its bytes, separators and numbers mean.

The separator of CSV is found by looking: of comma, semicolon and tab, the one that cuts the header into
several names and the rows after it into as many fields. Excel's first line `sep=;` names it.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.text.tables.table_format import FORMATS

DECIMALS = (".", ",")
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
ROWS = 1000  # looked at to find the separator
_NAMED = re.compile(rb'"?sep=(.)"?\r?\n', re.IGNORECASE)


@dataclass(frozen=True)
class TableDialect:
    """What a user says about a table; None is found by looking.

    `kind` is one of FORMATS, `encoding` that of text other than UTF-8, `decimal` the sign before
    decimals of numbers in text, `sheet` a sheet of an Excel file, and `header_row` the line (of CSV and
    TSV) or row (of a sheet) that has the names of the columns; what stands above it is not read.

    >>> TableDialect(decimal=";")
    Traceback (most recent call last):
    paragauge.errors.SettingError: decimal: expected . or , found ';'
    """

    kind: str | None = None
    encoding: str | None = None
    decimal: str = "."
    sheet: str | None = None
    header_row: int | None = None

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in FORMATS:
            raise unknown_name("table format", self.kind, FORMATS)
        if self.decimal not in DECIMALS:
            raise SettingError(f"decimal: expected . or , found '{self.decimal}'")
        if self.encoding is not None:
            check_encoding(self.encoding)
        if self.header_row is not None and self.header_row < 1:
            raise SettingError(f"header_row: expected a row from 1 on, found {self.header_row}")


def check_encoding(name: str) -> None:
    """Refuse a name that is no encoding of text.

    >>> check_encoding("windows-1252")
    """
    try:
        known = codecs.lookup(name)
        "a".encode(known.name)
    except (LookupError, ValueError):
        raise SettingError(
            f"unknown encoding '{name}'; some that are known: utf-8, utf-16, windows-1252, "
            "iso-8859-15, mac-roman, gb18030"
        ) from None


def named_delimiter(sample: bytes) -> tuple[str, int] | None:
    """The separator that a first line `sep=;` names, and the bytes of that line.

    >>> named_delimiter(b"sep=;\\na;b\\n")
    (';', 6)
    """
    match = _NAMED.match(sample)
    if match is None or not match[1].isascii() or match[1] in b'"\r':
        return None
    return match[1].decode(), match.end()


def find_delimiter(sample: bytes, *, complete: bool) -> str:
    r"""The separator of CSV that begins with `sample`; a comma if no other one cuts the header.

    `complete` says that nothing follows the sample.

    >>> find_delimiter(b"a;b\n1,5;2\n", complete=True)
    ';'
    """
    buffer = np.frombuffer(sample, np.uint8)
    best, best_fit = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        groups, problem = (
            _native.split_rows(buffer, ROWS, delimiter, complete)[number] for number in (1, 6)
        )
        widths = np.diff(groups)
        if len(widths) == 0 or widths[0] < 2:
            continue
        rows = len(widths) - 1 + (problem != 0)
        fit = float((widths[1:] == widths[0]).sum()) / rows if rows else 1.0, int(widths[0])
        if fit > best_fit:
            best, best_fit = delimiter, fit
    return best
