"""The page with alignments: well-formed, safe, complete, and readable in a real Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from paragauge.errors import InputError
from paragauge.metrics.maxsim.explanation import Explanation, Item, Link, Part, Word
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.report.drawing.alignment_drawing import WIDEST, draw_part
from paragauge.report.drawing.alignment_styles import PHASES, line
from paragauge.report.drawing.canvas import THEMES, Rect, Text
from paragauge.report.drawing.canvas import Path as Line
from paragauge.report.pages.explanation_page import render_explanations

ATTACK = "</script><script>alert(1)</script> <img src=x onerror=alert(2)> \"' onmouseover='alert(3)"
CANDIDATE, REFERENCE = "A big dog barked at men.", "The large dogs were barking at men!"
LONG = " ".join(["The mayor of the old town said that the bridge was closed , and"] * 5)
OTHER = " ".join(["It was said by a mayor that the ancient bridges of this town are shut , while"] * 4)


def relations() -> Explanation:
    """Two relations of the candidate, one of which matches; no parser is needed for that."""
    part = Part(
        "relations",
        "relations",
        80.0,
        1.0,
        2 / 3,
        2,
        1,
        (Item(("dogs", "bark"), "subject"), Item(("$", "pay"), "object")),
        (Item(("dog", "sleeps"), "subject"),),
        (Link("graph", 0, 0, 2 / 3, "types equal, children equal"),),
    )
    words = (Word("dogs", "dog", "NNS"), Word("bark", "bark", "VBP"))
    return Explanation("MAXSIM+dep", 80.0, "signature", "Dogs bark $", "", words, (), (part,))


def page(*explanations: Explanation, command: str | None = None) -> str:
    return render_explanations(
        {f"pair {i}": explanation for i, explanation in enumerate(explanations, 1)}, command
    )


def test_one_pair(parsed):
    html = page(MaxSim().explain(CANDIDATE, REFERENCE), command="paragauge explain --candidate '<'")
    html_parts = parsed(html)
    assert html_parts.texts["h2"] == ["Score", "Unigrams", "Bigrams", "Trigrams", "Method"]
    assert html_parts.texts["title"][0] == "paragauge explain: MAXSIM"
    drawings = [
        attributes
        for tag, attributes in html_parts.tags
        if tag == "svg" and attributes["class"] == "alignment"
    ]
    assert [attributes["role"] for attributes in drawings] == ["img"] * 3
    assert drawings[0]["aria-label"] == (
        "unigrams: links between 6 of the candidate and 7 of the reference, 6 in all; 0 and 1 have "
        "none. The table below lists them."
    )
    scrolled = [attributes for _, attributes in html_parts.tags if attributes.get("class") == "drawing"]
    assert [attributes["tabindex"] for attributes in scrolled] == ["0"] * 3
    assert html_parts.texts["summary"][0] == "Table of 6 links"
    assert "paragauge explain --candidate '<'" in html_parts.texts["pre"][0]
    assert html_parts.texts["bdi"][0] == "were"


def test_self_contained(parsed):
    html = page(MaxSimSoft.load().explain(CANDIDATE, REFERENCE))
    for word in ("http://", "https://", "src=", "url(", "@import", "<link", "<iframe", "<img"):
        assert word not in html.lower()
    links = [attributes["href"] for tag, attributes in parsed(html).tags if tag == "a"]
    assert all(link is not None and link.startswith("#") for link in links)
    assert page(MaxSim().explain("a", "b")) == page(MaxSim().explain("a", "b"))


def test_several_pairs(parsed):
    one, two = MaxSim().explain(CANDIDATE, REFERENCE), MaxSim(order=1).explain("a", "b")
    html_parts = parsed(page(one, two))
    assert html_parts.texts["h2"] == ["pair 1", "pair 2", "Method"]
    assert html_parts.texts["h3"] == ["Unigrams", "Bigrams", "Trigrams", "Unigrams"]
    ids = [attributes["id"] for _, attributes in html_parts.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert html_parts.texts["code"] == [one.signature, two.signature]


def test_relations_and_soft(parsed):
    assert parsed(page(relations())).texts["bdi"] == ["$ ← object – pay"]
    soft = parsed(page(MaxSimSoft.load().explain("The color", "A colour")))
    assert soft.texts["h2"] == ["Score", "Unigrams", "Bigrams", "Soft words", "Method"]
    assert any("in 1 chunk" in text for text in soft.texts["td"])
    assert soft.texts["th"].count("similarity") == 1


@pytest.mark.parametrize("metric", [MaxSim(tokenize="none"), MaxSim(), MaxSimSoft.load()])
def test_hostile_text_stays_text(parsed, metric):
    html_parts = parsed(page(metric.explain(ATTACK, f"the {ATTACK}"), command=ATTACK))
    assert [tag for tag, _ in html_parts.tags].count("script") == 1
    assert "img" not in dict(html_parts.tags)
    attributes = {name for _, values in html_parts.tags for name in values}
    assert not [name for name in attributes if name.startswith("on") or name == "style"]
    assert html_parts.texts["dd"] == [ATTACK, f"the {ATTACK}"]


def test_nothing_to_match(parsed):
    html_parts = parsed(page(MaxSim().explain("", "...")))
    assert html_parts.texts["h2"] == ["Score", "Method"]
    assert "100.00 MAXSIM: neither sentence has anything to match" in html_parts.texts["p"]
    one = parsed(page(MaxSim(order=1).explain("", "A dog")))
    assert one.texts["bdi"] == ["A", "dog"]


def test_no_explanation():
    with pytest.raises(InputError, match="expected at least one explanation, found none"):
        render_explanations({})


def test_drawing_of_rows():
    explanation = MaxSim().explain(CANDIDATE, REFERENCE)
    first, second, _ = explanation.parts
    scene = draw_part(first, explanation.candidate, explanation.reference)
    assert scene.width <= WIDEST
    curves = [mark for mark in scene.marks if isinstance(mark, Line)]
    assert len(curves) == len(first.links) == 6
    assert {mark.style.stroke for mark in curves} == {"series0", "series1", "series2"}
    texts = [mark.text for mark in scene.marks if isinstance(mark, Text)]
    assert [word.text for word in explanation.candidate] == [
        text for text in texts if text in {word.text for word in explanation.candidate}
    ][:6]
    assert texts.count("0.50") == 1
    dashed = [mark for mark in scene.marks if isinstance(mark, Rect) and mark.style.dash]
    assert len(dashed) == 1  # were
    bigrams = draw_part(second, explanation.candidate, explanation.reference)
    lines = [mark for mark in bigrams.marks if isinstance(mark, Line)]
    assert len(lines) == len(second.links) + 5 + 6  # a bracket for each bigram
    for mark in (*scene.marks, *bigrams.marks):
        left, top, right, bottom = mark.extent()
        assert left >= 0
        assert top >= 0
        assert right <= scene.width
        assert bottom <= max(scene.height, bigrams.height)


def test_long_sentences_are_columns():
    explanation = MaxSim().explain(LONG, OTHER)
    assert len(explanation.candidate) == 65
    for part in explanation.parts:
        scene = draw_part(part, explanation.candidate, explanation.reference)
        assert scene.width < 800
        assert scene.height > 26 * 65
        for mark in scene.marks:
            left, top, right, bottom = mark.extent()
            assert left >= 0
            assert top >= 0
            assert right <= scene.width
            assert bottom <= scene.height
        labels = [mark.extent() for mark in scene.marks if isinstance(mark, Text)]
        for i, a in enumerate(labels):
            for b in labels[i + 1 :]:
                apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                assert apart, (a, b)


def test_many_relations_are_columns():
    items = tuple(Item((f"child{i}", f"parent{i}"), "subject") for i in range(20))
    links = tuple(Link("graph", i, 19 - i, 1 / 3, "types equal") for i in range(20))
    part = Part("relations", "relations", 33.3, 1.0, 20 / 3, 20, 20, items, items, links)
    scene = draw_part(part, (), ())
    texts = [mark.text for mark in scene.marks if isinstance(mark, Text)]
    assert texts.count("child7 ← subject – parent7") == 2
    assert texts.count("0.33") == 20
    assert scene.width < WIDEST < 20 * 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("texts", [(CANDIDATE, REFERENCE), (LONG, OTHER), (ATTACK, "هذه جملة 汉字")])
def test_in_a_browser(quiet_page: Any, texts: tuple[str, str], width: int, scheme: str):
    html = page(MaxSimSoft.load().explain(*texts), relations())
    tab = quiet_page(html, viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab.wait_for_selector("#theme:visible")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    drawn = tab.locator("svg.alignment")
    assert drawn.count() >= 3
    # A drawing keeps its size and scrolls inside its frame.
    shrunk = "svg => svg.width.baseVal.value - svg.getBoundingClientRect().width"
    assert abs(drawn.first.evaluate(shrunk)) < 0.1
    # A line has the color of its phase in this theme, with a contrast of 3:1 (see `canvas`).
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    tab.locator("summary", has_text="Table of").first.click()
    assert tab.locator("details[open] tbody tr").count() > 0
    tab.emulate_media(media="print")
    fits = tab.locator("svg.alignment").evaluate_all(
        "all => all.every(svg => svg.getBoundingClientRect().right <= innerWidth)"
    )
    assert fits


def test_boxes_hold_their_words(chromium: Any, tmp_path: Path):
    """Words are as wide as the drawing took them for, so that none leaves its box."""
    path = tmp_path / "page.html"
    path.write_text(page(MaxSim(order=1).explain(CANDIDATE, REFERENCE)), encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 1200, "height": 800})
    tab.goto(path.as_uri())
    script = """svg => {
        const boxes = [...svg.querySelectorAll('rect')].map(each => each.getBoundingClientRect());
        return [...svg.querySelectorAll('text')].filter(each => /^(barked|barking|large)$/.test(
            each.firstChild.textContent)).map(each => {
            const a = each.getBoundingClientRect();
            return boxes.some(b => b.left <= a.left && a.right <= b.right);
        });
    }"""
    assert tab.locator("svg.alignment").evaluate(script) == [True] * 3
    tab.close()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("phase", PHASES)
def test_the_weakest_line_has_contrast(phase, theme):
    style = line(Link(phase, 0, 0, 0.0, ""))
    back, color = (
        [int(THEMES[theme][name][i : i + 2], 16) / 255 for i in (1, 3, 5)]
        for name in ("back", style.stroke)
    )
    mixed = [style.opacity * a + (1 - style.opacity) * b for a, b in zip(color, back, strict=True)]
    low, high = sorted(luminance(mix) for mix in (mixed, back))
    assert (high + 0.05) / (low + 0.05) >= 3


def luminance(color: list[float]) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in color
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colors_are_told_by_dashes_too():
    html = page(MaxSim().explain(CANDIDATE, REFERENCE))
    samples = re.findall(r'<svg class="sample".*?</svg>', html)
    looks = {re.sub(r'class="[^"]*"', "", sample) for sample in samples}
    assert len(looks) == 3
