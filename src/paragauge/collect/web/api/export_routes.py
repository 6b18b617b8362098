"""Exports in the JSON API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse

from paragauge.collect.web.api.auth import ApiCampaign, api_errors
from paragauge.collect.web.http.downloads import TYPES, DownloadOrder, Format, Side, What, download
from paragauge.collect.web.http.identity import TheStore

router = APIRouter()
FILE: dict[str, dict[str, str]] = {kind.split(";")[0]: {} for kind in TYPES.values()}


@router.get(
    "/campaigns/{slug}/export",
    tags=["export"],
    response_class=FileResponse,
    responses={200: {"content": FILE, "description": "The file"}},
)
def export(
    store: TheStore,
    campaign: ApiCampaign,
    what: Annotated[What, Query()] = "answers",
    format: Annotated[Format, Query()] = "jsonl",  # noqa: A002 - the name that users expect
    tier: Annotated[int | None, Query(ge=1, le=2)] = None,
    language: Annotated[str, Query(max_length=100, pattern=r"^[^\x00]*$")] = "",
    accepted: Annotated[bool, Query()] = False,
    parallel: Annotated[int, Query(ge=0, le=9999)] = 1,
    part: Annotated[Side, Query()] = "all",
    dawid_skene: Annotated[bool, Query()] = False,
    mixed_languages: Annotated[bool, Query()] = False,
    to_language: Annotated[str, Query(max_length=100, pattern=r"^[^\x00]*$")] = "",
) -> FileResponse:
    """A file of what was collected; `parallel` 0 pairs each sentence with all others of its item."""
    with api_errors():
        order = DownloadOrder(
            what,
            format,
            tier,
            language,
            accepted,
            parallel,
            part,
            dawid_skene,
            mixed_languages,
            to_language,
        )
        return download(store, campaign, order)
