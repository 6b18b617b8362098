"""Convert between Arrow's string columns and the texts that kernels take, without copying."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ShapeError

Texts = tuple[NDArray[np.uint8], NDArray[np.int64]]


def strings(texts: Texts) -> Any:
    """An Arrow array of UTF-8 texts, given as concatenated bytes and offsets.

    >>> strings((np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))).to_pylist()
    ['one', 'two']
    """
    import pyarrow as pa

    buffer, offsets = texts
    return pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(buffer)
    )


def texts_of(column: Any) -> Texts:
    """The bytes and offsets behind an Arrow array of strings, for kernels.

    >>> import pyarrow as pa
    >>> buffer, offsets = texts_of(pa.array(["one", "", "two"])[1:])
    >>> offsets.tolist()
    [3, 3, 6]
    """
    import pyarrow as pa

    if column.null_count:
        raise ShapeError("expected strings, found null among them")
    array = column.cast(pa.large_string())
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
    _, offsets, data = array.buffers()
    if len(array) == 0 or offsets is None:
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    bounds = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    return np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8), bounds
