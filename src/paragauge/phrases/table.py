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

Counts are null where a table was read from a file that has none.
"""

from __future__ import annotations

from typing import Any, ClassVar

from paragauge.engine.dataset import Dataset, Kind
from paragauge.errors import FileFormatError
from paragauge.phrases.rows import COLUMNS, PhrasePair

KIND = Kind(
    name="phrase table",
    size="pairs",
    description="phrase-table.json",
    rows="phrases.parquet",
    again="extract the table again",
    file_hint="for a Moses table run paragauge phrases convert first",
)


class PhraseTable(Dataset):
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

    kind: ClassVar[Kind] = KIND

    def query(self, phrase: str, limit: int | None = None) -> list[PhrasePair]:
        """The translations of a source phrase, the most probable first."""
        pairs = [PhrasePair(**row) for row in self._rows_with(phrase)]
        pairs.sort(key=lambda pair: (-pair.p_target, pair.target))
        return pairs[:limit]

    def _check_schema(self, schema: Any) -> None:
        if tuple(schema.names) != COLUMNS:
            raise FileFormatError(
                self.path,
                None,
                f"expected the columns {', '.join(COLUMNS)}, got {', '.join(schema.names)}",
            )
