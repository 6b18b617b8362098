"""Parts that a metric always shows stand beside its score, and nothing changes for the others."""

from __future__ import annotations

import json

import pytest

from paragauge import PINC, PEMContext, compare, score
from paragauge.metrics.base import Metric
from paragauge.metrics.pem.features import PAPER as PARTS
from paragauge.metrics.pem.learned_parts import LEARNED
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.registry import METRICS
from paragauge.report.pages.report_page import render_report
from paragauge.report.pages.sections.stored_segments import Examples
from paragauge.report.tables.score_tables import render_comparison, render_scores
from paragauge.text.batch import Batch

TITLES = ["pivot F1", "fluency (ln/token)", "target F1"]


@pytest.fixture(scope="session")
def pem(pem_folder) -> PEM:
    return PEM(model=str(pem_folder))


@pytest.fixture(scope="session")
def texts(pem_models) -> dict[str, list[str]]:
    good, bad = [pem_models.GOOD, "The dog barked."], [pem_models.BAD, ""]
    return {"sources": [pem_models.SOURCE, "The dog slept."], "good": good, "bad": bad}


@pytest.fixture(scope="session")
def sheet(pem, texts):
    return score(
        {"good": texts["good"], "bad": texts["bad"]},
        {"pinc": PINC(), "pem": pem},
        sources=texts["sources"],
        bootstrap=0,
    )


@pytest.fixture(scope="session")
def comparison(pem, texts):
    systems = {"bad": texts["bad"], "good": texts["good"]}
    return compare(
        systems, {"pem": pem, "pinc": PINC()}, sources=texts["sources"], bootstrap=50, randomization=50
    )


def test_only_pem_shows_parts():
    shown = [name for name, metric in METRICS.items() if metric.shown_parts]
    assert shown == ["pem", "pem-context"]
    for features in ("paper", "extended"):
        assert tuple(PEM(features=features).shown_parts) == PARTS
        assert list(PEM(features=features).shown_parts.values()) == TITLES
    assert tuple(PEM().shown_parts) == tuple(PEMContext.shown_parts) == LEARNED
    assert list(PEM().shown_parts.values()) == list(LEARNED)
    assert set(PEM.shown_parts) == {*PARTS, *LEARNED}
    assert dict(Metric.shown_parts) == {}


def test_units(pem, texts):
    """Both F1 from 0 to 100; fluency as the language model has it."""
    copied = pem.score(texts["sources"], sources=texts["sources"])
    assert (copied.parts["pivot_f1"], copied.parts["target_f1"]) == pytest.approx((100, 100))
    model = pem.open_model().resources.model
    assert copied.parts["fluency"] == pytest.approx(model.score(texts["sources"]).normalize().mean())


def test_text_and_markdown_and_latex(sheet):
    parts = sheet["good", "pem"].parts
    cells = [f"{parts[name]:.2f}" for name in PARTS]
    header, first, second = render_scores(sheet, "text").split("\n")[:3]
    assert header.split("  ")[-1].strip() == "target F1"
    assert all(title in header for title in TITLES)
    assert first.split()[-3:] == cells
    assert second.split()[-3:] == [f"{sheet['bad', 'pem'].parts[name]:.2f}" for name in PARTS]
    markdown = render_scores(sheet, "markdown").split("\n")
    assert markdown[0].startswith("| system | PINC | PEM")
    assert markdown[0].endswith(" | pivot F1 | fluency (ln/token) | target F1 |")
    assert markdown[2].endswith(f" | {' | '.join(cells)} |")
    latex = render_scores(sheet, "latex")
    assert "& pivot F1 & fluency (ln/token) & target F1 \\\\" in latex
    assert f"& {' & '.join(cells)} \\\\" in latex


def test_tsv_and_json(sheet):
    lines = [line.split("\t") for line in render_scores(sheet, "tsv").removesuffix("\n").split("\n")]
    assert lines[0][-3:] == list(PARTS)
    pinc, pem = lines[1:3]
    assert pinc[-3:] == ["", "", ""]
    assert [float(cell) for cell in pem[-3:]] == [sheet["good", "pem"].parts[name] for name in PARTS]
    record = json.loads(render_scores(sheet, "json"))["scores"][1]
    assert record["parts"] == sheet["good", "pem"].parts
    assert list(record["parts"]) == ["rating", *PARTS]


def test_two_metrics_with_parts_have_headings(pem, pem_folder, texts):
    both = {"pinc": PINC(), "pem": pem, "pem:features=paper": PEM(str(pem_folder), "paper")}
    sheet = score({"good": texts["good"]}, both, sources=texts["sources"], bootstrap=0)
    over, header, row = render_scores(sheet, "text").split("\n")[:3]
    assert over.split() == ["PEM", "PEM:features=paper"]
    assert header.count("score") == header.count("pivot F1") == 2
    assert "PINC" in header
    assert len(row.split()) == 1 + 1 + 2 * 4
    assert "| PEM: pivot F1 |" in render_scores(sheet, "markdown")


def test_parts_of_one_name_in_two_units_have_a_column_each(pem, texts):
    systems = {"bad": texts["bad"], "good": texts["good"]}
    metrics = {"pem": PEM(), "other": pem}
    both = compare(systems, metrics, sources=texts["sources"], bootstrap=0, randomization=20)
    header, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in render_comparison(both, "markdown").split("\n")
        if line.startswith("|") and "---" not in line
    ]
    assert header[3:9] == [*LEARNED, *TITLES]
    for row, label in zip(rows, ("pem", "pem", "other", "other"), strict=True):
        values = both.sheet["good" if row[1] == "good" else "bad", label].parts
        learned = [f"{values[name]:.2f}" for name in LEARNED] if label == "pem" else [""] * 3
        paper = [f"{values[name]:.2f}" for name in PARTS] if label == "other" else [""] * 3
        assert row[3:9] == [*learned, *paper]


def test_others_are_as_before(texts):
    bare = score({"a": texts["good"]}, [PINC()], sources=texts["sources"], bootstrap=0)
    assert render_scores(bare, "text").split("\n")[0].split() == ["system", "PINC"]
    assert render_scores(bare, "tsv").split("\n")[0].split("\t")[-1] == "signature"
    assert "(" not in str(bare.scores[0])


def test_comparison(comparison):
    header, *rows = render_comparison(comparison, "text").split("\n")[:5]
    assert all(title in header for title in TITLES)
    sheet = comparison.sheet
    for row, system in zip(rows[:2], ("bad", "good"), strict=True):
        for name in PARTS:
            assert f"  {sheet[system, 'pem'].parts[name]:.2f}" in row
    lines = [line.split("\t") for line in render_comparison(comparison, "tsv").split("\n")]
    assert lines[0][-6:] == [*PARTS, *(f"baseline_{name}" for name in PARTS)]
    assert [float(cell) for cell in lines[1][-6:]] == [
        sheet[system, "pem"].parts[name] for system in ("good", "bad") for name in PARTS
    ]
    assert lines[2][-6:] == [""] * 6
    assert "pivot F1 &" in render_comparison(comparison, "latex")


def test_score_as_text(pem, texts):
    score = pem.score(texts["good"], sources=texts["sources"])
    parts = score.parts
    assert str(score) == (
        f"{score.value:.2f} (pivot F1 {parts['pivot_f1']:.2f}, fluency {parts['fluency']:.2f}, "
        f"target F1 {parts['target_f1']:.2f}) {score.signature}"
    )


def test_report(parsed, pem, sheet, comparison, texts):
    metrics = {"pem": pem, "pinc": PINC()}
    examples = Examples(metrics)
    systems = {"bad": texts["bad"], "good": texts["good"]}
    batch = Batch.of(systems, sources=texts["sources"])
    stats = {(s, label): m.batch_stats(batch, s) for s in systems for label, m in metrics.items()}
    examples(batch, stats)
    seen = parsed(render_report(comparison.sheet, examples, comparison))
    # Of both systems in the table of scores, and of the one that is compared.
    assert seen.texts["dt"][:9] == 3 * TITLES
    parts = comparison.sheet["bad", "pem"].parts
    assert seen.texts["dd"][:3] == [f"{parts[name]:.2f}" for name in PARTS]
    assert seen.texts["dt"].count("pivot F1") == 3
    alone = parsed(render_report(comparison.sheet, examples))
    assert any("(pivot F1 " in text for text in alone.texts["li"])
