"""Time and memory of training context classifiers, by size of the text.

    python -m benchmarks.races.rewrite_training

The data is in ../shared/data, or where PARAGAUGE_DATA points. The text is that of `rewrite_models.py`
(5.3 million words of news and other text, and Tatoeba's English), once, twice and four times over: the
words and the examples of each stay the same, so that memory grows only by the text itself. Words that
occur 200 times or more get a classifier.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from benchmarks.data.rewrite_models import training_files
from benchmarks.race import DATA, RESULTS, run

COPIES = (1, 2, 4)
MINIMUM = 200


def measure_costs(files: list[Path], minimum: int, output: Path) -> dict[str, float]:
    """Seconds, peak megabytes, tokens and classifiers of one run of the command."""
    command = [sys.executable, "-m", "paragauge", "rewrite", "train", "context"]
    options = ["--minimum", str(minimum), "--output", str(output), "--format", "json"]
    printed, seconds, megabytes = run([*command, *map(str, files), *options])
    facts = json.loads(printed)
    words = facts["learners"][0]["words"]
    return {"tokens": facts["tokens"], "words": words, "seconds": seconds, "megabytes": megabytes}


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    print("| text | tokens | classifiers | seconds | peak MB |\n|---|---:|---:|---:|---:|")
    records = []
    with tempfile.TemporaryDirectory() as scratch:
        files = training_files(Path(scratch))
        for copies in COPIES:
            costs = measure_costs(files * copies, MINIMUM * copies, Path(scratch, "model.bin"))
            records.append(costs | {"copies": copies})
            print(
                f"| {copies}x | {costs['tokens']:,} | {costs['words']:,} | {costs['seconds']:.0f} "
                f"| {costs['megabytes']:.0f} |",
                flush=True,
            )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "rewrite_training.json").write_text(json.dumps(records, indent=2) + "\n")


if __name__ == "__main__":
    main()
