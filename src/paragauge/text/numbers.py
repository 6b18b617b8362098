"""Numbers and JSON from text, with bounds: what does not fit 64 bits is an error here, not later.

Python reads whole numbers of any size, which overflow when they become array elements, floats or sizes,
and numbers of thousands of digits take time that is quadratic in their length. Every reader of numbers
from files and options goes through these functions. All errors are ValueErrors.
"""

from __future__ import annotations

import json
import math
from typing import Any

from paragauge.errors import excerpt

MOST = (1 << 63) - 1
DIGITS = 20  # of a whole number, with its sign
LONGEST = 400  # characters of a number with a fraction: 1e-308 has 310 without an exponent
SHOWN = 30


def parse_whole(text: str, least: int = -MOST, most: int = MOST) -> int:
    """A whole number in ASCII digits, within bounds.

    >>> parse_whole("-12")
    -12
    >>> parse_whole("9" * 400)
    Traceback (most recent call last):
    ValueError: expected a whole number of at most 19 digits, found 999999999999... (400 characters)
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"expected a whole number, found {excerpt(text, SHOWN)!r}")
    if len(text) > DIGITS:
        raise ValueError(
            f"expected a whole number of at most {DIGITS - 1} digits, found {excerpt(text, SHOWN)}"
        )
    number = int(text)
    if not least <= number <= most:
        raise ValueError(f"expected a whole number from {least} to {most}, found {text}")
    return number


def parse_real(text: str) -> float:
    """A finite number.

    >>> parse_real("2.5e-1")
    0.25
    >>> parse_real("nan")
    Traceback (most recent call last):
    ValueError: expected a number, found 'nan'
    """
    number = math.nan
    if len(text) <= LONGEST and text.isascii() and "_" not in text:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"expected a number, found {excerpt(text, SHOWN)!r}")
    return number


def json_decoder() -> json.JSONDecoder:
    """A decoder of values one by one, with bounded numbers; deep values are a RecursionError.

    >>> json_decoder().raw_decode('{"a": 1}, {"a": 2}')
    ({'a': 1}, 8)
    """
    return json.JSONDecoder(parse_int=parse_whole, parse_float=_parse_fraction)


def parse_json(text: str | bytes) -> Any:
    """The value that JSON text holds; numbers are bounded, and so is the depth.

    >>> parse_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> parse_json("1e999")
    Traceback (most recent call last):
    ValueError: expected a number of at most 1.8e308, found 1e999
    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: the values are nested too deeply
    """
    try:
        return json.loads(text, parse_int=parse_whole, parse_float=_parse_fraction)
    except RecursionError:
        raise ValueError("the values are nested too deeply") from None


def _parse_fraction(text: str) -> float:
    number = float(text) if len(text) <= LONGEST else math.inf
    if math.isinf(number):
        raise ValueError(f"expected a number of at most 1.8e308, found {excerpt(text, SHOWN)}")
    return number
