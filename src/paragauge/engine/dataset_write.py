"""Making tables on disk: a folder that has its name when all is in it."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from paragauge.engine import dataset
from paragauge.engine.dataset import Kind
from paragauge.engine.fingerprint import Fingerprint
from paragauge.text.files import atomic, sync
from paragauge.text.folders import atomic_folder, check_folder
from paragauge.version import __version__


class DatasetWriter:
    """Takes sorted rows for a table in `folder`; `scratch` is room for files of the work itself.

    Rows have a column `source` and are sorted by it first; columns in `repeating` have few values and
    are stored as a dictionary of them.
    """

    def __init__(self, folder: Path, kind: Kind, schema: Any, repeating: Sequence[str]) -> None:
        self.folder = folder
        self.kind = kind
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.declare_schema(schema, repeating)
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._last: str | None = None
        self.rows = 0
        self.sources = 0

    def declare_schema(self, schema: Any, repeating: Sequence[str], names: Sequence[str] = ()) -> None:
        """Set the schema, and names that the fingerprint covers, before the first row is written."""
        self.schema = schema
        self._repeating = list(repeating)
        self._fingerprint = Fingerprint(schema, names)

    def write(self, rows: Any) -> None:
        """Add rows, an Arrow table or batch with the columns of the schema, in their order."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not len(rows):
            return
        if isinstance(rows, pa.RecordBatch):
            rows = pa.Table.from_batches([rows])
        rows = rows.select(self.schema.names).cast(self.schema).combine_chunks()
        sources = rows.column("source")
        changes = pc.sum(pc.not_equal(sources[1:], sources[:-1])).as_py() or 0
        self.sources += changes + (sources[0].as_py() != self._last)
        self._last = sources[-1].as_py()
        self.rows += len(rows)
        self._fingerprint.add(rows)
        self._waiting.append(rows)
        self._put(dataset.ROW_GROUP)

    def _put(self, least: int) -> None:
        """Write groups of equal size, so that the file does not depend on how rows come in."""
        import pyarrow as pa

        size = dataset.ROW_GROUP
        if sum(map(len, self._waiting)) < least:
            return
        rows = pa.concat_tables(self._waiting)
        whole = len(rows) if least == 1 else len(rows) // size * size
        for start in range(0, whole, size):
            self._file().write_table(rows[start : min(start + size, whole)].combine_chunks())
        self._waiting = [rows[whole:]]

    def _file(self) -> Any:
        import pyarrow.parquet as pq

        if self._writer is None:
            self._writer = pq.ParquetWriter(
                self.folder / self.kind.rows,
                self.schema,
                compression="zstd",
                use_dictionary=self._repeating,
            )
        return self._writer

    def close(self) -> None:
        """Finish the file of rows."""
        self._file().close()

    def facts(self) -> dict[str, Any]:
        """What the writer knows about the rows, for the description."""
        return {self.kind.size: self.rows, "sources": self.sources}

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the description: what is known here, and these facts."""
        self._put(1)
        self.close()
        description = {
            "format": self.kind.format,
            "version": self.kind.version,
            **self.facts(),
            "fingerprint": self._fingerprint.hex(),
            **facts,
            "paragauge": __version__,
        }
        with atomic(self.folder / self.kind.description) as out:
            json.dump(description, out, ensure_ascii=False, indent=2)
            out.write("\n")


Writer = TypeVar("Writer", bound=DatasetWriter)


@contextlib.contextmanager
def new_dataset(output: str | Path, kind: Kind, make: Callable[[Path], Writer]) -> Iterator[Writer]:
    """A writer for the table that is in `output` when the block ends without an error.

    The work is done in a hidden folder beside it, in which `make` makes the writer. A table of this
    kind that is there already is replaced at the end; any other folder or file is left alone, with an
    error before anything is done.

    >>> import tempfile
    >>> import pyarrow as pa
    >>> kind = Kind("word list", "words", "words.json", "words.parquet", "make it again", "make one")
    >>> schema = pa.schema({"source": pa.string()})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     output = Path(folder, "list")
    ...     with new_dataset(output, kind, lambda f: DatasetWriter(f, kind, schema, ())) as writer:
    ...         writer.write(pa.table({"source": ["a", "b"]}))
    ...         writer.finish({})
    ...     sorted(path.name for path in output.iterdir()), writer.rows
    (['words.json', 'words.parquet'], 2)
    """
    with atomic_folder(output, kind.name, kind.description) as hidden:
        writer = make(hidden)
        try:
            yield writer
        finally:
            writer.close()
        shutil.rmtree(writer.scratch)
        sync(hidden / kind.rows)


def check_output(folder: Path, kind: Kind) -> None:
    """Raise the error for a place where a table of this kind must not be written."""
    check_folder(folder, kind.name, kind.description)
