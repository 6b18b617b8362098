"""Tables as papers print them: rows of cells under a title, with notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paragauge.meta.correlation.correlation import Correlation, CorrelationSettings

CellStyle = Literal["correlation", "score", "count", "percent", "agreement", "signed", "rho", "mark"]


@dataclass(frozen=True)
class LayoutCell:
    """A cell that is not a correlation; `style` says how papers print its value.

    A cell of style ``mark`` prints its `mark` instead, such as the triangles of a significance table.
    """

    value: float | None
    style: CellStyle
    low: float | None = None
    high: float | None = None
    reason: str = ""
    mark: str = ""


@dataclass(frozen=True)
class LayoutRow:
    """One line: its label, and a cell for each column; None is not applicable. No cells: a heading."""

    label: str
    cells: tuple[Correlation | LayoutCell | None, ...]


@dataclass(frozen=True)
class Layout:
    """A table as a paper prints it; `statistic` is what the brackets are intervals of, if any."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[LayoutRow, ...]
    notes: tuple[str, ...]
    settings: CorrelationSettings
    statistic: str = "Pearson"
