"""Time to start: importing the package, and scoring ten lines with PINC from the shell.

python -m benchmarks.races.startup
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.data.corpus import EXAMPLES
from benchmarks.race import RESULTS

LIMIT = 0.3


def wall_times(command: list[str], repeats: int = 15) -> list[float]:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return times


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in ("sources", "rewrites"):
            lines = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:10]
            files.append(Path(folder, f"{name}.txt"))
            files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
        score = ["score", "-s", str(files[0]), "-c", str(files[1]), "--metrics", "pinc"]
        commands = {
            'python -c "import paragauge"': [sys.executable, "-c", "import paragauge"],
            "paragauge score, PINC, 10 lines": [sys.executable, "-m", "paragauge", *score],
        }
        print("| command | median | fastest | wanted |\n|---|---:|---:|---:|")
        results = {}
        for title, command in commands.items():
            times = wall_times(command)
            results[title] = statistics.median(times)
            print(f"| {title} | {results[title]:.3f} s | {min(times):.3f} s | {LIMIT} s |")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "startup.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
