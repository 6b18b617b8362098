"""`paragauge rewrite run` and `explain`, and `--rewrite` of the commands that score."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.rewriter import Rewriter

REFERENCES = b"It is hard to say.\tHARD to say\nA big man.\n\n"
OUTPUT = b"It is difficult.\nA large dog.\nx\n"
NEW = "It is difficult to say.\tdifficult to say\nA large man.\n\n"


@pytest.fixture
def inputs(file):
    return "-r", file("refs.tsv", REFERENCES), "-c", file("out.txt", OUTPUT), "--rewrite", "wordnet"


def test_run(good, inputs, tmp_path):
    assert good("rewrite", "run", *inputs) == NEW
    target = tmp_path / "new.tsv"
    printed = good("rewrite", "run", *inputs, "--output", target)
    assert target.read_text(encoding="utf-8") == NEW
    assert printed.startswith("3 segments, 3 proposals: 3 accepted\nrewrite:wordnet-3.0|")


def test_run_equals_the_library(good, examples):
    arguments = "-r", examples / "references.tsv", "-c", examples / "rewrites.txt"
    text = good("rewrite", "run", *arguments, "--rewrite", "wordnet")
    references = [
        line.split("\t")
        for line in (examples / "references.tsv").read_text(encoding="utf-8").splitlines()
    ]
    outputs = (examples / "rewrites.txt").read_text(encoding="utf-8").splitlines()
    expected = Rewriter().run(references, outputs).references
    assert text == "".join("\t".join(group) + "\n" for group in expected)


def test_record(good, inputs, tmp_path):
    rows = [
        {"segment": 1, "reference": 1, "token": 3, "old": "hard", "new": "difficult"},
        {"segment": 1, "reference": 2, "token": 1, "old": "hard", "new": "difficult"},
        {"segment": 2, "reference": 1, "token": 2, "old": "big", "new": "large"},
    ]
    rows = [row | {"verdict": "accepted"} for row in rows]
    for name in ("a.tsv", "a.csv", "a.jsonl", "a.parquet"):
        good("rewrite", "run", *inputs, "--record", tmp_path / name)
    lines = (tmp_path / "a.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == list(rows[0])
    assert [line.split("\t") for line in lines[1:]] == [list(map(str, row.values())) for row in rows]
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines() == [
        line.replace("\t", ",") for line in lines
    ]
    text = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.splitlines()] == rows
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == rows


def test_empty_references_keep_their_places(good, file, tmp_path):
    lines = "\tIt is hard.\t\thard to say\nbig\t\n"
    arguments = "-r", file("r.tsv", lines), "-c", file("c.txt", "It is difficult.\nlarge dog\n")
    arguments = (*arguments, "--rewrite", "wordnet")
    expected = "\tIt is difficult.\t\tdifficult to say\nlarge\t\n"
    assert good("rewrite", "run", *arguments, "--record", tmp_path / "a.jsonl") == expected
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [(row["segment"], row["reference"]) for row in rows] == [(1, 2), (1, 4), (2, 1)]
    titles = [
        line
        for line in good("rewrite", "explain", *arguments, "--line", 1).splitlines()
        if "==" in line
    ]
    assert titles == ["== line 1, reference 2 ==", "== line 1, reference 4 =="]
    table = file("t.tsv", "a\tb\to\n\tIt is hard.\tdifficult it\n")
    columns = "--table", table, "-r", "a", "-r", "b", "-c", "o", "--rewrite", "wordnet"
    assert good("rewrite", "run", *columns) == "\tIt is difficult.\n"


def test_a_record_has_the_score_of_each_filter(good, inputs, tmp_path):
    good("rewrite", "run", *inputs[:4], "--rewrite", "lm", "--record", tmp_path / "a.jsonl")
    row = json.loads((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()[0])
    (name,) = [key for key in row if key.startswith("4gram-")]
    assert (row[name] >= 0) == (row["verdict"] == "accepted")


def test_nothing_to_record(good, file, tmp_path):
    arguments = "-r", file("r", b"a\n"), "-c", file("c", b"a\n"), "--rewrite", "wordnet"
    good("rewrite", "run", *arguments, "--record", tmp_path / "a.parquet")
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0


def test_run_takes_a_table(good, file):
    table = file("t.jsonl", b'{"r": ["It is hard.", "hard"], "o": "difficult"}\n')
    arguments = "--table", table, "-r", "r", "-c", "o", "--rewrite", "wordnet"
    assert good("rewrite", "run", *arguments) == "It is difficult.\thard\n"


def test_a_model_is_not_written_over(fails, file, tmp_path):
    ContextModel.default().save(model := tmp_path / "model.bin")
    before = model.read_bytes()
    texts = "-r", file("refs.txt", b"It is hard.\n"), "-c", file("out.txt", b"It is difficult.\n")
    chosen = "--rewrite", "context", "--rewrite-model", model
    specified = "-m", f"bleu:rewrite=context:rewrite_model={model}"
    explained = "--reference", "hard", "--candidate", "difficult"
    for command in (
        ("rewrite", "run", *texts, *chosen, "--output", model),
        ("rewrite", "explain", *explained, *chosen, "--html", model),
        ("score", *texts, *chosen, "--html", model),
        ("score", *texts, *specified, "--html", model),
    ):
        assert "the file is an input too; choose another name" in fails(*command)
        assert model.read_bytes() == before


def test_run_errors(fails, file, inputs, tmp_path):
    table = file("t.jsonl", b'{"r": ["It is\\thard."], "o": "difficult"}\n')
    arguments = "--table", table, "-r", "r", "-c", "o", "--rewrite", "wordnet"
    assert fails("rewrite", "run", *arguments, "-o", tmp_path / "n") == (
        "segment 1: a reference holds a tab or a line end, which separates references in the output; "
        "leave it out of the table"
    )
    assert fails("rewrite", "run", "-c", inputs[3], "--rewrite", "wordnet") == (
        "expected references to rewrite, found none; give -r"
    )
    assert "the file is an input too" in fails("rewrite", "run", *inputs, "-o", inputs[1])
    assert "the output of --output too" in fails(
        "rewrite", "run", *inputs, "-o", tmp_path / "x.tsv", "--record", tmp_path / "x.tsv"
    )
    assert fails("rewrite", "run", *inputs[:4], "--rewrite", "wordnt").startswith(
        "unknown rewriting method 'wordnt'; did you mean 'wordnet'?"
    )
    assert fails("rewrite", "run", *inputs[:4], "--rewrite", "lm", "--rewrite-model", "none.bin") == (
        "none.bin: no such file; check the path"
    )
    assert fails("rewrite", "run", *inputs, "--unknown", "accept") == (
        "--unknown needs a filter in --rewrite (encoder or context or lm or random); give it too, or "
        "leave --unknown out"
    )
    short = file("short.txt", b"a\n")
    assert "short.txt" in fails("rewrite", "run", "-r", short, *inputs[2:])


def test_explain(good, inputs, tmp_path):
    page = tmp_path / "why.html"
    text = good("rewrite", "explain", *inputs, "--line", 2, "--html", page)
    assert text == (
        "reference  A big man.\ncandidate  A large dog.\nrewritten  A large man.\n\n"
        "token 2: big -> large  accepted\n"
    )
    assert "<mark>large</mark>" in page.read_text(encoding="utf-8")
    titles = good("rewrite", "explain", *inputs, "--line", 1, "--line", 3)
    assert "== line 1, reference 2 ==" in titles
    assert titles.endswith("no substitution was proposed\n")


def test_explain_two_sentences(good):
    arguments = "--reference", "It is Hard.", "--candidate", "It is difficult.", "--rewrite", "lm"
    content = json.loads(good("rewrite", "explain", *arguments, "-f", "json"))
    (proposal,) = content["explanations"][0]["proposals"]
    assert (proposal["token"], proposal["old"], proposal["new"]) == (3, "Hard", "Difficult")
    assert content["explanations"][0]["rewritten"] in ("It is Hard.", "It is Difficult.")


def test_decisions_by_name(good, fails):
    texts = "--reference", "Such changes have taken place.", "--candidate", "Far from home."
    lm, texts = (*texts, "--rewrite", "lm"), (*texts, "--rewrite", "context")
    named = {
        name: json.loads(good("rewrite", "explain", *texts, "--decision", name, "-f", "json"))
        for name in ("paper", "swords")
    }
    verdicts = {
        name: [proposal["verdict"] for proposal in content["explanations"][0]["proposals"]]
        for name, content in named.items()
    }
    assert verdicts == {"paper": ["refused"], "swords": ["accepted"]}
    text = good("rewrite", "explain", *texts, "--decision", "paper", "--threshold", -3)
    assert "home  accepted" in text
    assert "@-3,0,0" in text
    assert fails("rewrite", "explain", *texts, "--decision", "sword").startswith(
        "unknown decision 'sword'; did you mean 'swords'? known: paper, "
    )
    assert fails("rewrite", "explain", *lm, "--decision", "paper") == (
        "rewrite=lm: decision is for context classifiers; leave it out, or add +context"
    )


def test_explain_errors(fails, inputs):
    assert fails("rewrite", "explain").endswith("found neither")
    both = "--reference", "a", *inputs
    assert fails("rewrite", "explain", *both).endswith("found both")
    assert fails("rewrite", "explain", "--reference", "a") == (
        "expected --reference and --candidate; --candidate is missing or empty"
    )
    assert fails("rewrite", "explain", *inputs) == (
        "expected --references, --candidates and --line; --line is missing or empty"
    )
    assert fails("rewrite", "explain", *inputs, "--line", 4).endswith(
        "expected a line from 1 to 3, found --line 4"
    )
    assert fails("rewrite", "explain", *inputs, "-f", "xml", "--line", 1).startswith("unknown format")


def test_score_on_rewritten_references(good, file, inputs, tmp_path):
    arguments = "-r", inputs[1], "-c", inputs[3], "-m", "bleu,bleu:rewrite=none", "--bootstrap", 0
    content = json.loads(good("score", *arguments, "--rewrite", "wordnet", "-f", "json"))
    rewritten = file("new.tsv", NEW.encode())
    by_hand = json.loads(
        good("score", "-r", rewritten, "-c", inputs[3], "-m", "bleu", "--bootstrap", 0, "-f", "json")
    )
    scores = {score["metric"]: score["value"] for score in content["scores"]}
    assert scores["bleu:rewrite=wordnet"] == by_hand["scores"][0]["value"] > scores["bleu"]


def test_compare_and_report_take_it(good, examples, tmp_path):
    arguments = ("-r", examples / "references.tsv", "-c", examples / "edits.txt", "-c")
    arguments = (*arguments, examples / "rewrites.txt", "-m", "bleu", "--rewrite", "wordnet")
    few = "--bootstrap", 10, "--randomization", 10
    assert "BLEU:rewrite=wordnet" in good("compare", *arguments, *few)


def test_score_errors(fails, inputs):
    assert fails("score", *inputs[2:4], "-s", inputs[1], "--rewrite", "wordnet").startswith(
        "rewrite: none of the metrics uses references"
    )
    assert fails("score", *inputs[:4], "--rewrite-model", "x") == (
        "--rewrite-model needs --rewrite; give it too, or leave the model out"
    )
    assert fails("score", *inputs[:4], "-m", "pinc:rewrite=wordnet").startswith(
        "PINC does not use references"
    )


def test_an_engine_scores_alike(good, tmp_path):
    import pyarrow as pa

    table = pa.table({"r": ["It is hard.", "A big man."], "o": ["It is difficult.", "A large dog."]})
    pq.write_table(table, tmp_path / "t.parquet")
    arguments = "--table", tmp_path / "t.parquet", "-r", "r", "-c", "o", "-m", "bleu"
    arguments = (*arguments, "--rewrite", "wordnet", "--bootstrap", 20)
    assert good("score", *arguments, "--engine", "local") == good("score", *arguments)
