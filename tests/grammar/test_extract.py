"""Extracting grammars from aligned text: counts and features by hand, files and folders, errors."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paragauge.align.links import Links
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError, LengthError, SettingError, ShapeError
from paragauge.grammar import extract
from paragauge.grammar.convert import read_grammar
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.extract_files import TreeFile, read_pair_batches
from paragauge.grammar.features import NAMES, TOTALS, features_query
from paragauge.grammar.grammar_folder import Grammar, rule_of
from paragauge.grammar.grammar_writer import write_grammar
from paragauge.grammar.labels import Labels
from paragauge.grammar.pair_rows import PairRows, pair_schema
from paragauge.grammar.rule import first_ambiguous
from paragauge.grammar.rule_mapper import RuleMapper, WordMapper
from paragauge.grammar.rule_settings import PRESETS, RuleSettings
from paragauge.kernels.reference.grammar.rules import Limits
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext, BitextFiles
from paragauge.text.lines import Lines

SOURCES = ["the house", "the book", "the house", "a 中文 🙂"]
TARGETS = ["this house", "the volume", "the house", "one 中文 e\u0301"]
LINKS = [[(0, 0), (1, 1)]] * 3 + [[(0, 0), (1, 1), (2, 2)]]
TREES = [
    "(NP (DT the) (NN house))",
    "(NP (DT the) (NN book))",
    "(NP (DT the) (NN house))",
    "(NP (DT a) (NX (NN 中文) (NN 🙂)))",
]


def batch(sources: list[str] = SOURCES, **changes: Any) -> tuple[Bitext, Links, Trees | None]:
    columns = {"target": TARGETS, "links": LINKS, "trees": TREES, **changes}
    trees = None if columns["trees"] is None else Trees.of(columns["trees"])
    return Bitext.of(sources, columns["target"]), Links.from_lists(columns["links"]), trees


@pytest.fixture(scope="module")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> Grammar:
    return extract_grammar([batch()], tmp_path_factory.mktemp("grammars") / "small")


def row(grammar: Grammar, text: str) -> Any:
    lhs, source, target = text.split(" / ")
    [match] = [
        candidate
        for candidate in grammar.query(source)
        if (candidate.rule.lhs, candidate.rule.target) == (lhs, target)
    ]
    return match


def test_counts(grammar: Grammar) -> None:
    assert row(grammar, "DT / the / the").count == 2
    assert row(grammar, "DT / the / this").count == 1
    assert row(grammar, "NP / the [1] / the [1]").count == 2
    assert grammar.info["counts"]["sentence_pairs"] == 4
    assert grammar.info["settings"]["nonterminals"] == 2
    assert grammar.info["settings"]["min_count"] == 1


def test_probabilities_by_hand(grammar: Grammar) -> None:
    # "the" was extracted three times, as "the" twice; "house" three times with "house", once under NN
    # for each of two sentences.
    features = row(grammar, "DT / the / the").features
    assert features["p_target"] == pytest.approx(2 / 3)
    assert features["p_source"] == 1
    assert features["p_target_lhs"] == pytest.approx(2 / 3)
    assert features["p_lhs_source"] == features["p_lhs_target"] == 1


def test_probabilities_of_left_sides(tmp_path: Path) -> None:
    # "a" is a DT with x and with y, and an NN with x: p(x|a) is 2/3, p(x|a,DT) 1/2, p(DT|a) 2/3.
    pairs = batch(
        ["a", "a", "a"], target=["x", "y", "x"], links=[[(0, 0)]] * 3,
        trees=["(DT a)", "(DT a)", "(NN a)"],
    )  # fmt: skip
    grammar = extract_grammar([pairs], tmp_path / "g")
    features = row(grammar, "DT / a / x").features
    values = {name: features[name] for name in NAMES if name.startswith("p_")}
    assert values == {
        "p_target": pytest.approx(2 / 3),
        "p_source": 1.0,
        "p_target_lhs": 0.5,
        "p_source_lhs": 1.0,
        "p_lhs_source": pytest.approx(2 / 3),
        "p_lhs_target": 0.5,
    }


def test_lexical_weights_by_hand(grammar: Grammar) -> None:
    # w(this|the) is 1/3 and w(the|this) is 1; a rule has the product over its words.
    assert row(grammar, "DT / the / this").features["lex_target"] == pytest.approx(1 / 3)
    assert row(grammar, "NP / the [1] / this [1]").features["lex_target"] == pytest.approx(1 / 3)
    assert row(grammar, "NP / the [1] / this [1]").features["lex_source"] == 1
    assert row(grammar, "NP / the [1] / this [1]").alignment == "0-0"


def test_differences_and_flags(tmp_path: Path) -> None:
    pairs = batch(["a b c"], target=["cc dd b a"], links=[[(0, 3), (1, 2), (2, 0), (2, 1)]], trees=None)
    settings = RuleSettings.named("thrax", labels=Labels.named("hiero"))
    grammar = extract_grammar([pairs], tmp_path / "g", settings)
    features = row(grammar, "X / c / cc dd").features
    assert (features["word_diff"], features["char_diff"], features["identity"]) == (1, 3, 0)
    assert row(grammar, "X / a / a").features["identity"] == 1
    swapped = row(grammar, "X / [1] b [2] / [2] b [1]").features
    assert (swapped["monotonic"], swapped["word_diff"], swapped["char_diff"]) == (0, 0, 0)
    assert row(grammar, "X / [1] [2] c / cc dd [2] [1]").features["monotonic"] == 0
    assert row(grammar, "X / [1] c / cc dd [1]").features["monotonic"] == 1


def test_monotonic_looks_at_symbols_not_words(tmp_path: Path) -> None:
    pairs = batch(["a x[2] b"], target=["a x[2]x b"], links=[[(0, 0), (1, 1), (2, 2)]], trees=None)
    settings = RuleSettings.named("thrax", labels=Labels.named("hiero"))
    grammar = extract_grammar([pairs], tmp_path / "g", settings)
    assert row(grammar, "X / [1] x[2] [2] / [1] x[2]x [2]").features["monotonic"] == 1


def test_rows_are_those_of_the_mapper(grammar: Grammar) -> None:
    rows = PairRows()
    pairs = rows.table(*batch()).to_batches()
    mapper = RuleMapper(RuleSettings(), max_rows=1, tree_labels=rows.labels)
    counted: Counter = Counter()
    for part in mapper(iter(pairs)):
        for row in part.to_pylist():
            counted[rule_of(row)] += row["count"]
    rows = pa.Table.from_batches(list(grammar.batches(("lhs", "labels", "source", "target", "count"))))
    assert {rule_of(row): row["count"] for row in rows.to_pylist()} == counted


def test_batches_do_not_matter(tmp_path: Path, grammar: Grammar) -> None:
    bitext, links, trees = batch()
    assert trees is not None
    parts = [(bitext[i : i + 1], links[i : i + 1], trees[i : i + 1]) for i in range(4)]
    assert extract_grammar(parts, tmp_path / "g").fingerprint == grammar.fingerprint
    engine = DuckDBEngine(threads=1, memory="200MB")
    again = extract_grammar([batch()], tmp_path / "h", engine=engine)
    assert again.fingerprint == grammar.fingerprint


@pytest.mark.parametrize("features", [NAMES, ()])
def test_counting_in_shares_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, features: tuple[str, ...]
) -> None:
    whole = extract_grammar([batch()], tmp_path / "whole", features=features)
    monkeypatch.setattr(extract, "SHARE", 3)
    shares = extract_grammar([batch()], tmp_path / "shares", features=features)
    assert len(whole) > 3
    assert shares.path.read_bytes() == whole.path.read_bytes()


def test_min_count_drops_rows_only(tmp_path: Path, grammar: Grammar) -> None:
    frequent = extract_grammar([batch()], tmp_path / "g", min_count=2)
    assert 0 < len(frequent) < len(grammar)
    same = row(grammar, "DT / the / the").features
    assert row(frequent, "DT / the / the").features == same


def test_requested_features(tmp_path: Path) -> None:
    grammar = extract_grammar([batch()], tmp_path / "g", features=["identity", "p_target"])
    assert grammar.features == ("p_target", "identity")
    assert row(grammar, "DT / the / the").alignment is None
    bare = extract_grammar([batch()], tmp_path / "h", features=())
    assert bare.features == ()
    assert row(bare, "DT / the / the").count == 2


def test_only_needed_totals_are_computed() -> None:
    query = features_query(["p_target"], 2)
    assert [name for name in TOTALS if f"AS {name}" in query] == ["pair_count", "source_count"]
    assert "OVER" not in features_query(["identity"], 2)


def test_no_pairs_and_pairs_without_links(tmp_path: Path) -> None:
    assert len(extract_grammar([], tmp_path / "none")) == 0
    empty = batch(["a b"], target=["x"], links=[[]], trees=["(S (A a) (B b))"])
    assert len(extract_grammar([empty], tmp_path / "unlinked")) == 0


def test_the_target_may_have_the_trees(tmp_path: Path) -> None:
    pairs = batch(["a"], target=["x y"], links=[[(0, 0), (0, 1)]], trees=["(NP (DT x) (NN y))"])
    grammar = extract_grammar([pairs], tmp_path / "g", RuleSettings(parsed="target"))
    assert [str(row.rule) for row in grammar.query("a")] == ["[NP] ||| a ||| x y"]


def test_mappers_can_be_pickled() -> None:
    for mapper in (RuleMapper(RuleSettings.named("paradigm")), WordMapper(2)):
        assert pickle.loads(pickle.dumps(mapper)) == mapper  # noqa: S301  # our own bytes


def test_settings_are_in_the_kernels_order() -> None:
    settings = RuleSettings(
        max_source_phrase=1, max_target_phrase=2, max_span=3, nonterminals=4, max_source_symbols=5,
        max_target_symbols=6, max_source_words=7, max_target_words=8, max_lexical_source=9,
        max_lexical_target=10, min_words=11, min_aligned=12, fallback="none",
    )  # fmt: skip
    limits = Limits(*settings.limits(alignment=True).tolist())
    assert limits[:12] == tuple(range(1, 13))
    assert (limits.alignment, limits.fallback) == (1, 2)
    for name in ("adjacent", "loose", "abstract", "full_sentence", "identity", "one_word"):
        on, off = (replace(settings, **{name: value}).limits() for value in (True, False))
        assert [int(on[i]) - int(off[i]) for i in np.flatnonzero(on != off)] == [1]
        assert getattr(Limits(*on.tolist()), name) == 1
    assert {field.name for field in fields(RuleSettings)} <= {*settings.record()}


def test_the_settings_of_chiang() -> None:
    hiero = PRESETS["hiero"]
    assert not hiero.labels.needs_trees
    assert (hiero.max_source_phrase, hiero.max_source_symbols, hiero.nonterminals) == (10, 5, 2)
    assert (hiero.adjacent, hiero.loose, hiero.min_aligned) == (False, False, 1)
    assert hiero.record()["labels"] == "hiero"
    assert {"parsed", "unary"}.isdisjoint(hiero.record())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_source_phrase": 0}, "max_source_phrase: expected a whole number from 1 to 255, found 0"),
        ({"min_words": None}, "min_words: expected a whole number"),
        ({"adjacent": 1}, "adjacent: expected True or False, found 1"),
        ({"parsed": "both"}, "unknown side with trees 'both'"),
        ({"fallback": "some"}, "unknown use of the fallback 'some'"),
        (
            {"max_span": "long"},
            "max_span: expected a whole number from 1 to 1,073,741,824, found 'long'",
        ),
    ],
)
def test_bad_settings(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        RuleSettings(**changes)


def test_a_constituent_named_like_the_fallback_is_a_fallback(tmp_path: Path) -> None:
    def rules(label: str) -> set[str]:
        tree = f"(NP ({label} the) (NN house))"
        pairs = batch(SOURCES[:1], target=TARGETS[:1], links=LINKS[:1], trees=[tree])
        extracted = extract_grammar([pairs], tmp_path / label)
        return {str(rule_of(row)) for rows in extracted.batches() for row in rows.to_pylist()}

    assert {"[DT] ||| the ||| this", "[NP] ||| [DT,1] house ||| [DT,1] house"} <= rules("DT")
    assert "[X] ||| the ||| this" in rules("X")
    assert not any("[X,1]" in rule for rule in rules("X"))


def test_bad_labels() -> None:
    with pytest.raises(SettingError, match="unknown handling of unary chains 'middle'"):
        Labels(unary="middle")
    with pytest.raises(SettingError, match="fallback: expected a label without spaces"):
        Labels(fallback="X Y")
    with pytest.raises(SettingError, match="span: expected words from 0 to 2, found 1 to 3"):
        Labels().label(Trees.of(["(NP (DT the) (NN house))"]), 0, 1, 3)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (
            batch(trees=None),
            "expected a tree of the source side of each of 4 sentence pairs, found none",
        ),
        (batch(trees=TREES[:2]), "of 4 sentence pairs, found 2; to extract rules without trees, use"),
        (
            batch(trees=[*TREES[:3], "(NP a)"]),
            "source:4: expected a tree of the 3 words of the source side, found one of 1",
        ),
        (batch(links=LINKS[:3]), "4 sentence pairs but the alignment has 3; expected equally many"),
        (batch(links=[[(5, 0)], *LINKS[1:]]), ":1: .*expected links between its tokens"),
        (batch(["the [7]", *SOURCES[1:]]), r"source:1: the word '\[7\]' cannot be part of a rule"),
        (batch(["the [NP,1]", *SOURCES[1:]]), r"source:1: the word '\[NP,1\]' cannot be part of"),
        (batch(["the [X][NP]", *SOURCES[1:]]), r"source:1: the word '\[X\]\[NP\]' cannot be part of"),
        (batch(target=[*TARGETS[:3], "a b |||"]), r"target:4: the word '\|\|\|' cannot be part"),
    ],
)
def test_inputs_that_do_not_fit_together(tmp_path: Path, pairs: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        extract_grammar([pairs], tmp_path / "g")
    assert list(tmp_path.iterdir()) == []


def test_bad_count(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="min_count: expected a whole number from 1, found 0"):
        extract_grammar([batch()], tmp_path / "g", min_count=0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"links": [0, 0, 1]}, "links: expected lists with a multiple of 2 numbers"),
        ({"links": [0, 9]}, "pair 7: link 0-9, but the target has 2 tokens"),
        ({"labels": [0, 1]}, "expected one label and one span for each constituent"),
        ({"labels": [0, 1, 3]}, "expected numbers of 3 labels, found 3"),
        ({"labels": [0], "spans": [0, 1]}, "pair 7: expected a tree of 2 words, found one of 1"),
        ({"labels": [], "spans": []}, "pair 7: expected a tree of 2 words, found one of 0"),
    ],
)
def test_invalid_pair_rows(changes: dict[str, Any], message: str) -> None:
    right = {"source": "the house", "target": "this house", "links": [0, 0], "number": 7}
    row = right | {"labels": [0, 1, 2], "spans": [0, 2, 0, 1, 1, 2]} | changes
    pairs = pa.Table.from_pylist([row], pair_schema()).to_batches()
    mapper = RuleMapper(RuleSettings(), tree_labels=("NP", "DT", "NN"))
    with pytest.raises((InputError, ShapeError), match=message):
        list(mapper(iter(pairs)))


def test_rows_of_a_part_of_a_batch() -> None:
    rows = PairRows()
    [pairs] = rows.table(*batch()).to_batches()
    mapper = RuleMapper(RuleSettings(), tree_labels=rows.labels)
    whole, halves = ([pairs], [pairs[:1], pairs[1:]])
    counts = []
    for batches in (whole, halves):
        counted: Counter = Counter()
        for part in mapper(iter(batches)):
            for row in part.to_pylist():
                counted[rule_of(row)] += row["count"]
        counts.append(counted)
    assert counts[0] == counts[1]


def test_words_that_only_look_reserved() -> None:
    assert first_ambiguous(Lines.of(["x[1]", "[1]x", "[a]", "||", "[]", "| | |"])) is None
    assert first_ambiguous(Lines.of([])) is None
    assert first_ambiguous(Lines.of(["a", "b c|||"])) == (1, "c|||")
    # Lines that share a buffer without a gap between them.
    whole = Lines.of(["see [1]", "here"])
    assert first_ambiguous(whole) == (0, "[1]")
    assert first_ambiguous(whole[1:]) is None


def files(folder: Path, **texts: str) -> dict[str, Path]:
    paths = {name: folder / name for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text, encoding="utf-8")
    return paths


TEXTS = {
    "pairs": "".join(f"{s}\t{t}\n" for s, t in zip(SOURCES, TARGETS, strict=True)),
    "links": "0-0 1-1\n0-0 1-1\n0-0 1-1\n0-0 1-1 2-2\n",
    "trees": "".join(f"{tree}\n" for tree in TREES),
}


def test_files(tmp_path: Path, grammar: Grammar) -> None:
    paths = files(tmp_path, **TEXTS)
    batches = read_pair_batches(BitextFiles(paths["pairs"]), paths["links"], TreeFile(paths["trees"]))
    assert extract_grammar(batches, tmp_path / "g").fingerprint == grammar.fingerprint


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        ("\n".join(TREES[:2]), "trees has 2 trees, but there are at least 4 sentence pairs"),
        ("\n".join([*TREES, "(A b)"]), "trees has 5 trees, but there are 4 sentence pairs"),
    ],
)
def test_files_of_different_length(tmp_path: Path, trees: str, message: str) -> None:
    paths = files(tmp_path, **{**TEXTS, "trees": trees})
    batches = read_pair_batches(BitextFiles(paths["pairs"]), paths["links"], TreeFile(paths["trees"]))
    with pytest.raises(LengthError, match=message):
        list(batches)


def test_a_damaged_tree_is_named(tmp_path: Path) -> None:
    paths = files(tmp_path, **{**TEXTS, "trees": "\n".join([*TREES[:3], "(NP (DT a"])})
    batches = read_pair_batches(BitextFiles(paths["pairs"]), paths["links"], TreeFile(paths["trees"]))
    with pytest.raises(FileFormatError, match="trees:4: expected one tree"):
        list(batches)


def test_trees_of_other_sentences(tmp_path: Path) -> None:
    changed = batch(["THE house", *SOURCES[1:]])
    assert len(extract_grammar([changed], tmp_path / "case", features=())) > 0
    other = batch(trees=["(NP (DT the) (NN roof))", *TREES[1:]])
    with pytest.raises(
        FileFormatError,
        match=r"source:1: expected a tree of this sentence, found one with 'roof' for 'house'; give "
        "the trees of the source side in the order of the text, or --tree-words any",
    ):
        extract_grammar([other], tmp_path / "other")
    assert not (tmp_path / "other").exists()
    assert len(extract_grammar([other], tmp_path / "any", features=(), tree_words="any")) > 0


def test_rules_without_links_are_the_same_after_text(tmp_path: Path) -> None:
    pair = batch(["a b"], target=["a b c"], links=[[(0, 0)]], trees=None)
    extracted = extract_grammar(
        [pair], tmp_path / "made", RuleSettings.named("thrax", labels=Labels.named("hiero"))
    )
    write_grammar(extracted, tmp_path / "text")
    assert read_grammar(tmp_path / "text", tmp_path / "back").fingerprint == extracted.fingerprint
