"""Numbers and settings as text, for messages and tables."""

from __future__ import annotations

from typing import Any


def pluralize(number: int, what: str, many: str | None = None) -> str:
    """A number with its noun in singular or plural; the plural adds an s unless `many` gives it.

    >>> pluralize(1, "pair"), pluralize(2000, "pair"), pluralize(0, "pair has", "pairs have")
    ('1 pair', '2,000 pairs', '0 pairs have')
    """
    return f"{number:,} {what if number == 1 else many or f'{what}s'}"


def format_signed(value: float) -> str:
    """A number with its sign and two decimals, or more where it would round to zero.

    >>> format_signed(1.5), format_signed(-0.25), format_signed(-0.00123), format_signed(-0.0)
    ('+1.50', '-0.25', '-0.001', '+0.00')
    """
    if value == 0:
        return "+0.00"
    return f"{value:+.2f}" if abs(value) >= 0.005 else f"{value:+.1g}"


def format_setting(value: float) -> str:
    """A number as short as possible, but so that different numbers are never written alike.

    >>> format_setting(-1.0), format_setting(0.25), format_setting(-1.0000001)
    ('-1', '0.25', '-1.0000001')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def format_value(value: Any) -> str:
    """A value of a description as text.

    >>> [format_value(value) for value in (True, None, ["13a", None], 2000, {"top": 5})]
    ['yes', 'none', '13a, none', '2,000', 'top 5']
    """
    if isinstance(value, dict):
        return ", ".join(f"{name} {format_value(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(format_value, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return "none" if value is None else str(value)


def p_text(p: float | None) -> str:
    """A p-value for reading.

    >>> p_text(0.0004), p_text(0.25), p_text(None)
    ('<0.001', '0.250', '')
    """
    return "" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"
