"""Pairs of phrases with a probability, out of grammars and phrase tables of any format.

A folder is a grammar or a phrase table, as its description says; a file is in a format of grammars or
of phrase tables, as its first line says (`grammar/text_read.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, SettingError, unknown_name
from paragauge.grammar.table import Grammar
from paragauge.grammar.text_read import GrammarReader
from paragauge.phrases.rows import SCORES
from paragauge.phrases.table import KIND as PHRASE_TABLE
from paragauge.phrases.table import PhraseTable
from paragauge.text.extras import require_pyarrow
from paragauge.text.files import display_name

Source = Grammar | PhraseTable | str | Path
MINUS_LOG = "-"


def opened(rules: Source) -> Grammar | PhraseTable | Path:
    """What a path leads to: the grammar or the table in a folder; a file stays a path."""
    if isinstance(rules, (Grammar, PhraseTable)):
        return rules
    path = Path(rules)
    if path.is_dir():
        is_table = (path / PHRASE_TABLE.description).exists()
        return PhraseTable.open(path) if is_table else Grammar.open(path)
    if not path.exists():
        raise FileFormatError(path, None, "no such grammar or phrase table; check the path")
    return path


def place_of(source: Grammar | PhraseTable | Path) -> str:
    """How messages call it."""
    return display_name(source) if isinstance(source, Path) else str(source.folder)


def scored_pairs(
    source: Grammar | PhraseTable | Path, score: str, least: float, longest: int
) -> tuple[list[tuple[str, str, float]], int]:
    """The pairs that reach the least probability, and how many rules there are in all."""
    require_pyarrow("engine")
    import pyarrow.compute as pc

    feature = score.removeprefix(MINUS_LOG)
    pairs: list[tuple[str, str, float]] = []
    rules = 0
    for table, values in _batches(source, feature):
        rules += len(table)
        found = np.asarray(values.to_numpy(zero_copy_only=False), np.float64)
        probabilities = np.exp(-found) if score.startswith(MINUS_LOG) else found
        _check(probabilities, found, table, feature, place_of(source))
        kept = probabilities >= least
        for side in ("source", "target"):
            blanks = pc.count_substring(table.column(side), " ").to_numpy(zero_copy_only=False)
            kept &= blanks < longest
        if "labels" in table.schema.names:
            kept &= pc.equal(table.column("labels"), "").to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(kept)
        texts = (table.column(side).take(rows).to_pylist() for side in ("source", "target"))
        pairs += zip(*texts, probabilities[rows].tolist(), strict=True)
    return pairs, rules


def _check(probabilities: Any, found: Any, table: Any, feature: str, place: str) -> None:
    """Refuse what is no probability."""
    bad = np.flatnonzero((probabilities < 0) | (probabilities > 1))
    if len(bad):
        row = int(bad[0])
        old, new = (table.column(side)[row].as_py() for side in ("source", "target"))
        raise FileFormatError(
            place,
            None,
            f"feature {feature}: expected a probability from 0 to 1, found {found[row]:g} for "
            f"{old[:60]!r} -> {new[:60]!r}; choose another score, with a minus before its name "
            f"if it is -ln p ({MINUS_LOG}{feature})",
        )


def _batches(source: Grammar | PhraseTable | Path, feature: str) -> Iterator[tuple[Any, Any]]:
    if isinstance(source, PhraseTable):
        _check_known(feature, SCORES, source)
        for batch in source.batches(("source", "target", feature)):
            yield batch, batch.column(feature)
    elif isinstance(source, Grammar):
        _check_known(feature, source.features, source)
        column = source.columns[feature]
        for batch in source.batches(("source", "target", "labels", column)):
            yield batch, batch.column(column)
    else:
        reader = GrammarReader(source)
        for table in reader.batches():
            _check_known(feature, reader.names, source)
            yield table, table.column(f"f{reader.names.index(feature) + 1}")


def _check_known(feature: str, known: Any, source: Grammar | PhraseTable | Path) -> None:
    if feature in known:
        return
    if not known:
        raise FileFormatError(
            place_of(source), None, f"expected rules with the probability {feature}, found no features"
        )
    unknown = unknown_name(f"feature of {place_of(source)}", feature, known)
    raise SettingError(f"{unknown}; name the one that is a probability with --score (rewrite_score)")
