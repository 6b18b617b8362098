"""Judgments of a campaign, aggregated: a score for each candidate, and how reliable each judge is.

`write_scores` has a row for each candidate and criterion: how many judged it, mean, median and standard
deviation; with `estimate` also Dawid and Skene's likeliest and expected value
(`judgment_aggregates.py`), beside the plain means. `write_judges` has a row for each judge and
criterion: the distance from the mean of the others, the correlation with it, how lenient the judge is,
and with `estimate` the share of answers that equal the estimate. Both then have a column `converged`:
whether the estimates for the criterion converged. Controls and rejected answers do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.collect.corpus.campaign_answers import CampaignAnswers
from paragauge.collect.corpus.export_judgments import list_criterion_names, read_judgment_rows
from paragauge.collect.quality.judgment_aggregates import (
    Estimate,
    Judgment,
    aggregate_judgments,
    estimate_dawid_skene,
    measure_reliability,
)
from paragauge.text.table_writers import write_rows

SCORES: dict[str, type] = {
    "segment": str,
    "system": str,
    "criterion": str,
    "judgments": int,
    "mean": float,
    "median": float,
    "deviation": float,
}
ESTIMATES: dict[str, type] = {"likeliest": float, "expected": float, "converged": bool}
JUDGES: dict[str, type] = {
    "judge": str,
    "criterion": str,
    "judgments": int,
    "compared": int,
    "distance": float,
    "correlation": float,
    "bias": float,
}
AGREES: dict[str, type] = {"agrees": float, "converged": bool}


@dataclass(frozen=True)
class ScoreCounts:
    """How many rows were written, and the criteria whose estimates did not converge."""

    rows: int
    unconverged: tuple[str, ...] = ()


def write_scores(
    collected: CampaignAnswers, path: str | Path, *, blocked: bool = True, estimate: bool = False
) -> ScoreCounts:
    """Write the scores of candidates."""
    judgments = _read_judgments(collected, blocked)
    estimates = estimate_dawid_skene(judgments) if estimate else []
    kinds = SCORES | (ESTIMATES if estimate else {})
    return ScoreCounts(
        write_rows(_make_rows(judgments, estimates), path, kinds), _find_unconverged(estimates)
    )


def _make_rows(judgments: list[Judgment], estimates: list[Estimate]) -> Iterator[dict[str, Any]]:
    by_candidate = {
        (estimate.item, estimate.candidate, estimate.criterion): estimate for estimate in estimates
    }
    for score in aggregate_judgments(judgments):
        row = {
            "segment": score.item,
            "system": score.candidate,
            "criterion": score.criterion,
            "judgments": score.count,
            "mean": score.mean,
            "median": score.median,
            "deviation": score.deviation,
        }
        own = by_candidate.get((score.item, score.candidate, score.criterion))
        yield row if own is None else row | {name: getattr(own, name) for name in ESTIMATES}


def write_judges(
    collected: CampaignAnswers, path: str | Path, *, blocked: bool = True, estimate: bool = False
) -> ScoreCounts:
    """Write how reliable each judge is."""
    judgments = _read_judgments(collected, blocked)
    estimates = estimate_dawid_skene(judgments) if estimate else []
    kinds = JUDGES | (AGREES if estimate else {})
    unconverged = _find_unconverged(estimates)
    rows = (
        {**vars(judge), "judge": judge.worker, "converged": judge.criterion not in unconverged}
        for judge in measure_reliability(judgments, estimates)
    )
    return ScoreCounts(write_rows(rows, path, kinds), unconverged)


def _find_unconverged(estimates: list[Estimate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(estimate.criterion for estimate in estimates if not estimate.converged))


def _read_judgments(collected: CampaignAnswers, blocked: bool) -> list[Judgment]:
    """All that the evaluation set has, one criterion at a time."""
    names = list_criterion_names(collected.campaign)
    return [
        Judgment(row["segment"], row["system"], row["judge"], name, row[name])
        for row in read_judgment_rows(collected, blocked=blocked)
        for name in names
        if row.get(name) is not None
    ]
