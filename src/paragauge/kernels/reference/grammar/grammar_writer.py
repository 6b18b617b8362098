"""Twin of grammar_writer.cpp: write rules in normal form as lines of a grammar.

    joshua          [LHS] ||| source ||| target ||| features ||| alignment
    hiero           as joshua, with [index] for non-terminals of the target side, as cdec has it
    ppdb            as joshua, always with features and alignment, then entailment if there is one
    moses-rules     source [X] ||| target [LHS] ||| scores ||| alignment ||| counts |||
    moses-phrases   source ||| target ||| scores ||| alignment ||| counts |||

The first two leave out empty fields at the end. Features are `name=value`, without those that are NaN,
or just values if the name is empty. Numbers have the fewest digits that read back exactly. In rules of
Moses a non-terminal is `[X][label]`, and the links between non-terminals join those of the words.
Counts are written if a row has all of them.

Writing stops at the first row that cannot be written; the reasons are

1. a feature that is written by position is missing;
2. a word would be read as something else: a non-terminal, `|||`, or two words;
3. the sides are not in normal form: each index from 1 to the number of labels once on each;
4. a phrase table cannot hold non-terminals;
5. a label is empty, or cannot be told from what is around it;
6. the alignment or the entailment is malformed.
"""

from __future__ import annotations

import math

import numpy as np

from paragauge.kernels.grammar_line import BLANK, INDEX, LINK, NONTERMINAL, two_labels
from paragauge.kernels.layout import Floats, Texts, unpack_texts

JOSHUA, HIERO, PPDB, TO_MOSES_RULES, TO_MOSES_PHRASES = range(5)


class UnwritableRow(Exception):  # noqa: N818  # a result, not an error
    """A row that cannot be written, for one of the reasons."""


def shortest(value: float) -> str:
    """The shorter of the plain and the scientific form, the plain one if they are equal.

    >>> shortest(0.1), shortest(1e22), shortest(-0.0)
    ('0.1', '1e+22', '-0')
    """
    large = abs(value) >= 1 << 53  # whole, and all its digits are written
    plain = str(int(value)) if large else np.format_float_positional(value, trim="-")
    scientific = np.format_float_scientific(value, trim="-", exp_digits=2)
    return plain if len(plain) <= len(scientific) else scientific


def _symbols(side: str, labels: list[str], style: int) -> list[str | int]:
    """Words, and numbers of non-terminals."""
    symbols: list[str | int] = []
    for token in side.split(" "):
        if match := INDEX.fullmatch(token):
            symbols.append(int(match[1]) if len(match[1]) < 10 else 0)
            continue
        looks_like_nonterminal: object = NONTERMINAL.fullmatch(token) if style <= PPDB else None
        if style == TO_MOSES_RULES:
            looks_like_nonterminal = two_labels(token)
        if not token or BLANK.search(token) or "|||" in token or looks_like_nonterminal:
            raise UnwritableRow(2)
        symbols.append(token)
    if sorted(symbol for symbol in symbols if isinstance(symbol, int)) != list(
        range(1, len(labels) + 1)
    ):
        raise UnwritableRow(3)
    return symbols


def _line(row: tuple[str, ...], scores: list[str], counts: list[float], style: int) -> str:
    lhs, joined_labels, source, target, alignment, entailment = row
    labels = joined_labels.split(" ") if joined_labels else []
    for label in [lhs, *labels]:
        if not label or BLANK.search(label) or "|||" in label:
            raise UnwritableRow(5)
        if style == TO_MOSES_RULES and "][" in label:
            raise UnwritableRow(5)
    sides = [_symbols(side, labels, style) for side in (source, target)]
    links = alignment.split(" ") if alignment else []
    if not all(map(LINK.fullmatch, links)):
        raise UnwritableRow(6)
    if any(not word or "|||" in word or "\n" in word for word in entailment.split(" ") if entailment):
        raise UnwritableRow(6)
    if style == TO_MOSES_PHRASES and labels:
        raise UnwritableRow(4)
    if style in (TO_MOSES_RULES, TO_MOSES_PHRASES):
        if style == TO_MOSES_RULES:
            links = _add_nonterminal_links(links, *sides)
        texts = [
            " ".join(f"[X][{labels[s - 1]}]" if isinstance(s, int) else s for s in side)
            + (f" [{left}]" if style == TO_MOSES_RULES else "")
            for side, left in zip(sides, ("X", lhs), strict=True)
        ]
        counted = [] if any(map(math.isnan, counts)) else [shortest(count) for count in counts]
        fields = [*texts, " ".join(scores), " ".join(links), " ".join([*counted, "|||"])]
        return " ||| ".join(fields) + "\n"
    texts = [
        " ".join(
            (f"[{labels[s - 1]},{s}]" if full else f"[{s}]") if isinstance(s, int) else s for s in side
        )
        for side, full in zip(sides, (True, style != HIERO), strict=True)
    ]
    fields = [f"[{lhs}]", *texts, " ".join(scores), " ".join(links)]
    if style == PPDB:
        fields += [entailment] if entailment else []
    else:
        while len(fields) > 3 and not fields[-1]:
            fields.pop()
    return " ||| ".join(fields) + "\n"


def _add_nonterminal_links(
    links: list[str], source: list[str | int], target: list[str | int]
) -> list[str]:
    pairs = {(int(s), int(t)) for s, t in (link.split("-") for link in links)}
    pairs |= {
        (place, target.index(symbol)) for place, symbol in enumerate(source) if isinstance(symbol, int)
    }
    return [f"{s}-{t}" for s, t in sorted(pairs)]


def format_grammar(
    columns: tuple[Texts, Texts, Texts, Texts, Texts, Texts],
    values: Floats,
    names: Texts,
    counts: Floats,
    style: int,
    threads: int,
) -> tuple[bytes, int, int]:
    """Lines of the rows, the first row that cannot be written (-1: all can), and the reason.

    Columns are lhs, labels, source, target, alignment and entailment; `values` has the features
    [rows, features], `names` their names, empty for those written by position; `counts` [rows, counts].
    """
    del threads
    if not 0 <= style <= 4:
        raise ValueError("style must be from 0 to 4")
    rows = list(zip(*map(unpack_texts, columns), strict=True))
    if len(rows) != len(values) or len(rows) != len(counts):
        raise ValueError("all columns must have the same number of rows")
    named = unpack_texts(names)
    if len(named) != values.shape[1]:
        raise ValueError("each feature needs a name")
    lines = []
    for number, row in enumerate(rows):
        features = values[number].tolist()
        try:
            scores = []
            for name, value in zip(named, features, strict=True):
                if not math.isnan(value):
                    scores.append(f"{name}={shortest(value)}" if name else shortest(value))
                elif not name:
                    raise UnwritableRow(1)  # noqa: TRY301
            lines.append(_line(row, scores, counts[number].tolist(), style))
        except UnwritableRow as unwritable:
            return b"", number, int(unwritable.args[0])
    return "".join(lines).encode(), -1, 0
