"""How time and memory of each main job grow with its input: four sizes, and the fitted exponent.

Each job is a command in a process of its own, on made-up input of sizes 1, 2, 4 and 8. Time is that of
the processors, in the process and its children; the time of the command on hardly any input (its start)
is subtracted before the exponent b of a * size ** b is fitted by least squares on logarithms. n log n
shows as an exponent of about 1.1 at these sizes. Peak memory is the largest resident size.

    python -m benchmarks.races.scaling [factor] [job ...]

A factor of 0.1 runs a tenth of each size; with names of jobs, the results of the others stay. Table and
plot are saved as build/bench/scaling.json and build/bench/scaling.svg, and
`python tools/docs/readme_numbers.py scaling` puts both into the guide to large corpora.
"""

from __future__ import annotations

import json
import math
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.data.corpus import pairs
from benchmarks.race import RESULTS, run_quietly
from benchmarks.races.grammar_files import lines as grammar_lines
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots.curves import Curve, curve_plot
from paragauge.report.drawing.save import save_plot

STEPS = (1, 2, 4, 8)
MOST_EXPONENT = 1.2  # n log n, and noise
Write = Callable[[Path, int], list[str]]


@dataclass(frozen=True)
class Job:
    """A command: how to write its input of a given size and what to run; its smallest size."""

    name: str
    unit: str
    smallest: int
    write: Write
    module: str = "paragauge"


@dataclass(frozen=True)
class Measurement:
    """One run of a job."""

    size: int
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Scaling:
    """A job at all sizes."""

    job: str
    unit: str
    start_seconds: float
    rows: tuple[Measurement, ...]

    @property
    def exponent(self) -> float:
        """Of the time without the start.

        >>> rows = tuple(Measurement(n, 1 + 2.0 * n, 50) for n in (1, 2, 4, 8))
        >>> round(Scaling("score", "pairs", 1.0, rows).exponent, 6)
        1.0
        """
        return _slope([(row.size, row.seconds - self.start_seconds) for row in self.rows])

    @property
    def memory_exponent(self) -> float:
        """Of the peak memory, that of the start included."""
        return _slope([(row.size, row.megabytes) for row in self.rows])


def _slope(points: list[tuple[float, float]]) -> float:
    x, y = np.log(np.maximum(np.array(points, np.float64), 1e-3)).T
    return float(np.polyfit(x, y, 1)[0])


def texts(*metrics: str) -> Write:
    """`score` with these metrics."""

    def write(folder: Path, count: int) -> list[str]:
        files = _sentences(folder, count)
        return ["score", "-s", files[0], "-r", files[0], "-c", files[1], "-m", ",".join(metrics)]

    return write


def _sentences(folder: Path, count: int) -> tuple[str, str]:
    names = str(folder / "left.txt"), str(folder / "right.txt")
    for name, side in zip(names, zip(*pairs(count), strict=True), strict=True):
        Path(name).write_text("\n".join(side) + "\n", encoding="utf-8")
    return names


def meta(folder: Path, count: int) -> list[str]:
    draw = random.Random(7)
    left, right = _sentences(folder, count)
    rows = [f"{n + 1}\tright\t{draw.randint(0, 100)}" for n in range(count)]
    ratings = folder / "ratings.tsv"
    ratings.write_text("\n".join(["segment\tsystem\toverall", *rows]) + "\n", encoding="utf-8")
    return ["meta", str(ratings), "-s", left, "-c", right, "-m", "pinc,targetf1", "-r", left]


def aligned(*words: str) -> Write:
    """A command on a bitext whose words are linked place by place."""

    def write(folder: Path, count: int) -> list[str]:
        left, right = _sentences(folder, count)
        links = folder / "links.txt"
        with links.open("w", encoding="utf-8") as out:
            for one, other in pairs(count):
                places = range(min(len(one.split()), len(other.split())))
                out.write(" ".join(f"{i}-{i}" for i in places) + "\n")
        return [*words, left, right, "-a", str(links), "-o", str(folder / "out")]

    return write


def _grammar(folder: Path, count: int) -> str:
    path = folder / "grammar"
    path.write_text("\n".join(grammar_lines(count, 2)) + "\n", encoding="utf-8")
    return str(path)


def convert(folder: Path, count: int) -> list[str]:
    return ["grammar", "convert", _grammar(folder, count), "-o", str(folder / "out"), *FIRST]


def overlap(folder: Path, count: int) -> list[str]:
    gold, large = folder / "gold", folder / "large"
    for path in (gold, large):
        run_quietly(["grammar", "convert", _grammar(folder, count), "-o", str(path), *FIRST])
    return ["grammar", "overlap", str(large), "-g", str(gold), "--frequencies", "1"]


def coverage(folder: Path, count: int) -> list[str]:
    left, right = _sentences(folder, count)
    rules, both = folder / "rules", folder / "pairs.txt"
    sides = [Path(side).read_text(encoding="utf-8").splitlines() for side in (left, right)]
    lines = [f"{one} ||| {other}" for one, other in zip(*sides, strict=True)]
    both.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = sorted({word for side in sides for line in side for word in line.split()})
    rules.write_text("".join(f"[X] ||| {word} ||| {word}\n" for word in words), encoding="utf-8")
    return ["grammar", "coverage", str(rules), "--pairs", str(both), "--span", "5"]


def train_lm(folder: Path, count: int) -> list[str]:
    left, _ = _sentences(folder, count)
    return ["lm", "train", left, "-o", str(folder / "lm.arpa"), "--order", "3", "--discount-fallback"]


def submit(folder: Path, count: int) -> list[str]:
    """Workers who take tasks and answer them, in a new store."""
    return [str(folder / "collection.db"), str(count)]


FIRST = ["--duplicates", "first"]
JOBS = [
    Job("score (BLEU, PINC)", "pairs", 20_000, texts("bleu", "pinc")),
    Job("score (chrF, TER)", "pairs", 4_000, texts("chrf", "ter")),
    Job("score (MAXSIM)", "pairs", 4_000, texts("maxsim")),
    Job("score (PEM)", "pairs", 1_000, texts("pem")),
    Job("score (BERTScore)", "pairs", 50, texts("bertscore")),
    Job("meta", "ratings", 50_000, meta),
    Job("phrases extract", "pairs", 4_000, aligned("phrases", "extract")),
    Job("grammar extract", "pairs", 50, aligned("grammar", "extract", "--labels", "hiero")),
    Job("grammar convert", "rules", 200_000, convert),
    Job("grammar overlap", "rules", 200_000, overlap),
    Job("grammar coverage", "pairs", 16_000, coverage),
    Job("lm train", "lines", 10_000, train_lm),
    Job("collect: submissions", "answers", 250, submit, "benchmarks.data.collect_submissions"),
]


def measure(job: Job, size: int) -> Measurement:
    with tempfile.TemporaryDirectory() as name:
        words = job.write(Path(name), size)
        return Measurement(size, *run_quietly(words, job.module))


def scale(job: Job, factor: float) -> Scaling:
    smallest = max(20, round(job.smallest * factor))
    start = measure(job, max(5, smallest // 50)).seconds
    rows = tuple(measure(job, step * smallest) for step in STEPS)
    return Scaling(job.name, job.unit, start, rows)


def plot(results: list[Scaling]) -> Scene:
    """Time over size, both in times those of the smallest size, on logarithmic axes."""
    curves = [
        Curve(
            f"{result.job}: {result.exponent:.2f}",
            np.log2(STEPS).tolist(),
            [math.log2((row.seconds - result.start_seconds) / smallest) for row in result.rows],
        )
        for result in results
        if (smallest := result.rows[0].seconds - result.start_seconds) > 0
        and all(row.seconds > result.start_seconds for row in result.rows)
    ]
    titles = ("Size (doublings)", "Processor time (doublings)")
    return curve_plot(curves, titles=titles, title="Time over size: the exponents of each job")


def read_results() -> dict[str, Scaling]:
    """The jobs that were measured before, by name."""
    path = RESULTS / "scaling.json"
    records = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return {
        one["job"]: Scaling(
            one["job"],
            one["unit"],
            one["start_seconds"],
            tuple(Measurement(**row) for row in one["rows"]),
        )
        for one in records
    }


def save(results: list[Scaling]) -> None:
    """Write the table and the plot."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    records = [
        asdict(r) | {"exponent": r.exponent, "memory_exponent": r.memory_exponent} for r in results
    ]
    (RESULTS / "scaling.json").write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    save_plot(plot(results), RESULTS / "scaling.svg")
    print("\nJSON and plot: build/bench/scaling.json, build/bench/scaling.svg")


def main(factor: float, names: list[str]) -> None:
    known = [job.name for job in JOBS]
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"unknown job '{unknown[0]}'; known: {', '.join(known)}")
    results = read_results() if names else {}
    print("| job | size | processor s | largest memory | exponent of time | of memory |")
    print("|---|---:|---:|---:|---:|---:|")
    for job in JOBS:
        if names and job.name not in names:
            continue
        result = scale(job, factor)
        results[job.name] = result
        last = result.rows[-1]
        print(
            f"| {job.name} | {last.size:,} {job.unit} | {last.seconds:.1f} | {last.megabytes:.0f} MB | "
            f"{result.exponent:.2f} | {result.memory_exponent:.2f} |",
            flush=True,
        )
    save([results[name] for name in known if name in results])
    steep = [result.job for result in results.values() if result.exponent > MOST_EXPONENT]
    if steep:
        raise SystemExit(f"grows faster than n log n: {', '.join(steep)}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, sys.argv[2:])
