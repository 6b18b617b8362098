"""Numbers and settings as people write them, for messages and tables."""

from __future__ import annotations

from typing import Any


def counted(number: int, what: str, many: str | None = None) -> str:
    """A number with its noun; the plural adds an s unless `many` gives it.

    >>> counted(1, "pair"), counted(2000, "pair"), counted(0, "pair has", "pairs have")
    ('1 pair', '2,000 pairs', '0 pairs have')
    """
    return f"{number:,} {what if number == 1 else many or f'{what}s'}"


def signed(value: float) -> str:
    """A number with its sign and two decimals, or more where it would round to zero.

    >>> signed(1.5), signed(-0.25), signed(-0.00123), signed(-0.0)
    ('+1.50', '-0.25', '-0.001', '+0.00')
    """
    if value == 0:
        return "+0.00"
    return f"{value:+.2f}" if abs(value) >= 0.005 else f"{value:+.1g}"


def plain(value: Any) -> str:
    """A value of a description as text.

    >>> plain(True), plain(None), plain(["13a", None]), plain(2000), plain({"top": 5})
    ('yes', 'none', '13a, none', '2,000', 'top 5')
    """
    if isinstance(value, dict):
        return ", ".join(f"{name} {plain(each)}" for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(plain, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return "none" if value is None else str(value)
