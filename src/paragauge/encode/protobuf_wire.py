"""Fields of a protobuf message as bytes.

A message is its fields one after another. A field starts with a key, 8 times its number plus its kind:

    0  a varint: a whole number in groups of 7 bits, the lowest first; every byte but the last has its
       highest bit set. A negative number is written as its two's complement in 64 bits
    2  a length as a varint, then that many bytes: a text, raw bytes, or another message
    5  four bytes: a float, the lowest byte first

See https://protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct

VARINT, BYTES, FLOAT = 0, 2, 5


def varint(number: int) -> bytes:
    """A whole number of at most 64 bits.

    150 is 1 * 128 + 22: first 22 with the highest bit set, then 1.

    >>> list(varint(150)), 128 + 22
    ([150, 1], 150)
    """
    rest = number % 2**64
    groups = bytearray()
    while rest >= 128:
        groups.append(rest % 128 + 128)
        rest //= 128
    return bytes([*groups, rest])


def integer_field(number: int, value: int) -> bytes:
    """A field with a whole number; also for Booleans and enumerations.

    >>> list(integer_field(1, 3))
    [8, 3]
    """
    return varint(8 * number + VARINT) + varint(value)


def float_field(number: int, value: float) -> bytes:
    """A field with a float, rounded to 32 bits.

    >>> list(float_field(2, 1.0)), hex(0x7F << 23)
    ([21, 0, 0, 128, 63], '0x3f800000')
    """
    return varint(8 * number + FLOAT) + struct.pack("<f", value)


def bytes_field(number: int, *parts: bytes) -> bytes:
    """A field with bytes, or with the message whose fields are `parts`.

    >>> bytes_field(7, integer_field(1, 3), integer_field(1, 4))
    b':\\x04\\x08\\x03\\x08\\x04'
    """
    size = sum(map(len, parts))
    return b"".join([varint(8 * number + BYTES), varint(size), *parts])


def text_field(number: int, text: str) -> bytes:
    """A field with a text in UTF-8.

    >>> text_field(1, "né")
    b'\\n\\x03n\\xc3\\xa9'
    """
    return bytes_field(number, text.encode())
