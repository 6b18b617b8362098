"""`paragauge report`: one file with everything, and nothing half-written."""

from __future__ import annotations

import importlib.util
import os

import pytest

from paragauge.report.drawing import png

SYSTEMS = ("copy", "edits", "rewrites")


@pytest.fixture
def command(examples):
    systems = [word for name in SYSTEMS for word in ("-c", examples / f"{name}.txt")]
    inputs = ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]
    return ["report", *inputs, *systems, "--bootstrap", 20, "--randomization", 20]


def test_everything_in_one_go(good, command, tmp_path):
    path = tmp_path / "report.html"
    assert good(*command, "-o", path) == f"{path}: 3 systems, 120 segments, BLEU, PINC\n"
    html = path.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "<h2>Differences from copy</h2>" in html
    assert "<h2>Scores by kind of segment</h2>" in html
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_the_command_is_in_it(good, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good(*command, "-b", "edits", "-o", "my report.html")
    html = (tmp_path / "my report.html").read_text(encoding="utf-8")
    words = "--bootstrap 20 --randomization 20 -b edits -o &#x27;my report.html&#x27;</code></pre>"
    assert words in html
    assert "<code>paragauge report -s " in html
    assert "<h2>Differences from edits</h2>" in html


def test_one_system(good, examples, tmp_path):
    path = tmp_path / "report.html"
    inputs = ["-s", examples / "sources.txt", "-c", examples / "edits.txt", "--bootstrap", 0]
    assert good("report", *inputs, "-o", path) == f"{path}: 1 system, 120 segments, PINC\n"
    assert "Differences" not in path.read_text(encoding="utf-8")


def test_fewer_segments_to_show(good, command, tmp_path):
    path = tmp_path / "report.html"
    good(*command, "-o", path, "--max-segments", 7)
    assert "From the first 7 of 120 segments." in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "other", [["score"], ["compare", "--randomization", 20]], ids=["score", "compare"]
)
def test_other_commands_write_the_same_page(good, command, tmp_path, other):
    path = tmp_path / "report.html"
    good(*other, *command[1:-2], "--html", path, "--max-segments", 7)
    html = path.read_text(encoding="utf-8")
    assert "<h2>All segments</h2>" in html
    assert f"<code>paragauge {other[0]} " in html
    assert "From the first 7 of 120 segments." in html


def test_same_input_same_bytes(good, command, tmp_path, monkeypatch):
    pages = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        good(*command, "-o", "report.html", "--threads", len(pages) + 1)
        text = (tmp_path / folder / "report.html").read_text(encoding="utf-8")
        pages.append(text.replace(f"--threads {len(pages) + 1}", ""))
    assert pages[0] == pages[1]


def test_plots(good, command, tmp_path):
    path, folder = tmp_path / "report.html", tmp_path / "plots"
    printed = good(*command, "-o", path, "--plots", folder, "--theme", "dark")
    names = sorted(file.name for file in folder.iterdir())
    assert {"plane.svg", "scores-bleu.svg", "significance-pinc.svg", "length-bleu.svg"} <= set(names)
    assert printed.endswith(f"{folder}: {len(names)} plots (svg)\n")
    assert "#14171b" in (folder / "plane.svg").read_text(encoding="utf-8")


@pytest.mark.skipif(
    importlib.util.find_spec("resvg_py") is None,
    reason="resvg_py is NOT installed, so PNG plots are NOT tested; pip install '.[test]'",
)
def test_plots_as_png(good, command, tmp_path):
    good(*command, "-o", tmp_path / "report.html", "--plots", tmp_path, "--plot-format", "png")
    assert (tmp_path / "plane.png").read_bytes().startswith(b"\x89PNG")


def test_errors(fails, command, tmp_path, examples):
    out = ["-o", tmp_path / "report.html"]
    assert fails(*command) == "Missing option '--output' / '-o'."
    assert fails(*command, *out, "-b", "edit") == (
        "unknown system 'edit'; did you mean 'edits'? known: copy, edits, rewrites"
    )
    assert fails(*command, *out, "--theme", "dark") == (
        "--theme needs --plots; give it too, or leave --theme out"
    )
    assert fails(*command, *out, "--plots", tmp_path, "--theme", "drak").startswith(
        "unknown theme 'drak'; did you mean 'dark'?"
    )
    assert fails(*command, *out, "--plots", tmp_path, "--plot-format", "pdf").startswith(
        "unknown plot format 'pdf'"
    )
    assert fails(*command, *out, "--plots", tmp_path / "no" / "plots") == (
        f"{tmp_path / 'no' / 'plots'}: its folder {tmp_path / 'no'} does not exist; make it first"
    )
    source = examples / "sources.txt"
    assert fails(*command, *out, "--plots", source) == (
        f"{source}: expected a folder, found a file; choose another name"
    )
    assert fails(*command, "-o", source) == (
        f"--output {source}: the file is an input too; choose another name"
    )
    assert "--max-segments" in fails(*command, *out, "--max-segments", 0)
    assert "does not exist; make it first" in fails(*command, "-o", tmp_path / "no" / "report.html")


@pytest.mark.parametrize("name", ["score", "compare"])
def test_segments_to_show_need_a_report(fails, command, name):
    assert fails(name, *command[1:-2], "--max-segments", 5) == (
        "--max-segments needs --html; give it too, or leave --max-segments out"
    )


def test_a_missing_resvg_is_found_at_once(fails, command, tmp_path, monkeypatch):
    monkeypatch.setattr(png.importlib.util, "find_spec", lambda name: None)
    options = ["-o", tmp_path / "report.html", "--plots", tmp_path, "--plot-format", "png"]
    assert fails(*command, *options).startswith(
        "resvg_py, which draws PNG, is not installed; run: pip install"
    )


def test_a_bad_line_leaves_the_old_report(fails, command, tmp_path, examples):
    path = tmp_path / "report.html"
    path.write_text("old")
    lines = (examples / "edits.txt").read_text(encoding="utf-8").split("\n")
    (tmp_path / "short.txt").write_text("\n".join(lines[:50]) + "\n", encoding="utf-8")
    fails(*command, "-c", tmp_path / "short.txt", "-o", path, "--plots", tmp_path / "plots")


@pytest.mark.skipif(os.name != "posix", reason="names are text on this system")
def test_a_command_that_is_no_text(good, command, tmp_path):
    path = os.fsdecode(bytes(tmp_path) + b"/\xff.html")
    good(*command, "-o", path)
    with open(path, encoding="utf-8") as report:  # noqa: PTH123  # the name is no text
        assert "\\udcff.html" in report.read()


def test_ratings_add_agreement_with_people(call, command, examples, tmp_path):
    path = tmp_path / "report.html"
    ratings = ["--ratings", examples / "ratings.tsv", "--criterion", "overall"]
    plots = ["--plots", tmp_path / "plots"]
    done = call(*command, *ratings, "-o", path, *plots, "--allow-missing")
    assert done.code == 0
    assert done.err.startswith(b"paragauge: left out: 2 systems of the ratings are not in the files: ")
    html = path.read_text(encoding="utf-8")
    assert "<h2>Agreement with people</h2>" in html
    assert "<h3>overall</h3>" in html
    assert "<h3>semantic</h3>" not in html
    assert (tmp_path / "plots" / "people-overall-bleu.svg").is_file()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--criterion", "overall"], "--criterion needs --ratings; give the ratings, or leave it out"),
        (["--ratings", "none.tsv"], "none.tsv: no such file; check the path"),
        (["--ratings", "RATINGS", "--criterion", "overall"], "2 systems of the ratings are not in the"),
        (["--decimal", ","], "--decimal needs --ratings; give it too, or leave --decimal out"),
        (["--ratings", "RATINGS", "-c", "-"], "--ratings reads the texts twice"),
    ],
)
def test_ratings_that_cannot_be_used(fails, command, examples, tmp_path, more, message):
    options = [examples / "ratings.tsv" if word == "RATINGS" else word for word in more]
    assert message in fails(*command, *options, "-o", tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_contrasts(good, fails, command, file, tmp_path):
    path = tmp_path / "report.html"
    good(*command, "--contrast", "english", "-o", path, "--plots", tmp_path / "plots")
    html = path.read_text(encoding="utf-8")
    assert "<h2>Does a metric notice a change of meaning?</h2>" in html
    assert "PINC prefers 1 of 15 other kinds of candidates to good paraphrases: unrelated." in html
    assert (tmp_path / "plots" / "contrasts.svg").is_file()
    pairs = file("mine.tsv", "source\tkind\tcandidate\na b\tfine\ta c\na b\tcopy\ta b\n")
    good(*command, "--contrast", pairs, "--good", "fine", "-o", path)
    assert "2 candidates." in path.read_text(encoding="utf-8")
    path.unlink()
    for more, message in (
        (["--good", "fine"], "--good needs --contrast; name a contrast set, or leave it out"),
        (["--contrast", "none.tsv"], "none.tsv: no such file; check the path"),
        (["--contrast", pairs], "unknown kind of candidate 'few-changes'"),
    ):
        assert fails(*command, *more, "-o", path).startswith(message)
    assert not path.exists()
