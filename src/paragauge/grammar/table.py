"""A grammar on disk: a folder with rules in Parquet and a description in `grammar.json`.

`grammar/rows.py` says what the columns are. Rules are sorted by source, target, left side and labels,
by their UTF-8 bytes, and each is there once. The description has the number of rules, of different
sources, and of rules of each kind, the names of the features by column, and the fingerprint of the
rows and of these names.
"""

from __future__ import annotations

from typing import Any, ClassVar

from paragauge.engine.dataset import Dataset, Kind
from paragauge.errors import FileFormatError
from paragauge.grammar.rows import ENTAILMENT, RuleRow, columns_of, rule_of, schema

KIND = Kind(
    name="grammar",
    size="rules",
    description="grammar.json",
    rows="rules.parquet",
    again="make the grammar again",
    file_hint="for a file of PPDB, Joshua, cdec or Moses run paragauge grammar convert first",
)


class Grammar(Dataset):
    """A grammar on disk; rules are read when they are asked for.

    >>> import tempfile
    >>> import pyarrow as pa
    >>> from paragauge.grammar.rule import Rule
    >>> from paragauge.grammar.table_write import new_grammar
    >>> rule = Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_grammar(f"{folder}/g", features=["Abstract"]) as writer:
    ...         writer.write(pa.Table.from_pylist([rule.row() | {"count": 2, "f1": 0.5}]))
    ...         writer.finish({"facts": "none"})
    ...     grammar = Grammar.open(f"{folder}/g")
    ...     [found] = grammar.query("[1] 's [2]")
    >>> len(grammar), grammar.features, found.rule == rule, found.count, found.features
    (1, ('Abstract',), True, 2, {'Abstract': 0.5})
    >>> grammar.info["kinds"]
    {'lexical': 0, 'phrasal': 0, 'syntactic': 1}
    """

    kind: ClassVar[Kind] = KIND

    @property
    def columns(self) -> dict[str, str]:
        """The column of each feature, by the feature's name."""
        return {name: column for column, name in self._description["features"].items()}

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features, in the order of their columns."""
        return tuple(self._description["features"].values())

    @property
    def has_entailment(self) -> bool:
        """Whether there is a column with PPDB 2.0's entailment relations."""
        return ENTAILMENT in self.schema.names

    def _names(self) -> tuple[str, ...]:
        """Those of the features, whose columns may be called f1, f2 ..."""
        return self.features

    def query(self, source: str, limit: int | None = None) -> list[RuleRow]:
        """The rules with this source side in normal form (`[1] 's [2]`), in the grammar's order."""
        return [self._row(row) for row in self._rows_with(source)[:limit]]

    def _row(self, row: dict[str, Any]) -> RuleRow:
        features = {name: row[column] for name, column in self.columns.items()}
        return RuleRow(rule_of(row), row["count"], row["alignment"], features, row.get(ENTAILMENT))

    def _check_schema(self, schema_found: Any) -> None:
        named = self._description.get("features")
        if not isinstance(named, dict) or not all(isinstance(name, str) for name in named.values()):
            message = f"expected the field features with the name of each column; {KIND.again}"
            raise FileFormatError(self.folder / KIND.description, None, message)
        entailment = ENTAILMENT in schema_found.names
        names = list(named.values())
        wanted = schema(names if len(set(names)) == len(names) else (), entailment=entailment)
        if schema_found.names != wanted.names or list(columns_of(names).values()) != list(named):
            raise FileFormatError(
                self.path,
                None,
                f"expected the columns {', '.join(wanted.names)}, got {', '.join(schema_found.names)}; "
                f"{KIND.again}",
            )
        for field in wanted:
            if schema_found.field(field.name).type != field.type:
                raise FileFormatError(
                    self.path,
                    None,
                    f"column {field.name}: expected {field.type}, got "
                    f"{schema_found.field(field.name).type}; {KIND.again}",
                )
