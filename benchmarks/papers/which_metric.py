"""The evidence behind the guide "Which metric should I use?": agreement with people, and speed.

- newstest2015 and newstest2016: Pearson with direct assessments of translations into English, segment
  by segment, mean over language pairs. Only for metrics that need no source, which is not English.
- ParaBank: Pearson with ratings of how well paraphrases keep the meaning, over all pairs and over those
  whose candidate differs from the source. Metrics that need references get the source.
- STS benchmark, dev: Pearson with similarity of meaning. The first sentence is source and reference.
- PAWS-Wiki, dev, the first pairs: the area under the curve, which is the probability that a paraphrase
  scores above a pair with the same words and another meaning; 0.5 is chance.
- Pairs a second of processor time on one thread, on PAWS: no text occurs twice, models are loaded
  before. Processor time, because other work on the machine would count otherwise.

Intervals are 95%, 1,000 bootstrap resamples, of segments or (ParaBank) sources, seed 7. A metric that
was fitted to a set has no figure there.

    python -m benchmarks.papers.which_metric

Results go to build/bench/which_metric.json; `tools/docs/which_metric_numbers.py` writes them into the
guide. The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from benchmarks.race import DATA, RESULTS
from paragauge import metric
from paragauge.encode.encoder_by_name import keep_vectors
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import correlation_interval, interval
from paragauge.text.rated_pairs import read_rated_pairs

YEARS = ("newstest2015", "newstest2016")
PARABANK = ("ParaBank", "ParaBank, changed")
LEARNED = (*PARABANK, "PAWS")  # what adequacy learned from; STS was only its training part
PAWS_PAIRS = 1000
SLOW, FAST = 200, 2000  # pairs of a run, and pairs a second from which runs are longer
REPLICATES, SEED = 1000, 7

Cell = tuple[float, float, float]  # value, low and high


@dataclass(frozen=True)
class Entry:
    """A metric by its specification, and the sets that it was fitted to."""

    spec: str
    fitted: tuple[str, ...] = ()


ENTRIES = (
    Entry("bleu"),
    Entry("chrf:word_order=2"),
    Entry("meteor"),
    Entry("maxsim"),
    Entry("maxsim-soft", fitted=YEARS),
    Entry("maxsim-context:model=none"),
    Entry("maxsim-context", fitted=YEARS),
    Entry("cosine"),
    Entry("bertscore"),
    Entry("parascore"),
    Entry("bert-ibleu"),
    Entry("adequacy", fitted=LEARNED),
    Entry("adequacy-context", fitted=LEARNED),
    Entry("pem", fitted=LEARNED),
    Entry("pem-context", fitted=LEARNED),
    Entry("pem:features=extended", fitted=PARABANK),
    Entry("pinc"),
    Entry("bleu-pinc:adequacy=bertscore:mean=harmonic"),
)


@dataclass(frozen=True)
class Pairs:
    """Sentence pairs with a gold value; pairs of one unit are drawn together."""

    sources: Sequence[str]
    candidates: Sequence[str]
    gold: Floats
    units: Ints

    def part(self, start: int, stop: int) -> Pairs:
        """Some of the pairs."""
        some = slice(start, stop)
        return Pairs(self.sources[some], self.candidates[some], self.gold[some], self.units[some])

    def segments(self, chosen: Metric, threads: int = 0) -> Floats:
        """The metric's score of each pair; the source is also the reference."""
        texts = dict.fromkeys(chosen.needs, self.sources)
        return chosen.segments(self.candidates, **texts, threads=threads)


def read_rows(name: str) -> list[list[str]]:
    with gzip.open(DATA / name / "dev.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n").split("\t") for line in islice(file, 1, None)]


def read_sts() -> Pairs:
    rows = read_rows("stsb")
    gold = np.array([float(row[2]) for row in rows])
    return Pairs([row[0] for row in rows], [row[1] for row in rows], gold, np.arange(len(rows)))


def read_paws(count: int | None = None) -> Pairs:
    rows = read_rows("paws")[:count]
    gold = np.array([float(row[3]) for row in rows])
    return Pairs([row[1] for row in rows], [row[2] for row in rows], gold, np.arange(len(rows)))


def read_parabank() -> Pairs:
    path = DATA / "parabank" / "ratings.tsv.gz"
    rated = read_rated_pairs(path, ("source", "candidate", "score_0_100"), (0.0, 100.0))
    sources = list(rated.sources)
    _, units = np.unique(sources, return_inverse=True)
    return Pairs(sources, list(rated.candidates), np.asarray(rated.ratings, np.float64), units)


def pearson(values: Floats, pairs: Pairs, chosen: Floats | None = None) -> Cell:
    keep = ~np.isnan(values) if chosen is None else ~np.isnan(values) & (chosen > 0)
    x, y, units = values[keep], pairs.gold[keep], pairs.units[keep].astype(np.int64)
    low, high = correlation_interval(x, y, units, replicates=REPLICATES, seed=SEED)
    return float(np.corrcoef(x, y)[0, 1]), low or 0.0, high or 0.0


def area(values: Floats, gold: Floats) -> float:
    """The probability that a positive pair scores above a negative one; ties count half."""
    order = np.sort(values[gold == 0])
    positive = values[gold == 1]
    below = np.searchsorted(order, positive, "left") + np.searchsorted(order, positive, "right")
    return float(below.mean()) / (2 * len(order))


def area_cell(values: Floats, pairs: Pairs) -> Cell:
    rng = np.random.default_rng(SEED)
    draws = (rng.integers(len(values), size=len(values)) for _ in range(REPLICATES))
    low, high = interval(np.array([area(values[draw], pairs.gold[draw]) for draw in draws]), 0.95)
    return area(values, pairs.gold), low or 0.0, high or 0.0


def segments_of_newstest(entries: Sequence[Entry], year: str) -> dict[str, Cell]:
    metrics = {entry.spec: metric(entry.spec) for entry in entries if year not in entry.fitted}
    metrics = {spec: one for spec, one in metrics.items() if "sources" not in one.needs}
    judged = read_evalset(DATA / "wmt_da" / f"{year}.tsv.gz").score_with(metrics)
    settings = CorrelationSettings(test="none")
    rows = correlate(judged, "human", settings=settings).rows
    return {row.metric: (row.value or 0.0, row.low or 0.0, row.high or 0.0) for row in rows}


def pairs_per_second(chosen: Metric, pairs: Pairs) -> float:
    """Median of three runs over pairs that were not seen before; longer runs for a fast metric."""
    speed = _speed(chosen, pairs.part(0, 3 * SLOW))
    return speed if speed < FAST else _speed(chosen, pairs.part(3 * SLOW, len(pairs.gold)))


def _speed(chosen: Metric, pairs: Pairs) -> float:
    keep_vectors(None)
    Pairs(["load the models"], ["then start"], pairs.gold, pairs.units).segments(chosen, threads=1)
    count = len(pairs.gold) // 3
    times = []
    for run in range(3):
        part = pairs.part(run * count, (run + 1) * count)
        start = time.process_time()
        part.segments(chosen, threads=1)
        times.append(time.process_time() - start)
    return count / float(np.median(times))


def measure(entries: Sequence[Entry]) -> dict[str, dict[str, Cell]]:
    """The cells of each metric by the name of the set."""
    table: dict[str, dict[str, Cell]] = {entry.spec: {} for entry in entries}
    for year in YEARS:
        for spec, cell in segments_of_newstest(entries, year).items():
            table[spec][year] = cell
    parabank, sts, paws = read_parabank(), read_sts(), read_paws(PAWS_PAIRS)
    same = zip(parabank.sources, parabank.candidates, strict=True)
    changed = np.array([source != candidate for source, candidate in same], np.float64)
    sets: dict[str, tuple[Pairs, Callable[[Floats], Cell]]] = {
        "ParaBank": (parabank, lambda values: pearson(values, parabank)),
        "ParaBank, changed": (parabank, lambda values: pearson(values, parabank, changed)),
        "STS dev": (sts, lambda values: pearson(values, sts)),
        "PAWS": (paws, lambda values: area_cell(values, paws)),
    }
    for entry in entries:
        chosen = metric(entry.spec)
        scores: dict[int, Floats] = {}
        for name, (pairs, summarize) in sets.items():
            if name not in entry.fitted:
                if id(pairs) not in scores:
                    scores[id(pairs)] = pairs.segments(chosen)
                table[entry.spec][name] = summarize(scores[id(pairs)])
    return table


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    paws = read_paws()
    speeds = {entry.spec: pairs_per_second(metric(entry.spec), paws) for entry in ENTRIES}
    with tempfile.TemporaryDirectory() as vectors:  # several metrics read the same ones
        keep_vectors(vectors)
        table = measure(ENTRIES)
        keep_vectors(None)
    names = [*YEARS, "ParaBank", "ParaBank, changed", "STS dev", "PAWS"]
    print(f"| metric | {' | '.join(names)} | pairs/s |\n|---|" + "---:|" * (len(names) + 1))
    for spec, cells in table.items():
        texts = [
            "{:.3f} [{:.3f}, {:.3f}]".format(*cells[name]) if name in cells else "" for name in names
        ]
        print(f"| {spec} | {' | '.join(texts)} | {speeds[spec]:,.0f} |")
    words = np.mean([len(text.split()) for text in paws.sources])
    print(f"\nSpeed: PAWS, {words:.0f} words a sentence.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    results = {"agreement": table, "pairs_per_second": speeds}
    (RESULTS / "which_metric.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
