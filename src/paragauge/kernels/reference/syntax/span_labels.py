"""Twin of span_labels.cpp: labels of spans of words, from the tree above them.

The preference of SAMT (Zollmann and Venugopal 2006, section 2), in the order in which Thrax looks
(Weese et al. 2011); the first that is switched on and found is the label of the words `begin` to `end`:

1. `A`, a constituent of exactly these words;
2. `A+B`, two constituents side by side, the first as short as can be;
3. `A/B`, an A that lacks a B on its right, as short as can be;
4. `A\\B`, an A that lacks a B on its left, as short as can be;
5. `A+B+C`, three side by side, the first as short as can be, then the second;
6. the fallback, `X`.

Where several constituents have the same words (a unary chain), `unary` chooses the one at the `bottom`,
at the `top`, or `all` from the top, `S:VP`. A comma's label is `COMMA`, as in Thrax, because labels and
indices of non-terminals are separated by commas.

Deviation: Zollmann and Venugopal take up to seven parts and all labels of a unary chain; Thrax stops at
three and takes one, and so do we.
"""

from __future__ import annotations

from paragauge.kernels.layout import Ids, Ints, Texts, pack_texts, unpack_texts

Trees = tuple[Texts, Ids, Ids, Ids, Ints]
LabelSettings = tuple[bool, bool, bool, bool, str, str]
Constituents = dict[tuple[int, int], str]


class SpanLabeler:
    """Labels spans of one sentence; nodes are (label, begin, end), parents before children."""

    def __init__(
        self, nodes: list[tuple[str, int, int]] | None, length: int, settings: LabelSettings
    ) -> None:
        self._hiero = nodes is None
        self._length = length
        *self._switches, unary, self.fallback = settings
        self._constituent_labels: Constituents = {}
        for label, begin, end in nodes or []:
            name = "COMMA" if label == "," else label
            above = self._constituent_labels.get((begin, end))
            if above is None or unary == "bottom":
                self._constituent_labels[begin, end] = name
            elif unary == "all":
                self._constituent_labels[begin, end] = f"{above}:{name}"

    def label(self, begin: int, end: int) -> str:
        """The label of the words `begin` to `end`.

        >>> nodes = [("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("V", 1, 2), ("N", 2, 3)]
        >>> labeler = SpanLabeler(nodes, 3, (True, False, True, False, "bottom", "X"))
        >>> [labeler.label(*span) for span in [(1, 3), (1, 2), (0, 2)]]
        ['VP', 'V', 'S/N']
        """
        ways = (
            (self._switches[0], self._constituent),
            (self._switches[1], self._concatenation),
            (self._switches[2], self._forward_slash),
            (self._switches[2], self._backward_slash),
            (self._switches[3], self._double_concatenation),
        )
        for switched_on, way in ways:
            if switched_on and (label := way(begin, end)) is not None:
                return label
        return self.fallback

    def is_fallback(self, label: str) -> bool:
        """Whether a label says that no tree names its span; never in Hiero grammars."""
        return not self._hiero and label == self.fallback

    def _constituent(self, begin: int, end: int) -> str | None:
        return self._constituent_labels.get((begin, end))

    def _concatenation(self, begin: int, end: int) -> str | None:
        for middle in range(begin + 1, end):
            left, right = self._constituent(begin, middle), self._constituent(middle, end)
            if left is not None and right is not None:
                return f"{left}+{right}"
        return None

    def _forward_slash(self, begin: int, end: int) -> str | None:
        for stop in range(end + 1, self._length + 1):
            whole, missing = self._constituent(begin, stop), self._constituent(end, stop)
            if whole is not None and missing is not None:
                return f"{whole}/{missing}"
        return None

    def _backward_slash(self, begin: int, end: int) -> str | None:
        for start in range(begin - 1, -1, -1):
            whole, missing = self._constituent(start, end), self._constituent(start, begin)
            if whole is not None and missing is not None:
                return f"{whole}\\{missing}"
        return None

    def _double_concatenation(self, begin: int, end: int) -> str | None:
        for middle in range(begin + 1, end):
            left, rest = self._constituent(begin, middle), self._concatenation(middle, end)
            if left is not None and rest is not None:
                return f"{left}+{rest}"
        return None


def nodes_of(trees: Trees, lengths: list[int]) -> list[list[tuple[str, int, int]]]:
    """The nodes of each tree as (label, begin, end); a ValueError says what is wrong with them."""
    names, (labels, begins, ends, offsets) = (
        unpack_texts(trees[0]),
        (column.tolist() for column in trees[1:]),
    )
    if not len(labels) == len(begins) == len(ends):
        raise ValueError("a node has a label, a begin and an end")
    if not offsets or offsets[0] < 0 or sorted(offsets) != offsets or offsets[-1] > len(labels):
        raise ValueError("offsets must not decrease and must stay within the nodes")
    if len(offsets) != len(lengths) + 1:
        raise ValueError("every sentence must have a tree")
    nodes_by_tree = []
    for number, length in enumerate(lengths):
        nodes: list[tuple[str, int, int]] = []
        open_ends = [length]
        before = 0
        for i in range(offsets[number], offsets[number + 1]):
            begin, end = begins[i], ends[i]
            if not 0 <= labels[i] < len(names):
                raise ValueError("labels must be numbers of labels")
            if not before <= begin <= end:
                raise ValueError("nodes must stand in the order of their words")
            while len(open_ends) > 1 and open_ends[-1] <= begin and open_ends[-1] < end:
                open_ends.pop()
            if end > open_ends[-1]:
                raise ValueError("nodes must nest, and stay within their sentences")
            open_ends.append(end)
            before = begin
            nodes.append((names[labels[i]], begin, end))
        nodes_by_tree.append(nodes)
    return nodes_by_tree


def check_label_settings(settings: LabelSettings) -> None:
    """Raise an error for invalid settings."""
    if len(settings) != 6:
        raise ValueError("settings of labels are a tuple of six")
    if settings[4] not in ("bottom", "top", "all"):
        raise ValueError("unary must be bottom, top or all")


def label_spans(trees: Trees, lengths: Ints, spans: Ints, labels: LabelSettings, threads: int) -> Texts:
    """The labels of spans, an int64 array [n, 3] of sentence, begin and end.

    `trees` are (texts of labels, labels, begins, ends, offsets of sentences) with parents before their
    children; sentence i has `lengths[i]` words. `labels` are five switches and the fallback:
    (constituents, concatenated, slashed, doubly concatenated, unary, fallback).
    """
    del threads
    words = lengths.tolist()
    if any(not 0 <= length <= 1 << 30 for length in words):
        raise ValueError("lengths must be from 0 to 2^30")
    nodes = nodes_of(trees, words)
    check_label_settings(labels)
    for sentence, begin, end in spans.tolist():
        if not 0 <= sentence < len(words):
            raise ValueError("spans must be in a sentence")
        if not 0 <= begin < end <= words[sentence]:
            raise ValueError("spans must have words, within their sentences")
    return pack_texts(
        [
            SpanLabeler(nodes[sentence], words[sentence], labels).label(begin, end)
            for sentence, begin, end in spans.tolist()
        ]
    )
