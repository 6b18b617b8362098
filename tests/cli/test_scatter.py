"""`paragauge scatter`: plots of ratings and metrics."""

from __future__ import annotations

import re

import pytest

ROWS = [
    *("1\ta\tA\t1\t2", "1\ta\tB\t1\t3", "1\tb\tA\t5\t5", "2\ta\tA\t2\t2", "2\tb\tA\t4\t4"),
    *("2\tc\tA\t\t4", "3\ta\tA\t1\t1", "3\tb\tA\t3\t4", "3\tc\tA\t5\t5"),
]


@pytest.fixture
def table(file):
    return file("r.tsv", "\n".join(["segment\tsystem\tjudge\tnew\toverall", *ROWS]) + "\n")


@pytest.fixture
def texts(file):
    sources = file("s.txt", "the cat sat\na dog ran\nit rains\n")
    words = ["-s", sources]
    for name in "abc":
        words += ["-c", file(f"{name}.txt", f"the {name} sat\na {name} ran\nit {name}\n")]
    return words


def test_two_criteria(good, table, tmp_path):
    """Candidate 2 of c has no rating on one of them; a's first has two judges."""
    plot = tmp_path / "p.svg"
    printed = good("scatter", table, "-x", "new", "-o", plot)
    assert re.fullmatch(
        rf"{re.escape(str(plot))}: 7 points\. Pearson r = 0\.9\d\d; line: least squares .*\n", printed
    )
    text = plot.read_text(encoding="utf-8")
    assert text.count("<circle") == 7
    assert ">new<" in text
    assert ">overall<" in text
    without = good("scatter", table, "-x", "new", "--no-fit", "--range", "1:2", "-o", plot)
    assert without.startswith(f"{plot}: 4 points. Pearson r = ")
    assert "line" not in without


def test_a_metric_and_systems(good, table, texts, tmp_path):
    plot = tmp_path / "p.svg"
    printed = good("scatter", table, *texts, "-m", "pinc", "--view", "system", "-o", plot)
    assert printed.startswith(f"{plot}: 3 systems, 8 candidates. Pearson r = ")
    text = plot.read_text(encoding="utf-8")
    assert [f">{name}<" in text for name in ("a", "b", "c", "PINC")] == [True] * 4
    two = good("scatter", table, *texts, "-m", "pinc,targetf1", "-x", "pinc", "-y", "new", "-o", plot)
    assert two.startswith(f"{plot}: 7 points. ")
    both = ("-m", "pinc,pinc:order=1", "-x", "pinc")
    condition = ("--where", "pinc:order=1<40", "-o", plot)  # all but line 3, whatever -m names
    expected = good("scatter", table, *texts, *both, *condition)
    assert expected.startswith(f"{plot}: 5 points. ")
    assert good("scatter", table, *texts, "-m", "pinc", *condition) == expected


def test_where_and_theme(good, table, tmp_path):
    words = ("scatter", table, "-x", "new", "--where", "new>=4", "--jitter", 0.1, "--theme", "dark")
    plots = [tmp_path / name for name in ("1.svg", "2.svg", "3.svg")]
    for plot, seed in zip(plots, (1, 1, 2), strict=True):
        printed = good(*words, "--seed", seed, "-o", plot)
        assert printed.startswith(f"{plot}: 3 points; moved by up to 0.1 to separate equal ones.")
    pictures = [plot.read_bytes() for plot in plots]
    assert pictures[0] == pictures[1] != pictures[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-x", "nwe"], "the ratings have no texts and no scores; give the files"),
        (
            ["-x", "new", "-y", "overal"],
            "unknown metric or criterion 'overal'; did you mean 'overall'?",
        ),
        (["-x", "overall"], "expected two different criteria or metrics, found 'overall' twice"),
        (["-x", "new", "--where", "new>9"], "have both new and overall, where new>9, found none"),
        (["-x", "new", "--view", "sistem"], "unknown view 'sistem'; did you mean 'system'?"),
        (["-x", "new", "--jitter", "-1"], "jitter: expected a number from 0 on, found -1"),
        (["-x", "new", "--view", "system", "--jitter", "1"], "--jitter has no effect with --view sys"),
        (["-x", "new", "--range", "4:9"], "segments 4:9: expected rated candidates, found none"),
        (["-x", "new", "-o", "p.pdf"], "p.pdf: expected a name that ends in .svg or .png"),
        (["-x", "new", "--theme", "drak"], "unknown theme 'drak'"),
    ],
)
def test_errors(fails, table, tmp_path, words, message):
    output = () if "-o" in words else ("-o", tmp_path / "p.svg")
    assert message in fails("scatter", table, *words, *output)


def test_which_metric(fails, table, texts, tmp_path):
    command = ("scatter", table, *texts, "-m", "pinc,targetf1", "-o", tmp_path / "p.svg")
    assert "because there are 2 metrics: pinc, targetf1; name one" in fails(*command)


def test_groups(good, fails, file, tmp_path):
    rows = [f"{g}\t{n}\ta\t{n}\t{5 - n}" for g in ("x", "y") for n in (1, 2, 3)]
    table = file("g.tsv", "\n".join(["group\tsegment\tsystem\tnew\toverall", *rows]) + "\n")
    words = ("scatter", table, "-x", "new", "-o", tmp_path / "p.svg")
    assert "expected one group, found x, y; choose one (--group)" in fails(*words)
    assert ": 3 points." in good(*words, "--group", "x")
