"""Agreement of judges as text, Markdown, LaTeX, TSV and JSON.

For each criterion, the first table has the layout of Liu et al. (2010), table 1: the lower triangle
of the judges' correlations, sentence level and system level side by side. The other tables
have intervals and numbers of items. With many judges a summary of the pairs replaces both; TSV and
JSON have each pair.

An undefined statistic is a dash with a footnote that gives the reason.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterator

from paragauge.meta.agreement.agreement import Agreement, AgreementSheet
from paragauge.meta.agreement.judge_controls import NOT_CHECKED, ControlReport
from paragauge.meta.agreement.judge_pairs import MOST_JUDGES as MOST_PAIRED
from paragauge.meta.agreement.judge_pairs import JudgePair
from paragauge.meta.measure import Measure
from paragauge.metrics.control_systems import JUDGE as CONTROL
from paragauge.report.tables.score_tables import join_names, json_text, readable, tsv_text
from paragauge.text.wording import p_text, pluralize

# Most judges whose triangle fits on a page.
MOST_JUDGES = 8
FIELDS = ("criterion", "statistic", "level", "judge", "other", "value", "low", "high", "n", "reason")
COEFFICIENTS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall's tau-b"}


def render_agreement(sheet: AgreementSheet, form: str = "text") -> str:
    """Agreement in one of the formats."""
    if form == "json":
        return json_text("agree", sheet.to_dict())
    if form == "tsv":
        return tsv_text(FIELDS, sheet.to_rows())
    blocks = [block for agreement in sheet.criteria for block in _criterion(sheet, agreement, form)]
    if sheet.controls is not None:
        blocks.append(_controls(sheet.controls, form))
    notes = _settings(sheet)
    if form == "text":
        blocks.append("\n".join(notes) + "\n")
    elif form == "markdown":
        blocks.append("".join(f"- {note}\n" for note in notes))
    else:
        blocks.append("".join(f"% {note}\n" for note in notes))
    return "\n".join(blocks)


class _Footnotes:
    """Reasons why statistics are undefined, numbered as they occur."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def cell(self, one: Measure, digits: int = 3, *, bounds: bool = True) -> str:
        """A statistic, or a dash with the number of its reason."""
        if one.value is None:
            number = self._numbers.setdefault(one.reason, len(self._numbers) + 1)
            return f"- ({number})"
        value = f"{one.value:.{digits}f}"
        if one.low is None or one.high is None or not bounds:
            return value
        return f"{value} [{one.low:.{digits}f}, {one.high:.{digits}f}]"

    def notes(self) -> list[str]:
        return [f"({number}) {reason}." for reason, number in self._numbers.items()]


def _criterion(sheet: AgreementSheet, agreement: Agreement, form: str) -> Iterator[str]:
    name = COEFFICIENTS[sheet.settings.coefficient]
    yield _heading(form, f"{agreement.criterion}: {_counts(agreement)}")
    if len(agreement.judges) <= MOST_JUDGES:
        yield _triangle(agreement, name, form)
        yield _pairs(agreement, form)
    else:
        yield _summary(agreement, name, form)
    yield _others(agreement, form)
    yield _overall(agreement, form)
    if agreement.consistency:
        yield _consistency(agreement, form)


def _heading(form: str, title: str) -> str:
    return {"text": f"== {title}\n", "markdown": f"## {title}\n", "latex": f"% == {title}\n"}.get(
        form, ""
    )


def _table(
    form: str,
    title: str,
    alignment: str,
    header: list[str],
    rows: list[list[str]],
    notes: list[str],
    spans: list[tuple[str, int]] | None = None,
) -> str:
    head = {"text": f"{title}\n", "markdown": f"**{title}**\n\n", "latex": f"% {title}\n"}
    return head.get(form, "") + readable(form, alignment, header, rows, notes, spans or [])


def _counts(agreement: Agreement) -> str:
    parts = [
        pluralize(len(agreement.judges), "judge"),
        f"{pluralize(agreement.ratings, 'rating')} of {pluralize(agreement.items, 'item')}",
        f"{agreement.shared} of them rated by more than one",
    ]
    return ", ".join(parts)


def _triangle(agreement: Agreement, name: str, form: str) -> str:
    notes = _Footnotes()
    judges = agreement.judges
    pairs = {(pair.other, pair.judge): pair for pair in agreement.pairs}
    rows = []
    for number, judge in enumerate(judges[1:], 1):
        row = [judge]
        for level in ("sentence", "system"):
            for column, other in enumerate(judges[:-1]):
                one = getattr(pairs[judge, other], level) if column < number else None
                row.append("-" if one is None else notes.cell(one, 4, bounds=False))
        rows.append(row)
    size = len(judges) - 1
    spans = [("", 1), ("Sentence level", size), ("System level", size)]
    header = ["", *judges[:-1], *judges[:-1]]
    title = f"Correlation between judges ({name})"
    return _table(form, title, "l" * len(header), header, rows, notes.notes(), spans)


def _pairs(agreement: Agreement, form: str) -> str:
    notes = _Footnotes()
    header = ["judges", "items", "sentence level", "systems", "system level"]
    header += ["equal", "kappa", "linear", "quadratic"]
    rows = [
        [
            f"{pair.judge}, {pair.other}",
            str(pair.sentence.n),
            notes.cell(pair.sentence),
            str(pair.system.n),
            notes.cell(pair.system),
            # Their intervals are in TSV and JSON: the line would be too long to read.
            *(notes.cell(_plain(one)) for one in (pair.agreement, *pair.kappa.values())),
        ]
        for pair in agreement.pairs
    ]
    title = "Pairs of judges: correlation, share of equal ratings, Cohen's kappa"
    if agreement.preferences:
        title += " (of preferences)"
    return _table(form, title, "lrlrlrrrr", header, rows, notes.notes())


def _plain(measure: Measure) -> Measure:
    """The measure without its interval."""
    return dataclasses.replace(measure, low=None, high=None)


def _summary(agreement: Agreement, name: str, form: str) -> str:
    rows = []
    for label, values in _pair_values(agreement.pairs).items():
        if values:
            numbers = (min(values), statistics.median(values), statistics.fmean(values), max(values))
            rows.append([label, str(len(values)), *(f"{value:.3f}" for value in numbers)])
        else:
            rows.append([label, "0", *["-"] * 4])
    header = ["", "pairs", "lowest", "median", "mean", "highest"]
    size = len(agreement.judges)
    note = f"{size * (size - 1) // 2} pairs of judges, minus those without a value"
    note += f"; {agreement.apart} have no common items." if agreement.apart else "."
    note += " TSV and JSON have each pair"
    if size > MOST_PAIRED:
        note += f" with common items, without intervals, as there are more than {MOST_PAIRED} judges"
    note += "."
    title = f"Pairs of judges: {name} correlation, share of equal ratings, Cohen's kappa"
    if agreement.preferences:
        title += " (of preferences)"
    return _table(form, title, "lrrrrr", header, rows, [note])


def _pair_values(pairs: tuple[JudgePair, ...]) -> dict[str, list[float]]:
    by_label: dict[str, list[float]] = {}
    for pair in pairs:
        named = {"sentence level": pair.sentence, "system level": pair.system, "equal": pair.agreement}
        named |= {"kappa": pair.kappa["none"], "linear": pair.kappa["linear"]}
        named["quadratic"] = pair.kappa["quadratic"]
        for label, one in named.items():
            by_label.setdefault(label, []).extend([] if one.value is None else [one.value])
    return by_label


def _others(agreement: Agreement, form: str) -> str:
    notes = _Footnotes()
    header = ["judge", "ratings", "mean", "items", "sentence level", "systems", "system level"]
    rows = [
        [
            one.judge,
            str(one.ratings),
            f"{one.mean:.2f}",
            str(one.sentence.n),
            notes.cell(one.sentence),
            str(one.system.n),
            notes.cell(one.system),
        ]
        for one in agreement.others
    ]
    title = "Each judge against the mean of the others"
    return _table(form, title, "lrrrlrl", header, rows, notes.notes())


def _overall(agreement: Agreement, form: str) -> str:
    notes = _Footnotes()
    named = {"equal ratings": agreement.agreement, "Fleiss' kappa": agreement.fleiss}
    named |= {f"Krippendorff's alpha, {level}": one for level, one in agreement.alpha.items()}
    rows = [[label, notes.cell(one), str(one.n)] for label, one in named.items()]
    what = "preferences" if agreement.preferences else "items"
    title = "All judges together"
    return _table(form, title, "llr", ["", "value", what], rows, notes.notes())


def _consistency(agreement: Agreement, form: str) -> str:
    notes = _Footnotes()
    header = ["judge", "items", "pairs", "equal", "mean difference", "Pearson", "kappa"]
    rows = [
        [
            one.judge,
            str(one.items),
            str(one.pairs),
            f"{one.exact:.3f}",
            f"{one.mean_absolute_difference:.3f}",
            notes.cell(one.pearson),
            notes.cell(one.kappa),
        ]
        for one in agreement.consistency
    ]
    what = "preferences" if agreement.preferences else "items"
    title = f"Judges against themselves: {what} rated more than once"
    return _table(form, title, "lrrrrrr", header, rows, notes.notes())


def _controls(report: ControlReport, form: str) -> str:
    notes = _Footnotes()
    header = ["judge", "segments", "above", "ties", "below", "share"]
    header += ["positive", "negative", "p (sign)", "p (Wilcoxon)", "verdict"]
    rows = []
    for one in report.judges:
        tests = [
            p_text(p.value) if p.value is not None else notes.cell(p)
            for p in (one.p_sign, one.p_wilcoxon)
        ]
        means = ["-" if x is None else f"{x:.2f}" for x in (one.mean_positive, one.mean_negative)]
        rows.append(
            [
                one.judge,
                *map(str, (one.segments, one.above, one.ties, one.below)),
                "-" if one.share is None else f"{one.share:.2f}",
                *means,
                *tests,
                one.status,
            ]
        )
    order = f"{join_names(report.positive)} above {join_names(report.negative)}"
    title = f"Controls on {report.criterion}: {order}"
    return _table(form, title, "lrrrrrrrrrl", header, rows, [*notes.notes(), *exclusions(report)])


def exclusions(report: ControlReport) -> list[str]:
    """Who was left out after the controls, why, and by what rule."""
    unchecked = "kept" if report.keep_unchecked else "left out"
    rule = (
        f"Rule: a share (ties count half) of at least {report.threshold:g}; judges with fewer than "
        f"{report.least} segments are {NOT_CHECKED} and {unchecked}. Controls do not count in the "
        "agreement."
    )
    out = [one for one in report.judges if one.excluded]
    if not out:
        return [rule, "No judge was left out."]
    return [
        rule,
        *(
            f"Left out: {one.judge}, who {one.reason} ({pluralize(one.ratings, 'rating')})."
            for one in out
        ),
    ]


def _settings(sheet: AgreementSheet) -> list[str]:
    settings = sheet.settings
    notes = []
    if settings.bootstrap.resamples:
        notes.append(
            f"Brackets: {100 * settings.bootstrap.level:g}% interval, Poisson bootstrap over segments, "
            f"{settings.bootstrap.resamples} resamples, seed {settings.bootstrap.seed}."
        )
    means = {
        "common": "the items that both judges rated",
        "own": "all items that the judge rated",
    }
    notes.append(
        f"System level: {COEFFICIENTS[settings.coefficient]} correlation of the systems' mean ratings "
        f"over {means[settings.system_means]}."
    )
    if sheet.excluded_systems:
        notes.append(f"Systems left out: {', '.join(sheet.excluded_systems)}.")
    if settings.bins is not None:
        notes.append(f"Categories: {settings.bins} equal parts of the range of the ratings.")
    if settings.z_normalize:
        notes.append("Correlations and interval alpha: ratings z-normalized for each judge.")
    if sheet.predetermined:
        notes.append(
            f"{CONTROL}: ratings of control systems, given beforehand, are left out "
            f"({sheet.predetermined:,})."
        )
    notes += [f"Left out: {reason}." for reason in sheet.left_out.values()]
    for agreement in sheet.criteria:
        notes += _data_notes(agreement)
    return notes


def _data_notes(agreement: Agreement) -> Iterator[str]:
    name = agreement.criterion
    if agreement.missing:
        yield f"{name}: ratings without a value: {agreement.missing}."
    if agreement.repeated:
        yield (
            f"{name}: ratings of an item that the same judge had rated before: {agreement.repeated}; "
            "between judges the first one counts."
        )
    if agreement.preferences:
        yield (
            f"{name}: equal ratings, kappa and alpha are of preferences between two candidates ranked "
            "together."
        )
    for judge, ratings in agreement.constant.items():
        yield f"{name}: no spread to normalize, so these ratings are left out: {judge} ({ratings})."
