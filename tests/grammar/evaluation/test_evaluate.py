"""The whole evaluation: figures that a reader can check by hand, and what is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.grammar.evaluation.evaluate import (
    GrammarEvaluation,
    choose_drawn_pairs,
    evaluate_grammar,
    plan_evaluation,
)
from paragauge.grammar.evaluation.parallel_text import ParallelFiles, read_parallel_text
from paragauge.grammar.evaluation.settings import GrammarEvaluationSettings
from paragauge.grammar.evaluation.stored_results import read_coverage, write_coverage
from paragauge.grammar.pair_coverage import coverage
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule import Rule
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.grammar.sentence_pairs import SentencePairs

HIERO = GrammarEvaluationSettings(rules=RuleSettings.named("hiero"))


@pytest.fixture
def evaluation(gold_file: Path, ppdb_file: Path, tmp_path: Path) -> GrammarEvaluation:
    return evaluate_grammar({"ppdb": ppdb_file}, ParallelFiles(gold=(gold_file,)), tmp_path / "work")


def test_figures_by_hand(evaluation: GrammarEvaluation) -> None:
    """big/large and bought/purchased have the labels of the trees; horse/steed has another."""
    strict = evaluation.overlap["ppdb", "strict", 1]
    assert (strict.resource, strict.overlap) == (4, 2)
    assert evaluation.overlap["ppdb", "non-strict", 1].overlap == 3
    assert evaluation.overlap["ppdb", "strict", 1, "lexical"].overlap == 2
    covered = evaluation.coverages["ppdb"]
    assert covered.covered.tolist() == [False, True, True]
    assert covered.length == np.mean([6, 6, 3, 3])
    assert evaluation.identical == 1
    score = evaluation.parametric.resources["ppdb"]
    assert (score.resource, score.both, score.known) == (4, 3, 4)
    assert [point.size for point in evaluation.curves["ppdb"][0].points] == [1, 2, 3, 4]
    assert [point.overlap for point in evaluation.curves["ppdb"][0].points] == [1, 2, 2, 2]
    assert [point.overlap for point in evaluation.curves["ppdb"][1].points] == [1, 2, 2, 3]


def test_examples(evaluation: GrammarEvaluation) -> None:
    examples = evaluation.rules["ppdb"]
    assert examples.mode == "strict"
    found = {str(one.rule) for one in examples.rules if one.is_found}
    assert found == {"[JJ] ||| big ||| large", "[VBD] ||| bought ||| purchased"}
    missed = {str(one.rule) for one in examples.rules if not one.is_found}
    assert "[NN] ||| horse ||| steed" in missed
    assert all(one.rule.source != one.rule.target for one in examples.rules)
    derivations = evaluation.derivations["ppdb"]
    assert {title: one.status for title, one in derivations.items()} == {
        "line 2": "covered",
        "line 1": "unreachable",
    }
    assert [span.label for span in derivations["line 1"].reached]


def test_examples_without_labels(gold_file: Path, tmp_path: Path, write) -> None:
    """A resource with one label shares no rule strictly, so labels are ignored in its examples."""
    rules = write("x.txt", "[X] ||| big ||| large\n")
    result = evaluate_grammar({"x": rules}, ParallelFiles(gold=(gold_file,)), tmp_path / "work")
    assert result.rules["x"].mode == "non-strict"
    assert [str(one.rule) for one in result.rules["x"].rules if one.is_found] == [
        "[JJ] ||| big ||| large"
    ]
    assert result.curves == {}  # no score, no counts


def test_stages_are_kept(
    evaluation: GrammarEvaluation, gold_file: Path, ppdb_file: Path, tmp_path: Path
) -> None:
    files, work = ParallelFiles(gold=(gold_file,)), tmp_path / "work"
    assert all(is_new for is_new, _, _ in evaluation.stages)
    again = evaluate_grammar({"ppdb": ppdb_file}, files, work)
    assert not any(is_new for is_new, _, _ in again.stages)
    assert again.overlap == evaluation.overlap
    assert again.curves == evaluation.curves
    assert again.rules == evaluation.rules
    assert again.derivations == evaluation.derivations
    assert again.parametric.resources == evaluation.parametric.resources
    assert again.coverages["ppdb"].record() == evaluation.coverages["ppdb"].record()
    settings = GrammarEvaluationSettings(parsing=ParseSettings())
    todo = [
        one.stage.name
        for one in plan_evaluation({"ppdb": ppdb_file}, files, work, settings)
        if not one.is_done
    ]
    assert todo == ["coverage ppdb", "derivations ppdb"]
    ppdb_file.write_text("[JJ] ||| big ||| large ||| PPDB2.0Score=5\n")
    todo = {
        one.stage.name for one in plan_evaluation({"ppdb": ppdb_file}, files, work) if not one.is_done
    }
    assert {"resource ppdb", "overlap", "ParaMetric"} <= todo
    assert todo.isdisjoint({"text", "links", "trees", "gold grammar"})


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({"case": "mixed"}, "links"),
        ({"rules": RuleSettings.named("paradigm", nonterminals=1)}, "gold grammar"),
        ({"frequencies": (1, 3)}, "overlap"),
        ({"variants": "sum"}, "overlap"),
        ({"sizes": 2}, "curve ppdb"),
        ({"examples": 1}, "examples ppdb"),
        ({"directions": "both"}, "coverage ppdb"),
        ({"drawn": 1}, "derivations ppdb"),
        ({"links": "sure"}, "ParaMetric"),
        ({"duplicates": "first"}, "resource ppdb"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_a_setting_runs_its_stage_again(
    evaluation: GrammarEvaluation,
    gold_file: Path,
    ppdb_file: Path,
    change: dict[str, object],
    first: str,
) -> None:
    settings = GrammarEvaluationSettings(**change)
    stages = plan_evaluation(
        {"ppdb": ppdb_file}, ParallelFiles(gold=(gold_file,)), evaluation.work, settings
    )
    assert next(one.stage.name for one in stages if not one.is_done) == first


def test_what_follows_a_lost_file_runs_again(
    evaluation: GrammarEvaluation, gold_file: Path, ppdb_file: Path
) -> None:
    """New links may differ, so everything that was made from the old ones is made again."""
    resources, files = {"ppdb": ppdb_file}, ParallelFiles(gold=(gold_file,))
    (evaluation.work / "links.txt").unlink()
    todo = {"links", "gold grammar", "overlap", "curve ppdb", "examples ppdb", "ParaMetric"}
    planned = plan_evaluation(resources, files, evaluation.work)
    assert {one.stage.name for one in planned if not one.is_done} == todo
    again = evaluate_grammar(resources, files, evaluation.work)
    assert {stage.name for is_new, stage, _ in again.stages if is_new} == todo
    assert all(one.is_done for one in plan_evaluation(resources, files, evaluation.work))


def test_planning_writes_nothing(gold_file: Path, ppdb_file: Path, tmp_path: Path) -> None:
    planned = plan_evaluation({"p": ppdb_file}, ParallelFiles(gold=(gold_file,)), tmp_path / "work")
    assert not any(one.is_done for one in planned)
    assert all(one.stage.seconds > 0 for one in planned)
    assert not (tmp_path / "work").exists()


def test_sets_of_translations(systran_align: None, ppdb_file: Path, tmp_path: Path, write) -> None:
    texts = ["A big house.\n\n", "A large house.\nYes.\n", "One big home.\nYes!\n"]
    files = tuple(write(f"{number}.txt", text) for number, text in enumerate(texts))
    settings = GrammarEvaluationSettings(empty="skip", aligner="systran")
    result = evaluate_grammar({"p": ppdb_file}, ParallelFiles(sets=files), tmp_path / "work", settings)
    assert (len(result.pairs), result.pairs.sets, result.pairs.skipped) == (4, 2, 2)
    assert result.pairs[0] == ("a big house .", "a large house .")
    assert result.coverages["p"].covered.tolist() == [True, False, False, False]
    assert (result.coverages["p"].all, result.coverages["p"].any) == (25.0, 50.0)
    assert result.facts["aligner"].startswith("systran")
    assert result.facts["parser"].startswith("chart")
    trees = (tmp_path / "work" / "trees.txt").read_text().split("\n")
    assert trees[0].count("house") == 1  # parsed in its own case
    assert "(DT A)" in trees[0]
    assert "line 1, translations 1 and 2" in result.derivations["p"]


def test_one_file_of_pairs_is_the_same_as_two(ppdb_file: Path, write) -> None:
    sides = write("a.txt", "A dog.\nIt's me.\n"), write("b.txt", "The hound.\nThat is I.\n")
    joined = write("ab.tsv", "A dog.\tThe hound.\nIt's me. ||| That is I.\n")
    two = read_parallel_text(ParallelFiles(pairs=sides))
    one = read_parallel_text(ParallelFiles(pair_file=joined))
    assert list(one.pairs.source) == list(two.pairs.source) == ["A dog .", "It 's me ."]
    assert list(one.pairs.target) == list(two.pairs.target)


def test_given_links_and_trees_follow_dropped_pairs(ppdb_file: Path, write) -> None:
    files = ParallelFiles(
        pairs=(write("a", "\na b\n"), write("b", "x\ny z\n")),
        alignment=write("links", "\n0-0 1p1\n"),
        trees=write("trees", "\n(X (A a) (B b))\n"),
    )
    text = read_parallel_text(files, tokenize="blanks", empty="skip")
    assert text.alignment.sure.to_lists() == [[(0, 0)]]
    assert text.alignment.possible.to_lists() == [[(0, 0), (1, 1)]]
    assert text.trees.to_brackets() == ["(X (A a) (B b))"]


def test_a_coverage_with_limits_is_kept_whole(tmp_path: Path) -> None:
    pairs = SentencePairs.of(["a a a", "a", "c"], ["b b b", "b", "d"])
    result = coverage(
        [Rule.parse("[X] ||| a ||| b")], pairs, ParseSettings(max_items=3), directions="both"
    )
    assert (result.results[0].items < 0).any()
    write_coverage(tmp_path / "c.bin", result)
    again = read_coverage(tmp_path / "c.bin", pairs)
    assert again.record() == result.record() or np.isnan(result.length)
    for own, other in zip(again.results, result.results, strict=True):
        assert own.items.tolist() == other.items.tolist()
        assert own.seconds.tolist() == other.seconds.tolist()


def test_drawn_pairs_differ_and_are_short_if_possible() -> None:
    long = " ".join(["a"] * 31)
    pairs = SentencePairs.of(["a", "a", long, "x", "x x"], ["a", "b", long + " b", "y", "y y"])
    rules = [
        Rule.parse("[X] ||| a ||| b"),
        Rule.parse("[X] ||| a ||| a"),
        Rule.parse("[X] ||| a ||| a b"),
    ]
    result = coverage(rules, pairs)
    assert choose_drawn_pairs(result, 2) == [1, 3, 4]
    assert choose_drawn_pairs(result, 1) == [1, 3]
    only_long = coverage(rules, pairs.take([2]))
    assert choose_drawn_pairs(only_long, 3) == [0]


@pytest.mark.parametrize(
    ("ways", "message"),
    [
        ({}, "found none; give one of --pairs, --pair-file, --sets, --gold"),
        ({"pair_file": "a", "gold": ("b",)}, "found several"),
        ({"sets": ("a",)}, "expected at least two files of translations, found 1"),
        ({"pairs": ("a", "-")}, "found standard input; write it to a file first"),
    ],
)
def test_one_way_to_give_text(ways: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ParallelFiles(**ways)


def test_errors(gold_file: Path, ppdb_file: Path, tmp_path: Path, write) -> None:
    gold, work = ParallelFiles(gold=(gold_file,)), tmp_path / "work"
    with pytest.raises(InputError, match="expected at least one resource"):
        evaluate_grammar({}, gold, work)
    with pytest.raises(FileFormatError, match="no such file or folder; check the path of the resource"):
        evaluate_grammar({"a": tmp_path / "none"}, gold, work)
    with pytest.raises(FileFormatError, match=r"found a folder without grammar\.json"):
        evaluate_grammar({"a": tmp_path}, gold, work)
    with pytest.raises(InputError, match="standard input"):
        evaluate_grammar({"a": "-"}, gold, work)
    with pytest.raises(SettingError, match="--tokenize penn: links and trees are of tokens"):
        evaluate_grammar({"a": ppdb_file}, gold, work, GrammarEvaluationSettings(tokenize="penn"))
    with pytest.raises(SettingError, match="empty: expected error or skip"):
        evaluate_grammar({"a": ppdb_file}, gold, work, GrammarEvaluationSettings(empty="keep"))
    target = RuleSettings.named("paradigm", parsed="target")
    with pytest.raises(SettingError, match="parsed: expected source"):
        evaluate_grammar({"a": ppdb_file}, gold, work, GrammarEvaluationSettings(rules=target))
    with pytest.raises(SettingError, match="--trees: expected one pair per line, found sets of 3"):
        ParallelFiles(sets=("a", "b", "c"), trees="t")
    one_tree = ParallelFiles(gold=(gold_file,), trees=write("t", "(X a)\n"))
    with pytest.raises(LengthError, match="has 1 tree, but there are 3 sentence pairs"):
        evaluate_grammar({"a": ppdb_file}, one_tree, work)
    assert not work.exists()


def test_without_trees(gold_file: Path, ppdb_file: Path, tmp_path: Path) -> None:
    result = evaluate_grammar({"p": ppdb_file}, ParallelFiles(gold=(gold_file,)), tmp_path / "w", HIERO)
    assert "trees" not in [stage.name for _, stage, _ in result.stages]
    assert result.overlap["p", "strict", 1].overlap == 0
    assert result.overlap["p", "non-strict", 1].overlap == 3
