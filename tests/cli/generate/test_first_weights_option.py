"""`generate train grammar --first-weights`: recognized, named, refused, and printed."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def grammar(call, tmp_path: Path) -> Path:
    rules = tmp_path / "rules.txt"
    rules.write_text("[NN] ||| answer ||| reply ||| PPDB2.0Score=4.5 Abstract=0\n", encoding="utf-8")
    assert call("grammar", "convert", rules, "-o", tmp_path / "rules").code == 0
    (tmp_path / "text").write_text("the answer is good\na reply is here\n", encoding="utf-8")
    return tmp_path / "rules"


def train(grammar: Path, *more: object) -> list[object]:
    text = ["--lm-text", grammar.parent / "text", "--discount-fallback", "--lm-order", 2]
    return ["generate", "train", "grammar", grammar, *text, "-o", grammar.parent / "model", *more]


def test_the_resource_is_recognized(good, grammar: Path) -> None:
    out = good(*train(grammar))
    expected = "LM 0.5, PPDB2.0Score 5, WordPenalty -2, RulePenalty -15, OOV -1, Identity 15"
    assert f"first weights (ppdb-2.0): {expected}; 0 for 6 others\n" in out
    model = grammar.parent / "model"
    weights = (model / "weights.tsv").read_text(encoding="utf-8")
    assert "PPDB2.0Score\t5.0\n" in weights
    source = grammar.parent / "source"
    source.write_text("the answer\n", encoding="utf-8")
    assert good("generate", "run", model, source) == "the reply\n"


def test_a_preset_by_name(good, fails, grammar: Path) -> None:
    message = fails(*train(grammar, "--first-weights", "thrax"))
    assert "weights thrax: expected a grammar with p(e|f) or p(f|e)" in message
    assert message.endswith("use ppdb-2.0, or auto")
    assert "first weights (paragauge): LM 0.5, WordPenalty -1, " in good(
        *train(grammar, "--first-weights", "paragauge")
    )
