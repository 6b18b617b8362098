"""*A* or *an* directly before a substitute follows its first sound (`lexicon/articles.py`).

"A picture" becomes "an image". This is the only change of a reference outside the substituted words.
"""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.lexicon.articles import ARTICLES, indefinite_article


def agreeing_article(before: str, new: str) -> str | None:
    """What the token before a substitute becomes, or None if it stays.

    >>> agreeing_article("A", "image"), agreeing_article("a", "photo"), agreeing_article("the", "image")
    ('An', None, None)
    """
    small = before.lower()
    if small not in ARTICLES:
        return None
    article = indefinite_article(new)
    if article == small:
        return None
    if before.isupper() and len(before) > 1:
        return article.upper()
    return article.capitalize() if before[0].isupper() else article


def replace_tokens(tokens: Sequence[str], first: int, last: int, new: str) -> list[str]:
    """The tokens with `new` in place of those from `first` to `last`, and an article that agrees.

    >>> replace_tokens(["a", "picture", "of", "it"], 1, 1, "image")
    ['an', 'image', 'of', 'it']
    """
    before = list(tokens[:first])
    if before:
        before[-1] = agreeing_article(before[-1], new) or before[-1]
    return [*before, *new.split(" "), *tokens[last + 1 :]]
