"""Files of language models: lines of ARPA files, the order of a trie, and its packed form."""

from __future__ import annotations

import re

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints, Singles, texts
from paragauge.kernels.reference.lm.estimate import Ngram
from paragauge.kernels.reference.text.text import Vocabulary

LARGEST = float(np.finfo(np.float32).max)
NUMBER = re.compile(r"-?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class NgramSorter:
    """Puts n-grams into the order of a trie: by context, then by word."""

    def __init__(self) -> None:
        self._levels: list[dict[Ngram, int]] = [{(): 0}]

    def add(self, words: Ids) -> tuple[Ints, Ids, str, int]:
        """The n-grams of the next order, flat: positions in the trie's order and parents there.

        Then what is wrong ("context": it is missing, "twice", or "") and with which n-gram.
        """
        order = len(self._levels)
        if order > 6:
            raise ValueError("there are at most 6 orders")
        if len(words) % order:
            raise ValueError("expected as many words as the order for each")
        if len(words) and int(words.min()) < 0:
            raise ValueError("words have numbers from 0 on")
        grams = [tuple(row) for row in words.reshape(-1, order).tolist()]
        none = np.zeros(0, np.int64), np.zeros(0, np.int32)
        for at, gram in enumerate(grams):
            if gram[:-1] not in self._levels[-1]:
                return *none, "context", at
        contexts = self._levels[-1]
        positions = sorted(range(len(grams)), key=lambda i: (contexts[grams[i][:-1]], grams[i][-1], i))
        parents = [contexts[grams[i][:-1]] for i in positions]
        for rank in range(1, len(positions)):
            if grams[positions[rank]] == grams[positions[rank - 1]]:
                return (
                    np.array(positions[:rank], np.int64),
                    np.array(parents[:rank], np.int32),
                    "twice",
                    positions[rank],
                )
        self._levels.append({grams[i]: rank for rank, i in enumerate(positions)})
        return np.array(positions, np.int64), np.array(parents, np.int32), "", 0


def parse_arpa(
    buffer: Bytes, spans: Ints, order: int, vocabulary: Vocabulary
) -> tuple[Ids, Singles, Singles, str, int]:
    """Words (flat), probabilities and back-offs of lines up to the first wrong one.

    Then what is wrong ("fields", "number", "probability", "word", "twice" or "") and in which line.
    Unigrams are added to the vocabulary.
    """
    if not 1 <= order <= 6:
        raise ValueError("order must be from 1 to 6")
    words: list[int] = []
    values: list[tuple[float, float]] = []
    fault, at = "", 0
    for number, line in enumerate(texts(buffer, spans)):
        fields = [field for field in re.split("[ \t]", line) if field]
        fault = _fault(fields, order, vocabulary, words)
        if fault:
            at = number
            break
        backoff = float(fields[-1]) if len(fields) == order + 2 else 0.0
        values.append((float(fields[0]), backoff))
    columns = np.array(values, np.float32).reshape(-1, 2)
    return (
        np.array(words, np.int32),
        np.ascontiguousarray(columns[:, 0]),
        np.ascontiguousarray(columns[:, 1]),
        fault,
        at,
    )


def _fault(fields: list[str], order: int, vocabulary: Vocabulary, words: list[int]) -> str:
    if not order + 1 <= len(fields) <= order + 2:
        return "fields"
    for text in (fields[0], *fields[order + 1 :]):
        if NUMBER.fullmatch(text) is None or not abs(float(text)) <= LARGEST:
            return "number"
    if float(fields[0]) > 0:
        return "probability"
    for word in fields[1 : order + 1]:
        number = vocabulary.find(word)
        if order == 1 and number != -1:
            return "twice"
        if order == 1:
            number = vocabulary.add(word)
        if number == -1:
            return "word"
        words.append(number)
    return ""


def format_arpa(
    words: Ids,
    order: int,
    probabilities: Singles,
    backoffs: Singles,
    highest: bool,
    vocabulary: Vocabulary,
    threads: int,
) -> bytes:
    """Lines of an ARPA file; numbers have as few digits as tell them from all others."""
    del threads
    if order < 1 or len(words) != order * len(probabilities) or len(backoffs) != len(probabilities):
        raise ValueError("the arrays must have one length")
    if len(words) and not 0 <= int(words.min()) <= int(words.max()) < len(vocabulary):
        raise ValueError("no such word")
    lines = []
    for row, probability, backoff in zip(
        words.reshape(-1, order).tolist(), probabilities, backoffs, strict=True
    ):
        gram = " ".join(map(vocabulary.token, row))
        end = "" if highest else f"\t{_shortest(backoff)}"
        lines.append(f"{_shortest(probability)}\t{gram}{end}\n")
    return "".join(lines).encode()


def _shortest(value: np.float32) -> str:
    """The shorter of the plain and the scientific form, the plain one if they are equal."""
    plain = np.format_float_positional(value, trim="-")
    scientific = np.format_float_scientific(value, trim="-", exp_digits=2)
    return plain if len(plain) <= len(scientific) else scientific


def pack_children(parents: Ids, words: Ids, contexts: int) -> bytes:
    """For each context the gamma code of its children plus one, then delta codes of word distances."""
    if len(parents) != len(words):
        raise ValueError("the arrays must have one length")
    pairs = list(zip(parents.tolist(), words.tolist(), strict=True))
    for i, (parent, word) in enumerate(pairs):
        if not 0 <= parent < contexts or word < 0:
            raise ValueError("parents and words must be known")
        if i > 0 and not pairs[i - 1] < (parent, word):
            raise ValueError("children must be sorted")
    bits = ""
    for context in range(contexts):
        children = [word for parent, word in pairs if parent == context]
        bits += _gamma(len(children) + 1)
        for before, word in zip([-1, *children], children, strict=False):
            bits += _delta(word - before)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))


def _low_bits(value: int, count: int) -> str:
    return "".join(str(value >> i & 1) for i in range(count))


def _gamma(value: int) -> str:
    width = value.bit_length() - 1
    return "0" * width + "1" + _low_bits(value, width)


def _delta(value: int) -> str:
    width = value.bit_length() - 1
    return _gamma(width + 1) + _low_bits(value, width)


class _Bits:
    """Reads codes from bytes, lowest bit first."""

    def __init__(self, packed: bytes) -> None:
        self._bits = "".join(f"{byte:08b}"[::-1] for byte in packed)
        self._at = 0

    def take(self, count: int) -> int:
        part = self._bits[self._at : self._at + count]
        if len(part) < count:
            raise ValueError("the packed n-grams are damaged")
        self._at += count
        return int(part[::-1] or "0", 2)

    def gamma(self) -> int:
        one = self._bits.find("1", self._at)
        if one < 0 or one - self._at > 31:
            raise ValueError("the packed n-grams are damaged")
        width = one - self._at
        self._at = one + 1
        return 1 << width | self.take(width)

    def delta(self) -> int:
        width = self.gamma() - 1
        if width > 31:
            raise ValueError("the packed n-grams are damaged")
        return 1 << width | self.take(width)

    def done(self) -> bool:
        rest = self._bits[self._at :]
        return len(rest) < 8 and "1" not in rest


def unpack_children(packed: bytes, contexts: int, size: int, words: int) -> tuple[Ids, Ids]:
    """Parents and words of `size` children; a ValueError if the bytes do not hold that."""
    damaged = ValueError("the packed n-grams are damaged")
    if size > 8 * len(packed) or contexts > 8 * len(packed):
        raise damaged
    bits = _Bits(packed)
    children: list[tuple[int, int]] = []
    for context in range(contexts):
        count = bits.gamma() - 1
        if count > size - len(children):
            raise damaged
        following = 0
        for _ in range(count):
            following += bits.delta()
            if following > words:
                raise damaged
            children.append((context, following - 1))
    if len(children) != size or not bits.done():
        raise damaged
    pairs = np.array(children, np.int32).reshape(-1, 2)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
