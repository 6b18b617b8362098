"""The rows of grammars: what columns they have, and of which types.

| column | |
|---|---|
| `lhs` | label of the left side, without brackets |
| `labels` | labels of the non-terminals in the order of their numbers, separated by a blank |
| `source`, `target` | words and `[1]`, `[2]` ... separated by a blank, numbered by the source side |
| `source_words`, `target_words` | how many words (not non-terminals) each side has |
| `count` | how often the rule was extracted; null where that is not known |
| `alignment` | links `0-0 2-1` between symbols of the sides, as Thrax and PPDB have them, or null |
| `entailment` | only in grammars that have it: the relation that PPDB 2.0 predicts, or null |

and one column of numbers for each feature, null where a rule lacks it. Its column has the feature's
name if that can be a name in SQL: lower-case letters, digits and `_`, none of the above, none of the
words that SQL keeps for itself, and not `f` with a number. Other features are in `f1`, `f2` ... by
their position among all features; `grammar.json` has the name of every column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paragauge.errors import InputError
from paragauge.grammar.rule import Rule
from paragauge.text.extras import require_pyarrow

KEY = ("lhs", "labels", "source", "target")
COLUMNS = (*KEY, "source_words", "target_words", "count", "alignment")
ENTAILMENT = "entailment"
ORDER = ("source", "target", "lhs", "labels")

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_POSITION = re.compile(r"f[0-9]+")
# What DuckDB or Spark do not take for a name unless it is quoted.
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
    taken = {*COLUMNS, ENTAILMENT, *_RESERVED.split()}
    columns = {}
    for position, name in enumerate(features, 1):
        if name in columns:
            raise InputError(f"feature {name!r}: expected each name once, got it twice")
        plain = _NAME.fullmatch(name) and not _POSITION.fullmatch(name) and name not in taken
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
    """The rule of a row of a table, which has at least the columns of the key.

    >>> rule_of({"lhs": "X", "labels": "A B", "source": "[1] [2]", "target": "[2] [1]"}).labels
    ('A', 'B')
    """
    labels = tuple(row["labels"].split(" ")) if row["labels"] else ()
    return Rule(row["lhs"], row["source"], row["target"], labels)
