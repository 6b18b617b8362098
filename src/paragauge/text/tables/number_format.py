"""Numbers in the cells of tables."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable

NOTHING = ("", "NA", "N/A", "#N/A", "#NV", "NaN", "nan", "None", "null")
# What people write where there is no answer, and what a message says of it.
_NO_ANSWER = re.compile(r"\W+|[nk] ?[./]? ?[ad] ?\.?|keine angabe|no answer|missing|nil", re.IGNORECASE)
EMPTY_CELL = "; leave the cell empty where there is no number"
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+(?:,\d*)?|[+-]?\d{1,3}(?:,\d{3})+\.\d*")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?")


def parse_number(value: object, decimal: str = ".") -> float | None:
    """A cell as a finite number, NaN if it holds nothing, None if it is anything else.

    >>> parse_number("3,5", ","), parse_number("NA"), parse_number("3,5")
    (3.5, nan, None)
    """
    if value is None:
        return math.nan
    if isinstance(value, str):
        value = value.strip()
        if value in NOTHING:
            return math.nan
        if decimal == ",":
            if "." in value:
                return None  # a thousands separator, or a decimal point after all
            value = value.replace(",", ".")
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isnan(number) or -1e15 < number < 1e15 else None


def number_hint(value: object, decimal: str) -> str:
    """What to do about a cell that is no number, as the end of a message; empty if unknown.

    >>> number_hint("3,5", ".")
    '; if the comma stands before decimals, give --decimal , (in Python decimal=",")'
    >>> number_hint("k.A.", ".")
    '; leave the cell empty where there is no number'
    """
    if isinstance(value, (datetime.date, datetime.time, datetime.datetime, datetime.timedelta)):
        return "; Excel has made a date of the number: format the column as numbers and type it again"
    if not isinstance(value, str):
        return ""
    text = value.strip()
    if _THOUSANDS.fullmatch(text) and parse_number(text, ".") is None:
        more = ""
        if decimal == "." and text.rfind(",") > text.rfind("."):
            more = ', and give --decimal , (in Python decimal=",")'
        return f"; write the number without signs between thousands{more}"
    if decimal == "." and _DECIMAL_COMMA.fullmatch(text):
        return '; if the comma stands before decimals, give --decimal , (in Python decimal=",")'
    if decimal == "," and "." in value and parse_number(value) is not None:
        return "; with --decimal , a point cannot stand before decimals"
    return EMPTY_CELL if _NO_ANSWER.fullmatch(text) else ""


def has_words(cells: Iterable[object], decimal: str) -> bool:
    """Whether most cells of a column are no numbers, however numbers are written; None is no cell.

    >>> has_words(["good", "bad", "3"], "."), has_words(["k.A.", "3,5", None], ".")
    (True, False)
    """
    given = [cell for cell in cells if cell is not None]
    numbers = sum(
        parse_number(cell, decimal) is not None or number_hint(cell, decimal) not in ("", EMPTY_CELL)
        for cell in given
    )
    return 2 * numbers < len(given)
