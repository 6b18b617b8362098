"""Twin of rows.cpp: rows of delimited text with quotes, read one character after the other."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Bytes, Ints

NO_PROBLEM, STRAY_RETURN, AFTER_QUOTE, OPEN_QUOTE = range(4)


def split_rows(
    buffer: Bytes, limit: int, delimiter: str, last: bool
) -> tuple[Ints, Ints, Ints, Bytes, int, int, int, int]:
    r"""Fields of at most `limit` rows, as RFC 4180 has them with any `delimiter`.

    A row ends at ``\n`` or ``\r\n`` outside quotes; what follows the last end is a row only if `last`.
    Returns spans of the fields, groups with the fields of each row, the line ends before each row, the
    text of fields with doubled quotes (which spans beyond the buffer refer to), the bytes and the line
    ends of the rows, and what is wrong with the row after them: a problem and its byte.
    """
    text = buffer.tobytes()
    if delimiter in '"\n\r':
        raise ValueError("expected a delimiter other than quotes and line ends")
    spans: list[tuple[int, int]] = []
    groups, lines = [0], list[int]()
    unquoted = b""
    consumed = ended = problem = place = 0
    while len(lines) < limit and consumed < len(text):
        fields, more, at, problem, place = _row(text, consumed, delimiter.encode(), last, len(unquoted))
        if fields is None:
            break
        spans += fields
        unquoted += more
        groups.append(len(spans))
        lines.append(ended)
        ended += text.count(b"\n", consumed, at)
        consumed = at
    return (
        np.array(spans, np.int64).reshape(-1, 2),
        np.array(groups, np.int64),
        np.array(lines, np.int64),
        np.frombuffer(unquoted, np.uint8),
        consumed,
        ended,
        problem,
        place,
    )


def _row(
    text: bytes, at: int, delimiter: bytes, last: bool, moved: int
) -> tuple[list[tuple[int, int]] | None, bytes, int, int, int]:
    """Fields, unquoted text and end of one row, or None with a problem and its place."""
    fields: list[tuple[int, int]] = []
    more = b""
    while True:
        otherwise = STRAY_RETURN
        if text[at : at + 1] == b'"':
            quote, at, field = at, at + 1, b""
            start = at
            while True:
                close = text.find(b'"', at)
                if close < 0 or (close + 1 == len(text) and not last):
                    return (None, b"", 0, OPEN_QUOTE, quote) if last else (None, b"", 0, 0, 0)
                at = close + 1
                if text[at : at + 1] != b'"':
                    break
                at += 1
            field = text[start:close]
            if b'"' in field:
                first = len(text) + moved + len(more)
                more += field.replace(b'""', b'"')
                fields.append((first, len(text) + moved + len(more)))
            else:
                fields.append((start, close))
            otherwise = AFTER_QUOTE
        else:
            start = at
            while at < len(text) and text[at : at + 1] not in (delimiter, b"\n", b"\r"):
                at += 1
            fields.append((start, at))
        if at == len(text):
            return (fields, more, at, 0, 0) if last else (None, b"", 0, 0, 0)
        if text[at : at + 1] == b"\n":
            return fields, more, at + 1, 0, 0
        if text[at : at + 2] == b"\r\n":
            return fields, more, at + 2, 0, 0
        if text[at : at + 1] == delimiter:
            at += 1
            if at == len(text) and not last:
                return None, b"", 0, 0, 0
        elif text[at : at + 1] == b"\r":
            wrong = at + 1 < len(text) or last
            return None, b"", 0, STRAY_RETURN if wrong else 0, at if wrong else 0
        else:
            return None, b"", 0, otherwise, at
