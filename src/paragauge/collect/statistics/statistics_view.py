"""The figures of a campaign as lines of text, for pages and commands alike."""

from __future__ import annotations

from collections.abc import Callable

from paragauge.collect.campaigns.amounts import format_money
from paragauge.collect.statistics.campaign_statistics import Statistics
from paragauge.collect.statistics.corpus_figures import CorpusFigures


def format_percent(share: float | None) -> str:
    """A share as text; never 100 % before it is complete, nor 0 % once there is something.

    >>> [format_percent(share) for share in (0.9999, 0.0001, 0.5, 1.0, None)]
    ['99.9 %', '0.1 %', '50.0 %', '100.0 %', 'none']
    """
    if share is None:
        return "none"
    tenths = round(1000 * share)
    if 0 < share < 1:
        tenths = min(999, max(1, tenths))
    return f"{tenths / 10:.1f} %"


def progress_lines(statistics: Statistics) -> list[tuple[str, str]]:
    """Lines on progress, rate and workers."""
    progress, people = statistics.progress, statistics.standings
    left = "unknown" if statistics.days_left is None else f"{statistics.days_left:,}"
    busiest = statistics.busiest
    return [
        ("items", f"{progress.items:,}"),
        ("answers wanted", f"{progress.wanted:,}"),
        ("answers submitted", f"{progress.submitted:,}"),
        ("  accepted", f"{progress.accepted:,}"),
        ("  rejected", f"{progress.rejected:,}"),
        ("  to review", f"{progress.undecided:,}"),
        ("progress", format_percent(progress.share)),
        ("tasks open", f"{progress.open:,}"),
        ("tasks skipped", f"{progress.skipped:,}"),
        ("answers a day", f"{statistics.rate:,.1f}"),
        ("busiest day", "none" if busiest is None else f"{busiest.date} ({busiest.submitted:,})"),
        ("days left", left),
        ("workers", f"{people.members:,}"),
        ("  qualified", f"{people.qualified:,}"),
        ("  warned", f"{people.warned:,}"),
        ("  blocked", f"{people.blocked:,}"),
    ]


def time_lines(statistics: Statistics) -> list[tuple[str, str]]:
    """Lines on the time that tasks take; none without answers."""
    times = statistics.times
    if not times.answers:
        return []
    lines = [("seconds a task, mean", format_number(times.mean)), _median(times.median)]
    if times.experienced_answers:
        lines.append(("  of experienced workers, mean", format_number(times.experienced_mean)))
        lines.append(_median(times.experienced_median))
    return lines


def _median(seconds: float | None) -> tuple[str, str]:
    return "  median", format_number(None if seconds is None else float(seconds))


def survey_lines(statistics: Statistics) -> list[tuple[str, list[str]]]:
    """The answers to a survey: under each question, how often each was chosen, and its share."""
    lines = []
    for tally in statistics.survey:
        lines.append((tally.question, [f"{tally.answered:,}", ""]))
        lines += [
            (f"  {each.option}", [f"{each.chosen:,}", format_percent(each.share)])
            for each in tally.choices
        ]
    return lines


def cost_lines(statistics: Statistics) -> list[tuple[str, str]]:
    """Lines on costs."""
    costs = statistics.costs
    return [
        ("spent", format_money(costs.spent)),
        ("reserved", format_money(costs.reserved)),
        ("cost at completion", format_money(costs.at_completion)),
        *([("lacking in the budget", format_money(costs.lacking))] if costs.lacking else []),
        ("budget", format_money(costs.budget)),
    ]


def format_number(value: float | None) -> str:
    """A number as text, a mean to one decimal.

    >>> format_number(85550), format_number(40.95), format_number(None)
    ('85,550', '41.0', 'none')
    """
    if value is None:
        return "none"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def tier_lines(statistics: Statistics) -> list[tuple[str, list[str]]]:
    """Table 1, row for row: a name and one cell a tier."""
    rows, language = statistics.tiers, statistics.language
    lines = [("pay", [format_money(row.pay_cents) for row in rows])]
    for what in ("workers", "submitted", "accepted"):
        of_language = [str(getattr(row, f"{what}_in_language")) for row in rows]
        lines.append((f"# {what} ({language})", of_language))
        lines.append((f"# {what} (total)", [str(getattr(row, what)) for row in rows]))
    return lines


def corpus_lines(statistics: Statistics) -> list[tuple[str, list[str]]]:
    """Section 3.3: a name, and a cell for the language and for all languages."""

    def row(name: str, cell: Callable[[CorpusFigures], str]) -> tuple[str, list[str]]:
        return name, [cell(statistics.corpus), cell(statistics.everything)]

    return [
        row("items", lambda corpus: format_number(corpus.spread.items)),
        row("answers", lambda corpus: format_number(corpus.answers)),
        row("  from tier 2", lambda corpus: format_number(corpus.tier_2)),
        row("  share of tier 2", lambda corpus: format_percent(corpus.tier_2_share)),
        row("workers with at least 1", lambda corpus: format_number(corpus.activity.workers)),
        row("  with at least 100", lambda corpus: format_number(corpus.activity.with_100)),
        row("  with at least 500", lambda corpus: format_number(corpus.activity.with_500)),
        row("most by one worker", lambda corpus: format_number(corpus.activity.largest)),
        row("mean per item", lambda corpus: format_number(corpus.spread.mean)),
        row("  at least, for over 95 % of items", lambda corpus: format_number(corpus.spread.least)),
        row("mean per item, tier 2", lambda corpus: format_number(corpus.tier_2_spread.mean)),
        row(
            "  at least, for over 95 % of items",
            lambda corpus: format_number(corpus.tier_2_spread.least),
        ),
    ]
