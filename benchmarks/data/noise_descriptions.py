"""What `english-descriptions` flags: descriptions of videos, and descriptions of another video.

The filter that comes with the package was trained on msvd/train without labels, threshold included,
and is measured on msvd/val; no video is in both. Ten sentences of each video are judged, once for
their video and once for another, drawn by seed; of the video's other sentences 3, 5, 10 or all are
trusted. Intervals are bootstraps over videos.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.data.noise_measures import SEED, auc, interval
from benchmarks.race import DATA
from paragauge.collect.quality.cluster_evidence import TrustedClusters, sample_per_item
from paragauge.collect.quality.noise_filter import NoiseFilter
from paragauge.collect.tasks.written_answer import WrittenAnswer

JUDGED = 10
TRUSTED = {"3": 3, "5": 5, "10": 10, "all": None}


def descriptions() -> list[str]:
    """The table, line by line."""
    videos: dict[str, list[WrittenAnswer]] = defaultdict(list)
    with gzip.open(DATA / "msvd" / "val.tsv.gz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            video, text = line.rstrip("\n").split("\t")
            # The corpus does not name workers, so each sentence counts as a different worker's.
            videos[video].append(WrittenAnswer(text, video, str(number)))
    random = np.random.default_rng(SEED)
    names = list(videos)
    judged: list[WrittenAnswer] = []
    trusted: list[WrittenAnswer] = []
    for mine in videos.values():
        order = random.permutation(len(mine)).tolist()
        judged += [mine[i] for i in order[:JUDGED]]
        trusted += [mine[i] for i in order[JUDGED:]]
    moved = []
    for answer in judged:
        other = int(random.integers(len(names) - 1))
        item = names[other + (other >= names.index(answer.item))]
        moved.append(replace(answer, item=item))
    noise = NoiseFilter.shipped("english-descriptions")
    wrong = np.arange(2 * len(judged)) >= len(judged)
    lines = [
        "| trusted sentences an item | flagged in place | flagged when moved | AUC |",
        "|---|---:|---:|---:|",
    ]
    for name, most in TRUSTED.items():
        known = TrustedClusters(trusted if most is None else sample_per_item(trusted, most))
        verdicts = [*noise.judge(judged, known), *noise.judge(moved, known)]
        chances = np.array([verdict.probability for verdict in verdicts])
        flagged = np.array([verdict.noisy for verdict in verdicts])

        def measure(
            rows: NDArray[np.int64],
            chances: NDArray[np.float64] = chances,
            flagged: NDArray[np.bool_] = flagged,
        ) -> list[float]:
            bad = wrong[rows]
            return [
                float(flagged[rows][~bad].mean()),
                float(flagged[rows][bad].mean()),
                auc(chances[rows], bad),
            ]

        cells = interval([answer.item for answer in judged] * 2, measure)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    others = f"{len(trusted) / len(names):.0f} other sentences a video on average"
    return [*lines, "", f"{len(judged):,} descriptions of {len(names)} videos; {others}."]
