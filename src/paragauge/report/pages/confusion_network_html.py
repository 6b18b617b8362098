"""A confusion network as HTML: the phrases in series, the translations of each in parallel.

These are lists, not a drawing: they wrap on a narrow screen, and screen readers read them in the order
of the network. Words that are also in the other sentence's bag are marked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from paragauge.metrics.pem.explanation_parts import Edge, Phrase
from paragauge.report.drawing.canvas import Rect, Scene, Style
from paragauge.report.pages.blocks.html import decorative_svg

WIDE, THIN = 100.0, 4.0


def network(side: str, phrases: Sequence[Phrase], shared: Collection[str]) -> str:
    """The network of one side; `shared` are the words to mark.

    >>> html = network("source", [Phrase("a", True, (Edge("x", 0.9), Edge("y z", 0.1)), "A")], {"x"})
    >>> html.count("<li"), '<bdi><span class="w reference">x</span></bdi>' in html
    (3, True)
    """
    count = len(phrases)
    if not count:
        return f"<h4>{side}</h4><p>No words.</p>"
    listed = "".join(_phrase(phrase, shared) for phrase in phrases)
    title = f"{side}: {count} phrase{'s' * (count != 1)}"
    return f'<h4>{title}</h4><ol class="network" aria-label="{title}">{listed}</ol>'


def _phrase(phrase: Phrase, shared: Collection[str]) -> str:
    if phrase.known and not phrase.edges:
        edges = '<li class="cut">no translation: the network is cut here</li>'
    elif phrase.known:
        edges = "".join(_edge(edge, shared) for edge in phrase.edges)
    else:
        words = mark(phrase.surface, "reference" if phrase.text in shared else "")
        edges = f'<li class="pass"><bdi>{words}</bdi> <span class="soft">stays as it is</span></li>'
    kind = "known" if phrase.known else "unknown"
    return (
        f'<li class="phrase {kind}"><bdi class="from">{escape(phrase.surface)}</bdi>'
        f'<ul class="edges">{edges}</ul></li>'
    )


def _edge(edge: Edge, shared: Collection[str]) -> str:
    return (
        f"<li><bdi>{mark_words(edge.text, shared)}</bdi> "
        f"<b>{edge.probability:.2f}</b>{level(edge.probability)}</li>"
    )


def level(share: float) -> str:
    """A bar from 0 to 1, which only decorates the number beside it."""
    scene = Scene(WIDE, THIN, "").add(Rect(0, 0, WIDE, THIN, Style(fill="grid")))
    scene.add(Rect(0, 0, WIDE * min(max(share, 0.0), 1.0), THIN, Style(fill="series0")))
    # As wide as the box it stands in.
    return decorative_svg(scene, "level").replace("<svg ", '<svg preserveAspectRatio="none" ')


def mark_words(text: str, words: Collection[str]) -> str:
    """The text with these words marked.

    >>> mark_words("a <b>", {"a"})
    '<span class="w reference">a</span> &lt;b&gt;'
    """
    return " ".join(mark(word, "reference" if word in words else "") for word in text.split(" "))


def mark(word: str, kind: str) -> str:
    """A word with a mark: `reference` if both sentences have it, `new`, `deleted`, or none."""
    return f'<span class="w {kind}">{escape(word)}</span>' if kind else escape(word)
