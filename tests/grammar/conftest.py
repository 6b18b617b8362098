"""Fixtures that build grammars from rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from paragauge.grammar.grammar_folder import Grammar, columns_of, new_grammar, schema
from paragauge.grammar.rule import Rule

Row = tuple[Rule, int | None, dict[str, float]]


@pytest.fixture(scope="session")
def grammar_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Grammar]:
    """Build a grammar from rules with their counts and features."""

    def build(rows: Iterable[Row], features: Sequence[str] = ()) -> Grammar:
        folder: Path = tmp_path_factory.mktemp("grammars") / "g"
        columns = columns_of(features)
        records: list[dict[str, Any]] = [
            rule.row() | {"count": count} | {columns[name]: value for name, value in values.items()}
            for rule, count, values in rows
        ]
        keys = ("source", "target", "lhs", "labels")
        records.sort(key=lambda record: [str(record[key]).encode() for key in keys])
        with new_grammar(folder, features) as writer:
            writer.write(pa.Table.from_pylist(records, schema=schema(features)))
            writer.finish({})
        return Grammar.open(folder)

    return build
