"""Explanations of scores as one HTML page.

One explanation has a section for the score and one for each part; several have a section each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from paragauge.errors import InputError
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.report.pages.alignment_html import alignment_parts, alignment_score
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import Section
from paragauge.report.pages.pem_page import pem_parts, pem_score

Explained = Explanation | PEMExplanation


def render_explanations(explanations: Mapping[str, Explained], command: str | None = None) -> str:
    """The page; the keys are titles such as `segment 3, reference 1`.

    >>> from paragauge.metrics.maxsim.metric import MaxSim
    >>> html = render_explanations({"one pair": MaxSim().explain("A big dog", "The large dogs")})
    >>> html.count("<svg class=\\"alignment\\"")
    3
    """
    if not explanations:
        raise InputError("expected at least one explanation, got none")
    made = list(explanations.items())
    if len(made) == 1:
        title, found = made[0]
        sections = [Section("score", "Score", _score(found)), *_parts(found, "")]
    else:
        sections = [
            Section(f"pair-{number}", title, _whole(found, f"pair-{number}-"))
            for number, (title, found) in enumerate(made, 1)
        ]
        title = f"{len(made)} pairs of sentences"
    names = ", ".join(dict.fromkeys(found.metric for _, found in made))
    matches = all(isinstance(found, Explanation) for _, found in made)
    return document(
        f"paragauge explain: {names}",
        "What matches what" if matches else "How the score comes about",
        f"{names}: {title}",
        [*sections, Section("method", "Method", _method([found for _, found in made], command))],
        styles=("style.css", "alignment.css", *(() if matches else ("pem.css",))),
    )


def _score(found: Explained) -> str:
    return pem_score(found) if isinstance(found, PEMExplanation) else alignment_score(found)


def _parts(found: Explained, prefix: str) -> list[Section]:
    if isinstance(found, PEMExplanation):
        return pem_parts(found, prefix)
    return alignment_parts(found, prefix)


def _whole(found: Explained, prefix: str) -> str:
    parts = "".join(
        f'<h3 id="{escape(part.id)}">{escape(part.title)}</h3>{part.html}'
        for part in _parts(found, prefix)
    )
    return _score(found) + parts


def _method(found: Sequence[Explained], command: str | None) -> str:
    signatures = "".join(
        f"<li><code>{escape(each)}</code></li>"
        for each in dict.fromkeys(one.signature for one in found)
    )
    shown_command = f'<pre class="command"><code>{escape(command)}</code></pre>' if command else ""
    return f'<ul class="signatures">{signatures}</ul>{shown_command}'
