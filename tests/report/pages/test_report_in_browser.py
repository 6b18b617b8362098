"""The report in a real Chromium: what a reader does, and what the page must never do.

Every request but that for the page itself is recorded and refused, and every message of the console
counts as a failure.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.meta.significance.buckets import Buckets
from paragauge.meta.significance.comparison import compare_batches
from paragauge.meta.significance.ngram_differences import NgramCounts
from paragauge.metrics.scoring import score_batches
from paragauge.report.pages.blocks.highlight import highlight
from paragauge.report.pages.report_page import render_report
from paragauge.report.pages.sections import segment_browser as browser_section
from paragauge.report.pages.sections.stored_segments import Examples
from paragauge.text.batch import Batch

ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
METRICS = {"bleu": BLEU(), "pinc": PINC()}
# The test of highlighting by hand, in test_highlight.py.
SOURCE = "The cat sat on the mat yesterday."
REFERENCE = "A feline was sitting on the mat."
CANDIDATE = "Yesterday a feline sat on the old mat!"


@dataclass
class Watched:
    """A page, and what a reader sees on it."""

    page: Any

    def cards(self) -> list[str]:
        return self.page.locator("#segment-list article h4").all_inner_texts()

    def numbers(self) -> list[int]:
        return [
            int(text.split(":")[0].removeprefix("Segment ").replace(",", "")) for text in self.cards()
        ]

    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    def expect_status(self, text: str) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator("#status")).to_have_text(text)

    def search(self, text: str) -> None:
        self.page.fill("#search", text)
        self.page.locator("#controls").dispatch_event("change")

    def pieces(self, selector: str) -> list[list[str]]:
        script = (
            "each => [...each.querySelectorAll('.w')].map(w => [w.textContent, w.className.slice(2)])"
        )
        return self.page.locator(selector).first.evaluate(script)


@pytest.fixture
def opened(quiet_page) -> Callable[..., Watched]:
    """Open a report and wait until its script has run."""

    def opening(html: str, *, script: bool = True, **settings: Any) -> Watched:
        settings.setdefault("viewport", {"width": 1200, "height": 900})
        page = quiet_page(html, java_script_enabled=script, **settings)
        if script:
            page.wait_for_selector("html[data-ready=yes]", state="attached", timeout=120_000)
        return Watched(page)

    return opening


def rendered(systems, sources=None, references=None) -> str:
    batch = Batch.of(systems, sources=sources, references=references)
    examples, buckets = Examples(METRICS), Buckets(METRICS, bootstrap=20)
    ngrams = NgramCounts(METRICS)
    comparison = compare_batches(
        [batch],
        METRICS,
        baseline=next(iter(systems)),
        bootstrap=20,
        randomization=20,
        observers=[examples, buckets, ngrams],
    )
    return render_report(
        comparison.sheet,
        examples,
        comparison,
        groupings=buckets.groupings(),
        ngrams=ngrams,
        command="paragauge report -c a.txt",
    )


@pytest.fixture(scope="module")
def html() -> str:
    """Fifty segments: the first is the known sentence, one is an attack, one is Arabic."""
    draw = np.random.default_rng(3)
    words = [f"word{i}" for i in range(40)]
    sources = [SOURCE] + [" ".join(draw.choice(words, draw.integers(3, 12))) for _ in range(49)]
    references = [[REFERENCE]] + [[text, f"{text} again"] for text in sources[1:]]
    mine = [CANDIDATE] + [" ".join(draw.permutation(text.split())) + " extra" for text in sources[1:]]
    mine[7], mine[8] = ATTACK, "هذه جملة"
    return rendered({"base": sources, "mine": mine}, sources, references)


@pytest.fixture
def report(opened, html) -> Watched:
    return opened(html)


def test_it_opens_in_silence(report):
    assert report.page.title() == "paragauge report: base, mine"
    assert report.status() == "50 of 50 segments"
    assert len(report.cards()) == 20
    assert report.page.locator("svg.plot").count() > 5


def test_tables_sort(report):
    table = report.page.locator("#scores table")
    header = table.locator("th", has_text="PINC")

    def column() -> list[float]:
        cells = table.locator("tbody td:last-child").all()
        return [float(cell.get_attribute("data-v")) for cell in cells]

    before = column()
    assert header.get_attribute("aria-sort") == "none"
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert column() == sorted(before, reverse=True)
    header.locator("button").focus()
    report.page.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    assert column() == sorted(before)
    name = table.locator("th", has_text="system")
    name.locator("button").focus()
    report.page.keyboard.press("Space")
    assert (name.get_attribute("aria-sort"), header.get_attribute("aria-sort")) == ("ascending", "none")
    assert table.locator("tbody td:first-child").all_inner_texts() == ["base", "mine"]


def test_numbers_sort_as_numbers(opened, html):
    hidden = (
        '<div class="scroll"><table class="sortable"><thead><tr><th>n</th></tr></thead><tbody>'
        + "".join(f'<tr><td data-v="{v}">{v}</td></tr>' for v in ("9", "10", "-1", "1e-05"))
        + "<tr><td>none</td></tr></tbody></table></div>"
    )
    report = opened(html.replace("<main>", f'<main><div id="mine">{hidden}</div>'))
    cells = report.page.locator("#mine td")
    report.page.click("#mine th button")
    assert cells.all_inner_texts() == ["10", "9", "1e-05", "-1", "none"]
    report.page.click("#mine th button")
    assert cells.all_inner_texts() == ["-1", "1e-05", "9", "10", "none"]


def test_search(report):
    report.search("FELINE mat")
    assert (report.status(), report.numbers()) == ("1 of 50 segments", [1])
    report.search("/feli.e\\s+was/")
    assert report.numbers() == [1]
    report.search("/(/")
    assert report.status().startswith("This is no regular expression. 0 of 50")
    report.search("no such word")
    assert report.status() == "0 of 50 segments"
    report.page.click("button[type=reset]")
    report.expect_status("50 of 50 segments")


def test_typing_searches(report):
    report.page.click("#search")
    report.page.keyboard.type("feline")
    report.expect_status("1 of 50 segments")


def scores(report: Watched, metric: str, system: int) -> list[float]:
    """The scores of a system in the cards that are shown; sources and references have none."""
    script = """(list, [metric, system]) => [...list.children].map(card => {
        const rows = [...card.querySelectorAll('.scores')].filter(row => row.children.length);
        const cell = [...rows[system].children].find(each => each.textContent.startsWith(metric));
        return parseFloat(cell.querySelector('b').textContent);
    })"""
    return report.page.locator("#segment-list").evaluate(script, [metric, system])


def test_filter(report):
    report.page.select_option("#system", label="mine")
    report.page.select_option("#metric", label="PINC")
    report.page.fill("#low", "30")
    report.page.fill("#high", "95")
    report.page.locator("#high").blur()
    visible = scores(report, "PINC", 1)
    assert visible
    assert all(29.9 <= value <= 95.1 for value in visible)
    assert report.status() != "50 of 50 segments"


@pytest.mark.parametrize(("order", "sign"), [("ascending", 1), ("descending", -1)])
def test_sort_by_metric(report, order, sign):
    report.page.select_option("#system", label="mine")
    report.page.select_option("#sort", label="BLEU")
    report.page.select_option("#order", label=order)
    visible = scores(report, "BLEU", 1)
    assert all(sign * a <= sign * b for a, b in pairwise(visible))


def test_sort_by_number_descending(report):
    report.page.select_option("#order", label="descending")
    assert report.numbers() == list(range(50, 30, -1))


def test_sort_by_difference(report):
    assert report.page.locator("#rival").is_hidden()
    report.page.select_option("#sort", label="difference in PINC")
    assert report.page.locator("#rival").is_visible()
    report.page.select_option("#order", label="descending")
    gains = [a - b for a, b in zip(scores(report, "PINC", 1), scores(report, "PINC", 0), strict=True)]
    assert gains == sorted(gains, reverse=True)
    assert ": difference in PINC " in report.cards()[0]


def test_sort_by_disagreement(report):
    report.page.select_option("#sort", label="disagreement of BLEU and PINC")
    report.page.select_option("#order", label="descending")
    gaps = []
    for title in report.cards():
        bleu, pinc = title.split("percentiles BLEU ")[1].split(", PINC ")
        gaps.append(abs(float(bleu) - float(pinc)))
    assert gaps[0] > 50
    assert all(a >= b - 0.11 for a, b in pairwise(gaps))  # titles are rounded


KNOWN = [
    ["Yesterday", "moved"],
    ["a", "reference"],
    ["feline", "reference"],
    ["sat", "kept"],
    ["on", "kept"],
    ["the", "kept"],
    ["old", "new"],
    ["mat", "kept"],
]


def test_highlighting_of_a_known_sentence(report):
    report.page.select_option("#system", label="mine")
    texts = "#segment-list article:first-child .text"
    assert report.pieces(f"{texts} >> nth=3") == KNOWN
    assert report.pieces(f"{texts} >> nth=0") == [
        ["The", "deleted"],
        ["cat", "deleted"],
        ["sat", "kept"],
        ["on", "kept"],
        ["the", "kept"],
        ["mat", "kept"],
        ["yesterday", "moved"],
    ]
    sentences = report.page.locator(texts).all_inner_texts()
    assert sentences == [SOURCE, REFERENCE, SOURCE, CANDIDATE]


CASES = [
    (CANDIDATE, [SOURCE], [REFERENCE]),
    ("b x b a b", ["a b b"], []),
    ("a b c", ["x y z", "a b d", "a b e"], ["c"]),
    ("don't 'quote' o’clock", ["Don't quote O’CLOCK"], []),
    ("汉字と仮名 ein汉wort", ["仮名と汉字"], ["wort"]),
    ("नमस्ते दुनिया", ["दुनिया नमस्ते"], []),
    ("e\u0301te\u0301 snake_case 3.5", ["ete\u0301 snake"], ["3.5"]),
    ("𝒳 𠀀𠀁", ["𠀁𠀀"], []),
    ("ΣΑΣ İstanbul", ["σας i̇stanbul"], []),
    ("", ["a"], []),
    ("a", [], ["A"]),
    ("・a、b。", ["a・b"], []),
    ("x " * 300 + "y", ["y " + "x " * 200], []),
    (ATTACK, [ATTACK], [ATTACK]),
]


def test_python_and_javascript_agree(report):
    for candidate, sources, references in CASES:
        ours = highlight(candidate, sources, references)
        script = f"highlight({json.dumps(candidate)}, {json.dumps(sources)}, {json.dumps(references)})"
        theirs = report.page.evaluate(script)
        assert theirs["candidate"] == [[piece.text, piece.kind] for piece in ours.candidate]
        assert theirs["sourcePieces"] == [[piece.text, piece.kind] for piece in ours.source_pieces]
        assert theirs["source"] == ours.source


def test_random_texts_agree(report):
    draw = np.random.default_rng(11)
    cases = [
        [" ".join(draw.choice(list("abcd"), draw.integers(0, 9))) for _ in range(3)] for _ in range(100)
    ]
    script = "cases => cases.map(([c, s, r]) => highlight(c, [s], [r]))"
    for (candidate, source, reference), theirs in zip(
        cases, report.page.evaluate(script, cases), strict=True
    ):
        ours = highlight(candidate, [source], [reference])
        assert theirs["candidate"] == [[piece.text, piece.kind] for piece in ours.candidate]
        assert theirs["sourcePieces"] == [[piece.text, piece.kind] for piece in ours.source_pieces]


def test_hostile_text_is_inert(report):
    report.search("onerror")
    assert report.numbers() == [8]
    assert report.page.locator("#segment-list img, #segment-list script").count() == 0
    assert ATTACK in report.page.locator("#segment-list").inner_text()
    kinds = "scripts => scripts.map(script => script.type)"
    assert report.page.locator("script").evaluate_all(kinds) == ["application/json", ""]


def test_a_foreign_script_does_not_run(chromium, tmp_path, html):
    path = tmp_path / "report.html"
    path.write_text(html.replace("</main>", "</main><script>document.title = 'owned'</script>"))
    page = chromium.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    assert page.title() == "paragauge report: base, mine"
    page.close()


def test_right_to_left(report):
    report.search("جملة")
    direction = "each => getComputedStyle(each).direction"
    texts = report.page.locator("#segment-list .text")
    assert [text.evaluate(direction) for text in texts.all()][-1] == "rtl"
    assert texts.first.evaluate(direction) == "ltr"


def test_themes(report):
    color = "getComputedStyle(document.body).backgroundColor"
    button = report.page.locator("#theme")
    report.page.emulate_media(color_scheme="light")
    light = report.page.evaluate(color)
    report.page.emulate_media(color_scheme="dark")
    dark = report.page.evaluate(color)
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(20, 23, 27)")
    button.click()
    assert (button.inner_text(), report.page.evaluate(color)) == ("Theme: light", light)
    button.click()
    report.page.emulate_media(color_scheme="light")
    assert (button.inner_text(), report.page.evaluate(color)) == ("Theme: dark", dark)
    button.click()
    assert (button.inner_text(), report.page.evaluate(color)) == ("Theme: system", light)
    report.page.emulate_media(media="print", color_scheme="dark")
    assert report.page.evaluate(color) == light


def test_keys(report):
    page = report.page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("word1")  # the keys of the browser are letters here
    assert page.input_value("#search") == "word1"
    page.fill("#search", "")
    page.locator("#controls").dispatch_event("change")
    page.locator("#search").blur()
    page.keyboard.press("j")
    focused = "document.activeElement.querySelector('h4')?.textContent"
    assert page.evaluate(focused) == "Segment 1"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "Segment 2"
    page.keyboard.press("k")
    page.keyboard.press("k")
    assert page.evaluate(focused) == "Segment 1"
    page.keyboard.press("n")
    assert report.numbers()[0] == 21
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert report.numbers() == list(range(41, 51))
    page.keyboard.press("j")
    for _ in range(10):
        page.keyboard.press("j")
    assert page.evaluate(focused) == "Segment 50"
    page.keyboard.press("p")
    assert report.numbers()[0] == 21
    page.keyboard.press("k")
    assert page.evaluate(focused) == "Segment 40"


def test_everything_is_reached_by_tab(report):
    page = report.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    expected = {"search", "system", "sort", "order", "metric", "low", "high", "next", "theme"}
    seen = set()
    for _ in range(200):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id"))
        if expected <= seen:
            break
    assert expected <= seen
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_without_javascript(opened, html):
    report = opened(html, script=False)
    page = report.page
    assert page.locator("#scores tbody tr").count() == 2
    assert page.locator("svg.plot").count() > 5
    assert page.locator("noscript p").inner_text().startswith("This part needs JavaScript")
    assert page.locator("#controls").is_hidden()
    assert page.locator("#theme").is_hidden()
    assert page.locator("#examples article .w").count() > 0


def test_nothing_is_wider_than_a_phone(opened, html):
    report = opened(html, viewport={"width": 360, "height": 700})
    assert report.page.evaluate("document.documentElement.scrollWidth") == 360


def test_verdicts_show_without_scrolling(opened, html):
    report = opened(html, viewport={"width": 1200, "height": 900})
    verdicts = report.page.locator("#differences table.sortable").first
    column = verdicts.locator("th").all_inner_texts().index("verdict")
    cells = verdicts.locator(f"td:nth-child({column + 1})").all()
    assert cells
    room = verdicts.locator("xpath=..").bounding_box()
    for cell in cells:
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= room["x"] + room["width"]


def test_plots_fit_a_phone(opened, html):
    page = opened(html, viewport={"width": 400, "height": 700}).page
    plots = page.locator("svg.plot:visible")
    edges = plots.evaluate_all("each => each.map(svg => svg.getBoundingClientRect().right)")
    assert edges
    assert max(edges) <= 400
    texts = page.locator("#summary svg.plot:visible text")
    assert {"base", "mine"} <= set(texts.all_text_contents())
    heights = texts.evaluate_all("each => each.map(text => text.getBoundingClientRect().height)")
    assert min(heights) >= 9  # pixels


def test_the_plane_is_shown_once(report):
    assert report.page.locator("#summary svg.plot:visible").count() == 1


def test_tables_on_paper(opened, html):
    page = opened(html).page
    page.emulate_media(media="print")
    style = "(each, name) => getComputedStyle(each)[name]"
    assert page.locator("thead").first.evaluate(style, "display") == "table-header-group"
    assert page.locator("tbody tr").first.evaluate(style, "breakInside") == "avoid"
    assert page.locator("#scores table").first.evaluate(style, "breakInside") == "avoid"
    row = "<tr><td>1</td></tr>"
    for count, expected in ((10, "avoid"), (11, "auto")):
        page.locator("#scores table").first.evaluate(
            "(table, rows) => { table.tBodies[0].innerHTML = rows }", row * count
        )
        assert page.locator("#scores table").first.evaluate(style, "breakInside") == expected


def test_print(report):
    page = report.page
    assert page.locator("#examples details[open]").count() == 1
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#examples details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#examples details[open]").count() == 1
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden()
    assert page.locator("#search").is_hidden()
    assert page.pdf().startswith(b"%PDF")


def test_one_system_without_sources(opened):
    batch = Batch.of({"mine": ["a b", "c"]}, references=[["a b"], ["d"]])
    metrics = {"bleu": BLEU()}
    examples = Examples(metrics)
    sheet = score_batches([batch], metrics, bootstrap=0, observers=[examples])
    report = opened(render_report(sheet, examples))
    assert report.status() == "2 of 2 segments"
    assert report.page.locator("#sort option").all_inner_texts() == ["segment number", "BLEU"]


def test_packed_data(opened, monkeypatch):
    monkeypatch.setattr(browser_section, "PLAIN_BYTES", 0)
    packed = rendered({"a": ["x é 汉"], "b": [ATTACK]}, ["x"], [["y"]])
    report = opened(packed)
    assert report.status() == "1 of 1 segments"
    assert ATTACK in report.page.locator("#segment-list").inner_text()


def test_fifty_thousand_segments(opened):
    draw = np.random.default_rng(2)
    words = np.array([f"word{i}" for i in range(2000)])
    sources = [" ".join(row) for row in words[draw.integers(0, 2000, (50_000, 8))]]
    mine = [f"{text} {i}" for i, text in enumerate(sources)]
    report = opened(rendered({"base": sources, "mine": mine}, sources, [[text] for text in sources]))
    assert report.status() == "50,000 of 50,000 segments"
    report.page.select_option("#sort", label="PINC")
    report.page.select_option("#order", label="descending")
    assert len(report.cards()) == 20
    report.search("49999")
    assert report.numbers() == [50_000]
    report.search("/ 4999[78]$/")
    assert report.numbers() == [49_998, 49_999]
