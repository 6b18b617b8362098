"""Score sheets and comparisons in all five formats."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import unicodedata

import pytest

from paragauge import BLEU, PINC, TargetF1, __version__, compare, score
from paragauge.errors import SettingError
from paragauge.meta.significance.comparison import Comparison, Difference
from paragauge.metrics.corpus_score import Score
from paragauge.metrics.scoring import ScoreSheet
from paragauge.report.tables.score_tables import FORMATS, render_comparison, render_scores, statements

SOURCES = ["a b c d", "e f g h", "i j"]
REFERENCES = [["a b c d", "a b"], ["e f g x"], ["i k"]]
SYSTEMS = {"copy": SOURCES, "new": ["x y z w", "e f x y", ""]}
SCORE_KEYS = {
    "system",
    "metric",
    "value",
    "low",
    "high",
    "segments",
    "signature",
    "higher_is_better",
    "parts",
}


@pytest.fixture(scope="module")
def sheet() -> ScoreSheet:
    return score(SYSTEMS, [PINC(), BLEU(order=2)], sources=SOURCES, references=REFERENCES, bootstrap=50)


@pytest.fixture(scope="module")
def bare() -> ScoreSheet:
    return score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=0)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    many = {name: texts * 10 for name, texts in SYSTEMS.items()} | {"same": SOURCES * 10}
    return compare(
        many, [PINC(), TargetF1()], sources=SOURCES * 10, bootstrap=60, randomization=2000, seed=3
    )


def hand_made(*values: float, names: tuple[str, ...] = ("one", "two")) -> ScoreSheet:
    scores = [
        Score(value, "PINC", {}, 3, True, "PINC|v:0", name, "pinc")
        for name, value in zip(names, values, strict=True)
    ]
    return ScoreSheet(
        scores, 3, empty={}, tabbed={}, bootstrap=0, seed=7, level=0.95, sums={}, resampled={}
    )


def columns(line: str) -> list[int]:
    """Where a terminal starts each cell; cells are two blanks apart."""
    starts, at, blanks = [], 0, 2
    for char in line:
        if char == " ":
            blanks += 1
        else:
            if blanks >= 2:
                starts.append(at)
            blanks = 0
        at += 2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char)
    return starts


def test_text(bare):
    # copy: nothing is new. new: (1 + (1/2 + 2/3 + 1 + 1) / 4 + 0) / 3 = 0.5972...
    assert render_scores(bare) == (
        "system   PINC\n"
        "copy     0.00\n"
        "new     59.72\n"
        "\n"
        "3 segments.\n"
        "Empty lines (scored as empty): new 1.\n"
        f"{PINC().signature}\n"
    )


def test_text_with_intervals(sheet):
    text = render_scores(sheet)
    score = sheet["new", "pinc"]
    assert f"{score.value:.2f} [{score.low:.2f}, {score.high:.2f}]" in text
    assert "3 segments. Brackets: 95% interval, Poisson bootstrap, 50 resamples, seed 7.\n" in text
    header, *rows = text.split("\n\n")[0].splitlines()
    assert header.split() == ["system", "PINC", "BLEU:order=2"]
    assert [row.split()[0] for row in rows] == ["copy", "new"]


def test_json_keys(sheet):
    content = json.loads(render_scores(sheet, "json"))
    assert content["schema"] == "paragauge/score/1"
    assert set(content) == {"schema", "scores", "segments", "empty", "tabbed", "interval", "paragauge"}
    assert content["segments"] == 3
    assert content["empty"] == {"new": 1}
    assert content["paragauge"] == __version__
    assert content["interval"] == {
        "method": "poisson bootstrap, percentile",
        "level": 0.95,
        "resamples": 50,
        "seed": 7,
    }
    assert all(set(record) == SCORE_KEYS for record in content["scores"])


def test_json_has_full_precision(sheet):
    records = json.loads(render_scores(sheet, "json"))["scores"]
    assert len(records) == len(sheet.scores) == 4
    for record, system_score in zip(records, sheet.scores, strict=True):
        for key in SCORE_KEYS - {"parts"}:
            assert record[key] == getattr(system_score, key)
        assert record["parts"] == dict(system_score.parts)


def test_json_without_intervals(bare):
    content = json.loads(render_scores(bare, "json"))
    assert content["interval"] is None
    assert [(record["low"], record["high"]) for record in content["scores"]] == [(None, None)] * 2


def test_json_keeps_names_as_they_are():
    text = render_scores(hand_made(1.0, 2.0, names=('日本 "x"\n', "é\\")), "json")
    assert [record["system"] for record in json.loads(text)["scores"]] == ['日本 "x"\n', "é\\"]
    assert "日本" in text


def test_json_has_no_nan():
    text = render_scores(hand_made(math.nan, 2.0), "json")
    content = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert [record["value"] for record in content["scores"]] == [None, 2.0]


def test_tsv(sheet):
    header, *rows = [
        line.split("\t") for line in render_scores(sheet, "tsv").removesuffix("\n").split("\n")
    ]
    assert header == ["system", "metric", "value", "low", "high", "segments", "signature"]
    assert rows == [
        [s.system, s.metric, repr(s.value), repr(s.low), repr(s.high), "3", s.signature]
        for s in sheet.scores
    ]
    assert [float(row[2]) for row in rows] == [s.value for s in sheet.scores]


def test_tsv_leaves_missing_fields_empty(bare):
    rows = [line.split("\t") for line in render_scores(bare, "tsv").splitlines()]
    assert [row[3:5] for row in rows[1:]] == [["", ""], ["", ""]]
    assert render_scores(hand_made(math.nan, 2.0), "tsv").splitlines()[1].split("\t")[:3] == [
        "one",
        "pinc",
        "",
    ]


def test_markdown(bare):
    assert render_scores(bare, "markdown") == (
        "| system | PINC |\n"
        "|---|---:|\n"
        "| copy | 0.00 |\n"
        "| new | 59.72 |\n"
        "\n"
        "- 3 segments.\n"
        "- Empty lines (scored as empty): new 1.\n"
        f"- `{PINC().signature}`\n"
    )


def test_markdown_escapes_bars():
    text = render_scores(hand_made(1.0, 2.0, names=("a|b", "|")), "markdown")
    assert text.splitlines()[2:4] == ["| a\\|b | 1.00 |", "| \\| | 2.00 |"]


def test_latex(bare):
    assert render_scores(bare, "latex") == (
        "% 3 segments.\n"
        "% Empty lines (scored as empty): new 1.\n"
        f"% {PINC().signature}\n"
        "\\begin{tabular}{lr}\n"
        "\\hline\n"
        "system & PINC \\\\\n"
        "\\hline\n"
        "copy & 0.00 \\\\\n"
        "new & 59.72 \\\\\n"
        "\\hline\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize(
    ("char", "escaped"),
    [
        ("&", r"\&"),
        ("%", r"\%"),
        ("$", r"\$"),
        ("#", r"\#"),
        ("_", r"\_"),
        ("{", r"\{"),
        ("}", r"\}"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("\\", r"\textbackslash{}"),
        ("<", "$<$"),
        (">", "$>$"),
    ],
)
def test_latex_escapes(char, escaped):
    text = render_scores(hand_made(1.0, 2.0, names=(f"x{char}y", "two")), "latex")
    assert f"\nx{escaped}y & 1.00 \\\\\n" in text


@pytest.mark.parametrize("names", [("日本語", "ab"), ("e\u0301e\u0301", "abc"), ("ｆｕｌｌ", "half")])
def test_wide_characters_align(names):
    header, first, second = render_scores(hand_made(12.0, 34.0, names=names)).splitlines()[:3]
    assert columns(first) == columns(second)
    assert columns(header)[0] == 0


@pytest.mark.parametrize("names", [("nmt", "neural"), ("1st", "2nd-try"), ("-a", "+bcd"), ("[x]", "n")])
def test_names_stand_left(names):
    # Only numbers stand right, and a name is none, whatever it starts with.
    rows = render_scores(hand_made(1.0, 2.0, names=names)).splitlines()[1:3]
    assert [row.startswith(name) for row, name in zip(rows, names, strict=True)] == [True, True]


def test_one_segment_is_singular():
    text = render_scores(score({"a": ["x"]}, [PINC()], sources=["x"], bootstrap=0))
    assert "\n1 segment.\n" in text


def test_tabs_are_counted():
    texts = {"a": ["x\ty", "z"], "b": ["x", "z"]}
    sheet = score(texts, [PINC()], sources=["x\ty", "z\t"], bootstrap=0)
    assert json.loads(render_scores(sheet, "json"))["tabbed"] == {"a": 1, "<sources>": 2}
    note = "Lines with tabs, which count as spaces except in reference files: a 1, <sources> 2.\n"
    assert note in render_scores(sheet)


def test_undefined_segments_and_scores(undefined):
    sheet = score({"some": ["abc", ""], "none": ["", ""]}, [undefined], bootstrap=20)
    assert sheet["some", "length"].value == 3.0
    rows = render_scores(sheet).splitlines()
    assert rows[1].split() == ["some", "3.00", "[3.00,", "3.00]"]
    assert rows[2].split() == ["none", "nan"]
    for form in FORMATS:
        assert render_scores(sheet, form)


def test_an_undefined_difference_is_not_significant(undefined):
    result = compare(
        {"some": ["abc", "d"], "none": ["", ""]}, [undefined], bootstrap=20, randomization=99
    )
    (difference,) = result.differences
    assert math.isnan(difference.difference)
    assert not difference.significant
    assert difference.better is None
    for form in FORMATS:
        assert render_comparison(result, form)


@pytest.mark.parametrize("form", ["jsn", "", "JSON", "html"])
def test_unknown_format(sheet, comparison, form):
    for call in (lambda: render_scores(sheet, form), lambda: render_comparison(comparison, form)):
        with pytest.raises(SettingError) as caught:
            call()
        hint = "did you mean 'json'? " if form in ("jsn", "JSON") else ""
        assert str(caught.value) == (
            f"unknown format '{form}'; {hint}known: text, json, tsv, markdown, latex"
        )


def test_comparison_text(comparison):
    text = render_comparison(comparison)
    table, notes = text.split("\n\n")
    header, *rows = table.splitlines()
    assert re.split("  +", header) == [
        "metric",
        "system",
        "score",
        "difference",
        "95% interval",
        "p (rand.)",
        "p (boot.)",
        "p (Holm)",
        "verdict",
    ]
    assert [row.split()[:2] for row in rows] == [
        ["PINC", "copy"],
        ["PINC", "new"],
        ["PINC", "same"],
        ["TargetF1", "copy"],
        ["TargetF1", "new"],
        ["TargetF1", "same"],
    ]
    assert rows[1].endswith("better")
    assert "<0.001" in rows[1]
    assert rows[2].endswith("not significant")
    assert rows[2].split()[2:4] == ["0.00", "+0.00"]
    tests = (
        "Two-sided tests: approximate randomization (2000 trials) and paired bootstrap (60 resamples); "
        "seed 3. Significant: p corrected by Holm's method below 0.05 by approximate randomization."
    )
    assert notes.splitlines() == [
        "PINC: new is significantly better than copy; no significant difference for same.",
        "TargetF1: new is significantly better than copy; no significant difference for same.",
        tests,
        "30 segments.",
        "Empty lines (scored as empty): new 10.",
        PINC().signature,
        TargetF1().signature,
    ]


def test_comparison_json(comparison):
    content = json.loads(render_comparison(comparison, "json"))
    assert set(content) == {
        "schema",
        "scores",
        "segments",
        "empty",
        "tabbed",
        "interval",
        "paragauge",
        "comparisons",
        "tests",
    }
    assert content["comparisons"] == [dataclasses.asdict(row) for row in comparison.differences]
    assert content["tests"] == {
        "baseline": "copy",
        "bootstrap": 60,
        "randomization": 2000,
        "alpha": 0.05,
        "correction": "holm",
    }
    assert len(content["scores"]) == 6


def test_comparison_tsv(comparison):
    header, *rows = [line.split("\t") for line in render_comparison(comparison, "tsv").splitlines()]
    assert header == [field.name for field in dataclasses.fields(Difference)]
    for row, difference in zip(rows, comparison.differences, strict=True):
        cells = dict(zip(header, row, strict=True))
        assert float(cells["difference"]) == difference.difference
        assert float(cells["p_corrected"]) == difference.p_corrected
        assert cells["significant"] == ("yes" if difference.significant else "no")
        assert cells["better"] == {True: "yes", False: "no", None: ""}[difference.better]


@pytest.mark.parametrize(("bootstrap", "randomization"), [(0, 50), (50, 0)])
def test_comparison_with_one_test(bootstrap, randomization):
    result = compare(
        SYSTEMS, [PINC()], sources=SOURCES, bootstrap=bootstrap, randomization=randomization
    )
    (record,) = json.loads(render_comparison(result, "json"))["comparisons"]
    assert (record["p_bootstrap"] is None) == (bootstrap == 0)
    assert (record["p_randomization"] is None) == (randomization == 0)
    assert (record["low"] is None) == (bootstrap == 0)
    for form in FORMATS:
        assert render_comparison(result, form)


def test_comparison_latex_and_markdown(comparison):
    latex = render_comparison(comparison, "latex")
    assert "$<$0.001" in latex
    assert "95\\% interval" in latex
    body = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert {line.count("&") for line in body} == {8}
    markdown = render_comparison(comparison, "markdown").split("\n\n")[0].splitlines()
    assert {line.count("|") for line in markdown} == {10}


def test_statements_on_many_systems_name_the_first():
    source = ["a b c d"] * 20
    systems = {"copy": source} | {f"s{i}": ["x y z w"] * 20 for i in range(6)}
    result = compare(systems, [PINC()], sources=source, bootstrap=0, randomization=1000)
    (whole,), (short,) = statements(result), statements(result, most=3)
    assert whole == "PINC: s0, s1, s2, s3, s4 and s5 are significantly better than copy."
    assert short == "PINC: s0, s1 and 4 more are significantly better than copy."
    assert statements(result, most=6) == [whole]


def test_sets_of_one_candidate_are_noted() -> None:
    """Metrics of variety have a value for them, the worst one, which is no finding."""
    note = "Every segment has one candidate, so that Pairwise-PINC and Self-BLEU had nothing to compare"
    metrics = ["pairwise-pinc", "self-bleu", "self-bleu:against=sources", "distinct"]
    for single in (["a b", "c d"], [["a b"], ["c d"]]):
        text = render_scores(score({"mine": single}, metrics, sources=["a b", "c d"]))
        assert note in text
    several = score({"mine": [["a b", "a c"], ["c d"]]}, metrics, sources=["a b", "c d"])
    assert "nothing to compare" not in render_scores(several)
    alone = score({"mine": ["a b"]}, ["self-bleu:against=sources", "distinct"], sources=["a b"])
    assert "nothing to compare" not in render_scores(alone)


def test_names_of_papers_for_distinct() -> None:
    texts = {"mine": [["a b", "a c"], ["c d"]]}
    first, second = (score(texts, [f"distinct-{n}"]).scores[0].value for n in (1, 2))
    assert (first, second) == tuple(score(texts, [f"distinct:n={n}"]).scores[0].value for n in (1, 2))
    assert first != second


def test_scores_without_a_value_have_no_verdict() -> None:
    """Words alone have no bigram, so that there is nothing to test."""
    systems = {"words": ["a", "b", "c"], "base": ["d", "e", "f"], "pairs": ["a b", "c d", "a b"]}
    compared = compare(systems, ["distinct:n=2", "distinct"], bootstrap=20, randomization=20)
    text = render_comparison(compared)
    rows = {tuple(line.split()[:2]): line.split() for line in text.splitlines()}
    for other in ("base", "pairs"):
        assert rows["Distinct:n=2", other][3:] == ["no", "value"]
    assert rows["Distinct", "pairs"][-1] != "value"
    assert "Distinct:n=2: no difference can be computed for base and pairs." in text
    assert "No segment has a value by Distinct:n=2 for words and base (nan)." in text
    assert "+nan" not in text
    assert "+nan" not in str(compared)
    assert [row.verdict for row in compared.differences].count("no value") == 2
    assert "by Distinct:n=2 for words and base (nan)" in render_scores(compared.sheet)
    document = json.loads(render_comparison(compared, "json"))
    assert document["comparisons"][0]["difference"] is None
