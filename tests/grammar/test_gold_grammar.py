"""The gold grammar of the Edinburgh corpus beside the paper's; skipped where the corpus is not at hand.

Weese, Ganitkevitch and Callison-Burch (2014), tables 2, 4 and 5: 317,772 rules, of which 238,646
syntactic, 73,320 phrasal and 5,806 lexical; 200,385 pairs of sides, 20,699 of them of frequency 2.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.rule_overlap import overlap
from paragauge.grammar.rule_settings import RuleSettings


def extract(folder: Path, settings: RuleSettings) -> Grammar:
    from benchmarks.data.paraphrase_corpora import edinburgh

    return extract_grammar(edinburgh().batches(trees=True), folder, settings, features=())


@pytest.fixture
def corpus(benchmark_data: Path) -> None:
    if not (benchmark_data / "edinburgh").is_dir():
        pytest.skip(f"no Edinburgh corpus at {benchmark_data / 'edinburgh'}")


@pytest.mark.usefixtures("corpus")
def test_the_preset_has_the_papers_sizes(tmp_path: Path) -> None:
    gold = extract(tmp_path / "gold", RuleSettings.named("paradigm"))
    assert len(gold) == 317_971
    assert gold.info["kinds"] == {"syntactic": 239_006, "phrasal": 72_800, "lexical": 6_165}
    for variants, frequent in (("max", 11_053), ("sum", 44_845)):
        sizes = overlap(gold, {"gold": gold}, variants=variants)  # type: ignore[arg-type]
        assert [sizes["gold", "strict", n].gold for n in (1, 2)] == [317_971, 19_088]
        assert [sizes["gold", "non-strict", n].gold for n in (1, 2)] == [209_047, frequent]


@pytest.mark.usefixtures("corpus")
def test_abstract_rules_rewrite_no_symbol_to_itself(tmp_path: Path) -> None:
    settings = RuleSettings.named("paradigm", abstract=True, min_aligned=0)
    grammar = extract(tmp_path / "abstract", settings)
    assert list(grammar.query("[1]")) == []
    wordless = [row for row in grammar.query("[1] [2]") if row.rule.target in ("[1] [2]", "[2] [1]")]
    assert len(wordless) == 4_330
