"""Help with typing in other scripts, which is linked beside the language of an answer.

The page of Chen and Dolan (2011, figure 1) refers to a transliteration service; here the keyboards of
the worker's own system come first, since nothing that is typed leaves it.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.web.http.identity import Visitor
from paragauge.collect.web.http.page_templates import render_page

router = APIRouter()
SYSTEMS = (
    (
        "Windows",
        "Settings, Time & language, Language & region, Add a language",
        "hold the Windows key and press Space",
    ),
    (
        "macOS",
        "System Settings, Keyboard, Text Input, Edit, the plus sign",
        "press the globe key, or Control and Space",
    ),
    ("iPhone and iPad", "Settings, General, Keyboard, Keyboards, Add New Keyboard", "tap the globe"),
    (
        "Android",
        "Settings, System, Languages & input, On-screen keyboard, your keyboard, Languages",
        "tap the globe, or hold the space bar",
    ),
    (
        "Linux (GNOME)",
        "Settings, Keyboard, Input Sources, the plus sign",
        "hold the Super key and press Space",
    ),
    (
        "ChromeOS",
        "Settings, Device, Keyboard and inputs, Input settings, Add input methods",
        "press Control, Shift and Space",
    ),
)
PAGES = (
    (
        "Google Input Tools",
        "https://www.google.com/inputtools/try/",
        "transliteration: type as it sounds, in Latin letters",
    ),
    ("KeymanWeb", "https://keymanweb.com/", "keyboards for more than a thousand languages"),
    ("r12a character apps", "https://r12a.github.io/pickers/", "characters to pick, by script"),
)


@router.get("/typing")
def typing_help(request: Request, worker: Visitor) -> Response:
    """How to type in other scripts."""
    return render_page(request, "worker/typing.html", worker=worker, systems=SYSTEMS, pages=PAGES)
