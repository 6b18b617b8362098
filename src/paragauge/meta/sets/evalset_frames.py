"""Evaluation sets from data frames: pandas, Polars, Arrow tables, or a dict of columns.

The columns mean what they mean in files (see `evalset_files.py`); errors name the row, from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paragauge.errors import ShapeError, unknown_name
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import evalset_of_records
from paragauge.text.python_data.text_columns import column_names, is_missing, plain_items
from paragauge.text.table_in_memory import Records
from paragauge.text.tables.dialect import DECIMALS


def evalset_of_frame(
    frame: Any,
    columns: Mapping[str, str] | None = None,
    criteria: Sequence[str] | None = None,
    separator: str = "|",
    decimal: str = ".",
) -> EvalSet:
    """The set of a data frame; see `EvalSet.from_frame`.

    >>> ratings = {"segment": [1, 1], "system": ["a", "b"], "overall": [2.0, None]}
    >>> evalset_of_frame(ratings).means("overall")
    array([ 2., nan])
    """
    if decimal not in DECIMALS:
        raise unknown_name("decimal sign", decimal, DECIMALS)
    records = Records("frame", frame_columns(frame), None, decimal, hint=_index_hint(frame))
    return evalset_of_records(records, columns, criteria, separator)


def _index_hint(frame: Any) -> str:
    """What to do about a missing column if the index of a pandas frame has names."""
    names = [
        str(name) for name in getattr(getattr(frame, "index", None), "names", []) if name is not None
    ]
    listed = ", ".join(names)
    return f"; the index has {listed}: write frame.reset_index()" if names else ""


def frame_columns(frame: Any) -> dict[str, list[Any]]:
    """The columns of a data frame as lists; missing values are None.

    >>> frame_columns({"n": (1, float("nan"))})
    {'n': [1, None]}
    """
    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    names = list(frame) if isinstance(frame, Mapping) else column_names(frame)
    if names is None:
        raise ShapeError(
            f"expected a data frame or a dict of columns, found {type(frame).__name__}; files are read "
            "by paragauge.read_evalset"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ShapeError(f"frame: column '{twice}' stands twice; rename one")
    own = names if isinstance(frame, Mapping) else getattr(frame, "columns", names)
    keys = own if len(own) == len(names) and not _is_arrow(frame) else names
    listed = {
        str(name): [None if is_missing(item) else _plain(item) for item in plain_items(frame[key])]
        for name, key in zip(names, keys, strict=True)
    }
    sizes = {len(items) for items in listed.values()}
    if len(sizes) > 1 or sizes <= {0}:
        found = " and ".join(map(str, sorted(sizes))) or "no columns"
        raise ShapeError(f"frame: expected columns of one length, and rows; found {found}")
    return listed


def _is_arrow(frame: Any) -> bool:
    return hasattr(frame, "column_names")


def _plain(item: Any) -> Any:
    """A cell as files have it: whole numbers that pandas made floats, because some are missing, too."""
    if isinstance(item, float) and item.is_integer() and abs(item) < 1e15:
        return int(item)
    return list(plain_items(item)) if hasattr(item, "tolist") and hasattr(item, "__len__") else item
