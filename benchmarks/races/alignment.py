"""Aligners against hand-aligned paraphrases: error rate with every heuristic, and time.

All pairs of the Edinburgh corpus (Cohn, Callison-Burch and Lapata 2008; train and test) and of MT
references are aligned together, in lowercase, English to English; each corpus is then scored by itself.
eflomal has no seed, so its results differ a little from run to run. The time for a bitext of ordinary
size is that of Tatoeba's English and French, tokenized by 13a.

    python -m benchmarks.races.alignment

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import Any

from benchmarks.race import DATA, RESULTS
from paragauge.align.aligner import Aligner, Alignment
from paragauge.align.eflomal import Eflomal, find_eflomal
from paragauge.align.error_rate import score_alignment
from paragauge.align.gold import GoldAlignment, read_gold_jsonl
from paragauge.align.links import Links
from paragauge.align.symmetrization import HEURISTICS
from paragauge.align.systran import Systran, has_systran
from paragauge.text.bitext import Bitext, read_bitext_tsv

CORPORA = {
    "Edinburgh": ("edinburgh/train.jsonl.gz", "edinburgh/test.jsonl.gz"),
    "MT references": ("mtref/dev.jsonl.gz",),
}
SHARES = ("aer", "precision", "recall", "f1")
OWN = "its own"


def aligners() -> list[Aligner]:
    installed: list[Aligner] = []
    for aligner, here, line in (
        (Eflomal(), find_eflomal() is not None, "pip install eflomal"),
        (Systran(), has_systran(), "pip install systran-align"),
    ):
        if here:
            installed.append(aligner)
        else:
            print(f"Without {aligner.name}: it is not installed; run: {line}\n")
    return installed


def align_timed(aligner: Aligner, bitext: Bitext) -> tuple[Alignment, float]:
    start = time.perf_counter()
    return aligner.align(bitext), time.perf_counter() - start


def symmetrize_links(alignment: Alignment) -> dict[str, Links]:
    if alignment.reverse is None:
        return {OWN: alignment.symmetrize()}
    return {heuristic: alignment.symmetrize(heuristic) for heuristic in HEURISTICS}


def read_hand_aligned() -> tuple[Bitext, dict[str, tuple[int, int, GoldAlignment]]]:
    """All pairs, the range of each corpus, and its gold links."""
    sources: list[str] = []
    targets: list[str] = []
    places = {}
    for name, files in CORPORA.items():
        first = len(sources)
        parts = [read_gold_jsonl(DATA / file) for file in files]
        for bitext, _ in parts:
            sources += bitext.source
            targets += bitext.target
        sure, possible = (
            Links.concatenate([getattr(gold, kind) for _, gold in parts])
            for kind in ("sure", "possible")
        )
        places[name] = first, len(sources), GoldAlignment(sure, possible)
    return Bitext.of(sources, targets, case="lower"), places


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    bitext, places = read_hand_aligned()
    large = read_bitext_tsv(DATA / "bitext" / "eng-fra.tsv.gz", tokenize=("13a", "13a"), case="lower")
    record: dict[str, Any] = {"pairs": len(bitext), "large": len(large), "scores": [], "seconds": {}}
    print("| aligner | heuristic | corpus | AER | precision | recall | F1 |")
    print("|---|---|---|---:|---:|---:|---:|")
    for aligner in aligners():
        alignment, seconds = align_timed(aligner, bitext)
        for heuristic, links in symmetrize_links(alignment).items():
            for corpus, (first, last, gold) in places.items():
                score = score_alignment(links[first:last], gold)
                row = {"aligner": aligner.name, "heuristic": heuristic, "corpus": corpus}
                shares = {name: getattr(score, name) for name in SHARES}
                record["scores"].append(row | shares | asdict(score))
                cells = [*row.values(), *(f"{100 * share:.2f}" for share in shares.values())]
                print(f"| {' | '.join(cells)} |")
        record["seconds"][aligner.name] = [seconds, align_timed(aligner, large)[1]]
    print(f"\n| aligner | {len(bitext):,} hand-aligned pairs | {len(large):,} English-French pairs |")
    print("|---|---:|---:|")
    for name, times in record["seconds"].items():
        print(f"| {name} | {times[0]:.1f} s | {times[1]:.1f} s |")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "alignment.json").write_text(json.dumps(record, indent=2) + "\n")
    print("\nJSON: build/bench/alignment.json")


if __name__ == "__main__":
    main()
