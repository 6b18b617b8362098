"""A table on disk: a folder with rows in Parquet and a description in JSON.

Phrase tables and grammars are such folders; `Kind` says how they differ. Rows are sorted by UTF-8
bytes. The description has the format's name and version, the number of rows, facts about their origin,
and a fingerprint: a SHA-256 of the rows alone, however they are divided into files. It is written
last, and the folder is renamed when it is complete: a folder without the description is not a table.
"""

from __future__ import annotations

import contextlib
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from paragauge.engine.fingerprint import Fingerprint
from paragauge.errors import FileFormatError
from paragauge.text.atomic_folders import atomic_folder, check_folder
from paragauge.text.files import atomic, os_error, sync
from paragauge.text.lines import Lines
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.saving.leftovers import restore_folder
from paragauge.text.saving.sealed_json import seal_json, unseal_json
from paragauge.text.table_readers import open_parquet
from paragauge.text.tokenizers import TOKENIZED, tokenize_lines
from paragauge.text.wording import pluralize
from paragauge.version import __version__

ROW_GROUP = 1 << 16


@dataclass(frozen=True)
class Kind:
    """What distinguishes one kind of table from another.

    >>> kind = Kind("word list", "words", "words.json", "words.parquet", "make it again", "make one")
    >>> kind.format
    'paragauge word list'
    """

    name: str  # "phrase table"
    size: str  # the field of the description with the number of rows
    description: str  # the file's name
    rows: str  # the file's name
    again: str  # the advice for a damaged table
    file_hint: str  # the advice when a file is given instead of a folder
    version: int = 1

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the files beside the description."""
        return (self.rows,)

    @property
    def format(self) -> str:
        """How the description names the format."""
        return f"paragauge {self.name}"


class Dataset(ABC):
    """A table of some kind; rows are read on demand."""

    kind: ClassVar[Kind]

    def __init__(self, folder: Path, description: dict[str, Any], file: Any) -> None:
        self.folder = folder
        self._description = description
        self._file = file

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The table in this folder."""
        path, kind = Path(folder), cls.kind
        restore_folder(path)
        if not path.exists():
            raise FileFormatError(path, None, "no such folder; check the path")
        if not path.is_dir():
            message = f"expected the folder of a {kind.name}, found a file; {kind.file_hint}"
            raise FileFormatError(path, None, message)
        if not (path / kind.description).exists():
            raise FileFormatError(
                path,
                None,
                f"expected a {kind.name}, found a folder without {kind.description}: it is "
                f"another folder, or was left unfinished; {kind.again}",
            )
        description = _description(path / kind.description, kind)
        require_pyarrow("engine")
        file = open_parquet(path / kind.rows)
        table = cls(path, description, file)
        table._check_schema(file.schema_arrow)
        if file.metadata.num_rows != description[kind.size]:
            raise FileFormatError(
                path / kind.rows,
                None,
                f"expected {pluralize(description[kind.size], 'row')} as {kind.description} says, "
                f"found {file.metadata.num_rows}; {kind.again}",
            )
        return table

    @abstractmethod
    def _check_schema(self, schema: Any) -> None:
        """Raise an error if the rows are not of this kind."""

    def __len__(self) -> int:
        return int(self._description[self.kind.size])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r}, {len(self)} {self.kind.size})"

    @property
    def info(self) -> dict[str, Any]:
        """What the description says: settings, counts, fingerprint."""
        return dict(self._description)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the rows, as it was when the table was made; see `verify`."""
        return str(self._description["fingerprint"])

    @property
    def path(self) -> Path:
        """The Parquet file with the rows, for engines and other tools."""
        return self.folder / self.kind.rows

    @property
    def schema(self) -> Any:
        """The Arrow schema of the rows."""
        return self._file.schema_arrow

    def batches(self, columns: Sequence[str] | None = None, size: int = ROW_GROUP) -> Iterator[Any]:
        """The rows in order as Arrow record batches of at most `size` rows."""
        names = self.schema.names if columns is None else list(columns)
        with self._explain_damage():
            yield from self._file.iter_batches(batch_size=size, columns=names)

    def verify(self) -> None:
        """Read all rows and raise an error if they do not match the fingerprint."""
        now = Fingerprint(self.schema, self._names())
        for batch in self.batches():
            now.add(batch)
        if now.hex() != self.fingerprint:
            raise FileFormatError(
                self.path,
                None,
                f"the rows are not those that {self.kind.description} was written for; "
                f"{self.kind.again}",
            )

    def _names(self) -> Sequence[str]:
        """Names in the description that the fingerprint covers too."""
        return ()

    def _rows_with(self, source: str) -> list[dict[str, Any]]:
        """The rows with this source, in order; reads only the groups that may have it."""
        import pyarrow as pa
        import pyarrow.compute as pc

        phrase = tokenize_lines(Lines.of([source]), TOKENIZED)[0]
        matching: list[dict[str, Any]] = []
        with self._explain_damage():
            for group in self._groups_with(phrase.encode()):
                rows = self._file.read_row_group(group)
                matching += rows.filter(pc.equal(rows.column("source"), pa.scalar(phrase))).to_pylist()
        return matching

    def _groups_with(self, source: bytes) -> Iterator[int]:
        """Numbers of the row groups that may hold a source."""
        column = self.schema.get_field_index("source")
        for group in range(self._file.metadata.num_row_groups):
            bounds = self._file.metadata.row_group(group).column(column).statistics
            # Parquet omits the bounds of very long strings, and damaged bounds may not be strings.
            bounded = bounds is not None and bounds.has_min_max and isinstance(bounds.min, str)
            if not bounded or bounds.min.encode() <= source <= bounds.max.encode():
                yield group

    @contextlib.contextmanager
    def _explain_damage(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())[:200]
            message = f"damaged {self.kind.name} ({reason}); {self.kind.again}"
            raise FileFormatError(self.path, None, message) from None


def _description(path: Path, kind: Kind) -> dict[str, Any]:
    try:
        description = unseal_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, None, f"expected JSON, found bad JSON: {error}") from None
    if not isinstance(description, dict) or description.get("format") != kind.format:
        raise FileFormatError(path, None, f"expected the description of a {kind.name}")
    if description.get("version") != kind.version:
        raise FileFormatError(
            path,
            None,
            f"expected format version {kind.version}, found {description.get('version')!r}; "
            f"{kind.again}, or use the paragauge that made it",
        )
    if not isinstance(description.get(kind.size), int) or not isinstance(
        description.get("fingerprint"), str
    ):
        message = f"expected the fields {kind.size} and fingerprint; {kind.again}"
        raise FileFormatError(path, None, message)
    return description


class DatasetWriter:
    """Takes sorted rows for a table in `folder`; `scratch` is a subfolder for temporary files.

    Rows have a column `source` and are sorted by it first; columns in `repeating` have few values and
    are dictionary-encoded.
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
        """Set the schema, and names that the fingerprint covers; call it before writing rows."""
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
        self._write_groups(ROW_GROUP)

    def _write_groups(self, least: int) -> None:
        """Write row groups of equal size, so that the file does not depend on how rows were batched."""
        import pyarrow as pa

        size = ROW_GROUP
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
                write_page_checksum=True,
            )
        return self._writer

    def close(self) -> None:
        """Finish the file of rows."""
        self._file().close()

    def facts(self) -> dict[str, Any]:
        """The facts about the rows that the description states."""
        return {self.kind.size: self.rows, "sources": self.sources}

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the description: what the writer knows, and these facts."""
        self._write_groups(1)
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
            out.write(seal_json(description))


Writer = TypeVar("Writer", bound=DatasetWriter)


@contextlib.contextmanager
def new_dataset(output: str | Path, kind: Kind, make: Callable[[Path], Writer]) -> Iterator[Writer]:
    """A writer for a table that appears in `output` when the block ends without an error.

    The work is done in a hidden folder beside it, in which `make` creates the writer. An existing table
    of this kind is replaced at the end; any other folder or file is left alone, with an error before
    work starts.

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
    with atomic_folder(output, kind.name, kind.description, kind.parts) as hidden:
        writer = make(hidden)
        try:
            yield writer
        finally:
            writer.close()
        shutil.rmtree(writer.scratch)
        sync(hidden / kind.rows)


def check_output(folder: Path, kind: Kind) -> None:
    """Raise an error if a table of this kind must not be written there."""
    check_folder(folder, kind.name, kind.description, kind.parts)
