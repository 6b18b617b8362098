"""Numbers in the cells of tables."""

from __future__ import annotations

import datetime
import math
import re

NOTHING = ("", "NA", "N/A", "#N/A", "#NV", "NaN", "nan", "None", "null")
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
    """
    if isinstance(value, (datetime.date, datetime.time, datetime.datetime, datetime.timedelta)):
        return "; Excel has made a date of the number: format the column as numbers and type it again"
    if not isinstance(value, str):
        return ""
    if decimal == "." and _DECIMAL_COMMA.fullmatch(value.strip()):
        return '; if the comma stands before decimals, give --decimal , (in Python decimal=",")'
    if decimal == "," and "." in value and parse_number(value) is not None:
        return "; with --decimal , a point cannot stand before decimals"
    return ""
