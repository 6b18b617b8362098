"""Downloads of what was collected."""

from __future__ import annotations

import re
from typing import Any, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics.tier_table import list_languages
from paragauge.collect.web.http.downloads import (
    DownloadOrder,
    Format,
    Side,
    What,
    count_download,
    download,
    list_downloads,
)
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester.desk_frame import DeskCampaign, Requester, render_desk
from paragauge.errors import ParagaugeError, unknown_name

router = APIRouter()
PARALLEL = (1, 5, 10, 0)


@router.get("/desk/c/{slug}/export")
def export_page(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """What can be downloaded."""
    return _show_page(request, me, campaign)


@router.get("/desk/c/{slug}/export/file")
def export_file(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """A file."""
    try:
        return download(get_store(request), campaign, read_order(dict(request.query_params)))
    except ParagaugeError as error:
        return _show_page(request, me, campaign, str(error))


@router.get("/desk/c/{slug}/scores")
def scores_page(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """BLEU and PINC of all sentences."""
    try:
        order = read_order(dict(request.query_params) | {"what": "metrics", "format": "tsv"})
        counts = count_download(get_store(request), campaign, order)
    except ParagaugeError as error:
        return _show_page(request, me, campaign, str(error))
    return render_desk(
        request, me, "scores.html", campaign=campaign, tab="export", counts=counts, order=order
    )


def read_order(asked: dict[str, str]) -> DownloadOrder:
    """What the fields of the form ask for.

    >>> read_order({"what": "pairs", "format": "tsv", "tier": "2", "parallel": "5", "accepted": "yes"})
    DownloadOrder(what='pairs', format='tsv', tier=2, language='', accepted=True, parallel=5,
    part='all', dawid_skene=False, mixed_languages=False, to_language='')
    """
    chosen: dict[str, Any] = {}
    for name, known in (("what", What), ("format", Format), ("part", Side)):
        if asked.get(name):
            if asked[name] not in get_args(known):
                raise unknown_name(name, asked[name][:40], get_args(known))
            chosen[name] = asked[name]
    chosen.setdefault("what", "answers")
    parallel = asked.get("parallel", "1")
    return DownloadOrder(
        **chosen,
        tier={"1": 1, "2": 2}.get(asked.get("tier", "")),
        language=asked.get("language", "").strip()[:100],
        accepted=asked.get("accepted") == "yes",
        dawid_skene=asked.get("dawid_skene") == "yes",
        mixed_languages=asked.get("mixed_languages") == "yes",
        to_language=asked.get("to_language", "").strip()[:100],
        parallel=int(parallel) if re.fullmatch("[0-9]{1,4}", parallel) else 1,
    )


def _show_page(request: Request, me: Account, campaign: Campaign, problem: str = "") -> Response:
    return render_desk(
        request,
        me,
        "export.html",
        400 if problem else 200,
        campaign=campaign,
        tab="export",
        problem=problem,
        kinds=list_downloads(campaign),
        parallel=PARALLEL,
        languages=list_languages(get_store(request), campaign),
        estimated=() if campaign.settings.ranking else ("scores", "judges"),
    )
