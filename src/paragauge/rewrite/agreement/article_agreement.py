"""*A* or *an* before a substitute follows its first sound (`lexicon/articles.py`).

"A picture" becomes "an image". Opening quotes and brackets may stand between (*a "mistake"*, *an
"error"*). This is the only change of a reference outside the substituted words.
"""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.lexicon.articles import ARTICLES, indefinite_article

OPENING = frozenset(("``", "`", '"', "'", "(", "[", "{", "“", "‘", "«"))


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


def skip_opening(tokens: Sequence[str], position: int, step: int = -1) -> int:
    """The position of the next token in the direction of `step` that opens no quote or bracket.

    It may be outside: -1 or the number of tokens.

    >>> tokens = ["a", "``", "(", "picture", ")", "''"]
    >>> skip_opening(tokens, 3), skip_opening(tokens, 0), skip_opening(tokens, 0, 1)
    (0, -1, 3)
    """
    position += step
    while 0 <= position < len(tokens) and tokens[position] in OPENING:
        position += step
    return position


def replace_tokens(tokens: Sequence[str], first: int, last: int, new: str) -> list[str]:
    """The tokens with `new` in place of those from `first` to `last`, and an article that agrees.

    >>> replace_tokens(["a", "picture", "of", "it"], 1, 1, "image")
    ['an', 'image', 'of', 'it']
    """
    before = list(tokens[:first])
    article = skip_opening(tokens, first)
    if article >= 0:
        before[article] = agreeing_article(before[article], new) or before[article]
    return [*before, *new.split(" "), *tokens[last + 1 :]]
