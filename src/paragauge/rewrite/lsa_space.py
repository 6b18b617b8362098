"""The space of latent semantic analysis: word vectors from co-occurrence counts, and neighbours in it.

With A [words, features] the weighted counts of features near words, and A = U S V' its singular value
decomposition, the vector of a word is its row of U, cut to the largest singular values and brought to
length 1, as Infomap (Widdows 2004) has it: singular values do not scale the vectors. Two words are as
similar as the cosine of their vectors.

V and S come from the eigenvectors of A'A, which is small (1,000 by 1,000 by default), and U = A V / S:
exact and without a random start. Each column of V has its sign chosen so that its largest entry in size
is positive. A word that stands near no feature has the vector 0 and no neighbours. Time: O(n f^2) for
A'A and O(n^2 d) for the neighbours of n words in d dimensions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import unknown_name
from paragauge.text.lines import Ints

Singles = NDArray[np.float32]
WEIGHTS = ("raw", "log", "sqrt")
ROWS = 1 << 10
LEAST = 1e-7  # of the largest singular value: smaller ones are noise of rounding


def weighted(counts: Ints, weight: str) -> NDArray[np.float64]:
    """Counts as they are, as log(1 + count), or as their square roots.

    >>> weighted(np.array([[0, 4]]), "sqrt").tolist()
    [[0.0, 2.0]]
    """
    values = counts.astype(np.float64)
    if weight == "raw":
        return values
    if weight == "log":
        return np.log1p(values)
    if weight == "sqrt":
        return np.sqrt(values)
    raise unknown_name("weight", weight, WEIGHTS)


def word_vectors(counts: Ints, dimensions: int, weight: str) -> Singles:
    """Vectors of length 1 (or 0) [words, at most `dimensions`] from counts [words, features].

    >>> word_vectors(np.array([[4, 0], [9, 0], [0, 1]]), 2, "sqrt").round(3).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    words, features = counts.shape
    gram = np.zeros((features, features))
    for first in range(0, words, ROWS):
        rows = weighted(counts[first : first + ROWS], weight)
        gram += rows.T @ rows
    wanted = min(dimensions, features)
    squares, columns = np.linalg.eigh(gram)
    squares, columns = squares[::-1][:wanted], columns[:, ::-1][:, :wanted]
    kept = squares > max(LEAST**2 * squares[0], 0)
    columns = columns[:, kept]
    peaks = np.abs(columns).argmax(axis=0)
    columns = columns * np.sign(columns[peaks, np.arange(columns.shape[1])])
    scaled = columns / np.sqrt(squares[kept])
    vectors = np.zeros((words, scaled.shape[1]), np.float32)
    for first in range(0, words, ROWS):
        rows = weighted(counts[first : first + ROWS], weight) @ scaled
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        vectors[first : first + ROWS] = np.divide(rows, lengths, out=rows, where=lengths > 0)
    return vectors


def nearest(vectors: Singles, top: int) -> Ints:
    """For each word the `top` words with the largest cosine, the most similar first: [words, top].

    Of equally similar words the one with the smaller number goes first. Where there are no more
    neighbours, the number of words stands.

    >>> nearest(np.array([[1, 0], [0.8, 0.6], [0, 1], [0, 0]], np.float32), 2).tolist()
    [[1, 2], [0, 2], [1, 0], [4, 4]]
    """
    words = len(vectors)
    top = min(top, max(words - 1, 0))
    found = np.full((words, top), words, np.int64)
    empty = np.flatnonzero(~np.any(vectors != 0, axis=1))
    for first in range(0, words, ROWS) if top else ():
        cosines = vectors[first : first + ROWS] @ vectors.T
        here = np.arange(len(cosines))
        cosines[here, first + here] = -np.inf
        cosines[:, empty] = -np.inf
        cosines[empty[(empty >= first) & (empty < first + ROWS)] - first] = -np.inf
        best = np.sort(np.argpartition(-cosines, top - 1, axis=1)[:, :top], axis=1)
        values = np.take_along_axis(cosines, best, axis=1)
        order = np.argsort(-values, axis=1, kind="stable")
        rows = np.take_along_axis(best, order, axis=1)
        rows[np.take_along_axis(values, order, axis=1) == -np.inf] = words
        found[first : first + ROWS] = rows
    return found
