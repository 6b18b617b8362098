"""A table on disk: a folder with rows in Parquet and a description in JSON.

Phrase tables and grammars are such folders; `Kind` says in what they differ. Rows are sorted by UTF-8
bytes. The description holds the format's name and version, the number of rows, facts about where they
are from, and a fingerprint: a SHA-256 of the rows alone, whatever files they are in. It is written
last, and the folder gets its name when all is there (`dataset_write.py`): a folder without the
description is no table.
"""

from __future__ import annotations

import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from paragauge.engine.fingerprint import Fingerprint
from paragauge.errors import FileFormatError
from paragauge.text.extras import require_pyarrow
from paragauge.text.files import os_error
from paragauge.text.lines import Lines
from paragauge.text.plain import counted
from paragauge.text.tables import open_parquet
from paragauge.text.tokenizers import TOKENIZED, tokenize_lines

ROW_GROUP = 1 << 16


@dataclass(frozen=True)
class Kind:
    """What tells one kind of table from another.

    >>> kind = Kind("word list", "words", "words.json", "words.parquet", "make it again", "make one")
    >>> kind.format
    'paragauge word list'
    """

    name: str  # "phrase table"
    size: str  # the field of the description with the number of rows
    description: str  # the file's name
    rows: str  # the file's name
    again: str  # what to do about a damaged table
    file_hint: str  # what to do when a file is given instead of a folder
    version: int = 1

    @property
    def format(self) -> str:
        """How the description names the format."""
        return f"paragauge {self.name}"


class Dataset(ABC):
    """A table of some kind; rows are read when they are asked for."""

    kind: ClassVar[Kind]

    def __init__(self, folder: Path, description: dict[str, Any], file: Any) -> None:
        self.folder = folder
        self._description = description
        self._file = file

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The table in this folder."""
        path, kind = Path(folder), cls.kind
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
                f"expected {counted(description[kind.size], 'row')} as {kind.description} says, "
                f"got {file.metadata.num_rows}; {kind.again}",
            )
        return table

    @abstractmethod
    def _check_schema(self, schema: Any) -> None:
        """Raise the error for rows that are not of this kind."""

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
        wanted = self.schema.names if columns is None else list(columns)
        with self._reading():
            yield from self._file.iter_batches(batch_size=size, columns=wanted)

    def verify(self) -> None:
        """Read all rows and raise an error if they are not those the fingerprint was made of."""
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

        wanted = tokenize_lines(Lines.of([source]), TOKENIZED)[0]
        found: list[dict[str, Any]] = []
        with self._reading():
            for group in self._groups_with(wanted.encode()):
                rows = self._file.read_row_group(group)
                found += rows.filter(pc.equal(rows.column("source"), pa.scalar(wanted))).to_pylist()
        return found

    def _groups_with(self, source: bytes) -> Iterator[int]:
        """Numbers of the row groups that may hold a source."""
        column = self.schema.get_field_index("source")
        for group in range(self._file.metadata.num_row_groups):
            bounds = self._file.metadata.row_group(group).column(column).statistics
            # Parquet leaves out the bounds of very long strings, and damaged ones may be no strings.
            bounded = bounds is not None and bounds.has_min_max and isinstance(bounds.min, str)
            if not bounded or bounds.min.encode() <= source <= bounds.max.encode():
                yield group

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())[:200]
            message = f"damaged {self.kind.name} ({reason}); {self.kind.again}"
            raise FileFormatError(self.path, None, message) from None


def _description(path: Path, kind: Kind) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, None, f"expected JSON, got bad JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != kind.format:
        raise FileFormatError(path, None, f"expected the description of a {kind.name}")
    if found.get("version") != kind.version:
        raise FileFormatError(
            path,
            None,
            f"expected format version {kind.version}, got {found.get('version')!r}; "
            f"{kind.again}, or use the paragauge that made it",
        )
    if not isinstance(found.get(kind.size), int) or not isinstance(found.get("fingerprint"), str):
        message = f"expected the fields {kind.size} and fingerprint; {kind.again}"
        raise FileFormatError(path, None, message)
    return found
