"""Race: predictions of boosted trees against scikit-learn, which learned them.

Both sides predict from the same trees. scikit-learn takes its number of threads from OpenMP, which
reads it when a process starts, so the races with one thread and with two have a process each.

    python -m benchmarks.races.boosted_trees [rows]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from benchmarks.race import Result, race, report, require_equal
from paragauge.metrics.regression.boosted_trees import BoostedTrees

TREES, LEAVES, FEATURES, LEARNED = 300, 8, 120, 5000


def compete(count: int, threads: int) -> Result:
    from sklearn.ensemble import HistGradientBoostingRegressor

    random = np.random.default_rng(7)
    table = random.normal(size=(LEARNED, FEATURES))
    goals = table[:, :10].sum(axis=1) + np.sin(3 * table[:, 11]) * table[:, 12]
    machine = HistGradientBoostingRegressor(max_iter=TREES, max_leaf_nodes=LEAVES, early_stopping=False)
    machine.fit(table, goals)
    trees = BoostedTrees.from_scikit_learn([f"feature {i}" for i in range(FEATURES)], machine)
    rows = random.normal(size=(count, FEATURES))
    difference = np.abs(trees.predict(rows, threads) - machine.predict(rows)).max()
    require_equal("largest difference of predictions", float(difference), 0.0, 1e-12)
    noun = "thread" if threads == 1 else "threads"
    return race(
        f"{TREES} trees of {LEAVES} leaves, {count:,} rows x {FEATURES} features, {threads} {noun}",
        "scikit-learn",
        count,
        theirs=lambda: machine.predict(rows),
        ours=lambda: trees.predict(rows, threads),
    )


def main(count: int) -> None:
    try:
        import sklearn  # noqa: F401
    except ImportError:
        print("Without the peer: pip install scikit-learn")
        return
    results = []
    for threads in (1, 2):
        code = (
            "import dataclasses, json; from benchmarks.races.boosted_trees import compete; "
            f"print(json.dumps(dataclasses.asdict(compete({count}, {threads}))))"
        )
        environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, check=True
        )
        results.append(Result(**json.loads(done.stdout)))
    report("boosted_trees", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
