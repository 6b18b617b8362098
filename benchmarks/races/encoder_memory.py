"""Memory of `paragauge score -m bertscore`: pairs that all differ, in flat memory.

The sentences of newstest2015 and newstest2016 are shuffled into pairs, and each pair gets a number of
its own, so that no text is encoded twice. Prints the time and the peak resident size of the
scoring process for the first 30,000 pairs and for all of them: memory must not grow with the input.
Before that, the start of the package: the time to import it, and to score one pair by PINC, neither of
which may load an encoder.

    python -m benchmarks.races.encoder_memory [pairs]

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.data.wmt_da import sentences
from benchmarks.race import RESULTS, run

FIRST = 30_000
LIMIT_MB = 450
# Packages that the start of PINC must not load.
HEAVY = ("onnxruntime", "tokenizers")


def write_pairs(folder: Path, count: int) -> tuple[Path, Path]:
    """Two files of `count` lines, no two of which are equal."""
    texts = [text for year in (2015, 2016) for text in sentences(year)]
    draw = random.Random(7)  # which pairs does not matter, but they must be the same
    paths = folder / "candidates.txt", folder / "references.txt"
    for path in paths:
        lines = (f"{draw.choice(texts)} {number}\n" for number in range(count))
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def measure(count: int) -> dict[str, float]:
    """Time and memory of scoring `count` pairs on all cores."""
    with tempfile.TemporaryDirectory() as folder:
        candidates, references = write_pairs(Path(folder), count)
        arguments = ["-c", candidates, "-r", references, "-m", "bertscore", "-f", "json"]
        output, seconds, megabytes = run(
            [sys.executable, "-m", "paragauge", "score", *map(str, arguments)]
        )
    if json.loads(output)["segments"] != count:
        raise SystemExit(f"scored {json.loads(output)['segments']} of {count} pairs")
    return {"pairs": count, "seconds": seconds, "megabytes": megabytes}


def start_seconds(arguments: list[str]) -> float:
    """The median time of seven starts of Python with these arguments."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def check_start() -> None:
    """Print how long the package and PINC take to start; stop if they load an encoder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "one.txt")
        path.write_text("A dog barks.\n", encoding="utf-8")
        pinc = ["score", "-c", str(path), "-s", str(path), "-m", "pinc"]
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "paragauge", *pinc],
            capture_output=True,
            text=True,
            check=True,
        )
        loaded = [name for name in HEAVY if f" {name}\n" in done.stderr]
        if loaded:
            raise SystemExit(f"PINC loads {', '.join(loaded)}")
        rows = {
            "python alone": ["-c", ""],
            "import paragauge": ["-c", "import paragauge"],
            "paragauge score -m pinc": ["-m", "paragauge", *pinc],
        }
        for name, arguments in rows.items():
            print(f"{name}: {start_seconds(arguments):.3f} s")


def main(count: int) -> None:
    check_start()
    results = [measure(size) for size in dict.fromkeys((min(FIRST, count), count))]
    print("\n| pairs | seconds | pairs/s | largest memory | allowed |\n|---:|---:|---:|---:|---:|")
    for row in results:
        print(
            f"| {row['pairs']:,} | {row['seconds']:.1f} | {row['pairs'] / row['seconds']:,.0f} | "
            f"{row['megabytes']:.0f} MB | {LIMIT_MB} MB |"
        )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "encoder_memory.json").write_text(json.dumps(results, indent=2) + "\n")
    if results[-1]["megabytes"] > LIMIT_MB:
        raise SystemExit("memory is above the limit")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
