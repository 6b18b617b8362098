"""A sentence with the tags of its words and their places in the text, which rules of change read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.lexicon.articles import ARTICLES, indefinite_article
from paragauge.syntax.perceptron import PerceptronTagger

TOKEN = re.compile(r"\w+(?:['’.,-]\w+)*|[^\w\s]")
Change = tuple[str, str] | None  # the candidate and what was changed


@dataclass(frozen=True)
class Token:
    """A word or a punctuation mark with its Penn tag and its span of characters."""

    text: str
    tag: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()


@dataclass(frozen=True)
class TaggedSentence:
    """A text and its tokens."""

    text: str
    tokens: tuple[Token, ...]

    def replace(self, start: int, end: int, new: str) -> str:
        """The text with another span of characters.

        >>> TaggedSentence("Go home.", ()).replace(3, 7, "away")
        'Go away.'
        """
        return self.text[:start] + new + self.text[end:]

    def next_tag(self, place: int) -> str:
        """The tag of the token after this one, or nothing."""
        return self.tokens[place + 1].tag if place + 1 < len(self.tokens) else ""

    def beside(self, place: int) -> tuple[str, str]:
        """The words before and after a token in lower case; nothing at the ends."""
        before = self.tokens[place - 1].lower if place else ""
        after = self.tokens[place + 1].lower if place + 1 < len(self.tokens) else ""
        return before, after

    def replace_word(self, place: int, new: str) -> str:
        """The text with another word for a token: an article before it agrees, a capital stays.

        >>> (sentence,) = tag_sentences(["Take a big apple."])
        >>> sentence.replace_word(2, "old")
        'Take an old apple.'
        """
        token = self.tokens[place]
        word = new.capitalize() if token.text[0].isupper() else new
        text = self.replace(token.start, token.end, word)
        if place and self.tokens[place - 1].lower in ARTICLES:
            article = self.tokens[place - 1]
            agreeing = indefinite_article(new)
            spelled = agreeing.capitalize() if article.text[0].isupper() else agreeing
            text = text[: article.start] + spelled + text[article.end :]
        return text


def tag_sentences(sources: Sequence[str]) -> list[TaggedSentence]:
    """The sentences with the tags of the shipped tagger.

    >>> [token.tag for token in tag_sentences(["The old dog died."])[0].tokens]
    ['DT', 'JJ', 'NN', 'VBD', '.']
    """
    matches = [list(TOKEN.finditer(text)) for text in sources]
    tags = PerceptronTagger.default().tag([[match[0] for match in row] for row in matches])
    return [
        TaggedSentence(
            text,
            tuple(
                Token(match[0], tag, match.start(), match.end())
                for match, tag in zip(row, row_tags, strict=True)
            ),
        )
        for text, row, row_tags in zip(sources, matches, tags, strict=True)
    ]
