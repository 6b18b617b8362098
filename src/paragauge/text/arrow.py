"""Read texts from Arrow columns without making a Python string for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from paragauge.kernels.layout import Ints
from paragauge.text.lines import LineGroups, Lines


def plain_groups(column: Any) -> LineGroups | None:
    """The texts of a column of strings or of lists of strings, which share its memory.

    None if there is a null or invalid UTF-8: then each value must be examined.

    >>> import pyarrow as pa
    >>> list(plain_groups(pa.array([["a", "b"], ["c"]])[1:]))
    [['c']]
    >>> plain_groups(pa.array(["a", None])) is None
    True
    """
    import pyarrow as pa

    if column.null_count:
        return None
    groups: Ints | None = None
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        bounds = column.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
        groups = bounds - bounds[0]
        column = column.flatten()
        if column.null_count:
            return None
    array = column.cast(pa.large_string())
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return None
    _, offsets, data = array.buffers()
    if len(array) == 0 or offsets is None:
        return LineGroups(Lines.of([]), groups)
    ends = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    buffer = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return LineGroups(Lines(buffer, np.stack([ends[:-1], ends[1:]], axis=1)), groups)
