"""Draw a derivation: the source sentence above, the target sentence below, the tree on both.

Each sentence has its words in a row, and lanes of brackets on the side away from the other sentence:
one bracket per node, farther from the words the higher the node is in the tree. Between the rows,
ribbons join the words that one rule writes on both sides: group by group if its non-terminals split
both sides into the same number of groups, else all with all. A node has the same color in both trees.
Rows of long sentences are as wide as they need to be, and the page scrolls. A sentence that reads from
right to left, judged by its first letter with a direction (as `dir="auto"` in HTML), has its first
word on the right.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.grammar.derivation import Derivation, DerivationNode, Span
from paragauge.report.drawing.canvas import (
    Path,
    Rect,
    Scene,
    Style,
    Text,
    series_color,
    shorten,
    text_width,
)

WORD, SMALL = 13.5, 10.5
MARGIN, GAP, PADDING = 12.0, 4.0, 5.0
BOX, LANE, BETWEEN = 25.0, 22.0, 92.0
LONGEST = 190.0
STEPS = 24


@dataclass(frozen=True)
class Piece:
    """A part drawn in one color: a node of a tree, or a pair of spans that was reached."""

    label: str
    source: Span
    target: Span
    words: tuple[list[int], list[int]]  # the positions that belong to it alone
    depth: int  # lanes between it and the words
    title: str


def direction(words: Sequence[str]) -> str:
    """`rtl` for a sentence whose first letter with a direction reads from right to left, else `ltr`.

    >>> direction(["7", "שלום"]), direction(["a", "שלום"]), direction(["..."])
    ('rtl', 'ltr', 'ltr')
    """
    for letter in itertools.chain.from_iterable(words):
        if (kind := unicodedata.bidirectional(letter)) in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"


def draw_derivation(derivation: Derivation) -> Scene:
    """The picture of a pair; its label is the text alternative."""
    pieces = _nodes(derivation) if derivation.roots else _reached_spans(derivation)
    return _Drawing(derivation, pieces).scene()


def _nodes(derivation: Derivation) -> list[Piece]:
    pieces = []

    def add(node: DerivationNode) -> int:
        """Add a node after those below it; return its height."""
        height = max((add(child) + 1 for child in node.children), default=0)
        rule = f"[{node.label}] passes through" if node.rule is None else str(node.rule)
        pieces.append(Piece(node.label, node.source, node.target, node.positions(), height, rule))
        return height

    for root in derivation.roots:
        add(root)
    return pieces


def _reached_spans(derivation: Derivation) -> list[Piece]:
    pieces = []
    for span in derivation.disjoint():
        words = list(range(*span.source)), list(range(*span.target))
        title = " ||| ".join([f"[{span.label}]", *derivation.words(span)])
        pieces.append(Piece(span.label, span.source, span.target, words, 0, title))
    return pieces


def runs(positions: Sequence[int]) -> list[Span]:
    """Positions as spans without gaps.

    >>> runs([0, 1, 3])
    [(0, 2), (3, 4)]
    """
    spans: list[Span] = []
    for at in positions:
        if spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans


class _Drawing:
    """Positions of words and lanes, and the marks drawn there."""

    def __init__(self, derivation: Derivation, pieces: list[Piece]) -> None:
        self.derivation, self.pieces = derivation, pieces
        lanes = LANE * (max((piece.depth for piece in pieces), default=0) + 1) if pieces else 0.0
        head = 20.0
        self.tops = (head + lanes, head + lanes + BOX + BETWEEN)
        self.height = self.tops[1] + BOX + lanes + head
        rows = [self._row(words) for words in (derivation.source, derivation.target)]
        ends = [max((right for _, right in row), default=MARGIN) for row in rows]
        whole = max(ends)
        # The shorter sentence is centered under the longer one.
        moves = ((whole - end) / 2 for end in ends)
        self.places = [self._shift_row(row, by) for row, by in zip(rows, moves, strict=True)]
        self.width = max(whole + MARGIN, 160.0)

    @staticmethod
    def _row(words: Sequence[str]) -> list[tuple[float, float]]:
        left, spans = MARGIN, []
        for word in words:
            right = left + max(20.0, text_width(shorten(word, LONGEST, WORD), WORD) + 2 * PADDING)
            spans.append((left, right))
            left = right + GAP
        if direction(words) == "rtl":
            ends = MARGIN + spans[-1][1]
            spans = [(ends - right, ends - left) for left, right in spans]
        return spans

    @staticmethod
    def _shift_row(row: list[tuple[float, float]], by: float) -> list[tuple[float, float]]:
        return [(left + by, right + by) for left, right in row]

    def scene(self) -> Scene:
        """The whole picture."""
        what = "derivation" if self.derivation.roots else "largest spans that were reached"
        label = f"{what}: {' '.join(self.derivation.source)} — {' '.join(self.derivation.target)}"
        scene = Scene(self.width, self.height, label)
        scene.write(MARGIN, 13, "source", color="soft", size=SMALL, bold=True)
        scene.write(MARGIN, self.height - 5, "target", color="soft", size=SMALL, bold=True)
        for number, piece in enumerate(self.pieces):
            self._ribbons(scene, piece, series_color(number))
        for side in (0, 1):
            self._words(scene, side)
        for number, piece in enumerate(self.pieces):
            for side in (0, 1):
                self._bracket(scene, side, piece, series_color(number))
        return scene

    def _words(self, scene: Scene, side: int) -> None:
        owner: dict[int, tuple[int, Piece]] = {}
        for number, piece in enumerate(self.pieces):
            owner |= dict.fromkeys(piece.words[side], (number, piece))
        words = (self.derivation.source, self.derivation.target)[side]
        top = self.tops[side]
        for at, (word, (left, right)) in enumerate(zip(words, self.places[side], strict=True)):
            color, title = "soft", "in no rule that was used"
            if at in owner:
                number, piece = owner[at]
                color, title = "ink", piece.title
                tint = Style(fill=series_color(number), opacity=0.2)
                edge = Style(stroke=series_color(number), width=1.3)
                scene.add(Rect(left, top, right - left, BOX, Style(fill="back")))
                scene.add(Rect(left, top, right - left, BOX, tint))
                scene.add(Rect(left, top, right - left, BOX, edge, title))
            else:
                scene.add(
                    Rect(left, top, right - left, BOX, Style(stroke="soft", dash=(3.0, 2.5)), title)
                )
            middle, text = (left + right) / 2, shorten(word, LONGEST, WORD)
            scene.add(Text(middle, top + 17, text, color, WORD, "middle", title=title))

    def _ribbons(self, scene: Scene, piece: Piece, color: str) -> None:
        """Bands between the words of a piece; a side without words has none."""
        above, below = (runs(words) for words in piece.words)
        top, bottom = self.tops[0] + BOX, self.tops[1]
        even = len(above) == len(below)
        for i, upper in enumerate(above):
            for lower in [below[i]] if even else below:
                a, b = self._extent(0, upper), self._extent(1, lower)
                left = self._curve(a[0], b[0], top, bottom)
                right = self._curve(a[1], b[1], top, bottom)
                outline = (*left, *reversed(right))
                scene.add(
                    Path(outline, Style(fill=color, opacity=0.22), closed=True, title=piece.title)
                )

    def _extent(self, side: int, span: Span) -> tuple[float, float]:
        first, last = self.places[side][span[0]], self.places[side][span[1] - 1]
        return min(first[0], last[0]), max(first[1], last[1])

    @staticmethod
    def _curve(x: float, y: float, top: float, bottom: float) -> list[tuple[float, float]]:
        points = []
        for step in range(STEPS + 1):
            t = step / STEPS
            points.append((x + (y - x) * t * t * (3 - 2 * t), top + (bottom - top) * t))
        return points

    def _bracket(self, scene: Scene, side: int, piece: Piece, color: str) -> None:
        span = (piece.source, piece.target)[side]
        if span[0] == span[1]:
            return
        left, right = self._extent(side, span)
        away = 11 + LANE * piece.depth
        line = self.tops[0] - away if side == 0 else self.tops[1] + BOX + away
        tip = 4.0 if side == 0 else -4.0
        outline = ((left, line + tip), (left, line), (right, line), (right, line + tip))
        scene.add(Path(outline, Style(stroke=color, width=1.8), title=piece.title))
        label = shorten(piece.label, max(right - left, 20.0), SMALL, bold=True)
        width = text_width(label, SMALL, bold=True)
        middle = (left + right) / 2
        scene.add(Rect(middle - width / 2 - 3, line - 7, width + 6, 14, Style(fill="back")))
        scene.add(Text(middle, line + 4, label, color, SMALL, "middle", bold=True, title=piece.title))
