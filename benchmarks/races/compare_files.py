"""Race: `paragauge compare` against `sacrebleu --paired-bs` on the same files, end to end.

Two systems, 1,000 resamples of a paired bootstrap, BLEU, from the command line: start-up, reading,
scoring, testing and printing count. Peak memory is that of each process. Both must print the same BLEU.

    python -m benchmarks.races.compare_files [segments]
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.data.corpus import pairs
from benchmarks.race import Result, report, require_equal, run

REPEATS = 3
MOST_MEMORY = 200


def main(count: int) -> None:
    candidates, references = map(list, zip(*pairs(count), strict=True))
    texts = {"refs": references, "base": candidates, "mine": [b for _, b in pairs(count, seed=8)]}
    with tempfile.TemporaryDirectory() as folder:
        files = {name: str(Path(folder, f"{name}.txt")) for name in texts}
        for name, lines in texts.items():
            Path(files[name]).write_text("\n".join(lines) + "\n", encoding="utf-8")
        theirs = [sys.executable, "-m", "sacrebleu", files["refs"], "-i", files["base"]]
        theirs += [files["mine"], "-m", "bleu", "--paired-bs", "--paired-bs-n", "1000", "-f", "json"]
        ours = [sys.executable, "-m", "paragauge", "compare", "-r", files["refs"], "-c"]
        ours += [files["base"], "-c", files["mine"], "-m", "bleu", "-f", "json"]
        ours += ["--bootstrap", "1000", "--randomization", "0"]
        slow, fast = ([run(command) for _ in range(REPEATS)] for command in (theirs, ours))
    scores = json.loads(fast[0][0])["scores"]
    theirs_by_system = [row["BLEU"]["score"] for row in json.loads(slow[0][0])]
    for score, expected in zip(scores, theirs_by_system, strict=True):
        # sacreBLEU prints scores rounded.
        require_equal(f"BLEU of {score['system']}", round(score["value"], 4), round(expected, 4), 5e-4)
    seconds = [statistics.median(run_[1] for run_ in side) for side in (slow, fast)]
    memory = [max(run_[2] for run_ in side) for side in (slow, fast)]
    work = f"compare, 2 systems x {count:,} segments, 1,000 resamples, command line"
    rates = [2 * count / taken for taken in seconds]
    report(
        "compare_files",
        [Result(work, "sacreBLEU --paired-bs", 2 * count, *rates, seconds[0] / seconds[1], 20.0)],
    )
    print(
        f"\n{seconds[0]:.1f} s and {memory[0]:,.0f} MB against {seconds[1]:.2f} s and "
        f"{memory[1]:,.0f} MB (wanted: under {MOST_MEMORY} MB)"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
