"""PARADIGM on real data: tables 2 to 6 and figure 4 of Weese, Ganitkevitch and Callison-Burch (2014).

The gold grammar is from the hand-aligned Edinburgh corpus, as in the paper. Grammars are from the MSR
corpus, from the parts of the Edinburgh corpus, and from five translations of the Bible, which replace
the paper's multiple translations of the LDC: nine tenths of the verses are for training, each in two
pairs of translations, and all ten pairs of some others are parsed. PPDB is not available here. The
tables show the paper's values next to ours where the data is the same or of the same kind. The paper
does not give the limits of its extraction.

    python -m benchmarks.papers.paradigm [--work FOLDER]        keeps the grammars in FOLDER
    python -m benchmarks.papers.paradigm --gold                 only the rows of the gold grammar

The data is in ../shared/data, or where PARAGAUGE_DATA points; needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.data.paraphrase_corpora import (
    PARTS,
    TRANSLATIONS,
    Corpus,
    bible,
    edinburgh,
    msrp,
    verses,
)
from benchmarks.race import DATA, RESULTS
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.overlap_curves import overlap_curve
from paragauge.grammar.pair_coverage import coverage
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule_overlap import OverlapRow, overlap
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.grammar.sentence_pairs import SentencePairs

WANTED_MINUTES = 30
# The paper's limits are not published; `paradigm` gives a gold grammar of its sizes (tables 2 and 5).
SETTINGS = {"Hiero": RuleSettings.named("hiero"), "Syntax": RuleSettings.named("paradigm")}
GOLD = "Edinburgh Syntax"
# The paper's values for grammars from the same data (MSR, ParaMetric) or kind of data (LDC).
SIZES = {
    "Bible Hiero": "LDC: 52,784,462",
    "MSR Hiero": "2,456,513",
    "Edinburgh Hiero": "584,944",
    "Bible Syntax": "LDC: 23,978,477",
    "MSR Syntax": "406,115",
    "Edinburgh Syntax": "317,772",
}
STRICT = {
    GOLD: "317,772, 21,709",
    "Bible Hiero": "LDC: 1.8%, 1.9%",
    "MSR Hiero": "3.2%, 1.5%",
    "Bible Syntax": "LDC: 15.3%, 35.6%",
    "MSR Syntax": "6.7%, 9.5%",
}
NON_STRICT = {
    GOLD: "200,385, 20,699",
    "Bible Hiero": "LDC: 20.6%, 25.8%",
    "MSR Hiero": "29.4%, 32.6%",
    "Bible Syntax": "LDC: 11.7%, 24.5%",
    "MSR Syntax": "14.0%, 17.2%",
}
KINDS = {
    GOLD: "238,646, 73,320, 5,806",
    "Bible Syntax": "LDC: 15%, 12%, 62%",
    "MSR Syntax": "3%, 15%, 38%",
}
COVERED = {
    "Bible Hiero": "LDC: 9.5, 33.0",
    "MSR Hiero": "1.7, 9.2",
    "Edinburgh Hiero": "",
    "Bible Syntax": "LDC: 9.1, 30.2",
    "MSR Syntax": "1.9, 10.4",
    "Edinburgh Syntax": "1.7, 9.8",
}
# Any word may translate to itself, so that no grammar suffers from a lack of rules that copy words;
# under one label, as unknown words have in Joshua, the paper's parser.
PARSING = ParseSettings(passthrough="all", passthrough_gaps="label")
ANY_GAP = ParseSettings(passthrough="all", passthrough_gaps="any")
PAIRINGS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]  # of translations: a ring
EACH = 2  # pairings of a verse, in turn
ENGINE = DuckDBEngine(memory="4GB")
HELD_OUT = 10  # one verse in so many
PARSED = 100  # verses, ten pairs each
seconds: dict[str, float] = {}
printed: list[str] = []
missed: list[str] = []


@contextmanager
def time_step(step: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[step] = seconds.get(step, 0.0) + time.perf_counter() - start


def percent(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.1f}%)" if whole else f"{part:,}"


def say(line: str) -> None:
    print(line, flush=True)
    printed.append(line)


def table(head: str, *columns: str) -> None:
    for line in ("", head, "", f"| {' | '.join(columns)} |", f"|---{'|---:' * (len(columns) - 1)}|"):
        say(line)


def row(*cells: object) -> None:
    say(f"| {' | '.join(map(str, cells))} |")


def grammars(corpora: dict[str, Corpus], folder: Path) -> dict[str, Grammar]:
    """Grammars of all corpora with each kind of labels."""
    folder.mkdir(parents=True, exist_ok=True)
    by_name = {}
    for kind, settings in SETTINGS.items():
        for name, corpus in corpora.items():
            with time_step("extracting grammars"):
                by_name[f"{name} {kind}"] = extract_grammar(
                    corpus.batches(trees=kind != "Hiero"),
                    folder / f"{name}-{kind}".lower(),
                    settings,
                    features=(),
                    engine=ENGINE,
                )
    return by_name


def in_domain(folder: Path) -> dict[str, object]:
    """Parts of the Edinburgh corpus against each other: grammars of train, gold and pairs of test."""
    by_name = grammars({part: edinburgh("train", part=part) for part in PARTS}, folder / "train")
    tests = {part: edinburgh("test", part=part) for part in PARTS}
    gold = grammars(tests, folder / "test")
    results: dict[str, object] = {}
    for kind in SETTINGS:
        table(
            f"Parts of the Edinburgh corpus against each other, {kind}: strict overlap with the test "
            "part's grammar (relative recall) / pairs of it covered",
            "trained on",
            *PARTS,
        )
        values: dict[tuple[str, str], tuple[float, float]] = {}
        for part in PARTS:
            cells = []
            for other in PARTS:
                own = by_name[f"{part} {kind}"]
                with time_step("overlap"):
                    cell = overlap(gold[f"{other} {kind}"], {part: own}, modes=["strict"])
                recall = 100 * (cell[part, "strict", 1].recall or 0.0)
                pairs = SentencePairs.of(tests[other].bitext.source, tests[other].bitext.target)
                with time_step("coverage"):
                    parsed = coverage(own, pairs, PARSING)
                values[part, other] = (recall, parsed.all)
                cells.append(f"{recall:.2f}% / {parsed.all:.1f}%")
            row(part, *cells)
        for other in PARTS:
            for at, what in enumerate(("overlap", "coverage")):
                best = max(PARTS, key=lambda part: values[part, other][at])
                if values[best, other][at] > values[other, other][at]:
                    missed.append(f"{kind}, {what} on {other}: {best} beats the part's own grammar")
        results[kind] = {f"{a} on {b}": value for (a, b), value in values.items()}
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, help="folder that keeps the grammars")
    parser.add_argument("--gold", action="store_true", help="only the rows of the gold grammar")
    chosen = parser.parse_args()
    if not (DATA / "edinburgh").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    start = time.perf_counter()
    if chosen.gold:
        with tempfile.TemporaryDirectory() as scratch:
            gold = grammars({"Edinburgh": edinburgh()}, chosen.work or Path(scratch))[GOLD]
            overlap_tables(gold, {})
            bible_coverage({GOLD: gold})
        return
    with tempfile.TemporaryDirectory() as scratch:
        results = run(chosen.work or Path(scratch))
    total = time.perf_counter() - start
    say("")
    say(f"{total / 60:.1f} minutes: " + ", ".join(f"{k} {v:.0f} s" for k, v in seconds.items()) + ".")
    record = {**results, "printed": printed, "seconds": seconds, "total": total}
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "paradigm.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    if total > 60 * WANTED_MINUTES:
        missed.append(f"wanted at most {WANTED_MINUTES} minutes")
    if missed:
        raise SystemExit("; ".join(missed))


def run(folder: Path) -> dict[str, object]:
    folder.mkdir(parents=True, exist_ok=True)
    own = verses()
    verse_numbers = [i for i in range(len(own[0])) if i % HELD_OUT]
    with time_step("aligning and parsing"):
        corpora = {
            "Bible": bible(verse_numbers, PAIRINGS, EACH),
            "MSR": msrp(),
            "Edinburgh": edinburgh(),
        }
    table("Table 1: English-English parallel data", "corpus", "sentence pairs", "words")
    for name, corpus in corpora.items():
        row(name, f"{len(corpus):,}", f"{corpus.words:,}")
    by_name = grammars(corpora, folder)
    results: dict[str, object] = {"sizes": {name: len(grammar) for name, grammar in by_name.items()}}
    table("Table 2: sizes of grammars", "grammar", "rules", "paper")
    for name, grammar in by_name.items():
        row(name, f"{len(grammar):,}", SIZES[name])
    gold = by_name[GOLD]
    others = {name: grammar for name, grammar in by_name.items() if not name.startswith("Edinburgh")}
    results |= overlap_tables(gold, others)
    with time_step("overlap"):
        curve = overlap_curve(gold, by_name["Bible Syntax"], "count", engine=ENGINE)
    table(
        "Figure 4: the best rules of the Bible syntax grammar by count",
        *("rules", "precision (lower bound)", "recall (relative)"),
    )
    for point in curve.points:
        row(
            f"{point.size:,}",
            f"{100 * (point.precision or 0):.3f}%",
            f"{100 * (point.recall or 0):.2f}%",
        )
    results["curve"] = [vars(point) for point in curve.points]
    results["coverage"] = bible_coverage(by_name)
    results["in_domain"] = in_domain(folder)
    return results


def overlap_tables(gold: Grammar, others: dict[str, Grammar]) -> dict[str, object]:
    """Tables 3 to 5: the gold grammar, and other grammars compared with it."""
    resources = {GOLD: gold, **others}
    with time_step("overlap"):
        cells = overlap(gold, resources, engine=ENGINE)
        summed = overlap(gold, {GOLD: gold}, modes=["non-strict"], variants="sum", engine=ENGINE)

    def cell(figures: OverlapRow) -> str:
        return f"{figures.gold:,}" if figures.name == GOLD else percent(figures.overlap, figures.gold)

    table(
        "Table 3: strict overlap with the Edinburgh syntax grammar",
        *("grammar", "freq. >= 1", "freq. >= 2", "paper"),
    )
    for name in resources:
        row(name, *(cell(cells[name, "strict", n]) for n in (1, 2)), STRICT[name])
    table(
        "Table 4: non-strict overlap with the Edinburgh syntax grammar",
        *("grammar", "freq. >= 1", "freq. >= 2", "paper"),
    )
    for name in resources:
        row(name, *(cell(cells[name, "non-strict", n]) for n in (1, 2)), NON_STRICT[name])
        if name == GOLD:
            counts = (cell(summed[name, "non-strict", n]) for n in (1, 2))
            row(f"{name}, counts of label variants added", *counts, NON_STRICT[name])
    table(
        "Table 5: kinds of rules in the strict overlap",
        *("grammar", "syntactic", "phrasal", "lexical", "paper"),
    )
    for name, paper in KINDS.items():
        if name in resources:
            kinds = ("syntactic", "phrasal", "lexical")
            row(name, *(cell(cells[name, "strict", 1, kind]) for kind in kinds), paper)
    return {"overlap": [vars(cells_row) for cells_row in (*cells.rows, *summed.rows)]}


def bible_coverage(by_name: dict[str, Grammar]) -> dict[str, object]:
    own = verses()
    held = list(range(0, len(own[0]), HELD_OUT))
    chosen = held[:: max(1, len(held) // PARSED)][:PARSED]
    sets = [[own[t][i].lower() for i in chosen] for t in range(len(TRANSLATIONS))]
    pairs = SentencePairs.of_translations(sets)
    table(
        f"Table 6: coverage of {len(pairs):,} pairs of {len(chosen)} held-out verses",
        *("grammar", "% (all)", "% (any)", "mean length", "stopped", "paper"),
    )
    results: dict[str, object] = {}
    runs = [(name, by_name[name], PARSING, COVERED[name]) for name in by_name]
    runs.append((f"{GOLD}, words pass through any gap", by_name[GOLD], ANY_GAP, ""))
    for name, grammar, settings, paper in runs:
        with time_step("coverage"):
            parsed = coverage(grammar, pairs, settings)
        stopped = sum(n for status, n in parsed.counts.items() if status.startswith("out-of"))
        row(
            name,
            f"{parsed.all:.1f}",
            f"{parsed.any:.1f}",
            f"{parsed.length:.1f}",
            stopped,
            paper,
        )
        results[name] = parsed.record()
    return results


if __name__ == "__main__":
    main()
