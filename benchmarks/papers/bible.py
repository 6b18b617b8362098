"""Hiero extraction at scale: five Bible translations from PyPI, paired with each other and aligned.

Ten pairings of about 31,000 verses each are more than 300,000 sentence pairs. They are tokenized,
lowercased and aligned, which is not timed; then a Hiero grammar (Chiang's settings) is extracted,
counted and sorted with a limit on memory, and the peak of the whole process is printed.

    python -m benchmarks.papers.bible --pairs 250000 --memory 3GB [--features] [--work FOLDER]

With --work the aligned text is kept in FOLDER and reused.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.data.paraphrase_corpora import verses
from benchmarks.race import RESULTS
from paragauge.align.aligners import choose_aligner
from paragauge.align.pharaoh import write_pharaoh
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.extract_files import read_pair_batches
from paragauge.grammar.features import NAMES
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.text.bitext import Bitext, BitextFiles

WANTED_GIGABYTES = 6


def verse_pairs() -> Iterator[tuple[str, str]]:
    """Verses in two translations, pairing after pairing."""
    for left, right in itertools.combinations(verses(), 2):
        yield from zip(left, right, strict=True)


def prepare(folder: Path, size: int) -> None:
    """Write the aligned text to a folder, unless it is there."""
    if (folder / "links.txt").exists():
        return
    pairs = list(itertools.islice(verse_pairs(), size))
    bitext = Bitext.of(
        [source for source, _ in pairs],
        [target for _, target in pairs],
        case="lower",
    )
    for name, lines in (("source.txt", bitext.source), ("target.txt", bitext.target)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    aligner = choose_aligner("auto", too_long="skip")
    print(f"aligning {len(bitext):,} pairs with {aligner.name}", flush=True)
    write_pharaoh(folder / "links.txt", aligner.align(bitext).symmetrize(None))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=250_000)
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--features", action="store_true")
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.work or Path(temporary)
        folder.mkdir(exist_ok=True)
        prepare(folder, options.pairs)
        where = BitextFiles(folder / "source.txt", folder / "target.txt")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        start = time.perf_counter()
        steps: list[tuple[float, str]] = []

        def progress(step: str) -> None:
            if not step.startswith("reading"):
                steps.append((time.perf_counter() - start, step))
                print(f"{steps[-1][0]:8.1f} s  {step}", flush=True)

        grammar = extract_grammar(
            read_pair_batches(where, folder / "links.txt"),
            folder / "grammar",
            RuleSettings.named("hiero"),
            features=NAMES if options.features else (),
            engine=DuckDBEngine(options.memory, folder=folder),
            progress=progress,
        )
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        counts = grammar.info["counts"]
        result = {
            "sentence_pairs": counts["sentence_pairs"],
            "occurrences": counts["extracted"],
            "rules": len(grammar),
            "seconds": round(seconds, 1),
            "steps": steps,
            "gigabytes_before": round(before, 2),
            "gigabytes_peak": round(peak, 2),
        }
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / "bible.json").write_text(json.dumps(result, indent=2) + "\n")
        print(
            f"{result['sentence_pairs']:,} pairs: {result['occurrences']:,} occurrences, "
            f"{result['rules']:,} rules in {seconds:,.0f} s; peak of memory {peak:.2f} GB "
            f"(wanted: below {WANTED_GIGABYTES})"
        )
        if peak >= WANTED_GIGABYTES:
            raise SystemExit(f"expected less than {WANTED_GIGABYTES} GB, found {peak:.2f}")


if __name__ == "__main__":
    main()
