"""How well the metric fluency agrees with people on the grammaticality of single sentences.

    python -m benchmarks.papers.fluency

GUG (Heilman et al. 2014): sentences of learners of English, rated from 1 to 4 by six people; Pearson
and Spearman correlation with the mean rating, with 95 % intervals (1,000 bootstrap draws). The part
`train` was looked at when features and settings were chosen, `dev` was not. ParaBank: paraphrases by
systems, rated from 0 to 2; AUC of telling those with a mean of at least 1.5 from the others, where 0.5
is chance. No model is trained on either.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import csv
import gzip
import time
from collections import defaultdict
from collections.abc import Callable

import numpy as np
from scipy.stats import rankdata

from benchmarks.race import DATA
from paragauge import Fluency
from paragauge.kernels.layout import Floats

METHODS = {"learned": Fluency(), "lm": Fluency(method="lm")}
DRAWS = 1000
ACCEPTABLE = 1.5
REPEATS = 20
RUNS = 5


def read_table(name: str) -> list[dict[str, str]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="\n") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def pearson(x: Floats, y: Floats) -> float:
    return float(np.corrcoef(x, y)[0, 1])


def spearman(x: Floats, y: Floats) -> float:
    return pearson(rankdata(x), rankdata(y))


def auc(values: Floats, labels: Floats) -> float:
    """The share of pairs of a good and a bad item in which the good one has the higher value."""
    good = labels > 0
    ranks = rankdata(values)
    pairs = good.sum() * (~good).sum()
    return float((ranks[good].sum() - good.sum() * (good.sum() + 1) / 2) / pairs)


def with_interval(measure: Callable[[Floats, Floats], float], x: Floats, y: Floats) -> str:
    rng = np.random.default_rng(7)
    draws = [measure(x[i], y[i]) for i in (rng.integers(0, len(x), len(x)) for _ in range(DRAWS))]
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{measure(x, y):.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    rows = read_table("gug/ratings.tsv.gz")
    print("| data | sentences | measure | learned | lm |\n|---|---:|---|---:|---:|")
    for part in ("train", "dev"):
        own = [row for row in rows if row["part"] == part]
        ratings = np.array([float(row["mean_1_4"]) for row in own])
        values = [metric.segments([row["sentence"] for row in own]) for metric in METHODS.values()]
        for name, measure in (("Pearson", pearson), ("Spearman", spearman)):
            cells = " | ".join(with_interval(measure, column, ratings) for column in values)
            print(f"| GUG {part} | {len(own):,} | {name} | {cells} |")
    judged = defaultdict(list)
    for row in read_table("parabank/ratings.tsv.gz"):
        judged[row["candidate"]].append(float(row["grammaticality_0_2"]))
    labels = np.array([float(np.mean(marks) >= ACCEPTABLE) for marks in judged.values()])
    values = [metric.segments(list(judged)) for metric in METHODS.values()]
    cells = " | ".join(with_interval(auc, column, labels) for column in values)
    print(f"| ParaBank | {len(judged):,} | AUC | {cells} |\n")
    many = [row["sentence"] for row in rows] * REPEATS
    for name, metric in METHODS.items():
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            metric.segments(many, threads=2)
            times.append(time.perf_counter() - start)
        print(f"{name}: {len(many) / min(times):,.0f} sentences a second, 2 threads, best of {RUNS}")


if __name__ == "__main__":
    main()
