"""A report of 50,000 segments and five systems: time, peak memory, and size of the file.

The yardstick in the same run is `paragauge compare` on the same files, which computes the same scores
and tests and writes no page.

    python -m benchmarks.races.report_size [segments]
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.data.corpus import pairs
from benchmarks.race import RESULTS, run_quietly

SYSTEMS = 5


def write_texts(folder: Path, count: int) -> list[str]:
    """Sources, references and systems that leave more and more words out, as command-line options."""
    draw = random.Random(7)
    texts = list(pairs(count))
    sources, references = zip(*texts, strict=True)
    files = {"sources.txt": list(sources), "references.txt": list(references)}
    for number in range(SYSTEMS):
        share = 0.05 + 0.05 * number
        lines = [" ".join(w for w in right.split() if draw.random() > share) for _, right in texts]
        files[f"system{number}.txt"] = [line or "none" for line in lines]
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ["-s", str(folder / "sources.txt"), "-r", str(folder / "references.txt")]
    for number in range(SYSTEMS):
        options += ["-c", str(folder / f"system{number}.txt")]
    return options


def main(count: int) -> None:
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        options = write_texts(Path(name), count)
        page = Path(name, "report.html")
        for work, words in (
            ("compare", ["compare", *options, "-m", "bleu,pinc"]),
            ("report", ["report", *options, "-o", str(page)]),
        ):
            start = time.perf_counter()
            processor, megabytes = run_quietly(words)
            seconds = time.perf_counter() - start
            size = {"segments": count, "systems": SYSTEMS}
            times = {"seconds": seconds, "processor_seconds": processor}
            rows.append({"work": work, **size, **times, "megabytes": megabytes})
        page_size = page.stat().st_size / 1e6
    print(f"{SYSTEMS} systems x {count:,} segments\n")
    print("| work | seconds | processor s | largest memory |\n|---|---:|---:|---:|")
    for row in rows:
        print(
            f"| {row['work']} | {row['seconds']:.1f} | {row['processor_seconds']:.1f} "
            f"| {row['megabytes']:.0f} MB |"
        )
    print(f"\nThe file has {page_size:.1f} MB.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "report_size.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
