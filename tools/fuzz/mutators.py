"""Changes of a file's bytes: what disks, networks, editors and other programs do to it, and worse."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable, Sequence

NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
NUMBERS = (
    *(
        b"0",
        b"-1",
        b"-0",
        b"1e999",
        b"-1e999",
        b"nan",
        b"inf",
        b"1_000",
        b"0x10",
        b".5",
        b"5.",
        b"1e-400",
    ),
    *(b"2147483647", b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808"),
    *(b"18446744073709551616", b"1" + b"0" * 30, b"9" * 400, b"9" * 5000, b"0" * 20_000, "٣".encode()),
)
TOKENS = (
    *(b"\0", b"\t", b"\n", b"\r", b"\r\n", b"\x1a", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(
        b" ||| ",
        b"[X,1]",
        b"[",
        b"]",
        b"(",
        b")",
        b"{",
        b"}",
        b'"',
        b'""',
        b"'",
        b",",
        b";",
        b":",
        b"#",
    ),
    *(b"null", b"true", b"NaN", b"Infinity", b'{"a":1}', b"[]", b"<!ENTITY a 'b'>", b"&a;", b"<", b">"),
    *(
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\xe2\x80\x8b",
        "İ".encode(),
        "ﬀ".encode(),
        "𝕏".encode(),
        b"\\ud800",
    ),
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7")
LONGEST = 1 << 20  # bytes of a mutated file
RARITY = 8  # of the changes that can make a file large, one in so many does: large files take long
Mutator = Callable[[bytes, Sequence[bytes], random.Random], bytes]


def is_large(draw: random.Random) -> bool:
    """Whether a change makes a file large this time."""
    return draw.randrange(RARITY) == 0


def truncate(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Cut the end off."""
    return data[: draw.randrange(len(data) + 1)]


def flip(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Change one to eight bits."""
    changed = bytearray(data)
    for _time in range(draw.choice((1, 1, 1, 2, 8))):
        if changed:
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def overwrite(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Set some bytes, often in the first hundred, where headers are."""
    changed = bytearray(data)
    end = min(len(changed), draw.choice((16, 100, len(changed))))
    for _time in range(draw.randrange(1, 5)):
        if end:
            changed[draw.randrange(end)] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
    return bytes(changed)


def splice(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """The beginning of one file and the end of another."""
    other = draw.choice(others)
    return data[: draw.randrange(len(data) + 1)] + other[draw.randrange(len(other) + 1) :]


def grow_numbers(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Put extreme numbers in the place of one to three."""
    for _time in range(draw.randrange(1, 4)):
        found = list(NUMBER.finditer(data[: 1 << 16]))
        if found:
            match = draw.choice(found)
            data = data[: match.start()] + draw.choice(NUMBERS) + data[match.end() :]
    return data


def insert(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Insert bytes that mean something somewhere."""
    for _time in range(draw.randrange(1, 4)):
        at = draw.randrange(len(data) + 1)
        data = data[:at] + draw.choice(TOKENS) + data[at:]
    return data


def delete(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Delete a part."""
    first = draw.randrange(len(data) + 1)
    return data[:first] + data[first + draw.choice((1, 1, 2, 8, 100)) :]


def duplicate(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Repeat a part: once, or very often."""
    first = draw.randrange(len(data) + 1)
    part = data[first : first + draw.choice((1, 4, 40, 400))]
    times = draw.choice((1, 1, 2, 10, draw.choice((1000, 10_000, 100_000)) if is_large(draw) else 100))
    return data[:first] + part * min(times, LONGEST // max(1, len(part))) + data[first:]


def duplicate_line(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Repeat, move or drop a line."""
    lines = data.split(b"\n")
    line = draw.choice(lines)
    change = draw.randrange(3)
    if change == 0:
        lines.insert(draw.randrange(len(lines) + 1), line)
    elif change == 1:
        draw.shuffle(lines)
    else:
        lines.remove(line)
    return b"\n".join(lines)


def nest(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Open many brackets, closed or not."""
    opening, closing = draw.choice(
        ((b"[", b"]"), (b"(", b")"), (b"{", b"}"), (b'{"a":', b"}"), (b"<a>", b"</a>"))
    )
    depth = draw.choice((10, 500, 5000, 100_000)) if is_large(draw) else draw.choice((2, 10, 100))
    at = draw.randrange(len(data) + 1)
    return data[:at] + opening * depth + (data[at:] if draw.random() < 0.5 else b"") + closing * depth


def encode(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """The same text in another encoding, with a byte-order mark, or compressed."""
    change = draw.randrange(4)
    if change == 0:
        return b"\xef\xbb\xbf" + data
    if change == 1:
        packed = gzip.compress(data, 1, mtime=0)
        return packed if draw.random() < 0.5 else packed[: draw.randrange(len(packed))]
    if change == 2:
        return data.replace(b"\n", b"\r\n" if draw.random() < 0.5 else b"\r")
    return data.decode("utf-8", "replace").encode(draw.choice(ENCODINGS), "replace")


MUTATORS: tuple[Mutator, ...] = (
    *(truncate, flip, flip, overwrite, overwrite, splice, grow_numbers, grow_numbers, insert, insert),
    *(delete, duplicate, duplicate_line, nest, encode),
)


def mutate(seeds: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds after one to four changes."""
    data = draw.choice(seeds)
    for _time in range(draw.choice((1, 1, 2, 4))):
        data = draw.choice(MUTATORS)(data, seeds, draw)[:LONGEST]
    return data
