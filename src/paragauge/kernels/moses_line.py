"""Parse one line of a Moses phrase table, or say what is wrong.

    source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| alignment ||| counts ||| ...

Words are separated by spaces, fields by the word `|||`. Scores after the fourth and fields after the
fifth are ignored. The alignment, source position first, and the counts (of the target, of the source,
of the pair) may be missing or empty.
"""

from __future__ import annotations

import math
import re

NUMBER = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
LINK = re.compile(r"([0-9]+)-([0-9]+)")
MOST = 1 << 53  # counts up to here are exact
Row = tuple[str, str, str, list[float], list[int]]


def parse_number(text: str) -> float:
    """A decimal number without a sign, or NaN.

    >>> parse_number("2.5e-1"), parse_number("-1")
    (0.25, nan)
    """
    value = float(text) if NUMBER.fullmatch(text) else math.nan
    return value if value < math.inf else math.nan


def parse_moses_line(line: str) -> Row:
    """Source, target, alignment, four scores and three counts (-1: none); a ValueError says why not.

    >>> parse_moses_line("la maison ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 2 1 1 |||")
    ('la maison', 'the house', '0-0 1-1', [0.5, 0.25, 1.0, 0.125], [2, 1, 1])
    """
    fields: list[list[str]] = [[]]
    for word in line.split(" "):
        if word == "|||":
            fields.append([])
        elif word:
            fields[-1].append(word)
    if len(fields) < 3:
        fields_found = "1 field" if len(fields) == 1 else "2 fields"
        raise ValueError(f"expected source ||| target ||| scores, found {fields_found}")
    source, target, scores, alignment, counts = [*fields, [], []][:5]
    for name, phrase in (("source", source), ("target", target)):
        if not phrase:
            raise ValueError(f"expected a {name} phrase, found nothing")
    numbers = [parse_number(text) for text in scores]
    if len(numbers) < 4 or any(map(math.isnan, numbers)):
        raise ValueError(f"expected four numbers such as 0.5 0.25 1 0.125, found {_quote(scores)}")
    for link in alignment:
        match = LINK.fullmatch(link)
        if match is None:
            raise ValueError(f"expected links such as 0-0 1-2, found {_quote([link])}")
        if int(match[1]) >= len(source) or int(match[2]) >= len(target):
            sizes = f"{len(source)} and {len(target)} words"
            raise ValueError(f"expected links within phrases of {sizes}, found {_quote([link])}")
    whole_counts = [parse_number(text) for text in counts]
    if len(whole_counts) not in (0, 3) or not all(n <= MOST and n == int(n) for n in whole_counts):
        raise ValueError(
            "expected whole counts of the target, the source and the pair, such as 4 2 1, "
            f"found {_quote(counts)}"
        )
    return (
        " ".join(source),
        " ".join(target),
        " ".join(alignment),
        numbers[:4],
        [int(n) for n in whole_counts] or [-1] * 3,
    )


def _quote(words: list[str]) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= 60 else text[:60] + "...")
