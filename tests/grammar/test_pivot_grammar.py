"""Paraphrase grammars from other languages: sums by hand, and a naive twin."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, SettingError
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.pivot_grammar import pivot_grammar
from paragauge.phrases.moses import read_moses
from paragauge.phrases.table import PhraseTable

Counts = dict[tuple[str, str], int]
FRENCH: Counts = {("big", "grand"): 2, ("big", "gros"): 2, ("large", "grand"): 6, ("tall", "grand"): 2}
GERMAN: Counts = {("big", "groß"): 3, ("tall", "groß"): 9, ("rare", "groß"): 1}


def probabilities(counts: Counts) -> dict[tuple[str, str], tuple[float, float]]:
    """p(f|e) and p(e|f) of each pair."""
    sources: dict[str, int] = defaultdict(int)
    targets: dict[str, int] = defaultdict(int)
    for (source, target), count in counts.items():
        sources[source] += count
        targets[target] += count
    return {(s, t): (n / sources[s], n / targets[t]) for (s, t), n in counts.items()}


def table_of(counts: Counts, folder: Path, *, counted: bool = True) -> PhraseTable:
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for (source, target), (forward, backward) in probabilities(counts).items():
        numbers = f"1 1 {counts[source, target]}" if counted else ""
        lines.append(
            f"{source} ||| {target} ||| {backward!r} 1 {forward!r} 1 ||| 0-0 ||| {numbers} |||"
        )
    (folder / "moses").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read_moses(folder / "moses", folder / "table")


def rules_of(grammar: Grammar) -> dict[tuple[str, str], tuple[float, float]]:
    rows = [row for batch in grammar.batches() for row in batch.to_pylist()]
    assert all((row["lhs"], row["labels"]) == ("X", "") for row in rows)
    return {(row["source"], row["target"]): (row["p_target"], row["p_source"]) for row in rows}


def naive(tables: list[Counts], least: int) -> dict[tuple[str, str], tuple[float, float]]:
    """p(e2|e1) and p(e1|e2), by the formula."""
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for counts in tables:
        known = {pair: p for pair, p in probabilities(counts).items() if counts[pair] >= least}
        for (first, pivot), (forward, _) in known.items():
            for (second, other), (_, backward) in known.items():
                if pivot == other and first != second:
                    sums[first, second] += forward * backward / len(tables)
    return {(a, b): (p, sums[b, a]) for (a, b), p in sums.items()}


def test_by_hand(tmp_path: Path) -> None:
    tables = [table_of(FRENCH, tmp_path / "fr"), table_of(GERMAN, tmp_path / "de")]
    grammar = pivot_grammar(tables, tmp_path / "paraphrases")
    rules = rules_of(grammar)
    # French: p(grand|big) p(large|grand) = 2/4 6/10; German has no large.
    assert rules["big", "large"] == pytest.approx(((0.5 * 0.6) / 2, (1 * 0.2) / 2))
    # French 2/4 2/10, German 3/3 9/13; "rare" was seen once, but the probabilities stay.
    assert rules["big", "tall"][0] == pytest.approx((0.5 * 0.2 + 1 * 9 / 13) / 2)
    assert not any("rare" in pair for pair in rules)
    origin = grammar.info["origin"]
    assert [table["pairs"] for table in origin["pivoted"]] == [4, 3]
    assert origin["settings"] == {"min_count": 2, "min_probability": 0.01}
    more = pivot_grammar(tables, tmp_path / "more", min_count=1, min_probability=0.34)
    assert set(rules_of(more)) == {("big", "tall"), ("rare", "tall")}


@settings(max_examples=12)
@given(
    st.lists(
        st.dictionaries(
            st.tuples(
                st.sampled_from(["a", "a b", "é", "中 c", "[x]"]), st.sampled_from(["f", "g h", "i"])
            ),
            st.integers(1, 4),
            min_size=1,
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 2),
)
def test_a_naive_twin(tmp_path: Path, tables: list[Counts], least: int) -> None:
    opened = [table_of(counts, tmp_path / str(i)) for i, counts in enumerate(tables)]
    outputs: list[Any] = []
    for threads in (1, 2):
        engine = DuckDBEngine(threads=threads)
        output = tmp_path / "out"
        grammar = pivot_grammar(opened, output, min_count=least, min_probability=0, engine=engine)
        grammar.verify()
        outputs.append((rules_of(grammar), grammar.fingerprint))
    assert outputs[0] == outputs[1]
    expected = {pair: p for pair, p in naive(tables, least).items() if "[x]" not in pair}
    assert outputs[0][0].keys() == expected.keys()
    for pair, values in outputs[0][0].items():
        assert values == pytest.approx(expected[pair], abs=1e-13)


def test_errors(tmp_path: Path) -> None:
    bare = table_of(FRENCH, tmp_path / "fr", counted=False)
    with pytest.raises(FileFormatError, match="expected a count for every pair, which a minimum count"):
        pivot_grammar([bare], tmp_path / "out")
    assert len(pivot_grammar([bare], tmp_path / "out", min_count=1)) == 6
    with pytest.raises(SettingError, match="at least one phrase table"):
        pivot_grammar([], tmp_path / "out")
    with pytest.raises(SettingError, match="min_count: expected a whole number of at least 1, found 0"):
        pivot_grammar([bare], tmp_path / "out", min_count=0)
    with pytest.raises(SettingError, match=r"min_probability: expected a probability .*, found 2"):
        pivot_grammar([bare], tmp_path / "out", min_probability=2)
