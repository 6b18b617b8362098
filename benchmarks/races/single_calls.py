"""Race: one pair at a time, as a notebook and a training loop call a metric.

The peers are sacreBLEU's `sentence_score` and the fastest of the PINC functions that are pasted from
paper to paper (sets of tuples, text split at spaces). The texts are tokenized, so that splitting at
spaces and 13a give the same words and both sides compute the same numbers; the scores of single
calls must also be those of one batch, bit for bit.

    python -m benchmarks.races.single_calls [pairs]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import sacrebleu

from benchmarks.data.corpus import read_lines, write_files
from benchmarks.race import race, report, require_equal
from benchmarks.races.segments import pasted_pinc
from paragauge import BLEU, PINC, tokenize


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), count)
        left, right = ([" ".join(tokens) for tokens in tokenize(read_lines(file))] for file in files)
    pairs = list(zip(left, right, strict=True))
    bleu, pinc, peer = BLEU(), PINC(), sacrebleu.metrics.BLEU(effective_order=True)

    def sacrebleu_calls() -> list[float]:
        return [peer.sentence_score(candidate, [other]).score for candidate, other in pairs]

    def bleu_calls() -> list[float]:
        return [bleu.sentence_score(candidate, references=[other]) for candidate, other in pairs]

    def pasted_calls() -> list[float]:
        return [pasted_pinc(other, candidate) for candidate, other in pairs]

    def pinc_calls() -> list[float]:
        return [pinc.sentence_score(candidate, source=other) for candidate, other in pairs]

    for name, calls, batch in (
        ("BLEU", bleu_calls(), bleu.segments(left, references=right)),
        ("PINC", pinc_calls(), pinc.segments(left, sources=right)),
    ):
        require_equal(f"{name}, single calls and a batch", float(np.abs(calls - batch).max()), 0.0, 0.0)
    theirs = np.array(sacrebleu_calls())
    require_equal("BLEU", float(np.abs(bleu_calls() - theirs).max()), 0.0, 1e-9)
    pasted = 100 * np.array(pasted_calls())
    require_equal("PINC", float(np.abs(pinc_calls() - pasted).max()), 0.0, 1e-9)
    results = [
        race(
            f"BLEU, {count:,} single calls",
            "sacreBLEU sentence_score",
            count,
            theirs=sacrebleu_calls,
            ours=bleu_calls,
            wanted=3,
        ),
        race(
            f"PINC, {count:,} single calls",
            "pasted PINC",
            count,
            theirs=pasted_calls,
            ours=pinc_calls,
            wanted=10,
        ),
    ]
    report("single_calls", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
