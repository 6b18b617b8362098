"""Explanations of scores as one HTML page.

One explanation has a section for the score and one for each part; several have a section each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from paragauge.errors import InputError
from paragauge.metrics.context.explanation import ContextExplanation
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.surface.edit_explanation import EditExplanation
from paragauge.metrics.surface.ngram_explanation import NgramExplanation
from paragauge.report.pages.alignment_html import alignment_parts, alignment_score
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import Section
from paragauge.report.pages.context_page import context_parts, context_score
from paragauge.report.pages.pem_page import pem_parts, pem_score
from paragauge.report.pages.surface_page import edit_parts, edit_score, ngram_parts, ngram_score

Explained = NgramExplanation | EditExplanation | Explanation | PEMExplanation | ContextExplanation
STYLES = ("style.css", "alignment.css", "pem.css", "surface.css")


def render_explanations(explanations: Mapping[str, Explained], command: str | None = None) -> str:
    """The page; the keys are titles such as `segment 3, reference 1`.

    >>> from paragauge.metrics.maxsim.metric import MaxSim
    >>> html = render_explanations({"one pair": MaxSim().explain("A big dog", "The large dogs")})
    >>> html.count("<svg class=\\"alignment\\"")
    3
    """
    if not explanations:
        raise InputError("expected at least one explanation, found none")
    titled = list(explanations.items())
    if len(titled) == 1:
        title, explanation = titled[0]
        sections = [Section("score", "Score", _score(explanation, "")), *_parts(explanation, "")]
    else:
        sections = [
            Section(f"pair-{number}", title, whole_explanation(explanation, f"pair-{number}-"))
            for number, (title, explanation) in enumerate(titled, 1)
        ]
        title = f"{len(titled)} pairs of sentences"
    names = ", ".join(dict.fromkeys(explanation.metric for _, explanation in titled))
    matches = all(
        isinstance(explanation, Explanation | ContextExplanation) for _, explanation in titled
    )
    return document(
        f"paragauge explain: {names}",
        "What matches what" if matches else "How the score comes about",
        f"{names}: {title}",
        [
            *sections,
            Section("method", "Method", _method([explanation for _, explanation in titled], command)),
        ],
        styles=STYLES[:2] if matches else STYLES,
    )


def _score(explanation: Explained, prefix: str) -> str:
    if isinstance(explanation, NgramExplanation):
        return ngram_score(explanation, prefix)
    if isinstance(explanation, EditExplanation):
        return edit_score(explanation, prefix)
    if isinstance(explanation, PEMExplanation):
        return pem_score(explanation)
    if isinstance(explanation, ContextExplanation):
        return context_score(explanation)
    return alignment_score(explanation)


def _parts(explanation: Explained, prefix: str) -> list[Section]:
    if isinstance(explanation, NgramExplanation):
        return ngram_parts(explanation, prefix)
    if isinstance(explanation, EditExplanation):
        return edit_parts(explanation, prefix)
    if isinstance(explanation, PEMExplanation):
        return pem_parts(explanation, prefix)
    if isinstance(explanation, ContextExplanation):
        return context_parts(explanation, prefix)
    return alignment_parts(explanation, prefix)


def whole_explanation(explanation: Explained, prefix: str) -> str:
    """The score and all parts of an explanation; anchors start with `prefix`."""
    parts = "".join(
        f'<h3 id="{escape(part.id)}">{escape(part.title)}</h3>{part.html}'
        for part in _parts(explanation, prefix)
    )
    return _score(explanation, prefix) + parts


def _method(explanations: Sequence[Explained], command: str | None) -> str:
    signatures = "".join(
        f"<li><code>{escape(signature)}</code></li>"
        for signature in dict.fromkeys(one.signature for one in explanations)
    )
    shown_command = f'<pre class="command"><code>{escape(command)}</code></pre>' if command else ""
    return f'<ul class="signatures">{signatures}</ul>{shown_command}'
