"""The HTML report: well-formed, self-contained, and safe whatever the input says."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import ClassVar

import pytest

from paragauge import BLEU, IBLEU, PINC, BERTScore, Cosine, TargetF1
from paragauge.errors import FileFormatError
from paragauge.meta.significance.buckets import Buckets
from paragauge.meta.significance.comparison import compare_batches
from paragauge.meta.significance.ngram_differences import NgramCounts
from paragauge.metrics.scoring import score_batches
from paragauge.report.pages.blocks.html import Section
from paragauge.report.pages.report_page import render_page, render_report, report_writer
from paragauge.report.pages.sections import segment_browser
from paragauge.report.pages.sections.stored_segments import Examples
from paragauge.text.batch import Batch

SOURCES = ["the cat sat", "a dog barked", "two birds sang"]
REFERENCES = [["the cat sat down", "a cat sat"], ["the dog barked"], ["birds sang"]]
SYSTEMS = {"copy": SOURCES, "mine": ["a feline sat", "a dog barked", ""]}
METRICS = (PINC(), BLEU())
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></svg><script>alert(2)</script>",
    "' onmouseover='alert(3)",
    "<!-- <b> & &amp; &lt; ]]>",
    "{{7*7}} ${x} %s {0}",
]


class Page(HTMLParser):
    """What a browser sees; fails when tags are not balanced."""

    VOID: ClassVar[set[str]] = {"meta", "input"}

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data}")


def report(
    systems=SYSTEMS,
    metrics=METRICS,
    *,
    sources=SOURCES,
    references=REFERENCES,
    comparing=False,
    bootstrap=30,
    limit=5000,
    **more,
) -> str:
    named = {metric.label: metric for metric in metrics}
    batch = Batch.of(systems, sources=sources, references=references)
    examples = Examples(named, limit)
    buckets, ngrams = Buckets(named, bootstrap=bootstrap), NgramCounts(named, limit=limit)
    observers = [examples, buckets, ngrams]
    comparison = None
    if comparing:
        comparison = compare_batches(
            [batch],
            named,
            baseline=next(iter(systems)),
            bootstrap=bootstrap,
            randomization=100,
            observers=observers,
        )
        sheet = comparison.sheet
    else:
        sheet = score_batches([batch], named, bootstrap=bootstrap, observers=observers)
    groupings = buckets.groupings()
    return render_report(sheet, examples, comparison, groupings=groupings, ngrams=ngrams, **more)


@pytest.mark.parametrize("bootstrap", [0, 30])
@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
def test_well_formed_and_self_contained(comparing, bootstrap):
    html = report(comparing=comparing, bootstrap=bootstrap)
    page = Page(html)
    assert html.startswith("<!doctype html>\n")
    assert ("charset", "utf-8") in page.attributes
    assert page.texts["title"][0] == "paragauge report: copy, mine"
    for word in ("http://", "https://", "src=", "url(", "@import", "<link", "<iframe", "<img"):
        assert word not in html.lower()
    links = [value for name, value in page.attributes if name == "href"]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]


def test_the_policy_forbids_everything_but_what_is_inside():
    html = report()
    (policy,) = [value for name, value in Page(html).attributes if value and "default-src" in value]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    for name in ("style", "script"):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
def test_sections(comparing):
    page = Page(report(comparing=comparing))
    assert page.texts["h2"] == [
        "Summary",
        "Scores",
        *(["Differences from copy"] if comparing else []),
        "Scores by kind of segment",
        "Distribution of segment scores",
        "Where one system beats another" if comparing else "The most telling segments",
        "N-grams that differ",
        "All segments",
        "How this was computed",
    ]
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = [value[1:] for name, value in page.attributes if name == "href"]
    assert set(links) <= set(ids)


def test_extra_sections_stand_before_the_browser():
    html = report(extra_sections=[Section("ratings", "Agreement <with> people", "<p>0.5</p>")])
    titles = ["Agreement <with> people", "All segments", "How this was computed"]
    assert Page(html).texts["h2"][-3:] == titles
    assert '<section id="ratings"><h2>Agreement &lt;with&gt; people</h2><p>0.5</p></section>' in html


def test_the_command_is_shown_as_text():
    page = Page(report(command="paragauge report -c 'a <b>.txt'"))
    assert page.texts["pre"] == ["paragauge report -c 'a <b>.txt'"]


def test_the_summary_says_what_came_out():
    items = Page(report(comparing=True)).texts["li"]
    assert any(item.startswith("PINC: no significant difference for mine") for item in items)
    items = Page(report()).texts["li"]
    assert any(item.startswith("PINC: mine is best of 2, ") for item in items)
    items = Page(report({"mine": SYSTEMS["mine"]})).texts["li"]
    assert any(item.startswith("PINC: mine has ") for item in items)


def test_the_plane_needs_both_metrics():
    assert "A good paraphrase keeps" not in report(metrics=[PINC(), TargetF1()])
    assert "A good paraphrase keeps" in report(metrics=[PINC(order=2), BLEU(order=2)])


def test_another_metric_of_meaning_in_the_plane():
    page = report(metrics=[PINC(), Cosine(), BERTScore()])
    assert "BERTScore: meaning kept" in page
    assert "cosine: meaning kept" not in page
    assert "BLEU: meaning kept" in report(metrics=[PINC(), BERTScore(), BLEU()])


@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_sentences(text, comparing):
    systems = {text: [text] * 3, "other " + text: ["x " + text, "y", "z"]}
    calm = Page(report(comparing=comparing))
    page = Page(
        report(
            systems, sources=[text] * 3, references=[[text, "x"], [text], ["z"]], comparing=comparing
        )
    )
    assert set(page.tags) <= set(calm.tags)
    assert {name for name, _ in page.attributes} <= {name for name, _ in calm.attributes}
    assert page.texts["title"][0] == f"paragauge report: {text}, other {text}"
    assert any(text in cell for cell in page.texts["td"])
    assert any(text in item for item in page.texts["article"])
    data = json.loads(page.texts["script"][0])
    assert data["candidates"][0] == [text] * 3


def test_sentences_are_shown_as_they_are():
    html = report(systems={"mine": ["a <feline> sat & slept", "b", "c"]})
    page = Page(html)
    assert any("a <feline> sat & slept" in card for card in page.texts["article"])
    assert '<span class="w new">feline</span>' in html
    assert '<span class="w kept">sat</span>' in html


def test_partial_segments_are_mentioned():
    assert "From the first 2 of 3 segments." in report(limit=2)
    assert "From the first" not in report(limit=3)
    assert "From the first" not in report()


@pytest.mark.parametrize("size", [0, 1 << 40], ids=["packed", "plain"])
def test_data_of_the_browser(monkeypatch, size):
    monkeypatch.setattr(segment_browser, "PLAIN_BYTES", size)
    html = report()
    kind, text = re.findall(r'<script type="application/(\w+)" id="data">(.*?)</script>', html)[0]
    assert kind == ("json" if size else "gzip")
    data = json.loads(text if size else gzip.decompress(base64.b64decode(text)))
    assert data["systems"] == ["copy", "mine"]
    assert data["metrics"] == [{"title": "PINC", "higher": True}, {"title": "BLEU", "higher": True}]
    assert data["sources"] == SOURCES
    assert data["references"] == [REFERENCES[0], "the dog barked", "birds sang"]
    assert data["candidates"] == [SOURCES, SYSTEMS["mine"]]
    assert data["values"][0][0] == [0.0, 0.0, 0.0]
    assert data["values"][1][0] == [88.89, 0.0, 0.0]


def test_empty_lines_are_mentioned():
    assert "Empty lines (scored as empty): mine 1." in report()


def test_signatures_and_method():
    page = Page(report(comparing=True))
    assert page.texts["code"] == [
        PINC().signature,
        BLEU().signature_for({"refs": "1-2"}),
    ]
    assert any(text.startswith("Intervals: 95%, percentiles of 30 Poisson") for text in page.texts["p"])
    assert any("approximate randomization (100 trials)" in text for text in page.texts["p"])


@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
@pytest.mark.parametrize(
    "systems",
    [
        {"a": ["x"], "b": ["x"]},
        {"a": [""], "b": [""]},
        {f"system {i}": [f"word {i}"] for i in range(30)},
    ],
    ids=["equal", "empty", "thirty"],
)
def test_small_and_odd_corpora(systems, comparing):
    metrics = [IBLEU(), PINC(), BLEU(), TargetF1()]
    html = report(systems, metrics, sources=["x"], references=[["x"]], comparing=comparing, bootstrap=5)
    Page(re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL))
    assert not re.search(r"\bnan\b", re.sub(r"<(script|style)>.*?</\1>", "", html, flags=re.DOTALL))


@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
@pytest.mark.parametrize("texts", [["", ""], ["abc", ""]], ids=["all", "some"])
def test_undefined_scores(texts, comparing, undefined):
    systems = {"a": texts, "b": texts}
    html = report(systems, [undefined], sources=None, references=None, comparing=comparing)
    page = Page(html)
    assert not [
        value
        for name, value in page.attributes
        if "nan" in (value or "") and name not in ("aria-label", "content")
    ]


def test_same_input_same_bytes():
    assert report(comparing=True) == report(comparing=True)


@pytest.mark.parametrize("error", [None, KeyboardInterrupt, ZeroDivisionError])
def test_written_whole_or_not(tmp_path, error):
    path, metrics = tmp_path / "report.html", {"pinc": PINC()}
    path.write_text("old")

    def writing():
        with report_writer(path, metrics, bootstrap=0) as report:
            batch = Batch.of(SYSTEMS, sources=SOURCES)
            sheet = score_batches([batch], metrics, bootstrap=0, observers=report.observers)
            evaluation = report.evaluation(sheet)
            report.write(evaluation)
            assert path.read_text() == "old"
            if error is not None:
                raise error
        return render_page(evaluation)

    if error is None:
        expected = writing()
        assert path.read_text(encoding="utf-8") == expected
    else:
        with pytest.raises(error):
            writing()
        assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_bad_path_is_found_before_anything_is_computed(tmp_path):
    path = tmp_path / "none" / "report.html"
    with (
        pytest.raises(FileFormatError) as caught,
        report_writer(path, {"pinc": PINC()}),
    ):
        pytest.fail("the folder does not exist")
    assert str(caught.value) == f"{path}: its folder {path.parent} does not exist; make it first"


def test_examples_keep_what_fits():
    metrics = {"pinc": PINC()}
    examples = Examples(metrics, limit=3)
    batches = [Batch.of({"a": ["x", "y"]}, sources=["x", "x"]) for _ in range(3)]
    for i, batch in enumerate(batches):
        batch.first = 2 * i
    score_batches(batches, metrics, bootstrap=0, observers=[examples])
    assert len(examples) == 3
    assert [examples[i].number for i in range(3)] == [1, 2, 3]
    assert [examples[i].candidates["a"] for i in range(3)] == ["x", "y", "x"]
    assert list(examples.candidates("a")) == ["x", "y", "x"]
    assert list(examples.groups("sources")) == [["x"]] * 3
    assert examples.groups("references") is None
    assert examples.values("a", "pinc").tolist() == [0.0, 100.0, 0.0]
    with pytest.raises(IndexError, match="segment 3 of 3"):
        examples[3]


def differing(**more) -> str:
    systems = {**SYSTEMS, "other": ["x y z", "u v", "w"]}
    html = report(systems, comparing=True, **more)
    return html.split('<section id="differences">')[1].split("</section>")[0]


def headings(html: str) -> list[str]:
    return re.findall(r"<th[^>]*>([^<]*)</th>", html.split("</thead>")[0])


def test_differences_show_both_tests():
    html = differing()
    assert headings(html)[-3:] == ["p (rand.)", "p (boot.)", "p corrected"]
    assert headings(html)[:4] == ["system", "score", "difference", "verdict"]
    assert headings(differing(bootstrap=0))[-2:] == ["p (rand.)", "p corrected"]
    cells = re.findall(r'<td class="n" data-v="([^"]*)">([^<]*)</td>', html)
    p_values = [(float(value), text) for value, text in cells if re.fullmatch(r"[01]\.\d{3}", text)]
    assert len(p_values) == 2 * 2 * 3  # systems, metrics, columns
    assert all(text == f"{value:.3f}" for value, text in p_values)


def test_the_matrix_says_how_it_was_corrected():
    text = "p-values of the paired bootstrap corrected by Holm&#x27;s method over all 3 pairs."
    assert text in differing(bootstrap=60)
    assert (
        "p-values of the paired bootstrap, not corrected: 59 resamples cannot bring p corrected by "
        "Holm&#x27;s method over all 3 pairs below 0.05."
    ) in differing(bootstrap=59)
