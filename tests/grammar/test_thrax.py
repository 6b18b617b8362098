"""Rule sets against Thrax's own output, with its settings: `oracles/thrax` of the benchmark data."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from paragauge.align.links import Links
from paragauge.grammar.grammar_folder import rule_of
from paragauge.grammar.labels import Labels
from paragauge.grammar.pair_rows import PairRows
from paragauge.grammar.rule_mapper import RuleMapper
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext

LABELS = {"const": "constituents", "ccg": "slashed", "samt": "samt", "hiero": "hiero"}
CASES = ["fig1.const", "fig1.ccg", "fig1.samt", "edin.const", "edin.samt", "edin.hiero"]


def pairs(path: Path) -> tuple[list[pa.RecordBatch], tuple[str, ...]]:
    """The rows of Thrax's input, and the labels of its trees."""
    brackets, targets, links = [], [], []
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            tree, target, alignment = line.rstrip("\n").split(" ||| ")
            brackets.append(tree)
            targets.append(target)
            links.append([tuple(map(int, link.split("-"))) for link in alignment.split()])
    trees, rows = Trees.of(brackets), PairRows()
    bitext = Bitext.of([" ".join(words) for words in trees.words], targets)
    return rows.table(bitext, Links.from_lists(links), trees).to_batches(), rows.labels


@pytest.mark.parametrize("max_rows", [1 << 20, 1 << 12])
@pytest.mark.parametrize("case", CASES)
def test_equal_rules(benchmark_data: Path, case: str, max_rows: int) -> None:
    folder = benchmark_data / "oracles" / "thrax"
    name, labels = case.split(".")
    settings = replace(RuleSettings.named("thrax"), labels=Labels.named(LABELS[labels]))
    batches, tree_labels = pairs(folder / f"{name}.input.txt")
    mapper = RuleMapper(settings, max_rows=max_rows, tree_labels=tree_labels)
    rules = set()
    for batch in mapper(iter(batches)):
        rules |= {str(rule_of(row)) for row in batch.to_pylist()}
    with gzip.open(folder / f"{case}.gz", "rt", encoding="utf-8", newline="\n") as lines:
        thrax_rules = {line.rstrip("\n") for line in lines}
    assert sorted(thrax_rules - rules) == []
    assert sorted(rules - thrax_rules) == []
