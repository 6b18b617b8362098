"""A phrase table: a folder with rows in Parquet and a description in `phrase-table.json`.

Rows are sorted by source and then by target, by their UTF-8 bytes. The columns are

| column | |
|---|---|
| `source`, `target` | the phrases, words separated by spaces |
| `count` | how often the pair was extracted |
| `source_count`, `target_count` | how often each phrase was extracted, with any partner |
| `p_target`, `p_source` | p(target\\|source) and p(source\\|target) |
| `lex_target`, `lex_source` | lexical weights of the target given the source, and the reverse |
| `alignment` | links between the words, `0-0 1-2`: source position, target position |

Counts are null in a table that was read from a file without them.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from paragauge.engine.dataset import Dataset, DatasetWriter, Kind, new_dataset
from paragauge.errors import FileFormatError
from paragauge.text.pyarrow_extra import require_pyarrow

STRINGS = ("source", "target", "alignment")
COUNTS = ("count", "source_count", "target_count")
SCORES = ("p_target", "p_source", "lex_target", "lex_source")
COLUMNS = ("source", "target", *COUNTS, *SCORES, "alignment")


def schema() -> Any:
    """The Arrow schema of the rows.

    >>> schema().field("p_target").type
    DataType(double)
    """
    require_pyarrow("engine")
    import pyarrow as pa

    kinds = {"source": pa.string(), "target": pa.string(), "alignment": pa.string()}
    kinds |= dict.fromkeys(COUNTS, pa.int64()) | dict.fromkeys(SCORES, pa.float64())
    return pa.schema([pa.field(name, kinds[name]) for name in COLUMNS])


@dataclass(frozen=True)
class PhrasePair:
    """One row of a phrase table; the fields are the columns above.

    >>> pair = PhrasePair("la", "the", 1, 1, 2, 1.0, 0.5, 1.0, 0.25, "0-0")
    >>> pair.p_source
    0.5
    """

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


KIND = Kind(
    name="phrase table",
    size="pairs",
    description="phrase-table.json",
    rows="phrases.parquet",
    again="extract the table again",
    file_hint="for a Moses table run paragauge phrases convert first",
)


class PhraseTable(Dataset):
    """A phrase table on disk; rows are read on demand.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_table(f"{folder}/empty") as writer:
    ...         writer.finish({"facts": "none"})
    ...     table = PhraseTable.open(f"{folder}/empty")
    ...     len(table), table.query("house"), table.info["facts"]
    (0, [], 'none')
    """

    kind: ClassVar[Kind] = KIND

    def query(self, phrase: str, limit: int | None = None) -> list[PhrasePair]:
        """The translations of a source phrase, most probable first."""
        pairs = [PhrasePair(**row) for row in self._rows_with(phrase)]
        pairs.sort(key=lambda pair: (-pair.p_target, pair.target))
        return pairs[:limit]

    def _check_schema(self, schema: Any) -> None:
        if tuple(schema.names) != COLUMNS:
            raise FileFormatError(
                self.path,
                None,
                f"expected the columns {', '.join(COLUMNS)}, found {', '.join(schema.names)}",
            )


def new_table(output: str | Path) -> AbstractContextManager[DatasetWriter]:
    """A writer for a table that appears in `output` when the block ends without an error.

    An existing table is replaced at the end; any other folder or file is left alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_table(f"{folder}/empty") as writer:
    ...         writer.finish({})
    ...     sorted(path.name for path in Path(folder, "empty").iterdir())
    ['phrase-table.json', 'phrases.parquet']
    """
    repeating = ("source", "alignment", *COUNTS)
    return new_dataset(output, KIND, lambda folder: DatasetWriter(folder, KIND, schema(), repeating))
