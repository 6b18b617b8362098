"""Features of rules in a linear model: those that a grammar has, and those made from the rules alone.

Columns that are probabilities (`p_...` and `lex_...`, see `grammar/features.py`) become natural
logarithms, at least -100 as in Moses; other columns, such as PPDB's -log p, are taken as they are, and
a rule without a value has 0. To these are added, by PPDB's and Joshua's names,

| feature | a rule's value |
|---|---|
| `WordPenalty` | -words of the target |
| `RulePenalty` | 1 |
| `Glue` | 0; S -> S X has 1 |
| `OOV` | 0; a word that passes through and is in no rule's source side has 1 |
| `Identity` | 1 if both sides are the same, as for words that pass through, else 0 |
| `WordCountDiff`, `CharCountDiff` | words (characters in them) of the target less the source's |
| `WordLogCR`, `CharLogCR` | ln of their ratio, target by source; 0 if one side has no words |

The differences are what Weese, Ganitkevitch and Callison-Burch (2014, section 6) add for compression,
the ratios are those of Ganitkevitch et al. (2011). A grammar's own columns of these are left out, so
that every grammar has them under one name.

Weights before tuning: those of Moses for LM, 0.5, and WordPenalty, -1; 0.3 for logarithms of
probabilities given the other side (-0.3 for -log p); -1 for Identity, which makes output differ from
its source where the language model allows it; -1 for OOV; and 2 for `monotonic` with -2 for
RulePenalty, which is a penalty of 2 for rules that change the order. All others are 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from paragauge.engine.arrow_strings import Texts, texts_of
from paragauge.errors import FileFormatError, InputError
from paragauge.grammar.table import KEY, Grammar
from paragauge.kernels.layout import MOST_PARSED_NONTERMINALS, Floats, Singles

LM = "LM"
COMPUTED = (
    "WordPenalty",
    "RulePenalty",
    "Glue",
    "OOV",
    "Identity",
    "WordCountDiff",
    "CharCountDiff",
    "WordLogCR",
    "CharLogCR",
)
# Columns of grammars that the computed ones stand for.
REPLACED = ("word_diff", "char_diff", "identity", *COMPUTED[4:])
LOGARITHMS = (
    *("p_target", "p_source", "p_target_lhs", "p_source_lhs", "p_lhs_source", "p_lhs_target"),
    *("lex_target", "lex_source"),
)
MONOTONIC = ("monotonic", "Monotonic")  # words that pass through have it too
FLOOR = -100.0  # of logarithms
MOST = 1e30  # of any feature, so that sums of them are finite
REORDERING = 2.0  # what a rule that changes the order costs before tuning
_DEFAULTS = {
    LM: 0.5,
    "WordPenalty": -1.0,
    "OOV": -1.0,
    "Identity": -1.0,
    **dict.fromkeys(("p_target", "p_source", "lex_target", "lex_source"), 0.3),
    **dict.fromkeys(("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)"), -0.3),
    **dict.fromkeys(MONOTONIC, REORDERING),
}


def feature_names(grammar: Grammar) -> tuple[str, ...]:
    """The features of a model with this grammar, in the order of its weights."""
    own = [name for name in grammar.features if name not in REPLACED]
    for name in own:
        if name in (LM, *COMPUTED):
            raise InputError(
                f"{grammar.folder}: the grammar has a feature {name}, which the decoder makes itself; "
                "give the grammar's another name"
            )
    return (LM, *own, *COMPUTED)


def default_weights(names: Sequence[str]) -> Floats:
    """Weights before tuning.

    >>> default_weights(["LM", "p_target", "WordPenalty", "WordCountDiff"]).tolist()
    [0.5, 0.3, -1.0, 0.0]
    """
    weights = np.array([_DEFAULTS.get(name, 0.0) for name in names])
    for name in MONOTONIC:
        if name in names and "RulePenalty" in names:
            weights[list(names).index("RulePenalty")] -= REORDERING
    return weights


class RuleBatch:
    """Some rules of a grammar as texts, and their features without the language model's."""

    def __init__(self, grammar: Grammar, table: Any, names: Sequence[str]) -> None:
        self.columns: tuple[Texts, ...] = tuple(texts_of(table.column(name)) for name in KEY)
        computed = _computed(table)
        values = [
            computed[name] if name in computed else _own(grammar, table, name) for name in names[1:]
        ]
        self.features: Singles = np.stack(values, axis=1).astype(np.float32)

    def __len__(self) -> int:
        return len(self.features)


def rule_batches(grammar: Grammar, names: Sequence[str]) -> Iterator[RuleBatch]:
    """The rules that the decoder takes, in the grammar's order.

    Left out are rules whose source side is one non-terminal and nothing else, and rules with more than
    32 non-terminals.
    """
    import pyarrow.compute as pc

    own = [grammar.columns[name] for name in names if name in grammar.columns and name not in COMPUTED]
    for batch in grammar.batches([*KEY, "source_words", "target_words", *own]):
        labels = batch.column("labels")
        alone = pc.and_(
            pc.equal(batch.column("source_words"), 0),
            pc.and_(pc.not_equal(labels, ""), pc.equal(pc.count_substring(labels, " "), 0)),
        )
        many = pc.greater_equal(pc.count_substring(labels, " "), MOST_PARSED_NONTERMINALS)
        yield RuleBatch(grammar, batch.filter(pc.invert(pc.or_(alone, many))), names)


def extra_rows(names: Sequence[str]) -> Singles:
    """The features of words that pass through, known and unknown, and of S -> S X.

    >>> extra_rows(["LM", "WordPenalty", "Glue", "OOV"]).tolist()
    [[-1.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    word = {"WordPenalty": -1.0, "RulePenalty": 1.0, "Identity": 1.0}
    word |= dict.fromkeys(MONOTONIC, 1.0)
    rows = (word, {**word, "OOV": 1.0}, {"Glue": 1.0})
    return np.array([[row.get(name, 0.0) for name in names[1:]] for row in rows], np.float32)


def _own(grammar: Grammar, table: Any, name: str) -> Floats:
    """A column of the grammar as the model has it."""
    values = np.nan_to_num(
        table.column(grammar.columns[name]).to_numpy(zero_copy_only=False).astype(np.float64),
        nan=1.0 if name in LOGARITHMS else 0.0,
        posinf=np.inf,
        neginf=-np.inf,
    )
    good = (np.abs(values) <= MOST) & ((values >= 0) if name in LOGARITHMS else True)
    if not good.all():
        wanted = "probabilities" if name in LOGARITHMS else f"numbers of at most {MOST:g}"
        raise FileFormatError(
            grammar.path,
            None,
            f"feature {name}: expected {wanted}, found {values[~good][0]:g}; leave the feature out",
        )
    if name not in LOGARITHMS:
        return np.asarray(values)
    return np.asarray(np.log(np.maximum(values, np.exp(FLOOR))))


def _computed(table: Any) -> dict[str, Floats]:
    import pyarrow.compute as pc

    def numbers(column: Any) -> Floats:
        return np.asarray(column.to_numpy(zero_copy_only=False), np.float64)

    labels = table.column("labels")
    marks = numbers(pc.count_substring(labels, " ")) + numbers(pc.not_equal(labels, ""))
    # `[1]` to `[9]` have three characters, `[10]` and more four.
    mark_letters = 3 * marks + np.maximum(0, marks - 9)
    words, letters = {}, {}
    for side in ("source", "target"):
        words[side] = numbers(table.column(f"{side}_words"))
        blanks = words[side] + marks - 1
        letters[side] = numbers(pc.utf8_length(table.column(side))) - blanks - mark_letters
    same = numbers(pc.equal(table.column("source"), table.column("target")))
    return {
        "WordPenalty": -words["target"],
        "RulePenalty": np.ones(len(same)),
        "Glue": np.zeros(len(same)),
        "OOV": np.zeros(len(same)),
        "Identity": same,
        "WordCountDiff": words["target"] - words["source"],
        "CharCountDiff": letters["target"] - letters["source"],
        "WordLogCR": _log_ratio(words["target"], words["source"]),
        "CharLogCR": _log_ratio(letters["target"], letters["source"]),
    }


def _log_ratio(above: Floats, below: Floats) -> Floats:
    ratio = np.divide(above, below, out=np.ones_like(above), where=(above > 0) & (below > 0))
    return np.asarray(np.log(ratio))
