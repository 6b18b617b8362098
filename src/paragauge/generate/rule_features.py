"""Features of rules in a linear model: those of the grammar, and those computed from the rules.

Columns that are probabilities (`p_...` and `lex_...`, see `grammar/features.py`) become natural
logarithms, at least -100 as in Moses; other columns, such as PPDB's -log p, are used as they are, and a
missing value is 0. These features are added, under the names that PPDB and Joshua use:

| feature | a rule's value |
|---|---|
| `WordPenalty` | -words of the target |
| `RulePenalty` | 1 |
| `Glue` | 0; S -> S X has 1 |
| `OOV` | 0; a word that passes through and is in no source side of a rule has 1 |
| `Identity` | 1 if both sides are equal, as for words that pass through, else 0 |
| `WordCountDiff`, `CharCountDiff` | words (characters in words) of the target minus the source's |
| `WordLogCR`, `CharLogCR` | ln of their ratio, target to source; 0 if one side has no words |

The differences are those that Weese, Ganitkevitch and Callison-Burch (2014, section 6) add for
compression, the ratios those of Ganitkevitch et al. (2011). They replace a grammar's own columns for
the same values, so that every grammar has them under one name.

The weights before tuning are in `generate/first_weights.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from paragauge.engine.arrow_strings import Texts, texts_of
from paragauge.errors import FileFormatError, InputError
from paragauge.generate.first_weights import LM, MONOTONIC
from paragauge.grammar.features import PROBABILITIES
from paragauge.grammar.grammar_folder import KEY, Grammar
from paragauge.kernels.layout import MOST_PARSED_NONTERMINALS, Floats, Singles

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
# Columns of grammars that the computed ones replace.
REPLACED = ("word_diff", "char_diff", "identity", *COMPUTED[4:])
FLOOR = -100.0  # of logarithms
MOST = 1e30  # of any feature, so that sums of them are finite


def feature_names(grammar: Grammar) -> tuple[str, ...]:
    """The features of a model with this grammar, in the order of its weights."""
    grammar_features = [name for name in grammar.features if name not in REPLACED]
    for name in grammar_features:
        if name in (LM, *COMPUTED):
            raise InputError(
                f"{grammar.folder}: the grammar has a feature {name}, which the decoder computes; "
                "rename the grammar's feature"
            )
    return (LM, *grammar_features, *COMPUTED)


class RuleBatch:
    """Some rules of a grammar as texts, and their features except the language model's."""

    def __init__(self, grammar: Grammar, table: Any, names: Sequence[str]) -> None:
        self.columns: tuple[Texts, ...] = tuple(texts_of(table.column(name)) for name in KEY)
        computed = _compute_features(table)
        values = [
            computed[name] if name in computed else _grammar_feature(grammar, table, name)
            for name in names[1:]
        ]
        self.features: Singles = np.stack(values, axis=1).astype(np.float32)

    def __len__(self) -> int:
        return len(self.features)


def rule_batches(grammar: Grammar, names: Sequence[str]) -> Iterator[RuleBatch]:
    """The rules for the decoder, in the grammar's order.

    Rules whose source side is a single non-terminal and rules with more than 32 non-terminals are left
    out.
    """
    import pyarrow.compute as pc

    grammar_columns = [
        grammar.columns[name] for name in names if name in grammar.columns and name not in COMPUTED
    ]
    for batch in grammar.batches([*KEY, "source_words", "target_words", *grammar_columns]):
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


def _grammar_feature(grammar: Grammar, table: Any, name: str) -> Floats:
    """A feature of the grammar as the model uses it."""
    values = np.nan_to_num(
        table.column(grammar.columns[name]).to_numpy(zero_copy_only=False).astype(np.float64),
        nan=1.0 if name in PROBABILITIES else 0.0,
        posinf=np.inf,
        neginf=-np.inf,
    )
    good = (np.abs(values) <= MOST) & ((values >= 0) if name in PROBABILITIES else True)
    if not good.all():
        expected = "probabilities" if name in PROBABILITIES else f"numbers of at most {MOST:g}"
        raise FileFormatError(
            grammar.path,
            None,
            f"feature {name}: expected {expected}, found {values[~good][0]:g}; leave the feature out",
        )
    if name not in PROBABILITIES:
        return np.asarray(values)
    return np.asarray(np.log(np.maximum(values, np.exp(FLOOR))))


def _compute_features(table: Any) -> dict[str, Floats]:
    """The features that depend on the sides of rules only."""
    import pyarrow.compute as pc

    def numbers(column: Any) -> Floats:
        return np.asarray(column.to_numpy(zero_copy_only=False), np.float64)

    labels = table.column("labels")
    nonterminals = numbers(pc.count_substring(labels, " ")) + numbers(pc.not_equal(labels, ""))
    # `[1]` to `[9]` have three characters, `[10]` and above have four.
    nonterminal_characters = 3 * nonterminals + np.maximum(0, nonterminals - 9)
    words, characters = {}, {}
    for side in ("source", "target"):
        words[side] = numbers(table.column(f"{side}_words"))
        spaces = words[side] + nonterminals - 1
        length = numbers(pc.utf8_length(table.column(side)))
        characters[side] = length - spaces - nonterminal_characters
    same = numbers(pc.equal(table.column("source"), table.column("target")))
    return {
        "WordPenalty": -words["target"],
        "RulePenalty": np.ones(len(same)),
        "Glue": np.zeros(len(same)),
        "OOV": np.zeros(len(same)),
        "Identity": same,
        "WordCountDiff": words["target"] - words["source"],
        "CharCountDiff": characters["target"] - characters["source"],
        "WordLogCR": _log_ratio(words["target"], words["source"]),
        "CharLogCR": _log_ratio(characters["target"], characters["source"]),
    }


def _log_ratio(above: Floats, below: Floats) -> Floats:
    ratio = np.divide(above, below, out=np.ones_like(above), where=(above > 0) & (below > 0))
    return np.asarray(np.log(ratio))
