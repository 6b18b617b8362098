"""What the encoder that ships loses against its float32 weights, and how its metrics agree with people.

- Segments: Pearson with the direct assessments of newstest2015 and newstest2016, mean over language
  pairs, with 95% intervals, for the shipped encoder; with a folder of the float32 weights, the same for
  these, converted by `paragauge.encode.convert_encoder`.
- Sentences: Pearson with the similarities of the STS benchmark's dev part.

    python -m benchmarks.papers.encoder [FOLDER]

FOLDER is that of all-MiniLM-L6-v2 (`tools/models/make_encoder.py` says where it comes from).
BERTScore's layer, 4, was chosen from 7 on newstest2015; nothing else was chosen on this data. The data
is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from benchmarks.race import DATA
from paragauge import BLEU, BERTScore, ChrF, Cosine
from paragauge.encode import convert_encoder
from paragauge.meta.correlation.correlation import correlate
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.metrics.base import Metric

YEARS = ("newstest2015", "newstest2016")
# The least values on newstest2015, newstest2016 and the STS benchmark.
WANTED = {"bertscore": (0.690, 0.625, None), "cosine": (None, None, 0.865)}
# What 8 bits may lose of any correlation.
MOST_LOSS = 0.005


def metrics(encoder: str) -> dict[str, Metric]:
    return {"bertscore": BERTScore(encoder=encoder), "cosine": Cosine(encoder=encoder)}


def sts(chosen: Mapping[str, Metric]) -> dict[str, float]:
    path = DATA / "stsb" / "dev.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    gold = np.array([float(row[2]) for row in rows])
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    return {
        name: float(np.corrcoef(metric.segments(first, references=second), gold)[0, 1])
        for name, metric in chosen.items()
    }


def main(folder: str | None) -> None:
    chosen = {"chrf++": ChrF(word_order=2), "bleu": BLEU()} | metrics("english")
    with tempfile.TemporaryDirectory() as temporary:
        if folder is not None:
            full = str(Path(temporary, "float32"))
            convert_encoder(folder, full, bits=32)
            chosen |= {f"{name}, float32": metric for name, metric in metrics(full).items()}
        columns: list[dict[str, tuple[float, str]]] = []
        for year in YEARS:
            judged = read_evalset(DATA / "wmt_da" / f"{year}.tsv.gz").score_with(chosen)
            columns.append(
                {
                    row.metric: (row.value or 0.0, f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]")
                    for row in correlate(judged, "human").rows
                }
            )
        columns.append({name: (value, f"{value:.3f}") for name, value in sts(chosen).items()})
    print(f"| metric | {' | '.join(YEARS)} | STS benchmark dev |\n|---|---:|---:|---:|")
    for name in chosen:
        print(f"| {name} | {' | '.join(column[name][1] for column in columns)} |")
    failed = []
    for name, least in WANTED.items():
        for column, bar in zip(columns, least, strict=True):
            value = column[name][0]
            if bar is not None and value < bar:
                failed.append(f"{name}: {value:.4f}, wanted {bar}")
            loss = column.get(f"{name}, float32", (value, ""))[0] - value
            if loss > MOST_LOSS:
                failed.append(f"{name}: loses {loss:.4f} in 8 bits")
    if failed:
        raise SystemExit("; ".join(failed))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
