"""Sizes of memory as users write them."""

from __future__ import annotations

import re

from paragauge.errors import SettingError

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:([KMGT])(i?))?B")


def checked_size(text: str) -> int:
    """The bytes of a size such as 500MB or 4GiB.

    >>> checked_size("1.5GB"), checked_size("1KiB"), checked_size("100B")
    (1500000000, 1024, 100)
    """
    found = _SIZE.fullmatch(text)
    if found is None:
        raise SettingError(f"memory: expected a size such as 500MB or 4GB, got {text!r}")
    number, unit, binary = found.groups()
    return int(float(number) * (1024 if binary else 1000) ** (" KMGT".index(unit or " ")))
