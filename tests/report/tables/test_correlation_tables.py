"""Tables of correlations, layouts and curves in all formats."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re

import numpy as np
import pytest

from paragauge import BLEU
from paragauge.meta.correlation.correlation import STATISTICS, VIEWS, CorrelationSettings, correlate
from paragauge.meta.correlation.curves import curve
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.correlation.paper_tables import layout
from paragauge.meta.correlation.repeated_documents import Documents
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.report import statistic_titles
from paragauge.report.tables import correlation_tables
from paragauge.report.tables.correlation_tables import render_correlations, render_curve, render_layout
from paragauge.report.tables.score_tables import FORMATS

FAST = {"bootstrap": 50, "draws": 99, "seed": 3}
COLUMNS = [
    "criterion",
    "judge",
    "where",
    "view",
    "statistic",
    "metric",
    "group",
    "value",
    "low",
    "high",
    "pairs",
    "parts",
    "tie",
    "cluster",
    "reason",
]


@pytest.fixture(scope="module")
def judged():
    """Two groups, three systems; a good metric, a bad one, and one that is always the same."""
    rng = np.random.default_rng(61)
    builder = Builder()
    for group in ("x", "y"):
        for segment in range(12):
            texts = {"sources": ["a b c d"], "references": ["a b c e", "a b x d"][: 1 + segment % 2]}
            number = builder.segment(f"{group}{segment}", group, **texts)
            for place, system in enumerate("abc"):
                candidate = " ".join(rng.choice(list("abcde"), 4))
                item = builder.item(number, [system], candidate)
                true = rng.normal() + place
                if rng.random() > 0.1:
                    rated = {"over_all": float(np.clip(np.round(3 + true), 1, 5))}
                    builder.rating(item, "A&B", rated)
                builder.score(item, "good_1", true + 0.2 * rng.normal())
                builder.score(item, "bad", rng.normal())
                builder.score(item, "flat", 0.25)
    return builder.done()


@pytest.fixture(scope="module")
def results(judged):
    return [
        correlate(judged, "over_all", None, CorrelationSettings(view=view, **FAST))
        for view in ("pooled", "system")
    ]


def test_text(results):
    lines = render_correlations(results).split("\n")
    assert lines[0] == "Correlation with over_all"
    assert lines[2].split() == ["segments,", "pooled", "systems"]
    # The value of each group, then their mean.
    assert lines[3].split() == ["metric", *["x", "y", "Pearson", "cluster"] * 2]
    row = results[0].rows[0]
    groups = [f"{row.groups[group].value:.3f}" for group in ("x", "y")]
    mean = [f"{row.value:.3f}", f"[{row.low:.3f},", f"{row.high:.3f}]", "1"]
    assert lines[4].split()[:7] == ["good_1", *groups, *mean]
    assert lines[6].split() == ["flat", *["-"] * 6]
    notes = lines[8:]
    reason = "flat has no value: x: the metric is constant; y: the metric is constant."
    assert notes[0] == f"segments, pooled, Pearson: {reason}"
    assert notes[1].startswith("segments, pooled, Pearson: good_1 agrees better than bad (p=0.0")
    missing = results[0].left_out["no rating"]
    left_out = f"left out: {missing} with no rating."
    assert f"{72 - missing} candidates of 3 systems in 2 groups, averaged; {left_out}" in notes
    assert "Brackets: 95% interval, 50 bootstrap resamples of segments, seed 3." in notes
    few = "With so few systems, another set of them may give another order."
    assert f"systems, Pearson: {few}" in notes
    assert any(
        note.startswith("Differences: permutation of the metrics' scores segment by segment (99 draws)")
        for note in notes
    )


def test_what_is_left_out_of_means(judged):
    correlations = correlate(
        judged, "over_all", None, CorrelationSettings("kendall", "by-source", **FAST)
    )
    text = render_correlations([correlations])
    out = sum(
        estimate.left_out["sources with equal or single ratings"]
        for estimate in correlations["bad"].groups.values()
    )
    assert f"Left out of the means by source: {out} sources with equal or single ratings.\n" in text
    settings = CorrelationSettings("kendall", "by-source", constant="skip", **FAST)
    text = render_correlations([correlate(judged, "over_all", None, settings)])
    assert "Left out of the means by source: sources on which the metric is constant (flat " in text


def test_tie_thresholds(judged):
    settings = CorrelationSettings("accuracy-tuned", "by-source", **FAST)
    correlations = correlate(judged, "over_all", ["bad"], settings)
    text = render_correlations([correlations])
    assert "Scores that differ by no more than this count as tied: bad " in text
    for group, estimate in correlations["bad"].groups.items():
        assert re.search(rf"bad {estimate.tie:.4g} \({group}: [\w ]+% of pairs\)", text)
    alone = correlate(judged.only_group("x"), "over_all", ["bad"], settings)
    (row,) = csv.DictReader(io.StringIO(render_correlations([alone], "tsv")), delimiter="\t")
    assert float(row["tie"]) == alone["bad"].groups["x"].tie
    assert int(row["parts"]) == alone["bad"].groups["x"].parts


def test_no_warning_where_every_group_has_enough_systems():
    rng = np.random.default_rng(2)
    builder = Builder()
    for group in "xyz":
        for system in range(10):
            for segment in range(3):
                item = builder.item(builder.segment(str(segment), group), [f"s{system}"])
                builder.rating(item, "A", {"overall": rng.normal()})
                builder.score(item, "m", rng.normal())
    correlations = correlate(
        builder.done(), "overall", None, CorrelationSettings(view="system", **FAST)
    )
    assert "With so few systems" not in render_correlations([correlations])


def test_tsv(results):
    text = render_correlations(results, "tsv")
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
    assert list(rows[0]) == COLUMNS
    # Two views, three metrics, the mean and two groups each.
    assert len(rows) == 2 * 3 * 3
    first, second = rows[0], rows[1]
    assert float(first["value"]) == results[0].rows[0].value
    assert (first["group"], first["cluster"], second["group"]) == ("", "1", "x")
    assert float(second["value"]) == results[0].rows[0].groups["x"].value
    flat = next(row for row in rows if row["metric"] == "flat")
    assert (flat["value"], flat["low"], flat["reason"][:2]) == ("", "", "x:")


def test_json(results):
    content = json.loads(render_correlations(results, "json"), parse_constant=pytest.fail)
    pooled = content["correlations"][0]
    assert (pooled["view"], pooled["statistic"], pooled["seed"]) == ("pooled", "pearson", 3)
    assert [row["metric"] for row in pooled["rows"]] == [row.metric for row in results[0].rows]
    assert pooled["rows"][0]["groups"]["x"]["value"] == results[0].rows[0].groups["x"].value
    assert pooled["differences"][0]["p"] == results[0].differences[0].p
    assert pooled["rows"][2]["value"] is None
    assert pooled["clusters"] == results[0].clusters
    assert content["paragauge"]


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_nan(judged, form):
    """Undefined everywhere: one system, equal ratings."""
    alone = judged.without_systems(["b", "c"])
    flat = dataclasses.replace(alone, ratings={"over_all": np.full(len(alone.rating_item), 0.1)})
    for view in VIEWS:
        correlations = correlate(flat, "over_all", None, CorrelationSettings(view=view, **FAST))
        text = render_correlations([correlations], form)
        assert "nan" not in text.lower()
        if form == "json":
            json.loads(text, parse_constant=pytest.fail)


def test_markdown_and_latex(results):
    text = render_correlations(results, "markdown")
    titles = ["x", "y", "Pearson", "cluster"]
    header = [f"{view}: {title}" for view in ("segments, pooled", "systems") for title in titles]
    assert text.startswith(f"**Correlation with over_all**\n\n| metric | {' | '.join(header)} |\n")
    assert r"| good\_1 |" in text
    text = render_correlations(results, "latex")
    assert text.startswith("% Correlation with over_all\n%")
    assert r"\multicolumn{4}{c}{segments, pooled} & \multicolumn{4}{c}{systems} \\" in text
    body = [line for line in text.split("\n") if line.startswith(r"good\_1")]
    assert body[0].count("&") == 8


def test_headings(judged):
    settings = CorrelationSettings(test="none", bootstrap=0)
    correlations = correlate(judged, "over_all", ["bad"], settings, judge="A&B", where="bad>0")
    lines = render_correlations([correlations]).split("\n")
    assert lines[0] == "Correlation with over_all by A&B, where bad>0"
    assert lines[3].split() == ["metric", "x", "y", "Pearson"]
    assert "Differences" not in "".join(lines)
    assert "Brackets" not in "".join(lines)


def test_a_lower_is_better_metric_and_signatures(judged):
    scores = MetricScores("bad", "BAD", judged.scores["bad"].values, False, signature="BAD|v:1")
    one = dataclasses.replace(judged, scores={"bad": scores})
    settings = CorrelationSettings(test="none", bootstrap=0)
    correlations = correlate(one, "over_all", None, settings)
    assert correlations["bad"].value == pytest.approx(
        -correlate(judged, "over_all", ["bad"], settings)["bad"].value
    )
    assert render_correlations([correlations]).endswith("\nBAD|v:1\n")


@pytest.mark.parametrize(("test", "option"), [("permutation", "draws"), ("bootstrap", "bootstrap")])
def test_too_few_draws_for_any_significance(judged, test, option):
    def text(draws, correction="holm"):
        settings = CorrelationSettings(test=test, correction=correction, **{**FAST, option: draws})
        return render_correlations([correlate(judged, "over_all", ["good_1", "bad"], settings)])

    # One comparison: 1 / 20 is not below 0.05, 1 / 21 is.
    note = "with 19 draws and 1 comparisons no corrected p is below 0.05."
    assert note in text(19)
    assert "No difference can be significant" not in text(20)
    assert "No difference can be significant" not in text(19, "fdr")


def test_every_name_has_a_title():
    assert set(statistic_titles.STATISTIC_TITLES) == set(STATISTICS)
    assert set(correlation_tables.VIEWS) == set(VIEWS)


@pytest.mark.parametrize("form", FORMATS)
def test_layouts(judged, form):
    table = layout("pem-3", judged, CorrelationSettings(bootstrap=20), overall="over_all")
    text = render_layout(table, form)
    assert "nan" not in text.lower()
    cell = table.rows[0].cells[0]
    if form == "json":
        content = json.loads(text, parse_constant=pytest.fail)
        assert content["cells"][0] == {
            "row": "good_1 vs. Human Avg.",
            "column": "Sentence Level",
            "value": cell.value,
            "low": cell.low,
            "high": cell.high,
            "reason": "",
        }
    elif form == "tsv":
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        assert len(rows) == 3 * 2 * 2
        assert float(rows[0]["value"]) == cell.value
        assert rows[-1]["reason"] == "x: the metric is constant; y: the metric is constant"
    else:
        assert f"{cell.value:.4f} [{cell.low:.4f}, {cell.high:.4f}]" in text
        assert "20 bootstrap resamples of segments, seed 7." in text
        assert "flat vs. Human Avg.: x: the metric is constant; y: the metric is constant." in text


@pytest.mark.parametrize("form", FORMATS)
def test_cells_that_are_not_correlations(form):
    """Each style as the paper prints it; marks have a column of their own for programs."""
    settings = CorrelationSettings(bootstrap=0)
    cells = (
        LayoutCell(12.345, "score"),
        LayoutCell(1234.4, "count"),
        LayoutCell(0.635, "percent", 0.5, 0.75),
        LayoutCell(0.704, "agreement"),
        LayoutCell(0.004, "mark", mark="◁◁"),
        None,
    )
    columns = tuple(f"c{i}" for i in range(6))
    table = Layout("T", columns, (LayoutRow("one", cells),), ("A note.",), settings)
    text = render_layout(table, form)
    if form == "json":
        content = json.loads(text)
        assert [cell["value"] for cell in content["cells"]] == [
            12.345,
            1234.4,
            0.635,
            0.704,
            0.004,
            None,
        ]
        assert [cell["mark"] for cell in content["cells"]] == ["", "", "", "", "◁◁", ""]
    elif form == "tsv":
        assert text.splitlines()[5] == "one\tc4\t0.004\t\t\t\t◁◁"
    else:
        shown = ("12.35", "1,234", "63.5", "0.70", "◁◁", "N/A")
        places = [text.index(part) for part in shown]
        assert places == sorted(places)
        assert "A note." in text
        assert "brackets" not in text


def test_intervals_by_documents_are_explained():
    settings = CorrelationSettings(view="system", test="documents", documents=Documents(12, 3, 5))
    row = LayoutRow("one", (LayoutCell(0.5, "agreement", 0.4, 0.6),))
    text = render_layout(Layout("T", ("c",), (row,), (), settings))
    assert "0.50 [0.40, 0.60]" in text
    assert "mean over 3 documents of 12 segments, seed 5; brackets: 95% interval by Student's t" in text


@pytest.mark.parametrize("form", FORMATS)
def test_curves(judged, form):
    settings = CorrelationSettings(test="none", bootstrap=40)
    drawn = curve(judged, "over_all", BLEU(), [0, 1, 2], settings, repetitions=2)
    text = render_curve(drawn, form)
    assert "nan" not in text.lower()
    point = drawn.points[0]
    if form == "json":
        content = json.loads(text, parse_constant=pytest.fail)
        assert content["points"][0] == dataclasses.asdict(point)
        assert (content["metric"], content["view"]) == ("bleu", "pooled")
    elif form == "tsv":
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        assert [row["references"] for row in rows] == ["1", "2", "0", "1", "2"]
        assert [row["source"] for row in rows] == ["no", "no", "yes", "yes", "yes"]
        assert float(rows[0]["value"]) == point.value
        assert rows[1]["short"] == "12"
    else:
        assert f"{point.value:.3f} [{point.low:.3f}, {point.high:.3f}]" in text
        assert "Pearson of BLEU with over_all (segments, pooled)" in text
        assert "Brackets: 95% interval, bootstrap over segments and draws." in text


def test_matrix(results):
    text = render_correlations(results, matrix=True)
    p = results[0].differences[0].p_corrected
    assert re.search(rf"good_1 +\+{p:.3f}", text)
    assert re.search(rf"bad +-{p:.3f}", text)
    assert "corrected p of the row against the column; + where the row agrees better." in text
    assert "corrected p of the row" not in render_correlations(results)


def test_shares_are_not_rounded_away():
    from paragauge.report.tables.correlation_tables import _share

    assert [_share(part) for part in (None, 0.004, 0.5, 0.996, 1.0)] == [
        "0%",
        "under 1%",
        "50%",
        "over 99%",
        "100%",
    ]
