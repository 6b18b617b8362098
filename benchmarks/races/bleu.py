"""Race: corpus BLEU from plain files, tokenization included, against sacreBLEU and bleuscore.

python -m benchmarks.races.bleu [pairs]
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

import bleuscore
import sacrebleu

from benchmarks.data.corpus import read_lines, write_files
from benchmarks.race import race, report, require_equal
from paragauge import BLEU
from paragauge.metrics.scoring import score_batches
from paragauge.text.corpus import Corpus


def with_sacrebleu(candidates: Path, references: Path) -> float:
    metric = sacrebleu.metrics.BLEU(force=True)
    return float(metric.corpus_score(read_lines(candidates), [read_lines(references)]).score)


def with_bleuscore(candidates: Path, references: Path) -> float:
    groups = [[line] for line in read_lines(references)]
    result = bleuscore.compute(
        references=groups, predictions=read_lines(candidates), max_order=4, smooth=False
    )
    return 100 * float(result["bleu"])


def with_paragauge(candidates: Path, references: Path, threads: int) -> float:
    corpus = Corpus({"c": candidates}, references=[references], threads=threads)
    sheet = score_batches(corpus.batches(), {"bleu": BLEU()}, bootstrap=0, threads=threads)
    return sheet.scores[0].value


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), count)
        ours = with_paragauge(*files, threads=2)
        require_equal("BLEU and sacreBLEU", ours, with_sacrebleu(*files), 1e-9)
        require_equal("BLEU and bleuscore", ours, with_bleuscore(*files), 1e-6)
        results = [
            race(
                f"corpus BLEU, {count:,} pairs, {threads} thread{'s' * (threads > 1)}",
                peer,
                count,
                theirs=partial(call, *files),
                ours=partial(with_paragauge, *files, threads=threads),
                wanted=wanted,
            )
            for peer, call, threads, wanted in (
                ("sacreBLEU", with_sacrebleu, 1, 60),
                ("sacreBLEU", with_sacrebleu, 2, 100),
                ("bleuscore", with_bleuscore, 2, 12),
            )
        ]
    report("bleu", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
