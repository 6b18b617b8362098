"""Language models: training against lmplz's recorded time, queries against KenLM's Python module.

Training is end to end, from a text file to an ARPA file: order 5, 60,000 lines. lmplz is not on the
package index, so its time was recorded on a machine of the same class. Both sides of the queries load
the same ARPA file and score the same tokenized lines, and their scores must be equal to 1e-4 a line.

    python -m benchmarks.races.lm

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.race import DATA, RESULTS, median_time, race, report
from paragauge.lm import EstimationSettings, KenLMModel, LanguageModel, train_files
from paragauge.text.line_reader import LineReader

LINES = 60_000
ORDER = 5
LMPLZ_SECONDS = 2.3
WANTED_SECONDS = 4.6


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
    print(f"Training, text to ARPA: {seconds:.2f} s; lmplz, on record: {LMPLZ_SECONDS} s.")
    loading = median_time(lambda: LanguageModel.load(small), 3)
    sizes = {path.name: path.stat().st_size for path in (arpa, binary, small)}
    file_sizes = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in sizes.items())
    print(f"Files: {file_sizes}. Loading the last: {loading:.2f} s.\n")
    if seconds > WANTED_SECONDS:
        raise SystemExit(f"expected training in {WANTED_SECONDS} s, took {seconds:.2f} s")
    return {"train_seconds": seconds, "load_seconds": loading, **sizes}


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
        results = [
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
