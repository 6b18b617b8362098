"""Brown clustering: the time for all of the text, and a race with brown-clustering from PyPI.

The peer compiles the same algorithm with Numba. It smooths counts, marks the ends of sentences and
closes the gap that a rare word leaves, so its clusters differ; both are measured by the average mutual
information of our bigrams that their clusters keep.

    python -m benchmarks.races.brown
    python -m benchmarks.races.brown --race     only the race, on part of the text

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.race import DATA, RESULTS, Result, report
from paragauge.kernels import _native
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.rewrite.thesauri.brown import BrownClusters
from paragauge.rewrite.thesauri.frequent_words import FrequentWords
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import tokenize

RACE_FILES, RACE_LINES, RACE_CLUSTERS, RACE_COUNT = ("abc.txt.gz", "bbc.txt.gz"), 2_000, 50, 5


def information(
    words: Sequence[str], bigrams: Mapping[tuple[str, str], int], cluster: Mapping[str, object]
) -> float:
    """Average mutual information of neighboring clusters, in nats."""
    cells: Counter[tuple[object, object]] = Counter()
    left: Counter[object] = Counter()
    right: Counter[object] = Counter()
    known = set(words)
    for (a, b), count in bigrams.items():
        if a in known and b in known:
            cells[cluster[a], cluster[b]] += count
            left[cluster[a]] += count
            right[cluster[b]] += count
    total = cells.total()
    return sum(n / total * math.log(n * total / (left[a] * right[b])) for (a, b), n in cells.items())


def whole(files: Sequence[Path]) -> dict[str, object]:
    """Train on everything with the settings of the paper."""
    start, work = time.perf_counter(), time.process_time()
    clusters = BrownClusters.train(files)
    seconds, processor = time.perf_counter() - start, time.process_time() - work
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print("| tokens | words | clusters | seconds | of processors | peak MB | nats |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    print(
        f"| {clusters.about['tokens']:,} | {len(clusters.rows):,} | {clusters.clusters:,} | "
        f"{seconds:.0f} | {processor:.0f} | {peak:,} | {clusters.about['information']:.3f} |\n"
    )
    for word in ("president", "dollar", "buy", "difficult", "quickly"):
        print(f"{word}: {' '.join(clusters.members(word)[:12])}")
    print()
    return {
        "words": len(clusters.rows),
        "clusters": clusters.clusters,
        "seconds": seconds,
        "processor_seconds": processor,
        "peak_megabytes": peak,
        **clusters.about,
    }


def first_lines(names: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for name in names:
        with LineReader(DATA / "text" / name) as reader:
            lines += list(reader.read(RACE_LINES // len(names)))
    return lines


def compete() -> None:
    try:
        from brown_clustering import BigramCorpus, BrownClustering
    except ImportError:
        print("Without the peer: pip install brown-clustering")
        return
    lines = first_lines(RACE_FILES)
    sentences = tokenize(lines, "penn", case="lower")

    def theirs(part: list[list[str]]) -> list[list[str]]:
        with contextlib.redirect_stderr(io.StringIO()):
            corpus = BigramCorpus(part, alpha=0.01, min_count=RACE_COUNT)
            return BrownClustering(corpus, m=RACE_CLUSTERS).train()

    theirs(sentences[:200])  # compiles
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        start = time.perf_counter()
        ours = BrownClusters.train([path], clusters=RACE_CLUSTERS, min_count=RACE_COUNT, threads=1)
        fast = time.perf_counter() - start
        with numbered_text([path]) as text:
            frequent = FrequentWords.of(text, min_count=RACE_COUNT)
            counter = _native.BigramCounter()
            for ids, offsets in frequent.batches():
                counter.add(ids, offsets)
    start = time.perf_counter()
    clusters = theirs(sentences)
    slow = time.perf_counter() - start
    words = list(frequent.words)
    left, right, counts = (array.tolist() for array in counter.bigrams())
    pairs = ((words[a], words[b]) for a, b in zip(left, right, strict=True))
    bigrams = dict(zip(pairs, counts, strict=True))
    mine = information(words, bigrams, {word: bits for bits, word, _ in ours.rows})
    other = information(words, bigrams, {w: i for i, words_of in enumerate(clusters) for w in words_of})
    print(f"{len(words):,} words: {mine:.4f} nats in our clusters, {other:.4f} in the peer's\n")
    work = f"Brown clustering, {RACE_CLUSTERS} clusters, 1 thread"
    rates = len(words) / slow, len(words) / fast
    report("brown", [Result(work, "brown-clustering", len(words), *rates, slow / fast, None)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Time Brown clustering.")
    parser.add_argument("--race", action="store_true", help="only the race")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    if not arguments.race:
        record = whole(sorted((DATA / "text").glob("*.txt.gz")))
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / "brown_text.json").write_text(json.dumps(record, indent=2) + "\n")
    compete()


if __name__ == "__main__":
    main()
