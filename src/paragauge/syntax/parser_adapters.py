"""Constituency parsers of other packages, passed as objects: Stanza's and benepar's.

Neither package is imported here, so neither is an extra of this one; create the object as its package
describes and pass it:

    stanza.Pipeline("en", processors="tokenize,pos,constituency", tokenize_pretokenized=True)
    benepar.Parser("benepar_en3")

A parser gets words, not text, and the words of its trees are those it got, however it writes brackets.
Sentences without words are not passed to the parser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paragauge.errors import InputError
from paragauge.syntax.perceptron import join_words
from paragauge.syntax.trees import Trees
from paragauge.text.lines import LineGroups
from paragauge.text.wording import pluralize

BRACKETS = {"(": "-LRB-", ")": "-RRB-"}


class StanzaParser:
    """A Stanza pipeline with the processor constituency and `tokenize_pretokenized=True`.

    >>> from types import SimpleNamespace as Fake
    >>> def pipeline(sentences):  # in the place of stanza.Pipeline(...)
    ...     trees = [f"(ROOT (NP (NN {words[0]})))" for words in sentences]
    ...     return Fake(sentences=[Fake(constituency=tree) for tree in trees])
    >>> StanzaParser(pipeline, name="stanza-1.8.2").parse([["dog"], []]).to_brackets()
    ['(ROOT (NP (NN dog)))', '']
    """

    def __init__(self, pipeline: Callable[[list[list[str]]], Any], name: str = "stanza") -> None:
        self.name = name
        self._pipeline = pipeline

    def parse(self, sentences: Sequence[Sequence[str]]) -> Trees:
        """The tree of each sentence."""

        def brackets(words: list[list[str]]) -> list[str]:
            sentences = self._pipeline(words).sentences
            return [str(sentence.constituency) for sentence in sentences]

        return _parse_words(sentences, brackets, self.name)


class BeneparParser:
    """A `benepar.Parser`, whose `parse_sents` takes lists of words and gives NLTK trees.

    >>> class Fake:  # in the place of benepar.Parser("benepar_en3")
    ...     def parse_sents(self, sentences):
    ...         return [f"(TOP\\n  (NP (NN {words[0]})))" for words in sentences]
    >>> BeneparParser(Fake(), name="benepar_en3").parse([["dog"]]).to_brackets()
    ['(TOP (NP (NN dog)))']
    """

    def __init__(self, parser: Any, name: str = "benepar") -> None:
        self.name = name
        self._parser = parser

    def parse(self, sentences: Sequence[Sequence[str]]) -> Trees:
        """The tree of each sentence."""

        def brackets(words: list[list[str]]) -> list[str]:
            return [str(tree) for tree in self._parser.parse_sents(words)]

        return _parse_words(sentences, brackets, self.name)


def _parse_words(
    sentences: Sequence[Sequence[str]], brackets: Callable[[list[list[str]]], list[str]], name: str
) -> Trees:
    join_words(sentences)  # checks them
    full = np.array([len(words) > 0 for words in sentences], np.bool_)
    spelled = [[BRACKETS.get(word, word) for word in words] for words in sentences if words]
    trees = Trees.of(brackets(spelled) if spelled else [])
    if len(trees) != len(spelled):
        raise InputError(
            f"{name}: expected {pluralize(len(spelled), 'tree')}, one for each sentence, "
            f"found {len(trees)}; the parser must not split sentences"
        )
    words = LineGroups.of([list(row) for row in sentences], "sentences")
    if trees.words.counts().tolist() != [len(row) for row in spelled]:
        raise InputError(f"{name}: expected trees over the words given, found others; they must stay")
    offsets = np.zeros(len(full) + 1, np.int64)
    offsets[1:][full] = np.diff(trees.offsets)
    return Trees(
        trees.labels,
        trees.label,
        trees.begin,
        trees.end,
        trees.parent,
        np.cumsum(offsets, dtype=np.int64),
        words,
    )
