"""The compact form of a model: one file, read in one piece.

    PGNGRAM1                      eight bytes
    CRC-32 of all that follows    32 bits, little-endian, as all numbers are
    length of the header          32 bits
    header                        JSON: orders, counts, bits, the form of the text, sizes of the parts
    words                         zlib: all words except the marks: their lengths (32 bits), then texts
    unigrams                      probabilities, then back-offs, 32-bit floats
    each higher order             children packed by Elias's codes (kernels/lm/codec.hpp),
                                  probabilities, and unless it is the highest order back-offs

Probabilities and back-offs of higher orders are 32-bit floats, or codes of 4 to 8 bits after their
codebook (`quantize.py`). After quantization the probabilities of a context sum to one only
approximately.
"""

from __future__ import annotations

import itertools
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.kernels import _native
from paragauge.kernels.layout import Singles
from paragauge.lm.estimate import MOST_ORDER
from paragauge.lm.ngram_table import Level, NgramTable
from paragauge.lm.quantize import check_bits, pack_codes, quantize, unpack_codes
from paragauge.lm.text_form import MARKS, TextForm, new_vocabulary
from paragauge.text.files import atomic_path, display_name, read_whole
from paragauge.text.lines import Lines
from paragauge.text.numbers import parse_json
from paragauge.text.vocabulary import Vocabulary
from paragauge.version import __version__

MAGIC = b"PGNGRAM1"
HEAD = len(MAGIC) + 8
LITTLE = np.dtype("<f4")


def write_binary(path: str | Path, table: NgramTable, form: TextForm, bits: int | None = None) -> None:
    """Write a model; `bits` quantizes orders from 2 on."""
    data = binary_bytes(table, form, bits)
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)


def binary_bytes(table: NgramTable, form: TextForm, bits: int | None = None) -> bytes:
    """The bytes of the file."""
    check_bits(bits)
    words = _pack_words(table.vocabulary)
    parts = [zlib.compress(words, 9)]
    first = table.levels[0]
    parts += [_floats(first.probabilities), _floats(first.backoffs)]
    for order, level in enumerate(table.levels[1:], 2):
        contexts = len(table.levels[order - 2])
        parts.append(_native.pack_children(level.parents, level.words, contexts))
        parts.append(_pack_values(level.probabilities, bits, zero=False))
        if order < table.order:
            parts.append(_pack_values(level.backoffs, bits, zero=True))
    header = {
        "bits": bits,
        "counts": table.counts,
        "form": form.record(),
        "paragauge": __version__,
        "sizes": [len(part) for part in parts],
        "words": len(words),
    }
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    body = b"".join([len(text).to_bytes(4, "little"), text, *parts])
    return MAGIC + zlib.crc32(body).to_bytes(4, "little") + body


def is_binary(start: bytes) -> bool:
    """Whether a file with this start is a model in this form.

    >>> is_binary(b"PGNGRAM1....")
    True
    """
    return start.startswith(MAGIC)


def read_binary(path: str | Path) -> tuple[NgramTable, TextForm, int | None]:
    """The model in a file, the form of its text, and the bits it is quantized to."""
    return parse_binary(read_whole(path, MAGIC), path)


def parse_binary(data: bytes, path: str | Path) -> tuple[NgramTable, TextForm, int | None]:
    """The model in the bytes of a file."""
    name = display_name(path)
    if not is_binary(data):
        raise FileFormatError(
            name,
            None,
            "expected a language model of paragauge or an ARPA file, found neither; make one with: "
            "paragauge lm train",
        )
    body = data[len(MAGIC) + 4 :]
    if len(data) < HEAD or zlib.crc32(body) != int.from_bytes(data[len(MAGIC) : HEAD - 4], "little"):
        raise FileFormatError(
            name, None, "the model is damaged or cut short (its checksum is wrong); copy it again"
        )
    try:
        return _parse(body)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
        raise FileFormatError(
            name,
            None,
            "expected a language model of this version, found another content; train it again",
        ) from None


def _parse(body: bytes) -> tuple[NgramTable, TextForm, int | None]:
    length = int.from_bytes(body[:4], "little")
    header: dict[str, Any] = parse_json(body[4 : 4 + length])
    counts, sizes, bits = header["counts"], header["sizes"], header["bits"]
    _require(bits is None or (isinstance(bits, int) and 4 <= bits <= 8))
    _require(isinstance(counts, list) and 1 <= len(counts) <= MOST_ORDER)
    _require(all(isinstance(n, int) and 0 <= n < 1 << 31 for n in [*counts, *sizes]))
    _require(sum(sizes) == len(body) - 4 - length)
    ends = np.cumsum([4 + length, *sizes]).tolist()
    parts = iter([body[first:last] for first, last in itertools.pairwise(ends)])
    vocabulary = _unpack_words(next(parts), header["words"])
    _require(counts[0] == len(vocabulary))
    ids = np.arange(counts[0], dtype=np.int32)
    probabilities, backoffs = (_unpack_values(next(parts), None, counts[0]) for _ in range(2))
    levels = [Level(np.zeros(counts[0], np.int32), ids, probabilities, backoffs)]
    for order, count in enumerate(counts[1:], 2):
        children = _native.unpack_children(next(parts), counts[order - 2], count, counts[0])
        probabilities = _unpack_values(next(parts), bits, count)
        backoffs = np.zeros(count, np.float32)
        if order < len(counts):
            backoffs = _unpack_values(next(parts), bits, count)
        levels.append(Level(*children, probabilities, backoffs))
    _require(next(parts, None) is None)
    return NgramTable(vocabulary, tuple(levels)), TextForm.from_record(header["form"]), bits


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError


def _pack_words(vocabulary: Vocabulary) -> bytes:
    texts = vocabulary.texts(len(MARKS))
    lengths = np.diff(texts.spans, axis=1).astype("<u4")
    return lengths.tobytes() + texts.buffer.tobytes()


def _unpack_words(packed: bytes, size: int) -> Vocabulary:
    _require(isinstance(size, int) and 0 <= size < 1 << 31)
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(packed, size + 1)
    _require(len(data) == size and unpacker.eof)
    # The lengths come first; their number is the one for which lengths and words fill the data.
    lengths = np.frombuffer(data[: size // 4 * 4], "<u4").astype(np.int64)
    total = np.cumsum(lengths) + 4 * np.arange(1, len(lengths) + 1)
    count = int(np.searchsorted(total, size)) + 1 if size else 0
    _require(count <= len(lengths) and (count == 0 or int(total[count - 1]) == size))
    buffer = np.frombuffer(data, np.uint8)[4 * count :]
    _require(_native.first_invalid_utf8(buffer) is None)
    stops = np.cumsum(lengths[:count])
    spans = np.stack([stops - lengths[:count], stops], axis=1)
    vocabulary = new_vocabulary()
    vocabulary.extend(Lines(buffer, spans))
    return vocabulary


def _floats(values: Singles) -> bytes:
    return values.astype(LITTLE).tobytes()


def _pack_values(values: Singles, bits: int | None, *, zero: bool) -> bytes:
    if bits is None:
        return _floats(values)
    book, codes = quantize(values, bits, zero=zero)
    return _floats(book) + pack_codes(codes, bits)


def _unpack_values(packed: bytes, bits: int | None, size: int) -> Singles:
    if bits is None:
        values = np.frombuffer(packed, LITTLE).astype(np.float32)
        _require(len(values) == size)
    else:
        book = np.frombuffer(packed[: 4 << bits], LITTLE).astype(np.float32)
        _require(len(packed) == (4 << bits) + (size * bits + 7) // 8)
        values = book[unpack_codes(packed[4 << bits :], bits, size)]
    _require(bool(np.isfinite(values).all()))
    return values
