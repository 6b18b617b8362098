"""Memory sizes as users write them."""

from __future__ import annotations

import re

from paragauge.errors import SettingError

MOST = 10**15
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:([KMGT])(i?))?B")


def parse_size(text: str) -> int:
    """The number of bytes in a size such as 500MB or 4GiB.

    >>> parse_size("1.5GB"), parse_size("1KiB"), parse_size("100B")
    (1500000000, 1024, 100)
    >>> parse_size("99999999999GB")
    Traceback (most recent call last):
    paragauge.errors.SettingError: memory: expected at most 1000TB, found '99999999999GB'
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        raise SettingError(f"memory: expected a size such as 500MB or 4GB, found {text!r}")
    number, unit, binary = match.groups()
    size = float(number) * (1024 if binary else 1000) ** (" KMGT".index(unit or " "))
    if size > MOST:
        raise SettingError(f"memory: expected at most 1000TB, found {text!r}")
    return int(size)
