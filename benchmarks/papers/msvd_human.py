"""BLEU and PINC of human descriptions of videos, compared with Chen and Dolan (2011).

Section 5.1: "evaluating each human description as a paraphrase for the other descriptions in the
same cluster resulted in a BLEU score of 52.9 and a PINC score of 77.2". Here every description of
the test part of the Microsoft video description corpus is scored against all other descriptions of
its video: as references for BLEU, and one by one as sources for PINC, averaged.

Two things differ from the paper. It used only sentences of its best workers (tier 2, at most 31 and
on average 16 references); the public corpus does not say who wrote what and has all workers'
sentences, about 40 per video, including misspelled and partial ones. So the script also draws 16
descriptions of each video at random, to have as many references as the paper: BLEU grows with the
number of references, PINC does not depend on it.

    python -m benchmarks.papers.msvd_human [test.tsv.gz]
"""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.race import DATA
from paragauge import BLEU, PINC
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import ScoreSheet, score_batches
from paragauge.text.batch import Batch

WHY = """The paper used only sentences of its best workers, 16 references on average; the public corpus
has all workers' sentences, about 40 a video. More references raise BLEU; noisier sentences raise PINC
and, at the paper's number of references, lower BLEU."""
PAPER = {"bleu": 52.9, "pinc": 77.2}
FILE = DATA / "msvd" / "test.tsv.gz"


def clusters(path: Path) -> dict[str, list[str]]:
    """The descriptions of each video."""
    descriptions: dict[str, list[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            video, description = line.rstrip("\n").split("\t")
            descriptions.setdefault(video, []).append(description)
    return descriptions


def batches(groups: list[list[str]]) -> Iterator[Batch]:
    """One batch per video: each description against all the others."""
    first = 0
    for group in groups:
        if len(group) < 2:
            continue
        others = [group[:i] + group[i + 1 :] for i in range(len(group))]
        batch = Batch.of({"human": group}, sources=others, references=others)
        batch.first = first
        first += len(group)
        yield batch


def describe(title: str, groups: list[list[str]]) -> ScoreSheet:
    metrics: dict[str, Metric] = {"bleu": BLEU(), "pinc": PINC()}
    sheet = score_batches(batches(groups), metrics, bootstrap=1000)
    for label in metrics:
        score = sheet["human", label]
        print(
            f"| {title} | {score.name} | {score.value:.1f} [{score.low:.1f}, {score.high:.1f}] | "
            f"{PAPER[label]} | {sheet.segments:,} |"
        )
    return sheet


def main(path: Path) -> None:
    if not path.is_file():
        raise SystemExit(f"{path}: no such file; give the corpus's test.tsv.gz, or set PARAGAUGE_DATA")
    groups = list(clusters(path).values())
    rng = random.Random(7)
    sixteen = [rng.sample(group, min(17, len(group))) for group in groups]
    print("| descriptions | metric | here | paper | segments |\n|---|---|---:|---:|---:|")
    sheets = [describe("all", groups), describe("17 of each video (16 references)", sixteen)]
    print(f"\n{WHY}\n")
    for sheet in sheets:
        for score in sheet.scores:
            print(score.signature)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
