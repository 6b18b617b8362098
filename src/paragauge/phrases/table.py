"""A phrase table: a folder with rows in Parquet and a description in `phrase-table.json`.

Rows are sorted by source and then by target, by their UTF-8 bytes; the columns are

| column | |
|---|---|
| `source`, `target` | the phrases, words separated by blanks |
| `count` | how often the pair was extracted |
| `source_count`, `target_count` | how often each phrase was extracted, with whatever partner |
| `p_target`, `p_source` | p(target\\|source) and p(source\\|target) |
| `lex_target`, `lex_source` | lexical weights of the target given the source, and the other way round |
| `alignment` | links between the words, `0-0 1-2`: source position, target position |

Counts are null where a table was read from a file that has none. The description is written last, and
the folder gets its name when all is there: a folder without the description is no table. The
fingerprint is a SHA-256 of the rows alone, whatever files they are in.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.engine.columns import texts_of
from paragauge.errors import FileFormatError
from paragauge.text.files import atomic, os_error
from paragauge.text.tables import open_parquet
from paragauge.version import __version__

FORMAT = "paragauge phrase table"
VERSION = 1
DESCRIPTION = "phrase-table.json"
ROWS = "phrases.parquet"
STRINGS = ("source", "target", "alignment")
COUNTS = ("count", "source_count", "target_count")
SCORES = ("p_target", "p_source", "lex_target", "lex_source")
COLUMNS = ("source", "target", *COUNTS, *SCORES, "alignment")
ROW_GROUP = 1 << 16


def schema() -> Any:
    """The Arrow schema of the rows."""
    import pyarrow as pa

    kinds = {"source": pa.string(), "target": pa.string(), "alignment": pa.string()}
    kinds |= dict.fromkeys(COUNTS, pa.int64()) | dict.fromkeys(SCORES, pa.float64())
    return pa.schema([pa.field(name, kinds[name]) for name in COLUMNS])


@dataclass(frozen=True)
class PhrasePair:
    """One row of a phrase table."""

    source: str
    target: str
    count: int | None
    source_count: int | None
    target_count: int | None
    p_target: float
    p_source: float
    lex_target: float
    lex_source: float
    alignment: str


class Fingerprint:
    """A SHA-256 of rows, which does not depend on how they are cut into batches."""

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


class PhraseTable:
    """A phrase table on disk; rows are read when they are asked for."""

    def __init__(self, folder: Path, description: dict[str, Any], file: Any) -> None:
        self.folder = folder
        self._description = description
        self._file = file

    @classmethod
    def open(cls, folder: str | Path) -> PhraseTable:
        """The table in this folder; `paragauge phrases extract` makes one."""
        path = Path(folder)
        if not path.exists():
            raise FileFormatError(path, None, "no such folder; check the path")
        if not path.is_dir():
            raise FileFormatError(
                path,
                None,
                "expected the folder of a phrase table, found a file; for a Moses table "
                "run paragauge phrases convert first",
            )
        if not (path / DESCRIPTION).exists():
            raise FileFormatError(
                path,
                None,
                f"expected a phrase table, found a folder without {DESCRIPTION}: it is "
                "another folder, or was left unfinished; extract it again",
            )
        description = _description(path / DESCRIPTION)
        file = open_parquet(path / ROWS)
        names = tuple(file.schema_arrow.names)
        if names != COLUMNS:
            raise FileFormatError(
                path / ROWS, None, f"expected the columns {', '.join(COLUMNS)}, got {', '.join(names)}"
            )
        if file.metadata.num_rows != description["pairs"]:
            raise FileFormatError(
                path / ROWS,
                None,
                f"expected {description['pairs']} rows as {DESCRIPTION} says, "
                f"got {file.metadata.num_rows}; extract the table again",
            )
        return cls(path, description, file)

    def __len__(self) -> int:
        return int(self._description["pairs"])

    def __repr__(self) -> str:
        return f"PhraseTable({str(self.folder)!r}, {len(self)} pairs)"

    @property
    def info(self) -> dict[str, Any]:
        """What `phrase-table.json` says: settings, counts, fingerprint."""
        return dict(self._description)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the rows, as it was when the table was made; see `verify`."""
        return str(self._description["fingerprint"])

    @property
    def path(self) -> Path:
        """The Parquet file with the rows, for engines and other tools."""
        return self.folder / ROWS

    def batches(self, columns: tuple[str, ...] = COLUMNS, size: int = ROW_GROUP) -> Iterator[Any]:
        """The rows in order as Arrow record batches of at most `size` rows."""
        with self._reading():
            yield from self._file.iter_batches(batch_size=size, columns=list(columns))

    def query(self, phrase: str, limit: int | None = None) -> list[PhrasePair]:
        """The translations of a source phrase, the most probable first."""
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = " ".join(phrase.split())
        found = []
        with self._reading():
            for group in self._groups_with(wanted.encode()):
                rows = self._file.read_row_group(group)
                found.append(rows.filter(pc.equal(rows.column("source"), pa.scalar(wanted))))
        pairs = [PhrasePair(**row) for part in found for row in part.to_pylist()]
        pairs.sort(key=lambda pair: (-pair.p_target, pair.target))
        return pairs[:limit]

    def verify(self) -> None:
        """Read all rows and raise an error if they are not those the fingerprint was made of."""
        now = Fingerprint()
        for batch in self.batches():
            now.add(batch)
        if now.hex() != self.fingerprint:
            raise FileFormatError(
                self.path,
                None,
                f"the rows are not those that {DESCRIPTION} was written for; extract the table again",
            )

    def _groups_with(self, source: bytes) -> Iterator[int]:
        """Numbers of the row groups that may hold a source phrase."""
        for group in range(self._file.metadata.num_row_groups):
            bounds = self._file.metadata.row_group(group).column(0).statistics
            # Parquet leaves out the bounds of very long strings.
            bounded = bounds is not None and bounds.has_min_max
            if not bounded or bounds.min.encode() <= source <= bounds.max.encode():
                yield group

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise FileFormatError(
                self.path, None, f"damaged phrase table ({reason}); extract it again"
            ) from None


def _description(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, None, f"expected JSON, got bad JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FileFormatError(path, None, "expected the description of a phrase table")
    if found.get("version") != VERSION:
        raise FileFormatError(
            path,
            None,
            f"expected format version {VERSION}, got {found.get('version')!r}; "
            "extract the table again, or use the paragauge that made it",
        )
    if not isinstance(found.get("pairs"), int) or not isinstance(found.get("fingerprint"), str):
        raise FileFormatError(path, None, "expected the fields pairs and fingerprint; extract it again")
    return found


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
        self._writer.write_table(rows, row_group_size=ROW_GROUP)

    def close(self) -> None:
        """Finish the file of rows."""
        self._writer.close()

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the description: what is known here, and these facts."""
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
        old = hidden.with_suffix(".old")
        if place.exists():
            place.rename(old)
        hidden.rename(place)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise os_error(target, error) from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


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
