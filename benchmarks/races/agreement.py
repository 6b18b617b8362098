"""Race: agreement of metrics with people.

mt-metrics-eval is not on the package index (a project of that name there is something else), so it
cannot run here. The yardsticks are programs that do the same in this run: for tie calibration, plain
NumPy that tries one threshold (the search tries many); for permutations, SciPy's coefficient of each
draw's exchanged scores. Results are checked against them. The times of mt-metrics-eval that are printed
are from another machine and decide nothing.

    python -m benchmarks.races.agreement
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.race import Result, median_processor_time, median_time, report, require_equal
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.correlation import statistic
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.meta.sets.panel import Panel, panels

SYSTEMS, SEGMENTS, DRAWS = 12, 1000, 1000
# Seconds of mt-metrics-eval on another machine: tie calibration; 1,000 draws of PERM-BOTH, Pearson and
# Kendall.
RECORDED = {"calibration": 0.55, "pearson": 2.0, "kendall": 4.7}
SCIPY_DRAWS = 20
CALIBRATION_RATIO = 1.5
PERMUTATION_RATIO = {"pearson": 150.0, "kendall": 25.0}


def random_evalset(systems: int, segments: int, metrics: int, seed: int = 7) -> EvalSet:
    random = np.random.default_rng(seed)
    quality = random.normal(size=(segments, 1)) + random.normal(size=(segments, systems))
    ratings = np.round(50 + 10 * quality + random.normal(0, 8, quality.shape))
    builder = Builder()
    scores = [quality + random.normal(0, 1 + 0.1 * m, quality.shape) for m in range(metrics)]
    for i in range(segments):
        segment = builder.segment(str(i))
        for j in range(systems):
            item = builder.item(segment, [f"system{j}"])
            builder.rating(item, "judge", {"rating": float(ratings[i, j])})
            for m, values in enumerate(scores):
                builder.score(item, f"metric{m}", float(values[i, j]))
    return builder.done()


def plain_accuracy(panel: Panel, tie: float) -> float:
    """Pairwise accuracy with ties at one threshold, by a loop over pairs."""
    x, shares = panel.scores("metric0").values, []
    for segment in range(SEGMENTS):
        items = np.flatnonzero(panel.segment == segment)
        left, right = np.triu_indices(len(items), 1)
        change = x[items[left]] - x[items[right]]
        metric = np.where(np.abs(change) <= tie, 0, np.sign(change))
        human = np.sign(panel.gold[items[left]] - panel.gold[items[right]])
        shares.append(float(np.mean(metric == human)))
    return float(np.mean(shares))


def scipy_draws(
    function: Callable[..., Any], panel: Panel, one: Floats, two: Floats, draws: int
) -> None:
    """The coefficients of both metrics after each of some random exchanges of their scores."""
    random = np.random.default_rng(7)
    for _ in range(draws):
        exchanged = random.random(len(one)) < 0.5
        function(np.where(exchanged, two, one), panel.gold)
        function(np.where(exchanged, one, two), panel.gold)


def against(work: str, peer: str, slow: float, fast: float, wanted: float) -> Result:
    return Result(work, peer, 1, 1 / slow, 1 / fast, slow / fast, wanted)


def main() -> None:
    panel = panels(random_evalset(SYSTEMS, SEGMENTS, 2), "rating", ["metric0", "metric1"])[0]
    one, two = panel.scores("metric0"), panel.scores("metric1")
    size = f"{SYSTEMS} systems x {SEGMENTS:,} segments"
    results = []

    tuned = statistic("accuracy-tuned", "by-source")
    estimate = tuned.value(panel, one)
    tie = float(estimate.tie or 0.0)
    require_equal("accuracy", float(estimate.value or 0), plain_accuracy(panel, tie), 1e-9)
    for other in np.linspace(0, 4 * tie, 9):
        if plain_accuracy(panel, float(other)) > float(estimate.value or 0) + 1e-9:
            raise SystemExit(f"a threshold of {other} is better than {tie}")
    fast = median_processor_time(lambda: tuned.value(panel, one), 5)
    slow = median_processor_time(lambda: plain_accuracy(panel, tie), 3)
    work = f"tie-calibrated accuracy, {size}"
    results.append(against(work, "one threshold in NumPy", slow, fast, CALIBRATION_RATIO))
    for name, scipy_twin in (("pearson", stats.pearsonr), ("kendall", stats.kendalltau)):
        chosen = statistic(name, "pooled")
        value = float(chosen.value(panel, one).value or 0)
        require_equal(name, value, float(scipy_twin(one.values, panel.gold)[0]), 1e-9)
        call = partial(chosen.exchange_scores, panel, one, two, Draws(DRAWS))
        work = f"permutation of both inputs, {name}, {size}, {DRAWS:,} draws"
        few = partial(scipy_draws, scipy_twin, panel, one.values, two.values, SCIPY_DRAWS)
        slow = median_processor_time(few, 3) * DRAWS / SCIPY_DRAWS
        fast = median_processor_time(call, 5)
        results.append(against(work, "SciPy", slow, fast, PERMUTATION_RATIO[name]))
    report("agreement", results)
    recorded = ", ".join(f"{name} {seconds} s" for name, seconds in RECORDED.items())
    print(f"mt-metrics-eval, on another machine: {recorded}.")

    segments, metrics = 50_000, 10
    panel = panels(
        random_evalset(1, segments, metrics), "rating", [f"metric{m}" for m in range(metrics)]
    )[0]
    print(f"\n1,000 bootstrap resamples of {segments:,} segments x {metrics} metrics:")
    for name in ("pearson", "spearman", "kendall"):
        chosen = statistic(name, "pooled")

        def every(chosen: object = chosen) -> None:
            for m in range(metrics):
                chosen.resample_values(panel, panel.scores(f"metric{m}"), Draws(1000))  # type: ignore[attr-defined]

        print(f"- {name}: {median_time(every, 1):.1f} s")


if __name__ == "__main__":
    main()
