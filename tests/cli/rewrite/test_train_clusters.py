"""`paragauge rewrite train brown` and `lsa` from the shell."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from paragauge.rewrite.thesauri.brown import BrownClusters
from paragauge.rewrite.thesauri.lsa import LSA

Run = Callable[..., CompletedProcess[bytes]]


def test_brown(run: Run, examples: Path, tmp_path: Path) -> None:
    done = run(
        *("rewrite", "train", "brown", examples / "sources.txt", "--clusters", 20),
        *("--min-count", 2, "-o", "x.paths"),
    )
    assert done.returncode == 0, done.stderr
    clusters = BrownClusters.open(tmp_path / "x.paths")
    assert clusters.clusters == 20
    assert done.stdout.decode().startswith(
        f"{clusters.name}: 20 clusters of {len(clusters.rows)} words, from "
    )
    piped = run(
        *("rewrite", "train", "brown", "-", "--clusters", 20, "--min-count", 2, "-o", "y.paths"),
        stdin=(examples / "sources.txt").read_bytes(),
    )
    assert piped.stdout == done.stdout
    assert (tmp_path / "x.paths").read_bytes() == (tmp_path / "y.paths").read_bytes()


def test_lsa(run: Run, examples: Path, tmp_path: Path) -> None:
    (tmp_path / "stops").write_text("dog\n\nThe\n", encoding="utf-8")
    done = run(
        *("rewrite", "train", "lsa", examples / "sources.txt", "--words", 200, "--features", 50),
        *("--dimensions", 10, "--top", 5, "--stop-words", "stops", "--vectors", "-o", "x.lsa"),
    )
    assert done.returncode == 0, done.stderr
    neighbors = LSA.open(tmp_path / "x.lsa")
    assert neighbors.vectors is not None
    assert neighbors.vectors.shape == (200, 10)
    assert re.fullmatch(
        rf"{neighbors.name}: 5 neighbors of each of 200 words, by 50 feature words, from [\d,]+ tokens "
        r"in 120 lines\n",
        done.stdout.decode(),
    )


@pytest.mark.parametrize("kind", ["brown", "lsa"])
def test_models_rewrite_references(kind: str, run: Run, examples: Path) -> None:
    text = examples / "sources.txt"
    assert run("rewrite", "train", kind, text, "-o", "model").returncode == 0
    done = run(
        *("score", "-r", text, "-c", examples / "edits.txt", "-m", "bleu"),
        *("--rewrite", kind, "--rewrite-model", "model", "--bootstrap", 0),
    )
    assert done.returncode == 0, done.stderr
    assert f"rewrite:{kind}-" in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("brown", "no.txt", "-o", "x"), "no.txt: no such file; check the path"),
        (("brown", "a.txt", "-o", "a.txt"), "--output a.txt: the file is an input too"),
        (("brown", "a.txt", "-o", "."), ".: expected a file, found a directory"),
        (("lsa", "a.txt", "-o", "no/x"), "no/x: its folder no does not exist; make it first"),
        (("lsa", "empty", "-o", "x"), "empty: expected text, one sentence per line, found none"),
        (("lsa", "a.txt", "--stop-words", "x", "-o", "x"), "--output x: the file is an input too"),
        (("lsa", "a.txt", "--weight", "idf", "-o", "x"), "unknown weight 'idf'; known: raw, log, sqrt"),
        (("brown", "a.txt", "--clusters", "0", "-o", "x"), "clusters: expected a whole number from 1"),
        (
            ("lsa", "a.txt", "--features", "1", "-o", "x"),
            (
                "dimensions: expected at most the number of features, 1, found 100; "
                "ask for fewer dimensions"
            ),
        ),
        (
            ("lsa", "a.txt", "--stop-words", "a.txt", "-o", "x"),
            "a.txt:1: expected one word per line, found 10 words; put each on a line of its own",
        ),
        (
            ("context", "a.txt", "--words", "a.txt", "-o", "x"),
            "a.txt:1: expected one word per line, found 10 words; put each on a line of its own",
        ),
        (("brown", "latin1", "-o", "x"), "latin1:1: expected UTF-8 text, found byte 0xe9"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...], message: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("a b a b a b a b a b\n", encoding="utf-8")
    (tmp_path / "empty").touch()
    (tmp_path / "latin1").write_bytes("é\n".encode("latin1"))
    before = sorted(path.name for path in tmp_path.iterdir())
    done = run("rewrite", "train", *arguments)
    assert done.returncode == 2
    error = done.stderr.decode()
    assert message in error
    assert error.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("kind", ["brown", "lsa"])
def test_one_of_everything(kind: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b a b a b a b a b\n", encoding="utf-8")
    few = ("--min-count", 1) if kind == "brown" else ("--dimensions", 1)
    done = run("rewrite", "train", kind, "a.txt", *few, "-o", "x")
    assert done.returncode == 0, done.stderr
    assert "10 tokens in 1 line" in done.stdout.decode()
    assert "1 lines" not in done.stdout.decode()
