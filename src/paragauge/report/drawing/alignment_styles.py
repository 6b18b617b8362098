"""Colors, dashes and widths for the phases and weights of an alignment.

Items without a link are dashed and gray. Color and dash show the phase; the width and opacity of the
curve show the weight, with a number at its start if it is less than 1. Even the weakest curve has
a contrast of 3:1 with the page (WCAG 2.2, 1.4.11).
"""

from __future__ import annotations

from paragauge.metrics.maxsim.explanation import Link, Part
from paragauge.report.drawing.canvas import Path, Scene, Style

PHASES: dict[str, tuple[str, tuple[float, ...]]] = {
    "tag": ("series0", ()),
    "lemma": ("series2", (9.0, 3.0)),
    "graph": ("series1", (2.5, 2.5)),
    "soft": ("series3", ()),
    "precision": ("series0", ()),
    "recall": ("series2", ()),
    "exact": ("series0", ()),
    "stem": ("series2", (9.0, 3.0)),
    "synonym": ("series1", (2.5, 2.5)),
}
WEAKEST = 0.82  # opacity


def line(link: Link) -> Style:
    """The curve of a link.

    >>> line(Link("tag", 0, 0, 1.0, "lemmas and tags equal"))
    Style(fill=None, stroke='series0', width=3.0, opacity=1.0, dash=())
    """
    color, dash = PHASES[link.phase]
    opacity = WEAKEST + (1 - WEAKEST) * link.weight
    return Style(stroke=color, width=1.0 + 2 * link.weight, opacity=opacity, dash=dash)


def frame(link: Link | None) -> Style:
    """The box of an item with this link, or without any."""
    if link is None:
        return Style(stroke="soft", dash=(3.0, 3.0))
    return Style(fill="grid", stroke=PHASES[link.phase][0], width=1.5)


def bracket(link: Link | None) -> Style:
    """The bracket of an n-gram with this link, or without any."""
    if link is None:
        return Style(stroke="soft", dash=(2.0, 3.0))
    return Style(stroke=PHASES[link.phase][0], width=2.0)


def describe_link(part: Part, link: Link) -> str:
    """A link in words, for the tooltip."""
    pair = f"{part.candidate_items[link.candidate]} – {part.reference_items[link.reference]}"
    return f"{pair}: {link.phase}, {link.weight:.3f}, {link.why}"


def swatch(phase: str) -> Scene:
    """A short line in the style of a phase, for a legend."""
    color, dash = PHASES[phase]
    return Scene(30, 12, "").add(Path(((1, 6), (29, 6)), Style(stroke=color, width=2.6, dash=dash)))
