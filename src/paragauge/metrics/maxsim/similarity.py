"""MAXSIM under any similarity of words (Chan and Ng 2008, abstract and section 6).

"This general framework allows us to use arbitrary similarity functions between items": here the
function is an argument. It takes the words of the candidate and those of the reference and returns a
table of S from 0 to 1, candidate words in rows. The edges of the graph follow as in the paper:

    w = 1/n * sum of S_i        for n-grams, 0 if n > 1 and some S_i = 0
    w = (S(child, child') + 1 + S(parent, parent')) / 3        for relations of equal type

The matching, F and the means are those of `metric.py`. Words that lack letters and digits are not
matched; a relation that has such a word is left out here, because there is no S for it.

Time: one call of the function per pair of sentences, then that of MAXSIM's graph for all n-grams.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paragauge.errors import InputError, ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ids, Ints, lines_of_segments
from paragauge.metrics.base import f_mean
from paragauge.metrics.maxsim.explanation import Word
from paragauge.metrics.settings import function_name
from paragauge.syntax.analysis import Analysis

# The similarities of the words of two sentences, from 0 to 1: [words of the first, of the second].
WordSimilarity = Callable[[Sequence[Word], Sequence[Word]], ArrayLike]
# Lemmas, tags, weights and offsets of the words of some lines.
WeightedWords = tuple[Ids, Ids, Floats, Ints]
# Positions of children, types, and positions of parents of the relations of a line.
Arcs = tuple[Ints, Ids, Ints]
GRAPH = (False, False, True)  # the phases: the graph alone


def tabulate(
    similarity: WordSimilarity, mine: Sequence[Word], theirs: Sequence[Word], where: str
) -> Floats:
    """The table that a function returns, checked; `where` names the pair in errors.

    >>> words = [Word("a", "a", "DT"), Word("dog", "dog", "NN")]
    >>> tabulate(lambda a, b: [[float(x == y) for y in b] for x in a], words, words[1:], "segment 1")
    array([[0.],
           [1.]])
    """
    name = function_name(similarity)
    if not mine or not theirs:
        return np.zeros((len(mine), len(theirs)))
    values = similarity(mine, theirs)
    table = _as_numbers(values)
    if table is None:
        raise ShapeError(
            f"similarity {name}: {where}: expected a table of numbers, found {type(values).__name__}"
        )
    if table.shape != (len(mine), len(theirs)):
        raise ShapeError(
            f"similarity {name}: {where}: expected a table of {len(mine)} x {len(theirs)} (candidate "
            f"words in rows), found {' x '.join(map(str, table.shape)) or 'one number'}"
        )
    if not bool(np.all((table >= 0) & (table <= 1))):
        worst = float(table[~((table >= 0) & (table <= 1))][0])
        raise InputError(
            f"similarity {name}: {where}: expected numbers from 0 to 1, found {worst!r}; rescale the "
            "table or clip it, as by numpy.clip(table, 0, 1)"
        )
    return table


def _as_numbers(values: ArrayLike) -> Floats | None:
    """An array of real numbers, or None if the values are something else, such as text."""
    try:
        table = np.asarray(values)
        return None if values is None or table.dtype.kind in "cSU" else table.astype(np.float64)
    except (TypeError, ValueError):
        return None


def ngram_parts(
    mine: WeightedWords,
    theirs: WeightedWords,
    groups: Ints | None,
    tables: Floats,
    *,
    order: int,
    phases: tuple[bool, bool, bool],
    alpha: float,
    threads: int,
) -> Floats:
    """F of the n-grams of each reference line, NaN where neither side has any: [lines, order].

    `tables` has the similarities of all pairs of words, line after line.

    >>> one, ones = np.zeros(1, np.int32), np.ones(1)
    >>> words = (one, one, ones, np.array([0, 1]))
    >>> graph = (False, False, True)
    >>> ngram_parts(words, words, None, np.array([0.5]), order=2, phases=graph, alpha=0.9, threads=1)
    array([[0.5, nan]])
    """
    rows = _native.similar_ngrams(
        (*mine, None), (*theirs, groups), tables, order, phases, False, threads
    ).reshape(-1, order, 3)
    return f_mean(rows[:, :, 0], rows[:, :, 1], rows[:, :, 2], alpha)


def relation_part(
    mine: Analysis, theirs: Analysis, groups: Ints | None, choice: str, tables: Floats, alpha: float
) -> Floats:
    """F of the relations of each reference line, NaN where neither side has any."""
    edges = [
        relation_edges(own, other, table)
        for own, other, table in _walk_pairs(mine, theirs, groups, tables, choice)
    ]
    column, other_column = (
        plain_words(np.array([table.shape[side] for table in edges], np.int64)) for side in (0, 1)
    )
    return ngram_parts(
        column,
        other_column,
        None,
        np.concatenate([np.zeros(0), *(table.ravel() for table in edges)]),
        order=1,
        phases=GRAPH,
        alpha=alpha,
        threads=1,
    )[:, 0]


def relation_edges(mine: Arcs, theirs: Arcs, table: Floats) -> Floats:
    """The edges of all pairs of relations, from the similarities of the words of two sentences."""
    children, types, parents = mine
    other_children, other_types, other_parents = theirs
    edges = table[np.ix_(children, other_children)] + 1 + table[np.ix_(parents, other_parents)]
    return np.where(types[:, None] == other_types[None, :], edges / 3, 0.0)


def plain_words(sizes: Ints) -> WeightedWords:
    """Lines of so many words, of which nothing else matters, as a column.

    >>> plain_words(np.array([2, 1]))[3]
    array([0, 2, 3])
    """
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    nothing = np.zeros(int(offsets[-1]), np.int32)
    return nothing, nothing, np.ones(int(offsets[-1])), offsets


def _walk_pairs(
    mine: Analysis, theirs: Analysis, groups: Ints | None, tables: Floats, choice: str
) -> Iterator[tuple[Arcs, Arcs, Floats]]:
    """The relations of both sides of each pair, as positions of words, and the pair's table."""
    own, other = line_arcs(mine, choice), line_arcs(theirs, choice)
    sizes, other_sizes = (np.diff(analysis.words()[2]).tolist() for analysis in (mine, theirs))
    start = 0
    for segment, lines in enumerate(lines_of_segments(len(other_sizes), groups)):
        for line in lines:
            size = sizes[segment] * other_sizes[line]
            table = tables[start : start + size].reshape(sizes[segment], other_sizes[line])
            yield own[segment], other[line], table
            start += size


def line_arcs(analysis: Analysis, choice: str) -> list[Arcs]:
    """The relations between words of each line: positions of children, types, positions of parents."""
    children, types, parents, offsets = analysis.arcs(choice)
    is_word: NDArray[np.bool_] = analysis.table.alphanumeric[analysis.lemmas.ids]
    position = np.cumsum(is_word) - 1
    starts = analysis.words()[2]
    by_line = []
    for line, (first, last) in enumerate(itertools.pairwise(offsets.tolist())):
        inside = slice(first, last)
        both = is_word[children[inside]] & is_word[parents[inside]]
        by_line.append(
            (
                position[children[inside][both]] - starts[line],
                types[inside][both],
                position[parents[inside][both]] - starts[line],
            )
        )
    return by_line
