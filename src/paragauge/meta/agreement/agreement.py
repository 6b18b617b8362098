"""Do people agree? Agreement of the judges of an evaluation set.

`agree` computes, on each criterion,

- the correlation of every two judges at the sentence and at the system level (Liu et al. (2010),
  table 1), over the items both rated, and of each judge with the mean of the others
  (`judge_correlation.py`);
- Cohen's kappa of every two judges, plain and weighted, Fleiss' kappa and percent agreement
  (`kappa.py`; Kauchak and Barzilay (2006), section 4, reports Cohen's);
- Krippendorff's alpha at three levels of measurement (`alpha.py`);
- how well judges who rated an item again agree with themselves (`judges.py`).

It first leaves out the systems to exclude and the judges who fail the controls
(`judge_controls.py`). Controls never count in the agreement, as in Liu et al. (2010):
they "would inflate the correlation".

Choices:

- **System means** (`system_means`): a system's mean is over the items that both judges rated
  (`common`, the default), because with different items a difference between items would look like
  one of opinion; `own` takes each judge's own average, as the paper writes. On complete ratings, as
  in the paper, both are the same.
- **Categories** are the distinct ratings. With more than 20 of them kappa, percent agreement and
  nominal alpha would measure how fine the scale is: they are refused, with the reason, unless `bins`
  divides the range of the ratings into that many equal parts. Ordinal and interval alpha need none.
- **Z-normalized** ratings (`z_normalize`) are used for the correlations and interval alpha. The other
  measures keep the categories that the judges chose.
- **Rankings** (the criterion ``rank`` with tasks): everything but the correlations is computed on
  preferences between two candidates ranked together, since ranks of different tasks are not categories.
- Groups of segments are pooled; `EvalSet.of_group` gives one of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from paragauge.errors import InputError, SettingError, ShapeError, unknown_key, unknown_name
from paragauge.kernels.layout import Ints
from paragauge.meta.agreement.alpha import MeasurementLevel, krippendorff_alpha
from paragauge.meta.agreement.judge_controls import ControlReport, check_controls
from paragauge.meta.agreement.judge_correlation import Outputs, sentence_level, system_level
from paragauge.meta.agreement.judge_pairs import (
    MOST_JUDGES,
    JudgePair,
    RatedJudgments,
    pairs_with_common_items,
    pairs_with_intervals,
)
from paragauge.meta.agreement.judges import (
    Consistency,
    JudgeRatings,
    consistency,
    constant_judges,
    first_ratings,
    preferences,
    z_normalize,
)
from paragauge.meta.agreement.kappa import (
    bin_values,
    fleiss_kappa,
    percent_agreement,
    resample_fleiss,
    too_fine,
)
from paragauge.meta.correlation.coefficients import CoefficientName, check_coefficient
from paragauge.meta.measure import Bootstrap, Measure, undefined_measure
from paragauge.meta.sets.evalset import EvalSet, as_evalset, is_lower_better
from paragauge.metrics.control_systems import JUDGE as CONTROL
from paragauge.text.python_data.result_table import (
    ReadableTable,
    ResultTable,
    interval_text,
    plain_value,
)
from paragauge.version import __version__

SystemMeans = Literal["common", "own"]
SYSTEM_MEANS: tuple[SystemMeans, ...] = get_args(SystemMeans)
OTHERS = "the others"


@dataclass(frozen=True)
class JudgeOthers:
    """A judge against the mean of all others."""

    judge: str
    ratings: int
    mean: float
    sentence: Measure
    system: Measure


@dataclass(frozen=True)
class Agreement:
    """The judges on one criterion."""

    criterion: str
    judges: tuple[str, ...]
    systems: tuple[str, ...]
    items: int  # with at least one rating
    shared: int  # with ratings of at least two judges
    ratings: int
    missing: int
    repeated: int
    categories: int
    preferences: bool  # whether categories are preferences between candidates ranked together
    constant: Mapping[str, int]  # judges left out by z-normalization, and their ratings
    pairs: tuple[JudgePair, ...]  # with many judges, those with common items
    apart: int  # pairs of judges without common items
    others: tuple[JudgeOthers, ...]
    agreement: Measure
    fleiss: Measure
    alpha: Mapping[str, Measure]
    consistency: tuple[Consistency, ...]


@dataclass(frozen=True)
class AgreementSettings:
    """How agreement is computed; see the module."""

    coefficient: CoefficientName = "pearson"
    system_means: SystemMeans = "common"
    z_normalize: bool = False
    ddof: int = 1
    bins: int | None = None
    bootstrap: Bootstrap = field(default_factory=Bootstrap)

    def check(self) -> None:
        """Refuse settings that no run can use."""
        check_coefficient(self.coefficient)
        if self.system_means not in SYSTEM_MEANS:
            raise unknown_name("kind of system means", self.system_means, SYSTEM_MEANS)
        if self.bins is not None:
            bin_values(np.zeros(0), self.bins, 0, 1)
        self.bootstrap.check()


@dataclass(frozen=True, repr=False)
class AgreementSheet(ResultTable):
    """Agreement on several criteria, what was left out before, and how it was computed."""

    criteria: tuple[Agreement, ...]
    excluded_systems: tuple[str, ...]
    controls: ControlReport | None
    settings: AgreementSettings
    left_out: Mapping[str, str] = field(default_factory=dict)  # criteria left out, and why
    predetermined: int = 0  # ratings of controls that nobody gave

    def __getitem__(self, criterion: str) -> Agreement:
        for one in self.criteria:
            if one.criterion == criterion:
                return one
        raise unknown_key("criterion", criterion, [one.criterion for one in self.criteria])

    def to_rows(self) -> list[dict[str, Any]]:
        """One record per measure: of pairs of judges, of judges against the others, and of all."""
        return list(agreement_rows(self))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, as JSON has it."""
        content: dict[str, Any] = plain_value(self)
        del content["settings"]["bootstrap"]["threads"]  # results do not depend on it
        return {**content, "paragauge": __version__}

    def readable(self) -> ReadableTable:
        """One row per criterion: agreement, Fleiss' kappa and Krippendorff's alpha of all judges."""
        levels = list(self.criteria[0].alpha)
        rows = [
            [one.criterion, str(len(one.judges)), *(_measure_text(m) for m in self._overall(one))]
            for one in self.criteria
        ]
        header = ["criterion", "judges", "agreement", "Fleiss' kappa", *(f"alpha, {x}" for x in levels)]
        return ReadableTable(header, rows)

    @staticmethod
    def _overall(one: Agreement) -> list[Measure]:
        return [one.agreement, one.fleiss, *one.alpha.values()]


def _measure_text(measure: Measure) -> str:
    return interval_text(measure.value, measure.low, measure.high, 3) or "-"


def criterion_agreement(
    judged: EvalSet, criterion: str, settings: AgreementSettings | None = None
) -> Agreement:
    """The agreement of all judges on one criterion.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> ratings = {"A": (1.0, 2.0, 3.0), "B": (1.0, 3.0, 2.0)}
    >>> rows = []
    >>> for judge, values in ratings.items():
    ...     rows += [(str(i), "mine", judge, {"overall": v}) for i, v in enumerate(values)]
    >>> round(criterion_agreement(build(rows), "overall").pairs[0].sentence.value, 3)
    0.5
    """
    settings = settings or AgreementSettings()
    settings.check()
    plain = first_ratings(judged, criterion)
    reason = _reason_against(criterion, plain)
    if reason:
        raise InputError(reason)
    scaled, constant = plain, {}
    if settings.z_normalize:
        constant = constant_judges(judged, criterion)
        scaled = first_ratings(z_normalize(judged, criterion, settings.ddof), criterion)
        scaled = _renumber_judges(scaled, plain.judges)
    ranked = is_lower_better(criterion) and bool((judged.rating_task >= 0).any())
    chosen = preferences(judged, criterion) if ranked else judged
    named = plain if not ranked else _renumber_judges(first_ratings(chosen, "preference"), plain.judges)
    categories = _categories(named, settings.bins)
    refusal = too_fine(categories.value)
    rated = _count_shared(categories)
    pairs = tuple(_pairs(judged, scaled, categories, chosen.item_segment, refusal, settings))
    together = sum(pair.sentence.n > 0 or pair.agreement.n > 0 for pair in pairs)
    alpha: dict[str, Measure] = {}
    by_level: dict[MeasurementLevel, JudgeRatings] = {
        "nominal": categories,
        "ordinal": named,
        "interval": named if ranked else scaled,
    }
    for level, source in by_level.items():
        segments = chosen.item_segment[source.item]
        alpha[level] = (
            undefined_measure(refusal, rated)
            if refusal and level == "nominal"
            else krippendorff_alpha(
                source.item, source.value, level, segments=segments, bootstrap=settings.bootstrap
            )
        )
    fleiss = fleiss_kappa(categories.item, categories.value)
    equal = percent_agreement(categories.item, categories.value)
    segments = chosen.item_segment[categories.item]
    if not refusal and settings.bootstrap.draws(segments):
        drawn = resample_fleiss(categories.item, categories.value, segments, settings.bootstrap)
        fleiss, equal = (
            measure.within(values, settings.bootstrap.level)
            for measure, values in zip((fleiss, equal), drawn, strict=True)
        )
    return Agreement(
        criterion=criterion,
        judges=plain.judges,
        systems=_systems_of(judged, plain.item),
        items=len(np.unique(plain.item)),
        shared=_count_shared(plain),
        ratings=len(plain.value),
        missing=plain.missing,
        repeated=plain.repeated,
        categories=len(np.unique(categories.value)),
        preferences=ranked,
        constant=constant,
        pairs=pairs,
        apart=len(plain.judges) * (len(plain.judges) - 1) // 2 - together,
        others=tuple(_against_others(judged, plain, scaled, settings)),
        agreement=undefined_measure(refusal, rated) if refusal else equal,
        fleiss=undefined_measure(refusal, rated) if refusal else fleiss,
        alpha=alpha,
        consistency=consistency(chosen, "preference" if ranked else criterion, settings.bins),
    )


def agree(
    judged: EvalSet | Any,
    criteria: Sequence[str] = (),
    *,
    settings: AgreementSettings | None = None,
    exclude_systems: Collection[str] = (),
    positive: Collection[str] = (),
    negative: Collection[str] = (),
    control_criterion: str | None = None,
    threshold: float = 0.75,
    least: int = 5,
    keep_unchecked: bool = True,
) -> AgreementSheet:
    """Agreement on several criteria (all by default), without some systems and failed judges.

    `judged` is an evaluation set or a data frame with its columns, as `EvalSet.from_frame` takes it.
    By default, criteria without ratings by two judges are left out; if named, they are an error. Judges
    are tested on `control_criterion` (by default the first with ratings), and those who fail are left
    out everywhere. The judge ``control`` stands for the predetermined ratings of control systems, which
    nobody gave: they are counted and left out.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [("1", "mine", judge, {"overall": 3.0}) for judge in "AB"]
    >>> agree(build(rows)).criteria[0].pairs[0].sentence.reason
    'fewer than 3 common items'
    """
    judged = as_evalset(judged)
    if isinstance(criteria, str):
        raise ShapeError(
            f"criteria: expected a list of names, found '{criteria}'; write [{criteria!r}]"
        )
    settings = settings or AgreementSettings()
    settings.check()
    predetermined = 0
    if CONTROL in judged.judges and len(judged.judges) > 1:
        predetermined = int((judged.rating_judge == judged.judge(CONTROL)).sum())
        judged = judged.without_judges([CONTROL])
    named = bool(criteria)
    left_out: dict[str, str] = {}
    criteria = list(dict.fromkeys(criteria)) or list(judged.criteria)
    if not criteria:
        raise InputError("expected at least one criterion with ratings, found none")
    for name in criteria:
        judged.criterion(name)
    report = None
    if positive or negative:
        report = check_controls(
            judged,
            control_criterion or _find_rated(judged, criteria),
            positive=positive,
            negative=negative,
            threshold=threshold,
            least=least,
            keep_unchecked=keep_unchecked,
        )
        left = len(report.judges) - len(report.excluded)
        if left < 2:
            raise InputError(
                f"the controls leave {left} of {len(report.judges)} judges, and agreement needs two; "
                "lower the threshold, or look at the controls"
            )
        judged = report.exclude_from(judged)
    elif control_criterion is not None:
        raise SettingError("a criterion for the controls needs positive and negative controls")
    gone = set(() if report is None else (*report.positive, *report.negative))
    judged = judged.without_systems([name for name in exclude_systems if name not in gone])
    if not named:
        criteria = _usable(judged, criteria, left_out)
    return AgreementSheet(
        tuple(criterion_agreement(judged, name, settings) for name in criteria),
        tuple(dict.fromkeys(exclude_systems)),
        report,
        settings,
        left_out,
        predetermined,
    )


def _reason_against(criterion: str, ratings: JudgeRatings) -> str:
    """Why agreement on a criterion cannot be computed; empty if it can."""
    if not len(ratings.value):
        return f"criterion '{criterion}' has no ratings; every value is missing"
    if len(ratings.judges) < 2:
        who = f"only '{ratings.judges[0]}'" if ratings.judges[0] else "ratings without a judge"
        return (
            f"criterion '{criterion}': expected at least two judges, found {who}; agreement needs a "
            'column that says who rated: --column judge=NAME (in Python columns={"judge": NAME})'
        )
    return ""


def _find_rated(judged: EvalSet, criteria: Sequence[str]) -> str:
    rated = (name for name in criteria if not np.isnan(judged.criterion(name)).all())
    return next(rated, criteria[0])


def _usable(judged: EvalSet, criteria: Sequence[str], left_out: dict[str, str]) -> list[str]:
    """The criteria that judges can agree on; the others get their reason in `left_out`."""
    reasons = {name: _reason_against(name, first_ratings(judged, name)) for name in criteria}
    left_out.update({name: reason for name, reason in reasons.items() if reason})
    if all(reasons.values()):
        raise InputError(next(iter(reasons.values())))
    return [name for name in criteria if not reasons[name]]


def _renumber_judges(ratings: JudgeRatings, judges: tuple[str, ...]) -> JudgeRatings:
    """The ratings with the numbers that the judges have in `judges`."""
    places = {name: number for number, name in enumerate(judges)}
    numbers = np.array([places[name] for name in ratings.judges], np.int64)
    return dataclasses.replace(ratings, judges=judges, judge=numbers[ratings.judge])


def _categories(ratings: JudgeRatings, bins: int | None) -> JudgeRatings:
    if bins is None or not len(ratings.value):
        return ratings
    low, high = float(ratings.value.min()), float(ratings.value.max())
    return dataclasses.replace(ratings, value=bin_values(ratings.value, bins, low, high))


def _count_shared(ratings: JudgeRatings) -> int:
    """How many items at least two judges rated."""
    _, counts = np.unique(ratings.item, return_counts=True)
    return int((counts > 1).sum())


def _systems_of(judged: EvalSet, item: Ints) -> tuple[str, ...]:
    rated = np.zeros(judged.items, bool)
    rated[item] = True
    used = np.unique(judged.output_system[rated[judged.output_item]])
    return tuple(judged.systems[number] for number in used)


def _pairs(
    judged: EvalSet,
    scaled: JudgeRatings,
    categories: JudgeRatings,
    segment: Ints,
    refusal: str,
    settings: AgreementSettings,
) -> Iterable[JudgePair]:
    own = settings.system_means == "own"
    rated = RatedJudgments(judged, scaled, categories, refusal, settings.coefficient, own, segment)
    if len(scaled.judges) <= MOST_JUDGES:
        return pairs_with_intervals(rated, settings.bootstrap)
    return pairs_with_common_items(rated)


def _against_others(
    judged: EvalSet, plain: JudgeRatings, scaled: JudgeRatings, settings: AgreementSettings
) -> Iterable[JudgeOthers]:
    sums = np.bincount(scaled.item, scaled.value, judged.items)
    counts = np.bincount(scaled.item, minlength=judged.items)
    outputs = Outputs.of(judged)
    for judge, name in enumerate(plain.judges):
        item, mine = scaled.of(judge)
        several = counts[item] > 1
        item, mine = item[several], mine[several]
        theirs = (sums[item] - mine) / (counts[item] - 1)
        names = (name, OTHERS)
        yield JudgeOthers(
            name,
            len(plain.of(judge)[0]),
            float(plain.of(judge)[1].mean()),
            sentence_level(judged, item, mine, theirs, settings.coefficient, settings.bootstrap, names),
            system_level(
                outputs,
                (item, mine),
                (item, theirs),
                settings.coefficient,
                settings.bootstrap,
                names,
            ),
        )


def agreement_rows(sheet: AgreementSheet) -> Iterator[dict[str, Any]]:
    """One record per measure: of pairs of judges, of judges against the others, and of all."""
    for agreement in sheet.criteria:
        coefficient: str = sheet.settings.coefficient
        for pair in agreement.pairs:
            who = {"judge": pair.judge, "other": pair.other}
            named = [(coefficient, "sentence", pair.sentence), (coefficient, "system", pair.system)]
            named.append(("agreement", "", pair.agreement))
            named += [("cohen", weights, one) for weights, one in pair.kappa.items()]
            for statistic, level, one in named:
                yield _record(agreement, statistic, level, one, who)
        for other in agreement.others:
            who = {"judge": other.judge, "other": "others"}
            yield _record(agreement, coefficient, "sentence", other.sentence, who)
            yield _record(agreement, coefficient, "system", other.system, who)
        yield _record(agreement, "agreement", "", agreement.agreement, {})
        yield _record(agreement, "fleiss", "", agreement.fleiss, {})
        for level, one in agreement.alpha.items():
            yield _record(agreement, "alpha", level, one, {})
        for again in agreement.consistency:
            who = {"judge": again.judge, "other": again.judge}
            exact = Measure(again.exact, again.pairs)
            distance = Measure(again.mean_absolute_difference, again.pairs)
            named = [("agreement", "", exact), ("difference", "", distance)]
            named += [("pearson", "", again.pearson), ("cohen", "none", again.kappa)]
            for statistic, level, one in named:
                yield _record(agreement, statistic, level, one, who)
    for name, reason in sheet.left_out.items():
        record = {"criterion": name, "statistic": "criterion", "level": "left out"}
        yield {**record, "judge": "", "other": "", **dataclasses.asdict(undefined_measure(reason, 0))}
    if sheet.controls is None:
        return
    for control in sheet.controls.judges:
        share = Measure(control.share, control.segments, reason=control.reason)
        yield dataclasses.asdict(share) | {
            "criterion": sheet.controls.criterion,
            "statistic": "control",
            "level": "left out" if control.excluded else control.status,
            "judge": control.judge,
            "other": "",
        }


def _record(
    agreement: Agreement, statistic: str, level: str, one: Measure, who: dict[str, str]
) -> dict[str, Any]:
    record = {"criterion": agreement.criterion, "statistic": statistic, "level": level}
    return {**record, "judge": "", "other": "", **who, **dataclasses.asdict(one)}
