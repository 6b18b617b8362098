"""All options that a table of ratings needs, so that one message names what each step would ask for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.excel_sheet import largest_sheet
from paragauge.text.tables.headers import header_key
from paragauge.text.tables.number_format import has_words, number_hint
from paragauge.text.tables.rating_roles import ROLES

ENCODING = "windows-1252"  # what spreadsheets write where it is not UTF-8
DEEPEST = 20  # rows in which a header is looked for


def describe_needs(
    path: str | Path,
    dialect: TableDialect,
    columns: Mapping[str, str],
    criteria: Sequence[str] | None,
) -> str:
    r"""The options that a table needs beside those given, as the end of a message.

    It is empty unless there are at least two: the message of one error names its option.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "r.csv")
    ...     _ = path.write_text("Satz;System;Note;Wort\n1;a;1,5;gut\n2;a;2,5;gut\n")
    ...     print(describe_needs(path, TableDialect(), {}, None))
    all that this table needs: --column segment=NAME --decimal , --criteria NAME,... (its columns:
    Satz, System, Note, Wort)
    """
    if not Path(path).is_file():
        return ""  # a pipe cannot be read again
    options, records = _read(path, dialect)
    if records is None:
        return ""
    try:
        roles = records.roles(ROLES, columns)
        rated = records.find_listed(*criteria) if criteria else None
    except (InputError, SettingError):
        return ""
    if {"system1", "rank1"} <= {header_key(name) for name in records.columns}:
        return ""
    missing = [] if roles.keys() & {"segment", "source"} else ["segment"]
    missing += [] if roles.keys() & {"system", "candidate"} else ["system"]
    options += [f"--column {role}=NAME" for role in missing]
    free = [name for name in records.columns if name not in roles.values()]
    free = [name for name in free if not re.match("reference[0-9]+$|metric:", header_key(name))]
    ratings = {name: _first_cell(records, name) for name in rated or free}
    decimal = dialect.decimal
    if decimal == "." and any("--decimal" in number_hint(cell, ".") for cell in ratings.values()):
        options.append("--decimal ,")
        decimal = ","
    words = [name for name in ratings if has_words(records.columns[name], decimal)]
    if rated is None and words:
        options.append("--criteria NAME,...")
    if len(options) < 2:
        return ""
    texts = ""
    if len(words) > 1 and not roles.keys() & {"source", "candidate"}:
        texts = "; if it has the texts too: --column source=NAME --column candidate=NAME"
    listed = ", ".join(records.columns)
    return f"all that this table needs: {' '.join(options)} (its columns: {listed}){texts}"


def _first_cell(records: Records, name: str) -> Any:
    """The first cell of a column that is not empty."""
    return next((cell for cell in records.columns[name] if cell is not None), None)


def _read(path: str | Path, dialect: TableDialect) -> tuple[list[str], Records | None]:
    """The options without which the table cannot be read, and the table as it is with them."""
    options: list[str] = []
    for _ in range(4):
        try:
            return options, read_records(path, dialect)
        except FileFormatError as error:
            message = str(error)
        except (InputError, SettingError, OSError):
            return options, None
        if "--encoding" in message and dialect.encoding is None:
            options.append(f"--encoding {ENCODING}")
            dialect = replace(dialect, encoding=ENCODING)
        elif "--sheet" in message and dialect.sheet is None:
            sheet = largest_sheet(path)
            options.append(f"--sheet {shlex.quote(sheet)}")
            dialect = replace(dialect, sheet=sheet)
        elif "--header-row" in message and dialect.header_row is None:
            row = _header_row(path, dialect)
            if row is None:
                break
            options.append(f"--header-row {row}")
            dialect = replace(dialect, header_row=row)
        else:
            break
    return options, None


def _header_row(path: str | Path, dialect: TableDialect) -> int | None:
    """The first row with which, as its header, a table can be read; None if there is none near."""
    for row in range(2, DEEPEST + 1):
        try:
            records = read_records(path, replace(dialect, header_row=row))
        except (InputError, SettingError):
            continue
        if len(records.columns) > 1:
            return row
    return None
