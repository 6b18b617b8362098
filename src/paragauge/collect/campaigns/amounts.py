"""Amounts of money as text: dollars to cents and back."""

from __future__ import annotations


def parse_cents(text: str) -> int | None:
    """Parse an amount in dollars into cents; None for anything else.

    >>> [parse_cents(text) for text in ("250", "$1,250.5", "0.01", "1e3", "1.005")]
    [25000, 125050, 1, None, None]
    """
    whole, _, part = text.strip().removeprefix("$").replace(",", "").partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 9):
        return None
    if len(part) > 2 or (part and not (part.isascii() and part.isdigit())):
        return None
    return int(whole) * 100 + int(part.ljust(2, "0"))


def format_money(cents: int | None) -> str:
    """Cents as dollars.

    >>> format_money(5), format_money(123456), format_money(-50), format_money(None)
    ('$0.05', '$1,234.56', '-$0.50', '–')
    """
    if cents is None:
        return "–"
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
