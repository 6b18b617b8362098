"""Lines with the vectors of their words, and what MAXSIM in context reads off pairs of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.encode.row_products import row_products
from paragauge.encode.word_vectors import locate_words, word_vectors
from paragauge.errors import InputError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.context.pair_vectors import TextVectors
from paragauge.metrics.maxsim.metric import MOST_WORDS
from paragauge.metrics.maxsim.names import Names
from paragauge.syntax.analysis import Analysis
from paragauge.text.lines import Lines


@dataclass(frozen=True)
class ContextLine:
    """A line as it is matched.

    - `number`: its row in the analysis;
    - `words`: those with a letter or digit;
    - `vectors`: float64 [layers, words, width], of length 1, or 0 for a word without pieces;
    - `names`: its names;
    - `sentence`: the vector of the line, float64 [width].
    """

    number: int
    words: tuple[str, ...]
    vectors: Floats
    names: Names
    sentence: Floats

    @classmethod
    def of(
        cls, number: int, text: str, words: Sequence[str], tokens: Sequence[str], pieces: TextVectors
    ) -> ContextLine:
        """The line of a text with these words, among all its tokens, and these pieces."""
        vectors = word_vectors(locate_words(text, words), pieces.spans, pieces.vectors)
        sentence = pieces.sentence.astype(np.float64)
        return cls(number, tuple(words), vectors, Names.of(tokens), sentence)


@dataclass(frozen=True)
class ContextPairs:
    """Pairs of a candidate and a line that it is compared with.

    - `sizes`: int64 [pairs, 2], how many words both have;
    - `cosines`: float64 [layers, all pairs of words], from 0 to 1, pair after pair;
    - `weakest`: float64 [pairs, layers, 2], the lowest of the words' best cosines on both sides;
    - `sentence`: float64 [pairs], the cosine of the sentence vectors, from 0 to 1;
    - `names`: float64 [pairs, 3]: names in common, of the candidate, of the other;
    - `analyses`: of both sides, if the settings need them.
    """

    sizes: Ints
    cosines: Floats
    weakest: Floats
    sentence: Floats
    names: Floats
    analyses: tuple[Analysis, Analysis] | None


@dataclass(frozen=True)
class ContextLines:
    """Distinct lines by their text, with vectors in `layers` layers, and their analysis, if any."""

    by_text: Mapping[str, ContextLine]
    layers: int
    analysis: Analysis | None

    def check_lengths(self, lines: Lines, what: str, segments: Sequence[int]) -> None:
        """Refuse a line of too many words; `segments` counts from 0."""
        for text, segment in zip(lines, segments, strict=True):
            count = len(self.by_text[text].words)
            if count > MOST_WORDS:
                raise InputError(
                    f"{what}: segment {segment + 1}: expected a sentence of at most {MOST_WORDS:,} "
                    f"words, found {count:,}; split it"
                )

    def compare(self, mine: Lines, theirs: Lines) -> ContextPairs:
        """The pairs of lines with the same number."""
        pairs = [
            (self.by_text[own], self.by_text[other]) for own, other in zip(mine, theirs, strict=True)
        ]
        tables = [word_cosines(own, other) for own, other in pairs]
        analyses = None
        if self.analysis is not None:
            rows = np.array([[own.number, other.number] for own, other in pairs], np.int64)
            left, right = rows.reshape(-1, 2).T
            analyses = (self.analysis.take(left), self.analysis.take(right))
        flat = [table.reshape(self.layers, -1) for table in tables]
        return ContextPairs(
            np.array([table.shape[1:] for table in tables], np.int64).reshape(-1, 2),
            np.concatenate([np.zeros((self.layers, 0)), *flat], axis=1),
            np.array([_weakest_words(table) for table in tables]).reshape(-1, self.layers, 2),
            np.array([_sentence_cosine(own, other) for own, other in pairs]),
            np.array(
                [[names.total() for names in shared_names(*pair)] for pair in pairs], np.float64
            ).reshape(-1, 3),
            analyses,
        )


def word_cosines(mine: ContextLine, theirs: ContextLine) -> Floats:
    """The cosines of the words of two lines, from 0 to 1: [layers, words, words].

    A word without a vector has 1 with its equal and 0 with others.
    """
    cosines = _round_up(row_products(mine.vectors, theirs.vectors))
    for i in np.flatnonzero(~mine.vectors.any(axis=(0, 2))).tolist():
        cosines[:, i] = [float(mine.words[i] == other) for other in theirs.words]
    return np.asarray(cosines)


def _round_up(cosines: Floats) -> Floats:
    """Cosines from 0 to 1; those of equal vectors are 1 in spite of rounding errors."""
    return np.where(cosines > 1 - 1e-12, 1.0, np.maximum(cosines, 0.0))


def shared_names(
    mine: ContextLine, theirs: ContextLine
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Names in common, of the first line, and of the second."""
    own, other = mine.names.beside(theirs.names), theirs.names.beside(mine.names)
    return own & other, own, other


def _sentence_cosine(mine: ContextLine, theirs: ContextLine) -> float:
    """The cosine of two sentence vectors, 0 if it is negative or one has no length."""
    a, b = mine.sentence, theirs.sentence
    lengths = np.sqrt((a @ a) * (b @ b))
    return float(_round_up(a @ b / lengths)) if lengths else 0.0


def _weakest_words(table: Floats) -> list[list[float]]:
    """For each layer the lowest of the best cosines of the candidate's and of the other's words."""
    if 0 in table.shape[1:]:
        return [[0.0, 0.0] for _ in table]
    return [[float(layer.max(axis=1).min()), float(layer.max(axis=0).min())] for layer in table]
