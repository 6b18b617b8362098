"""Draw a part of an explanation: the items of both sentences, and curves between them.

Short sentences are two rows, the candidate above the reference. If a row would be wider than
`WIDEST` pixels, the sentences are two columns instead, so that sixty words can be read and printed
without following lines to their far ends. An n-gram is a bracket at its words; brackets that would
overlap are spread over n lanes. `alignment_styles` defines how phases and weights look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.metrics.maxsim.explanation import Item, Link, Part, Word
from paragauge.report.drawing.alignment_styles import bracket, describe_link, frame, line
from paragauge.report.drawing.canvas import Mark, Path, Rect, Scene, Style, Text, shorten, text_width

WIDEST = 1000.0
LARGE, SMALL = 15.0, 11.5
MARGIN, PADDING, GAP, LANE = 10.0, 9.0, 8.0, 8.0
LINE, NOTE, PITCH, LONGEST = 20.0, 15.0, 26.0, 190.0
STUB = {True: 21.0, False: 42.0}  # positions of labels, in rows and in columns
STEPS = 32


@dataclass(frozen=True)
class Cell:
    """A box with lines of text, and notes outside it."""

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def width(self) -> float:
        """The width of the cell in a row, in pixels."""
        inside = max(text_width(text, LARGE) for text in self.lines) + 2 * PADDING
        return max(34.0, inside, *(text_width(note, SMALL) for note in self.notes), 0.0)


def cells(part: Part, words: Sequence[Word], items: Sequence[Item], *, rows: bool) -> list[Cell]:
    """The cells of a row or column: the relations, or the words of a sentence."""
    if part.name == "relations":
        if rows:
            relations = [(item.words[0], f"← {item.relation}", item.words[1]) for item in items]
            return [
                Cell(tuple(shorten(text, LONGEST, LARGE) for text in relation))
                for relation in relations
            ]
        texts = [f" ← {item.relation} – ".join(item.words) for item in items]
        return [Cell((shorten(text, 2 * LONGEST, LARGE),)) for text in texts]
    return [
        Cell(
            (shorten(word.text, LONGEST, LARGE),),
            tuple(
                shorten(note, LONGEST, SMALL)
                for note in (word.tag, *([word.lemma] if word.changed else []))
            ),
        )
        for word in words
    ]


def draw_part(part: Part, candidate: Sequence[Word], reference: Sequence[Word]) -> Scene:
    """The picture of a part with items; its label is the text alternative."""
    in_rows, in_columns = (
        [
            cells(part, words, items, rows=rows)
            for words, items in ((candidate, part.candidate_items), (reference, part.reference_items))
        ]
        for rows in (True, False)
    )
    return draw_cells(part, in_rows, in_columns)


def draw_cells(
    part: Part,
    in_rows: Sequence[Sequence[Cell]],
    in_columns: Sequence[Sequence[Cell]],
    names: tuple[str, str] = ("candidate", "reference"),
) -> Scene:
    """The picture of a part whose two sides have these cells, in rows if there is room for them."""
    rows = all(_row_width(row) <= WIDEST for row in in_rows)
    return _Drawing(part, in_rows if rows else in_columns, names, rows=rows).scene()


def _row_width(row: Sequence[Cell]) -> float:
    return sum(cell.width() + GAP for cell in row) + 2 * MARGIN


class _Drawing:
    """Positions in two directions: `along` the sentences, and `across` from one to the other."""

    def __init__(
        self, part: Part, sides: Sequence[Sequence[Cell]], names: tuple[str, str], *, rows: bool
    ) -> None:
        self.part, self.sides, self.names, self.rows = part, sides, names, rows
        self.n = max(
            (len(item.words) for item in part.candidate_items + part.reference_items), default=1
        )
        if part.name == "relations":
            self.n = 1
        lanes = LANE * self.n if self.n > 1 else 0.0
        outside, depths = self._depths()
        head = 18.0 if rows else 0.0
        first = head + outside[0]
        self.boxes = [(first, first + depths[0])]
        self.inner = self.boxes[0][1] + lanes
        zone = 90.0 if rows else 120.0 if max(map(len, sides)) <= 30 else 260.0
        second = self.inner + STUB[rows] + zone + lanes
        self.boxes.append((second, second + depths[1]))
        self.across = second + depths[1] + outside[1] + head
        self.spans = self._spans()
        ends = [spans[-1][1] for spans in self.spans if spans]
        self.along = max([140.0, *ends]) + MARGIN

    def _depths(self) -> tuple[list[float], list[float]]:
        """The space across that the notes outside the boxes and the boxes take, on both sides."""
        if self.rows:
            lines = [max((len(cell.lines) for cell in side), default=1) for side in self.sides]
            notes = [max((len(cell.notes) for cell in side), default=0) for side in self.sides]
            return [NOTE * count + 3 for count in notes], [LINE * count + 8 for count in lines]
        beside = [
            max([0.0, *(text_width(_beside(cell), SMALL) for cell in side)]) + MARGIN + 6
            for side in self.sides
        ]
        boxes = [
            max([60.0, *(text_width(cell.lines[0], LARGE) for cell in side)]) + 2 * PADDING
            for side in self.sides
        ]
        return beside, boxes

    def _spans(self) -> list[list[tuple[float, float]]]:
        """Where each cell begins and ends along its sentence; the shorter row is stretched a little."""
        if not self.rows:
            top = 24.0
            return [
                [(top + i * PITCH, top + i * PITCH + PITCH - 3) for i in range(len(side))]
                for side in self.sides
            ]
        widths = [_row_width(side) for side in self.sides]
        sides = []
        for side, width in zip(self.sides, widths, strict=True):
            more = min(36.0, (max(widths) - width) / max(1, len(side) - 1))
            place, spans = MARGIN, []
            for cell in side:
                spans.append((place, place + cell.width()))
                place += cell.width() + GAP + more
            sides.append(spans)
        return sides

    def scene(self) -> Scene:
        part = self.part
        size = (self.along, self.across) if self.rows else (self.across, self.along)
        missing = [len(numbers) for numbers in part.unmatched]
        ours, theirs = self.names
        label = (
            f"{part.title}: links between {len(part.candidate_items)} of the {ours} and "
            f"{len(part.reference_items)} of the {theirs}, {len(part.links)} in all; {missing[0]} and "
            f"{missing[1]} have none. The table below lists them."
        )
        scene = Scene(*size, label)
        self._titles(scene)
        labels: list[Mark] = []
        for link in part.links:
            scene.add(self._curve(link))
            if link.weight < 0.9995:
                labels += self._label(link)
        for side in (0, 1):
            self._sentence(scene, side)
        return scene.add(*labels)

    def _point(self, along: float, across: float) -> tuple[float, float]:
        return (along, across) if self.rows else (across, along)

    def _titles(self, scene: Scene) -> None:
        if self.rows:
            scene.write(MARGIN, 12, self.names[0], color="soft", size=SMALL, bold=True)
            scene.write(MARGIN, self.across - 4, self.names[1], color="soft", size=SMALL, bold=True)
            return
        for (low, high), title in zip(self.boxes, self.names, strict=True):
            place = (low + high) / 2
            scene.write(place, 14, title, color="soft", size=SMALL, bold=True, anchor="middle")

    def _anchor(self, side: int, item: int) -> tuple[float, float]:
        """Where links of an item begin: the middle of its box or bracket."""
        spans = self.spans[side]
        along = (spans[item][0] + spans[item + self.n - 1][1]) / 2
        edge = self.boxes[side][1 - side]
        return along, edge if self.n == 1 else self._lane(side, item)

    def _lane(self, side: int, item: int) -> float:
        away = LANE * (item % self.n) + 6
        return self.boxes[0][1] + away if side == 0 else self.boxes[1][0] - away

    def _curve(self, link: Link) -> Path:
        """A straight stub, which carries the label, and a curve with level ends."""
        (a, start), (b, end) = self._anchor(0, link.candidate), self._anchor(1, link.reference)
        begin, finish = self.inner, end
        if _labeled_side(link) == 0:
            begin += STUB[self.rows]
        else:
            finish -= STUB[self.rows]
        points = [self._point(a, start)]
        for step in range(STEPS + 1):
            t = step / STEPS
            points.append(self._point(a + (b - a) * t * t * (3 - 2 * t), begin + (finish - begin) * t))
        if finish < end:
            points.append(self._point(b, end))
        return Path(tuple(points), line(link), title=describe_link(self.part, link))

    def _label(self, link: Link) -> list[Mark]:
        """The weight, on its curve near the side on which no two labels collide."""
        if _labeled_side(link) == 0:
            along, _ = self._anchor(0, link.candidate)
            across = self.inner + 4 + STUB[self.rows] / 2
        else:
            along, end = self._anchor(1, link.reference)
            across = end - 4 - STUB[self.rows] / 2
        text = f"{link.weight:.2f}"
        width = text_width(text, SMALL)
        x, y = self._point(along, across)
        return [
            Rect(x - width / 2 - 1, y - 7, width + 2, 14, Style(fill="back")),
            Text(x, y + 4, text, size=SMALL, anchor="middle", title=describe_link(self.part, link)),
        ]

    def _sentence(self, scene: Scene, side: int) -> None:
        """The boxes of one side with their texts, and the brackets of n-grams."""
        linked = {(link.candidate, link.reference)[side]: link for link in self.part.links}
        low, high = self.boxes[side]
        items = (self.part.candidate_items, self.part.reference_items)[side]
        for i, (cell, (first, last)) in enumerate(zip(self.sides[side], self.spans[side], strict=True)):
            if self.n == 1:
                style = frame(linked.get(i))
            else:
                covered = any(k in linked for k in range(i - self.n + 1, i + 1))
                style = Style(fill="grid") if covered else frame(None)
            corner, far = self._point(first, low), self._point(last, high)
            scene.add(Rect(*corner, far[0] - corner[0], far[1] - corner[1], style))
            color = "soft" if style.dash else "ink"
            self._texts(scene, side, cell, (first + last) / 2, color)
        if self.n > 1:
            for i in range(len(items)):
                scene.add(self._bracket(side, i, linked.get(i)))

    def _bracket(self, side: int, item: int, link: Link | None) -> Path:
        lane = self._lane(side, item)
        tip = lane + (3.5 if side else -3.5)
        first = self.spans[side][item][0] + 3
        last = self.spans[side][item + self.n - 1][1] - 3
        outline = ((first, tip), (first, lane), (last, lane), (last, tip))
        title = "no link" if link is None else describe_link(self.part, link)
        return Path(tuple(self._point(*point) for point in outline), bracket(link), title=title)

    def _texts(self, scene: Scene, side: int, cell: Cell, middle: float, color: str) -> None:
        low, high = self.boxes[side]
        if not self.rows:
            x = high - PADDING if side == 0 else low + PADDING
            anchor = "end" if side == 0 else "start"
            scene.write(x, middle + 5, cell.lines[0], color=color, size=LARGE, anchor=anchor)
            x = low - 6 if side == 0 else high + 6
            scene.write(x, middle + 4, _beside(cell), color="soft", size=SMALL, anchor=anchor)
            return
        for k, text in enumerate(cell.lines):
            # Of the lines of a relation, the second is its type.
            look = {"color": "soft", "size": SMALL} if k == 1 else {"color": color, "size": LARGE}
            scene.write(middle, low + 18 + LINE * k, text, anchor="middle", **look)
        for k, note in enumerate(cell.notes):
            y = low - 6 - NOTE * k if side == 0 else high + NOTE * (k + 1)
            scene.write(middle, y, note, color="soft", size=SMALL, anchor="middle")


def _labeled_side(link: Link) -> int:
    """The side whose items have one link each: the candidate, but for a match of the reference."""
    return 1 if link.phase == "recall" else 0


def _beside(cell: Cell) -> str:
    return " · ".join(cell.notes)
