"""Lexical weights of rules: the kernel against its plain twin, and extractions with and without them.

Hiero grammars are extracted from Bible verses in pairs of translations, aligned by the default aligner,
with a limit on memory: without features, with all but the lexical weights, and with all. Time is that
of the processors, peak memory the largest resident size; it may not grow with the text. The race is
between the kernel on one thread and its twin in plain Python, on some of the rules; both must give the
same weights.

    python -m benchmarks.races.lexical_features [pairs]

Needs the packages of five translations (pip install 'paragauge[bench]'). 250,000 pairs take hours and
about 60 GB of disk space.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.papers.bible import prepare
from benchmarks.race import RESULTS, race, report, run_quietly
from paragauge.grammar.features import LEXICAL, NAMES
from paragauge.grammar.grammar_folder import Grammar
from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts

PAIRS = 4_000
MEMORY = "1GB"
LIMIT_MB = 1800  # DuckDB's gigabyte, Python, and rows on their way between them
COMPARED = 20_000  # rules
WANTED_RATIO = 10
FEATURES = {
    "none": "none",
    "all but lexical weights": ",".join(name for name in NAMES if name not in LEXICAL),
    "all": "all",
}


def write_part(folder: Path, size: int) -> list[str]:
    """The first pairs as files of their own, and the words of the command that extracts from them."""
    paths = []
    for name in ("source.txt", "target.txt", "links.txt"):
        with (folder / name).open(encoding="utf-8") as lines:
            path = folder / f"{size}-{name}"
            path.write_text("".join(line for _, line in zip(range(size), lines, strict=False)), "utf-8")
            paths.append(str(path))
    return ["grammar", "extract", *paths[:2], "-a", paths[2], "--settings", "hiero", "--memory", MEMORY]


def race_kernel(folder: Path) -> None:
    """The weights of some rules, by the kernel and by its twin."""
    table = pa.Table.from_batches(Grammar.open(folder).batches(["source", "target", "alignment"]))
    texts = [column.to_pylist() for column in table.drop_null()[:COMPARED].columns]
    words: dict[tuple[str, str], None] = {}
    for source, target, links in zip(*texts, strict=True):
        left, right = source.split(), target.split()
        words |= {(word, ""): None for word in left} | {("", word): None for word in right}
        for link in links.split():
            s, t = map(int, link.split("-"))
            words[left[s], right[t]] = None
    chances = [np.random.default_rng(seed).random(len(words)) for seed in (1, 2)]
    sides = [pack_texts(list(side)) for side in zip(*words, strict=True)]
    native, twin = (module.LexicalTable(*sides, *chances) for module in (_native, reference))
    rows = [pack_texts(column) for column in texts]
    for one, other in zip(native.weights(*rows, 1, True), twin.weights(*rows, 1, True), strict=True):
        if not np.array_equal(one, other):
            raise SystemExit("not the same weights")
    outcome = race(
        f"lexical weights of {len(texts[0]):,} rules",
        "plain Python",
        len(texts[0]),
        theirs=lambda: twin.weights(*rows, 1, True),
        ours=lambda: native.weights(*rows, 1, True),
        wanted=WANTED_RATIO,
    )
    report("lexical_features", [outcome])


def main(count: int) -> None:
    if importlib.util.find_spec("pythonbible") is None:
        print("no race without the translations; pip install 'paragauge[bench]'")
        return
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, count)
        print("\n| pairs | features | rules | processor s | largest memory |")
        print("|---:|---|---:|---:|---:|")
        for size in (count // 4, count):
            words = write_part(folder, size)
            for title, features in FEATURES.items():
                output = folder / "grammar"
                seconds, megabytes = run_quietly([*words, "--features", features, "-o", str(output)])
                row = {"pairs": size, "features": title, "rules": len(Grammar.open(output))}
                rows.append(row | {"seconds": seconds, "megabytes": megabytes})
                print(
                    f"| {size:,} | {title} | {row['rules']:,} | {seconds:.1f} | {megabytes:.0f} MB |",
                    flush=True,
                )
        print(f"\nDuckDB may use {MEMORY}; allowed in all: {LIMIT_MB} MB.\n")
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / "lexical_scale.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
        race_kernel(output)
    if max(row["megabytes"] for row in rows) > LIMIT_MB:
        raise SystemExit(f"expected at most {LIMIT_MB} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
