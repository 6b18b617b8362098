"""The shipped constituency parser on trees it was not trained on.

Labeled F1 as evalb counts it, with an interval by 1,000 bootstrap resamples of sentences: the trees'
words, our own tags. Sentences per second on one thread, tagging included, the median of
several runs over all of gum-test; the size of the model and how long loading takes; the speed of
reading trees.

    python -m benchmarks.races.constituents

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json

import numpy as np

from benchmarks.race import DATA, RESULTS, median_time
from paragauge.syntax.constituents import ENGLISH, ChartParser
from paragauge.syntax.parseval import Parseval, f1_of, measure_parser
from paragauge.syntax.perceptron import join_words
from paragauge.syntax.tree_files import read_trees

FILES = {"gum-dev": "gum-dev.trees.tsv.gz", "gum-test": "gum-test.trees.tsv.gz"}
WANTED_F1 = 80.0
WANTED_SPEED = 200
LARGEST = 12.0
RESAMPLES = 1000


def interval(scores: Parseval, seed: int = 7) -> tuple[float, float]:
    """The range of the middle 95 % of resampled F1."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, len(scores.counts), (RESAMPLES, len(scores.counts)))
    values = [f1_of(scores.counts[row].sum(axis=0)) for row in rows]
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    parser = ChartParser.default()
    records = []
    print("| data | sentences | F1 | 95% interval | precision | recall | exact | tags |")
    print("|---|---:|---:|---|---:|---:|---:|---:|")
    for name, file in FILES.items():
        right = read_trees(DATA / "treebanks" / file, strip=True)
        quality = measure_parser(parser, right)
        scores, tags = quality.scores, 100 * quality.tags_correct / quality.words
        low, high = interval(scores)
        records.append({"data": name, "f1": scores.f1, "interval": [low, high], "tags": tags})
        cells = (scores.precision, scores.recall, scores.exact, tags)
        print(
            f"| {name} | {quality.sentences:,} | {scores.f1:.2f} | {low:.2f} to {high:.2f} | "
            + " | ".join(f"{cell:.2f}" for cell in cells)
            + " |"
        )
        if scores.f1 < WANTED_F1:
            raise SystemExit(f"expected F1 of {WANTED_F1:g} on {name}, found {scores.f1:.2f}")
    lines = join_words(list(right.words))
    speed = len(right) / median_time(lambda: parser.parse_lines(lines, threads=1), 5)
    print(f"\nOne thread, gum-test: {speed:,.0f} sentences/s; wanted {WANTED_SPEED}.")
    size = ENGLISH.stat().st_size / 1e6
    loading = median_time(lambda: ChartParser.load(ENGLISH), 5)
    print(f"Model: {size:.2f} MB (at most {LARGEST:g}), loaded in {1000 * loading:.0f} ms.")
    path = DATA / "treebanks" / "gum-train.trees.tsv.gz"
    nodes = len(read_trees(path).label)
    reading = nodes / median_time(lambda: read_trees(path), 5)
    print(f"Reading trees: {reading:,.0f} constituents/s from gzip.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {
        "parser": parser.name,
        "scores": records,
        "sentences_per_second": speed,
        "megabytes": size,
        "read_per_second": reading,
    }
    (RESULTS / "constituents.json").write_text(json.dumps(record, indent=2) + "\n")
    print("\nJSON: build/bench/constituents.json")


if __name__ == "__main__":
    main()
