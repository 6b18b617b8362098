"""Features of rules, each defined by an SQL expression or by a kernel.

Their names, with those of Thrax and PPDB, where f is the source side with its labels, e the target
side with its labels, and LHS the left side:

| feature | Thrax and PPDB | |
|---|---|---|
| `p_target` | `p(e|f)` | how often the source side has this target side |
| `p_source` | `p(f|e)` | |
| `p_target_lhs` | `p(e|f,LHS)` | the same among rules with this left side |
| `p_source_lhs` | `p(f|e,LHS)` | |
| `p_lhs_source` | `p(LHS|f)` | how often the source side has this left side |
| `p_lhs_target` | `p(LHS|e)` | |
| `lex_target` | `Lex(e|f)` | product over words of the probabilities of their links |
| `lex_source` | `Lex(f|e)` | |
| `word_diff` | `WordCountDiff` | words of the target minus words of the source |
| `char_diff` | `CharCountDiff` | characters of the target's words minus those of the source's |
| `identity` | `Identity` | 1 if both sides are the same |
| `monotonic` | `Monotonic` | 1 if non-terminals have the same order on both sides |

Probabilities are relative frequencies without smoothing, p(e|f) = count(f, e) / count(f). Deviation:
Thrax and PPDB write -log p; these features are p. Lexical weights are those of phrase tables
(`kernels/reference/phrases/lexical.py`), over the words of a rule: Koehn, Och and Marcu 2003, section
4.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from paragauge.errors import unknown_name
from paragauge.grammar.grammar_folder import KEY

# Counts of parts of rules, summed over all rules that share these columns.
TOTALS = {
    "pair_count": ("labels", "source", "target"),
    "source_count": ("labels", "source"),
    "target_count": ("labels", "target"),
    "lhs_source_count": ("lhs", "labels", "source"),
    "lhs_target_count": ("lhs", "labels", "target"),
}

QUERY = """
WITH totals AS (SELECT {totals} FROM rules)
SELECT {scored} FROM totals{where} ORDER BY source, target, lhs, labels
"""


def p_target() -> str:
    """p(target | source), whatever the left side."""
    return _ratio("pair_count", "source_count")


def p_source() -> str:
    """p(source | target), whatever the left side."""
    return _ratio("pair_count", "target_count")


def p_target_lhs() -> str:
    """p(target | source, left side)."""
    return _ratio("count", "lhs_source_count")


def p_source_lhs() -> str:
    """p(source | target, left side)."""
    return _ratio("count", "lhs_target_count")


def p_lhs_source() -> str:
    """p(left side | source)."""
    return _ratio("lhs_source_count", "source_count")


def p_lhs_target() -> str:
    """p(left side | target)."""
    return _ratio("lhs_target_count", "target_count")


def word_diff() -> str:
    """How many more words the target has than the source."""
    return "CAST(target_words - source_words AS DOUBLE)"


def char_diff() -> str:
    """How many more characters the target's words have than the source's.

    Both sides have the same number of non-terminals, so the number of words accounts for the spaces.
    """
    target = "LENGTH(target) - target_words"
    return f"CAST(({target}) - (LENGTH(source) - source_words) AS DOUBLE)"


def identity() -> str:
    """1 if both sides are the same, else 0."""
    return _flag("source = target")


def monotonic(nonterminals: int) -> str:
    """1 if the non-terminals, at most `nonterminals`, are in order on the target side, else 0.

    >>> monotonic(1)
    'CAST(1 AS DOUBLE)'
    """
    target = "(' ' || target || ' ')"
    swapped = [
        f"{target} LIKE '% [{second}]{between}[{first}] %'"
        for first, second in zip(range(1, nonterminals), range(2, nonterminals + 1), strict=True)
        for between in (" ", " % ")
    ]
    return _flag(f"NOT ({' OR '.join(swapped)})") if swapped else "CAST(1 AS DOUBLE)"


EXPRESSIONS: dict[str, Callable[[], str]] = {
    feature.__name__: feature
    for feature in (
        p_target,
        p_source,
        p_target_lhs,
        p_source_lhs,
        p_lhs_source,
        p_lhs_target,
        word_diff,
        char_diff,
        identity,
    )
}
LEXICAL = ("lex_target", "lex_source")
PROBABILITIES = (*list(EXPRESSIONS)[:6], *LEXICAL)
NAMES = (*PROBABILITIES, *list(EXPRESSIONS)[6:], "monotonic")


def check_features(names: Sequence[str]) -> tuple[str, ...]:
    """The features, each once, in the order of `NAMES`; an unknown one is an error.

    >>> check_features(["p_sauce"])
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown feature 'p_sauce'; did you mean 'p_source'? known: p_target,
    p_source, p_target_lhs, p_source_lhs, p_lhs_source, p_lhs_target, lex_target, lex_source, word_diff,
    char_diff, identity, monotonic
    """
    for name in names:
        if name not in NAMES:
            raise unknown_name("feature", name, NAMES)
    return tuple(name for name in NAMES if name in names)


def features_query(names: Sequence[str], nonterminals: int, min_count: int = 1) -> str:
    """The query over `rules` for sorted rows with these features, except lexical weights.

    `min_count` drops rows only; counts and probabilities stay as they are.
    """
    expressions = {name: EXPRESSIONS[name]() for name in names if name in EXPRESSIONS}
    if "monotonic" in names:
        expressions["monotonic"] = monotonic(nonterminals)
    text = " ".join(expressions.values())
    # Windows instead of joins: with two joins on labels an engine may join the totals to each other.
    totals = [
        f"CAST(SUM(count) OVER (PARTITION BY {', '.join(keys)}) AS BIGINT) AS {name}"
        for name, keys in TOTALS.items()
        if re.search(rf"\b{name}\b", text)
    ]
    columns = [*KEY, "source_words", "target_words", "count", "alignment"]
    scored = [*columns, *(f"{expression} AS {name}" for name, expression in expressions.items())]
    where = f" WHERE count >= {min_count}" if min_count > 1 else ""
    return QUERY.format(totals=", ".join([*columns, *totals]), scored=", ".join(scored), where=where)


def _ratio(above: str, below: str) -> str:
    return f"CAST({above} AS DOUBLE) / {below}"


def _flag(condition: str) -> str:
    return f"CASE WHEN {condition} THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END"
