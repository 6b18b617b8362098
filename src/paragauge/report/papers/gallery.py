"""The five papers, item by item: which command makes each table, figure and formula.

The items of a paper are in a module with its name, in the paper's order. `papers` lists them; the
command `paragauge papers` lists them too and runs one, on the user's files or on the bundled examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import Any

from paragauge.errors import unknown_name
from paragauge.report.papers import (
    kauchak_barzilay_2006,
    maxsim_2008,
    paradigm_2014,
    pem_2010,
    pinc_2011,
)
from paragauge.report.papers.paper_item import PaperItem
from paragauge.text.python_data.result_table import ReadableTable, ResultTable

MODULES: tuple[ModuleType, ...] = (
    pem_2010,
    pinc_2011,
    maxsim_2008,
    paradigm_2014,
    kauchak_barzilay_2006,
)
PAPERS: Mapping[str, str] = {
    module.PAPER: str(module.__doc__).strip().rstrip(".") for module in MODULES
}


@dataclass(frozen=True, repr=False)
class PaperSheet(ResultTable):
    """Items of papers, with the commands that make them."""

    items: tuple[PaperItem, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each item: paper, name, title, command, what it takes, the function in Python."""
        names = ("paper", "name", "title", "command", "takes", "function")
        return [{name: getattr(item, name) for name in names} for item in self.items]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values."""
        return {"items": [asdict(item) for item in self.items]}

    def readable(self) -> ReadableTable:
        """A row for each item."""
        rows = [[item.paper, item.name, item.title, _line(item)] for item in self.items]
        return ReadableTable(["paper", "item", "title", "command"], rows, (), left=4)


def papers(paper: str | None = None, item: str | None = None) -> PaperSheet:
    """The tables, figures and formulas of the five papers, of one of them, or one item.

    >>> sheet = papers("pinc-2011", "table-4")
    >>> sheet.items[0].command, sheet.items[0].function
    ('meta --layout pinc-4', 'paragauge.meta.correlation.paper_tables.layout')
    >>> papers("pinc-2010")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown paper 'pinc-2010'; did you mean 'pinc-2011'? ...
    """
    if paper is not None and paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS)
    items: Sequence[PaperItem] = [
        one for module in MODULES if paper in (None, module.PAPER) for one in module.ITEMS
    ]
    if item is not None:
        found = [one for one in items if one.name == item]
        if not found:
            kind = "item" if paper is None else f"item of {paper}"
            raise unknown_name(kind, item, dict.fromkeys(one.name for one in items))
        items = found
    return PaperSheet(tuple(items))


def _line(item: PaperItem) -> str:
    return f"paragauge {item.command}"
