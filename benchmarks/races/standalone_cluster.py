"""A standalone Spark cluster on this machine: the bytes of DuckDB, and the size of shuffles.

A master and three workers are started, each a process with its own memory. The cluster extracts two
grammars and a phrase table, counts, prunes, computes overlaps, and scores a Parquet table with BLEU and
PINC. In the first map, the worker that has the first task is killed with its executor, and another
worker is added. All files must equal those of DuckDB byte for byte, scores to the last bit.

Then it prints how many bytes the shuffles moved, and their skew: the bytes that the largest task of a
stage reads, in times the mean.

    python -m benchmarks.races.standalone_cluster [pairs]

Needs Java 17 and `paragauge[spark]`. The data is in ../shared/data, or where PARAGAUGE_DATA points;
without it, the text is made from the bundled examples.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.data.corpus import pairs as example_pairs
from benchmarks.data.standalone_cluster import ClusterEvents, StandaloneCluster, read_events
from benchmarks.race import DATA, RESULTS
from paragauge.align.aligners import choose_aligner
from paragauge.align.links import Links
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.engine.spark_session import check_java, require_pyspark, stop_spark
from paragauge.errors import ParagaugeError
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.pruning import Pruning, prune
from paragauge.grammar.rule_overlap import overlap
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.metrics.base import Metric
from paragauge.metrics.engine_scoring import score_table
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.text.bitext import Bitext, read_bitext_tsv
from paragauge.text.corpus import Corpus

WORKERS = 3
PAIRS = 2000
WORDS = 12  # least number of words of a pair of real text
KILL_SECONDS = 60
EXTRACTION = "extract and count rules"


@dataclass(frozen=True)
class Jobs:
    """Results to compare: the bytes of files by their names, and overlaps and scores.

    Of each step also its seconds and when it ended, and how many rules were extracted.
    """

    files: dict[str, bytes]
    values: list[Any]
    seconds: dict[str, float]
    ends: dict[str, float]
    extracted: int


def read_text(count: int) -> tuple[Bitext, Links]:
    """Sentence pairs with links."""
    path = DATA / "bitext" / "eng-fra.tsv.gz"
    if not path.is_file():
        return example_text(count)
    text = read_bitext_tsv(path, tokenize=("13a", "13a"), case="lower")
    long = np.flatnonzero(text.source_lengths >= WORDS)
    chosen = long[np.linspace(0, len(long) - 1, count).astype(int)].tolist()
    bitext = Bitext.of([text.source[i] for i in chosen], [text.target[i] for i in chosen])
    return bitext, choose_aligner("systran").align(bitext).symmetrize()


def example_text(count: int) -> tuple[Bitext, Links]:
    """Sentences of the examples' words, each word linked to that in its place."""
    sources, targets = zip(*example_pairs(count), strict=True)
    lengths = [min(len(a.split()), len(b.split())) for a, b in zip(sources, targets, strict=True)]
    links = Links.from_lists([[(i, i) for i in range(length)] for length in lengths])
    return Bitext.of(list(sources), list(targets)), links


def run_jobs(engine: Engine, text: tuple[Bitext, Links], place: Path) -> Jobs:
    """Extraction, counting, pruning, overlap and scores, with files in a new folder."""
    place.mkdir()
    seconds: dict[str, float] = {}
    ends: dict[str, float] = {}
    start = time.perf_counter()

    def took(step: str) -> None:
        nonlocal start
        now = time.perf_counter()
        seconds[step], start = now - start, now
        ends[step] = time.time()

    hiero = RuleSettings.named("hiero")
    rules = extract_grammar([(*text, None)], place / "grammar", hiero, engine=engine)
    took(EXTRACTION)
    frequent = extract_grammar(
        [(*text, None)], place / "frequent", hiero, features=["p_target"], min_count=2, engine=engine
    )
    took("the same, rules found twice")
    phrases = extract_table(*text, place / "phrases", ExtractionSettings(max_length=4), engine=engine)
    took("extract and count phrases")
    best = prune(rules, place / "best", Pruning(score="p_target", variants=2), engine=engine)
    took("prune")
    overlaps = overlap(frequent, {"grammar": rules, "best": best}, frequencies=[1, 2], engine=engine)
    took("overlap")
    table = place / "pairs.parquet"
    columns = {"source": list(text[0].source), "output": list(text[0].target)}
    pq.write_table(pa.table(columns), table, row_group_size=500)
    corpus = Corpus({"output": "output"}, ["source"], ["source"], table)
    metrics = Metric.from_specs(["bleu", "pinc"], {})
    sheet = score_table(corpus, metrics, engine, bootstrap=100, folder=place)
    took("score")
    files = {
        f"{dataset.folder.name}/{path.name}": path.read_bytes()
        for dataset in (rules, frequent, phrases, best)
        for path in sorted(dataset.folder.iterdir())
    }
    scores = [(score.value, score.low, score.high) for score in sheet.scores]
    extracted = int(rules.info["counts"]["extracted"])
    return Jobs(files, [overlaps, scores], seconds, ends, extracted)


class MarkingEngine(SparkEngine):
    """An engine whose first task says which process it is in, and waits until that is killed."""

    def map(self, function: Any, *arguments: Any, **more: Any) -> list[Path]:
        """Apply the function as always; the first task of all never ends."""
        mark = str(self.folder) + "/first-task"
        patience = KILL_SECONDS

        def wait(batches: Iterator[Any]) -> Iterator[Any]:
            import contextlib
            import os
            import time
            from pathlib import Path

            with contextlib.suppress(FileExistsError):
                os.close(os.open(f"{mark}-found", os.O_CREAT | os.O_EXCL))
                Path(f"{mark}.new").write_text(str(os.getpid()), encoding="utf-8")
                Path(f"{mark}.new").rename(mark)
                time.sleep(patience)
            yield from function(batches)

        if Path(mark).exists():
            return super().map(function, *arguments, **more)
        return super().map(wait, *arguments, **more)


def replace_worker(cluster: StandaloneCluster, mark: Path, ended: threading.Event) -> None:
    """Kill the worker of the first task, and add another worker."""
    while not mark.exists():
        if ended.wait(0.05):
            return
    cluster.kill_worker(int(mark.read_text(encoding="utf-8")))
    mark.with_name("killed").touch()
    cluster.add_worker()


def run_on_cluster(
    text: tuple[Bitext, Links], folder: Path, settings: dict[str, str]
) -> tuple[Jobs, ClusterEvents]:
    """The jobs on a new cluster, one of whose workers is killed and replaced."""
    work = folder / "work"
    work.mkdir()
    with StandaloneCluster(folder / "cluster", WORKERS) as cluster:
        engine = MarkingEngine(cluster.address, None, work, cluster.settings | settings)
        ended = threading.Event()
        thread = threading.Thread(target=replace_worker, args=(cluster, work / "first-task", ended))
        thread.start()
        try:
            jobs = run_jobs(engine, text, folder / "spark")
        finally:
            ended.set()
            thread.join()
            stop_spark()
        if not (work / "killed").exists():
            raise RuntimeError("no worker was killed")
        return jobs, read_events(cluster.folder)


def differences(one: Jobs, two: Jobs) -> list[str]:
    """The names of results that differ."""
    names = [name for name in one.files | two.files if one.files.get(name) != two.files.get(name)]
    return names + (["overlaps or scores"] if one.values != two.values else [])


def shuffled(jobs: Jobs, events: ClusterEvents) -> dict[str, int]:
    """The bytes that the shuffles of each step wrote."""
    sizes, start = {}, 0.0
    for step, end in jobs.ends.items():
        sizes[step] = sum(size for at, size in events.writes if start < at <= end)
        start = end
    return sizes


def show(local: Jobs, spark: Jobs, events: ClusterEvents) -> dict[str, Any]:
    sizes = shuffled(spark, events)
    print("| step | DuckDB, seconds | cluster, seconds | shuffled |\n|---|---:|---:|---:|")
    for step, seconds in local.seconds.items():
        print(f"| {step} | {seconds:.1f} | {spark.seconds[step]:.1f} | {sizes[step] / 1e6:.1f} MB |")
    each = sizes[EXTRACTION] / spark.extracted
    size = sum(map(len, local.files.values()))
    written = sum(stage.written for stage in events.stages)
    skews = sorted(stage.skew for stage in events.stages if len(stage.read) > 1 and stage.skew)
    print(
        f"\n{len(local.files)} files with {size / 1e6:.1f} MB: the same bytes. Scores: the same bits."
    )
    print(
        f"{events.tasks:,} tasks, {events.failed} of which failed; {events.executors_added} executors "
        f"started, {events.executors_lost} lost."
    )
    print(
        f"Shuffles wrote {written / 1e6:.1f} MB, {written / size:.1f} times the results. Largest "
        f"task in times the mean of its stage: median {np.median(skews):.2f}, most {skews[-1]:.2f}."
    )
    print(f"Of {spark.extracted:,} extracted rules, shuffles wrote {each:.1f} bytes each.")
    return {
        "seconds": {"duckdb": local.seconds, "cluster": spark.seconds},
        "result_bytes": size,
        "shuffle_bytes": written,
        "shuffle_bytes_of_steps": sizes,
        "extracted": spark.extracted,
        "skew": skews,
        "tasks": events.tasks,
        "failed": events.failed,
    }


def main(count: int) -> None:
    try:
        require_pyspark()
        check_java()
    except ParagaugeError as error:
        print(f"no cluster is started: {error}")
        return
    text = read_text(count)
    print(f"{count:,} sentence pairs, {WORKERS} workers of one core; one is killed, one added.\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        local = run_jobs(DuckDBEngine(threads=1), text, folder / "duckdb")
        spark, events = run_on_cluster(text, folder, {"spark.sql.shuffle.partitions": "12"})
    if wrong := differences(local, spark):
        raise SystemExit(f"not the same results: {', '.join(wrong)}")
    record = {"pairs": count, **show(local, spark, events)}
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "standalone_cluster.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
