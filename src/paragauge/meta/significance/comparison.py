"""Is the difference real? Several systems against a baseline, on the same segments.

Two tests, both paired, both two-sided, for every metric whose statistics add:

- **Paired bootstrap** (Koehn 2004). Both systems are scored on the same resamples; the p-value is
  the share of resamples whose difference lies as far from the mean difference as the observed one
  lies from zero (the shift method). The resamples also give the interval of the difference.
- **Approximate randomization** (Noreen 1989; Riezler and Maxwell 2005). In each trial the two
  systems' outputs are exchanged on a random half of the segments; the p-value is the share of
  trials whose difference is at least as large as the observed one.

Both count the observation itself, (c + 1) / (trials + 1), so that p is never 0, and both give 1 for
equal systems. With several systems, p-values are corrected for the number of comparisons under one
metric (Holm 1979 by default; see `multiple_comparisons.py`), and a difference is called significant if
the corrected p-value of the randomization test (of the bootstrap, if only that was run) is below
`alpha`.

Everything is computed in one pass over the batches; memory is trials x k for each pair.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.errors import InputError, SettingError, UnknownKeyError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.meta.significance.multiple_comparisons import CORRECTIONS, Correction, correct_p_values
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import Resampler, check_run, interval
from paragauge.metrics.scoring import Observer, ScoreSheet, prepare, score_batches
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.python_data.result_table import (
    ReadableTable,
    ResultTable,
    number_text,
    plain_value,
)
from paragauge.text.wording import p_text


@dataclass(frozen=True)
class Difference:
    """One system against the baseline under one metric; positive means a larger value."""

    system: str
    baseline: str
    metric: str
    value: float
    baseline_value: float
    difference: float
    low: float | None
    high: float | None
    p_bootstrap: float | None
    p_randomization: float | None
    p_corrected: float
    significant: bool
    better: bool | None  # None: the values are equal

    @property
    def verdict(self) -> str:
        """One or two words on the difference; "no value" if one side has no score."""
        if math.isnan(self.difference):
            return "no value"
        if not self.significant:
            return "not significant"
        return "better" if self.better else "worse"


@dataclass(frozen=True, repr=False)
class Comparison(ResultTable):
    """The scores, the differences from the baseline, and how they were tested."""

    sheet: ScoreSheet
    baseline: str
    differences: list[Difference]
    randomization: int
    alpha: float
    correction: Correction

    def __getitem__(self, key: tuple[str, str]) -> Difference:
        """The difference of a system under a metric."""
        for row in self.differences:
            if (row.system, row.metric) == key:
                return row
        self.sheet[key]  # raises an error if the key is wrong
        raise UnknownKeyError(f"{key[0]} is the baseline, and has no difference from itself")

    def to_rows(self) -> list[dict[str, Any]]:
        """One record per system and metric, with the parts that metrics show."""
        names = self.sheet.shown_parts()
        rows = []
        for row in self.differences:
            record = dataclasses.asdict(row)
            for prefix, system in (("", row.system), ("baseline_", row.baseline)):
                score = self.sheet[system, row.metric]
                record |= {
                    prefix + name: score.parts[name] if name in score.shown_parts else None
                    for name in names
                }
            rows.append(record)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Scores, differences and tests as plain Python values, as JSON has them."""
        return self.sheet.to_dict() | {
            "comparisons": plain_value(self.differences),
            "tests": {
                "baseline": self.baseline,
                "bootstrap": self.sheet.bootstrap,
                "randomization": self.randomization,
                "alpha": self.alpha,
                "correction": self.correction,
            },
        }

    def readable(self) -> ReadableTable:
        """One row per metric and system: score, difference, corrected p and verdict."""
        rows = []
        for row in self.differences:
            base = self.sheet[self.baseline, row.metric]
            bounds = "" if row.low is None else f" [{row.low:+.2f}, {row.high:+.2f}]"
            valued = not math.isnan(row.difference)
            difference = f"{row.difference:+.2f}{bounds}" if valued else ""
            p = p_text(row.p_corrected) if valued else ""
            values = [number_text(row.value), number_text(row.baseline_value), difference]
            rows.append([base.title, row.system, row.verdict, *values, p])
        header = ["metric", "system", "verdict", "score", self.baseline, "difference", "p"]
        return ReadableTable(header, rows, self.sheet.readable().notes, left=3)


def compare_batches(
    batches: Iterable[Batch],
    metrics: Mapping[str, Metric],
    *,
    baseline: str,
    bootstrap: int = 1000,
    randomization: int = 10000,
    seed: int = 7,
    level: float = 0.95,
    alpha: float = 0.05,
    correction: Correction = "holm",
    threads: int = 0,
    observers: Sequence[Observer] = (),
) -> Comparison:
    """Compare every system of the batches with `baseline` under every metric."""
    if not 0 < alpha < 1:
        raise SettingError(f"expected alpha between 0 and 1, found {alpha}")
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    if bootstrap == 0 and randomization == 0:
        raise SettingError("expected at least one test, found none; ask for bootstrap or randomization")
    check_run(threads=threads, bootstrap=randomization, seed=seed, level=level)
    exchanges: dict[tuple[str, str], Resampler] = {}

    def exchange_outputs(batch: Batch, stats: dict[tuple[str, str], Floats]) -> None:
        if len(batch.systems) < 2:
            raise InputError("expected at least two systems to compare, found one")
        if baseline not in batch.systems:
            raise unknown_name("system", baseline, batch.systems)
        for (system, label), mine in stats.items():
            if system == baseline or randomization == 0:
                continue
            change = mine - stats[baseline, label]
            if (system, label) not in exchanges:
                exchanges[system, label] = Resampler(
                    change.shape[1], randomization, seed=seed, weights="coin", threads=threads
                )
            exchanges[system, label].add(change, batch.first)

    sheet = score_batches(
        batches,
        metrics,
        bootstrap=bootstrap,
        seed=seed,
        level=level,
        threads=threads,
        observers=[exchange_outputs, *observers],
    )
    tested = []
    for score in sheet.scores:
        if score.system == baseline:
            continue
        key, rival = (score.system, score.metric), (baseline, score.metric)
        difference = score.value - sheet[rival].value
        low, high, p_bootstrap, p_randomization = None, None, None, None
        if bootstrap:
            resampled = sheet.resampled[key] - sheet.resampled[rival]
            low, high = interval(resampled, level)
            p_bootstrap = shifted_p_value(difference, resampled)
        if randomization:
            metric, moved, sums = metrics[score.metric], exchanges[key].sums, sheet.sums
            trials = metric.corpus_values(sums[key] - moved) - metric.corpus_values(sums[rival] + moved)
            p_randomization = p_value(difference, trials)
        raw = p_randomization if p_randomization is not None else p_bootstrap
        tested.append((score, difference, low, high, p_bootstrap, p_randomization, raw or 1.0))
    adjusted = _correct_by_metric([(row[0].metric, row[-1]) for row in tested], correction)
    differences = [
        Difference(
            system=score.system,
            baseline=baseline,
            metric=score.metric,
            value=score.value,
            baseline_value=sheet[baseline, score.metric].value,
            difference=difference,
            low=low,
            high=high,
            p_bootstrap=p_bootstrap,
            p_randomization=p_randomization,
            p_corrected=p,
            significant=p < alpha,
            better=None
            if difference == 0 or np.isnan(difference)
            else (difference > 0) == score.higher_is_better,
        )
        for (score, difference, low, high, p_bootstrap, p_randomization, _), p in zip(
            tested, adjusted, strict=True
        )
    ]
    return Comparison(sheet, baseline, differences, randomization, alpha, correction)


def compare(
    systems: Mapping[str, Texts],
    metrics: Mapping[str, Metric] | Iterable[Metric | str],
    *,
    baseline: str | None = None,
    sources: GroupedTexts | None = None,
    references: GroupedTexts | None = None,
    bootstrap: int = 1000,
    randomization: int = 10000,
    seed: int = 7,
    level: float = 0.95,
    alpha: float = 0.05,
    correction: Correction = "holm",
    threads: int = 0,
) -> Comparison:
    """Compare systems with a baseline, the first one if none is named.

    >>> from paragauge import PINC
    >>> source = ["a b c d"] * 20
    >>> result = compare({"copy": source, "new": ["a b x y"] * 20}, [PINC()], sources=source)
    >>> change = result.differences[0]
    >>> round(change.difference, 2), change.p_randomization < 0.01, change.significant
    (79.17, True, True)
    """
    named, batch = prepare(systems, metrics, sources, references, threads)
    return compare_batches(
        [batch],
        named,
        baseline=next(iter(systems)) if baseline is None else baseline,
        bootstrap=bootstrap,
        randomization=randomization,
        seed=seed,
        level=level,
        alpha=alpha,
        correction=correction,
        threads=threads,
    )


def p_value(observed: float, trials: Floats) -> float:
    """Share of trials at least as far from zero as the observed value, which counts as one.

    >>> p_value(2.0, np.array([0.0, 1.0, -2.0]))
    0.5
    """
    if np.isnan(observed):
        return 1.0
    # Sums of exchanged statistics round differently from the observed ones, and an undefined trial
    # counts in favor of chance.
    reached = np.isnan(trials) | (np.abs(trials) >= abs(observed) - 1e-9)
    return float((reached.sum() + 1) / (len(trials) + 1))


def shifted_p_value(observed: float, resampled: Floats) -> float:
    """`p_value` of resamples moved to a mean of zero, the value under the null hypothesis.

    >>> shifted_p_value(3.0, np.array([3.0, 3.5, 2.5]))
    0.25
    """
    known = resampled[~np.isnan(resampled)]
    return p_value(observed, known - known.mean()) if len(known) else 1.0


def _correct_by_metric(rows: list[tuple[str, float]], correction: Correction) -> list[float]:
    """Corrected p-values, each metric's comparisons being one family."""
    result = [p for _, p in rows]
    for metric in dict.fromkeys(name for name, _ in rows):
        members = [i for i, (name, _) in enumerate(rows) if name == metric]
        adjusted = correct_p_values([rows[i][1] for i in members], correction)
        for i, p in zip(members, adjusted, strict=True):
            result[i] = p
    return result
