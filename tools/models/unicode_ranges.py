"""Write src/paragauge/kernels/text/unicode_ranges.inc: the N, P and S code points of Unicode.

sacreBLEU's `intl` tokenizer asks the `regex` module for `\\p{N}`, `\\p{P}` and `\\p{S}`. The table is
taken from the installed `regex`, so that both tools agree on every code point. Run it again when
`regex` adopts a newer Unicode version:

    python tools/models/unicode_ranges.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import regex

TARGET = Path(__file__).parents[2] / "src" / "paragauge" / "kernels" / "text" / "unicode_ranges.inc"
PATTERNS = {letter: regex.compile(rf"\p{{{letter}}}") for letter in "NPS"}


def category(code: int) -> str | None:
    """The letter of N, P or S that `code` belongs to."""
    char = chr(code)
    return next((letter for letter, pattern in PATTERNS.items() if pattern.match(char)), None)


def ranges() -> Iterator[tuple[int, int, str]]:
    """Maximal runs (first, last, letter) in ascending order."""
    start, letter = 0, category(0)
    for code in range(1, 0x110001):
        current = category(code) if code < 0x110000 else None
        if current != letter:
            if letter is not None:
                yield start, code - 1, letter
            start, letter = code, current


def main() -> None:
    lines = [f"// Written by tools/models/unicode_ranges.py from regex {regex.__version__}."]
    lines += [f"{{0x{first:04X}, 0x{last:04X}, {letter}}}," for first, last, letter in ranges()]
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{TARGET}: {len(lines) - 1} ranges")


if __name__ == "__main__":
    main()
