"""`paragauge agree`: the layout of Liu et al. (2010), table 1, and all that stands around it."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
import scipy.stats

from paragauge.report.tables.score_tables import FORMATS

SYSTEMS = ("human1", "human2", "machine1", "machine2")


def ratings(judges=3, segments=300, controls=True):
    """Ratings of the shape in Liu et al. (2010): 300 sentences, four systems, three judges."""
    random = np.random.default_rng(4)
    quality = random.normal(np.array([4, 3.5, 2.5, 2]), 0.8, (segments, 4))
    values = np.clip(np.round(quality + random.normal(0, 0.8, (judges, segments, 4))), 1, 5)
    lines = ["segment\tsystem\tjudge\tfluency\toverall"]
    for judge in range(judges):
        name = f"Judge {'ABCDEFGHIJ'[judge]}"
        for segment in range(segments):
            for system, value in zip(SYSTEMS, values[judge, segment], strict=True):
                lines.append(f"{segment + 1}\t{system}\t{name}\t{6 - value:g}\t{value:g}")
            for system, value in (("copy", 2), ("random", 1), ("unigram", 1)) if controls else ():
                lines.append(f"{segment + 1}\t{system}\t{name}\t{value}\t{value}")
    return values, "\n".join(lines) + "\n"


@pytest.fixture
def table(file):
    return file("ratings.tsv", ratings()[1])


COMMAND = ["--criterion", "overall", "--exclude-systems", "copy,random,unigram", "--bootstrap", 50]


def test_table_1(good, table):
    """Pem-2010, table 1: lower triangle, sentence level and system level side by side."""
    values, _ = ratings()
    lines = good("agree", table, *COMMAND).split("\n")
    top = lines.index("Correlation between judges (Pearson)")

    def sentence(a, b):
        r = scipy.stats.pearsonr(values[a].ravel(), values[b].ravel()).statistic
        return f"{r:.4f}"

    def system(a, b):
        r = scipy.stats.pearsonr(values[a].mean(axis=0), values[b].mean(axis=0)).statistic
        return f"{r:.4f}"

    assert lines[top + 1 : top + 5] == [
        "         Sentence level    System level",
        "         Judge A  Judge B  Judge A  Judge B",
        f"Judge B  {sentence(0, 1)}   -        {system(0, 1)}   -",
        f"Judge C  {sentence(0, 2)}   {sentence(1, 2)}   {system(0, 2)}   {system(1, 2)}",
    ]


def test_table_1_in_latex(good, table):
    text = good("agree", table, *COMMAND, "-f", "latex")
    assert r" & \multicolumn{2}{c}{Sentence level} & \multicolumn{2}{c}{System level} \\" in text
    assert r" & Judge A & Judge B & Judge A & Judge B \\" in text


def test_table_1_in_markdown(good, table):
    text = good("agree", table, *COMMAND, "-f", "markdown")
    assert (
        "|  | Sentence level: Judge A | Sentence level: Judge B | System level: Judge A | "
        "System level: Judge B |" in text
    )


def test_all_criteria_by_default(good, table):
    content = json.loads(good("agree", table, "--bootstrap", 0, "-f", "json"))
    assert [one["criterion"] for one in content["criteria"]] == ["fluency", "overall"]
    assert content["controls"] is None
    assert content["settings"]["bootstrap"]["resamples"] == 0
    assert len(content["criteria"][0]["systems"]) == 7


@pytest.mark.parametrize("form", FORMATS)
def test_formats(good, table, form):
    text = good(
        "agree", table, "--positive", "copy", "--negative", "random", "--bootstrap", 20, "-f", form
    )
    assert text.endswith("\n")
    assert "nan" not in text.lower().split()


def test_tsv(good, table):
    text = good("agree", table, *COMMAND, "-f", "tsv")
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    kinds = {(row["statistic"], row["level"]) for row in rows}
    assert kinds == {
        ("pearson", "sentence"),
        ("pearson", "system"),
        ("agreement", ""),
        ("cohen", "none"),
        ("cohen", "linear"),
        ("cohen", "quadratic"),
        ("fleiss", ""),
        ("alpha", "nominal"),
        ("alpha", "ordinal"),
        ("alpha", "interval"),
    }
    first = next(row for row in rows if row["statistic"] == "pearson")
    assert (first["judge"], first["other"], first["n"]) == ("Judge A", "Judge B", "1200")
    assert float(first["low"]) < float(first["value"]) < float(first["high"])


def test_the_seed_and_threads(good, table):
    command = ["agree", table, *COMMAND, "-f", "json"]
    assert good(*command, "--threads", 1) == good(*command, "--threads", 2)
    assert good(*command, "--seed", 8) != good(*command)


def test_controls(good, file):
    values = {"A": (5, 1), "B": (4, 2), "C": (1, 4), "D": (5, 1)}
    lines = ["segment\tsystem\tjudge\toverall"]
    for judge, (best, worst) in values.items():
        for segment in range(2 if judge == "D" else 6):
            lines += [f"{segment}\tgood\t{judge}\t{best}", f"{segment}\tbad\t{judge}\t{worst}"]
            lines += [f"{segment}\ts{n}\t{judge}\t{(segment * n) % 4 + 1}" for n in range(3)]
    table = file("r.tsv", "\n".join(lines) + "\n")
    command = ["agree", table, "--positive", "good", "--negative", "bad", "--bootstrap", 0]
    text = good(*command)
    assert "== overall: 3 judges" in text
    assert (
        "Left out: C, who rated the positive control higher in 0% of 6 segments (30 ratings).\n" in text
    )
    assert "Controls on overall: good above bad\n" in text
    assert "Rule: a share (ties count half) of at least 0.75; judges with fewer than 5 segments" in text
    assert "== overall: 2 judges" in good(*command, "--drop-unchecked")
    assert "No judge was left out." in good(*command, "--threshold", "0.00001", "--least", 50)


def test_many_judges_are_summarized(good, file):
    table = file("r.tsv", ratings(judges=10, segments=12)[1])
    text = good("agree", table, "--criterion", "overall", "--bootstrap", 0)
    assert "Correlation between judges" not in text
    assert "45 pairs of judges, minus those without a value. TSV and JSON have each pair." in text


def test_undefined_is_a_dash_with_a_footnote(good, file):
    rows = [f"{i}\ts\t{judge}\t{3 if judge == 'B' else i}" for i in range(1, 5) for judge in "AB"]
    text = good("agree", file("r.tsv", "\n".join(["segment\tsystem\tjudge\toverall", *rows, ""])))
    assert "B  - (1)           - (2)\n" in text
    assert "(1) B: the same value for all items.\n(2) fewer than 3 common systems.\n" in text


def test_repeats_missing_and_fine_scales(good, file):
    rows = [f"{i}\ts{i % 3}\t{judge}\t{i * 3}" for i in range(30) for judge in "AB"]
    rows += ["1\ts1\tA\t7", "2\ts2\tA\t7", "3\ts0\tA\t7", "9\ts0\tB\t"]
    table = file("r.tsv", "\n".join(["segment\tsystem\tjudge\tscore", *rows, ""]))
    text = good("agree", table, "--bootstrap", 0)
    assert "Judges against themselves: items rated more than once\n" in text
    assert "score: ratings without a value: 1.\n" in text
    assert "ratings of an item that the same judge had rated before: 3" in text
    assert "31 different ratings are no categories; cut them into bins.\n" in text
    text = good("agree", table, "--bootstrap", 0, "--bins", 3, "--z-normalize")
    assert "no categories" not in text
    assert "Categories: 3 equal parts of the range of the ratings.\n" in text
    assert "Correlations and interval alpha: ratings z-normalized for each judge.\n" in text


def test_columns(good, file):
    rows = [f"{i}\tx y\t{w}\t{i + int(w)}\tnote" for i in range(4) for w in "12"]
    table = file("r.txt", "\n".join(["id\tsys\tworker\tscore\tcomment", *rows, ""]))
    command = [
        "agree",
        table,
        "--table-format",
        "tsv",
        "--column",
        "segment=id",
        "--column",
        "system=sys",
    ]
    content = json.loads(good(*command, "--criteria", "score", "--separator", " ", "-f", "json"))
    (one,) = content["criteria"]
    assert one["systems"] == ["x", "y"]
    assert one["pairs"][0]["sentence"]["value"] == pytest.approx(1)


def test_rankings(good, file):
    rows = ["1\tA\tx\t1\ty\t2", "1\tB\tx\t1\ty\t2", "2\tA\tx\t2\ty\t1", "2\tB\tx\t1\ty\t1"]
    table = file("r.tsv", "\n".join(["segment\tjudge\tsystem1\trank1\tsystem2\trank2", *rows, ""]))
    text = good("agree", table, "--bootstrap", 0)
    assert "rank: equal ratings, kappa and alpha are of preferences between two candidates" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--column", "judge"], "--column judge: expected ROLE=NAME, for example judge=worker"),
        (["--column", "jugde=judge"], "unknown role of a column 'jugde'; did you mean 'judge'?"),
        (["--separator", ""], "--separator: expected at least one character, found none"),
        (["--criterion", "overal"], "unknown criterion 'overal'; did you mean 'overall'?"),
        (["--coefficient", "spaerman"], "unknown coefficient 'spaerman'; did you mean 'spearman'?"),
        (["--bins", "1"], "bins: expected a whole number from 2, found 1"),
        (["--level", "95"], "expected a level between 0 and 1, found 95.0"),
        (["-f", "jsn"], "unknown format 'jsn'; did you mean 'json'?"),
        (["--positive", "copy"], "expected at least one negative control, found none"),
        (
            ["--control-criterion", "overall"],
            "a criterion for the controls needs positive and negative",
        ),
        (["--exclude-systems", "copi"], "unknown system 'copi'; did you mean 'copy'?"),
        (["--system-means", "all"], "unknown kind of system means 'all'"),
    ],
)
def test_errors(fails, table, options, message):
    assert message in fails("agree", table, *options)


def test_one_judge(fails, file):
    table = file("r.tsv", ratings(judges=1, segments=3)[1])
    assert "expected at least two judges, found only 'Judge A'" in fails("agree", table)
    assert fails("agree", table, "--positive", "copy", "--negative", "random", "--least", 1) == (
        "the controls leave 1 of 1 judges, and agreement needs two; "
        "lower the threshold, or look at the controls"
    )
