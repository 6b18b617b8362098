"""Twin of token_spans in unmatched.cpp: the positions of Penn tokens in their original text.

The Penn tokenizer drops white space and writes a straight double quote as `` or ''; it keeps every
other character, in order. So the next token starts at the next occurrence of its own text, or of a
double quote.
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Bytes, Ints

QUOTES = (b"``", b"''")


def token_spans(
    buffer: Bytes, spans: Ints, token_buffer: Bytes, token_lines: Ints, threads: int
) -> Ints:
    """First byte and byte after the last, in `buffer`, of each token of each line, [tokens, 2].

    `token_lines` are spans in `token_buffer` of lines of tokens with one space between.
    """
    del threads
    if len(spans) != len(token_lines):
        raise ValueError("there must be as many lines of tokens as lines")
    text, joined = buffer.tobytes(), token_buffer.tobytes()
    places_of_tokens: list[tuple[int, int]] = []
    for (start, stop), (first, last) in zip(spans.tolist(), token_lines.tolist(), strict=True):
        at = start
        tokens = joined[first:last]
        for token in tokens.removesuffix(b" ").split(b" ") if tokens else []:
            spellings = (token, b'"') if token in QUOTES else (token,)
            places = [
                (text.find(spelling, at, stop), len(spelling)) for spelling in spellings if spelling
            ]
            reached = [(place, -length) for place, length in places if place >= 0]
            if not reached:
                raise ValueError("tokens must be Penn tokens of their line")
            place, length = min(reached)
            at = place - length
            places_of_tokens.append((place, at))
    return np.array(places_of_tokens, np.int64).reshape(-1, 2)
