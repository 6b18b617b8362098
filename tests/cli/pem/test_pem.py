"""`paragauge pem`: train a model, use it, say what is in it."""

from __future__ import annotations

import importlib.util
import json
import random
import re

import pytest

SUBJECTS = {"the dog": "le chien", "a cat": "un chat", "my friend": "mon ami", "she": "elle"}
VERBS = {"sees": "voit", "likes": "aime", "wants": "veut", "buys": "achète"}
OBJECTS = {"the house": "la maison", "a book": "un livre", "bread": "du pain", "it": "cela"}
PAIRS = [
    (f"{s} {v} {o} .", f"{ss} {vv} {oo} .")
    for s, ss in SUBJECTS.items()
    for v, vv in VERBS.items()
    for o, oo in OBJECTS.items()
]
needed = ("sklearn", "duckdb")
pytestmark = [
    pytest.mark.usefixtures("systran_align"),
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in needed),
        reason=f"training needs {', '.join(needed)}",
    ),
]


@pytest.fixture
def bitext(file):
    return file("eng-fra.tsv", "".join(f"{a}\t{b}\n" for a, b in PAIRS))


@pytest.fixture
def rated(file):
    draw = random.Random(7)
    english = [a for a, _ in PAIRS]
    rows = ["source\tcandidate\tscore"]
    for source in draw.sample(english, 12):
        for other in draw.sample(english, 3):
            share = len({*source.split()} & {*other.split()}) / len({*source.split()})
            rows.append(f"{source}\t{other}\t{100 * share:.0f}")
    return file("rated.tsv", "\n".join(rows) + "\n")


@pytest.fixture
def command(bitext, rated, tmp_path):
    return [
        *("pem", "train", "--bitext", f"fra={bitext}", "--ratings", rated, "--column", "score"),
        *("--scale", "0:100", "--aligner", "systran", "--lm-discount-fallback", "--folds", 2),
        *("--least", 1, "-o", tmp_path / "model"),
    ]


def test_train_score_and_look(good, command, file, tmp_path):
    text = good(*command)
    lines = text.splitlines()
    assert [line.split("  ")[0] for line in lines[:6]] == [
        *("fra: align", "fra: phrases", "fra: pivot"),
        *("language model", "regression: paper", "regression: extended"),
    ]
    assert re.fullmatch(
        r"paper features: Pearson .* \[.*\] held out, .* without copies, .* with its own 36 ratings",
        lines[6],
    )
    model = tmp_path / "model"
    assert lines[-1] == f"saved to {model}; use: --metrics pem:model={model}"
    source = file("s.txt", "the dog sees a book .\n")
    candidate = file("c.txt", "a cat sees a book .\n")
    content = json.loads(
        good("score", "-s", source, "-c", candidate, "-m", f"pem:model={model}", "-f", "json")
    )
    (score,) = content["scores"]
    assert set(score["parts"]) == {"rating", "pivot_f1", "fluency", "target_f1"}
    assert "pivots:fra-" in score["signature"]
    again = good(*command)
    assert sum("kept" in line for line in again.splitlines()) == 6
    facts = json.loads(good("pem", "info", model, "-f", "json"))
    assert facts["scale"] == [0.0, 100.0]
    assert facts["about"]["settings"]["least"] == 1
    printed = good("pem", "info", model)
    assert "pivot fra" in printed
    table = good("pem", "info", model, "-f", "tsv")
    assert table.startswith("what\tvalue\ntext\ttok:13a|case:lower|stem:porter\n")
    assert good("pem", "info", model, "-f", "markdown").startswith("| PEM model | ")


def test_fit_anew(good, fails, command, rated, tmp_path):
    good(*command)
    base, mine = tmp_path / "model", tmp_path / "mine"
    fit = ["pem", "fit", "--model", base, "--ratings", rated, "--column", "score", "--scale", "0:100"]
    text = good(*fit, "--folds", 2, "--controls", "none", "-o", mine)
    assert text.splitlines()[-1] == f"saved to {mine}; use: --metrics pem:model={mine}"
    facts = [json.loads(good("pem", "info", folder, "-f", "json")) for folder in (base, mine)]
    assert facts[0]["fingerprints"] == facts[1]["fingerprints"]
    assert facts[0]["about"]["fits"] != facts[1]["about"]["fits"]
    assert (base / "lm.bin").read_bytes() == (mine / "lm.bin").read_bytes()
    assert "is the model itself; choose another name" in fails(*fit, "-o", base)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--bitext", "fra"], "--bitext fra: expected NAME=..., such as fra=..."),
        (["--scale", "5"], "--scale 5: expected LOW:HIGH, a smaller and a larger number"),
        (["--scale", "0:50"], "expected a score from 0 to 50, found "),
        (["--column", "scor"], "unknown column 'scor'; did you mean 'score'?"),
        (["--segmenter", "deu=13a"], "--segmenter deu: no --bitext has that name"),
        (["--segmenter", "fra=jeiba"], "pivot fra: unknown segmenter 'jeiba'"),
        (["--controls", "copi"], "unknown kind of control 'copi'; did you mean 'copy'?"),
        (["--lm-prune", "0,x"], "--lm-prune 0,x: expected whole numbers such as 0,0,1"),
        (["--stem", "portr"], "unknown stemmer 'portr'; did you mean 'porter'?"),
        (["--edge", "1.5"], "edge: expected a number from 0 to below 1, found 1.5"),
        (["-o", "a:b"], "--output a:b: expected a name without , and :"),
        (["--lm", "nothing.bin"], "nothing.bin: no such file"),
        (["--ratings", "nothing.tsv"], "nothing.tsv: no such file"),
    ],
)
def test_bad_input_is_one_line(fails, command, changed, change, message, tmp_path):
    error = fails(*changed(command, *change))
    assert message in error
    assert not (tmp_path / "model").exists()


def test_too_few_ratings(fails, command, changed, file):
    few = file("few.tsv", "source\tcandidate\tscore\na\tb\t1\n")
    assert "ratings: expected at least 10, found 1; rate more sentences" in fails(
        *changed(command, "--ratings", few)
    )


def test_output_that_is_a_file(fails, command, changed, file):
    assert "is a file; choose another name" in fails(*changed(command, "-o", file("taken", "x")))


def test_a_folder_that_is_no_model(fails, tmp_path):
    assert "expected a PEM model, found no model.json" in fails("pem", "info", tmp_path)


def test_help_without_a_command(good):
    assert "Train, fit and inspect models of PEM" in good("pem")
