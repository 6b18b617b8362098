"""Whether the clips and pictures that items show are there, before workers find out that they lack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.item_location import locate_error
from paragauge.collect.store.schema import campaigns, items
from paragauge.collect.store.store import Store
from paragauge.errors import InputError

MEDIA, DEMO = "/media/", "/static/demo/"
# Endings that the server sends, with their content types.
MEDIA_TYPES = {
    ".apng": "image/apng",
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".m4v": "video/mp4",
    ".mp4": "video/mp4",
    ".ogv": "video/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webm": "video/webm",
    ".webp": "image/webp",
}


def check_media(rows: Iterable[Mapping[str, Any]], folder: Path | None) -> None:
    """Reject items whose clip or picture the server would not have in its media folder.

    >>> check_media([{"key": "a", "content": {"url": "/media/a.webm"}}], None)
    Traceback (most recent call last):
    paragauge.errors.InputError: item 1: /media/a.webm: no media folder is given; give --media FOLDER
    """
    for number, row in enumerate(rows, 1):
        content = row.get("content")
        url = content.get("url") if isinstance(content, Mapping) else None
        problem = find_media_problem(url, folder) if isinstance(url, str) else ""
        if problem:
            raise locate_error(row, number, InputError(problem))


def find_media_problem(url: str, folder: Path | None) -> str:
    """Why a link to a file of this server does not work; empty if it does, or leads elsewhere.

    >>> find_media_problem("/static/demo/ball.webm", None), find_media_problem("https://a.org", None)
    ('', '')
    """
    if url.startswith(DEMO):
        root: Any = files("paragauge.collect.web") / "static" / "demo"
        known = (root / url.removeprefix(DEMO)).is_file()
        return "" if known else f"{url}: the demonstration has no such file"
    if not url.startswith(MEDIA):
        return ""
    if folder is None:
        return f"{url}: no media folder is given; give --media FOLDER"
    name = url.removeprefix(MEDIA)
    if Path(name).suffix.lower() not in MEDIA_TYPES:
        return f"{url}: expected a file that ends in {', '.join(MEDIA_TYPES)}"
    return "" if (folder / name).is_file() else f"{url}: {folder} has no file {name}"


def find_missing_media(store: Store, folder: Path | None) -> Iterator[tuple[str, str, str]]:
    """Campaign, item and problem of active items whose clip or picture is missing."""
    query = (
        sa.select(campaigns.c.slug, items.c.key, items.c.content)
        .join(items, items.c.campaign_id == campaigns.c.id)
        .where(
            campaigns.c.state != "closed",
            items.c.state == "active",
            items.c.kind.in_(("video", "image")),
        )
        .order_by(items.c.id)
    )
    with store.read() as connection:
        for slug, key, content in connection.execute(query):
            problem = find_media_problem(str(content.get("url", "")), folder)
            if problem:
                yield slug, key, problem
