"""From a bitext to a scored phrase table, end to end: how long each step takes.

142,787 pairs of English and French (Tatoeba) are read, tokenized, aligned with grow-diag-final-and,
and phrases of up to four words are extracted, counted and scored.

    python -m benchmarks.races.pipeline

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from benchmarks.race import DATA, RESULTS
from paragauge.align.aligners import choose_aligner
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.text.bitext import BitextFiles


def main() -> None:
    path = DATA / "bitext" / "eng-fra.tsv.gz"
    if not path.is_file():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    seconds: dict[str, float] = {}
    last = start = time.perf_counter()

    def done(step: str) -> None:
        nonlocal last
        now = time.perf_counter()
        seconds[step], last = now - last, now
        print(f"{step}: {seconds[step]:.1f} s")

    bitext = BitextFiles(path, tokenize=("13a", "13a"), case="lower").read()
    done("reading and tokenizing")
    alignment = choose_aligner().align(bitext)
    done(f"aligning with {alignment.aligner}")
    links = alignment.symmetrize("grow-diag-final-and")
    done("grow-diag-final-and")
    with tempfile.TemporaryDirectory() as folder:
        table = extract_table(bitext, links, Path(folder) / "eng-fra", ExtractionSettings(max_length=4))
        done("extracting, counting and scoring phrases")
        pairs = len(table)
    total = time.perf_counter() - start
    print(f"{len(bitext):,} sentence pairs, {pairs:,} phrase pairs: {total:.1f} s in all")
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {"pairs": len(bitext), "phrase_pairs": pairs, "seconds": seconds, "total": total}
    (RESULTS / "pipeline.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
