"""Grammar overlap (Weese, Ganitkevitch and Callison-Burch 2014, section 4.2).

How many rules of a gold grammar, extracted from hand-aligned paraphrases, are in a resource?

- *Strict*: rules are equal if their left sides, labels, both sides and indices are equal.
- *Non-strict*: labels are ignored. Both grammars are first reduced to their distinct pairs of source
  and target side, so that the label variants of a rule count once; that is why a non-strict overlap can
  be smaller than a strict one (section 5.3).

A gold rule counts if its frequency, the number of times it was extracted, reaches a minimum. Non-strict
overlap has two readings, the setting `variants`. `max`: rules below the minimum are removed first
(table 3's caption) and labels are ignored in what is left, so a pair of sides is as frequent as its
most frequent label variant. `sum`: labels are ignored first, so the counts of all label variants are
added. The paper does not say which it used: 20,699 pairs of sides of its gold grammar have a frequency
of 2 or more (table 4); of ours 11,053 have it by the first reading and 44,845 by the second. Gold rules
without a count were seen at least once, so 1 is then the only possible minimum.

    precision (lower bound) = |gold & resource| / |resource|
    recall (relative) = |gold & resource| / |gold|

for all rules and for each kind (`grammar/rule.py`): syntactic, phrasal, lexical. Precision is a lower
bound and recall relative because the gold grammar is not complete (section 4.3). A higher frequency
shrinks the gold set, and with it the overlap, but not the resource.

Each resource and mode takes one query, which groups both grammars by their keys and joins them. It
takes the time to hash both grammars once, and the memory that the engine allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.rule import KINDS, LEXICAL, LexicalRule
from paragauge.text.progress import Progress, silent
from paragauge.text.wording import pluralize

OverlapMode = Literal["strict", "non-strict"]
MODES: tuple[OverlapMode, ...] = get_args(OverlapMode)
LabelVariants = Literal["max", "sum"]
VARIANTS: tuple[LabelVariants, ...] = get_args(LabelVariants)
KEYS = {"strict": ("lhs", "labels", "source", "target"), "non-strict": ("source", "target")}


@dataclass(frozen=True)
class OverlapRow:
    """One cell of a table of overlaps: numbers of rules.

    >>> row = OverlapRow("ppdb", "strict", 1, "all", gold=200, resource=1000, overlap=50)
    >>> row.precision, row.recall
    (0.05, 0.25)
    """

    name: str  # of the resource
    mode: OverlapMode
    frequency: int  # minimum, of gold rules
    kind: str  # or "all"
    gold: int
    resource: int
    overlap: int

    @property
    def precision(self) -> float | None:
        """Lower bound on precision; None for an empty resource."""
        return self.overlap / self.resource if self.resource else None

    @property
    def recall(self) -> float | None:
        """Relative recall; None for an empty gold grammar."""
        return self.overlap / self.gold if self.gold else None


@dataclass(frozen=True)
class Overlap:
    """All cells, and the settings they were computed with.

    >>> Overlap((OverlapRow("a", "strict", 1, "all", 2, 2, 1),), "source")["a", "strict", 1].overlap
    1
    """

    rows: tuple[OverlapRow, ...]
    lexical: LexicalRule
    uncounted: int = 0  # gold rules without a count, taken as extracted once
    variants: LabelVariants = "max"  # how often a gold rule without labels was extracted

    def __getitem__(self, key: tuple[str, str, int] | tuple[str, str, int, str]) -> OverlapRow:
        name, mode, frequency, *kind = key
        cell = (name, mode, frequency, *(kind or ["all"]))
        for row in self.rows:
            if (row.name, row.mode, row.frequency, row.kind) == cell:
                return row
        raise KeyError(cell)


def overlap(
    gold: Grammar,
    resources: Mapping[str, Grammar],
    *,
    modes: Sequence[OverlapMode] = MODES,
    frequencies: Sequence[int] | None = None,
    lexical: LexicalRule = "source",
    variants: LabelVariants = "max",
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Overlap:
    """The overlap of each resource with a gold grammar.

    `frequencies` defaults to 1 and 2, or to 1 if gold rules lack counts. `lexical` says what a lexical
    rule is: one word on the `source` side, or on `both`. `variants` says how frequent a gold rule is in
    non-strict overlap: as its most frequent label variant (`max`), or as all of them together (`sum`).

    >>> import tempfile
    >>> from pathlib import Path
    >>> from paragauge.grammar.convert import read_grammar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, left in (("gold", "NP"), ("hiero", "X")):
    ...         rule = f"[{left}] ||| [{left},1] 's ||| of [{left},1] ||| count=1\\n"
    ...         _ = Path(folder, name).write_text(rule)
    ...     gold, hiero = (read_grammar(f"{folder}/{n}", f"{folder}/{n}.g") for n in ("gold", "hiero"))
    ...     result = overlap(gold, {"hiero": hiero}, frequencies=[1])
    >>> result["hiero", "strict", 1].overlap, result["hiero", "non-strict", 1].overlap
    (0, 1)
    """
    for mode in modes:
        if mode not in MODES:
            raise unknown_name("kind of overlap", mode, MODES)
    if frequencies is not None:
        check_frequencies(frequencies)
    engine = engine or DuckDBEngine()
    uncounted = count_rules_without_counts(gold, engine)
    if frequencies is None:
        frequencies = (1,) if uncounted else (1, 2)
    check_counts(gold, max(frequencies), uncounted)
    rows: list[OverlapRow] = []
    for mode in modes:
        progress(f"{mode} overlap: gold grammar")
        sums = _sums(frequencies)
        gold_sizes = _query_by_kind(
            engine, gold_query(mode, lexical, sums, variants), {"gold": gold}, len(frequencies)
        )
        for name, resource in resources.items():
            progress(f"{mode} overlap: {name}")
            tables = {"gold": gold, "resource": resource}
            sizes = _query_by_kind(engine, size_query(mode, lexical), {"resource": resource}, 1)
            overlaps = _query_by_kind(
                engine, overlap_query(mode, lexical, sums, variants), tables, len(frequencies)
            )
            for at, frequency in enumerate(frequencies):
                for kind in ("all", *KINDS):
                    numbers = gold_sizes[kind][at], sizes[kind][0], overlaps[kind][at]
                    rows.append(OverlapRow(name, mode, frequency, kind, *numbers))
    return Overlap(tuple(rows), lexical, uncounted, variants)


def check_frequencies(frequencies: Sequence[int]) -> None:
    """Reject frequencies that are below 1 or repeated."""
    if not frequencies or min(frequencies) < 1 or len(set(frequencies)) != len(frequencies):
        listed = ", ".join(map(str, frequencies))
        raise SettingError(
            f"frequencies: expected different whole numbers of at least 1, found '{listed}'"
        )


def count_rules_without_counts(gold: Grammar, engine: Engine) -> int:
    """How many rules of the gold grammar have no count."""
    sql = "SELECT COUNT(*) AS missing FROM gold WHERE count IS NULL"
    batches = engine.batches(sql, {"gold": gold.path})
    return sum(sum(batch.column("missing").to_pylist()) for batch in batches)


def check_counts(gold: Grammar, frequency: int, uncounted: int) -> None:
    """Reject a frequency above 1 if any rules of the gold grammar lack a count."""
    if frequency > 1 and uncounted:
        rules = pluralize(uncounted, "rule")
        raise InputError(
            f"{gold.folder}: expected counts to tell rules of frequency {frequency} apart, found "
            f"{rules} without one; use the frequency 1 only, or extract the gold grammar"
        )


def kind_expression(lexical: LexicalRule) -> str:
    """The SQL expression for the kind of a rule."""
    if lexical not in LEXICAL:
        raise unknown_name("value of lexical", lexical, LEXICAL)
    single = "source_words = 1" + (" AND target_words = 1" if lexical == "both" else "")
    return f"CASE WHEN labels <> '' THEN 'syntactic' WHEN {single} THEN 'lexical' ELSE 'phrasal' END"


def _sums(frequencies: Sequence[int]) -> str:
    return ", ".join(
        f"CAST(SUM(CASE WHEN frequency >= {frequency} THEN 1 ELSE 0 END) AS BIGINT) AS n{at}"
        for at, frequency in enumerate(frequencies)
    )


def gold_rules(mode: OverlapMode, lexical: LexicalRule, variants: LabelVariants = "max") -> str:
    """The query for the gold rules of a mode: their keys, kind and frequency."""
    if variants not in VARIANTS:
        raise unknown_name("value of variants", variants, VARIANTS)
    keys = ", ".join(KEYS[mode])
    kind = kind_expression(lexical)
    count = "CASE WHEN count IS NULL THEN 1 ELSE count END"
    if mode == "strict":
        return f"SELECT {keys}, {kind} AS kind, {count} AS frequency FROM gold"  # noqa: S608
    return (
        f"SELECT {keys}, {kind} AS kind, {variants.upper()}({count}) AS frequency FROM gold "  # noqa: S608
        f"GROUP BY {keys}, {kind}"
    )


def gold_query(mode: OverlapMode, lexical: LexicalRule, sums: str, variants: LabelVariants) -> str:
    """The query for the number of gold rules of each kind and frequency."""
    return (
        f"WITH rules AS ({gold_rules(mode, lexical, variants)}) "  # noqa: S608
        f"SELECT kind, {sums} FROM rules GROUP BY kind"
    )


def size_query(mode: OverlapMode, lexical: LexicalRule) -> str:
    """The query for the number of rules of each kind in the resource."""
    kind = kind_expression(lexical)
    if mode == "strict":
        rules = f"SELECT {kind} AS kind FROM resource"  # noqa: S608
    else:
        keys = ", ".join(KEYS[mode])
        rules = f"SELECT {kind} AS kind FROM resource GROUP BY {keys}, {kind}"  # noqa: S608
    return f"WITH rules AS ({rules}) SELECT kind, COUNT(*) AS n0 FROM rules GROUP BY kind"  # noqa: S608


def overlap_query(mode: OverlapMode, lexical: LexicalRule, sums: str, variants: LabelVariants) -> str:
    """The query for the number of gold rules in the resource, of each kind and frequency."""
    keys = KEYS[mode]
    joined = " AND ".join(f"rules.{key} = others.{key}" for key in keys)
    listed = ", ".join(keys)
    grouped = "" if mode == "strict" else f" GROUP BY {listed}"
    return (
        f"WITH rules AS ({gold_rules(mode, lexical, variants)}), "  # noqa: S608
        f"others AS (SELECT {listed} FROM resource{grouped}) "
        f"SELECT kind, {sums} FROM rules JOIN others ON {joined} GROUP BY kind"
    )


def _query_by_kind(
    engine: Engine, sql: str, grammars: Mapping[str, Grammar], columns: int
) -> dict[str, list[int]]:
    """Run a query; return the numbers n0, n1 ... of each kind and of all kinds."""
    numbers = {kind: [0] * columns for kind in ("all", *KINDS)}
    for batch in engine.batches(sql, {name: grammar.path for name, grammar in grammars.items()}):
        for row in batch.to_pylist():
            numbers[row["kind"]] = [int(row[f"n{i}"]) for i in range(columns)]
    numbers["all"] = [sum(numbers[kind][i] for kind in KINDS) for i in range(columns)]
    return numbers
