"""Make the noise filters that come with the package, from crowd paraphrases with labels.

python tools/train_noise.py     the data is in ../shared/data, or where PARAGAUGE_DATA points
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from paragauge.collect.cluster_evidence import Clusters
from paragauge.collect.noise import FOLDER
from paragauge.collect.noise_features import DESCRIBED, NAMES, measure
from paragauge.collect.noise_train import train_table
from paraquality import noisy, read_paraquality
from race import DATA

ABOUT = "trained on 5,991 crowd paraphrases of 233 workers with labels; see MODEL_CARD.md"


def main() -> None:
    answers, labels = read_paraquality(DATA)
    bad = noisy(labels)
    trusted = Clusters(each for each, wrong in zip(answers, bad, strict=True) if not wrong)
    table = measure(answers, trusted)
    for name, features in (("english", NAMES), ("english-descriptions", DESCRIBED)):
        made = train_table(table, bad, features, ABOUT)
        made.save(FOLDER / f"{name}.json")
        print(f"{name}: {len(features)} features, threshold {made.threshold:.3f}")


if __name__ == "__main__":
    main()
