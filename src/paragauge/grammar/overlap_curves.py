"""Overlap as a resource grows (Weese, Ganitkevitch and Callison-Burch 2014, figure 4).

A resource is cut to its n best rules by its own score, for several n. As n grows, precision falls and
recall rises. One query ranks the rules and finds the ranks of the gold rules among them; the sums up to
each size follow from these, so many sizes cost as much as one.

Rules with equal scores are in the order of their keys (source, target, left side, labels, by UTF-8
bytes), and rules without a score come last; so a cut through a tie is arbitrary but always the same. In
non-strict overlap the label variants of a rule are one rule with the best of their scores, and sizes
count such rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import SettingError, unknown_name
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.rule_overlap import (
    KEYS,
    MODES,
    LabelVariants,
    OverlapMode,
    check_counts,
    check_frequencies,
    count_rules_without_counts,
    gold_rules,
)

MOST_STEPS = 1000


@dataclass(frozen=True)
class CurvePoint:
    """The best rules of a resource: how many, how many of them are gold, and the number of gold rules.

    >>> point = CurvePoint(size=10, overlap=4, gold=8)
    >>> point.precision, point.recall
    (0.4, 0.5)
    """

    size: int
    overlap: int
    gold: int

    @property
    def precision(self) -> float | None:
        """Lower bound on precision."""
        return self.overlap / self.size if self.size else None

    @property
    def recall(self) -> float | None:
        """Relative recall."""
        return self.overlap / self.gold if self.gold else None


@dataclass(frozen=True)
class OverlapCurve:
    """The points of one resource (none if it is empty) and the number of gold rules.

    >>> OverlapCurve("ppdb", "PPDB2.0Score", "strict", 1, (CurvePoint(1, 1, 2),), 2).points[0].recall
    0.5
    """

    name: str
    score: str
    mode: OverlapMode
    frequency: int
    points: tuple[CurvePoint, ...]
    gold: int


def overlap_curve(
    gold: Grammar,
    resource: Grammar,
    score: str,
    *,
    name: str = "resource",
    ascending: bool = False,
    sizes: int | Sequence[int] = 10,
    mode: OverlapMode = "strict",
    frequency: int = 1,
    variants: LabelVariants = "max",
    engine: Engine | None = None,
) -> OverlapCurve:
    """The overlap of the best rules by `score`, a feature or `count`, with a gold grammar.

    The highest scores are the best, or the lowest if `ascending`. `sizes` is a list of sizes in rules,
    or the number of equal steps up to the whole resource. `variants` is that of `overlap`.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from paragauge.grammar.convert import read_grammar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "gold").write_text("[X] ||| a ||| b\\n[X] ||| a ||| c\\n")
    ...     rules = "[X] ||| a ||| b ||| p=0.9\\n[X] ||| a ||| d ||| p=0.5\\n"
    ...     _ = Path(folder, "mine").write_text(rules)
    ...     gold, mine = (read_grammar(f"{folder}/{n}", f"{folder}/{n}.g") for n in ("gold", "mine"))
    ...     curve = overlap_curve(gold, mine, "p", sizes=2)
    >>> [(point.size, point.precision, point.recall) for point in curve.points]
    [(1, 1.0, 0.5), (2, 0.5, 0.5)]
    """
    if mode not in MODES:
        raise unknown_name("kind of overlap", mode, MODES)
    column = score_column(resource, score)
    check_frequencies([frequency])
    engine = engine or DuckDBEngine()
    check_counts(gold, frequency, count_rules_without_counts(gold, engine) if frequency > 1 else 0)
    total = _query_number(engine, _total_query(mode), {"resource": resource})
    gold_size = _query_number(engine, _gold_query(mode, frequency, variants), {"gold": gold})
    steps = _steps(sizes, total)
    if not steps:  # an empty resource
        return OverlapCurve(name, score, mode, frequency, (), gold_size)
    hits = [0] * len(steps)
    sql = curve_query(mode, column, steps, frequency, variants, ascending=ascending)
    for batch in engine.batches(sql, {"gold": gold.path, "resource": resource.path}):
        for row in batch.to_pylist():
            if row["step"] is not None:  # None: ranked below the last size
                hits[row["step"]] = int(row["hits"])
    points = []
    so_far = 0
    for size, more in zip(steps, hits, strict=True):
        so_far += more
        points.append(CurvePoint(size, so_far, gold_size))
    return OverlapCurve(name, score, mode, frequency, tuple(points), gold_size)


def score_column(grammar: Grammar, score: str) -> str:
    """The column of a feature, or `count`."""
    if score == "count":
        return "count"
    if score not in grammar.columns:
        raise unknown_name(f"score of {grammar.folder}", score, ["count", *grammar.features])
    return grammar.columns[score]


def ranking(column: str, *, ascending: bool) -> str:
    """The SQL order of rules by a score, those without one last."""
    known = f"CASE WHEN {column} IS NULL THEN 1 ELSE 0 END"
    value = f"CASE WHEN {column} IS NULL THEN 0 ELSE {column} END"
    return f"{known}, {value} {'ASC' if ascending else 'DESC'}"


def curve_query(
    mode: OverlapMode,
    column: str,
    steps: Sequence[int],
    frequency: int,
    variants: LabelVariants,
    *,
    ascending: bool,
) -> str:
    """The query for how many gold rules each step from one size to the next adds."""
    keys = KEYS[mode]
    listed = ", ".join(keys)
    order = ", ".join(key for key in ("source", "target", "lhs", "labels") if key in keys)
    if mode == "strict":
        scored = f"SELECT {listed}, {column} AS score FROM resource"  # noqa: S608
    else:
        best = "MIN" if ascending else "MAX"
        scored = f"SELECT {listed}, {best}({column}) AS score FROM resource GROUP BY {listed}"  # noqa: S608
    joined = " AND ".join(f"rules.{key} = ranked.{key}" for key in keys)
    step = " ".join(f"WHEN place <= {size} THEN {at}" for at, size in enumerate(steps))
    return (
        f"WITH rules AS ({gold_rules(mode, 'source', variants)}), scored AS ({scored}), "  # noqa: S608
        f"ranked AS (SELECT {listed}, "
        f"ROW_NUMBER() OVER (ORDER BY {ranking('score', ascending=ascending)}, {order}) AS place "
        f"FROM scored), matches AS (SELECT CASE {step} END AS step FROM rules "
        f"JOIN ranked ON {joined} WHERE frequency >= {frequency}) "
        "SELECT step, COUNT(*) AS hits FROM matches GROUP BY step"
    )


def _steps(sizes: int | Sequence[int], total: int) -> list[int]:
    if isinstance(sizes, int):
        if not 1 <= sizes <= MOST_STEPS:
            raise SettingError(
                f"sizes: expected a number of steps from 1 to {MOST_STEPS}, found {sizes}"
            )
        return sorted({-(-total * step // sizes) for step in range(1, sizes + 1)} - {0})
    steps = sorted(set(sizes))
    if not steps or steps[0] < 1:
        raise SettingError("sizes: expected numbers of rules of at least 1")
    if steps[-1] > total:
        raise SettingError(
            f"sizes: expected at most the {total:,} rules of the resource, found {steps[-1]:,}"
        )
    return steps


def _total_query(mode: OverlapMode) -> str:
    if mode == "strict":
        return "SELECT COUNT(*) AS n FROM resource"
    grouped = "SELECT source, target FROM resource GROUP BY source, target"
    return f"WITH pairs AS ({grouped}) SELECT COUNT(*) AS n FROM pairs"  # noqa: S608


def _gold_query(mode: OverlapMode, frequency: int, variants: LabelVariants) -> str:
    return (
        f"WITH rules AS ({gold_rules(mode, 'source', variants)}) "  # noqa: S608
        f"SELECT COUNT(*) AS n FROM rules WHERE frequency >= {frequency}"
    )


def _query_number(engine: Engine, sql: str, grammars: dict[str, Grammar]) -> int:
    tables = {name: grammar.path for name, grammar in grammars.items()}
    return sum(row["n"] for batch in engine.batches(sql, tables) for row in batch.to_pylist())
