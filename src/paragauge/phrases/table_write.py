"""Making phrase tables."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from paragauge.engine.dataset_write import DatasetWriter, new_dataset
from paragauge.phrases.rows import COUNTS, schema
from paragauge.phrases.table import KIND


def new_table(output: str | Path) -> AbstractContextManager[DatasetWriter]:
    """A writer for the table that is in `output` when the block ends without an error.

    A table that is there already is replaced at the end; any other folder or file is left alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_table(f"{folder}/empty") as writer:
    ...         writer.finish({})
    ...     sorted(path.name for path in Path(folder, "empty").iterdir())
    ['phrase-table.json', 'phrases.parquet']
    """
    repeating = ("source", "alignment", *COUNTS)
    return new_dataset(output, KIND, lambda folder: DatasetWriter(folder, KIND, schema(), repeating))
