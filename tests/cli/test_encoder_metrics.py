"""Metrics with an encoder in every command that takes metrics."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.cli import main

SOURCES = ["A man is eating.", "The dog runs fast.", "It was cold today.", "She likes to sing."]
SYSTEMS = {
    "copy": SOURCES,
    "good": ["A guy eats.", "The puppy is running fast.", "Today was chilly.", "She enjoys singing."],
    "bad": ["A plane lands.", "The dog sleeps.", "", "Nobody sings here."],
}
REFERENCES = ["A guy is eating.", "The puppy runs quickly.", "Today was cold.", "She loves singing."]
METRICS = [
    *("cosine", "bertscore", "bert-ibleu", "parascore", "maxsim-context"),
    *("pem-context", "adequacy-context", "pem:adequacy=bertscore"),
]
# Metrics that need no references.
SEARCH = [
    "cosine:against=sources",
    "bertscore:against=sources",
    "bert-ibleu",
    "parascore",
    "maxsim-context:against=sources",
    "pem-context",
    "adequacy-context",
    "pem:adequacy=bertscore",
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    columns = {"sources": SOURCES, "references": REFERENCES, **SYSTEMS}
    for name, lines in columns.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ratings = {"copy": 2, "good": 4, "bad": 1}
    rows = [
        f"{number}\t{system}\t{rating + number % 2}"
        for system, rating in ratings.items()
        for number in range(1, 5)
    ]
    header = "segment\tsystem\toverall\n"
    (tmp_path / "ratings.tsv").write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    pq.write_table(pa.table(columns), tmp_path / "all.parquet")
    return tmp_path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, systran_align: None) -> Path:
    """A phrase-based model of four pairs."""
    folder = tmp_path_factory.mktemp("model")
    for name, lines in (("source.txt", SOURCES), ("target.txt", REFERENCES)):
        (folder / name).write_text("\n".join(lines * 4) + "\n", encoding="utf-8")
    words = ["generate", "train", "phrase", folder / "source.txt", folder / "target.txt"]
    words += ["-a", "systran", "-o", folder / "model"]
    words += ["--min-similarity", "0", "--min-count", "1", "--significance", "off"]
    words += ["--setting", "distortion=6"]  # more paraphrases than so few pairs have in order
    assert main.run([str(word) for word in words]) == 0
    return folder / "model"


def corpus(texts: Path) -> list[object]:
    inputs = ["-s", texts / "sources.txt", "-r", texts / "references.txt"]
    return [*inputs, *(word for name in SYSTEMS for word in ("-c", texts / f"{name}.txt"))]


def commands(texts: Path, metric: str) -> dict[str, list[object]]:
    """A command of each kind."""
    few = ["--bootstrap", 20, "-m", metric]
    columns = [word for name in SYSTEMS for word in ("-c", name)]
    table = ["--table", texts / "all.parquet", "-s", "sources", "-r", "references", *columns]
    judged = [texts / "ratings.tsv", *corpus(texts)]
    return {
        "score": ["score", *corpus(texts), *few, "-f", "json"],
        "score --engine": ["score", *table, *few, "-f", "json", "--engine", "local"],
        "compare": ["compare", *corpus(texts), *few, "--randomization", 50, "-f", "json"],
        "report": ["report", *corpus(texts), *few, "-o", texts / "report.html"],
        "meta": ["meta", *judged, *few, "--draws", 50, "-f", "json"],
        "curve": ["curve", *judged, *few, "--criterion", "overall", "--repetitions", 1, "-f", "json"],
    }


def check_output(good, command: list[object], vectors: Path) -> str:
    """The output, which neither threads nor a folder of vectors change; vectors are kept there."""

    def run(*options: object) -> str:
        out = good(*command, *options)
        page = vectors.parent / "report.html"
        if page.exists():  # the page has the command itself, whose options differ
            out = re.sub(r"(?s)<code>paragauge report.*?</code>", "", page.read_text(encoding="utf-8"))
        return out

    out = run("--threads", 1)
    vectors.mkdir()
    assert run("--threads", 2, "--cache", vectors) == out
    assert list(vectors.iterdir())
    assert run("--cache", vectors) == out
    return out


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", ["score", "score --engine", "compare", "report", "meta"])
def test_commands(good, texts, tmp_path, name, metric):
    out = check_output(good, commands(texts, metric)[name], tmp_path / "vectors")
    prefix = "adequacy_" if "adequacy=" in metric else ""
    assert f"|{prefix}fingerprint:" in out


@pytest.mark.parametrize("metric", ["cosine", "bertscore", "parascore:against=both", "maxsim-context"])
def test_curve(good, texts, tmp_path, metric):
    out = check_output(good, commands(texts, metric)["curve"], tmp_path / "vectors")
    assert json.loads(out)["metric"] == metric


@pytest.mark.parametrize("metric", METRICS)
def test_workers_give_the_scores_of_one_process(good, texts, metric):
    both = commands(texts, metric)
    one, workers = (json.loads(good(*both[name]))["scores"] for name in ("score", "score --engine"))
    assert one == workers


@pytest.mark.parametrize("metric", SEARCH)
def test_search(good, texts, model, tmp_path, metric):
    command = ["generate", "run", model, texts / "sources.txt", "--search", metric, "--budget", 20]
    out = check_output(good, command, tmp_path / "vectors")
    assert out.count("\n") == len(SOURCES)


@pytest.mark.parametrize("metric", ["cosine", "bertscore"])
def test_search_with_references_says_what_to_write(fails, texts, model, metric):
    assert fails("generate", "run", model, texts / "sources.txt", "--search", metric).endswith(
        "needs references, which a sentence to paraphrase does not have; compare with the source: "
        f"{metric}:against=sources"
    )


@pytest.mark.parametrize("option", ["--encoder", "--cache"])
def test_an_encoder_without_search(fails, texts, model, tmp_path, option):
    command = ["generate", "run", model, texts / "sources.txt", option, tmp_path]
    assert fails(*command) == f"{option} needs --search; give it too, or leave {option} out"


@pytest.mark.parametrize("metric", METRICS)
def test_tune(good, texts, model, tmp_path, metric):
    command = ["generate", "tune", model, texts / "sources.txt", "-r", texts / "references.txt"]
    command += ["-m", metric, "--iterations", 1, "--nbest", 5, "--least", 0, "-o", tmp_path / "w.tsv"]
    assert "fingerprint:" in check_output(good, command, tmp_path / "vectors")


def test_folders_that_are_none_say_what_to_do(fails, texts):
    command = commands(texts, "cosine")["score"]
    assert fails(*command, "--cache", "") == (
        "--cache: expected a folder, found ''; name one or leave out --cache"
    )
    assert fails(*command, "--encoder", texts / "sources.txt").endswith(
        "found none but a file; name the folder that it is in"
    )


def test_another_encoder_is_opened(fails, texts, model, tmp_path):
    # The folder is none; each command says so instead of using the encoder that ships.
    run = ["generate", "run", model, texts / "sources.txt", "--search", "bert-ibleu"]
    tune = ["generate", "tune", model, texts / "sources.txt", "-m", "bert-ibleu", "-o", tmp_path / "w"]
    inside = ["score", *corpus(texts), "-m", "pem:adequacy=bertscore"]
    for command in (*commands(texts, "cosine").values(), run, tune, inside):
        assert str(tmp_path / "none") in fails(*command, "--encoder", tmp_path / "none")
