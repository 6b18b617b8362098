"""Results as notebooks and programs want them: a dict, a pandas data frame, an HTML table.

A result lists its rows once (`to_rows`); everything else follows. HTML takes its colors from the page,
so that it is readable in light and dark notebooks, and escapes every text.
"""

from __future__ import annotations

import dataclasses
import html
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paragauge.errors import MissingExtraError
from paragauge.text.terminal_columns import align_columns

if TYPE_CHECKING:
    import pandas as pd

LINE = "1px solid rgba(128,128,128,.45)"


class ResultTable(ABC):
    """A result that is a table: rows of named values, and a readable form."""

    @abstractmethod
    def to_rows(self) -> list[dict[str, Any]]:
        """One flat record per row, at full precision, as the command's TSV has it."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, as the command's JSON has it."""

    @abstractmethod
    def readable(self) -> ReadableTable:
        """Header, cells and notes for reading."""

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas data frame."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("pandas", command="pip install pandas") from None
        return pd.DataFrame(self.to_rows())

    def _repr_html_(self) -> str:
        return self.readable().html()

    def __repr__(self) -> str:
        return self.readable().text()


@dataclasses.dataclass(frozen=True)
class ReadableTable:
    """A table for reading; `left` columns are names, the others numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    left: int = 1

    def text(self) -> str:
        """The table in aligned columns, without the notes.

        >>> print(ReadableTable(["system", "BLEU"], [["mine", "1.00"]]).text())
        system  BLEU
        mine    1.00
        """
        alignment = "l" * self.left + "r" * (len(self.header) - self.left)
        return "\n".join(align_columns(alignment, [self.header, *self.rows]))

    def html(self) -> str:
        """The table as HTML that inherits colors and fonts.

        >>> ReadableTable(["system", "BLEU"], [["<a>", "1.00"]]).html()
        '<table style="...><td style="...">&lt;a&gt;</td>...'
        """
        rows = [self._row("th", self.header, LINE), *(self._row("td", row, "0") for row in self.rows)]
        notes = "".join(f"<div>{html.escape(note)}</div>" for note in self.notes)
        small = "font-size:.85em;opacity:.75;overflow-wrap:anywhere"
        return (
            '<table style="border-collapse:collapse;color:inherit;background:transparent">'
            f"{''.join(rows)}</table>" + (f'<div style="{small}">{notes}</div>' if notes else "")
        )

    def _row(self, tag: str, cells: Sequence[str], line: str) -> str:
        written = ""
        for number, cell in enumerate(cells):
            side = "left" if number < self.left else "right"
            style = f"text-align:{side};padding:.2em .8em;border:0;border-bottom:{line}"
            written += f'<{tag} style="{style}">{html.escape(cell)}</{tag}>'
        return f"<tr>{written}</tr>"


def plain_value(value: Any) -> Any:
    """A value of a result as JSON can have it: numbers that are not finite become None.

    >>> plain_value({"a": (1, float("nan"))})
    {'a': [1, None]}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain_value(dataclasses.asdict(value))
    if isinstance(value, Mapping):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_value(item) for item in value]
    if hasattr(value, "tolist"):  # a number or an array of NumPy
        return plain_value(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def number_text(value: float | None, digits: int = 2) -> str:
    """A number for reading, empty if there is none.

    >>> number_text(1.234), number_text(None)
    ('1.23', '')
    """
    return "" if value is None else f"{value:.{digits}f}"


def interval_text(value: float | None, low: float | None, high: float | None, digits: int = 2) -> str:
    """A number with its interval, if it has one.

    >>> interval_text(50.0, 40.0, 60.0), interval_text(50.0, None, None)
    ('50.00 [40.00, 60.00]', '50.00')
    """
    if low is None or high is None:
        return number_text(value, digits)
    return f"{number_text(value, digits)} [{number_text(low, digits)}, {number_text(high, digits)}]"
