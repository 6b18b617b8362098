"""Rule sets against Thrax's own output, with its settings: `oracles/thrax` of the benchmark data."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from paragauge.grammar.labels import Labels
from paragauge.grammar.rule_mapper import RuleMapper, pair_schema
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.grammar.table import rule_of
from paragauge.syntax.trees import Trees

LABELS = {"const": "constituents", "ccg": "slashed", "samt": "samt", "hiero": "hiero"}
CASES = ["fig1.const", "fig1.ccg", "fig1.samt", "edin.const", "edin.samt", "edin.hiero"]


def pairs(path: Path) -> pa.RecordBatch:
    rows = []
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            tree, target, links = line.rstrip("\n").split(" ||| ")
            [words] = Trees.of([tree]).words
            rows.append((" ".join(words), target, links, tree, number))
    return pa.record_batch([list(column) for column in zip(*rows, strict=True)], pair_schema())


@pytest.mark.parametrize("max_rows", [1 << 20, 1 << 12])
@pytest.mark.parametrize("case", CASES)
def test_equal_rules(benchmark_data: Path, case: str, max_rows: int) -> None:
    folder = benchmark_data / "oracles" / "thrax"
    name, labels = case.split(".")
    settings = replace(RuleSettings.named("thrax"), labels=Labels.named(LABELS[labels]))
    mapper = RuleMapper(settings, max_rows=max_rows)
    found = set()
    for batch in mapper(iter([pairs(folder / f"{name}.input.txt")])):
        found |= {str(rule_of(row)) for row in batch.to_pylist()}
    with gzip.open(folder / f"{case}.gz", "rt", encoding="utf-8", newline="\n") as lines:
        wanted = {line.rstrip("\n") for line in lines}
    assert sorted(wanted - found) == []
    assert sorted(found - wanted) == []
