"""Latent semantic analysis of all of the text, and a race with scikit-learn's TruncatedSVD.

Both decompose the same table of weighted counts (20,000 words by 1,000 features, 100 dimensions), and
the neighbors of each word by both vectors are compared.

    python -m benchmarks.races.lsa

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path

import numpy as np

from benchmarks.race import DATA, RESULTS, Result, report
from paragauge.kernels import _native
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.rewrite.thesauri.frequent_words import FrequentWords
from paragauge.rewrite.thesauri.lsa import (
    LSA,
    LSASettings,
    feature_columns,
    find_neighbors,
    weight_counts,
    word_vectors,
)


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    files = sorted((DATA / "text").glob("*.txt.gz"))
    start, work = time.perf_counter(), time.process_time()
    model = LSA.train(files)
    seconds, processor = time.perf_counter() - start, time.process_time() - work
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print("| tokens | words | seconds | of processors | peak MB |")
    print("|---:|---:|---:|---:|---:|")
    tokens = model.about["tokens"]
    print(f"| {tokens:,} | {len(model.words):,} | {seconds:.0f} | {processor:.0f} | {peak:,} |\n")
    for word in ("president", "dollar", "buy", "difficult", "quickly"):
        print(f"{word}: {' '.join(model.nearest(word)[:12])}")
    print()
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {"seconds": seconds, "processor_seconds": processor, "peak_megabytes": peak, **model.about}
    (RESULTS / "lsa_text.json").write_text(json.dumps(record, indent=2) + "\n")
    compete(files)


def compete(files: list[Path]) -> None:
    try:
        from scipy.sparse import csr_array
        from sklearn.decomposition import TruncatedSVD
    except ImportError:
        print("Without the peer: pip install scikit-learn")
        return
    settings = LSASettings()
    with numbered_text(files) as text:
        frequent = FrequentWords.of(text, most=settings.words)
        columns, features = feature_columns(frequent.words, settings)
        counts = np.zeros((len(frequent.words), features), np.int64)
        for ids, offsets in frequent.batches():
            _native.count_cooccurrences(ids, offsets, columns, settings.window, counts, 0)
    start = time.perf_counter()
    ours = word_vectors(counts, settings.dimensions, settings.weight)
    fast = time.perf_counter() - start
    table = csr_array(weight_counts(counts, settings.weight))
    start = time.perf_counter()
    peer = TruncatedSVD(settings.dimensions, algorithm="arpack", random_state=7)
    rows = peer.fit_transform(table) / peer.singular_values_
    slow = time.perf_counter() - start
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    theirs = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).astype(np.float32)
    mine, other = find_neighbors(ours, settings.top), find_neighbors(theirs, settings.top)
    same = np.mean(
        [len(set(a) & set(b)) / len(a) for a, b in zip(mine.tolist(), other.tolist(), strict=True)]
    )
    print(f"{100 * same:.3f} % of the {settings.top} neighbors of each word are the same\n")
    if same < 0.999:
        raise SystemExit("not the same neighbors")
    words = len(counts)
    rates = words / slow, words / fast
    work = f"decomposition of {words:,} x {features:,}"
    report("lsa", [Result(work, "scikit-learn", words, *rates, slow / fast, None)])


if __name__ == "__main__":
    main()
