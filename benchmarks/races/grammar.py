"""Rule extraction from hand-aligned, parsed sentence pairs, against the same loops in plain Python.

Ours is timed on one thread, from ids, links and trees to columns of text with equal rules counted;
plain Python makes a Counter of strings. Both must give the same rules with the same counts, on some of
the pairs; all pairs are timed for ours only. The count is of extracted rules, each as often as it is
found. The speed of thrax2, the fastest peer, that is printed is from another machine and decides
nothing.

    python -m benchmarks.races.grammar

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import pyarrow as pa

from benchmarks.data.paraphrase_corpora import hand_aligned_rows
from benchmarks.race import DATA, race, report
from paragauge.align.links import Links
from paragauge.grammar.labels import Labels
from paragauge.grammar.pair_rows import EncodedPairs, PairRows, encode_trees
from paragauge.grammar.rule_mapper import MAX_ROWS, RuleMapper
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.kernels import _native
from paragauge.kernels.reference.syntax.span_labels import SpanLabeler
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext

WANTED_RATIO = {"hiero": 12, "samt": 5}
THRAX2 = {"hiero": 728_000, "samt": 252_000}
COMPARED = 60  # pairs, which plain Python extracts too
REPEATS = 5


@dataclass(frozen=True)
class ParsedPairs:
    """Sentence pairs with links and trees, as an Arrow batch; the labels of the trees."""

    batch: pa.RecordBatch
    labels: tuple[str, ...]


def read_pairs(most: int | None = None) -> ParsedPairs:
    pairs = list(hand_aligned_rows("edinburgh", "train"))[:most]
    bitext = Bitext.of([pair["source"] for pair in pairs], [pair["target"] for pair in pairs])
    links = Links.from_lists([pair["links"] for pair in pairs])
    rows = PairRows()
    table = rows.table(bitext, links, Trees.of([pair["source_tree"] for pair in pairs]))
    return ParsedPairs(table.combine_chunks().to_batches()[0], rows.labels)


def plain(pairs: ParsedPairs, settings: RuleSettings) -> Counter[tuple[str, str, str, str]]:
    """All rules of Thrax's settings: two gaps, five symbols a side, phrases of twelve words."""
    longest, symbols = settings.max_source_phrase, settings.max_source_symbols or 0
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for row in pairs.batch.to_pylist():
        source, target = row["source"].split(), row["target"].split()
        links = list(zip(row["links"][::2], row["links"][1::2], strict=True))
        hiero = not settings.labels.needs_trees
        nodes = None
        if not hiero:
            names = [pairs.labels[label] for label in row["labels"]]
            nodes = list(zip(names, row["spans"][::2], row["spans"][1::2], strict=True))
        labeler = SpanLabeler(nodes, len(source), settings.labels.native)
        linked: list[list[int]] = [[] for _ in source]
        back: list[list[int]] = [[] for _ in target]
        for s, t in links:
            linked[s].append(t)
            back[t].append(s)
        starts = defaultdict(list)
        phrases = []
        for s0 in range(len(source)):
            low, high = len(target), -1
            for s1 in range(s0 + 1, min(len(source), s0 + longest) + 1):
                low, high = min([low, *linked[s1 - 1]]), max([high, *linked[s1 - 1]])
                if high < 0 or high - low >= longest:
                    continue
                if any(not s0 <= s < s1 for t in range(low, high + 1) for s in back[t]):
                    continue
                name = labeler.label(s0, s1)
                named = hiero or name != "X"
                t0 = low
                while True:
                    t1 = high + 1
                    while t1 - t0 <= longest:
                        phrases.append((s0, s1, t0, t1, name, named))
                        if named:
                            starts[s0].append((s1, t0, t1, name))
                        if t1 == len(target) or back[t1]:
                            break
                        t1 += 1
                    if t0 == 0 or back[t0 - 1] or high - t0 + 1 >= longest:
                        break
                    t0 -= 1
        for s0, s1, t0, t1, lhs, named in phrases:
            counts[lhs, "", " ".join(source[s0:s1]), " ".join(target[t0:t1])] += 1
            if not named:
                continue
            gaps = [
                (g0, g1, h0, h1, name)
                for g0 in range(s0, s1)
                for g1, h0, h1, name in starts[g0]
                if g1 <= s1 and t0 <= h0 and h1 <= t1
            ]
            for g0, g1, h0, h1, name in gaps:
                words, others = s1 - s0 - g1 + g0, t1 - t0 - h1 + h0
                if words < symbols and others < symbols and (words or others):
                    left = " ".join([*source[s0:g0], "[1]", *source[g1:s1]])
                    right = " ".join([*target[t0:h0], "[1]", *target[h1:t1]])
                    counts[lhs, name, left, right] += 1
                for k0, k1, m0, m1, second in gaps:
                    if k0 < g1 or not (m0 >= h1 or m1 <= h0):
                        continue
                    few, fewer = words - k1 + k0, others - m1 + m0
                    if few > symbols - 2 or fewer > symbols - 2 or not (few or fewer):
                        continue
                    left = " ".join([*source[s0:g0], "[1]", *source[g1:k0], "[2]", *source[k1:s1]])
                    marks = sorted([(h0, h1, "[1]"), (m0, m1, "[2]")])
                    right = " ".join(
                        [
                            *target[t0 : marks[0][0]],
                            marks[0][2],
                            *target[marks[0][1] : marks[1][0]],
                            marks[1][2],
                            *target[marks[1][1] : t1],
                        ]
                    )
                    counts[lhs, f"{name} {second}", left, right] += 1
    return counts


def count_rules(pairs: ParsedPairs, settings: RuleSettings) -> Counter[tuple[str, str, str, str]]:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    mapper = RuleMapper(settings, threads=1, tree_labels=pairs.labels)
    for part in mapper.rules(pairs.batch):
        columns = (part.column(name).to_pylist() for name in ("lhs", "labels", "source", "target"))
        for *rule, count in zip(*columns, part.column("count").to_pylist(), strict=True):
            counts[tuple(rule)] += count
    return counts


class Kernel:
    """The kernel on one batch, with the preparation in Python."""

    def __init__(self, pairs: ParsedPairs, settings: RuleSettings, alignment: bool = False) -> None:
        encoded = EncodedPairs.of(pairs.batch, 1)
        trees = None
        if settings.labels.needs_trees:
            trees = encode_trees(pairs.batch, encoded.source, pairs.labels)
        self._arguments = (
            encoded.words,
            (encoded.source.ids, encoded.source.offsets),
            (encoded.target.ids, encoded.target.offsets),
            (encoded.links.source, encoded.links.target, encoded.links.offsets),
            trees,
            False,
            settings.labels.native,
            settings.limits(alignment),
            MAX_ROWS,
        )

    def __call__(self) -> tuple[int, int]:
        """The numbers of rules and of rows."""
        rules = rows = 0
        extractor = _native.RuleExtractor(*self._arguments)
        while (columns := extractor.next(1)) is not None:
            rules += int(columns[6].sum())
            rows += len(columns[6])
        return rules, rows


def main() -> None:
    if not (DATA / "edinburgh").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    pairs = read_pairs()
    some = read_pairs(COMPARED)
    results, lines = [], []
    for name in ("hiero", "samt"):
        settings = replace(RuleSettings.named("thrax"), labels=Labels.named(name))
        theirs = plain(some, settings)
        if count_rules(some, settings) != theirs:
            raise SystemExit(f"not the same rules with the labels {name}")
        results.append(
            race(
                f"{name} rules of {COMPARED} pairs",
                "plain Python",
                theirs.total(),
                theirs=lambda settings=settings: plain(some, settings),
                ours=Kernel(some, settings),
                wanted=WANTED_RATIO[name],
            )
        )
        for alignment in (False, True):
            kernel = Kernel(pairs, settings, alignment)
            times = []
            for _ in range(REPEATS):
                # Processor time: the speed of a thread that has a core to itself.
                start = time.process_time()
                rules, rows = kernel()
                times.append(time.process_time() - start)
            speed = rules / statistics.median(times)
            links = " with links" if alignment else ""
            lines.append(
                f"{name}{links}, {len(pairs.batch)} pairs: {rules:,} rules ({rows:,} rows), "
                f"{speed:,.0f} rules a second of one thread"
            )
            if not alignment:
                lines[-1] += f" (thrax2, on another machine: {THRAX2[name]:,})"
    print("\n".join([*lines, ""]))
    report("grammar", results)


if __name__ == "__main__":
    main()
