"""Smaller grammars: the best rules, and the best label variants of each rule.

Weese, Ganitkevitch and Callison-Burch (2014, section 5.6) find that rules which differ only in their
labels make a grammar large without letting it parse more, and propose to keep the top k label
variations of each rule. These are the steps, in this order; each is optional:

1. keep only rules of some kinds: lexical, phrasal, syntactic;
2. apply a minimum count;
3. apply a minimum score, or a maximum where low scores are good;
4. keep the k best label variants of each pair of source and target side;
5. keep the n best of the remaining rules.

The paper leaves the score open: it is a feature of the grammar, or the count. Equal scores are in the
order of source, target, left side and labels, by UTF-8 bytes; rules without a score come last and fail
any minimum score, as rules without a count fail any minimum count. Scores stay as they are: relative
frequencies are not recomputed. One query does it all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.grammar.grammar_folder import Grammar, new_grammar
from paragauge.grammar.overlap_curves import ranking, score_column
from paragauge.grammar.rule import KINDS, LexicalRule
from paragauge.grammar.rule_overlap import kind_expression
from paragauge.text.files import resolve_path


@dataclass(frozen=True)
class Pruning:
    """Which rules to keep; None keeps all.

    >>> Pruning(score="p", variants=2).used
    {'score': 'p', 'variants': 2}
    """

    score: str | None = None  # a feature, or "count"
    ascending: bool = False  # the lowest scores are the best
    kinds: Sequence[str] | None = None
    min_count: int | None = None
    threshold: float | None = None
    variants: int | None = None
    top: int | None = None
    lexical: LexicalRule = "source"

    def __post_init__(self) -> None:
        for kind in self.kinds or ():
            if kind not in KINDS:
                raise unknown_name("kind of rules", kind, KINDS)
        for name in ("min_count", "variants", "top"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingError(f"{name}: expected a whole number of at least 1, found {value}")
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise SettingError(f"threshold: expected a number, found {self.threshold}")
        if self.score is None:
            for name in ("threshold", "variants", "top"):
                if getattr(self, name) is not None:
                    raise SettingError(f"{name}: expected a score to rank the rules by, found none")
        if not set(self.used) - {"score", "ascending", "lexical"}:
            raise SettingError("expected a way to prune: kinds, a count, a score or variants")

    @property
    def used(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        defaults = {name: field.default for name, field in self.__dataclass_fields__.items()}
        return {name: value for name, value in asdict(self).items() if value != defaults[name]}

    def query(self, grammar: Grammar) -> str:
        """The query over `rules` for those to keep, in the order of grammars."""
        column = None if self.score is None else score_column(grammar, self.score)
        columns = ", ".join(grammar.schema.names)
        tests = []
        if self.kinds is not None:
            listed = ", ".join(f"'{kind}'" for kind in self.kinds)
            tests.append(f"{kind_expression(self.lexical)} IN ({listed})")
        if self.min_count is not None:
            tests.append(f"count >= {self.min_count}")
        if self.threshold is not None:
            sign = "<=" if self.ascending else ">="
            tests.append(f"{column} {sign} CAST({self.threshold!r} AS DOUBLE)")
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        sql = f"SELECT {columns} FROM rules{where}"  # noqa: S608
        if column is not None:
            rank = ranking(column, ascending=self.ascending)
            if self.variants is not None:
                sql = _first_rows(sql, columns, "source, target", f"{rank}, lhs, labels", self.variants)
            if self.top is not None:
                sql = _first_rows(sql, columns, None, f"{rank}, source, target, lhs, labels", self.top)
        return f"SELECT {columns} FROM ({sql}) AS kept ORDER BY source, target, lhs, labels"  # noqa: S608


def _first_rows(sql: str, columns: str, group: str | None, order: str, limit: int) -> str:
    """A query for the first rows of each group, or of all rows."""
    window = (f"PARTITION BY {group} " if group else "") + f"ORDER BY {order}"
    numbered = f"SELECT {columns}, ROW_NUMBER() OVER ({window}) AS _place FROM ({sql}) AS some_rules"  # noqa: S608
    return f"SELECT {columns} FROM ({numbered}) AS placed WHERE _place <= {limit}"  # noqa: S608


def _check_counts(grammar: Grammar, engine: Engine) -> None:
    """Reject a minimum count where no rule has a count, which would leave no rules."""
    sql = "SELECT COUNT(count) AS counted FROM rules"
    if not any(
        batch.column("counted").to_pylist()[0] for batch in engine.batches(sql, {"rules": grammar.path})
    ):
        raise InputError(
            f"{grammar.folder}: expected rules with counts, which a minimum count needs, found none; "
            "prune by a score instead"
        )


def prune(
    grammar: Grammar, output: str | Path, pruning: Pruning, *, engine: Engine | None = None
) -> Grammar:
    """Write the rules to keep as a grammar in the folder `output`.

    >>> import tempfile
    >>> from paragauge.grammar.convert import read_grammar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "g.txt")
    ...     lines = ["[NN] ||| answer ||| reply ||| p=0.7", "[VB] ||| answer ||| reply ||| p=0.3"]
    ...     _ = file.write_text("\\n".join(lines))
    ...     whole = read_grammar(file, f"{folder}/g")
    ...     best = prune(whole, f"{folder}/best", Pruning(score="p", variants=1))
    ...     [row.rule.lhs for row in best.query("answer")], best.info["origin"]["rules"]
    (['NN'], 2)
    """
    if resolve_path(output) == resolve_path(grammar.folder):
        raise SettingError(f"{output}: expected a folder other than the grammar's own; name another")
    engine = engine or DuckDBEngine()
    if pruning.min_count is not None and len(grammar):
        _check_counts(grammar, engine)
    sql = pruning.query(grammar)
    with new_grammar(output, grammar.features, entailment=grammar.has_entailment) as writer:
        for batch in engine.batches(sql, {"rules": grammar.path}):
            writer.write(batch)
        origin = {
            "pruned": grammar.folder.name,
            "fingerprint": grammar.fingerprint,
            "rules": len(grammar),
            "settings": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in pruning.used.items()
            },
        }
        writer.finish({"origin": origin})
    return Grammar.open(output)
