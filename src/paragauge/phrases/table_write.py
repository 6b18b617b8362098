"""Making phrase tables: a folder that has its name when all is in it."""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError
from paragauge.phrases.fingerprint import Fingerprint
from paragauge.phrases.rows import COLUMNS, COUNTS, ROW_GROUP, schema
from paragauge.phrases.table import DESCRIPTION, FORMAT, ROWS, VERSION
from paragauge.text.files import atomic, os_error, sync
from paragauge.version import __version__


class TableWriter:
    """Takes sorted rows for a table in `folder`; `scratch` is room for files of the work itself."""

    def __init__(self, folder: Path) -> None:
        import pyarrow.parquet as pq

        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self._schema = schema()
        self._writer = pq.ParquetWriter(
            folder / ROWS,
            self._schema,
            compression="zstd",
            use_dictionary=["source", "alignment", *COUNTS],
        )
        self._fingerprint = Fingerprint()
        self._waiting: list[Any] = []
        self._last: str | None = None
        self.pairs = 0
        self.sources = 0

    def write(self, rows: Any) -> None:
        """Add rows, an Arrow table or batch with the columns of phrase tables, in their order."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not len(rows):
            return
        if isinstance(rows, pa.RecordBatch):
            rows = pa.Table.from_batches([rows])
        rows = rows.select(list(COLUMNS)).cast(self._schema).combine_chunks()
        sources = rows.column("source")
        changes = pc.sum(pc.not_equal(sources[1:], sources[:-1])).as_py() or 0
        self.sources += changes + (sources[0].as_py() != self._last)
        self._last = sources[-1].as_py()
        self.pairs += len(rows)
        self._fingerprint.add(rows)
        self._waiting.append(rows)
        self._put(ROW_GROUP)

    def _put(self, least: int) -> None:
        """Write groups of equal size, so that the file does not depend on how rows come in."""
        import pyarrow as pa

        if sum(map(len, self._waiting)) < least:
            return
        rows = pa.concat_tables(self._waiting)
        whole = len(rows) if least == 1 else len(rows) // ROW_GROUP * ROW_GROUP
        for start in range(0, whole, ROW_GROUP):
            self._writer.write_table(rows[start : min(start + ROW_GROUP, whole)].combine_chunks())
        self._waiting = [rows[whole:]]

    def close(self) -> None:
        """Finish the file of rows."""
        self._writer.close()

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the description: what is known here, and these facts."""
        self._put(1)
        self.close()
        description = {
            "format": FORMAT,
            "version": VERSION,
            "pairs": self.pairs,
            "sources": self.sources,
            "fingerprint": self._fingerprint.hex(),
            **facts,
            "paragauge": __version__,
        }
        with atomic(self.folder / DESCRIPTION) as out:
            json.dump(description, out, ensure_ascii=False, indent=2)
            out.write("\n")


@contextlib.contextmanager
def new_table(output: str | Path) -> Iterator[TableWriter]:
    """A writer for the table that is in `output` when the block ends without an error.

    The work is done in a hidden folder beside it. A table that is there already is replaced at the
    end; any other folder or file is left alone, with an error before anything is done.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_table(f"{folder}/empty") as writer:
    ...         writer.finish({})
    ...     sorted(path.name for path in Path(folder, "empty").iterdir())
    ['phrase-table.json', 'phrases.parquet']
    """
    target = Path(output)
    check_output(target)
    place = target.resolve()
    hidden = place.with_name(f".paragauge-{secrets.token_hex(6)}.tmp")
    try:
        hidden.mkdir()
    except FileNotFoundError:
        message = f"its folder {target.parent} does not exist; make it first"
        raise FileFormatError(target, None, message) from None
    except OSError as error:
        raise os_error(target, error) from None
    try:
        writer = TableWriter(hidden)
        try:
            yield writer
        finally:
            writer.close()
        shutil.rmtree(writer.scratch)
        sync(hidden / ROWS)
        _put(hidden, place)
    except OSError as error:
        if "No space left" in str(error):
            message = "the disk is full; make room, or name another place, and run it again"
            raise FileFormatError(target, None, message) from None
        raise os_error(target, error) from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _put(made: Path, place: Path) -> None:
    """Give a folder its name; what has it already goes when that is done."""
    old = made.with_suffix(".old")
    if place.exists():
        place.rename(old)
    try:
        made.rename(place)
    except OSError:
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def check_output(folder: Path) -> None:
    """Raise the error for a place where a table must not be written."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FileFormatError(
            folder, None, "expected a folder for the table, found a file; name another"
        )
    if not (folder / DESCRIPTION).exists() and any(folder.iterdir()):
        raise FileFormatError(
            folder,
            None,
            "expected a new folder or a phrase table to replace, found a folder with "
            "other files; name another",
        )
