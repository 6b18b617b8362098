"""A fingerprint of the rows of a phrase table, whatever files they are in."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from paragauge.engine.columns import texts_of
from paragauge.phrases.rows import COLUMNS, COUNTS, STRINGS


class Fingerprint:
    """A SHA-256 of rows, which does not depend on how they are cut into batches.

    Each column has two hashes: of its values one after the other (bytes of strings, numbers as 64
    bits), and of the lengths of strings, or of which numbers are null. The fingerprint is the hash of
    all these.

    >>> from paragauge.phrases.rows import schema
    >>> fingerprint = Fingerprint()
    >>> fingerprint.add(schema().empty_table())
    >>> fingerprint.hex()[:16]
    '09b4b61fbb502bc7'
    """

    def __init__(self) -> None:
        self._hashes = {name: (hashlib.sha256(), hashlib.sha256()) for name in COLUMNS}

    def add(self, rows: Any) -> None:
        """Take these rows, an Arrow table or batch, in."""
        for name, (values, shape) in self._hashes.items():
            column = rows.column(name)
            if name in STRINGS:
                buffer, offsets = texts_of(column)
                values.update(buffer[offsets[0] : offsets[-1]].tobytes())
                shape.update(np.diff(offsets).astype("<i8").tobytes())
            else:
                kind = "<i8" if name in COUNTS else "<f8"
                values.update(column.fill_null(0).to_numpy(zero_copy_only=False).astype(kind).tobytes())
                shape.update(column.is_valid().to_numpy(zero_copy_only=False).tobytes())

    def hex(self) -> str:
        """The fingerprint of all rows so far."""
        whole = hashlib.sha256()
        for values, shape in self._hashes.values():
            whole.update(values.digest() + shape.digest())
        return whole.hexdigest()
