"""Protocols of taggers and parsers: any object with these methods can be passed to a metric.

`name` is part of signatures, so it must change whenever the analyses may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from paragauge.syntax.sentence import Sentence
from paragauge.syntax.trees import Trees


@runtime_checkable
class Tagger(Protocol):
    """Something that gives Penn tags to words.

    >>> class Nouns:
    ...     name = "nouns-1"
    ...     def tag(self, sentences):
    ...         return [["NN" for _ in words] for words in sentences]
    >>> isinstance(Nouns(), Tagger)
    True
    """

    @property
    def name(self) -> str:
        """The tagger with its version."""

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """One tag for each word of each sentence."""


@runtime_checkable
class DependencyParser(Protocol):
    """Something that gives tags and dependencies to words.

    >>> class Flat:
    ...     name = "flat-1"
    ...     def parse(self, sentences):
    ...         return [Sentence(tuple(words), ("NN",) * len(words)) for words in sentences]
    >>> isinstance(Flat(), DependencyParser)
    True
    """

    @property
    def name(self) -> str:
        """The parser with its version."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Each sentence, analyzed, with heads and relations."""


@runtime_checkable
class ConstituencyParser(Protocol):
    """Something that gives constituent trees to words.

    >>> class Flat:
    ...     name = "flat-1"
    ...     def parse(self, sentences):
    ...         return Trees.of(f"(X {' '.join(f'(NN {word})' for word in row)})" for row in sentences)
    >>> isinstance(Flat(), ConstituencyParser)
    True
    """

    @property
    def name(self) -> str:
        """The parser with its version."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> Trees:
        """The tree of each sentence; one without words has a tree without words."""
