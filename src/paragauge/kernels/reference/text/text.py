"""Twins of lines.cpp, tokenize.cpp and encode.cpp: from bytes to ids."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Bytes, Ids, Ints, TextColumn, lines_of_segments, texts
from paragauge.kernels.reference.text.penn import penn_tokens


def first_invalid_utf8(buffer: Bytes) -> int | None:
    """Offset of the first byte that is not part of well-formed UTF-8, or None."""
    try:
        buffer.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def split_lines(buffer: Bytes, start: int, limit: int, last: bool) -> tuple[Ints, int]:
    r"""Spans of at most `limit` lines from byte `start` on, and the byte after them.

    A line ends at ``\n`` or ``\r\n``. What follows the last line end is a line only if `last`.
    """
    text = buffer.tobytes()
    spans: list[tuple[int, int]] = []
    while len(spans) < limit and start < len(text):
        stop = text.find(b"\n", start)
        if stop < 0 and not last:
            break
        following = stop + 1 if stop >= 0 else len(text)
        if stop < 0:
            stop = len(text)
        elif text[start:stop].endswith(b"\r"):
            stop -= 1
        spans.append((start, stop))
        start = following
    return np.array(spans, np.int64).reshape(-1, 2), start


def split_fields(buffer: Bytes, spans: Ints) -> tuple[Ints, Ints]:
    """Split every line at each tab: spans of all fields, and groups with the fields of each line."""
    text = buffer.tobytes()
    fields, groups = [], [0]
    for start, stop in spans.tolist():
        at = start
        for field in text[start:stop].split(b"\t"):
            fields.append((at, at + len(field)))
            at += len(field) + 1
        groups.append(len(fields))
    return np.array(fields, np.int64).reshape(-1, 2), np.array(groups, np.int64)


def count_blank(buffer: Bytes, spans: Ints) -> int:
    """How many lines have nothing but white space."""
    return sum(not line.strip() for line in texts(buffer, spans))


def count_tabbed(buffer: Bytes, spans: Ints) -> int:
    """How many lines have a tab."""
    return sum("\t" in line for line in texts(buffer, spans))


def lower_latin(buffer: Bytes, spans: Ints) -> tuple[Bytes, Ints]:
    """The buffer with Latin letters up to U+017F lowercased, and the lines that need more than that.

    Those are the lines with other characters than ASCII, U+0080 to U+017F and U+2000 to U+20BF, or with
    the dotted capital I, whose lower case has two characters.
    """
    text = buffer.tobytes()
    lowercased = _LATIN_CAPITALS.sub(lambda found: found[0].decode().lower().encode(), text)
    pieces = [text[start:stop] for start, stop in spans.tolist()]
    foreign = [number for number, piece in enumerate(pieces) if not _LATIN.fullmatch(piece)]
    return np.frombuffer(lowercased, np.uint8), np.array(foreign, np.int64)


_LATIN = re.compile(rb"(?:[\0-\x7f]|[\xc2-\xc5][\x80-\xbf](?<!\xc4\xb0)|\xe2[\x80-\x82][\x80-\xbf])*")
_LATIN_CAPITALS = re.compile(rb"[A-Z]+|(?:[\xc3-\xc5][\x80-\xbf](?<!\xc4\xb0))+")


def _chain(*rules: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), replacement) for pattern, replacement in rules]


_MTEVAL = _chain(
    (r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "),
    (r"([^0-9])([\.,])", r"\1 \2 "),
    (r"([\.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)


def _category(name: str) -> str:
    """The inside of a character class; the ranges are data shared with the native kernel."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in unicode_ranges(name).tolist())


def unicode_ranges(category: str) -> Ints:
    """Ranges [m, 2] of the code points of general category N, P or S (a table, not a kernel)."""
    return _native.unicode_ranges(category)


_INTL = _chain(
    (rf"([^{_category('N')}])([{_category('P')}])", r"\1 \2 "),
    (rf"([{_category('P')}])([^{_category('N')}])", r" \1 \2"),
    (rf"([{_category('S')}])", r" \1 "),
)

# Two ranges end oddly because sacreBLEU's table does; see tokenize.cpp.
_CHINESE = re.compile(
    "([\u2001-\u2a6d\u2e80-\u2eff\u2f00-\u2fdf\u2ff0-\u2fff\u3000-\u303f\u3100-\u312f\u31a0-\u31bf"
    "\u31c0-\u31ef\u3200-\u32ff\u3300-\u33ff\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a"
    "\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef])"
)


_BLANKS = re.compile(r"[ \t\n\v\f\r]+")


def _apply(chain: list[tuple[re.Pattern[str], str]], line: str) -> list[str]:
    for pattern, replacement in chain:
        line = pattern.sub(replacement, line)
    return line.split()


def tokens(line: str, scheme: str) -> list[str]:
    """Tokens of one line as sacreBLEU's tokenizer `scheme` or Penn's makes them, or between spaces.

    >>> tokens("It cost $3.50, didn't it?", "13a")
    ['It', 'cost', '$', '3.50', ',', "didn't", 'it', '?']
    """
    if scheme == "blanks":
        return [word for word in _BLANKS.split(line) if word]
    line = line.rstrip()
    if scheme == "13a":
        line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        for escaped, plain in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            line = line.replace(escaped, plain)
        return _apply(_MTEVAL, f" {line} ")
    if scheme == "zh":
        return _apply(_MTEVAL, _CHINESE.sub(r" \1 ", line.strip()))
    if scheme == "intl":
        return _apply(_INTL, line)
    if scheme == "char":
        return [char for char in line if not char.isspace()]
    if scheme == "none":
        return line.split()
    if scheme == "penn":
        return penn_tokens(line)
    raise ValueError(f"no native tokenizer named '{scheme}'")


def tokenize_lines(buffer: Bytes, spans: Ints, scheme: str, threads: int) -> tuple[Bytes, Ints]:
    """The tokens of each line joined by a space, as one buffer, and offsets [lines + 1] into it."""
    del threads
    joined = [" ".join(tokens(line, scheme)).encode() for line in texts(buffer, spans)]
    offsets = np.cumsum([0, *map(len, joined)], dtype=np.int64)
    return np.frombuffer(b"".join(joined), np.uint8), offsets


def encode_segments(columns: Sequence[TextColumn], scheme: str, threads: int) -> list[tuple[Ids, Ints]]:
    """Ids and offsets of every column's lines.

    Tokens of one segment are numbered from 0 in order of first appearance, columns in the given
    order; equal numbers mean equal tokens inside one segment only.
    """
    del threads
    lines = [list(texts(buffer, spans)) for buffer, spans, _ in columns]
    members = [lines_of_segments(len(spans), groups) for _, spans, groups in columns]
    ids: list[list[int]] = [[] for _ in columns]
    offsets = [[0] for _ in columns]
    for segment in range(len(members[0]) if columns else 0):
        numbers: dict[str, int] = {}
        for c in range(len(columns)):
            for line in members[c][segment]:
                line_tokens = tokens(lines[c][line], scheme)
                ids[c] += [numbers.setdefault(token, len(numbers)) for token in line_tokens]
                offsets[c].append(len(ids[c]))
    return [(np.array(i, np.int32), np.array(o, np.int64)) for i, o in zip(ids, offsets, strict=True)]


class Vocabulary:
    """A numbering of tokens that holds for a whole corpus; -1 stands for an unknown token."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, token: str) -> int:
        """Number of `token`, the next free one if it is new."""
        return self._numbers.setdefault(token, len(self._numbers))

    def find(self, token: str) -> int:
        """Number of `token`, or -1."""
        return self._numbers.get(token, -1)

    def extend(self, buffer: Bytes, spans: Ints) -> None:
        """Add one token per line, as they are; each must be new."""
        fresh = list(texts(buffer, spans))
        if len(set(fresh)) < len(fresh) or any(token in self._numbers for token in fresh):
            raise ValueError("expected new tokens, each once")
        for token in fresh:
            self.add(token)

    def token(self, number: int) -> str:
        """The token with this number."""
        if not 0 <= number < len(self._numbers):
            raise IndexError(number)
        return list(self._numbers)[number]

    def texts(self, first: int) -> tuple[Bytes, Ints]:
        """The tokens from number `first` on, as one buffer, and offsets into it."""
        encoded = [token.encode() for token in list(self._numbers)[first:]]
        offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return np.frombuffer(b"".join(encoded), np.uint8), offsets

    def encode(
        self, buffer: Bytes, spans: Ints, scheme: str, grow: bool, threads: int
    ) -> tuple[Ids, Ints]:
        """Ids and offsets of all lines; a new token is added in reading order if `grow`."""
        del threads
        number = self.add if grow else self.find
        ids: list[int] = []
        offsets = [0]
        for line in texts(buffer, spans):
            ids += [number(token) for token in tokens(line, scheme)]
            offsets.append(len(ids))
        return np.array(ids, np.int32), np.array(offsets, np.int64)
