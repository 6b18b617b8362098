"""The rows of phrase tables: what columns they have, and of which types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paragauge.text.extras import require_pyarrow

STRINGS = ("source", "target", "alignment")
COUNTS = ("count", "source_count", "target_count")
SCORES = ("p_target", "p_source", "lex_target", "lex_source")
COLUMNS = ("source", "target", *COUNTS, *SCORES, "alignment")


def schema() -> Any:
    """The Arrow schema of the rows.

    >>> schema().field("p_target").type
    DataType(double)
    """
    require_pyarrow("engine")
    import pyarrow as pa

    kinds = {"source": pa.string(), "target": pa.string(), "alignment": pa.string()}
    kinds |= dict.fromkeys(COUNTS, pa.int64()) | dict.fromkeys(SCORES, pa.float64())
    return pa.schema([pa.field(name, kinds[name]) for name in COLUMNS])


@dataclass(frozen=True)
class PhrasePair:
    """One row of a phrase table; `phrases/table.py` says what the fields mean.

    >>> pair = PhrasePair("la", "the", 1, 1, 2, 1.0, 0.5, 1.0, 0.25, "0-0")
    >>> pair.p_source
    0.5
    """

    source: str
    target: str
    count: int | None
    source_count: int | None
    target_count: int | None
    p_target: float
    p_source: float
    lex_target: float
    lex_source: float
    alignment: str
