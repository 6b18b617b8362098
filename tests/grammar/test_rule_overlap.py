"""Overlap, its curve and pruning: by hand, and against twins that use Python's sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import InputError, SettingError
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.overlap_curves import overlap_curve
from paragauge.grammar.pruning import Pruning, prune
from paragauge.grammar.rule import KINDS, Rule
from paragauge.grammar.rule_overlap import MODES, overlap

Make = Callable[..., Grammar]
Row = tuple[Rule, int | None, dict[str, float]]

# Rules that meet often: few words, few labels.
words = st.sampled_from(["a", "é", "a b"])
labels = st.sampled_from(["X", "NP"])
plain = st.builds(Rule, labels, words, words)
linked = st.builds(
    lambda left, label, word: Rule(left, f"[1] {word}", f"{word} [1]", (label,)), labels, labels, words
)
scores = st.dictionaries(st.just("p"), st.sampled_from([0.0, 0.5, 0.5, 1.0]))
counted = st.lists(
    st.tuples(plain | linked, st.integers(1, 4), scores), max_size=8, unique_by=lambda row: row[0]
)


def frequencies(rows: list[Row], mode: str, variants: str = "max") -> Counter:
    """The twin's gold set: keys with their frequencies."""
    counts: Counter = Counter()
    for rule, count, _ in rows:
        key = rule if mode == "strict" else (rule.source, rule.target)
        more = count or 1
        counts[key] = max(counts[key], more) if variants == "max" else counts[key] + more
    return counts


def kind(key: Rule | tuple[str, str], lexical: str) -> str:
    if isinstance(key, Rule):
        return key.kind_by(lexical)
    labels_ = ("X",) if "[1]" in key[0] else ()
    return Rule("X", *key, labels_).kind_by(lexical)


@settings(max_examples=25)
@given(counted, counted, st.sampled_from(["source", "both"]), st.sampled_from(["max", "sum"]))
def test_overlap_equals_that_of_sets(
    grammar_of: Make, gold: list[Row], mine: list[Row], lexical: str, variants: str
) -> None:
    grammars = grammar_of(gold, ["p"]), grammar_of(mine, ["p"])
    result = overlap(
        grammars[0],
        {"mine": grammars[1]},
        frequencies=(1, 2, 5),
        lexical=lexical,
        variants=variants,
        engine=DuckDBEngine(threads=1),
    )
    assert len(result.rows) == len(MODES) * 3 * 4
    for row in result.rows:
        counts = frequencies(gold, row.mode, variants)
        gold_keys = {key for key, n in counts.items() if n >= row.frequency}
        have = set(frequencies(mine, row.mode))
        if row.kind != "all":
            gold_keys = {key for key in gold_keys if kind(key, lexical) == row.kind}
            have = {key for key in have if kind(key, lexical) == row.kind}
        assert (row.gold, row.resource, row.overlap) == (
            len(gold_keys),
            len(have),
            len(gold_keys & have),
        )


def test_label_variants_by_maximum_or_by_sum(grammar_of: Make) -> None:
    # answer / reply twice as a noun and once as a verb; ask / beg once as each.
    rows = [("NN", "answer", "reply", 2), ("VB", "answer", "reply", 1), ("VB", "ask", "beg", 1)]
    rows.append(("NN", "ask", "beg", 1))
    gold = grammar_of([(Rule(lhs, source, target), n, {}) for lhs, source, target, n in rows])
    for variants, expected in (("max", [2, 1, 0]), ("sum", [2, 2, 1])):
        result = overlap(gold, {"g": gold}, frequencies=[1, 2, 3], variants=variants)  # type: ignore[arg-type]
        assert result.variants == variants
        for mode, sizes in (("strict", [4, 1, 0]), ("non-strict", expected)):
            assert [result["g", mode, n].gold for n in (1, 2, 3)] == sizes
            assert [result["g", mode, n].overlap for n in (1, 2, 3)] == sizes
    with pytest.raises(SettingError, match="unknown value of variants 'mean'"):
        overlap(gold, {"g": gold}, variants="mean")  # type: ignore[arg-type]


def test_the_example_of_section_4_2(grammar_of: Make) -> None:
    gold = grammar_of([(Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]"), 1, {})])
    hiero = grammar_of([(Rule.parse("[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]"), 1, {})])
    other = grammar_of([(Rule.parse("[X] ||| [X,1] 's [X,2] ||| the [X,1] of [X,2]"), 1, {})])
    result = overlap(gold, {"hiero": hiero, "other": other}, frequencies=[1])
    assert result["hiero", "strict", 1].overlap == 0
    assert result["hiero", "non-strict", 1].overlap == 1
    assert result["other", "non-strict", 1].overlap == 0  # the indices count


def test_the_example_of_section_5_3(grammar_of: Make) -> None:
    rows = [(Rule(left, "answer", "reply"), 1, {}) for left in ("NN", "VB")]
    ppdb = grammar_of(rows)
    result = overlap(ppdb, {"ppdb": ppdb})
    assert result["ppdb", "strict", 1].overlap == 2
    assert result["ppdb", "non-strict", 1].overlap == 1
    # Each rule was seen once and is removed before labels are ignored.
    assert result["ppdb", "strict", 2].gold == 0
    assert result["ppdb", "strict", 2].recall is None
    assert result["ppdb", "non-strict", 2].gold == 0
    with pytest.raises(KeyError):
        result["ppdb", "strict", 3]


def test_gold_rules_without_counts(grammar_of: Make) -> None:
    gold = grammar_of([(Rule("X", "a", "b"), None, {})])
    assert overlap(gold, {"g": gold}, frequencies=[1])["g", "strict", 1].overlap == 1
    with pytest.raises(InputError, match="expected counts to tell rules of frequency 2 apart"):
        overlap(gold, {"g": gold}, frequencies=[1, 2])
    result = overlap(gold, {"g": gold})
    assert ({row.frequency for row in result.rows}, result.uncounted) == ({1}, 1)
    with pytest.raises(InputError, match="expected counts"):
        overlap_curve(gold, gold, "count", frequency=2)


def test_settings_are_checked(grammar_of: Make) -> None:
    empty = grammar_of([])
    for wrong in ({"modes": ["strikt"]}, {"frequencies": []}, {"frequencies": [0]}, {"lexical": "x"}):
        with pytest.raises(SettingError):
            overlap(empty, {"g": empty}, **wrong)
    for wrong in ({"mode": "x"}, {"frequency": 0}, {"sizes": 0}, {"sizes": [0]}, {"sizes": [1]}):
        with pytest.raises(SettingError):
            overlap_curve(empty, empty, "count", **wrong)
    with pytest.raises(SettingError, match=r"unknown score of .* 'p'; known: count"):
        overlap_curve(empty, empty, "p")
    assert overlap_curve(empty, empty, "count").points == ()
    row = overlap(empty, {"g": empty}).rows[0]
    assert (row.precision, row.recall) == (None, None)


def ranked(rows: list[Row], mode: str, *, ascending: bool) -> list:
    """The twin's ranking: by score, those without one last, ties by the bytes of the key."""
    best: dict = {}
    for rule, _, features in rows:
        key = rule if mode == "strict" else (rule.source, rule.target)
        known = [score for score in (best.get(key), features.get("p")) if score is not None]
        best[key] = (min if ascending else max)(known) if known else None

    def order(key: Rule | tuple[str, str]) -> tuple:
        score = best[key]
        texts = (
            (key.source, key.target, key.lhs, " ".join(key.labels)) if isinstance(key, Rule) else key
        )
        value = 0.0 if score is None else score if ascending else -score
        return score is None, value, [text.encode() for text in texts]

    return sorted(best, key=order)


@settings(max_examples=25)
@given(
    counted,
    counted,
    st.sampled_from(MODES),
    st.booleans(),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(["max", "sum"]),
)
def test_a_curve_equals_the_overlap_of_each_cut(
    grammar_of: Make,
    gold: list[Row],
    mine: list[Row],
    mode: str,
    ascending: bool,
    frequency: int,
    steps: int,
    variants: str,
) -> None:
    curve = overlap_curve(
        grammar_of(gold, ["p"]),
        grammar_of(mine, ["p"]),
        "p",
        ascending=ascending,
        sizes=steps,
        mode=mode,
        frequency=frequency,
        variants=variants,
        engine=DuckDBEngine(threads=1),
    )
    order = ranked(mine, mode, ascending=ascending)
    gold_keys = {key for key, n in frequencies(gold, mode, variants).items() if n >= frequency}
    for point in curve.points:
        assert point.gold == len(gold_keys)
        assert point.overlap == len(gold_keys & set(order[: point.size]))
    assert [point.size for point in curve.points][-1:] == [len(order)][: len(order)]


def test_sizes_by_hand(grammar_of: Make) -> None:
    rules = [(Rule("X", "a", f"t{i}"), 9 - i, {}) for i in range(7)]
    mine = grammar_of(rules)
    gold = grammar_of([rules[0], rules[1], rules[6]])
    curve = overlap_curve(gold, mine, "count", sizes=[1, 2, 7])
    assert [(p.size, p.overlap, p.precision, p.recall) for p in curve.points] == [
        (1, 1, 1.0, 1 / 3),
        (2, 2, 1.0, 2 / 3),
        (7, 3, 3 / 7, 1.0),
    ]
    assert [p.size for p in overlap_curve(gold, mine, "count", sizes=3).points] == [3, 5, 7]


def kept_by_twin(rows: list[Row], pruning: Pruning) -> set[Rule]:
    left = [
        (rule, count, features.get("p"))
        for rule, count, features in rows
        if (pruning.kinds is None or rule.kind_by(pruning.lexical) in pruning.kinds)
        and (pruning.min_count is None or (count or 0) >= pruning.min_count)
    ]
    if pruning.threshold is not None:
        sign = -1 if pruning.ascending else 1
        left = [row for row in left if row[2] is not None and sign * row[2] >= sign * pruning.threshold]

    def order(row: tuple) -> tuple:
        rule, _, score = row
        value = 0.0 if score is None else score if pruning.ascending else -score
        texts = (rule.source, rule.target, rule.lhs, " ".join(rule.labels))
        return score is None, value, [text.encode() for text in texts]

    left.sort(key=order)
    if pruning.variants is not None:
        seen: Counter = Counter()
        some = []
        for row in left:
            key = row[0].source, row[0].target
            seen[key] += 1
            if seen[key] <= pruning.variants:
                some.append(row)
        left = some
    return {rule for rule, _, _ in left[: pruning.top]}


@settings(max_examples=25)
@given(
    counted,
    st.builds(
        Pruning,
        score=st.just("p"),
        ascending=st.booleans(),
        kinds=st.none() | st.lists(st.sampled_from(KINDS), min_size=1, unique=True).map(tuple),
        min_count=st.none() | st.integers(1, 3),
        threshold=st.none() | st.sampled_from([0.25, 0.5]),
        variants=st.integers(1, 2),
        top=st.none() | st.integers(1, 5),
        lexical=st.sampled_from(["source", "both"]),
    ),
)
def test_pruning_equals_the_twin(
    grammar_of: Make, tmp_path_factory: pytest.TempPathFactory, rows: list[Row], pruning: Pruning
) -> None:
    grammar = grammar_of(rows, ["p"])
    output = tmp_path_factory.mktemp("pruned") / "g"
    pruned = prune(grammar, output, pruning, engine=DuckDBEngine(threads=1))
    pruned_rows = [grammar._row(row) for b in pruned.batches() for row in b.to_pylist()]
    assert {row.rule for row in pruned_rows} == kept_by_twin(rows, pruning)
    known = {rule: (count, features.get("p")) for rule, count, features in rows}
    assert all((row.count, row.features["p"]) == known[row.rule] for row in pruned_rows)
    assert pruned.info["origin"]["rules"] == len(rows)


def test_invalid_pruning(grammar_of: Make) -> None:
    grammar = grammar_of([(Rule("X", "a", "b"), 1, {"p": 1.0})], ["p"])
    for wrong, message in (
        ({}, "expected a way to prune"),
        ({"score": "p"}, "expected a way to prune"),
        ({"top": 3}, "top: expected a score to rank the rules by"),
        ({"score": "p", "top": 0}, "top: expected a whole number of at least 1"),
        ({"score": "p", "threshold": float("nan")}, "threshold: expected a number"),
        ({"kinds": ["lexcial"]}, "did you mean 'lexical'"),
    ):
        with pytest.raises(SettingError, match=message):
            Pruning(**wrong)
    with pytest.raises(SettingError, match="expected a folder other than the grammar"):
        prune(grammar, grammar.folder, Pruning(min_count=1))
    with pytest.raises(SettingError, match="did you mean 'p'"):
        prune(grammar, grammar.folder.parent / "out", Pruning(score="pp", top=1))


def test_rules_are_removed_before_labels_are_ignored(grammar_of: Make) -> None:
    # Weese et al. 2014, table 3: "we first removed all rules that appeared only once".
    variants = [(Rule(lhs, "answer", "reply"), 1, {}) for lhs in ("NN", "VB")]
    gold = grammar_of([*variants, (Rule("NN", "a", "b"), 2, {}), (Rule("VB", "a", "b"), 1, {})])
    result = overlap(gold, {"same": gold})
    assert [result["same", mode, n].gold for mode in MODES for n in (1, 2)] == [4, 1, 2, 1]


def test_a_minimum_count_for_rules_without_counts(grammar_of: Make, tmp_path: Path) -> None:
    grammar = grammar_of([(Rule("X", "a", "b"), None, {})])
    with pytest.raises(InputError, match="expected rules with counts, which a minimum count needs"):
        prune(grammar, tmp_path / "pruned", Pruning(min_count=2))
    assert not (tmp_path / "pruned").exists()
