"""PPDB's human ratings as a PPDB 2.0 file, and everyday sentences to paraphrase with it.

The sample (Pavlick et al. 2015) has PPDB rules with mean ratings from 1 to 5. They are written as
`PPDB2.0Score`, which predicts them in the real resource; a pair with several labels has the mean.
`BelowTwo` is 1 for rules rated below 2: models give it no weight, and its value in an output counts
how many such rules were applied.
"""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.race import DATA

SAMPLE = DATA / "ppdb_human" / "ppdb-sample.tsv.gz"
BAD = 2.0
APART = 1.0
EVERYDAY = (
    "she is afraid of the big dog next door",
    "do you know how old the bridge is ?",
    "i could not find my coat this morning",
    "the company made more money than last year",
    "we should leave as soon as the rain stops",
    "he put the chair beside the window",
    "how fast can this ship go ?",
    "my sister married him in canada",
    "the problem is that the shop is closed on saturday",
    "they had a nice dinner with all our colleagues",
    "please excuse me , i must answer the phone",
    "the second path is shorter but not so safe",
    "maybe we can get a drink after work",
    "i have learned a lot from her",
    "his new book is about why people travel",
    "did you hear the latest news ?",
    "the captain could see the planes above the ship",
    "everything in the bedroom was full of dust",
    "it is kind of hard to open the box",
    "she eventually moved to a larger house",
    "how much money do we need for two days ?",
    "the children hide behind the house every evening",
    "what are you talking about ?",
    "the soldier was badly hurt in the war",
    "my mind was clear , but my hands were not",
    "he ought to prepare for the appointment right now",
    "the customers were satisfied with the support",
    "i am so sure that she goes to a secondary school",
    "despite the cold , they stayed out for less than six hours",
    "moreover , the area around the lake is quite common ground",
)


@dataclass(frozen=True)
class RatedPair:
    """Two rules for one phrase, the first of them rated higher by at least a point."""

    phrase: str
    better: str
    worse: str


def read_ratings() -> dict[str, dict[str, tuple[str, float]]]:
    """The label and the mean rating of each paraphrase of each phrase."""
    rows: dict[str, dict[str, list[tuple[str, float]]]] = {}
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as lines:
        for line in lines:
            score, label, source, target, _ = line.rstrip("\n").split("\t")
            rows.setdefault(source, {}).setdefault(target, []).append((label, float(score)))
    return {
        source: {
            target: (sorted(labels)[0][0], sum(score for _, score in labels) / len(labels))
            for target, labels in targets.items()
        }
        for source, targets in sorted(rows.items())
    }


def draw_pairs(
    ratings: Mapping[str, Mapping[str, tuple[str, float]]], size: int, seed: int = 7
) -> tuple[list[RatedPair], list[RatedPair]]:
    """Pairs to choose weights on, and `size` others to measure with, one pair for each phrase."""
    draw = np.random.default_rng(seed)
    pairs = []
    for phrase in draw.permutation(np.array(sorted(ratings), dtype=object)).tolist():
        scores = {target: score for target, (_, score) in sorted(ratings[phrase].items())}
        apart = [
            RatedPair(phrase, better, worse)
            for better, worse in itertools.permutations(scores, 2)
            if scores[better] - scores[worse] >= APART
        ]
        if apart:
            pairs.append(apart[int(draw.integers(len(apart)))])
    half = len(pairs) // 2
    return pairs[:half], pairs[half : half + size]


def write_ppdb(
    path: Path,
    ratings: Mapping[str, Mapping[str, tuple[str, float]]],
    pairs: Sequence[RatedPair] | None = None,
) -> Path:
    """Write all rules, or those of pairs, in PPDB 2.0's format."""
    rules = (
        [(pair.phrase, target) for pair in pairs for target in (pair.better, pair.worse)]
        if pairs is not None
        else [(source, target) for source, targets in ratings.items() for target in targets]
    )
    with path.open("w", encoding="utf-8") as out:
        for source, target in rules:
            label, score = ratings[source][target]
            features = f"PPDB2.0Score={score:.4f} BelowTwo={int(score < BAD)}"
            out.write(f"{label} ||| {source} ||| {target} ||| {features} ||| ||| Equivalence\n")
    return path
