"""The page that explains a PEM score: complete, safe, and readable in a real Chromium."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.explanation_parts import Edge, Gram, Phrase
from paragauge.metrics.pem.features import EXTENDED
from paragauge.metrics.pem.metric import PEM
from paragauge.report.pages.confusion_network_html import network
from paragauge.report.pages.explanation_page import render_explanations
from paragauge.report.pages.pem_influences import about_feature
from paragauge.report.pages.pem_page import FEW, MOST

ATTACK = "</script><script>alert(1)</script> <img src=x onerror=alert(2)> \"' onmouseover='alert(3)"
RIGHT_TO_LEFT = "أُجِّل الاجتماع إلى يوم الاثنين 👩‍👩‍👧‍👦 会议"
LONG = "The meeting was put off until Monday and the dog " * 8


@pytest.fixture(scope="session")
def metric(pem_folder) -> PEM:
    return PEM(model=str(pem_folder))


@pytest.fixture(scope="session")
def explanation(metric, pem_models) -> PEMExplanation:
    return metric.explain(f"{pem_models.GOOD} Querrien", pem_models.SOURCE)


def page(*explanations: Any, command: str | None = None) -> str:
    return render_explanations(
        {f"pair {i}": explanation for i, explanation in enumerate(explanations, 1)}, command
    )


def test_one_pair(parsed, explanation):
    seen = parsed(page(explanation, command="paragauge explain -m pem"))
    assert seen.texts["h2"] == [
        *("Score", "What the rating depends on", "Pivot language: fra", "Pivot language: zho"),
        *("Wording", "Fluency", "Method"),
    ]
    assert seen.texts["h1"] == ["How the score comes about"]
    assert (
        f"{explanation.value:.2f} of 100: a rating of {explanation.rating:.2f} on the scale from 1 to 5"
        in (seen.texts["p"])
    )
    assert seen.texts["h3"] == ["pivot F1", "fluency", "target F1"]
    cells = seen.texts["td"]
    assert [name for name in EXTENDED if name not in cells] == []
    assert explanation.signature in seen.texts["code"]
    names = [
        attributes["aria-label"]
        for tag, attributes in seen.tags
        if tag == "ol" and "aria-label" in attributes
    ]
    assert names == [
        *("source: 4 phrases", "candidate: 5 phrases"),
        *("source: 4 phrases", "candidate: 7 phrases"),
    ]
    # Every drawing repeats what a number beside it says.
    drawings = [attributes for tag, attributes in seen.tags if tag == "svg"]
    assert drawings
    assert all(attributes.get("aria-hidden") == "true" for attributes in drawings)


def test_a_network_is_a_list_of_lists(parsed):
    phrases = [
        Phrase("the meet", True, (Edge("la réunion", 0.8), Edge("la rencontre", 0.2)), "the meeting"),
        Phrase("Querrien", False, (Edge("Querrien", 1.0),), "Querrien"),
        Phrase("off", True, (), "off"),
    ]
    seen = parsed(network("source", phrases, {"la", "Querrien"}))
    assert [
        attributes["class"] for tag, attributes in seen.tags if tag == "li" and "class" in attributes
    ] == [*("phrase known", "phrase unknown", "pass", "phrase known", "cut")]
    assert seen.texts["bdi"] == [
        *("the meeting", "la réunion", "la rencontre", "Querrien", "Querrien", "off")
    ]
    assert seen.texts["b"] == ["0.80", "0.20"]
    assert seen.texts["span"] == ["la", "la", "Querrien", "stays as it is"]
    assert parsed(network("source", [], set())).texts["p"] == ["No words."]


def test_long_lists_are_cut_and_counted(parsed, explanation):
    grams = tuple(Gram(f"g{i}", 1.0, 0.0) for i in range(FEW + MOST + 7))
    target = dataclasses.replace(explanation.target, lost=grams, added=())
    seen = parsed(page(dataclasses.replace(explanation, target=target)))
    assert f"{MOST} more" in seen.texts["summary"]
    assert "… 7 more; --format json has all" in seen.texts["p"]
    assert "None." in seen.texts["p"]
    assert f"g{FEW + MOST - 1}" in seen.texts["td"]
    assert f"g{FEW + MOST}" not in seen.texts["td"]


def test_several_and_mixed(parsed, explanation):
    html = page(explanation, MaxSim(order=1).explain("a dog", "the dogs"), explanation)
    seen = parsed(html)
    assert seen.texts["h2"] == ["pair 1", "pair 2", "pair 3", "Method"]
    ids = [attributes["id"] for _, attributes in seen.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert seen.texts["title"][0] == "paragauge explain: PEM, MAXSIM"
    assert html == page(explanation, MaxSim(order=1).explain("a dog", "the dogs"), explanation)


@pytest.mark.parametrize("text", [ATTACK, RIGHT_TO_LEFT, "", "…", "\u202eabc\u0301", "<unk> </s>"])
def test_any_text_stays_text(parsed, metric, text):
    html = page(metric.explain(text, f"the {text}"), command=ATTACK)
    seen = parsed(html)
    assert [tag for tag, _ in seen.tags].count("script") == 1
    assert "img" not in dict(seen.tags)
    attributes = {name for _, values in seen.tags for name in values}
    assert not [name for name in attributes if name.startswith("on") or name == "style"]
    assert seen.texts["dd"][:2] == [f"the {text}", text or "(empty)"]
    for word in ("http://", "https://", "src=", "url(", "@import", "<link", "<iframe"):
        assert word not in html.lower().replace("src=x", "")


def test_every_feature_is_described():
    assert [name for name in EXTENDED if not about_feature(name)] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("source", [LONG, ATTACK, RIGHT_TO_LEFT, "x" * 300])
def test_in_a_browser(quiet_page: Any, metric: PEM, source: str, width: int, scheme: str):
    html = page(metric.explain(LONG, source))
    tab = quiet_page(html, viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab.wait_for_selector("#theme:visible")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    inside = "all => all.every(each => each.getBoundingClientRect().right <= innerWidth)"
    for part in (".edges", ".tokens li", ".tile", ".grams > div"):
        assert tab.locator(part).count() > 0
        assert tab.locator(part).evaluate_all(inside), part
    # Alternatives stand below each other, and a bar is as long as its share of the box.
    edges = tab.locator(".edges", has_text="la réunion").first
    tops = edges.locator("li").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert tops[0] < tops[1]
    shares = edges.locator("svg").evaluate_all(
        "all => all.map(svg => svg.lastElementChild.getBoundingClientRect().width / "
        "svg.getBoundingClientRect().width)"
    )
    assert shares == pytest.approx([0.8, 0.2], abs=0.01)
    tab.locator("summary", has_text="Table of").click()
    assert tab.locator("details[open] tbody tr").count() > 0
