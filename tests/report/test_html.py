"""The HTML report: well-formed, self-contained, and safe whatever the input says."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import ClassVar

import pytest

from paragauge import BLEU, IBLEU, PINC, TargetF1
from paragauge.errors import FileFormatError
from paragauge.meta.compare import compare_batches
from paragauge.metrics.scoring import score_batches
from paragauge.report.examples import Examples
from paragauge.report.html import render_report, report_writer
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

    VOID: ClassVar[set[str]] = {"meta"}

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
) -> str:
    named = {metric.label: metric for metric in metrics}
    batch = Batch.of(systems, sources=sources, references=references)
    examples = Examples(named, limit)
    if comparing:
        result = compare_batches(
            [batch],
            named,
            baseline=next(iter(systems)),
            bootstrap=bootstrap,
            randomisation=100,
            observers=[examples],
        )
        return render_report(result.sheet, examples, result)
    sheet = score_batches([batch], named, bootstrap=bootstrap, observers=[examples])
    return render_report(sheet, examples)


@pytest.mark.parametrize("bootstrap", [0, 30])
@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
def test_well_formed_and_self_contained(comparing, bootstrap):
    html = report(comparing=comparing, bootstrap=bootstrap)
    page = Page(html)
    assert html.startswith("<!doctype html>\n")
    assert ("charset", "utf-8") in page.attributes
    assert page.texts["title"] == ["paragauge report: copy, mine"]
    for word in (
        "http://",
        "https://",
        "src=",
        "href",
        "url(",
        "@import",
        "<script",
        "<link",
        "<iframe",
    ):
        assert word not in html.lower()
    assert not [name for name, _ in page.attributes if name.startswith("on")]


@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
def test_sections(comparing):
    headings = Page(report(comparing=comparing)).texts["h2"]
    assert headings == [
        "Scores",
        "Meaning against novelty",
        *(["Differences to copy"] if comparing else []),
        "Spread of segment scores",
        "Segments that tell most",
        "How this was computed",
    ]


def test_the_plane_needs_both_metrics():
    assert "Meaning against novelty" not in report(metrics=[PINC(), TargetF1()])
    assert "Meaning against novelty" in report(metrics=[PINC(order=2), BLEU(order=2)])


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
    assert set(page.tags) <= {*calm.tags, "mark"}
    assert {name for name, _ in page.attributes} <= {name for name, _ in calm.attributes}
    assert page.texts["title"][0] == f"paragauge report: {text}, other {text}"
    assert any(text in cell for cell in page.texts["td"])
    assert any(text in item for item in page.texts["dd"])


def test_sentences_are_shown_as_they_are():
    page = Page(report(systems={"mine": ["a <feline> sat & slept", "b", "c"]}))
    assert any(item.startswith("a <feline> sat & slept (PINC ") for item in page.texts["dd"])
    assert {"feline", "slept"} <= set(page.texts["mark"])
    assert "sat" not in page.texts["mark"]


def test_partial_segments_are_mentioned():
    assert "From the first 2 segments." in report(limit=2)
    assert "From the first" not in report(limit=3)
    assert "From the first" not in report()


def test_empty_lines_are_mentioned():
    assert "Empty lines (scored as empty): mine 1." in report()


def test_signatures_and_method():
    page = Page(report(comparing=True))
    assert page.texts["code"] == [
        PINC().signature,
        BLEU().signature_for({"refs": "1-2"}),
    ]
    assert any(text.startswith("Intervals: 95%, percentiles of 30 Poisson") for text in page.texts["p"])
    assert any("approximate randomisation (100 trials)" in text for text in page.texts["p"])


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
    Page(html)
    assert "nan" not in html


@pytest.mark.parametrize("comparing", [False, True], ids=["score", "compare"])
@pytest.mark.parametrize("texts", [["", ""], ["abc", ""]], ids=["all", "some"])
def test_undefined_scores(texts, comparing, undefined):
    systems = {"a": texts, "b": texts}
    html = report(systems, [undefined], sources=None, references=None, comparing=comparing)
    page = Page(html)
    assert not [
        value for name, value in page.attributes if "nan" in (value or "") and name != "aria-label"
    ]


def test_same_input_same_bytes():
    assert report(comparing=True) == report(comparing=True)


@pytest.mark.parametrize("error", [None, KeyboardInterrupt, ZeroDivisionError])
def test_written_whole_or_not(tmp_path, error):
    path, metrics = tmp_path / "report.html", {"pinc": PINC()}
    path.write_text("old")

    def writing():
        with report_writer(path, metrics) as report:
            batch = Batch.of(SYSTEMS, sources=SOURCES)
            sheet = score_batches([batch], metrics, bootstrap=0, observers=[report.examples])
            report.write(sheet)
            assert path.read_text() == "old"
            if error is not None:
                raise error
        return render_report(sheet, report.examples)

    if error is None:
        wanted = writing()
        assert path.read_text(encoding="utf-8") == wanted
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
    assert [example.number for example in examples.segments] == [1, 2, 3]
    assert [example.candidates["a"] for example in examples.segments] == ["x", "y", "x"]
    assert examples.values("a", "pinc").tolist() == [0.0, 100.0, 0.0]
