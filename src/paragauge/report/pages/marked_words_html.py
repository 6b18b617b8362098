"""The words of texts with what a metric makes of them, as HTML; all text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from paragauge.metrics.wording.marked_words import MarkedText, MarkedWord

# The classes of `style.css` and `surface.css`, and what the legend says.
STYLES = {
    "kept": ("reference", "in both"),
    "similar": ("similar", "has a partner that is another word"),
    "moved": ("moved", "in both, in another place"),
    "new": ("new", "in the candidate alone"),
    "missing": ("deleted", "in the other text alone"),
}


def marked_texts(texts: Sequence[MarkedText], prefix: str = "", *, with_legend: bool = True) -> str:
    """The texts, one under the other, and a legend of the kinds that they have if wanted.

    Words that belong together have a group in common in `data-group`, beginning with `prefix`.

    >>> from paragauge.metrics.wording.marked_words import mark_equal_words
    >>> texts = mark_equal_words(["a", "<b>"], [["a"]], (["a", "<b>"], ["a"]), ["source"])
    >>> print(marked_texts(texts)[:80])
    <dl class="sentences marked"><dt>candidate</dt><dd dir="auto"><span class="w ref
    """
    lines = "".join(
        f'<dt>{escape(text.role)}</dt><dd dir="auto">'
        f"{' '.join(_word(word, prefix) for word in text.words) or '(no words)'}</dd>"
        for text in texts
    )
    kinds = {word.kind for text in texts for word in text.words}
    shown = legend([kind for kind in STYLES if kind in kinds]) if with_legend else ""
    return f'<dl class="sentences marked">{lines}</dl>{shown}'


def legend(kinds: Sequence[str] = tuple(STYLES)) -> str:
    """What the colors of words mean.

    >>> legend(["kept"])
    '<ul class="legend"><li><span class="w reference">word</span>&nbsp;in both</li></ul>'
    """
    items = "".join(
        f'<li><span class="w {STYLES[kind][0]}">word</span>&nbsp;{STYLES[kind][1]}</li>'
        for kind in kinds
    )
    return f'<ul class="legend">{items}</ul>' if items else ""


def _word(word: MarkedWord, prefix: str) -> str:
    if word.kind == "plain":
        return escape(word.text)
    groups = " ".join(f"{prefix}{group}" for group in word.groups)
    linked = f' data-group="{escape(groups)}"' if groups else ""
    note = f' title="{escape(word.note)}"' if word.note else ""
    return f'<span class="w {STYLES[word.kind][0]}"{linked}{note}>{escape(word.text)}</span>'
