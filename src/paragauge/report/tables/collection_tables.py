"""The state of a collection as tables: table 1 of Chen and Dolan (2011) row for row, the figures of
their section 3.3, and what a requester asks every day: how far, how fast, how much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from paragauge.collect.statistics.campaign_statistics import Statistics
from paragauge.collect.statistics.statistics_view import (
    corpus_lines,
    cost_lines,
    progress_lines,
    tier_lines,
)
from paragauge.errors import unknown_name
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.wording import counted

Grid = tuple[str, list[str], list[list[str]], list[str]]


def render_statistics(found: Statistics, form: str = "text", part: str = "all") -> str:
    """The statistics of a campaign, or one part of them, in one of the formats of `report.tables`.

    Parts are progress, tiers (table 1), corpus (section 3.3), days and coverage. JSON has all parts in
    one object, with plain numbers. TSV is one table: of a part as it is shown; of all parts with
    columns part, name, column and value.
    """
    if part not in PARTS:
        raise unknown_name("part", part, PARTS)
    if form == "json":
        return json_text(_record(found, part))
    grids = {name: grid(found) for name, grid in _GRIDS.items() if part in ("all", name)}
    if form != "tsv":
        return "\n".join(readable(form, *grid) for grid in grids.values())
    if part != "all":
        _, header, rows, _ = grids[part]
        return tsv_text(header, [dict(zip(header, row, strict=True)) for row in rows])
    records = [
        {"part": name, "name": row[0], "column": title, "value": cell}
        for name, (_, header, rows, _) in grids.items()
        for row in rows
        for title, cell in zip(header[1:], row[1:], strict=True)
    ]
    return tsv_text(["part", "name", "column", "value"], records)


def _record(found: Statistics, part: str) -> dict[str, Any]:
    """Plain values; what is derived stands beside what it is derived from."""
    record = asdict(found)
    record["at"] = found.at.isoformat()
    record["progress"] |= {"undecided": found.progress.undecided, "share": found.progress.share}
    for name in ("corpus", "everything"):
        record[name]["tier_2_share"] = getattr(found, name).tier_2_share
    record["days"] = [
        {"date": day.date.isoformat(), "submitted": day.submitted, "tiers": day.tiers}
        for day in found.days
    ]
    record |= {"rate": found.rate, "days_left": found.days_left}
    if part == "all":
        return record
    kept = {"corpus": ("corpus", "everything"), "progress": ("progress", "costs", "standings", "rate")}
    return {name: record[name] for name in ("slug", "at", *kept.get(part, (part,)))}


def _progress(found: Statistics) -> Grid:
    rows = [[name, text] for name, text in (*progress_lines(found), *cost_lines(found))]
    return "lr", ["campaign", found.slug], rows, []


def _tiers(found: Statistics) -> Grid:
    rows = [[name, *cells] for name, cells in tier_lines(found)]
    header = ["", *(f"Tier {row.tier}" for row in found.tiers)]
    notes = ["The layout of table 1 of Chen and Dolan (2011); answers to controls do not count."]
    return "l" + "r" * len(found.tiers), header, rows, notes


def _corpus(found: Statistics) -> Grid:
    rows = [[name, *cells] for name, cells in corpus_lines(found)]
    notes = ["Answers that were not rejected, as in section 3.3 of Chen and Dolan (2011)."]
    return "lrr", ["corpus", found.language, "all languages"], rows, notes


def _days(found: Statistics) -> Grid:
    numbers = [row.tier for row in found.tiers]
    rows = [
        [str(day.date), *(f"{day.tiers.get(tier, 0):,}" for tier in numbers), f"{day.submitted:,}"]
        for day in found.days
    ]
    header = ["day", *(f"tier {tier}" for tier in numbers), "answers"]
    return (
        "l" + "r" * (len(numbers) + 1),
        header,
        rows,
        [f"Days are in UTC; {found.rate:,.1f} a day lately."],
    )


def _coverage(found: Statistics) -> Grid:
    rows = [[f"{answers:,}", f"{number:,}"] for answers, number in found.coverage.items()]
    notes = [f"{counted(found.progress.items, 'item')} in all."]
    return "rr", ["answers", "items"], rows, notes


_GRIDS: dict[str, Callable[[Statistics], Grid]] = {
    "progress": _progress,
    "tiers": _tiers,
    "corpus": _corpus,
    "days": _days,
    "coverage": _coverage,
}
PARTS = ("all", *_GRIDS)
