"""Language models: training against the kernel's plain twin, queries against KenLM's Python module.

lmplz is not on the package index. So the yardstick of training is the kernel's twin in plain Python,
which estimates the same model (checked) of some of the lines in the same run, in processor time on one
thread. Then 60,000 lines are trained end to end, from a text file to an ARPA file of order 5; the time
of lmplz that is printed beside is from another machine and decides nothing. Both sides of the queries
load the same ARPA file and score the same tokenized lines, and their scores must be equal to 1e-4 a
line.

    python -m benchmarks.races.lm

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.race import (
    DATA,
    RESULTS,
    Result,
    median_processor_time,
    median_time,
    race,
    report,
)
from paragauge.kernels import _native, reference
from paragauge.lm import EstimationSettings, KenLMModel, LanguageModel, train_files
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.vocabulary import Vocabulary

LINES = 60_000
ORDER = 5
TWIN_LINES = 1_000
TWIN_RATIO = 40
LMPLZ_SECONDS = 2.3  # on another machine


def train(text: Path, folder: Path) -> dict[str, float]:
    """Seconds for training, and for loading the result."""
    settings = EstimationSettings(order=ORDER)
    arpa, binary, small = (folder / name for name in ("lm.arpa", "lm.bin", "small.bin"))
    seconds = median_time(lambda: train_files([text], arpa, settings), 3)
    model = LanguageModel.load(arpa)
    model.save(binary)
    model.save(small, bits=8)
    megabytes = text.stat().st_size / 1e6
    print(f"Order {ORDER}, {LINES:,} lines ({megabytes:.1f} MB), {sum(model.counts):,} n-grams.")
    print(
        f"Training, text to ARPA: {seconds:.2f} s; lmplz took {LMPLZ_SECONDS} s on another machine, "
        "whose speed is not comparable."
    )
    loading = median_time(lambda: LanguageModel.load(small), 3)
    sizes = {path.name: path.stat().st_size for path in (arpa, binary, small)}
    file_sizes = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in sizes.items())
    print(f"Files: {file_sizes}. Loading the last: {loading:.2f} s.\n")
    return {"train_seconds": seconds, "load_seconds": loading, **sizes}


def estimate(module: Any, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> list[Any]:
    """The n-grams of all orders, by the kernel or its twin, without files."""
    with tempfile.TemporaryDirectory() as folder:
        estimator = module.NgramEstimator(ORDER, 1 << 28, folder, 1)
        estimator.add(ids, offsets)
        estimator.adjust([0] * ORDER, None)
        for _ in range(ORDER):
            estimator.smooth()
        return [estimator.read(order, 1 << 30) for order in range(1, ORDER + 1)]


def race_twin(lines: list[str]) -> Result:
    """Estimation on one thread against the twin, in processor time."""
    text = Vocabulary().encode(Lines.of(lines), "none")
    ids = (text.ids + 3).astype(np.int32)
    ours, theirs = (estimate(module, ids, text.offsets) for module in (_native, reference))
    for one, other in zip(ours, theirs, strict=True):
        if not all(np.allclose(a, b, rtol=1e-6) for a, b in zip(one, other, strict=True)):
            raise SystemExit("not the same model")
    slow = median_processor_time(lambda: estimate(reference, ids, text.offsets), 3)
    fast = median_processor_time(lambda: estimate(_native, ids, text.offsets), 3)
    work = f"estimation, order {ORDER}, {len(lines):,} lines, one thread"
    rates = len(lines) / slow, len(lines) / fast
    return Result(work, "plain Python", len(lines), *rates, slow / fast, TWIN_RATIO)


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    with LineReader(DATA / "text" / "reuters.txt.gz") as reader:
        lines = [" ".join(line.split()) for line in reader.read(LINES)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text"
        text.write_text("\n".join(lines) + "\n", encoding="utf-8")
        record = train(text, folder)
        ours = LanguageModel.load(folder / "lm.arpa")
        adapter = KenLMModel(folder / "lm.arpa")
        some = lines[:5000]
        difference = np.abs(ours.score(some).log10 - adapter.score(some).log10).max()
        if difference > 1e-4:
            raise SystemExit(f"not the same scores: they differ by up to {difference}")
        import kenlm

        kenlm_model = kenlm.Model(str(folder / "lm.arpa"))
        results = [race_twin(lines[:TWIN_LINES])]
        results += [
            race(
                f"log10 of {LINES:,} sentences, {threads} thread{'s' * (threads > 1)}",
                "KenLM's Python module",
                LINES,
                theirs=lambda: [kenlm_model.score(line) for line in lines],
                ours=lambda threads=threads: ours.score(lines, threads=threads),
                wanted=1,
            )
            for threads in (1, 2)
        ]
    report("lm", results)
    (RESULTS / "lm-training.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
