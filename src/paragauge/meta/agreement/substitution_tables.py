"""Tables 7 and 8 of Kauchak and Barzilay (2006): are substitutions correct, and does a filter know?

Judges rate a sample of substitutions (`rewrite/evaluation/substitution_sample.py`) as correct (1) or
not (0) without knowing the method; the key of the sample says which methods drew each example, and what
every method's verdict on it is.

- ``kauchak-7``: for each method the share of its sample that each judge finds correct, and the judges'
  agreement: Cohen's kappa of two judges, Fleiss' kappa of more. Intervals are by bootstrap over the
  examples, which the paper does not give.
- ``kauchak-8``: for each other method its verdicts on the sample of the first one, which has no filter,
  against the judgments of one judge, the first by default: how many incorrect substitutions it
  eliminates, and how many correct ones. A method that does not propose all of them is no filter of the
  first and is left out.
"""

from __future__ import annotations

import dataclasses
from typing import Literal, get_args

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.meta.agreement.kappa import (
    cohen_kappa,
    fleiss_kappa,
    resample_cohen,
    resample_fleiss,
)
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.measure import Bootstrap, Measure
from paragauge.meta.sets.evalset import EvalSet
from paragauge.metrics.control_systems import JUDGE
from paragauge.rewrite.evaluation.sample_files import CRITERION, SampleKey
from paragauge.rewrite.evaluation.substitution_sample import NOT_PROPOSED

SubstitutionLayout = Literal["kauchak-7", "kauchak-8"]
SUBSTITUTION_LAYOUTS: tuple[SubstitutionLayout, ...] = get_args(SubstitutionLayout)
PASSED = ("accepted", "outdone")  # by the filter; an outdone word only lost its place to another


def substitution_layout(
    name: SubstitutionLayout,
    judged: EvalSet,
    key: SampleKey,
    settings: CorrelationSettings | None = None,
    *,
    criterion: str = CRITERION,
    judge: str | None = None,
) -> Layout:
    """The table with this name, for judgments of the sample that the key describes.

    The segments of the set are the keys of the examples. `judge` is for table 8.
    """
    plain = dataclasses.replace(settings or CorrelationSettings(), test="none")
    if name not in SUBSTITUTION_LAYOUTS:
        raise unknown_name("layout", name, SUBSTITUTION_LAYOUTS)
    judgments = _judgments(judged, key, criterion)
    missing = len(key.drawn_by) - len({example for own in judgments.values() for example in own})
    notes = (f"{missing} of {len(key.drawn_by)} examples have no judgment.",) if missing else ()
    if name == "kauchak-7":
        table = _accuracy(judgments, key, plain)
    else:
        table = _confusion(judgments, key, plain, judge)
    return dataclasses.replace(table, notes=(*notes, *table.notes))


def _judgments(judged: EvalSet, key: SampleKey, criterion: str) -> dict[str, dict[str, float]]:
    """The judgment of each example by each judge; the first one counts if a judge gave several."""
    values = judged.criterion(criterion)
    judgments: dict[str, dict[str, float]] = {}
    for item, judge, value in zip(
        judged.rating_item.tolist(), judged.rating_judge.tolist(), values.tolist(), strict=True
    ):
        example = judged.segments[judged.item_segment[item]]
        if np.isnan(value) or judged.judges[judge] == JUDGE:
            continue
        if example not in key.drawn_by:
            raise InputError(
                f"example '{example}' of the judgments is not in the key; give the key of this sample"
            )
        if value not in (0, 1):
            raise InputError(
                f"example '{example}': expected a judgment of 0 (not correct) or 1 (correct), found "
                f"{value:g}"
            )
        judgments.setdefault(judged.judges[judge], {}).setdefault(example, value)
    if not judgments:
        raise InputError(f"criterion '{criterion}': no example has a judgment")
    return judgments


def _accuracy(
    judgments: dict[str, dict[str, float]], key: SampleKey, settings: CorrelationSettings
) -> Layout:
    bootstrap = Bootstrap(settings.bootstrap, settings.level, settings.seed, settings.threads)
    judges = list(judgments)
    rows = []
    for method in key.methods:
        examples = [example for example, drawn_by in key.drawn_by.items() if method in drawn_by]
        if not examples:
            continue
        table = np.array([[judgments[j].get(example, np.nan) for example in examples] for j in judges])
        cells = [_share(row, bootstrap) for row in table]
        if len(judges) > 1:
            cells.append(_as_cell(_kappa(table, bootstrap), "agreement"))
        rows.append(LayoutRow(method, tuple(cells)))
    columns = tuple(judge or "judge" for judge in judges) + ("Kappa",) * (len(judges) > 1)
    notes = ("Share of a method's sample that the judge finds correct.",)
    title = "Accuracy of substitutions by judge, and agreement of the judges"
    statistic = "Accuracy and kappa"
    return Layout(title, columns, tuple(rows), notes, settings, statistic)


def _share(values: Floats, bootstrap: Bootstrap) -> LayoutCell:
    """The share of correct examples among those that a judge rated."""
    known = values[~np.isnan(values)]
    if len(known) == 0:
        return LayoutCell(None, "percent", reason="no judgment of this sample")
    measure = Measure(float(known.mean()), len(known))
    number = np.arange(len(known))
    if bootstrap.draws(number):
        sums = bootstrap.sums(np.stack([known, np.ones_like(known)], axis=1), number)
        with np.errstate(invalid="ignore", divide="ignore"):
            measure = measure.within(sums[:, 0] / sums[:, 1], bootstrap.level)
    return _as_cell(measure, "percent")


def _kappa(table: Floats, bootstrap: Bootstrap) -> Measure:
    """The agreement of the judges' rows [judges, examples]; missing judgments are NaN."""
    if len(table) == 2:
        both = ~np.isnan(table).any(axis=0)
        first, second = table[:, both]
        measure, number = cohen_kappa(first, second), np.arange(int(both.sum()))
        if measure.value is None or not bootstrap.draws(number):
            return measure
        return measure.within(resample_cohen(first, second, number, bootstrap)["none"], bootstrap.level)
    known = ~np.isnan(table)
    units = np.broadcast_to(np.arange(table.shape[1]), table.shape)[known]
    measure = fleiss_kappa(units, table[known])
    if measure.value is None or not bootstrap.draws(units):
        return measure
    return measure.within(resample_fleiss(units, table[known], units, bootstrap)[0], bootstrap.level)


def _as_cell(measure: Measure, style: Literal["percent", "agreement"]) -> LayoutCell:
    return LayoutCell(measure.value, style, measure.low, measure.high, measure.reason)


def _confusion(
    judgments: dict[str, dict[str, float]],
    key: SampleKey,
    settings: CorrelationSettings,
    judge: str | None,
) -> Layout:
    if judge is not None and judge not in judgments:
        raise unknown_name("judge", judge, judgments)
    name = next(iter(judgments)) if judge is None else judge
    base, *filters = key.methods
    examples = [
        example
        for example, drawn_by in key.drawn_by.items()
        if base in drawn_by and example in judgments[name]
    ]
    if not filters or not examples:
        raise InputError(
            "expected a key with a method without a filter first and another method after it, and "
            f"judgments of the first one's sample by {name or 'the judge'}"
        )
    is_correct = np.array([judgments[name][example] == 1 for example in examples])
    rows, notes = [], []
    for method in filters:
        verdicts = [key.verdicts[example][method] for example in examples]
        if NOT_PROPOSED in verdicts:
            notes.append(f"{method} does not propose all substitutions of {base} and is left out.")
            continue
        passed = np.array([verdict in PASSED for verdict in verdicts])
        rows.append(LayoutRow(method, ()))
        for label, group in (("correct", is_correct), ("not correct", ~is_correct)):
            counts = [float((group & side).sum()) for side in (passed, ~passed)]
            rows.append(LayoutRow(label, tuple(LayoutCell(count, "count") for count in counts)))
        eliminated = _part(~passed & ~is_correct, ~is_correct)
        lost = _part(~passed & is_correct, is_correct)
        left = _part(passed & is_correct, passed)
        notes.append(
            f"{method} eliminates {eliminated} incorrect substitutions and {lost} correct ones; "
            f"{left} that pass are correct, of all {_part(is_correct, np.ones_like(is_correct))}."
        )
    title = (
        f"Verdicts on {len(examples)} substitutions of {base}, against the judgments of "
        f"{name or 'the judge'}"
    )
    plain = dataclasses.replace(settings, bootstrap=0)
    return Layout(title, ("passed", "refused"), tuple(rows), tuple(notes), plain)


def _part(some: np.ndarray, of_all: np.ndarray) -> str:
    """A part of a whole in numbers and percent."""
    part, whole = int(some.sum()), int(of_all.sum())
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f}%)" if whole else "")
