"""The papers' figures on public data that no other script computes, for the pages in docs/papers.

- MSVD: descriptions of each video, as section 3.3 of Chen and Dolan (2011) counts them; intervals are a
  bootstrap over videos.
- ParaQuality: PINC of crowd paraphrases to the sentence that was shown, as in section 5.3; paraphrases
  that were labeled correct, and all. Intervals are a bootstrap over sentences.
- ParaBank: table 4 of Chen and Dolan and table 3 of Liu et al. (2010) in the layouts of `meta`. There
  is one criterion, how well the meaning is kept, and BLEU has the source as its reference. How well the
  workers agree is Krippendorff's alpha, since few workers rated the same items.
- WMT 2012: tables 1 to 3 of Chan and Ng (2008) in the layout of `meta`. People ranked, so there is one
  criterion.

    python -m benchmarks.papers.paper_pages && python tools/docs/paper_numbers.py

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.data.paraquality import noisy, read_paraquality
from benchmarks.race import DATA, RESULTS
from paragauge import METEOR, PINC, agree, read_evalset
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell
from paragauge.meta.correlation.paper_tables import layout
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_texts import read_outputs, with_outputs
from paragauge.metrics.base import Metric
from paragauge.rewrite.rewritten_metric_spec import metrics_by_label

DRAWS, SEED = 1000, 7
CRITERIA = {"Score_0_100": "meaning", "Grammaticality_0_2": "grammaticality"}  # of ParaBank
SETTINGS = CorrelationSettings(test="none", bootstrap=DRAWS, seed=SEED)


def interval(values: Floats, groups: Sequence[object]) -> tuple[float, float, float]:
    """The mean of values and its 95 % interval by a bootstrap over groups."""
    _, place = np.unique(np.array(groups, dtype=object).astype(str), return_inverse=True)
    sums = np.bincount(place, weights=values)
    counts = np.bincount(place).astype(np.float64)
    draws = np.random.default_rng(SEED).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), DRAWS)
    means = (draws @ sums) / (draws @ counts)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(values.mean()), float(low), float(high)


def descriptions() -> list[str]:
    """Section 3.3: descriptions of a video."""
    counts: dict[str, int] = {}
    for part in ("train", "val", "test"):
        with gzip.open(DATA / "msvd" / f"{part}.tsv.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                video = line.split("\t", 1)[0]
                counts[video] = counts.get(video, 0) + 1
    numbers = np.array(list(counts.values()), np.float64)
    mean, low, high = interval(numbers, list(counts))
    place = int(0.05 * len(numbers))
    least = int(np.sort(numbers)[place])
    draws = np.random.default_rng(SEED).choice(numbers, (DRAWS, len(numbers)))
    lowest, highest = np.percentile(np.sort(draws, axis=1)[:, place], [2.5, 97.5])
    return [
        "| figure | published | public corpus |",
        "|---|---:|---:|",
        f"| videos | 2,089 | {len(numbers):,} |",
        f"| English descriptions | 85,550 | {int(numbers.sum()):,} |",
        f"| descriptions of a video, mean | 41 | {mean:.1f} [{low:.1f}, {high:.1f}] |",
        f"| at least, for over 95 % of videos | 27 | {least} [{lowest:.0f}, {highest:.0f}] |",
    ]


def elicited() -> list[str]:
    """Section 5.3: PINC of direct paraphrases."""
    answers, labels = read_paraquality(DATA)
    values = PINC(case="lower").segments(
        [answer.text for answer in answers], sources=[str(answer.source) for answer in answers]
    )
    good = ~noisy(labels)
    lines = ["| direct paraphrases | published | ParaQuality |", "|---|---:|---:|"]
    for name, kept in (("labeled correct", good), ("all", np.ones_like(good))):
        sources = [answers[row].item for row in np.flatnonzero(kept)]
        mean, low, high = interval(values[kept], sources)
        paper = "70.08" if name == "all" else ""
        lines.append(f"| {name} | {paper} | {mean:.2f} [{low:.2f}, {high:.2f}] |")
    return lines


def rows(table: Layout) -> list[str]:
    """A layout as a Markdown table."""
    columns = [CRITERIA.get(name, name) for name in table.columns]
    lines = [f"| | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    for row in table.rows:
        cells = []
        for cell in row.cells:
            if cell is None or cell.value is None:
                cells.append("")
                continue
            rounded = 3 if isinstance(cell, LayoutCell) and cell.style == "rho" else 4
            text = f"{cell.value:.{rounded}f}"
            if cell.low is not None and cell.high is not None:
                text += f" [{cell.low:.{rounded}f}, {cell.high:.{rounded}f}]"
            cells.append(text)
        lines.append(f"| {row.label} | {' | '.join(cells or [''] * len(columns))} |")
    return lines


def parabank() -> EvalSet:
    """ParaBank's ratings, with the source as the reference and without copies of it."""
    judged = read_evalset(DATA / "parabank" / "ratings.tsv.gz", separator=" ")
    return replace(judged, references=judged.sources).without_systems(["0"])


def without_judges(judged: EvalSet) -> EvalSet:
    """The same ratings, not said whose: tables of metrics then have no rows of single workers."""
    return replace(judged, judges=("",), rating_judge=np.zeros_like(judged.rating_judge))


def agreement(judged: EvalSet) -> list[str]:
    """How well workers agree."""
    sheet = agree(judged, ["score_0_100"])
    one = sheet["score_0_100"]
    alpha = one.alpha["interval"]
    shared = f"{one.items:,} candidates, {one.shared:,} of them rated by several"
    value = f"{alpha.value:.3f} [{alpha.low:.3f}, {alpha.high:.3f}]"
    return [f"{len(one.judges):,} workers, {shared}: Krippendorff's alpha (interval) {value}."]


def ranked() -> list[str]:
    """Tables 1 to 3 of Chan and Ng, on newstest2012."""
    judged = read_evalset(DATA / "wmt12" / "rankings.tsv.gz")
    outputs = read_outputs({pair: DATA / "wmt12" / f"{pair}.jsonl.gz" for pair in judged.groups})
    judged = with_outputs(judged, outputs, allow_missing=True)
    metrics: dict[str, Metric] = metrics_by_label(["maxsim", "meteor", "mteval-v11b"])
    metrics["METEOR (optimized)"] = METEOR(alpha=0.81, beta=0.83, gamma=0.28)
    return rows(layout("maxsim", judged, replace(SETTINGS, bootstrap=200), metrics=metrics))


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    judged = parabank()
    pinc = metrics_by_label(["bleu", "pinc", "pem:features=paper"])
    pem = metrics_by_label(["pem:features=paper", "bleu", "meteor"])
    found = {
        "pinc_descriptions": descriptions(),
        "pinc_elicited": elicited(),
        "pem_agreement": agreement(judged),
        "pinc_table_4": rows(
            layout("pinc-4", without_judges(judged), SETTINGS, overall="score_0_100", metrics=pinc)
        ),
        "pem_table_3": rows(
            layout("pem-3", without_judges(judged), SETTINGS, overall="score_0_100", metrics=pem)
        ),
        "maxsim_tables": ranked(),
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    Path(RESULTS / "paper_pages.json").write_text(
        json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    )
    for name, lines in found.items():
        print(f"{name}\n", *lines, "", sep="\n")


if __name__ == "__main__":
    main()
