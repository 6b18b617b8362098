"""Race: BLEU and PINC of every segment, from plain files, against sacreBLEU plus pasted PINC.

The peer is what people do today: sacreBLEU's sentence_score in a loop, and the fastest of the PINC
functions that are pasted from paper to paper (sets of tuples, text split at spaces). The files hold
tokenized text, on which splitting at spaces and 13a give the same words, so that both sides compute
the same numbers.

    python -m benchmarks.races.segments [pairs]
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import sacrebleu

from benchmarks.data.corpus import read_lines, write_files
from benchmarks.race import race, report, require_equal
from paragauge import BLEU, PINC, tokenize
from paragauge.metrics.scoring import score_batches
from paragauge.text.batch import Batch
from paragauge.text.corpus import Corpus


def pasted_pinc(source: str, candidate: str, order: int = 4) -> float:
    """PINC as sets of tuples; orders that the candidate does not have are left out."""
    source_words, candidate_words = source.split(), candidate.split()
    shares = []
    for n in range(1, order + 1):
        old = set(zip(*(source_words[i:] for i in range(n)), strict=False))
        new = set(zip(*(candidate_words[i:] for i in range(n)), strict=False))
        if new:
            shares.append(1 - len(old & new) / len(new))
    return sum(shares) / len(shares) if shares else 0.0


def with_peers(candidates: Path, references: Path) -> tuple[list[float], list[float]]:
    metric = sacrebleu.metrics.BLEU(effective_order=True)
    left, right = read_lines(candidates), read_lines(references)
    bleu = [metric.sentence_score(c, [r]).score for c, r in zip(left, right, strict=True)]
    pinc = [pasted_pinc(r, c) for c, r in zip(left, right, strict=True)]
    return bleu, pinc


def with_paragauge(candidates: Path, references: Path, threads: int) -> dict[str, np.ndarray]:
    metrics = {"bleu": BLEU(), "pinc": PINC()}
    values: dict[str, list[np.ndarray]] = {label: [] for label in metrics}

    def keep(_: Batch, stats: dict[tuple[str, str], np.ndarray]) -> None:
        for (_system, label), rows in stats.items():
            values[label].append(metrics[label].segment_values(rows))

    corpus = Corpus({"c": candidates}, [references], [references], threads=threads)
    score_batches(corpus.batches(), metrics, bootstrap=0, threads=threads, observers=[keep])
    return {label: np.concatenate(parts) for label, parts in values.items()}


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), count)
        for file in files:
            lines = [" ".join(tokens) for tokens in tokenize(read_lines(file))]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        ours, (bleu, pinc) = with_paragauge(*files, threads=2), with_peers(*files)
        require_equal("sentence BLEU", float(np.abs(ours["bleu"] - bleu).max()), 0.0, 1e-9)
        require_equal("PINC", float(np.abs(ours["pinc"] / 100 - pinc).max()), 0.0, 1e-9)
        results = [
            race(
                f"BLEU and PINC of {count:,} segments, {threads} thread{'s' * (threads > 1)}",
                "sacreBLEU + pasted PINC",
                count,
                theirs=partial(with_peers, *files),
                ours=partial(with_paragauge, *files, threads=threads),
                wanted=60,
            )
            for threads in (1, 2)
        ]
    report("segments", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
