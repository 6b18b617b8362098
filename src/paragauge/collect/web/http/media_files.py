"""Static files: our style sheet and script, and the clips and pictures of items.

Only names with a known extension are served, with its content type and no other; a file in the media
folder can neither run a script nor load anything (SVG drawings included). Ranges of a file are served
on request, so that a clip can be played from the middle.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from paragauge.collect.campaigns.media_check import MEDIA_TYPES

router = APIRouter(include_in_schema=False)
STATIC = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
INERT = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"


@lru_cache(maxsize=64)
def read_asset(name: str) -> tuple[bytes, str, str] | None:
    """Content, type and version of one of our own files; None if there is no such file."""
    ending = Path(name).suffix
    if (
        ending not in STATIC
        or name.startswith(".")
        or not name.replace("-", "").replace(".", "").isalnum()
    ):
        return None
    file = files("paragauge.collect.web") / "static" / name
    if not file.is_file():
        return None
    content = file.read_bytes()
    return content, STATIC[ending], hashlib.sha256(content).hexdigest()[:10]


def static_url(name: str) -> str:
    """The URL of one of our own files; it changes when the file does.

    >>> static_url("paragauge.css").startswith("/static/paragauge.css?v=")
    True
    """
    asset = read_asset(name)
    if asset is None:
        raise FileNotFoundError(name)
    return f"/static/{name}?v={asset[2]}"


@router.get("/static/{name}")
def static_file(name: str) -> Response:
    """One of our own files."""
    asset = read_asset(name)
    if asset is None:
        raise HTTPException(404)
    content, kind, version = asset
    headers = {"Cache-Control": "public, max-age=86400", "ETag": f'"{version}"'}
    return Response(content, media_type=kind, headers=headers)


@router.get("/media/{name:path}")
def media_file(request: Request, name: str) -> Response:
    """A clip or picture of an item, from the media folder."""
    folder: Path | None = request.app.state.media_folder
    return _serve(folder, name)


@router.get("/static/demo/{name}")
def demo_file(name: str) -> Response:
    """A clip or picture of the demonstration."""
    return _serve(Path(__file__).parents[1] / "static" / "demo", name)


def _serve(folder: Path | None, name: str) -> Response:
    kind = MEDIA_TYPES.get(Path(name).suffix.lower())
    if folder is None or kind is None or "\x00" in name or len(name) > 500:
        raise HTTPException(404)
    root = folder.resolve()
    try:
        path = (root / name).resolve(strict=True)
    except OSError:
        raise HTTPException(404) from None
    if not path.is_relative_to(root) or not path.is_file():
        raise HTTPException(404)
    headers = {"Content-Security-Policy": INERT, "Cache-Control": "private, max-age=3600"}
    return FileResponse(path, media_type=kind, headers=headers)
