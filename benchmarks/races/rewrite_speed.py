"""Segment pairs rewritten per second, with models loaded.

    python -m benchmarks.races.rewrite_speed [--models FOLDER] [--segments 20000] [--threads 2]

The pairs are references and outputs of WMT 2012 (../shared/data, or where PARAGAUGE_DATA points). Every
system has the same references: `once` tokenizes and tags them for each output, as `paragauge rewrite
run` does; `shared` does that once for all outputs, as scoring several systems does. The encoder reads
only sentences with proposals; vectors of references that come again are remembered.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from pathlib import Path

from benchmarks.data.rewrite_models import model_paths
from benchmarks.race import DATA, RESULTS
from paragauge.rewrite.rewrite_method import RewriteMethod

METHODS = (
    "wordnet",
    "encoder",
    "context",
    "lm",
    "context+lm",
    "phrases",
    "wordnet+phrases",
    "phrases+lm",
)
WANTED = {"encoder": 300}
USUAL = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--models", help="where the trained models are kept")
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    with gzip.open(DATA / "wmt12" / "de-en.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    references = [row["reference"] for row in rows]
    systems = [[row["systems"][name] for row in rows] for name in rows[0]["systems"]]
    systems = systems[: max(1, options.segments // len(rows))]
    pairs = len(systems) * len(rows)
    records = []
    print("| method | references | segment pairs | seconds | pairs/s | wanted |")
    print("|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        models = model_paths(Path(options.models or scratch), METHODS)
        for name in METHODS:
            paths = [str(models[part]) for part in name.split("+") if part in models]
            rewriter = RewriteMethod(name, "+".join(paths) or None).rewriter()
            rewriter.run(references[:100], systems[0][:100], threads=options.threads)
            for kind in ("once", "shared"):
                start = time.perf_counter()
                ready = (
                    rewriter.prepare(references, options.threads) if kind == "shared" else references
                )
                for outputs in systems:
                    rewriter.run(ready, outputs, threads=options.threads)
                seconds = time.perf_counter() - start
                records.append({"method": name, "kind": kind, "pairs": pairs, "seconds": seconds})
                print(
                    f"| {name} | {kind} | {pairs:,} | {seconds:.2f} | {pairs / seconds:,.0f} "
                    f"| {WANTED.get(name, USUAL):,} |",
                    flush=True,
                )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "rewrite_speed.json").write_text(json.dumps(records, indent=2) + "\n")


if __name__ == "__main__":
    main()
