"""The cost of a row on this machine, and an estimate for a text of PPDB's size on a cluster.

Rules are extracted from the longer pairs of an English-French bitext (Hiero's settings), counted
and scored on one core: processor time and disk space of each step, per row. The number of different
rules grows more slowly than the text; its exponent is taken from two sizes (Heaps' law). From these
follows the estimate for 42 million sentence pairs of 20 words, which is what the paraphrase
database that Weese, Ganitkevitch and Callison-Burch (2014) test was extracted from; the length of
its sentences is our assumption. The number of rules of a pair grows with its length, so costs are
per word of the source side.

    python -m benchmarks.papers.cluster_sizing [PAIRS] [ENGINE]     for example 8000 local[1]

The data is in ../shared/data, or where PARAGAUGE_DATA points. The default engine is DuckDB. Spark's
time is that of all its processes, without its start.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from benchmarks.race import DATA
from paragauge import BLEU, PINC
from paragauge.align.aligners import choose_aligner
from paragauge.align.links import Links
from paragauge.cli.options.engine_options import create_engine
from paragauge.engine.base import Engine
from paragauge.grammar.extract import ALIGNED
from paragauge.grammar.features import NAMES, features_query
from paragauge.grammar.pair_rows import write_pair_rows
from paragauge.grammar.rule_mapper import RuleMapper, rule_schema
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.text.bitext import Bitext, read_bitext_tsv

PPDB_PAIRS = 42_000_000
PPDB_WORDS = 20
LONG = 12  # least number of words of a pair
CORES = (16, 64, 256)


@dataclass(frozen=True)
class Costs:
    """The cost of one size of text: rows, seconds and bytes of each step."""

    pairs: int
    words: int
    extracted: int
    rules: int
    seconds: dict[str, float]
    bytes: dict[str, int]


def measure_costs(bitext: Bitext, links: Links, engine: Engine, place: Path) -> Costs:
    settings = RuleSettings.named("hiero")
    seconds: dict[str, float] = {}
    start = processor_time()

    def took(step: str) -> None:
        nonlocal start
        seconds[step] = processor_time() - start
        start = processor_time()

    place.mkdir()
    pairs = place / "pairs.parquet"
    write_pair_rows([(bitext, links, None)], pairs, settings)
    took("write pairs")
    parts = engine.map(RuleMapper(settings, True, 1), pairs, rule_schema(), place / "extracted")
    took("extract")
    rules = place / "rules.parquet"
    count = engine.write(ALIGNED, {"extracted": parts}, rules)
    took("count")
    query = features_query(NAMES, settings.nonterminals, 1)
    scored = sum(len(batch) for batch in engine.batches(query, {"rules": rules}))
    took("score and sort")
    if scored != count:
        raise SystemExit(f"expected {count:,} scored rules, found {scored:,}")
    return Costs(
        len(bitext),
        int(bitext.source_lengths.sum()),
        sum(pq.read_metadata(part).num_rows for part in parts),
        count,
        seconds,
        {
            "pairs": pairs.stat().st_size,
            "extracted": sum(part.stat().st_size for part in parts),
            "rules": rules.stat().st_size,
        },
    )


def processor_time() -> float:
    """Processor seconds of this process and its descendants."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended
            fields = stat.read_text().rpartition(")")[2].split()
            process = int(stat.parent.name)
            parents[process] = int(fields[1])
            ticks[process] = sum(map(int, fields[11:15]))
    total, processes = 0, [os.getpid()]
    while processes:
        process = processes.pop()
        total += ticks[process]
        processes += [child for child, parent in parents.items() if parent == process]
    return total / os.sysconf("SC_CLK_TCK")


def scoring(bitext: Bitext) -> float:
    """Seconds that BLEU and PINC of a pair take on one core."""
    source, target = list(bitext.source), list(bitext.target)
    start = time.process_time()
    PINC().stats(target, sources=source, threads=1)
    BLEU().stats(target, references=[[text] for text in source], threads=1)
    return (time.process_time() - start) / len(bitext)


def human(seconds: float) -> str:
    """A duration for people.

    >>> human(7300)
    '2.0 h'
    """
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def report(half: Costs, whole: Costs, score: float) -> None:
    print(f"{whole.pairs:,} sentence pairs, {whole.words / whole.pairs:.1f} words each\n")
    rows = {
        "write pairs": whole.pairs,
        "extract": whole.extracted,
        "count": whole.extracted,
        "score and sort": whole.rules,
    }
    print("| step | rows | seconds | microseconds a row |\n|---|---:|---:|---:|")
    for step, count in rows.items():
        spent = whole.seconds[step]
        print(f"| {step} | {count:,} | {spent:.1f} | {1e6 * spent / count:.2f} |")
    print(
        f"| BLEU and PINC of a pair | {whole.pairs:,} | {score * whole.pairs:.1f} | {1e6 * score:.2f} |"
    )
    size = {"pairs": whole.pairs, "extracted": whole.extracted, "rules": whole.rules}
    sizes = ", ".join(f"{name} {whole.bytes[name] / size[name]:.0f}" for name in size)
    print(f"\nbytes a row on disk: {sizes}")
    growth = math.log(whole.rules / half.rules) / math.log(whole.words / half.words)
    print(f"different rules grow with the text to the power of {growth:.3f}\n")

    words = PPDB_PAIRS * PPDB_WORDS
    by_word = words / whole.words
    extracted = whole.extracted * by_word
    rules = whole.rules * by_word**growth
    serial = whole.seconds["write pairs"] * PPDB_PAIRS / whole.pairs
    parallel = (
        whole.seconds["extract"] * by_word
        + whole.seconds["count"] * by_word
        + whole.seconds["score and sort"] * rules / whole.rules
    )
    disk = whole.bytes["pairs"] * by_word + whole.bytes["extracted"] * by_word * 2
    disk += whole.bytes["rules"] * rules / whole.rules * 2
    print(f"Estimate for {PPDB_PAIRS:,} sentence pairs of {PPDB_WORDS} words:\n")
    print(f"- rules extracted: {extracted:.2e}, different ones: {rules:.2e}")
    print(f"- disk while it runs (rows, and once more for sorting): {disk / 1e12:.1f} TB")
    print(f"- work of one core: {human(parallel)}; on the driver, in sequence: {human(serial)}")
    for cores in CORES:
        print(f"- {cores} cores like this one, all of them busy: {human(serial + parallel / cores)}")
    scored = score * whole.pairs * by_word
    print(f"- BLEU and PINC of as many pairs: {human(scored)} of one core")


def main() -> None:
    path = DATA / "bitext" / "eng-fra.tsv.gz"
    if not path.is_file():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000
    engine = create_engine(sys.argv[2] if len(sys.argv) > 2 else "local", threads=1)
    text = read_bitext_tsv(path, tokenize=("13a", "13a"), case="lower")
    long = np.flatnonzero(text.source_lengths >= LONG)
    if len(long) < count:
        raise SystemExit(f"expected {count:,} pairs of {LONG} words and more, found {len(long):,}")
    text = Bitext.of([text.source[i] for i in long], [text.target[i] for i in long])
    links = choose_aligner("systran").align(text).symmetrize().to_lists()
    costs = []
    list(engine.batches("SELECT 1 AS one", {}))
    with tempfile.TemporaryDirectory() as folder:
        # Neighbors in the file are variants of each other, so both sizes sample all of it.
        for size in (count // 2, count):
            chosen = np.linspace(0, len(text) - 1, size).astype(int).tolist()
            bitext = Bitext.of([text.source[i] for i in chosen], [text.target[i] for i in chosen])
            chosen_links = Links.from_lists([links[i] for i in chosen])
            costs.append(measure_costs(bitext, chosen_links, engine, Path(folder, str(size))))
    report(*costs, scoring(bitext))


if __name__ == "__main__":
    main()
