"""Examples of gold rules that a resource has, and of those that it lacks.

The most frequent gold rules of each kind, ties in the order of the sides by their UTF-8 bytes. Rules
with the same words on both sides say nothing about paraphrases and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.engine.base import Engine
from paragauge.grammar.grammar_folder import Grammar, rule_of
from paragauge.grammar.rule import LexicalRule, Rule
from paragauge.grammar.rule_overlap import KEYS, MODES, OverlapMode, kind_expression


@dataclass(frozen=True)
class RuleExample:
    """A gold rule, its kind, how often it was extracted, and whether the resource has it."""

    rule: Rule
    kind: str
    count: int
    is_found: bool


@dataclass(frozen=True)
class RuleExamples:
    """Examples, and whether labels count for what a resource has."""

    mode: OverlapMode
    rules: tuple[RuleExample, ...]


def rule_examples(
    gold: Grammar,
    resource: Grammar,
    *,
    number: int = 8,
    lexical: LexicalRule = "source",
    engine: Engine,
) -> RuleExamples:
    r"""The `number` most frequent gold rules of each kind in the resource, and as many that are not.

    Labels count unless no rule is in the resource with its labels, as in a Hiero grammar.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from paragauge.engine.duckdb_engine import DuckDBEngine
    >>> from paragauge.grammar.convert import read_grammar
    >>> texts = {"own": "[X] ||| a ||| b\n"}
    >>> texts["gold"] = "[X] ||| a ||| b\n[X] ||| a ||| a\n[X] ||| c ||| d\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in texts.items():
    ...         _ = Path(folder, name).write_text(text)
    ...     own, gold = (read_grammar(f"{folder}/{n}", f"{folder}/{n}.g") for n in texts)
    ...     examples = rule_examples(gold, own, engine=DuckDBEngine())
    >>> [(str(example.rule), example.is_found) for example in examples.rules]
    [('[X] ||| a ||| b', True), ('[X] ||| c ||| d', False)]
    """
    tables = {"gold": gold.path, "resource": resource.path}
    by_mode = {}
    for mode in MODES:
        rows = [
            row
            for batch in engine.batches(_query(number, mode, lexical), tables)
            for row in batch.to_pylist()
        ]
        examples = tuple(
            RuleExample(rule_of(row), row["kind"], int(row["frequency"]), bool(row["is_found"]))
            for row in rows
        )
        by_mode[mode] = RuleExamples(mode, examples)
        if any(example.is_found for example in examples):
            return by_mode[mode]
    return by_mode[MODES[0]]


def _query(number: int, mode: OverlapMode, lexical: LexicalRule) -> str:
    keys = KEYS[mode]
    joined = " AND ".join(f"gold.{key} = others.{key}" for key in keys)
    listed = ", ".join(keys)
    count = "CASE WHEN gold.count IS NULL THEN 1 ELSE gold.count END"
    kind = kind_expression(lexical)
    return (
        f"WITH others AS (SELECT {listed}, 1 AS here FROM resource GROUP BY {listed}), "  # noqa: S608
        f"marked AS (SELECT gold.lhs AS lhs, gold.labels AS labels, gold.source AS source, "
        f"gold.target AS target, gold.source_words AS source_words, gold.target_words AS target_words, "
        f"{count} AS frequency, CASE WHEN others.here IS NULL THEN 0 ELSE 1 END AS is_found "
        f"FROM gold LEFT JOIN others ON {joined} WHERE gold.source <> gold.target), "
        f"kinds AS (SELECT lhs, labels, source, target, frequency, is_found, {kind} AS kind "
        f"FROM marked), ranked AS (SELECT lhs, labels, source, target, frequency, is_found, kind, "
        f"ROW_NUMBER() OVER (PARTITION BY is_found, kind ORDER BY frequency DESC, source, target, lhs, "
        f"labels) AS place FROM kinds) "
        f"SELECT lhs, labels, source, target, frequency, is_found, kind FROM ranked "
        f"WHERE place <= {number} ORDER BY is_found DESC, kind, place"
    )
