"""Agreement in every format: the same values, escaped names, footnotes and headings."""

from __future__ import annotations

import csv
import io
import json

import pytest

from paragauge.meta.agreement.agreement import AgreementSettings, agree
from paragauge.meta.measure import Bootstrap
from paragauge.meta.sets.evalset_builder import build
from paragauge.report.tables.agreement_tables import render_agreement
from paragauge.report.tables.score_tables import readable

VALUES = {"A_1": (1, 2, 3, 4), "B&C": (1, 3, 2, 4), "D|E": (2, 2, 2, 2)}


@pytest.fixture(scope="module")
def sheet():
    rows = []
    for judge, values in VALUES.items():
        for place, value in enumerate(values):
            rows.append((str(place // 2), f"s{place % 3}", judge, {"overall": float(value)}))
    return agree(build(rows), settings=AgreementSettings(bootstrap=Bootstrap(0)))


def test_text(sheet):
    # Means of s0, s1 and s2: 2.5, 2, 3 and 2.5, 3, 2, which lie on a falling line.
    assert render_agreement(sheet).split("\n\n")[1] == (
        "Correlation between judges (Pearson)\n"
        "     Sentence level  System level\n"
        "     A_1     B&C     A_1      B&C\n"
        "B&C  0.8000  -       -1.0000  -\n"
        "D|E  - (1)   - (1)   - (2)    - (2)"
    )


def test_footnotes(sheet):
    assert "(1) D|E: the same value for all items.\n(2) D|E: the same value for all systems.\n" in (
        render_agreement(sheet)
    )


def test_criteria_left_out():
    rows = [
        (str(i), "s", judge, {"overall": float(i), "empty": float("nan")})
        for i in range(4)
        for judge in "AB"
    ]
    sheet = agree(build(rows), settings=AgreementSettings(bootstrap=Bootstrap(0)))
    reason = "criterion 'empty' has no ratings; every value is missing"
    for form, mark in (("text", ""), ("markdown", "- "), ("latex", "% ")):
        assert f"\n{mark}Left out: {reason}.\n" in render_agreement(sheet, form)
    assert json.loads(render_agreement(sheet, "json"))["left_out"] == {"empty": reason}
    assert render_agreement(sheet, "tsv").endswith(
        f"empty\tcriterion\tleft out\t\t\t\t\t\t0\t{reason}\n"
    )


def test_many_judges():
    rows = [(str(i // 2), "s", f"J{i}", {"overall": float(i % 3)}) for i in range(202)]
    sheet = agree(build(rows), settings=AgreementSettings(bootstrap=Bootstrap(0)))
    assert (
        "20301 pairs of judges, minus those without a value; 20200 have no common items. TSV and JSON "
        "have each pair with common items, without intervals, as there are more than 200 judges.\n"
    ) in render_agreement(sheet)
    assert len(json.loads(render_agreement(sheet, "json"))["criteria"][0]["pairs"]) == 101


def test_escapes(sheet):
    assert r"D\|E" in render_agreement(sheet, "markdown")
    latex = render_agreement(sheet, "latex")
    assert r"A\_1 & B\&C & A\_1 & B\&C \\" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 4


def test_machine_formats_agree(sheet):
    content = json.loads(render_agreement(sheet, "json"))
    pairs = content["criteria"][0]["pairs"]
    text = render_agreement(sheet, "tsv")
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    values = {
        (row["judge"], row["other"]): row["value"]
        for row in rows
        if (row["statistic"], row["level"]) == ("pearson", "sentence")
    }
    for pair in pairs:
        value = values[pair["judge"], pair["other"]]
        assert (float(value) if value else None) == pair["sentence"]["value"]
    assert "threads" not in content["settings"]["bootstrap"]


def test_a_heading_wider_than_its_columns():
    table = readable(
        "text", "lll", ["", "a", "b"], [["x", "1", "2"]], [], [("", 1), ("long title", 1), ("t", 1)]
    )
    assert table == "   long title  t\n   a           b\nx  1           2\n"


def test_a_heading_over_several_columns():
    spans = [("", 1), ("one", 2), ("two", 1)]
    header, rows = ["", "a", "b", "c"], [["x", "1", "2", "3"]]
    assert readable("text", "llll", header, rows, [], spans) == "   one   two\n   a  b  c\nx  1  2  3\n"
    assert readable("markdown", "llll", header, rows, [], spans).split("\n")[0] == (
        "|  | one: a | one: b | two: c |"
    )
    assert r" & \multicolumn{2}{c}{one} & \multicolumn{1}{c}{two} \\" in (
        readable("latex", "llll", header, rows, [], spans)
    )
