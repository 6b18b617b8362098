"""PRO improves the metric it tunes to, on the tuning set and on others: BLEU and PRÉCIS.

A phrase-based model with Moses' default weights (see `generation_data.py`) is tuned twice. For BLEU,
the references of a description are all others of its video. For PRÉCIS, as Weese et al. (2014, section
6) do, sources and references differ in length by a ratio of 0.67 to 0.75: here the longest descriptions
of a video have its shorter ones as references, with a target rate of 0.75. Differences have
95 % intervals by paired bootstrap; the two sets share no video.

    python -m benchmarks.papers.tuning
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from benchmarks.data.generation_data import Segments, compressions, segments, train_model
from benchmarks.race import RESULTS
from paragauge import BLEU, PRECIS, compare
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.tuning import TuneSettings, tune
from paragauge.metrics.base import Metric

LOW, HIGH = 0.67, 0.75
SETTINGS = TuneSettings(iterations=20)


def tune_and_compare(
    title: str, model: PhraseBased, metric: Metric, dev: Segments, test: Segments
) -> list[dict[str, object]]:
    """Tune, and compare both sets before and after."""
    start = time.perf_counter()
    done = tune(model, dev.sources, metric, references=dev.references, settings=SETTINGS)
    seconds = time.perf_counter() - start
    rows: list[dict[str, object]] = []
    for name, data in (("dev", dev), ("test", test)):
        outputs = {
            "before": model.nbest(data.sources).best(),
            "after": model.with_weights(done.weights).nbest(data.sources).best(),
        }
        comparison = compare(
            outputs,
            [metric],
            sources=data.sources,
            references=data.references,
            baseline="before",
            randomization=0,
        )
        (row,) = comparison.differences
        words = {
            which: sum(len(text.split()) for text in texts) / sum(len(s.split()) for s in data.sources)
            for which, texts in outputs.items()
        }
        print(
            f"| {title} | {name} | {len(data):,} | {row.baseline_value:.2f} | {row.value:.2f} | "
            f"{row.difference:+.2f} [{row.low:+.2f}, {row.high:+.2f}] | {row.p_bootstrap:.3f} | "
            f"{words['before']:.2f} | {words['after']:.2f} |",
            flush=True,
        )
        rows.append(
            {
                "metric": metric.signature,
                "set": name,
                "segments": len(data),
                "before": row.baseline_value,
                "after": row.value,
                "difference": row.difference,
                "low": row.low,
                "high": row.high,
                "p": row.p_bootstrap,
                "length_before": words["before"],
                "length_after": words["after"],
                "iterations": [iteration.score for iteration in done.history],
                "best": done.best,
                "seconds": seconds,
                "weights": dict(zip(done.names, done.weights.tolist(), strict=True)),
            }
        )
    return rows


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = train_model(Path(folder, "model"))
        print(
            "| tuned to | set | segments | before | after | difference | p | length before | after |\n"
            "|---|---|---:|---:|---:|---:|---:|---:|---:|"
        )
        records = tune_and_compare("BLEU", model, BLEU(), segments("val", 3), segments("test", 1))
        sets = [compressions(part, 3, LOW, HIGH) for part in ("val", "test")]
        records += tune_and_compare("PRÉCIS", model, PRECIS(ratio=HIGH), *sets)
    print("\nLength: words of the output by words of the sources.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "tuning.json").write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    print("JSON: build/bench/tuning.json\n")


if __name__ == "__main__":
    main()
