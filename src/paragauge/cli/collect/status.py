"""`paragauge collect status`: the progress of campaigns, and the log of changes."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.collect.collect_options import (
    campaign_option,
    find_campaign,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.errors import SettingError
from paragauge.report.tables.score_tables import json_text, readable, tsv_text

if TYPE_CHECKING:
    from paragauge.collect.corpus.direct_comparison import DirectComparison
    from paragauge.collect.statistics.campaign_statistics import Statistics
    from paragauge.collect.store.store import Store

FIELDS = (
    "campaign",
    "kind",
    "state",
    "items",
    "wanted",
    "submitted",
    "accepted",
    "workers",
    "spent_cents",
    "at_completion_cents",
    "budget_cents",
)


@click.command(
    cls=Command,
    examples=(
        "paragauge collect status birds.db",
        "paragauge collect status birds.db --campaign birds",
        "paragauge collect status birds.db --campaign paraphrase --described describe",
        "paragauge collect status birds.db --log --format tsv",
    ),
)
@store_argument
@campaign_option
@option("--log", is_flag=True, heading=shared_options.OUTPUT, help="Print the log of changes instead.")
@option(
    "--language",
    default="English",
    metavar="NAME",
    heading=shared_options.OUTPUT,
    help="The language to count separately, with --campaign.",
)
@option(
    "--described",
    "described_name",
    metavar="NAME",
    heading=shared_options.OUTPUT,
    help="A campaign of descriptions to compare the paraphrases of --campaign with, by PINC.",
)
@shared_options.form
def status(
    location: str,
    campaign_name: str | None,
    log: bool,
    language: str,
    described_name: str | None,
    form: str,
) -> None:
    """Show the progress of all campaigns.

    With --campaign, show the figures of one campaign, including table 1 of Chen and Dolan (2011).
    """
    shared_options.check_format(form)
    if described_name is not None and (log or campaign_name is None):
        raise SettingError("--described needs --campaign, a campaign of paraphrases, and no --log")
    with open_store(location) as store:
        if log:
            if campaign_name is not None:
                raise SettingError("--log covers the whole store; leave --campaign out")
            sys.stdout.write(_log_text(store, form))
        elif campaign_name is None:
            sys.stdout.write(_overview(store, form))
        else:
            sys.stdout.write(_campaign_text(store, campaign_name, language, described_name, form))


def _overview(store: Store, form: str) -> str:
    from paragauge.collect.campaigns.amounts import format_money
    from paragauge.collect.campaigns.campaigns import all_campaigns
    from paragauge.collect.statistics.campaign_statistics import compute_statistics

    records: list[dict[str, Any]] = []
    for campaign in all_campaigns(store):
        figures = compute_statistics(store, campaign)
        values = (
            campaign.slug,
            campaign.settings.kind,
            campaign.state,
            figures.progress.items,
            figures.progress.wanted,
            figures.progress.submitted,
            figures.progress.accepted,
            figures.standings.members,
            figures.costs.spent,
            figures.costs.at_completion,
            figures.costs.budget,
        )
        records.append(dict(zip(FIELDS, values, strict=True)))
    if form == "json":
        return json_text("collect-status", {"store": store.url, "campaigns": records})
    if form == "tsv":
        return tsv_text(FIELDS, records)
    header = [
        "campaign",
        "kind",
        "state",
        "items",
        "wanted",
        "submitted",
        "accepted",
        "workers",
        "spent",
        "at completion",
        "budget",
    ]
    rows = [
        [
            *(str(record[name]) for name in FIELDS[:3]),
            *(f"{record[name]:,}" for name in FIELDS[3:8]),
            *(format_money(record[name]) for name in FIELDS[8:]),
        ]
        for record in records
    ]
    notes = [
        f"{record['campaign']}: the budget lacks "
        f"{format_money(record['at_completion_cents'] - record['budget_cents'])} for all answers wanted"
        for record in records
        if record["state"] != "closed" and record["at_completion_cents"] > record["budget_cents"]
    ]
    return readable(form, "lll" + "r" * 8, header, rows, notes if rows else ["No campaigns yet."])


def _campaign_text(
    store: Store, name: str, language: str, described_name: str | None, form: str
) -> str:
    from paragauge.collect.corpus.direct_comparison import compare_campaigns
    from paragauge.collect.statistics import statistics_view
    from paragauge.collect.statistics.campaign_statistics import compute_statistics

    campaign = find_campaign(store, name)
    figures = compute_statistics(store, campaign, language)
    compared = None
    if described_name is not None:
        compared = compare_campaigns(store, campaign, find_campaign(store, described_name))
    if form == "json":
        divergence = None if compared is None else dataclasses.asdict(compared)
        return json_text("collect-status-campaign", _record(figures) | {"divergence": divergence})
    facts = [
        *statistics_view.progress_lines(figures),
        *statistics_view.time_lines(figures),
        *statistics_view.cost_lines(figures),
        *([] if compared is None else _divergence_lines(compared)),
    ]
    if form == "tsv":
        return tsv_text(
            ("name", "value"), [{"name": key.strip(), "value": value} for key, value in facts]
        )
    tiers = statistics_view.tier_lines(figures)
    corpus = statistics_view.corpus_lines(figures)
    parts = [
        readable(form, "lr", [figures.slug, ""], [list(fact) for fact in facts], []),
        _table(form, "", [f"Tier {row.tier}" for row in figures.tiers], tiers),
        _table(form, "clusters", [figures.language, "all"], corpus),
    ]
    if figures.survey:
        survey = statistics_view.survey_lines(figures)
        parts.append(_table(form, "survey", ["answers", "share"], survey))
    return "\n".join(parts)


def _divergence_lines(compared: DirectComparison) -> list[tuple[str, str]]:
    """Lines on PINC; `none` where no sentence has both."""

    def mean(value: float | None) -> str:
        return "none" if value is None else f"{value:.2f}"

    return [
        ("sentences both paraphrased and described", f"{compared.sources:,}"),
        ("  left out", f"{compared.left_out:,}"),
        ("PINC of direct paraphrases", f"{mean(compared.direct_pinc)} ({compared.direct:,})"),
        ("PINC of parallel descriptions", f"{mean(compared.parallel_pinc)} ({compared.parallel:,})"),
    ]


def _table(form: str, title: str, columns: list[str], lines: list[tuple[str, list[str]]]) -> str:
    width = len(lines[0][1]) if lines else len(columns)
    header = [title, *(columns + [""] * width)[:width]]
    return readable(form, "l" + "r" * width, header, [[name, *cells] for name, cells in lines], [])


def _record(figures: Statistics) -> dict[str, Any]:
    return json.loads(json.dumps(dataclasses.asdict(figures), default=str))  # type: ignore[no-any-return]


def _log_text(store: Store, form: str) -> str:
    from paragauge.collect.store.change_log import read_changes

    rows: list[dict[str, Any]] = [
        {
            "at": change.at.isoformat(timespec="seconds"),
            "actor": change.actor,
            "action": change.action,
            "subject": change.subject,
            "details": change.details,
        }
        for change in read_changes(store)
    ]
    names = ("at", "actor", "action", "subject", "details")
    if form == "json":
        return json_text("collect-status-log", {"store": store.url, "changes": rows})
    rows = [row | {"details": json.dumps(row["details"], ensure_ascii=False)} for row in rows]
    if form == "tsv":
        return tsv_text(names, rows)
    cells = [
        [row[name] if len(row[name]) <= 60 else row[name][:57] + "..." for name in names]
        for row in rows
    ]
    return readable(form, "lllll", list(names), cells, [])
