"""Race: MAXSIM and PEM from line to score, on one thread, against another build of the package.

    python -m benchmarks.races.maxsim_pem [--before PYTHON]

PYTHON is the interpreter of an environment with the build to compare with, such as a checkout of an
earlier commit. Both sides run in processes of their own, in turn, and must give the same scores, bit
for bit; a ratio below the wanted one ends the race with an error. Without it, only the present
speed is measured. Times are seconds of processor time, so that other work on the machine matters less;
they decide nothing.

- MAXSIM with tags and lemmas: all systems of newstest2012 from Czech;
- PEM: the pairs of PAWS-Wiki;
- MAXSIM of one pair of 1,000 different words each, of the Brown corpus, without a word in common.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.race import DATA, RESULTS
from paragauge import PEM, MaxSim

ROUNDS = 5
WORDS = 1000
LONGEST = 0.5  # wanted seconds for the pair of long lines
WANTED = {"maxsim": 2.5, "pem": 1.2, "long": None}
NAMES = {
    "maxsim": "MAXSIM with tags and lemmas, newstest2012 cs-en, 1 thread",
    "pem": "PEM, 8,000 pairs of PAWS-Wiki, 1 thread",
    "long": f"MAXSIM of a pair of {WORDS:,} words, none in common",
}


def read_lines(path: str) -> list[str]:
    with gzip.open(DATA / path, "rt", encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def score_maxsim() -> tuple[list[float], float]:
    texts = [json.loads(line) for line in read_lines("wmt12/cs-en.jsonl.gz")]
    references = [text["reference"] for text in texts]
    systems = [[text["systems"][name] for text in texts] for name in texts[0]["systems"]]
    metric = MaxSim()
    metric.segments(["warm"], references=["up"])
    start = time.process_time()
    scores = [metric.segments(system, references=references, threads=1) for system in systems]
    return np.concatenate(scores).tolist(), time.process_time() - start


def score_pem() -> tuple[list[float], float]:
    _, *rows = [line.split("\t") for line in read_lines("paws/dev.tsv.gz")]
    metric = PEM()
    metric.segments(["warm"], sources=["up"])
    start = time.process_time()
    scores = metric.segments([row[2] for row in rows], sources=[row[1] for row in rows], threads=1)
    return scores.tolist(), time.process_time() - start


def score_long_pair() -> tuple[list[float], float]:
    lines = read_lines("text/brown.txt.gz")
    words = sorted({word for line in lines for word in line.lower().split() if word.isalpha()})
    random.Random(3).shuffle(words)
    metric = MaxSim()
    metric.segments(["warm"], references=["up"])
    start = time.process_time()
    scores = metric.segments(
        [" ".join(words[:WORDS])], references=[" ".join(words[WORDS : 2 * WORDS])], threads=1
    )
    return scores.tolist(), time.process_time() - start


RUNS: dict[str, Callable[[], tuple[list[float], float]]] = {
    "maxsim": score_maxsim,
    "pem": score_pem,
    "long": score_long_pair,
}


def run_with(python: str, work: str) -> tuple[list[float], float]:
    """Scores and seconds of one run by another interpreter, which imports its own build."""
    command = [python, str(Path(__file__).resolve()), "--run", work]
    paths = {"PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PARAGAUGE_DATA": str(DATA)}
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=paths)
    scores, seconds = json.loads(done.stdout)
    return scores, seconds


def compare(before: str | None, rounds: int) -> None:
    records, slow = [], []
    for work, name in NAMES.items():
        times: dict[str, list[float]] = {"before": [], "now": []}
        for _ in range(rounds):
            scores, seconds = run_with(sys.executable, work)
            times["now"].append(seconds)
            if before is None:
                continue
            former, seconds = run_with(before, work)
            times["before"].append(seconds)
            if former != scores:
                raise SystemExit(f"{name}: not the same scores")
        now = statistics.median(times["now"])
        record: dict[str, Any] = {"work": name, "segments": len(scores), "seconds": now}
        line = f"{name}: {len(scores) / now:,.0f}/s ({now:.3f} s)"
        if before is not None:
            ratio = statistics.median(times["before"]) / now
            record["ratio"] = ratio
            wanted = f", wanted {WANTED[work]}x" if WANTED[work] else ""
            line += f"; before {statistics.median(times['before']):.3f} s: {ratio:.2f}x{wanted}"
        if work == "long":
            line += f"; wanted: {LONGEST} s"
        print(line, flush=True)
        records.append(record)
    for record, wanted in zip(records, WANTED.values(), strict=True):
        if before is not None and wanted is not None and record["ratio"] < wanted:
            slow.append(f"{record['work']}: {record['ratio']:.2f}, wanted {wanted}")
    save(records)
    if slow:
        raise SystemExit(f"ratios below those wanted: {'; '.join(slow)}")


def save(records: list[dict[str, Any]]) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "maxsim_pem.json").write_text(json.dumps(records, indent=2) + "\n")
    print("\nJSON: build/bench/maxsim_pem.json")


def main() -> None:
    parser = argparse.ArgumentParser(description="MAXSIM and PEM against another build")
    parser.add_argument("--before", help="interpreter with the build to compare with")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--run", choices=RUNS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    if arguments.run:
        print(json.dumps(RUNS[arguments.run]()))
        return
    compare(arguments.before, arguments.rounds)


if __name__ == "__main__":
    main()
