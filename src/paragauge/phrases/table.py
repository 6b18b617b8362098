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
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError
from paragauge.phrases.fingerprint import Fingerprint
from paragauge.phrases.rows import COLUMNS, ROW_GROUP, PhrasePair
from paragauge.text.files import os_error
from paragauge.text.tables import open_parquet

FORMAT = "paragauge phrase table"
VERSION = 1
DESCRIPTION = "phrase-table.json"
ROWS = "phrases.parquet"


class PhraseTable:
    """A phrase table on disk; rows are read when they are asked for.

    >>> import tempfile
    >>> from paragauge.phrases.table_write import new_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_table(f"{folder}/empty") as writer:
    ...         writer.finish({"facts": "none"})
    ...     table = PhraseTable.open(f"{folder}/empty")
    ...     len(table), table.query("house"), table.info["facts"]
    (0, [], 'none')
    """

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
