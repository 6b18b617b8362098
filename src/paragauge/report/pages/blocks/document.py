"""One self-contained HTML file.

The page works from `file://`: style and script are inside, and its Content-Security-Policy forbids
all requests and all scripts but its own, which is named by its hash. The same input gives the same
bytes: the page contains no date.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from paragauge.report.drawing.canvas import SERIES, THEMES
from paragauge.report.pages.blocks.html import Section


def document(
    title: str,
    heading: str,
    lead: str,
    sections: Sequence[Section],
    *,
    scripts: Sequence[str] = ("page.js",),
    styles: Sequence[str] = ("style.css",),
) -> str:
    """A page with a table of contents; title, heading and lead are plain text.

    >>> html = document("t", "A < B", "", [Section("one", "One", "<p>1</p>")])
    >>> '<h1>A &lt; B</h1>' in html, '<a class="skip" href="#one">Skip to the one</a>' in html
    (True, True)
    """
    return "".join(document_parts(title, heading, lead, sections, scripts=scripts, styles=styles))


def document_parts(
    title: str,
    heading: str,
    lead: str,
    sections: Sequence[Section],
    *,
    scripts: Sequence[str] = ("page.js",),
    styles: Sequence[str] = ("style.css",),
) -> Iterator[str]:
    """The parts of a document, one after the other, so that a large one is never whole in memory."""
    links = "".join(
        f'<li><a href="#{escape(part.id)}">{escape(part.title)}</a></li>' for part in sections
    )
    first = escape(sections[0].id), escape(sections[0].title.lower())
    head, end = _frame(title, scripts, styles, connects=False)
    yield (
        f'{head}<a class="skip" href="#{first[0]}">Skip to the {first[1]}</a>'
        f'<header class="top"><div><h1>{escape(heading)}</h1><p class="lead">{escape(lead)}'
        '</p></div><button type="button" id="theme" hidden>Theme: system</button></header>'
        f'<div class="columns"><nav aria-label="Contents"><ol>{links}</ol></nav><main>'
    )
    for part in sections:
        yield f'<section id="{escape(part.id)}"><h2>{escape(part.title)}</h2>{part.html}'
        yield from part.data
        yield "</section>"
    yield f"</main></div>{end}"


def inline_page(
    title: str,
    body: str,
    *,
    scripts: Sequence[str],
    styles: Sequence[str],
    connects: bool = False,
) -> str:
    """A page with this body (HTML), its style sheets and its scripts; `title` is plain text.

    With `connects` its scripts may ask the server that it comes from.

    >>> inline_page("t", "<p>1</p>", scripts=("page.js",), styles=("style.css",))[:15]
    '<!doctype html>'
    """
    head, end = _frame(title, scripts, styles, connects)
    return "".join([head, body, end])


def _frame(
    title: str, scripts: Sequence[str], styles: Sequence[str], connects: bool
) -> tuple[str, str]:
    """What stands before and after the body of a page."""
    style, script = _style(styles), "\n".join(map(_asset, scripts))
    connections = "connect-src 'self'; " if connects else ""
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"{connections}img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
    )
    return head, f"<script>{script}</script></body></html>\n"


def _asset(name: str) -> str:
    return resources.files("paragauge.report").joinpath("assets", name).read_text(encoding="utf-8")


def _style(names: Sequence[str]) -> str:
    """The style sheets, with the colors of plots as variables and classes."""
    light, dark = (
        "".join(f"--{name}:{value};" for name, value in THEMES[theme].items())
        for theme in ("light", "dark")
    )
    colors = ["ink", "soft", "grid", "back", *(f"series{i}" for i in range(SERIES))]
    classes = "".join(f".f-{n}{{fill:var(--{n})}}.k-{n}{{stroke:var(--{n})}}" for n in colors)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){"
        f"color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        f".f-none{{fill:none}}{classes}\n" + "\n".join(map(_asset, names))
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
