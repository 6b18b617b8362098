"""Tokens as the text has them, where a metric compares lowercase or stemmed ones."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.text.tokenizers import Tokenizer, tokenize


def shown_words(text: str, words: Sequence[str], tokenizer: Tokenizer) -> list[str]:
    """The tokens of a text in its own case; `words` themselves if lowercase cuts the text otherwise.

    >>> shown_words("A Dog", ["a", "dog"], "13a")
    ['A', 'Dog']
    """
    (shown,) = tokenize([text], tokenizer, threads=1)
    return shown if len(shown) == len(words) else list(words)
