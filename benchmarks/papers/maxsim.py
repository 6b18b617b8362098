"""MAXSIM against people and against its rivals, and its speed.

- Segments: Pearson with the direct assessments of newstest2015 and newstest2016, mean over language
  pairs. MAXSIM and MAXSIM+dep have the settings of Chan and Ng (2008). MAXSIM-soft is fitted on the
  other year and tested on the one that the column names; with and without dependency relations.
- Systems: Spearman with the mean rank of the systems of newstest2012 for each language pair, in the
  layout of Chan and Ng's table 1, on the segments that people ranked.
- Speed: MAXSIM with tokens, tags and lemmas on the outputs of newstest2012, one thread, and how many
  lines were analyzed for how many systems.

    python -m benchmarks.papers.maxsim

Without spaCy, the rows that need it are left out, with a note.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Mapping

from benchmarks.race import DATA, RESULTS
from paragauge import BLEU, METEOR, ChrF
from paragauge.errors import ParagaugeError
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import read_outputs, with_outputs
from paragauge.metrics.base import Metric
from paragauge.metrics.maxsim.fit import MaxSimFit
from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.syntax.analyzer import analyzer

YEARS = ("newstest2015", "newstest2016")
# The least values of the published and the fitted metrics on each year.
WANTED = {
    "maxsim": (0.570, 0.520),
    "maxsim+dep": (0.590, 0.540),
    "maxsim-soft": (0.615, 0.570),
}
SEGMENTS_PER_SECOND = 8000


def has_parser() -> bool:
    try:
        MaxSimDep().extra_signature()
    except ParagaugeError as error:
        print(f"Without dependency relations: {error}\n")
        return False
    return True


def fit_soft(judged: EvalSet, **settings: str) -> MaxSimFit[MaxSimSoft]:
    """The extended metric, fitted on all of an evaluation set."""
    batch = judged.batch()
    assert batch.references is not None  # noqa: S101  # the data has them
    groups = [judged.groups[judged.segment_group[segment]] for segment in judged.item_segment]
    (candidates,) = batch.systems.values()
    return MaxSimSoft.fit(
        judged.means("human").tolist(),
        candidates,
        references=batch.references,
        groups=groups,
        **settings,
    )


def segments(parser: bool) -> list[dict[str, object]]:
    judged = {year: read_evalset(DATA / "wmt_da" / f"{year}.tsv.gz") for year in YEARS}
    shared: dict[str, Metric] = {
        "bleu": BLEU(),
        "meteor": METEOR(),
        "chrf": ChrF(),
        "chrf++": ChrF(word_order=2),
        "maxsim": MaxSim(),
        "maxsim:lemmas=tag": MaxSim(lemmas="tag"),
        "maxsim:synonyms=synset": MaxSim(synonyms="synset"),
    }
    if parser:
        shared["maxsim+dep"] = MaxSimDep()
    metrics = {year: dict(shared) for year in YEARS}
    for train, test in (YEARS, YEARS[::-1]):
        for name, settings in {"maxsim-soft": {}, "maxsim-soft+dep": {"parser": "spacy"}}.items():
            if not settings or parser:
                fit = fit_soft(judged[train], **settings)
                metrics[test][name] = fit.metric
                print(
                    f"{name} fitted on {train}: {fit.held_out:.3f} [{fit.low:.3f}, {fit.high:.3f}] by "
                    f"cross-validation there, {fit.pearson:.3f} on its own ratings"
                )
    values = {}
    for year in YEARS:
        result = correlate(judged[year].score_with(metrics[year]), "human")
        values[year] = {row.metric: (row, result.clusters.get(row.metric)) for row in result.rows}
    print("\n| metric | newstest2015 | wanted | newstest2016 | wanted |")
    print("|---|---:|---:|---:|---:|")
    records: list[dict[str, object]] = []
    failed = []
    for name in metrics[YEARS[0]]:
        cells = []
        for year, least in zip(YEARS, WANTED.get(name, (None, None)), strict=True):
            row, cluster = values[year][name]
            cells.append(f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]")
            cells.append("" if least is None else f"{least:.3f}")
            records.append(
                {
                    "data": year,
                    "metric": name,
                    "value": row.value,
                    "low": row.low,
                    "high": row.high,
                    "cluster": cluster,
                }
            )
            if least is not None and (row.value or 0.0) < least:
                failed.append(f"{name} on {year}: {row.value}, wanted {least}")
        print(f"| {name} | {' | '.join(cells)} |")
    if failed:
        raise SystemExit("; ".join(failed))
    return records


def systems(parser: bool) -> list[dict[str, object]]:
    judged = read_evalset(DATA / "wmt12" / "rankings.tsv.gz")
    outputs = read_outputs({pair: DATA / "wmt12" / f"{pair}.jsonl.gz" for pair in judged.groups})
    metrics: dict[str, Metric] = {}
    if parser:
        metrics["maxsim+dep"] = MaxSimDep()
    metrics |= {
        "maxsim": MaxSim(),
        "maxsim-soft": MaxSimSoft.load(),
        "meteor": METEOR(),
        "chrf": ChrF(),
        "bleu": BLEU(),
    }
    judged = with_outputs(judged, outputs).score_with(metrics)
    settings = CorrelationSettings("spearman", "system", test="none")
    pairs = sorted(judged.groups)
    parts = {pair: judged.only_group(pair) for pair in pairs} | {"average": judged}
    rows = {
        name: {row.metric: row for row in correlate(part, "rank", settings=settings).rows}
        for name, part in parts.items()
    }
    counts = {pair: len(set(part.output_system.tolist())) for pair, part in parts.items()}
    heads = [f"{pair} ({counts[pair]} systems)" for pair in pairs]
    print(f"\n| metric | {' | '.join(heads)} | average |")
    print("|---|" + "---:|" * (len(pairs) + 1))
    records: list[dict[str, object]] = []
    for name in metrics:
        cells = []
        for part in parts:
            row = rows[part][name]
            cells.append(f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]")
            records.append(
                {
                    "data": f"wmt12 {part}",
                    "metric": name,
                    "value": row.value,
                    "low": row.low,
                    "high": row.high,
                }
            )
        print(f"| {name} | {' | '.join(cells)} |")
    return records


def speed() -> dict[str, object]:
    texts = [json.loads(line) for line in read_lines("cs-en")]
    systems = {name: [text["systems"][name] for text in texts] for name in texts[0]["systems"]}
    references = [text["reference"] for text in texts]
    metric = MaxSim()
    metric.segments(["warm"], references=["up"])
    tool = analyzer(metric.analysis_settings)
    before = tool.analyzed_lines
    times = []
    for candidates in systems.values():
        start = time.perf_counter()
        metric.segments(candidates, references=references, threads=1)
        times.append(time.perf_counter() - start)
    first, overall = len(texts) / times[0], len(systems) * len(texts) / sum(times)
    lines = tool.analyzed_lines - before
    print(
        f"\nMAXSIM with tags and lemmas, one thread, {len(systems)} systems x {len(texts):,} segments: "
        f"{overall:,.0f} segments/s, wanted {SEGMENTS_PER_SECOND:,}; {first:,.0f} for the first one, "
        f"whose references are analyzed too. Lines analyzed: {lines:,}, for "
        f"{len(systems) * len(texts):,} candidates and {len(set(references)):,} different references."
    )
    if overall < SEGMENTS_PER_SECOND:
        raise SystemExit(f"{overall:.0f} segments a second, wanted {SEGMENTS_PER_SECOND}")
    return {"overall": overall, "first": first, "lines": lines}


def read_lines(pair: str) -> list[str]:
    with gzip.open(DATA / "wmt12" / f"{pair}.jsonl.gz", "rt", encoding="utf-8") as file:
        return list(file)


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    parser = has_parser()
    results: Mapping[str, object] = {
        "segments": segments(parser),
        "systems": systems(parser),
        "speed": speed(),
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "maxsim.json").write_text(json.dumps(results, indent=2) + "\n")
    print("\nBrackets: 95% interval, 1,000 bootstrap resamples of segments, seed 7.")


if __name__ == "__main__":
    main()
