"""Metrics against people on public data: one table with intervals.

- wmt_da: direct assessment of MT output into English; segment-level Pearson, mean over language
  pairs. Sentence BLEU with exponential smoothing, effective order and 13a.
- parabank: ratings 0-100 of how well paraphrases keep the meaning of their source. BLEU takes the
  source as its reference. The copying system (0) is rated high by definition, so the table shows the
  correlations with and without it. PINC and TargetF1 measure change of wording: a negative
  correlation with meaning kept is expected.
- wmt12: five-way rankings of MT systems into English; Kendall's tau as three WMT years counted it,
  mean over language pairs.

    python -m benchmarks.papers.human

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
from dataclasses import replace

from benchmarks.race import DATA, RESULTS
from paragauge import BLEU, PINC, ChrF, TargetF1
from paragauge.meta.correlation.correlation import Correlations, CorrelationSettings, correlate
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import read_outputs, with_outputs

PUBLISHED = {
    ("wmt_da newstest2015", "bleu"): 0.520,
    ("wmt_da newstest2015", "chrf"): 0.585,
    ("wmt_da newstest2016", "bleu"): 0.488,
    ("wmt_da newstest2016", "chrf"): 0.542,
}


def row(data: str, table: Correlations, records: list[dict[str, object]]) -> None:
    for correlation in table.rows:
        records.append(
            {
                "data": data,
                "view": table.view,
                "statistic": table.statistic,
                "metric": correlation.title,
                "value": correlation.value,
                "low": correlation.low,
                "high": correlation.high,
                "cluster": table.clusters.get(correlation.metric),
                "candidates": table.items,
            }
        )
        value = (
            "-"
            if correlation.value is None
            else f"{correlation.value:.3f} [{correlation.low:.3f}, {correlation.high:.3f}]"
        )
        expected = PUBLISHED.get((data, correlation.metric))
        published = "" if expected is None else f"{expected:.3f}"
        cluster = table.clusters.get(correlation.metric, "")
        print(
            f"| {data} | {table.view} | {table.statistic} | {correlation.title} | {value} | {cluster} "
            f"| {table.items:,} | {published} |"
        )
        if expected is not None and abs((correlation.value or 0.0) - expected) > 0.005:
            raise SystemExit(
                f"{data}, {correlation.metric}: expected {expected}, found {correlation.value}"
            )


def with_source_as_reference(judged: EvalSet) -> EvalSet:
    return replace(judged, references=judged.sources)


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    records: list[dict[str, object]] = []
    print("| data | view | statistic | metric | value | cluster | candidates | expected |")
    print("|---|---|---|---|---:|---:|---:|---:|")
    for year in ("newstest2015", "newstest2016"):
        judged = read_evalset(DATA / "wmt_da" / f"{year}.tsv.gz")
        judged = judged.score_with({"bleu": BLEU(), "chrf": ChrF()})
        row(f"wmt_da {year}", correlate(judged, "human"), records)
    judged = read_evalset(DATA / "parabank" / "ratings.tsv.gz", separator=" ")
    judged = with_source_as_reference(judged)
    judged = judged.score_with({"bleu": BLEU(), "pinc": PINC(), "targetf1": TargetF1()})
    for name, part in (("parabank", judged), ("parabank, no copy", judged.without_systems(["0"]))):
        for statistic, view in (
            ("pearson", "pooled"),
            ("kendall", "by-source"),
            ("accuracy-tuned", "by-source"),
            ("pearson", "system"),
            ("spearman", "system"),
        ):
            row(
                name,
                correlate(part, "score_0_100", settings=CorrelationSettings(statistic, view)),
                records,
            )
    judged = read_evalset(DATA / "wmt12" / "rankings.tsv.gz")
    outputs = read_outputs({pair: DATA / "wmt12" / f"{pair}.jsonl.gz" for pair in judged.groups})
    judged = with_outputs(judged, outputs, allow_missing=True).score_with(
        {"bleu": BLEU(), "chrf": ChrF()}
    )
    for variant in ("wmt12", "wmt13", "wmt14"):
        settings = CorrelationSettings(f"kendall-{variant}", "by-source")
        row("wmt12", correlate(judged, "rank", settings=settings), records)
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "human.json").write_text(json.dumps(records, indent=2) + "\n")
    print(
        "\nBrackets: 95% interval, 1,000 bootstrap resamples of segments, seed 7. Clusters: "
        "permutation test, 1,000 draws, Holm, 0.05.\nIn parabank 'system' means corpus scores and "
        "mean ratings of 36 systems (35 without the copy)."
    )


if __name__ == "__main__":
    main()
