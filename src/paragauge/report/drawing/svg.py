"""A scene as SVG text.

Inside an HTML page colors are classes (`f-ink` fills, `k-ink` strokes), which the page's style sheet
maps to its light or dark theme. A standalone file contains the colors of one theme.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from paragauge.errors import unknown_name
from paragauge.report.drawing.canvas import THEMES, Circle, Mark, Path, Rect, Scene, Style, Text

# What XML 1.0 does not allow: most control characters, surrogates, U+FFFE and U+FFFF.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"


def inline_svg(scene: Scene, *, css: str = "plot") -> str:
    """The scene for a page whose style sheet defines the colors; `css` is its class."""
    size = f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}"'
    size += f' width="{_n(scene.width)}" height="{_n(scene.height)}"'
    body = "".join(_mark(mark, None) for mark in scene.marks)
    return f'<svg class="{css}" role="img" aria-label="{_escape(scene.label)}" {size}>{body}</svg>'


def standalone_svg(scene: Scene, theme: str = "light") -> str:
    """The scene as a file of its own, in the colors of a theme.

    >>> print(standalone_svg(Scene(20, 10, "nothing")))
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" ... width="20" height="10" font-family=...
    """
    if theme not in THEMES:
        raise unknown_name("theme", theme, THEMES)
    colors = THEMES[theme]
    width, height = _n(scene.width), _n(scene.height)
    body = "\n".join(_mark(mark, colors) for mark in scene.marks)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{_escape(scene.label)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{FONT}">\n<title>{_escape(scene.label)}</title>\n'
        f"<desc>{_escape(scene.caption)}</desc>\n"
        f'<rect width="{width}" height="{height}" fill="{colors["back"]}"/>\n{body}\n</svg>\n'
    )


def _mark(mark: Mark, colors: Mapping[str, str] | None) -> str:
    title = f"<title>{_escape(mark.title)}</title>" if mark.title else ""
    if isinstance(mark, Text):
        turn = f' transform="rotate({mark.turn} {_n(mark.x)} {_n(mark.y)})"' if mark.turn else ""
        anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
        weight = ' font-weight="600"' if mark.bold else ""
        look = _look(Style(fill=mark.color), colors)
        return (
            f'<text x="{_n(mark.x)}" y="{_n(mark.y)}" font-size="{_n(mark.size)}"'
            f"{anchor}{weight}{turn}{look}>{_escape(mark.text)}{title}</text>"
        )
    look = _look(mark.style, colors)
    if isinstance(mark, Circle):
        shape, place = "circle", f'cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}"'
    elif isinstance(mark, Rect):
        shape, place = "rect", f'x="{_n(mark.x)}" y="{_n(mark.y)}"'
        place += f' width="{_n(mark.width)}" height="{_n(mark.height)}"'
    else:
        shape, place = "path", f'd="{_outline(mark)}"'
    return f"<{shape} {place}{look}>{title}</{shape}>" if title else f"<{shape} {place}{look}/>"


def _outline(path: Path) -> str:
    points = "L".join(f"{_n(x)} {_n(y)}" for x, y in path.points)
    return f"M{points}{'Z' * path.closed}"


def _look(style: Style, colors: Mapping[str, str] | None) -> str:
    parts = []
    if colors is None:
        names = [f"f-{style.fill or 'none'}", *([f"k-{style.stroke}"] if style.stroke else [])]
        parts.append(f' class="{" ".join(names)}"')
    else:
        parts.append(f' fill="{colors[style.fill] if style.fill else "none"}"')
        if style.stroke:
            parts.append(f' stroke="{colors[style.stroke]}"')
    if style.stroke and style.width != 1:
        parts.append(f' stroke-width="{_n(style.width)}"')
    if style.opacity != 1:
        parts.append(f' opacity="{_n(style.opacity)}"')
    if style.dash:
        parts.append(f' stroke-dasharray="{" ".join(map(_n, style.dash))}"')
    return "".join(parts)


def _escape(text: str) -> str:
    """A text for SVG; characters that XML does not allow become U+FFFD.

    >>> _escape("a<b\\x07")
    'a&lt;b�'
    """
    return html.escape(FORBIDDEN.sub("\ufffd", text))


def _n(value: float) -> str:
    """A number with at most two decimals.

    >>> _n(3.0), _n(1.2345), _n(-0.001)
    ('3', '1.23', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
