"""A fingerprint of the rows of a table, whatever files they are in."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from paragauge.engine.arrow_strings import texts_of


class Fingerprint:
    """A SHA-256 of rows of one schema, which does not depend on how they are cut into batches.

    Each column has two hashes: of its values one after the other (bytes of strings, numbers as 64
    bits), and of the lengths of strings (-1 for null), or of which numbers are null. The fingerprint is
    the hash of all these. Names of columns are not in it; `names`, what some columns are called in a
    description, are if there are any.

    >>> import pyarrow as pa
    >>> rows = pa.table({"word": ["a", "b"], "count": [1, None]})
    >>> whole, parts = Fingerprint(rows.schema), Fingerprint(rows.schema)
    >>> whole.add(rows)
    >>> for part in (rows[:1], rows[1:]):
    ...     parts.add(part)
    >>> whole.hex() == parts.hex(), whole.hex() == Fingerprint(rows.schema, ["p"]).hex()
    (True, False)
    """

    def __init__(self, schema: Any, names: Sequence[str] = ()) -> None:
        import pyarrow as pa

        self._columns = [
            (field.name, _kind(pa.types, field.type), hashlib.sha256(), hashlib.sha256())
            for field in schema
        ]
        self._names = [name.encode() for name in names]

    def add(self, rows: Any) -> None:
        """Take these rows, an Arrow table or batch, in."""
        for name, kind, values, shape in self._columns:
            column = rows.column(name)
            if kind is None:
                buffer, offsets = texts_of(column.fill_null("") if column.null_count else column)
                lengths = np.diff(offsets).astype("<i8")
                if column.null_count:
                    lengths[column.is_null().to_numpy(zero_copy_only=False)] = -1
                values.update(buffer[offsets[0] : offsets[-1]].tobytes())
                shape.update(lengths.tobytes())
            else:
                values.update(column.fill_null(0).to_numpy(zero_copy_only=False).astype(kind).tobytes())
                shape.update(column.is_valid().to_numpy(zero_copy_only=False).tobytes())

    def hex(self) -> str:
        """The fingerprint of all rows so far."""
        whole = hashlib.sha256()
        for _, _, values, shape in self._columns:
            whole.update(values.digest() + shape.digest())
        for name in self._names:
            whole.update(hashlib.sha256(name).digest())
        return whole.hexdigest()


def _kind(types: Any, kind: Any) -> str | None:
    """How numbers of an Arrow type are hashed; None for strings."""
    if types.is_integer(kind):
        return "<i8"
    return "<f8" if types.is_floating(kind) else None
