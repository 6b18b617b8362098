"""Amounts of money as people read and write them."""

from __future__ import annotations


def in_cents(text: str) -> int | None:
    """Dollars as they are written, in cents; None for anything else.

    >>> in_cents("250"), in_cents("$1,250.5"), in_cents("0.01"), in_cents("1e3"), in_cents("1.005")
    (25000, 125050, 1, None, None)
    """
    whole, _, part = text.strip().removeprefix("$").replace(",", "").partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 9):
        return None
    if len(part) > 2 or (part and not (part.isascii() and part.isdigit())):
        return None
    return int(whole) * 100 + int(part.ljust(2, "0"))


def money(cents: int | None) -> str:
    """Cents as dollars.

    >>> money(5), money(123456), money(-50), money(None)
    ('$0.05', '$1,234.56', '-$0.50', '–')
    """
    if cents is None:
        return "–"
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
