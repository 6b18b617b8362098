"""The page of an evaluation: safe, complete, and readable in a real Chromium in light and dark."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import pytest

from paragauge.grammar.evaluation.evaluate import GrammarEvaluation, evaluate_grammar
from paragauge.grammar.evaluation.parallel_text import ParallelFiles
from paragauge.grammar.evaluation.settings import GrammarEvaluationSettings
from paragauge.report.pages.evaluation_page import render_evaluation_page

ATTACK = "</script><script>alert(1)</script><img/src=x/onerror=alert(2)>"
NAME = "<i>mine</i>"
ROWS = [
    (f"a big {ATTACK} dog", f"a large {ATTACK} dog", "(NP (DT a) (JJ big) (X {}) (NN dog))"),
    ("a big dog", "a huge dog", "(NP (DT a) (JJ big) (NN dog))"),
    ("a dog", "a dog", "(NP (DT a) (NN dog))"),
]
RULES = (
    "[JJ] ||| big ||| large ||| p(e|f)=1 ||| 0-0\n"
    f"[NP\\DT] ||| [JJ,1] {ATTACK} ||| [JJ,1] {ATTACK} ||| p(e|f)=2 ||| 0-0\n"
)


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> GrammarEvaluation:
    folder = tmp_path_factory.mktemp("evaluation")
    rows = []
    for source, target, tree in ROWS:
        links = [[i, i] for i in range(source.count(" ") + 1)]
        word = ATTACK.replace("(", "-LRB-").replace(")", "-RRB-")
        row = {"source": source, "target": target, "sure": links, "source_tree": tree.format(word)}
        rows.append(json.dumps(row))
    (folder / "hand.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "rules.txt").write_text(RULES, encoding="utf-8")
    return evaluate_grammar(
        {NAME: folder / "rules.txt"},
        ParallelFiles(gold=(folder / "hand.jsonl",)),
        folder / "work",
        GrammarEvaluationSettings(case="mixed"),
    )


@pytest.fixture(scope="module")
def page(evaluation: GrammarEvaluation) -> str:
    return render_evaluation_page(evaluation, f"paragauge {ATTACK}", [f"first {ATTACK}", "second"])


def test_text_is_escaped(page: str, parsed) -> None:
    assert ATTACK not in page
    assert NAME not in page
    assert [tag for tag, _ in parsed(page).tags].count("script") == 1


def test_every_part_is_there(evaluation: GrammarEvaluation, page: str, parsed) -> None:
    html = parsed(page)
    assert html.texts["h2"] == [
        "Summary",
        "Size",
        "Overlap with the gold grammar",
        "The best rules first",
        "Coverage of sentence pairs",
        "Phrases",
        "Rules",
        "Sentence pairs",
        "Method",
    ]
    cell = evaluation.overlap[NAME, "strict", 1]
    assert f"{cell.overlap} of {cell.gold:,} gold rules" in html.texts["li"][9]
    assert "derives 2 of 3 pairs (66.7%); 1 have the same sentence twice." in page
    assert page.count('<svg class="alignment"') == 2  # a derived pair and another
    assert page.count('<svg class="plot"') == 2  # strict and non-strict
    assert "Line 1" in html.texts["h4"]
    assert "Line 2" in html.texts["h4"]
    assert f'<bdi dir="auto">{escape("big")}</bdi>' in page


def test_the_same_results_give_the_same_page(evaluation: GrammarEvaluation, page: str) -> None:
    assert (
        render_evaluation_page(evaluation, f"paragauge {ATTACK}", [f"first {ATTACK}", "second"]) == page
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_in_a_browser(quiet_page, page: str, scheme: str, width: int) -> None:
    """Nothing is wider than the window, and text stands out from its background."""
    opened = quiet_page(page, color_scheme=scheme, viewport={"width": width, "height": 800})
    sizes = opened.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert sizes[0] <= sizes[1]
    colors = opened.evaluate(
        "['body', 'table.rules .slot, table.rules td'].map(name => {"
        "const style = getComputedStyle(document.querySelector(name));"
        "return style.color})"
    )
    back = opened.evaluate("getComputedStyle(document.body).backgroundColor")

    def brightness(color: str) -> float:
        return sum(float(part) for part in color[color.index("(") + 1 : -1].split(",")[:3]) / 765

    for color in colors:
        assert abs(brightness(color) - brightness(back)) > 0.4
    assert (brightness(back) < 0.3) == (scheme == "dark")


def test_without_hand_alignment_there_is_a_warning(systran_align: None, tmp_path: Path, parsed) -> None:
    for name, text in (("a", "a big dog\n"), ("b", "a large dog\n"), ("r", RULES)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ParallelFiles(pairs=(tmp_path / "a", tmp_path / "b"))
    settings = GrammarEvaluationSettings(aligner="systran")
    result = evaluate_grammar({"r": tmp_path / "r"}, files, tmp_path / "work", settings)
    assert "The links are automatic, so some gold rules are wrong." in render_evaluation_page(result)
