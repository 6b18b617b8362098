"""The Microsoft video description corpus as Chen and Dolan (2011) used theirs for paraphrasing.

They kept the sentences of their best workers: 28,785 for training and 3,367 for testing, some 16 of
each video. The public corpus does not say who wrote what and has about 40 of each, so 17 of each video
are drawn at random. Videos are divided into 90 % for training and 10 % for testing, and pairs and test
sets are made, by the code that exports what was collected (`paragauge collect export`).
"""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass
from pathlib import Path

from benchmarks.race import DATA
from paragauge.collect.corpus.clusters import Cluster, Sentence
from paragauge.collect.corpus.export_pairs import make_pairs, make_segments
from paragauge.collect.corpus.splits import Split, SplitPart

FOLDER = DATA / "msvd"
OF_EACH = 17
SEED = 7


@dataclass(frozen=True)
class Videos:
    """The clusters of the two parts."""

    train: list[Cluster]
    test: list[Cluster]

    def pairs(self, parallel: int | None) -> tuple[list[str], list[str]]:
        """Sources and targets: each training sentence with a number of parallel ones, or with all."""
        rows = [pair for cluster in self.train for pair in make_pairs(cluster, parallel, SEED)]
        return [source for source, _ in rows], [target for _, target in rows]

    def segments(self) -> tuple[list[str], list[list[str]]]:
        """Each test sentence as a source, and all sentences of its video, itself too, as references."""
        rows = [
            segment for cluster in self.test for segment in make_segments(cluster, include_source=True)
        ]
        return [source for source, _ in rows], [references for _, references in rows]


def read_videos(folder: Path = FOLDER, of_each: int = OF_EACH, seed: int = SEED) -> Videos:
    """The corpus: three files, whose own division is not the paper's and is not used."""
    if not folder.is_dir():
        raise SystemExit(f"{folder}: no such folder; set PARAGAUGE_DATA to the folder with msvd/")
    texts: dict[str, list[str]] = {}
    for name in ("train", "val", "test"):
        with gzip.open(folder / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                video, text = line.rstrip("\n").split("\t")
                texts.setdefault(video, []).append(text)
    rng = random.Random(seed)
    clusters = [
        Cluster(
            video, tuple(Sentence(video, text) for text in rng.sample(many, min(of_each, len(many))))
        )
        for video, many in sorted(texts.items())
    ]
    split = Split.of((cluster.item for cluster in clusters), seed=seed)
    return Videos(list(SplitPart(clusters, split, "train")), list(SplitPart(clusters, split, "test")))
