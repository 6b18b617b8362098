"""Run a race and show its result: check that results are equal, then take each side's median time.

Both sides run equally often: on a noisy machine, more runs would flatter a side.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "build" / "bench"
DATA = Path(os.environ.get("PARAGAUGE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))

MEASURE = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = usage.ru_utime + usage.ru_stime
print(json.dumps([done.returncode, done.stderr.decode(), seconds, usage.ru_maxrss]))
"""


@dataclass(frozen=True)
class Result:
    """Throughputs of one race and their ratio."""

    work: str
    peer: str
    items: int
    peer_per_second: float
    ours_per_second: float
    ratio: float
    wanted: float | None

    def row(self) -> str:
        """The result as a line of a Markdown table."""
        wanted = "" if self.wanted is None else f"{self.wanted:g}x"
        return (
            f"| {self.work} | {self.peer} | {self.peer_per_second:,.0f}/s | "
            f"{self.ours_per_second:,.0f}/s | {self.ratio:.1f}x | {wanted} |"
        )


HEADER = "| work | peer | peer | paragauge | ratio | wanted |\n|---|---|---:|---:|---:|---:|"


def median_processor_time(call: Callable[[], object], repeats: int) -> float:
    """Processor seconds of a call, which other processes on the machine change less than its time."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def median_time(call: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def race(
    work: str,
    peer: str,
    items: int,
    *,
    theirs: Callable[[], object],
    ours: Callable[[], object],
    repeats: int = 3,
    wanted: float | None = None,
    processor: bool = False,
) -> Result:
    """Time both sides, each `repeats` times, and give the ratio of throughputs.

    With `processor` it is processor time that counts, for sides of one thread and one process.
    """
    median = median_processor_time if processor else median_time
    slow, fast = median(theirs, repeats), median(ours, repeats)
    return Result(work, peer, items, items / slow, items / fast, slow / fast, wanted)


def run(command: list[str]) -> tuple[str, float, float]:
    """Output, seconds and peak memory in MB of one process."""
    measure = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, check=True)\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "sys.stdout.buffer.write(done.stdout)\n"
        "sys.stderr.write(str(peak))\n"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", measure, *command], capture_output=True, check=True, text=True
    )
    seconds = time.perf_counter() - start
    kilobytes = float(done.stderr) / (1024 if sys.platform == "darwin" else 1)
    return done.stdout, seconds, kilobytes / 1024


def run_quietly(words: list[str], module: str = "paragauge") -> tuple[float, float]:
    """Processor seconds and peak MB of a command.

    It is the child of a small process: until a child runs its own program, its memory is its parent's.
    """
    command = [sys.executable, "-c", MEASURE, sys.executable, "-m", module, *words]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    code, said, seconds, peak = json.loads(done.stdout)
    if code != 0:
        raise SystemExit(f"{' '.join(words)}: {said}")
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there
    return seconds, peak * unit / 1e6


def require_equal(what: str, ours: float, theirs: float, tolerance: float) -> None:
    """Stop a race whose sides do not compute the same thing."""
    if abs(ours - theirs) > tolerance:
        raise SystemExit(f"{what}: not the same result: {ours!r} and {theirs!r}")


def report(name: str, results: list[Result]) -> None:
    """Print the table and save it as JSON; a ratio below the wanted one ends the race with an error.

    Only ratios can: a time depends on the machine and on what else runs there.
    """
    print(HEADER)
    for result in results:
        print(result.row())
    RESULTS.mkdir(parents=True, exist_ok=True)
    target = RESULTS / f"{name}.json"
    target.write_text(json.dumps([asdict(result) for result in results], indent=2) + "\n")
    print(f"\nJSON: build/bench/{target.name}\n")
    for result in results:
        if result.wanted is not None and result.ratio < result.wanted:
            raise SystemExit(
                f"{result.work}: expected {result.wanted:g} times the speed of {result.peer}, found "
                f"{result.ratio:.2f}"
            )
