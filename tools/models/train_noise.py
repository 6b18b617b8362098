"""Train the noise filters that come with the package.

`english` is trained on labeled crowd paraphrases, `english-descriptions` on unlabeled descriptions of
videos (Chen and Dolan 2011).

    python tools/models/train_noise.py

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.data.paraquality import noisy, read_paraquality
from benchmarks.race import DATA
from paragauge.collect.quality.noise_features import NAMES, measure_without_clusters
from paragauge.collect.quality.noise_filter import FOLDER
from paragauge.collect.quality.noise_training import (
    SIZES,
    stack_cluster_sizes,
    train_on_clusters,
    train_table,
)
from paragauge.collect.tasks.written_answer import WrittenAnswer

ABOUT = "trained on 5,991 crowd paraphrases of 233 workers with labels; see MODEL_CARD.md"


def main() -> None:
    answers, labels = read_paraquality(DATA)
    bad = noisy(labels)
    trusted = [answer for answer, wrong in zip(answers, bad, strict=True) if not wrong]
    table = stack_cluster_sizes(measure_without_clusters(answers), answers, trusted)
    filter_ = train_table(table, np.tile(bad, len(SIZES)), NAMES, ABOUT)
    filter_.save(FOLDER / "english.json")
    print(f"english: {len(filter_.names)} features, threshold {filter_.threshold:.3f}")
    with gzip.open(DATA / "msvd" / "train.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    # The corpus does not name workers, so each sentence counts as a different worker's.
    described = train_on_clusters(
        [WrittenAnswer(text, item, str(number)) for number, (item, text) in enumerate(rows)]
    )
    described.save(FOLDER / "english-descriptions.json")
    print(f"descriptions: {len(described.names)} features, threshold {described.threshold:.3f}")


if __name__ == "__main__":
    main()
