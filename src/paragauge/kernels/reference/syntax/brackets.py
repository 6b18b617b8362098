"""Twins of brackets.cpp: Penn brackets into arrays.

A tree is `(label child ...)`, a leaf `(tag word)`; ASCII white space separates, so a word may hold a
no-break space, as CoreNLP writes them. Constituents stand in the order in which they open: a parent
before its children, the upper one of a unary chain before the lower one. Empty elements (-NONE-) are
left out, and so is a constituent that has nothing else. A bracket without a label around a tree is
ROOT. The reader keeps open brackets on an explicit stack, so no nesting is too deep.
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints
from paragauge.kernels.reference.text.text import Vocabulary

EMPTY = b"-NONE-"
ROOT = b"ROOT"
BLANK = b" \t\n\v\f\r"
_PART = re.compile(rb"[()]|[^ \t\n\v\f\r()]+")
Trees = tuple[Ids, Ids, Ids, Ids, Ints, Ints, Ints, int, str]


def read_brackets(buffer: Bytes, spans: Ints, labels: Vocabulary, strip: bool) -> Trees:
    """Arrays of the trees of all lines, up to the first line that is no tree.

    Label, first word, word after the last and parent of each constituent (-1 for the root; positions
    within the sentence), offsets of the trees [lines + 1]; spans of the words and their offsets; the
    number of the line that is no tree, or -1, and what is wrong with it. With `strip`, labels lose
    what follows a hyphen or an equals sign, unless they begin with a hyphen.
    """
    nodes: list[tuple[int, int, int, int]] = []
    words: list[tuple[int, int]] = []
    offsets, word_offsets = [0], [0]
    bad, message = -1, ""
    text = buffer.tobytes()
    for number, (start, stop) in enumerate(spans.tolist()):
        try:
            tree, leaves = _tree(text[start:stop], labels, strip)
        except ValueError as error:
            bad, message = number, str(error)
            break
        nodes += tree
        words += [(start + first, start + last) for first, last in leaves]
        offsets.append(len(nodes))
        word_offsets.append(len(words))
    columns = np.array(nodes, np.int32).reshape(-1, 4).T
    label, begin, end, parent = (np.ascontiguousarray(column) for column in columns)
    return (
        label,
        begin,
        end,
        parent,
        np.array(offsets, np.int64),
        np.array(words, np.int64).reshape(-1, 2),
        np.array(word_offsets, np.int64),
        bad,
        message,
    )


def bracket_spans(buffer: Bytes) -> tuple[Ints, int]:
    """Spans of the trees of a text, cut after each bracket that closes one, and where they end."""
    text = buffer.tobytes()
    spans, consumed, depth = [], 0, 0
    for bracket in re.finditer(rb"[()]", text):
        depth = depth + 1 if bracket[0] == b"(" else max(depth - 1, 0)
        if bracket[0] == b")" and depth == 0:
            blank = len(text[consumed : bracket.end()]) - len(
                text[consumed : bracket.end()].lstrip(BLANK)
            )
            spans.append((consumed + blank, bracket.end()))
            consumed = bracket.end()
    return np.array(spans, np.int64).reshape(-1, 2), consumed


def _tree(
    text: bytes, labels: Vocabulary, strip: bool
) -> tuple[list[tuple[int, int, int, int]], list[tuple[int, int]]]:
    nodes: list[list[int]] = []
    words: list[tuple[int, int]] = []
    opened: list[int] = []
    atoms: list[bytes] = []  # since the last bracket
    last = (0, 0)  # where the last of them stands
    before = b""  # the last bracket

    def number(label: bytes) -> int:
        if strip and not label.startswith(b"-"):
            label = label[:1] + re.split(rb"[-=]", label[1:])[0]
        return labels.add(label.decode())

    for token in _PART.finditer(text):
        part = token[0]
        if part == b"(":
            if before == b"(" and len(opened) > 1 and not atoms:
                raise ValueError("found a bracket without a label")
            if len(atoms) > 1 or (atoms and before == b")"):
                raise ValueError(f"found '{_abbreviate(atoms[-1])}' beside a constituent")
            if not opened and before:
                raise ValueError("found more than one")
            if before == b"(":
                nodes[opened[-1]][0] = number(atoms[0] if atoms else ROOT)
            opened.append(len(nodes))
            nodes.append([0, len(words), len(words), opened[-2] if len(opened) > 1 else -1])
            before, atoms = part, []
        elif part == b")":
            if not opened:
                raise ValueError("found a closing bracket too many")
            if before == b"(" and len(atoms) != 2:
                raise ValueError(f"found a leaf of {len(atoms)} parts")
            if before == b")" and atoms:
                raise ValueError(f"found '{_abbreviate(atoms[-1])}' beside a constituent")
            node = opened.pop()
            if before == b"(" and atoms[0] != EMPTY:
                nodes[node][0] = number(atoms[0])
                words.append(last)
            nodes[node][2] = len(words)
            if nodes[node][1] == len(words):
                nodes.pop()
            before, atoms = part, []
        else:
            if not opened:
                raise ValueError(f"found '{_abbreviate(part)}' outside of brackets")
            atoms.append(part)
            last = token.span()
    if not before:
        raise ValueError("found nothing")
    if opened:
        raise ValueError(f"found {len(opened)} brackets that are not closed")
    return [(node[0], node[1], node[2], node[3]) for node in nodes], words


def _abbreviate(text: bytes) -> str:
    return text.decode()[:40]
