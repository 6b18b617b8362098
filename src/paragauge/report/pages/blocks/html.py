"""Building blocks of report sections: escaped text, sortable tables, figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from paragauge.report.drawing.canvas import Scene, marker
from paragauge.report.drawing.svg import inline_svg
from paragauge.text.wording import p_text


@dataclass(frozen=True)
class Section:
    """A part of a report: `id` is its anchor, `title` plain text, `html` its content.

    `data` are more parts of the content, which are so large that they are written one by one.
    """

    id: str
    title: str
    html: str
    data: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """A cell of a table: what it shows, as HTML, and the value it sorts by."""

    html: str
    value: float | str | None = None
    css: str = ""

    @classmethod
    def text(cls, text: str, css: str = "") -> Cell:
        """A cell with text.

        >>> Cell.text("a < b").html
        'a &lt; b'
        """
        return cls(escape(text), text, css)

    @classmethod
    def number(cls, value: float | None, form: str = ".2f", css: str = "") -> Cell:
        """A cell with a number, empty if there is none.

        >>> Cell.number(1.234).html, Cell.number(float("nan")).html
        ('1.23', '')
        """
        if value is None or math.isnan(value):
            return cls("", None, f"n {css}".strip())
        return cls(format(value, form), value, f"n {css}".strip())


def p_cell(p: float | None) -> Cell:
    """A cell with a p-value, which sorts by the value itself.

    >>> p_cell(0.0004).html, p_cell(0.0004).value
    ('&lt;0.001', 0.0004)
    """
    return Cell(escape(p_text(p)), p, "n")


def sortable_table(
    header: Sequence[str], rows: Sequence[Sequence[Cell]], *, caption: str = "", css: str = ""
) -> str:
    """A table whose columns sort on a click or Enter on their heading.

    Numbers sort as numbers; a cell without a value comes last. An empty heading does not sort.
    """
    right = [bool(rows) and "n" in rows[0][i].css.split() for i in range(len(header))]
    heads = "".join(
        f'<th scope="col"{" class=n" * is_right}>{escape(name)}</th>'
        for name, is_right in zip(header, right, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="scroll"><table class="sortable {css}">{title}<thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    known = cell.value is not None and cell.value == cell.value
    value = f' data-v="{escape(_cell_text(cell.value))}"' if known else ""
    css = f' class="{cell.css}"' if cell.css else ""
    return f"<td{css}{value}>{cell.html}</td>"


def _cell_text(value: float | str | None) -> str:
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)


def figure(scene: Scene, caption: str | None = None, css: str = "") -> str:
    """A plot with its caption, by default that of the scene.

    If a plot is drawn twice, phones show the one with the class `narrow`, others that with `wide`.
    """
    text = scene.caption if caption is None else caption
    below = f"<figcaption>{escape(text)}</figcaption>" if text else ""
    attribute = f' class="{css}"' if css else ""
    return f"<figure{attribute}>{inline_svg(scene)}{below}</figure>"


def small(scene: Scene) -> str:
    """A drawing inside a line or a cell."""
    return inline_svg(scene, css="bar")


def decorative_svg(scene: Scene, css: str) -> str:
    """A drawing that adds nothing to the text beside it, hidden from screen readers.

    >>> decorative_svg(Scene(10, 4, ""), "level")
    '<svg class="level" aria-hidden="true" viewBox="0 0 10 4" width="10" height="4"></svg>'
    """
    return inline_svg(scene, css=css).replace('role="img" aria-label=""', 'aria-hidden="true"')


def system_name(system: str, index: int) -> str:
    """A system's name after its marker, as HTML."""
    sign = Scene(14, 14, "").add(marker(index, 7, 7, 4.6))
    return f'<span class="system">{decorative_svg(sign, "sign")}<bdi>{escape(system)}</bdi></span>'


def system_cell(system: str, index: int) -> Cell:
    """A cell with a system's name."""
    return Cell(system_name(system, index), system, "name")


def paragraph(text: str, css: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{f' class={css}' if css else ''}>{escape(text)}</p>"


def details(summary: str, content: str, *, opened: bool = False) -> str:
    """Content that a click on its summary opens; `summary` is HTML."""
    return f"<details{' open' * opened}><summary>{summary}</summary>{content}</details>"
