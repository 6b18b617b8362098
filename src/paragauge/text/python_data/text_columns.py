"""Texts as Python people have them: lists, tuples, NumPy arrays, pandas, Polars and Arrow columns.

None of these libraries is imported: a column is known by its methods. What has no order (a set), no
single column of texts (a data frame, a dict) or no items (one string) is refused with the line to
write instead, and missing values are named with their index. A column of pandas has an index of its
own, which is the one that messages name; elsewhere items are counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from paragauge.errors import ShapeError

# Names that columns of texts have in other people's tables, for the line that messages suggest.
USUAL_NAMES = {
    "candidates": ("candidate", "hypothesis", "hyp", "prediction", "output", "paraphrase", "system"),
    "sources": ("source", "src", "original", "input"),
    "references": ("reference", "ref", "target", "gold"),
}
# How columns give their items as Python values: Arrow, pandas and Polars, NumPy.
LIST_METHODS = ("to_pylist", "to_list", "tolist")
# What numbers the columns of several references.
NUMBERING = "0123456789 _-"
# Missing values that a message lists by their index.
MOST_LISTED = 5


def text_items(texts: object, what: str) -> list[Any]:
    """The items of a column of texts; `what` names it in messages.

    >>> text_items(("a", "b"), "candidates")
    ['a', 'b']
    >>> text_items({"b", "a"}, "candidates")
    Traceback (most recent call last):
    paragauge.errors.ShapeError: candidates: expected a list of sentences, found a set, which has no ...
    """
    _refuse_no_column(texts, what)
    dimensions = getattr(texts, "ndim", 1)
    if dimensions != 1:
        raise ShapeError(
            f"{what}: expected a list of sentences, found an array of {dimensions} dimensions; "
            f"give one column, such as array[:, 0]"
        )
    return plain_items(texts)


def grouped_items(texts: object, what: str) -> list[Any]:
    """The items of a column of texts or of lists of texts; each list is a Python list or tuple.

    >>> import numpy as np
    >>> grouped_items(np.array([["a", "b"], ["c", "d"]]), "references")
    [['a', 'b'], ['c', 'd']]
    """
    _refuse_no_column(texts, what)
    dimensions = getattr(texts, "ndim", 1)
    if dimensions not in (1, 2):
        raise ShapeError(
            f"{what}: expected one text or one list of texts per segment, found an array of "
            f"{dimensions} dimensions"
        )
    items = plain_items(texts)
    if set(map(type, items)) <= {str, list, tuple}:  # as nearly always; a look at each takes longer
        return items
    return [plain_items(item) if _is_column(item) else item for item in items]


def are_texts(items: Iterable[object]) -> bool:
    """Whether all items are strings.

    >>> are_texts(["a", "b"]), are_texts(["a", None])
    (True, False)
    """
    return all(issubclass(kind, str) for kind in set(map(type, items)))


def refuse_items(texts: object, items: Sequence[Any], what: str) -> NoReturn:
    """Raise the error for the first of the items that is no text: missing, or of another type."""
    number = next(n for n, item in enumerate(items) if not isinstance(item, str))
    if is_missing(items[number]):
        refuse_missing(texts, items, what)
    kind = type(items[number]).__name__
    raise ShapeError(f"{what}: segment {number + 1}: expected a string, found {kind}")


def refuse_missing(texts: object, items: Sequence[Any], what: str) -> NoReturn:
    """Raise the error that names the missing values among the items by their index."""
    missing = [number for number, item in enumerate(items) if is_missing(item)]
    own = getattr(texts, "index", None)
    labels = range(len(items)) if own is None or callable(own) else own
    listed = ", ".join(str(labels[number]) for number in missing[:MOST_LISTED])
    more = f" and {len(missing) - MOST_LISTED:,} more" if len(missing) > MOST_LISTED else ""
    raise ShapeError(
        f"{what}: missing text ({items[missing[0]]}) at index {listed}{more}; leave out these "
        'segments in every input, or put "" where an empty text is meant'
    )


def refuse_shuffled(columns: Mapping[str, object]) -> None:
    """Raise an error if columns of pandas have the same index in another order: they are not parallel.

    Columns with other indices go by position, as do those of other libraries.

    >>> refuse_shuffled({"candidates": ["a", "b"], "sources": ("c", "d")})
    """
    indexed = {name: _own_index(column) for name, column in columns.items()}
    (first, index), *others = [(name, one) for name, one in indexed.items() if one is not None] or [
        ("", None)
    ]
    for name, other in others:
        if len(other) != len(index) or other.equals(index):
            continue
        try:
            same = other.sort_values().equals(index.sort_values())
        except TypeError:  # labels of types that have no order
            continue
        if same:
            raise ShapeError(
                f"{first} and {name} have one index in different orders; write "
                f"{name}.loc[{first}.index], or {name}.tolist() if they go by position"
            )


def _own_index(column: object) -> Any:
    """The index of a column of pandas; None for others, whose `index` is a method or missing."""
    index = getattr(column, "index", None)
    return None if callable(index) or not hasattr(index, "sort_values") else index


def is_missing(item: object) -> bool:
    """Whether an item stands for a missing value: None, NaN, or what pandas has for them.

    >>> is_missing(None), is_missing(float("nan")), is_missing(""), is_missing(0)
    (True, True, False, False)
    """
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return not isinstance(item, str) and bool(item != item)  # only NaN does
    except (TypeError, ValueError):
        return False


def _refuse_no_column(texts: object, what: str) -> None:
    """Raise an error with the line to write if this is no column of texts."""
    if isinstance(texts, (str, bytes)):
        raise ShapeError(
            f"{what}: expected a list of sentences, found a single {type(texts).__name__}; "
            "put it in a list: [text]"
        )
    kind = type(texts).__name__
    names = column_names(texts)
    if names is not None:
        suggested = suggest_column(names, what)
        frame = "frame.collect()" if kind == "LazyFrame" else "frame"
        listed = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
        line = f'{frame}["{suggested}"]'
        stem = suggested.rstrip(NUMBERING)
        alike = [name for name in names if name.rstrip(NUMBERING) == stem]
        if what == "references" and kind == "DataFrame" and 1 < len(alike) == len(set(alike)):
            quoted = ", ".join(f'"{name}"' for name in alike)
            line = f"{frame}[[{quoted}]].to_numpy()"
        raise ShapeError(
            f"{what}: expected one column of texts, found a whole {kind}; write "
            f"{line} (its columns: {listed or 'none'})"
        )
    if isinstance(texts, (set, frozenset)):
        raise ShapeError(
            f"{what}: expected a list of sentences, found a {kind}, which has no order and holds "
            "equal sentences once; keep the sentences in a list"
        )
    if isinstance(texts, Mapping):
        raise ShapeError(
            f"{what}: expected a list of sentences, found {kind}; write list(texts.values()), or "
            "score several systems with paragauge.score(systems, metrics, ...)"
        )
    if not isinstance(texts, Iterable) or getattr(texts, "ndim", 1) == 0:
        raise ShapeError(f"{what}: expected a list of sentences, found {kind}")


def column_names(texts: object) -> list[str] | None:
    """The names of the columns of a data frame or an Arrow table; None for anything else."""
    if type(texts).__name__ == "LazyFrame" and hasattr(texts, "collect_schema"):
        return [str(name) for name in texts.collect_schema()]
    names = getattr(texts, "column_names", None)
    if names is None and not isinstance(texts, (Sequence, Mapping)):
        names = getattr(texts, "columns", None)
    if names is None or callable(names) or isinstance(names, (str, bytes)):
        return None
    return [str(name) for name in names]


def suggest_column(names: Sequence[str], what: str) -> str:
    """The column that messages suggest: the one with a usual name, or the first one.

    >>> suggest_column(["id", "src", "mt output"], "candidates")
    'mt output'
    """
    usual = USUAL_NAMES.get(what.split(" ")[0], ())
    for part in usual:
        for name in names:
            if part in name.lower():
                return name
    return names[0] if names else "output"


def _is_column(item: object) -> bool:
    """Whether an item is itself a column of texts, such as an array, and no list or text."""
    if isinstance(item, (str, bytes, list, tuple)) or not hasattr(item, "__len__"):
        return False
    return any(hasattr(item, method) for method in LIST_METHODS)


def plain_items(texts: Any) -> list[Any]:
    """A list of the items as Python values; Arrow's and NumPy's would be values of their own.

    >>> import numpy as np
    >>> plain_items(np.array([1, 2]))
    [1, 2]
    """
    if isinstance(texts, (list, tuple)):
        return list(texts)
    for method in LIST_METHODS:
        if hasattr(texts, method):
            return list(getattr(texts, method)())
    return list(texts)
