"""Race: corpus chrF, chrF++ and TER from plain files against sacreBLEU, processor time of one thread.

python -m benchmarks.races.chrf_ter [pairs for chrF] [pairs for TER]
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu

from benchmarks.data.corpus import read_lines, write_files
from benchmarks.race import race, report, require_equal
from paragauge import TER, ChrF
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import score_batches
from paragauge.text.corpus import Corpus

RACES: list[tuple[str, Metric, Any, float]] = [
    ("chrF", ChrF(), sacrebleu.metrics.CHRF, 40),
    ("chrF++", ChrF(word_order=2), partial(sacrebleu.metrics.CHRF, word_order=2), 40),
    ("TER", TER(), sacrebleu.metrics.TER, 30),
]


def with_sacrebleu(make: Any, candidates: Path, references: Path) -> float:
    return float(make().corpus_score(read_lines(candidates), [read_lines(references)]).score)


def with_paragauge(metric: Metric, candidates: Path, references: Path, threads: int = 1) -> float:
    corpus = Corpus({"c": candidates}, references=[references], threads=threads)
    sheet = score_batches(corpus.batches(), {"m": metric}, bootstrap=0, threads=threads)
    return sheet.scores[0].value


def require_equal_segments(
    work: str, metric: Metric, make: Any, candidates: Path, references: Path
) -> None:
    """Stop unless the statistics of every segment are sacreBLEU's."""
    ours, theirs = read_lines(candidates), read_lines(references)
    rows = make()._extract_corpus_statistics(ours, [theirs])
    stats = metric.stats(ours, references=theirs)[:, : len(rows[0])]
    if not np.array_equal(stats, np.array(rows, np.float64)):
        raise SystemExit(f"{work}: not the same statistics of segments")


def main(pairs: int, ter_pairs: int) -> None:
    results = []
    for work, metric, make, wanted in RACES:
        count = ter_pairs if work == "TER" else pairs
        with tempfile.TemporaryDirectory() as folder:
            files = write_files(Path(folder), count)
            require_equal_segments(work, metric, make, *files)
            ours, theirs = with_paragauge(metric, *files), with_sacrebleu(make, *files)
            require_equal(f"{work} and sacreBLEU's", ours, theirs, 1e-9)
            results.append(
                race(
                    f"corpus {work}, {count:,} pairs, 1 thread",
                    "sacreBLEU",
                    count,
                    theirs=partial(with_sacrebleu, make, *files),
                    ours=partial(with_paragauge, metric, *files),
                    wanted=wanted,
                    processor=True,
                )
            )
    report("chrf_ter", results)


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(numbers + [10_000, 5_000][len(numbers) :]))
