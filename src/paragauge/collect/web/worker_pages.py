"""Pages for workers: the campaigns that are open."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.web.pages import page

router = APIRouter()


@router.get("/")
def landing(request: Request) -> Response:
    """The campaigns one can take part in."""
    return page(request, "worker/landing.html")
