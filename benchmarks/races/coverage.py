"""Synchronous parsing of the 100 pairs of oracles/coverage against the plain twin, and a large grammar.

cdec cannot be installed from a package index. So the yardstick is the kernel's twin in plain Python,
which parses some of the pairs in the same run; both sides are processor time on one thread, without
loading the grammar. All answers must equal cdec's, at span limits 10 and 15. The time of cdec that is
printed, 1.6 seconds of processor time at span limit 10, is from another machine and decides nothing.

Then 1,000 pairs with a grammar of a million rules: every source sentence with ten targets, and every
rule with five copies in which a target word is replaced, so that all rules can matter.

    python -m benchmarks.races.coverage

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import json
import statistics
import time
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks.race import DATA, RESULTS, Result, median_processor_time, report
from paragauge.grammar import sync_parser
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule import Rule
from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs
from paragauge.grammar.sync_parser import ParseResult, SyncParser
from paragauge.kernels import reference
from paragauge.kernels.grammar_line import INDEX

CDEC_SECONDS = 1.6  # span limit 10, on another machine
TWIN_PAIRS = 4
TWIN_RATIO = 1000
REPEATS = 5
COPIES, TARGETS = 5, 10
SEED = 7


def time_parsing(parser: SyncParser) -> tuple[float, ParseResult]:
    """The median processor time of a parse of all pairs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        result = parser.parse()
        times.append(time.process_time() - start)
    return statistics.median(times), result


def race_twin(grammar: Path, pairs: SentencePairs) -> Result:
    """The parses of the shortest pairs, by the kernel and by its twin, in processor time."""
    shortest = sorted(range(len(pairs)), key=lambda i: len(pairs.source[i].split()))[:TWIN_PAIRS]
    sides = [pairs.source[i] for i in shortest], [pairs.target[i] for i in shortest]
    settings = ParseSettings(span=10)
    native = SyncParser(grammar, *sides, settings, threads=1)
    with mock.patch.object(sync_parser, "_native", reference):
        twin = SyncParser(grammar, *sides, settings, threads=1)
    if native.parse().statuses != twin.parse().statuses:
        raise SystemExit("not the same parses")
    slow = median_processor_time(lambda: twin.parse(), 1)
    fast = median_processor_time(lambda: [native.parse() for _ in range(REPEATS)], 3) / REPEATS
    rates = TWIN_PAIRS / slow, TWIN_PAIRS / fast
    work = f"synchronous parses of {TWIN_PAIRS} pairs, span limit 10"
    return Result(work, "plain Python", TWIN_PAIRS, *rates, slow / fast, TWIN_RATIO)


def split(what: str, parser: SyncParser, result: ParseResult, seconds: float) -> dict:
    source, target = result.seconds.sum(axis=0).tolist()
    print(
        f"| {what} | {parser.read:,} | {len(parser):,} | {len(result):,} | {parser.seconds:.2f} | "
        f"{source:.3f} | {target:.3f} | {seconds:.3f} | {result.statuses.count('covered'):,} |"
    )
    return {
        "work": what,
        "rules": parser.read,
        "kept": len(parser),
        "pairs": len(result),
        "loading_seconds": parser.seconds,
        "source_seconds": source,
        "target_seconds": target,
        "processor_seconds": seconds,
        "covered": result.statuses.count("covered"),
    }


def large(path: Path, pairs: SentencePairs) -> tuple[list[Rule], SentencePairs]:
    """The rules with their copies, and every source with the targets that follow it."""
    rng = np.random.default_rng(SEED)
    words = sorted({word for line in pairs.target for word in line.split()})
    rules = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for rule in map(Rule.parse, lines):
            rules.append(rule)
            side = rule.target.split()
            places = [i for i, symbol in enumerate(side) if not INDEX.fullmatch(symbol)]
            for place in rng.choice(places, COPIES) if places else []:
                other = [*side[:place], words[rng.integers(len(words))], *side[place + 1 :]]
                rules.append(Rule(rule.lhs, rule.source, " ".join(other), rule.labels))
    sources, targets = list(pairs.source), list(pairs.target)
    chosen = [(i, (i + k) % len(targets)) for i in range(len(sources)) for k in range(TARGETS)]
    return rules, SentencePairs.of([sources[i] for i, _ in chosen], [targets[k] for _, k in chosen])


def main() -> None:
    folder = DATA / "oracles" / "coverage"
    if not folder.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    pairs = read_pairs(folder / "pairs.txt")
    header, *rows = (folder / "expected.tsv").read_text(encoding="utf-8").splitlines()
    splits = []
    print("| work | rules | kept | pairs | loading s | source s | target s | processor s | covered |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for span in (10, 15):
        parser = SyncParser(
            folder / "grammar.gz", pairs.source, pairs.target, ParseSettings(span=span), threads=1
        )
        seconds, parses = time_parsing(parser)
        column = header.split("\t").index(f"cdec_span{span}")
        if parses.statuses != [row.split("\t")[column] for row in rows]:
            raise SystemExit(f"not the answers of cdec at span limit {span}")
        splits.append(split(f"span limit {span}", parser, parses, seconds))
    rules, many = large(folder / "grammar.gz", pairs)
    parser = SyncParser(rules, many.source, many.target, ParseSettings(span=10))
    start = time.perf_counter()
    parses = parser.parse()
    splits.append(split("a large grammar, all cores", parser, parses, time.perf_counter() - start))
    print(f"\ncdec, on another machine: {CDEC_SECONDS} s at span limit 10.\n")
    report("coverage", [race_twin(folder / "grammar.gz", pairs)])
    (RESULTS / "coverage-split.json").write_text(json.dumps(splits, indent=2) + "\n")


if __name__ == "__main__":
    main()
