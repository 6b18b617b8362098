"""Ten million pairs, generated while they are scored, in flat memory.

Two named pipes feed `paragauge score`, which computes BLEU and PINC with bootstrap intervals; the
pairs never exist on disk. Prints the time and the peak resident size of the scoring process,
and the same for a tenth of the pairs: memory must not grow with the input.

    python -m benchmarks.races.stream [pairs]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.data.corpus import pairs
from benchmarks.race import RESULTS

BLOCK = 20_000
LIMIT_MB = 500


def feed(path: Path, lines: list[str], count: int) -> None:
    """Write `count` lines; each round numbers its first word anew, so that no two lines are equal."""
    with path.open("w", encoding="utf-8", buffering=1 << 20) as out:
        written = 0
        while written < count:
            size = min(len(lines), count - written)
            tag = f"x{written} "
            out.write(tag + ("\n" + tag).join(lines[:size]) + "\n")
            written += size


def measure(count: int, block: list[tuple[str, str]]) -> dict[str, float]:
    """Time and memory of scoring `count` pairs."""
    with tempfile.TemporaryDirectory() as folder:
        pipes = [Path(folder, name) for name in ("candidates", "references", "sources")]
        columns = [[c for c, _ in block], [r for _, r in block], [r for _, r in block]]
        for pipe in pipes:
            os.mkfifo(pipe)
        writers = [
            threading.Thread(target=feed, args=(pipe, lines, count), daemon=True)
            for pipe, lines in zip(pipes, columns, strict=True)
        ]
        for writer in writers:
            writer.start()
        start = time.perf_counter()
        command = ["-c", pipes[0], "-r", pipes[1], "-s", pipes[2], "-m", "bleu,pinc", "-f", "json"]
        process = subprocess.Popen(
            [sys.executable, "-m", "paragauge", "score", *map(str, command)],
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None  # noqa: S101
        scores = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
    if process.returncode != 0 or scores["segments"] != count:
        raise SystemExit(f"scored {scores['segments']} of {count} pairs")
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there
    return {"pairs": count, "seconds": seconds, "megabytes": usage.ru_maxrss * unit / 1e6}


def main(count: int) -> None:
    block = list(pairs(BLOCK))
    results = [measure(count // 10, block), measure(count, block)]
    print("| pairs | seconds | pairs/s | largest memory | allowed |\n|---:|---:|---:|---:|---:|")
    for row in results:
        print(
            f"| {row['pairs']:,} | {row['seconds']:.1f} | {row['pairs'] / row['seconds']:,.0f} | "
            f"{row['megabytes']:.0f} MB | {LIMIT_MB} MB |"
        )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "stream.json").write_text(json.dumps(results, indent=2) + "\n")
    if results[-1]["megabytes"] > LIMIT_MB:
        raise SystemExit("memory is above the limit")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
