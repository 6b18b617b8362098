"""Times of resampling: permutation tests of pairs of metrics, and soft pairwise accuracy.

The permutation tests of 45 pairs of metrics run on 50,000 segments. The peer is what the package did
for each pair before: two resamplings of both metrics' scores, which give the same numbers, checked
first. Soft accuracy runs on 16 systems x 1,000 segments with the interval, for metrics with few and
with many statistics.

    python -m benchmarks.races.resampling [segments] [pairs]
"""

from __future__ import annotations

import itertools
import random
import sys
import time

import numpy as np

from benchmarks.data.corpus import pairs as sentence_pairs
from benchmarks.race import Result, report
from paragauge import BLEU, TER, ChrF, Metric
from paragauge.kernels import _native
from paragauge.meta.correlation.soft_accuracy import SoftAccuracy
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.meta.sets.panel import panels

METRICS, DRAWS = 10, 1000
SYSTEMS, SEGMENTS = 16, 1000
WANTED = {"permutation": 20.0, "soft accuracy": 3.0}  # seconds


def random_scores(segments: int, seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Ratings, and scores of ten metrics that agree with them more or less."""
    draw = np.random.default_rng(seed)
    quality = draw.normal(size=segments)
    gold = np.round(50 + 10 * quality + draw.normal(0, 8, segments))
    return gold, np.stack([quality + draw.normal(0, 1 + 0.1 * m, segments) for m in range(METRICS)])


def exchange(name: str, one: np.ndarray, other: np.ndarray, gold: np.ndarray, draws: int) -> list:
    items = np.arange(len(gold))
    offsets = np.array([0, len(gold)])
    lists = _native.exchanged_correlations(one, other, gold, offsets, items, name, False, 7, draws, 0)
    return list(lists)


def resample_twice(name: str, one: np.ndarray, other: np.ndarray, gold: np.ndarray, draws: int) -> list:
    items = np.arange(len(gold))
    both, golds, coins = (np.concatenate(p) for p in ((one, other), (gold, gold), (items, items)))
    second = np.repeat([0, 1], len(gold)).astype(np.uint8)
    offsets = np.array([0, len(both)])
    return [
        _native.resampled_correlations(
            both, golds, offsets, coins, complement, name, "coin", False, 7, draws, 0
        )
        for complement in (second, 1 - second)
    ]


def race_permutations(name: str, segments: int, count: int) -> Result:
    gold, scores = random_scores(segments)
    chosen = list(itertools.combinations(scores, 2))[:count]
    few = 64
    start = time.perf_counter()
    theirs = resample_twice(name, *chosen[0], gold, few)
    peer = (time.perf_counter() - start) * DRAWS / few
    if not np.array_equal(theirs, exchange(name, *chosen[0], gold, few)):
        raise SystemExit(f"{name}: not the same numbers")
    start, busy = time.perf_counter(), time.process_time()
    for one, other in chosen:
        exchange(name, one, other, gold, DRAWS)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    work = f"permutation, {name}, {count} pairs of metrics, {segments:,} segments"
    wanted = WANTED["permutation"]
    print(f"{work}: {seconds:.1f} s, {busy:.1f} s of processors (wanted: {wanted:g} s)")
    each = seconds / count
    return Result(work, "two resamplings", count, 1 / peer, 1 / each, peer / each, None)


def time_soft_accuracy(metric: Metric) -> None:
    draw = random.Random(7)
    builder = Builder()
    texts = list(sentence_pairs(SEGMENTS))
    outputs = []
    for number in range(SYSTEMS):
        share = 0.05 + 0.03 * number
        outputs.append(
            [" ".join(w for w in left.split() if draw.random() > share) for left, _ in texts]
        )
    references = [right for _, right in texts]
    stats = [metric.stats(lines, references=references) for lines in outputs]
    for i in range(SEGMENTS):
        segment = builder.segment(str(i), references=[references[i]])
        for j in range(SYSTEMS):
            item = builder.item(segment, [f"system{j}"], outputs[j][i])
            builder.rating(item, "judge", {"rating": 100 - 3 * j + draw.gauss(0, 20)})
    del stats
    judged = builder.done().score_with({"metric": metric})
    panel = panels(judged, "rating", ["metric"])[0]
    chosen = SoftAccuracy()
    start, busy = time.perf_counter(), time.process_time()
    chosen.value(panel, panel.scores("metric"))
    value = time.perf_counter() - start
    chosen.resample_values(panel, panel.scores("metric"), Draws(1000))
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    work = f"soft accuracy, {metric.label}, {SYSTEMS} systems x {SEGMENTS:,} segments"
    wanted = WANTED["soft accuracy"]
    print(
        f"{work}: {value:.2f} s, with its interval {seconds:.2f} s, {busy:.2f} s of processors "
        f"(wanted: {wanted:g} s)"
    )


def main(segments: int, count: int) -> None:
    for metric in (BLEU(), ChrF(word_order=2), TER()):
        time_soft_accuracy(metric)
    report("resampling", [race_permutations(name, segments, count) for name in ("spearman", "kendall")])


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(numbers + [50_000, 45][len(numbers) :]))
