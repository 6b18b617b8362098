"""The words of texts with what a metric makes of them, as HTML; all text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from paragauge.metrics.marked_words import MarkedText, MarkedWord

# The classes of `style.css` and `surface.css`, and what the legend says.
STYLES = {
    "kept": ("reference", "in both"),
    "similar": ("similar", "has a partner that is another word"),
    "moved": ("moved", "in both, in another place"),
    "new": ("new", "in the candidate alone"),
    "missing": ("deleted", "in the other text alone"),
}


def marked_texts(texts: Sequence[MarkedText], prefix: str = "") -> str:
    """The texts, one under the other, and a legend of the kinds that they have.

    Words that belong together have a group in common in `data-group`, beginning with `prefix`.

    >>> from paragauge.metrics.marked_words import mark_equal_words
    >>> texts = mark_equal_words(["a", "<b>"], ["a"], (["a", "<b>"], ["a"]), "source")
    >>> print(marked_texts(texts)[:80])
    <dl class="sentences marked"><dt>candidate</dt><dd dir="auto"><span class="w ref
    """
    lines = "".join(
        f'<dt>{escape(text.role)}</dt><dd dir="auto">'
        f"{' '.join(_word(word, prefix) for word in text.words) or '(no words)'}</dd>"
        for text in texts
    )
    kinds = {word.kind for text in texts for word in text.words}
    legend = "".join(
        f'<li><span class="w {css}">word</span>&nbsp;{meaning}</li>'
        for kind, (css, meaning) in STYLES.items()
        if kind in kinds
    )
    listed = f'<ul class="legend">{legend}</ul>' if legend else ""
    return f'<dl class="sentences marked">{lines}</dl>{listed}'


def _word(word: MarkedWord, prefix: str) -> str:
    if word.kind == "plain":
        return escape(word.text)
    groups = " ".join(f"{prefix}{group}" for group in word.groups)
    linked = f' data-group="{escape(groups)}"' if groups else ""
    note = f' title="{escape(word.note)}"' if word.note else ""
    return f'<span class="w {STYLES[word.kind][0]}"{linked}{note}>{escape(word.text)}</span>'
