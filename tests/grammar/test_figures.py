"""The sentence pair of figure 1 (Weese, Ganitkevitch and Callison-Burch 2014), aligned and parsed by
hand.

The paper writes the rule of section 3 with the sides exchanged, S/VP -> <NNS want him to, NNS expect
him to>: its source is then the other sentence, and the tree that of the target.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from paragauge.align.links import Links
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.extract_files import TreeFile, read_pair_batches
from paragauge.grammar.grammar_folder import rule_of
from paragauge.grammar.labels import Labels
from paragauge.grammar.pair_rows import PairRows
from paragauge.grammar.rule import Rule
from paragauge.grammar.rule_mapper import RuleMapper
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext, BitextFiles

FOLDER = Path(__file__).parents[1] / "golden" / "figure-1"
PAPER = RuleSettings.named("paradigm-figure")
GOLD = RuleSettings.named("paradigm")
CONSTITUENTS = replace(PAPER, labels=Labels())


def text(name: str) -> str:
    return (FOLDER / name).read_text().strip()


def rules(settings: RuleSettings, exchanged: bool = False) -> set[Rule]:
    sides = [text("source.txt"), text("target.txt")]
    links = Links.from_lists([[tuple(map(int, link.split("-"))) for link in text("links.txt").split()]])
    if exchanged:
        sides.reverse()
        links = links.transpose()
    rows = PairRows()
    bitext = Bitext.of([sides[0]], [sides[1]])
    pairs = rows.table(bitext, links, Trees.of([text("source.trees")])).to_batches()
    mapper = RuleMapper(settings, tree_labels=rows.labels)
    return {rule_of(row) for part in mapper(iter(pairs)) for row in part.to_pylist()}


def listed(name: str) -> set[Rule]:
    return {Rule.parse(line) for line in text(name).split("\n")}


@pytest.mark.parametrize(
    "settings",
    [CONSTITUENTS, PAPER, GOLD, RuleSettings()],
    ids=["45", "paradigm-figure", "paradigm", "thrax"],
)
def test_the_twelve_rules_of_figure_2(settings: RuleSettings) -> None:
    assert len(listed("figure-2.txt")) == 12
    assert listed("figure-2.txt") <= rules(settings)


def test_the_twelve_rules_are_of_three_kinds() -> None:
    kinds = [Rule.parse(line).kind for line in text("figure-2.txt").split("\n")]
    assert kinds == ["lexical"] * 4 + ["phrasal"] * 4 + ["syntactic"] * 4


def test_the_slashed_rule_of_section_3() -> None:
    [rule] = listed("section-3.txt")
    assert rule in rules(PAPER)
    assert rule not in rules(CONSTITUENTS)
    written = Rule.parse("[S/VP] ||| [NNS,1] want him to ||| [NNS,1] expect him to")
    assert written in rules(replace(PAPER, parsed="target"), exchanged=True)


def test_totals_beside_the_papers() -> None:
    # "Using constituents only, we are able to extract 45 paraphrase rules from Figure 1. Adding
    # CCG-style slashed constituents yields 66 additional rules."
    constituents, slashed = rules(CONSTITUENTS), rules(PAPER)
    assert constituents < slashed
    assert len(constituents) == 45
    assert len(slashed) - len(constituents) == 74
    # The number of slashed labels depends on how long a phrase may be, which the paper does not tell.
    shorter = replace(PAPER, max_source_phrase=7, max_target_phrase=7)
    assert len(rules(shorter)) - len(constituents) == 64


def test_the_gold_grammar_has_the_rules_of_the_figure_and_more() -> None:
    more = rules(GOLD) - rules(PAPER)
    assert rules(PAPER) < rules(GOLD)
    assert any(rule.source == rule.target for rule in more)
    assert any("[1] [2]" in rule.source for rule in more)
    assert any(rule.lhs == "X" for rule in more)
    assert not any(rule.lhs == "X" and rule.labels for rule in more)
    changed = replace(GOLD, adjacent=False, identity=False, fallback="none")
    assert changed == PAPER


def test_the_files_give_the_same_grammar(tmp_path: Path) -> None:
    where = BitextFiles(FOLDER / "source.txt", FOLDER / "target.txt")
    trees = TreeFile(FOLDER / "source.trees")
    batches = read_pair_batches(where, FOLDER / "links.txt", trees)
    grammar = extract_grammar(batches, tmp_path / "grammar", PAPER)
    rows = pa.Table.from_batches(list(grammar.batches(("lhs", "labels", "source", "target"))))
    assert {rule_of(row) for row in rows.to_pylist()} == rules(PAPER)
    assert grammar.info["kinds"]["lexical"] >= 4
