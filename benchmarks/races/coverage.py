"""Synchronous parsing of the 100 pairs of oracles/coverage against cdec's time, and a large grammar.

cdec is not run here: it took 1.6 seconds of processor time at span limit 10 on a machine of the same
class. Ours is processor time on one thread, without loading the grammar. All answers must equal
cdec's, at span limits 10 and 15.

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

import numpy as np

from benchmarks.race import DATA, RESULTS, Result, report
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule import Rule
from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs
from paragauge.grammar.sync_parser import ParseResult, SyncParser
from paragauge.kernels.grammar_line import INDEX

CDEC_SECONDS = {10: 1.6}
WANTED_RATIO = 5
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
    results, splits = [], []
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
        if span in CDEC_SECONDS:
            slow = CDEC_SECONDS[span]
            work = f"synchronous parses, span limit {span}"
            results.append(
                Result(
                    work,
                    "cdec (quoted)",
                    len(pairs),
                    len(pairs) / slow,
                    len(pairs) / seconds,
                    slow / seconds,
                    WANTED_RATIO,
                )
            )
    rules, many = large(folder / "grammar.gz", pairs)
    parser = SyncParser(rules, many.source, many.target, ParseSettings(span=10))
    start = time.perf_counter()
    parses = parser.parse()
    splits.append(split("a large grammar, all cores", parser, parses, time.perf_counter() - start))
    print()
    report("coverage", results)
    (RESULTS / "coverage-split.json").write_text(json.dumps(splits, indent=2) + "\n")
    slowest = [result for result in results if result.ratio < WANTED_RATIO]
    if slowest:
        raise SystemExit(
            f"expected {WANTED_RATIO} times the speed of cdec, found {slowest[0].ratio:.1f}"
        )


if __name__ == "__main__":
    main()
