"""Items that know where they were read, so that an error can name the line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paragauge.collect.campaigns.control_expectations import CandidateError
from paragauge.errors import InputError

# Makes the error for a row of the source, counted from 0.
ErrorAtRow = Callable[[int, str], InputError]


class LocatedItem(dict[str, Any]):
    """An item for `items.add`, with its first row and the row of each of its candidates."""

    def __init__(self, item: Mapping[str, Any], row: int) -> None:
        super().__init__(item)
        self.row = row
        self.candidate_rows = [row] * len(self.get("content", {}).get("candidates", ()))
        self.where: ErrorAtRow | None = None


def locate_error(item: Mapping[str, Any], number: int, error: InputError) -> InputError:
    """The error with the location of the item, or with its number among the items, from 1.

    >>> print(locate_error({}, 3, InputError("expected a key, found none")))
    item 3: expected a key, found none
    """
    if not isinstance(item, LocatedItem) or item.where is None:
        return InputError(f"item {number}: {error}")
    row = item.row
    if isinstance(error, CandidateError) and error.candidate < len(item.candidate_rows):
        row = item.candidate_rows[error.candidate]
    return item.where(row, str(error))
