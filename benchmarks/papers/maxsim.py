"""MAXSIM against people and against its rivals, and its speed.

- Segments: Pearson with the direct assessments of newstest2015 and newstest2016, mean over language
  pairs. MAXSIM and MAXSIM+dep have the settings of Chan and Ng (2008). MAXSIM-soft and MAXSIM-context
  are fitted on the other year and tested on the one that the column names; MAXSIM-soft also with
  dependency relations, MAXSIM-context also untuned, with the paper's alpha and uniform mean. Below it,
  what MAXSIM-context gains on the others, by the permutation test of `paragauge meta`.
- Sentences: Pearson with the similarities of the STS benchmark's dev part.
- Systems: Spearman with the mean rank of the systems of newstest2012 for each language pair, in the
  layout of Chan and Ng's table 1, on the segments that people ranked.
- Speed: MAXSIM with tokens, tags and lemmas on the outputs of newstest2012, one thread, and how many
  lines were analyzed for how many systems.

    python -m benchmarks.papers.maxsim
    python -m benchmarks.papers.maxsim --only maxsim+dep,maxsim-soft+dep

Without spaCy, the rows that need it are left out, with a note. `--only` names metrics of the tables,
for a run after a change that touches no others; comparisons are among these, and speed is left out.
`readme_numbers.py` leaves the other rows of the page as they are.

What MAXSIM-context consists of was chosen on newstest2015, by five folds: parts, layers and floor from
about 200 variants of the fitted metric and 1,600 of the untuned one. newstest2016 was looked at once.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from benchmarks.race import DATA, RESULTS
from paragauge import BLEU, METEOR, BERTScore, ChrF, Cosine
from paragauge.errors import ParagaugeError
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import read_outputs, with_outputs
from paragauge.metrics.base import Metric
from paragauge.metrics.maxsim.context import MaxSimContext
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
    "bertscore": (0.690, 0.625),
    "maxsim-context, untuned": (0.695, 0.635),
    "maxsim-context": (0.730, 0.680),
}
# What MAXSIM-context must be significantly better than.
RIVALS = ("chrf++", "maxsim-soft", "bertscore")
SEGMENTS_PER_SECOND = 8000


def has_parser() -> bool:
    try:
        MaxSimDep().extra_signature()
    except ParagaugeError as error:
        print(f"Without dependency relations: {error}\n")
        return False
    return True


Fitted = MaxSimFit[MaxSimSoft] | MaxSimFit[MaxSimContext]


def fit_to(kind: type[MaxSimSoft] | type[MaxSimContext], judged: EvalSet, **settings: Any) -> Fitted:
    """A metric fitted on all of an evaluation set."""
    batch = judged.batch()
    assert batch.references is not None  # noqa: S101  # the data has them
    groups = [judged.groups[judged.segment_group[segment]] for segment in judged.item_segment]
    (candidates,) = batch.systems.values()
    return kind.fit(
        judged.means("human").tolist(),
        candidates,
        references=batch.references,
        groups=groups,
        **settings,
    )


FITS: dict[str, tuple[type[MaxSimSoft] | type[MaxSimContext], dict[str, str]]] = {
    "maxsim-soft": (MaxSimSoft, {}),
    "maxsim-soft+dep": (MaxSimSoft, {"parser": "spacy"}),
    "maxsim-context": (MaxSimContext, {}),
}


def chosen_from(metrics: Mapping[str, Metric], only: Collection[str]) -> dict[str, Metric]:
    """Those metrics that were asked for; all of them if none was."""
    return {name: metric for name, metric in metrics.items() if not only or name in only}


def segments(parser: bool, only: Collection[str]) -> tuple[list[dict[str, object]], list[str]]:
    """The rows, and what is below its least value."""
    judged = {year: read_evalset(DATA / "wmt_da" / f"{year}.tsv.gz") for year in YEARS}
    shared: dict[str, Metric] = {
        "bleu": BLEU(),
        "meteor": METEOR(),
        "chrf": ChrF(),
        "chrf++": ChrF(word_order=2),
        "maxsim": MaxSim(),
        "maxsim:lemmas=tag": MaxSim(lemmas="tag"),
        "maxsim:synonyms=synset": MaxSim(synonyms="synset"),
        "cosine": Cosine(),
        "bertscore": BERTScore(),
        "maxsim-context, untuned": MaxSimContext(),
    }
    if parser:
        shared["maxsim+dep"] = MaxSimDep()
    metrics = {year: chosen_from(shared, only) for year in YEARS}
    for train, test in (YEARS, YEARS[::-1]):
        for name, (kind, settings) in FITS.items():
            if (not settings or parser) and (not only or name in only):
                fit = fit_to(kind, judged[train], **settings)
                metrics[test][name] = fit.metric
                print(
                    f"{name} fitted on {train}: {fit.held_out:.3f} [{fit.low:.3f}, {fit.high:.3f}] by "
                    f"cross-validation there, {fit.pearson:.3f} on its own ratings"
                )
    if not metrics[YEARS[0]]:
        return [], []
    values = {}
    gains: list[str] = []
    failed = []
    for year in YEARS:
        # With Holm's correction of this many comparisons, 1,000 draws could not reach 0.05.
        settings = CorrelationSettings(draws=10_000)
        result = correlate(judged[year].score_with(metrics[year]), "human", settings=settings)
        for row in result.differences:
            if "maxsim-context" in (row.metric, row.other):
                sign = 1 if row.metric == "maxsim-context" else -1
                rival = row.other if sign == 1 else row.metric
                gain = sign * row.difference
                gains.append(f"| {year} | {rival} | {gain:+.3f} | {row.p_corrected:.3f} |")
                if rival in RIVALS and not (row.significant and gain > 0):
                    failed.append(f"maxsim-context is not better than {rival} on {year}")
        values[year] = {row.metric: (row, result.clusters.get(row.metric)) for row in result.rows}
    print("\n| metric | newstest2015 | wanted | newstest2016 | wanted |")
    print("|---|---:|---:|---:|---:|")
    records: list[dict[str, object]] = []
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
    if gains:
        print("\n| data | what maxsim-context gains on | difference | p (Holm) |\n|---|---|---:|---:|")
        print("\n".join(gains))
    return records, failed


def sentences(only: Collection[str]) -> list[dict[str, object]]:
    """Pearson with the similarities of the STS benchmark, dev."""
    with gzip.open(DATA / "stsb" / "dev.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    gold = [float(row[2]) for row in rows]
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    records: list[dict[str, object]] = []
    metrics: dict[str, Metric] = {
        "chrf++": ChrF(word_order=2),
        "maxsim": MaxSim(),
        "maxsim-soft": MaxSimSoft.load(),
        "cosine": Cosine(),
        "bertscore": BERTScore(),
        "maxsim-context, untuned": MaxSimContext(),
        "maxsim-context": MaxSimContext.load(),
    }
    metrics = chosen_from(metrics, only)
    if metrics:
        print("\n| metric | STS benchmark dev |\n|---|---:|")
    for name, metric in metrics.items():
        value = float(np.corrcoef(metric.segments(first, references=second), gold)[0, 1])
        print(f"| {name} | {value:.3f} |")
        records.append({"data": "stsb dev", "metric": name, "value": value})
    return records


def systems(parser: bool, only: Collection[str]) -> list[dict[str, object]]:
    judged = read_evalset(DATA / "wmt12" / "rankings.tsv.gz")
    outputs = read_outputs({pair: DATA / "wmt12" / f"{pair}.jsonl.gz" for pair in judged.groups})
    metrics: dict[str, Metric] = {}
    if parser:
        metrics["maxsim+dep"] = MaxSimDep()
    metrics |= {
        "maxsim": MaxSim(),
        "maxsim-soft": MaxSimSoft.load(),
        "maxsim-context": MaxSimContext.load(),
        "bertscore": BERTScore(),
        "meteor": METEOR(),
        "chrf": ChrF(),
        "bleu": BLEU(),
    }
    metrics = chosen_from(metrics, only)
    if not metrics:
        return []
    judged = with_outputs(judged, outputs, allow_missing=True).score_with(metrics)
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


def speed() -> dict[str, float]:
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
    return {"overall": overall, "first": first, "lines": lines}


def read_lines(pair: str) -> list[str]:
    with gzip.open(DATA / "wmt12" / f"{pair}.jsonl.gz", "rt", encoding="utf-8") as file:
        return list(file)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--only", default="", help="metrics of the tables, separated by commas")
    only = {name for name in options.parse_args().only.split(",") if name}
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    parser = has_parser()
    rows, failed = segments(parser, only)
    results: dict[str, Any] = {
        "only": sorted(only),
        "segments": rows,
        "sentences": sentences(only),
        "systems": systems(parser, only),
    }
    if only:
        parts = ("segments", "sentences", "systems")
        found = {row["metric"] for part in parts for row in results[part]}
        if missing := sorted(only - found):
            raise SystemExit(f"no figures of {', '.join(missing)}: unknown, or spaCy is not installed")
    else:
        results["speed"] = speed()
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "maxsim.json").write_text(json.dumps(results, indent=2) + "\n")
    print("\nBrackets: 95% interval, 1,000 bootstrap resamples of segments, seed 7.")
    if failed:
        raise SystemExit("; ".join(failed))


if __name__ == "__main__":
    main()
