"""The page with derivations: safe, complete, inside its frame, and readable in a real Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paragauge.errors import InputError
from paragauge.grammar.derivation import Derivation, format_derivation
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule import Rule
from paragauge.grammar.sync_parser import SyncParser
from paragauge.report.drawing.canvas import Path as Line
from paragauge.report.drawing.canvas import Rect, Text
from paragauge.report.drawing.derivation_drawing import draw_derivation
from paragauge.report.pages.derivation_page import render_derivations

ATTACK = "</script><script>alert(1)</script><img/src=x/onerror=alert(2)>\"'"
RULES = [
    "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]",
    "[N] ||| king ||| king",
    "[N] ||| horse ||| steed",
    "[X] ||| slept well ||| was asleep",
    f"[<b>] ||| {ATTACK} ||| {ATTACK}",
]


def derive_pair(source: str, target: str, **settings: Any) -> Derivation:
    rules = [Rule.parse(rule) for rule in RULES]
    return SyncParser(rules, [source], [target], ParseSettings(**settings)).derive(0)


COVERED = derive_pair("king 's horse slept well", "the steed of king was asleep")
REACHED = derive_pair("the king 's horse slept", "the steed of king dozed")
LONG = derive_pair("slept well " * 30, "was asleep " * 30)
ATTACKED = derive_pair(ATTACK, ATTACK)


def test_text_of_a_derivation() -> None:
    assert format_derivation(COVERED) == (
        "covered: 4 rules, 2 phrases in a row\n"
        "source: king 's horse slept well\n"
        "target: the steed of king was asleep\n"
        "\n"
        "source  target  rule\n"
        "0-3     0-4     [NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]\n"
        "0-1     3-4     ├─ [N] ||| king ||| king\n"
        "2-3     1-2     └─ [N] ||| horse ||| steed\n"
        "3-5     4-6     [X] ||| slept well ||| was asleep"
    )


def test_text_of_a_pair_that_is_not_covered() -> None:
    assert format_derivation(REACHED) == (
        "no-source-parse: the source sentence has no parse\n"
        "source: the king 's horse slept\n"
        "target: the steed of king dozed\n"
        "\n"
        "largest spans that were reached:\n"
        "source  target  label  words\n"
        "1-4     0-4     [NP]  king 's horse ||| the steed of king"
    )
    assert format_derivation(derive_pair("a", "b")).endswith("target: b")
    assert "raise --max-items" in format_derivation(derive_pair("king king", "king king", max_items=1))
    assert "raise --max-memory" in format_derivation(
        derive_pair("king king", "king king", max_memory=1)
    )


def test_pass_through_is_said() -> None:
    derivation = derive_pair("king sleeps", "king sleeps", passthrough="unknown")
    assert "[X] passes through" in format_derivation(derivation)
    assert "passes through" in render_derivations({"a": derivation}, "g")


def test_records_are_json() -> None:
    record = json.loads(json.dumps(COVERED.record()))
    assert record["status"] == "covered"
    assert record["rules"] == 4
    assert [root["label"] for root in record["derivation"]] == ["NP", "X"]
    assert record["derivation"][0]["children"][1]["target"] == [1, 2]
    assert REACHED.record()["reached"] == [
        {
            "label": "NP",
            "source": [1, 4],
            "target": [0, 4],
            "source_words": "king 's horse",
            "target_words": "the steed of king",
        }
    ]


def test_drawing() -> None:
    scene = draw_derivation(COVERED)
    ribbons = [mark for mark in scene.marks if isinstance(mark, Line) and mark.closed]
    brackets = [mark for mark in scene.marks if isinstance(mark, Line) and not mark.closed]
    # `'s` with `the` and with `of`, then one ribbon for each other rule.
    assert len(ribbons) == 2 + 3
    assert len(brackets) == 2 * 4
    texts = [mark.text for mark in scene.marks if isinstance(mark, Text)]
    assert texts.count("NP") == 2
    assert [text for text in texts if text in {*COVERED.source, *COVERED.target}] == [
        *COVERED.source,
        *COVERED.target,
    ]
    assert not any(isinstance(mark, Rect) and mark.style.dash for mark in scene.marks)


@pytest.mark.parametrize("derivation", [COVERED, REACHED, LONG, ATTACKED], ids="crla")
def test_marks_stay_inside(derivation: Derivation) -> None:
    scene = draw_derivation(derivation)
    for mark in scene.marks:
        left, top, right, bottom = mark.extent()
        assert left >= 0
        assert top >= 0
        assert right <= scene.width
        assert bottom <= scene.height


def test_words_that_were_not_reached_are_dashed() -> None:
    dashed = [
        mark for mark in draw_derivation(REACHED).marks if isinstance(mark, Rect) and mark.style.dash
    ]
    assert len(dashed) == 3  # the, slept; dozed


def test_trees_have_a_depth_that_can_be_shown() -> None:
    rules = [Rule.parse("[X] ||| [X,1] a ||| a [X,1]"), Rule.parse("[X] ||| b ||| b")]
    sentences = [f"b{' a' * n}" for n in (199, 200)], [f"{'a ' * n}b" for n in (199, 200)]
    parser = SyncParser(rules, *sentences, ParseSettings(span=0))
    derivation = parser.derive(0)
    assert format_derivation(derivation).startswith("covered: 200 rules\n")
    assert json.dumps(derivation.record())
    assert render_derivations({"deep": derivation}, "g")
    with pytest.raises(InputError, match="at most 200 nested rules, found 201"):
        parser.derive(1)


def test_page() -> None:
    html = render_derivations(
        {"line 1": COVERED, "line 2": REACHED}, "mine", "paragauge grammar derive"
    )
    assert "mine: 1 of 2 pairs covered" in html
    assert html.count('<svg class="alignment"') == 2
    assert html.count('<li><div class="use">') == 4
    with pytest.raises(InputError, match="at least one derivation"):
        render_derivations({}, "mine")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1200])
def test_in_a_browser(chromium: Any, tmp_path: Path, width: int, scheme: str) -> None:
    path = tmp_path / "page.html"
    derivations = {"one": COVERED, "two": REACHED, "three": LONG, ATTACK: ATTACKED}
    path.write_text(render_derivations(derivations, ATTACK, ATTACK), encoding="utf-8")
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    problems: list[str] = []
    tab = context.new_page()
    for event in ("console", "pageerror", "dialog"):
        tab.on(event, lambda said: problems.append(str(said)))
    tab.on("request", lambda asked: problems.append(asked.url) if asked.url != path.as_uri() else None)
    tab.goto(path.as_uri())
    tab.wait_for_selector("#theme:visible")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert tab.locator("svg.alignment").count() == 4
    assert tab.locator("img").count() == 0
    assert problems == []
    context.close()


HEBREW = [
    "[NP] ||| [N,1] 's [N,2] ||| \u05d4 [N,2] \u05e9\u05dc [N,1] !",
    "[N] ||| king ||| \u05de\u05dc\u05da",
    "[N] ||| horse ||| \u05e1\u05d5\u05e1",
]


def test_text_that_is_read_from_the_right(quiet_page: Any) -> None:
    """The first word is on the right: in the drawing, and in the rule with its labels and its mark."""
    sentence = "\u05d4 \u05e1\u05d5\u05e1 \u05e9\u05dc \u05de\u05dc\u05da !"
    parser = SyncParser([Rule.parse(rule) for rule in HEBREW], ["king 's horse"], [sentence])
    page = quiet_page(render_derivations({"one": parser.derive(0)}, "mine"))
    script = """all => all.map(each => [each.firstChild.data, each.getBoundingClientRect().left])"""
    places = dict(page.locator("svg.alignment text").evaluate_all(script))
    for words, sign in ((sentence.split(" "), -1), (["king", "'s", "horse"], 1)):
        lefts = [sign * places[word] for word in words]
        assert lefts == sorted(lefts)
    sides = page.locator(".use .rule").first.locator("> bdi")
    assert [sides.nth(i).get_attribute("dir") for i in (0, 1)] == ["ltr", "rtl"]
    slots = sides.nth(1).locator(".slot")
    first, second = (slots.nth(i).bounding_box()["x"] for i in (0, 1))
    whole = sides.nth(1).bounding_box()
    assert whole["x"] < second < first < whole["x"] + whole["width"]
