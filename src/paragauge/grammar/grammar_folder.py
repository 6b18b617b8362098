"""A grammar on disk: a folder with rules in Parquet and a description in `grammar.json`.

Rules are unique and sorted by source, target, left side and labels, by their UTF-8 bytes. The columns
are:

| column | |
|---|---|
| `lhs` | label of the left side, without brackets |
| `labels` | labels of the non-terminals in the order of their numbers, separated by a space |
| `source`, `target` | words and `[1]`, `[2]` ... separated by a space, numbered by the source side |
| `source_words`, `target_words` | the number of words (not non-terminals) on each side |
| `count` | how often the rule was extracted; null where that is unknown |
| `alignment` | links `0-0 2-1` between symbols of the sides, as in Thrax and PPDB, or null |
| `entailment` | only in some grammars: the relation that PPDB 2.0 predicts, or null |

There is also one column of numbers for each feature, null where a rule lacks it. It has the feature's
name if SQL accepts that as a name: lowercase letters, digits and `_`, not one of the columns above, not
a reserved word, and not `f` with a number. Other features are in `f1`, `f2` ... by their position among
all features.

The description holds the numbers of rules, of distinct sources and of rules of each kind, the name of
the feature in each column, and a fingerprint of the rows and of these names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from paragauge.engine.dataset import Dataset, DatasetWriter, Kind, new_dataset
from paragauge.errors import FileFormatError, InputError
from paragauge.grammar.rule import Rule
from paragauge.text.pyarrow_extra import require_pyarrow

KEY = ("lhs", "labels", "source", "target")
COLUMNS = (*KEY, "source_words", "target_words", "count", "alignment")
ENTAILMENT = "entailment"
ORDER = ("source", "target", "lhs", "labels")

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_POSITION = re.compile(r"f[0-9]+")
# Words that DuckDB or Spark accept as names only in quotes.
_RESERVED = """
all analyse analyze and anti any array as asc asof asymmetric at authorization between binary both
by case cast check collate collation column columns concurrently constraint create cross
current_date current_time current_timestamp current_user default deferrable desc describe distinct
do else end escape except exists false fetch filter for foreign freeze from full generated glob
grant group having ilike in initially inner intersect interval into is isnull join lambda lateral
leading left like limit map minus natural not notnull null offset on only or order outer overlaps
pivot pivot_longer pivot_wider placing positional primary qualify references returning right select
semi session_user show similar some struct summarize symmetric table tablesample then time to
trailing true try_cast tuple union unique unknown unpack unpivot user using variadic verbose when
where window with within
"""


def columns_of(features: Sequence[str]) -> dict[str, str]:
    """The column of each feature.

    >>> columns_of(["p_target", "Abstract", "order"])
    {'p_target': 'p_target', 'Abstract': 'f2', 'order': 'f3'}
    """
    unavailable = {*COLUMNS, ENTAILMENT, *_RESERVED.split()}
    columns = {}
    for position, name in enumerate(features, 1):
        if name in columns:
            raise InputError(f"feature {name!r}: expected each name once, found it twice")
        plain = _NAME.fullmatch(name) and not _POSITION.fullmatch(name) and name not in unavailable
        columns[name] = name if plain else f"f{position}"
    return columns


def schema(features: Sequence[str] = (), *, entailment: bool = False) -> Any:
    """The Arrow schema of the rows of a grammar with these features.

    >>> schema(["p_target", "Abstract"]).names[-2:]
    ['p_target', 'f2']
    """
    require_pyarrow("engine")
    import pyarrow as pa

    kinds = dict.fromkeys(COLUMNS, pa.string())
    kinds |= {"source_words": pa.int32(), "target_words": pa.int32(), "count": pa.int64()}
    if entailment:
        kinds[ENTAILMENT] = pa.string()
    kinds |= dict.fromkeys(columns_of(features).values(), pa.float64())
    nullable = set(kinds) - {*KEY, "source_words", "target_words"}
    return pa.schema([pa.field(name, kind, name in nullable) for name, kind in kinds.items()])


@dataclass(frozen=True)
class RuleRow:
    """A rule with what a grammar knows about it; features by their names.

    >>> RuleRow(Rule("NN", "answer", "reply"), 3, "0-0", {"p_target": 0.5}).features["p_target"]
    0.5
    """

    rule: Rule
    count: int | None
    alignment: str | None
    features: dict[str, float | None]
    entailment: str | None = None


def rule_of(row: dict[str, Any]) -> Rule:
    """The rule in a row of a table that has at least the key columns.

    >>> rule_of({"lhs": "X", "labels": "A B", "source": "[1] [2]", "target": "[2] [1]"}).labels
    ('A', 'B')
    """
    labels = tuple(row["labels"].split(" ")) if row["labels"] else ()
    return Rule(row["lhs"], row["source"], row["target"], labels)


KIND = Kind(
    name="grammar",
    size="rules",
    description="grammar.json",
    rows="rules.parquet",
    again="rebuild the grammar",
    file_hint="convert a file of PPDB, Joshua, cdec or Moses with paragauge grammar convert first",
)


class Grammar(Dataset):
    """A grammar on disk; rules are read on demand.

    >>> import tempfile
    >>> import pyarrow as pa
    >>> from paragauge.grammar.rule import Rule
    >>> rule = Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_grammar(f"{folder}/g", features=["Abstract"]) as writer:
    ...         writer.write(pa.Table.from_pylist([rule.row() | {"count": 2, "f1": 0.5}]))
    ...         writer.finish({"facts": "none"})
    ...     grammar = Grammar.open(f"{folder}/g")
    ...     [row] = grammar.query("[1] 's [2]")
    >>> len(grammar), grammar.features, row.rule == rule, row.count, row.features
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
        """The names of the features, whose columns may be f1, f2 ..."""
        return self.features

    def query(self, source: str, limit: int | None = None) -> list[RuleRow]:
        """The rules with this source side in normal form (`[1] 's [2]`), in the grammar's order."""
        return [self._row(row) for row in self._rows_with(source)[:limit]]

    def _row(self, row: dict[str, Any]) -> RuleRow:
        features = {name: row[column] for name, column in self.columns.items()}
        return RuleRow(rule_of(row), row["count"], row["alignment"], features, row.get(ENTAILMENT))

    def _check_schema(self, actual: Any) -> None:
        features = self._description.get("features")
        if not isinstance(features, dict) or not all(
            isinstance(name, str) for name in features.values()
        ):
            message = f"expected the field features with the name of each column; {KIND.again}"
            raise FileFormatError(self.folder / KIND.description, None, message)
        entailment = ENTAILMENT in actual.names
        names = list(features.values())
        expected = schema(names if len(set(names)) == len(names) else (), entailment=entailment)
        if actual.names != expected.names or list(columns_of(names).values()) != list(features):
            raise FileFormatError(
                self.path,
                None,
                f"expected the columns {', '.join(expected.names)}, found {', '.join(actual.names)}; "
                f"{KIND.again}",
            )
        for field in expected:
            if actual.field(field.name).type != field.type:
                raise FileFormatError(
                    self.path,
                    None,
                    f"column {field.name}: expected {field.type}, found "
                    f"{actual.field(field.name).type}; {KIND.again}",
                )


# Columns with few distinct values, or whose values repeat because rows are sorted by source.
REPEATING = (
    "source",
    "lhs",
    "labels",
    "source_words",
    "target_words",
    "count",
    "alignment",
    ENTAILMENT,
)


class GrammarWriter(DatasetWriter):
    """Writes sorted rules to a grammar; nullable columns may be left out."""

    def __init__(self, folder: Path, features: Sequence[str], entailment: bool) -> None:
        super().__init__(folder, KIND, schema(), ())
        self.declare(features, entailment=entailment)
        self._last_key: Any = None
        self.kinds = {"lexical": 0, "phrasal": 0, "syntactic": 0}

    def declare(self, features: Sequence[str], *, entailment: bool = False) -> None:
        """Set the features before the first rule is written, if they were not known at the start."""
        rows = schema(features, entailment=entailment)
        self._columns = {column: name for name, column in columns_of(features).items()}
        self.declare_schema(rows, [name for name in REPEATING if name in rows.names], features)

    def write(self, rows: Any) -> None:
        """Add rules, as an Arrow table or batch, in the order of grammars."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if isinstance(rows, pa.RecordBatch):
            rows = pa.Table.from_batches([rows])
        for field in self.schema:
            if field.nullable and field.name not in rows.column_names:
                rows = rows.append_column(field, pa.nulls(len(rows), field.type))
        self._check_order(rows)
        super().write(rows)
        words_only = pc.equal(rows.column("labels"), "")
        single = pc.equal(rows.column("source_words"), 1)
        plain = pc.sum(words_only).as_py() or 0
        lexical = pc.sum(pc.and_(words_only, single)).as_py() or 0
        self.kinds["lexical"] += lexical
        self.kinds["phrasal"] += plain - lexical
        self.kinds["syntactic"] += len(rows) - plain

    def _check_order(self, rows: Any) -> None:
        """Reject duplicate or unsorted rules: overlap and queries rely on the order."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not len(rows):
            return
        keys = rows.select(list(ORDER)).cast(pa.schema([(name, pa.string()) for name in ORDER]))
        if self._last_key is not None:
            keys = pa.concat_tables([self._last_key, keys])
        self._last_key = keys[len(keys) - 1 :].combine_chunks()
        before, after = keys[:-1], keys[1:]
        equal, less = pa.scalar(True), pa.scalar(False)
        for name in ORDER:
            left, right = before.column(name), after.column(name)
            less = pc.or_(less, pc.and_(equal, pc.less(left, right)))
            equal = pc.and_(equal, pc.equal(left, right))
        if not len(after) or (at := pc.index(less, False).as_py()) < 0:
            return
        first, second = (rule_of(rows.slice(at, 1).to_pylist()[0]) for rows in (before, after))
        raise InputError(
            "expected rules in the order of source, target, left side and labels, each once, found "
            f"{str(second)[:100]!r} after {str(first)[:100]!r}; sort them, and merge equal ones"
        )

    def facts(self) -> dict[str, Any]:
        """The numbers of rules, sources and rules of each kind, and the names of features by column."""
        return {**super().facts(), "kinds": self.kinds, "features": self._columns}


def new_grammar(
    output: str | Path, features: Sequence[str] = (), *, entailment: bool = False
) -> AbstractContextManager[GrammarWriter]:
    """A writer of a grammar, which appears in `output` when the block ends without an error.

    Rules are written in order: by source, target, left side and labels. `columns_of` gives the column
    of each feature. An existing grammar is replaced at the end; any other folder or file is left alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_grammar(f"{folder}/empty") as writer:
    ...         writer.finish({})
    ...     sorted(path.name for path in Path(folder, "empty").iterdir())
    ['grammar.json', 'rules.parquet']
    """
    return new_dataset(output, KIND, lambda folder: GrammarWriter(folder, features, entailment))
