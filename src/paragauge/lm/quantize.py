"""Quantization of probabilities and back-offs: few values instead of many.

The values of one order are sorted and cut into 2^bits bins of equal size, each represented by
its mean, as KenLM does (Heafield 2011). Where there are no more different values than bins, nothing is
lost. A back-off of 0, which most n-grams without successors have, keeps a code of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError
from paragauge.kernels.layout import Singles

LEAST_BITS, MOST_BITS = 4, 8
Codes = NDArray[np.uint8]


def check_bits(bits: int | None) -> None:
    """Raise an error for an unsupported number of bits.

    >>> check_bits(9)
    Traceback (most recent call last):
    paragauge.errors.SettingError: bits: expected a whole number from 4 to 8, or none, found 9
    """
    if bits is not None and (not isinstance(bits, int) or not LEAST_BITS <= bits <= MOST_BITS):
        raise SettingError(
            f"bits: expected a whole number from {LEAST_BITS} to {MOST_BITS}, or none, found {bits!r}"
        )


def quantize(values: Singles, bits: int, *, zero: bool = False) -> tuple[Singles, Codes]:
    """The codebook [2^bits], ascending except for the `zero` in front, and the codes of the values.

    >>> book, codes = quantize(np.array([0, -1, -1, -2], np.float32), 4, zero=True)
    >>> book[codes].tolist()
    [0.0, -1.0, -1.0, -2.0]
    """
    bins = (1 << bits) - zero
    rest = values[values != 0] if zero else values
    centers = np.unique(rest)
    if len(centers) > bins:
        parts = np.array_split(np.sort(rest), bins)
        centers = np.unique(np.array([part.mean(dtype=np.float64) for part in parts], np.float32))
    book = np.zeros(1 << bits, np.float32)
    book[zero : zero + len(centers)] = centers
    middles = (centers[1:].astype(np.float64) + centers[:-1]) / 2
    codes = np.searchsorted(middles, values, side="left") + zero
    if zero:
        codes[values == 0] = 0
    return book, codes.astype(np.uint8)


def pack_codes(codes: Codes, bits: int) -> bytes:
    """Pack codes of `bits` bits each, without gaps.

    >>> len(pack_codes(np.zeros(10, np.uint8), 4))
    5
    """
    if bits == MOST_BITS:
        return codes.tobytes()
    flat = np.unpackbits(codes[:, None], axis=1, count=bits, bitorder="little")
    return np.packbits(flat, bitorder="little").tobytes()


def unpack_codes(packed: bytes, bits: int, size: int) -> Codes:
    """The codes that `pack_codes` packed.

    >>> unpack_codes(pack_codes(np.array([3, 9], np.uint8), 5), 5, 2).tolist()
    [3, 9]
    """
    raw = np.frombuffer(packed, np.uint8)
    if bits == MOST_BITS:
        return raw
    flat = np.unpackbits(raw, count=size * bits, bitorder="little").reshape(size, bits)
    return np.packbits(flat, axis=1, bitorder="little").reshape(size)
