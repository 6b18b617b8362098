"""The pages on the five papers pass over no section, table, figure, numbered formula or footnote."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import paper_numbers
from benchmarks.papers.compression import rate_of, ratio_with_bounds
from paragauge import papers
from paragauge.generate.compression_pairs import CompressionSet
from paragauge.metrics.precis import PRECIS
from paragauge.metrics.resampling import Resampler, interval
from paragauge.report.papers.gallery import PAPERS

PAGES = Path(__file__).parents[1] / "docs" / "papers"

# What each paper has, by its numbers. Formulas without a number are named as their pages head them.
CONTENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "pem-2010": {
        "table": ("1", "2", "3"),
        "figure": ("1", "2", "3", "4", "5"),
        "equation": ("1", "2"),
        "formula": ("F1", "normalized language model", "target language F1", "RBF", "the best PEM"),
        "footnote": ("1", "2", "3"),
        "section": (
            "1",
            "2",
            "3",
            "4",
            "4.1",
            "4.2",
            "4.3",
            "4.4",
            "4.5",
            "5",
            "5.1",
            "5.2",
            "5.3",
            "6",
            "6.1",
        )
        + ("6.2", "7", "8"),
    },
    "pinc-2011": {
        "table": ("1", "2", "3", "4"),
        "figure": ("1", "2", "3", "4"),
        "equation": (),
        "formula": ("PINC",),
        "footnote": ("1", "2", "3", "4", "5"),
        "section": ("1", "2", "3", "3.1", "3.2", "3.3", "4", "5", "5.1", "5.2", "5.3", "6", "7"),
    },
    "maxsim-2008": {
        "table": ("1", "2", "3", "4"),
        "figure": ("1",),
        "equation": ("1",),
        "formula": ("METEOR", "sim-score", "the weight of an edge, S and Syn", "between relations"),
        "footnote": ("1", "2", "3", "4"),
        "section": (
            "1",
            "2",
            "2.1",
            "2.2",
            "2.3",
            "2.4",
            "3",
            "4",
            "4.1",
            "4.2",
            "5",
            "5.1",
            "5.1.1",
            "5.1.2",
            "5.2",
            "6",
        )
        + ("7",),
    },
    "paradigm-2014": {
        "table": ("1", "2", "3", "4", "5", "6", "7"),
        "figure": ("1", "2", "3", "4"),
        "equation": (),
        "formula": (),
        "footnote": ("1",),
        "section": (
            "1",
            "2",
            "2.1",
            "3",
            "4",
            "4.1",
            "4.2",
            "4.3",
            "5",
            "5.1",
            "5.2",
            "5.3",
            "5.4",
            "5.5",
            "5.6",
        )
        + ("6", "7"),
    },
    "kauchak-barzilay-2006": {
        "table": ("1", "2", "3", "4", "5", "6", "7", "8"),
        "figure": (),
        "equation": (),
        "formula": ("BLEU",),
        "footnote": ("1", "2", "3", "4", "5"),
        "section": ("1", "2", "3", "4", "4.1", "4.1.1", "4.1.2", "4.1.3", "4.2", "4.3", "5"),
    },
}


def missing(page: str, contents: dict[str, tuple[str, ...]]) -> list[str]:
    """What the paper has and the page has not: headings, and footnotes in bold."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    lines = "\n".join(headings)
    lacking = []
    for kind in ("table", "figure", "equation"):
        for number in contents[kind]:
            if not re.search(rf"\b{kind} {number}\b", lines, re.IGNORECASE):
                lacking.append(f"{kind} {number}")
    for name in contents["formula"]:
        if not any("ormula" in one and name in one for one in headings):
            lacking.append(f"formula {name}")
    notes = re.findall(r"\*\*Footnotes? ([^*]+)\*\*", page, re.IGNORECASE)
    numbers = {number for note in notes for number in re.findall(r"\d", note)}
    lacking += [f"footnote {number}" for number in contents["footnote"] if number not in numbers]
    sections = {
        number for one in headings for number in re.findall(r"(?:^|and |, )(\d(?:\.\d)*) ", one)
    }
    lacking += [f"section {number}" for number in contents["section"] if number not in sections]
    return lacking


def read_page(paper: str) -> str:
    return (PAGES / f"{paper}.md").read_text(encoding="utf-8")


def prose(page: str) -> str:
    """A page without its blocks of code, where a line may begin with a number sign."""
    return re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("paper", CONTENTS)
def test_a_page_passes_over_nothing(paper: str) -> None:
    assert missing(read_page(paper), CONTENTS[paper]) == []


def test_what_is_passed_over_is_found() -> None:
    page = read_page("pinc-2011")
    without = page.replace("### Table 3: ", "### ").replace("**Footnote 5**", "Footnote 5")
    without = without.replace("### 3.1 ", "### ").replace("### Formula: PINC", "### PINC")
    assert missing(without, CONTENTS["pinc-2011"]) == [
        "table 3",
        "formula PINC",
        "footnote 5",
        "section 3.1",
    ]


def test_every_paper_has_a_page_and_a_place_in_the_gallery() -> None:
    assert {page.stem for page in PAGES.iterdir()} == set(CONTENTS) == set(PAPERS)


@pytest.mark.parametrize("paper", CONTENTS)
def test_the_gallery_has_what_can_be_made(paper: str) -> None:
    """All tables, figures and numbered formulas; their demonstrations are on the page."""
    names = [item.name for item in papers(paper).items]
    assert len(set(names)) == len(names)
    for kind, prefix in (("table", "table"), ("figure", "figure"), ("equation", "formula")):
        for number in CONTENTS[paper][kind]:
            assert f"{prefix}-{number}" in names
    page = read_page(paper)
    for item in papers(paper).items:
        assert bool(item.demo) != bool(item.why_no_demo), item.name
        if item.demo:
            assert f"paragauge papers {paper} {item.name} --demo" in page


@pytest.mark.parametrize("paper", CONTENTS)
def test_every_table_says_what_was_published_and_why_ours_differs(paper: str) -> None:
    parts = re.split(r"^#+ (.+)$", prose(read_page(paper)), flags=re.MULTILINE)
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        if re.search(r"\btable \d", heading, re.IGNORECASE):
            assert "**Difference:**" in text, heading


def test_functions_exist() -> None:
    for item in papers().items:
        module, _, name = item.function.rpartition(".")
        assert callable(getattr(importlib.import_module(module), name, None)), item.function


def test_rows() -> None:
    sheet = papers("pem-2010", "table-1")
    assert [row["command"] for row in sheet.to_rows()] == ["meta --layout pem-1"]
    assert sheet.to_dict()["items"][0]["name"] == "table-1"
    assert "paragauge meta --layout pem-1" in repr(sheet)


def test_copied_figures_are_current() -> None:
    """Refresh with: python tools/docs/paper_numbers.py"""
    for page in PAGES.iterdir():
        text = page.read_text(encoding="utf-8")
        assert paper_numbers.refresh(text, {}) == text
        assert "<!-- /paper" not in re.sub(r"<!-- (paper_\w+) -->\n[^<]+<!-- /\1 -->", "", text)


def test_shares_get_intervals() -> None:
    assert paper_numbers.wilson(95, 100) == "[88.8, 97.8]"  # 0.95 ± by Wilson's formula
    assert paper_numbers.wilson(0, 10) == "[0.0, 27.8]"
    assert paper_numbers.with_shares(["| a | 95 (95.0%) | x |"], [100]) == [
        "| a | 95 (95.0% [88.8, 97.8]) | x |"
    ]


def test_shares_of_compression_grammars_have_the_same_gold_rules() -> None:
    """Another grammar with one label: its overlap by recall is that by precision, but for rounding."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in paper_numbers.compression()
    ]
    assert rows[0][8:10] == ["PARADIGM precision", "recall"]
    cell = re.compile(r"([\d.]+)% \[([\d.]+), ([\d.]+)\]")
    shares = {row[0]: [cell.fullmatch(row[column]) for column in (8, 9)] for row in rows[2:] if row[8]}
    numbers = {}
    for name, found in shares.items():
        values = [[float(number) for number in one.groups()] for one in found if one is not None]
        assert len(values) == 2, name
        assert all(low < value < high for value, low, high in values)
        numbers[name] = [value for value, *_ in values]
    rules = {row[0]: row[1].replace(",", "") for row in rows[2:]}
    gold = [
        int(rules[name]) * numbers[name][0] / numbers[name][1]
        for name in ("Bible Hiero", "Edinburgh Hiero")
    ]
    assert gold[0] == pytest.approx(gold[1], rel=0.01)


def test_figures_of_compression_have_intervals() -> None:
    for line in paper_numbers.compression()[2:]:
        name, rules, *figures = (cell.strip() for cell in line.strip("|").split("|"))
        bare = [cell for cell in figures if cell not in ("", "none") and not cell.endswith((")", "]"))]
        assert bare == [], (name, rules)


def test_ratios_have_intervals_on_the_resamples_of_scores() -> None:
    long, short = ["a b c d e", "a b c", "d e f g"] * 4, ["a b", "c", "d e f g"] * 4
    test = CompressionSet(tuple(long), tuple(short), tuple(range(12)), ((0, 1),) * 12)
    found, low, high = rate_of(short, test)
    precis = PRECIS(tokenize="none")
    resampler = Resampler(2, 1000, seed=7)
    resampler.add(precis.stats(short, sources=long, references=short)[:, -2:], 0)
    rates = resampler.scores(lambda sums: 100 * sums[:, 0] / sums[:, 1])
    assert found == pytest.approx(100 * 7 / 12)
    assert (low, high) == pytest.approx(interval(rates, 0.95))
    # Pairs without a parse have no length.
    assert ratio_with_bounds(np.array([[18.0, 2], [0, 0]])) == [9, 9, 9]


def test_the_examples_come_with_the_package() -> None:
    settings = tomllib.loads((PAGES.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    packages = settings["tool"]["scikit-build"]["wheel"]["packages"]
    assert packages == {"paragauge": "src/paragauge", "paragauge/examples": "examples"}
