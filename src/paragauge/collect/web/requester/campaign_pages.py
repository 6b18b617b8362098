"""A campaign: its dashboard, pausing, resuming, closing, and its budget."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.amounts import parse_cents
from paragauge.collect.campaigns.campaign_settings import WRITTEN
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics.campaign_statistics import Statistics, compute_statistics
from paragauge.collect.statistics.statistics_view import (
    corpus_lines,
    survey_lines,
    tier_lines,
    time_lines,
)
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester import (
    campaign_form_pages,
    export_pages,
    invitation_pages,
    item_pages,
    payment_pages,
    preview_pages,
)
from paragauge.collect.web.requester.agreement_view import agreement_table
from paragauge.collect.web.requester.charts import Chart, Series, merge_columns
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    Requester,
    redirect_with_notice,
    render_desk,
)
from paragauge.errors import ParagaugeError

router = APIRouter()
for _pages in (
    campaign_form_pages,
    preview_pages,
    item_pages,
    invitation_pages,
    payment_pages,
    export_pages,
):
    router.include_router(_pages.router)
STEPS = {
    "pause": (campaigns.pause, "paused"),
    "resume": (campaigns.resume, "resumed"),
    "close": (campaigns.close, "closed"),
}


@router.get("/desk/c/{slug}")
def dashboard(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """Progress, rate and costs."""
    return _show_dashboard(request, me, campaign)


@router.post("/desk/c/{slug}/state")
def change_state(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Pause, resume or close."""
    step = STEPS.get(form.text("to"))
    if step is None:
        raise HTTPException(400)
    change, notice = step
    try:
        change(get_store(request), campaign, me.name)
    except ParagaugeError as error:
        return _show_dashboard(request, me, campaign, str(error))
    return redirect_with_notice(f"/desk/c/{campaign.slug}", notice)


@router.post("/desk/c/{slug}/budget")
def change_budget(
    request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm
) -> Response:
    """Another budget, never below what is spent and reserved."""
    cents = parse_cents(form.text("budget"))
    if cents is None:
        return _show_dashboard(
            request, me, campaign, "The budget is not an amount such as 250 or 250.50."
        )
    try:
        settings = replace(campaign.settings, budget_cents=cents)
        campaigns.change_settings(get_store(request), campaign, settings, me.name)
    except ParagaugeError as error:
        return _show_dashboard(request, me, campaign, str(error))
    return redirect_with_notice(f"/desk/c/{campaign.slug}", "budget")


def _show_dashboard(request: Request, me: Account, campaign: Campaign, problem: str = "") -> Response:
    store = get_store(request)
    figures = compute_statistics(store, campaign)
    # Only what people write has a language.
    written = campaign.settings.kind in WRITTEN
    return render_desk(
        request,
        me,
        "dashboard.html",
        400 if problem else 200,
        campaign=campaign,
        problem=problem,
        figures=figures,
        days=days_chart(figures),
        coverage=coverage_chart(figures),
        coverage_note=_coverage_note(figures),
        tier_rows=[
            row for row in tier_lines(figures) if written or f"({figures.language})" not in row[0]
        ],
        corpus_header=[figures.language, "all languages"] if written else ["answers"],
        corpus_rows=[(name, cells if written else cells[1:]) for name, cells in corpus_lines(figures)],
        times=time_lines(figures),
        survey=survey_lines(figures),
        agreement=agreement_table(store, campaign),
        budget_value=f"{campaign.settings.budget_cents / 100:.2f}",
    )


def days_chart(figures: Statistics, most: int = 60) -> Chart:
    """Answers per day and tier; of more than `most` days the last ones."""
    days = figures.days[-most:]
    names = tuple(f"{day.date.day} {day.date:%b}" for day in days)
    series = tuple(
        Series(f"tier {row.tier}", tuple(day.tiers.get(row.tier, 0) for day in days))
        for row in figures.tiers
    )
    return Chart("Answers per day", names, series, "day (UTC)", "answers")


def coverage_chart(figures: Statistics) -> Chart:
    """The number of items by number of answers."""
    largest = max(figures.coverage, default=0)
    numbers = [figures.coverage.get(n, 0) for n in range(largest + 1)]
    names, values = merge_columns([str(n) for n in range(largest + 1)], numbers, 40)
    series = (Series("items", tuple(values)),)
    return Chart("Items by number of answers", tuple(names), series, "answers", "items")


def _coverage_note(figures: Statistics) -> str:
    spread = figures.everything.spread
    if not spread.answers:
        return ""
    return (
        f"{spread.covered:,} of {spread.items:,} items have an answer; {spread.mean:.1f} on average, "
        f"at least {spread.least:,} for over 95 % of items."
    )
