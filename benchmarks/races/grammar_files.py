"""Grammar files: parsing and writing lines against plain Python, and ten million rules end to end.

The first table races the kernels on one thread against plain Python loops that do the same for
valid lines only. The second runs `paragauge grammar convert`, `overlap`, its curve and `prune` on a
made-up grammar of a given number of rules and of a tenth of it, with the time and the peak resident
size of each command.

    python -m benchmarks.races.grammar_files [rules]
"""

from __future__ import annotations

import itertools
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.race import RESULTS, race, report, run_quietly
from paragauge.kernels import _native
from paragauge.text.lines import Lines

WANTED_RATIO = 5
MEMORY = "2GB"
LIMIT_MB = 3500
WORDS = [f"{a}{b}{c}" for a in "bdfklmnprst" for b in ("a", "e", "io", "ou") for c in ("", "n", "rs")]
LABELS = ["NP", "VP", "NN", "S/VP", "NP\\PP", "DT+NN", "$+PRN", ",", "ADJP", "X"]
BLOCK = 100_000


def lines(count: int, seed: int) -> Iterator[str]:
    """Lines of a grammar such as PPDB's; a block repeats with another last word on the target side."""
    block = list(_block(min(count, BLOCK), seed))
    for number in range(0, count, BLOCK):
        for line in block[: count - number]:
            yield line.replace("@", str(number // BLOCK))


def _block(count: int, seed: int) -> Iterator[str]:
    draw = random.Random(seed)
    for number in range(count):
        labels = draw.choices(LABELS, k=draw.choice((0, 0, 1, 2)))
        source = [f"[{label},{i}]" for i, label in enumerate(labels, 1)]
        target = list(reversed(source))
        source += draw.choices(WORDS, k=draw.randint(1, 3))
        target += [*draw.choices(WORDS, k=draw.randint(0, 2)), f"w{number % 50_000}@"]
        yield (
            f"[{draw.choice(LABELS)}] ||| {' '.join(source)} ||| {' '.join(target)} ||| "
            f"p(e|f)={draw.random():.6f} p(f|e)={draw.random():.6f} Abstract=0 "
            f"PPDB2.0Score={5 * draw.random():.5f} ||| {len(labels)}-{len(labels)}"
        )


def plain_parse(texts: list[str]) -> list[tuple]:
    """The work of the parsing kernel in plain Python, for valid lines."""
    pattern = re.compile(r"\[(.+),([0-9]+)\]")
    rows = []
    for text in texts:
        left, source, target, features, alignment = text.split(" ||| ")
        numbers: dict[str, str] = {}
        labels, sides = [], []
        for side in (source, target):
            tokens = []
            for token in side.split():
                match = pattern.fullmatch(token) if token[0] == "[" else None
                if match and match[2] not in numbers:
                    labels.append(match[1])
                    numbers[match[2]] = f"[{len(labels)}]"
                tokens.append(numbers[match[2]] if match else token)
            sides.append(" ".join(tokens))
        values = [float(feature.rpartition("=")[2]) for feature in features.split()]
        rows.append((left[1:-1], " ".join(labels), *sides, alignment, values))
    return rows


def native_parse(packed: Lines) -> tuple:
    return _native.parse_grammar(packed.buffer, packed.spans, 0, 1)


def native_format(parsed: tuple) -> bytes:
    values = parsed[9][1].reshape(len(parsed[7]), -1)
    counts = np.zeros((len(values), 0))
    text, bad, _ = _native.format_grammar(parsed[:6], values, parsed[8], counts, 0, 1)
    if bad >= 0:
        raise SystemExit("a rule that was read cannot be written")
    return text


def plain_format(rows: list[tuple], names: list[str]) -> str:
    lines = []
    for lhs, labels, source, target, alignment, values in rows:
        split = labels.split()
        sides = [
            " ".join(
                f"[{split[int(token[1:-1]) - 1]},{token[1:-1]}]" if token[0] == "[" else token
                for token in side.split()
            )
            for side in (source, target)
        ]
        features = " ".join(f"{name}={value!r}" for name, value in zip(names, values, strict=True))
        lines.append(f"[{lhs}] ||| {sides[0]} ||| {sides[1]} ||| {features} ||| {alignment}\n")
    return "".join(lines)


def races() -> None:
    texts = list(lines(BLOCK, 1))
    packed = Lines.of(texts)
    rows, parsed = plain_parse(texts), native_parse(packed)
    columns = [[row[i] for row in rows] for i in range(5)]
    ours = [[*_strings(column)] for column in parsed[:5]]
    if ours != columns or parsed[9][1].tolist() != [value for row in rows for value in row[5]]:
        raise SystemExit("not the same rules")
    names = ["p(e|f)", "p(f|e)", "Abstract", "PPDB2.0Score"]
    # The kernel writes 0 and 1e-04 where Python writes 0.0 and 0.0001.
    written = native_format(parsed).decode().splitlines(), plain_format(rows, names).splitlines()
    if not plain_parse(written[0]) == plain_parse(written[1]) == rows:
        raise SystemExit("not the same lines")
    results = [
        race(
            "rules read",
            "plain Python",
            BLOCK,
            theirs=lambda: plain_parse(texts),
            ours=lambda: native_parse(packed),
            wanted=WANTED_RATIO,
        ),
        race(
            "rules written",
            "plain Python",
            BLOCK,
            theirs=lambda: plain_format(rows, names),
            ours=lambda: native_format(parsed),
            wanted=WANTED_RATIO,
        ),
    ]
    report("grammar_files", results)


def _strings(column: tuple) -> list[str]:
    text, offsets = column[0].tobytes(), column[1].tolist()
    return [text[a:b].decode() for a, b in itertools.pairwise(offsets)]


def run(*words: object) -> dict[str, float | str]:
    """Time and memory of a command."""
    start = time.perf_counter()
    processor, megabytes = run_quietly(["grammar", *map(str, words), "--memory", MEMORY])
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "processor_seconds": processor, "megabytes": megabytes}


def scale(count: int, folder: Path) -> list[dict]:
    text, gold = folder / "grammar", folder / "gold.txt"
    with text.open("w", encoding="utf-8") as out, gold.open("w", encoding="utf-8") as some:
        for number, line in enumerate(lines(count, 2)):
            out.write(line + "\n")
            if number % 30 == 0:
                some.write(f"{line.split(' ||| p(e|f)')[0]} ||| count={1 + number % 3}\n")
    small, large = folder / "gold", folder / "large"
    run("convert", gold, "-o", small, "--duplicates", "first")
    score = "PPDB2.0Score"
    steps = {
        "convert": ("convert", text, "-o", large, "--duplicates", "first"),
        "overlap, strict and non-strict": ("overlap", large, "-g", small),
        "curve of 10 sizes": ("overlap", large, "-g", small, "--curve", score),
        "prune to 2 variants": ("prune", large, "--score", score, "--variants", 2, "-o", folder / "p"),
        "convert to text": ("convert", large, "--to", "ppdb", "-o", folder / "out"),
    }
    return [{"work": name, "rules": count, **run(*words)} for name, words in steps.items()]


def main(count: int) -> None:
    races()
    rows = []
    for size in (count // 10, count):
        with tempfile.TemporaryDirectory() as folder:
            rows += scale(size, Path(folder))
    print("| work | rules | seconds | processor s | rules/s | largest memory |")
    print("|---|---:|---:|---:|---:|---:|")
    for row in rows:
        print(
            f"| {row['work']} | {row['rules']:,} | {row['seconds']:.1f} | "
            f"{row['processor_seconds']:.1f} | {row['rules'] / row['seconds']:,.0f} | "
            f"{row['megabytes']:.0f} MB |"
        )
    (RESULTS / "grammar_scale.json").write_text(json.dumps(rows, indent=2) + "\n")
    print(f"\nDuckDB may use {MEMORY}; allowed in all: {LIMIT_MB} MB.")
    print("JSON: build/bench/grammar_scale.json")
    if max(row["megabytes"] for row in rows) > LIMIT_MB:
        raise SystemExit(f"expected at most {LIMIT_MB} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
