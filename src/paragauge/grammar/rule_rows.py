"""Read the rules of a grammar, whatever holds it, as batches of columns for synchronous parsing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.engine.arrow_strings import Texts, strings, texts_of
from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.grammar.features import PROBABILITIES
from paragauge.grammar.grammar_folder import KEY, KIND, Grammar
from paragauge.grammar.grammar_reader import GrammarReader
from paragauge.grammar.rule import Rule
from paragauge.kernels.layout import MOST_PARSED_NONTERMINALS
from paragauge.text.files import display_name

Rules = Grammar | str | Path | Sequence[Rule]


@dataclass(frozen=True, eq=False)
class RuleRows:
    """A batch of rules: their columns, costs and numbers in the grammar (from 1).

    `left_out` rules of the batch are missing, as they have more non-terminals than the parser takes.
    """

    columns: tuple[Texts, Texts, Texts, Texts]
    costs: NDArray[np.float64]
    numbers: NDArray[np.int64]
    left_out: int

    def __len__(self) -> int:
        return len(self.costs)

    def heads(self) -> list[str]:
        """The distinct labels of the left sides."""
        return [str(label) for label in strings(self.columns[0]).unique().to_pylist()]


def grammar_name(rules: Rules) -> str:
    """The name of a grammar in tables and messages.

    >>> grammar_name("grammars/ppdb-s.gz"), grammar_name([])
    ('ppdb-s', 'rules')
    """
    if isinstance(rules, Grammar):
        return rules.folder.name
    if isinstance(rules, (str, Path)):
        path = Path(rules)
        while path.suffix in (".gz", ".zst", ".txt"):
            path = path.with_suffix("")
        return path.name or str(rules)
    return "rules"


def grammar_location(rules: Rules) -> str:
    """The file of a grammar, for messages."""
    if isinstance(rules, Grammar):
        return str(rules.path)
    if isinstance(rules, (str, Path)):
        return str(Path(rules) / KIND.rows if Path(rules).is_dir() else rules)
    return "rules"


def rule_rows(rules: Rules, cost: str | None = None) -> Iterator[RuleRows]:
    """All rules in their order; `cost` names the feature with a rule's cost, which is 0 by default.

    A cost is any finite number: PPDB's -log p may be slightly below 0. paragauge's own probabilities
    (`grammar/features.py`) become costs, -log p.

    `rules` is a grammar, its folder, a text file in a format that `grammar_reader` knows, or a list of
    rules.

    >>> [rows] = rule_rows([Rule.parse("[X] ||| a ||| b"), Rule.parse("[X] ||| c ||| d")])
    >>> len(rows), bytes(rows.columns[2][0])
    (2, b'ac')
    """
    if isinstance(rules, (str, Path)):
        path = Path(rules)
        is_file = str(rules) == "-" or (path.exists() and not path.is_dir())
        rules = path if is_file else Grammar.open(path)
    if isinstance(rules, Grammar):
        batches = _grammar_batches(rules, cost)
    elif isinstance(rules, Path):
        batches = _file_batches(rules, cost)
    else:
        batches = _list_batches(rules, cost)
    first = 0
    for table, values in batches:
        numbers = np.arange(first + 1, first + len(table) + 1)
        first += len(table)
        keep = _few_nonterminals(table)
        left_out = len(table) - int(keep.sum())
        if left_out:
            table = table.filter(keep)
            values = None if values is None else values.filter(keep)
        columns = tuple(texts_of(table.column(name)) for name in KEY)
        costs = np.zeros(len(table))
        if values is not None:
            costs = _costs(values, cost, table, grammar_location(rules))
        yield RuleRows((columns[0], columns[1], columns[2], columns[3]), costs, numbers[keep], left_out)


def _few_nonterminals(table: Any) -> NDArray[np.bool_]:
    """Whether each rule has at most as many non-terminals as the parser takes."""
    import pyarrow.compute as pc

    spaces = pc.count_substring(table.column("labels"), " ").to_numpy(zero_copy_only=False)
    return np.asarray(spaces < MOST_PARSED_NONTERMINALS)


def _grammar_batches(grammar: Grammar, cost: str | None) -> Iterator[tuple[Any, Any]]:
    if cost is not None and cost not in grammar.columns:
        raise unknown_name(f"feature of {grammar.folder}", cost, grammar.features)
    columns = [*KEY, *([grammar.columns[cost]] if cost is not None else [])]
    for batch in grammar.batches(columns):
        yield batch, batch.column(len(KEY)) if cost is not None else None


def _file_batches(path: Path, cost: str | None) -> Iterator[tuple[Any, Any]]:
    reader = GrammarReader(str(path))
    for table in reader.batches():
        if cost is not None and cost not in reader.names:
            raise unknown_name(f"feature of {display_name(path)}", cost, reader.names)
        yield table, None if cost is None else table.column(f"f{reader.names.index(cost) + 1}")


def _list_batches(rules: Sequence[Rule], cost: str | None) -> Iterator[tuple[Any, Any]]:
    import pyarrow as pa

    if cost is not None:
        raise InputError(f"cost {cost!r}: a list of rules has no features; give a grammar")
    rows = [rule.row() for rule in rules]
    yield pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in KEY}), None


def _costs(values: Any, cost: str | None, table: Any, place: str) -> NDArray[np.float64]:
    """The costs of some rules; an error names the first rule whose value is no cost."""
    costs = np.asarray(values.to_numpy(zero_copy_only=False), np.float64)
    expected, bad = "a cost, a number such as -log p,", ~np.isfinite(costs)
    if cost in PROBABILITIES:
        expected, bad = "a probability above 0", ~((costs > 0) & (costs <= 1))
    if bad.any():
        row = table.slice(int(np.argmax(bad)), 1).to_pylist()[0]
        labels = tuple(row["labels"].split())
        rule = Rule(row["lhs"], row["source"], row["target"], labels)
        value = "none" if np.isnan(costs[bad][0]) else f"{costs[bad][0]:g}"
        raise FileFormatError(
            place,
            None,
            f"feature {cost}: expected {expected} for every rule, found {value} for {rule}; "
            "choose another feature",
        )
    return 0.0 - np.log(costs) if cost in PROBABILITIES else costs
