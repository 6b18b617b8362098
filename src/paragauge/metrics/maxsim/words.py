"""The words that MAXSIM matches, as the sentence has them, and their weights."""

from __future__ import annotations

import itertools

import numpy as np

from paragauge.metrics.maxsim.explanation import Word
from paragauge.metrics.maxsim.similarity import WeightedWords
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analyzer import Analyzer
from paragauge.text.lines import Lines


def words_of_lines(
    analyzer: Analyzer, lines: Lines, analysis: Analysis, threads: int = 0
) -> list[tuple[Word, ...]]:
    """The words of each line that have a letter or a digit, with lemma and tag.

    >>> from paragauge.syntax.analysis_settings import AnalysisSettings
    >>> analyzer, lines = Analyzer(AnalysisSettings()), Lines.of(["The dogs barked!"])
    >>> print(*words_of_lines(analyzer, lines, analyzer.analyze([lines])[0])[0])
    The/DT dogs/NNS/dog barked/VBD/bark
    """
    table = analysis.table
    is_word = table.alphanumeric[analysis.lemmas.ids].tolist()
    tokens = itertools.chain.from_iterable(analyzer.words_of_lines(lines, threads))
    lemmas, tags, offsets = (field.tolist() for field in analysis.words())
    texts = [token for token, keep in zip(tokens, is_word, strict=True) if keep]
    words = [
        Word(text, table.lemma(lemma), analysis.tag_names[tag])
        for text, lemma, tag in zip(texts, lemmas, tags, strict=True)
    ]
    return [tuple(words[first:last]) for first, last in itertools.pairwise(offsets)]


def weigh_alike(analysis: Analysis) -> WeightedWords:
    """Lemmas, tags, weights of 1 and offsets of the words."""
    lemmas, tags, offsets = analysis.words()
    return lemmas, tags, np.ones(len(lemmas)), offsets
