"""Making grammars on disk."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from paragauge.engine.dataset_write import DatasetWriter, new_dataset
from paragauge.errors import InputError
from paragauge.grammar.rows import ENTAILMENT, ORDER, columns_of, rule_of, schema
from paragauge.grammar.table import KIND

# Columns with few values, or with values that repeat because rows are sorted by source.
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
    """Takes sorted rules for a grammar; columns that may be null may be left out."""

    def __init__(self, folder: Path, features: Sequence[str], entailment: bool) -> None:
        super().__init__(folder, KIND, schema(), ())
        self.declare(features, entailment=entailment)
        self._last_key: Any = None
        self.kinds = {"lexical": 0, "phrasal": 0, "syntactic": 0}

    def declare(self, features: Sequence[str], *, entailment: bool = False) -> None:
        """Set the features, before the first rule is written: for work that finds them out."""
        rows = schema(features, entailment=entailment)
        self._columns = {column: name for name, column in columns_of(features).items()}
        self.declare_schema(rows, [name for name in REPEATING if name in rows.names], features)

    def write(self, rows: Any) -> None:
        """Add rules, an Arrow table or batch, in the order of grammars."""
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
        """Refuse rules that are there twice or out of order: overlap and queries rely on it."""
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
        found = [rule_of(each.slice(at, 1).to_pylist()[0]) for each in (before, after)]
        raise InputError(
            "expected rules in the order of source, target, left side and labels, each once, found "
            f"{str(found[1])[:100]!r} after {str(found[0])[:100]!r}; sort them, and join equal ones"
        )

    def facts(self) -> dict[str, Any]:
        """Numbers of rules and sources, rules of each kind, and the names of features by column."""
        return {**super().facts(), "kinds": self.kinds, "features": self._columns}


def new_grammar(
    output: str | Path, features: Sequence[str] = (), *, entailment: bool = False
) -> AbstractContextManager[GrammarWriter]:
    """A writer for the grammar that is in `output` when the block ends without an error.

    Rules are written in order: by source, target, left side and labels. `features` are names; the
    column of each is what `rows.columns_of` gives. A grammar that is there already is replaced at the
    end; any other folder or file is left alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_grammar(f"{folder}/empty") as writer:
    ...         writer.finish({})
    ...     sorted(path.name for path in Path(folder, "empty").iterdir())
    ['grammar.json', 'rules.parquet']
    """
    return new_dataset(output, KIND, lambda folder: GrammarWriter(folder, features, entailment))
