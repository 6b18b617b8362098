"""The player of an item's clip or picture.

A clip of our own or of another server is played by the browser itself, muted, with a media fragment
(`#t=start,end`, W3C Media Fragments URI 1.0) so that only the segment plays even where scripts do not
run; `player.js` adds the buttons that replay the segment or play all of it. A YouTube page is shown in
YouTube's own player without cookies, which takes start and end itself. The server fetches none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from starlette.responses import Response

from paragauge.collect.web.http.page_templates import format_seconds
from paragauge.collect.web.http.security import allow_sources, origin

YOUTUBE = "https://www.youtube-nocookie.com"
HOSTS = frozenset({"youtube.com", "www.youtube.com", "m.youtube.com", "youtube-nocookie.com"})
ANIMATED = frozenset({".gif", ".apng", ".webp", ".svg"})


@dataclass(frozen=True)
class MediaView:
    """What a page shows: `way` is "video", "image" or "frame"; `whole` is the URL of all of it."""

    way: str
    whole: str
    segment: str
    start: float = 0.0
    end: float = 0.0
    alt: str = ""
    animated: bool = False

    @property
    def length(self) -> float:
        """Seconds of the segment."""
        return self.end - self.start


def view_media(kind: str, content: Mapping[str, Any]) -> MediaView:
    """How to show an item of this kind and content.

    >>> view_media("video", {"url": "https://a.example/b.webm", "start": 25, "end": 30}).segment
    'https://a.example/b.webm#t=25,30'
    >>> clip = view_media("video", {"url": "https://youtu.be/mv89psg6zh4", "start": 33, "end": 46.5})
    >>> clip.way, clip.segment
    ('frame', 'https://www.youtube-nocookie.com/embed/mv89psg6zh4?rel=0&mute=1&autoplay=1&start=33&end=47')
    """
    url = str(content["url"])
    if kind == "image":
        ending = PurePosixPath(urlsplit(url).path).suffix.lower()
        return MediaView(
            "image", url, url, alt=str(content.get("alt") or ""), animated=ending in ANIMATED
        )
    start, end = float(content["start"]), float(content["end"])
    video = find_youtube_id(url)
    if video is None:
        base = url.split("#", 1)[0]
        return MediaView(
            "video", base, f"{base}#t={format_seconds(start)},{format_seconds(end)}", start, end
        )
    whole = f"{YOUTUBE}/embed/{quote(video, safe='')}?rel=0&mute=1"
    # YouTube's player knows whole seconds only: the segment is never cut short.
    segment = f"{whole}&autoplay=1&start={int(start)}&end={-int(-end // 1)}"
    return MediaView("frame", whole, segment, start, end)


def find_youtube_id(url: str) -> str | None:
    """The id of the video a YouTube link names; None for other links.

    >>> find_youtube_id("https://www.youtube.com/watch?v=mv89psg6zh4&t=3"), find_youtube_id("https://a.example/")
    ('mv89psg6zh4', None)
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    pieces = [piece for piece in parts.path.split("/") if piece]
    if host == "youtu.be":
        id_pieces = pieces[:1]
    elif host not in HOSTS:
        return None
    elif pieces[:1] == ["watch"]:
        id_pieces = parse_qs(parts.query).get("v", [])[:1]
    elif pieces[:1] in (["embed"], ["shorts"], ["v"]):
        id_pieces = pieces[1:2]
    else:
        return None
    name = "".join(id_pieces)
    return name if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) else None


def permit_media(response: Response, media: MediaView) -> None:
    """Let the page that shows this load it, and nothing else, from where it is."""
    source = origin(media.whole)
    if source is not None:
        directive = {"video": "media-src", "image": "img-src", "frame": "frame-src"}[media.way]
        allow_sources(response, directive, source)
