"""Latent semantic analysis as a thesaurus: words that occur near the same words.

Let A [words, features] be the weighted counts of features near words, and A = U S V' its singular
value decomposition. The vector of a word is its row of U, cut to the largest singular values and scaled
to length 1, as in Infomap (Widdows 2004): singular values do not scale the vectors. The similarity of
two words is the cosine of their vectors.

Kauchak and Barzilay (2006, section 4.1.3) use Infomap with its default settings, which are the defaults
here: vectors for the 20,000 most frequent words, co-occurrences with the 1,000 most frequent words that
are not stop words up to 15 positions before and after, the square root of each count, 100 dimensions; w
may replace r if it is among the 20 words whose vectors have the largest cosine with that of r.

Deviations: the window ends with the line, not with the document; Infomap also multiplies each count by
the frequency of the feature word and the logarithm of its inverse document frequency, which a text of
lines does not have; the stop words are the package's own (`stop_words.py`, English), and a token
without a letter is not a feature. Text is in lowercase Penn tokens.

V and S come from the eigenvectors of A'A, which is small (1,000 by 1,000 by default), and U = A V / S:
exact, with no random start. The sign of each column of V makes its largest entry in magnitude positive.
A word that occurs near no feature has the vector 0 and no neighbors. Time: O(n f^2) for A'A and
O(n^2 d) for the neighbors of n words in d dimensions. Memory: the table of counts (words x features)
and the vocabulary, for a text of any size.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids, Ints, Singles
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.rewrite.thesauri.brown import check_number
from paragauge.rewrite.thesauri.frequent_words import FrequentWords, word_numbers
from paragauge.rewrite.thesauri.stop_words import STOP_WORDS
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.vocabulary import Vocabulary

CountWeight = Literal["raw", "log", "sqrt"]
WEIGHTS: tuple[CountWeight, ...] = get_args(CountWeight)
ROWS = 1 << 10
LEAST = 1e-7  # of the largest singular value: smaller ones are rounding noise


def weight_counts(counts: Ints, weight: CountWeight) -> NDArray[np.float64]:
    """Counts as they are, as log(1 + count), or as their square roots.

    >>> weight_counts(np.array([[0, 4]]), "sqrt").tolist()
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


def word_vectors(counts: Ints, dimensions: int, weight: CountWeight) -> Singles:
    """Vectors of length 1 (or 0) [words, at most `dimensions`] from counts [words, features].

    >>> word_vectors(np.array([[4, 0], [9, 0], [0, 1]]), 2, "sqrt").round(3).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    words, features = counts.shape
    gram = np.zeros((features, features))
    for first in range(0, words, ROWS):
        rows = weight_counts(counts[first : first + ROWS], weight)
        gram += rows.T @ rows
    largest = min(dimensions, features)
    squares, columns = np.linalg.eigh(gram)
    squares, columns = squares[::-1][:largest], columns[:, ::-1][:, :largest]
    keep = squares > max(LEAST**2 * squares[0], 0)
    columns = columns[:, keep]
    peaks = np.abs(columns).argmax(axis=0)
    columns = columns * np.sign(columns[peaks, np.arange(columns.shape[1])])
    scaled = columns / np.sqrt(squares[keep])
    vectors = np.zeros((words, scaled.shape[1]), np.float32)
    for first in range(0, words, ROWS):
        rows = weight_counts(counts[first : first + ROWS], weight) @ scaled
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        vectors[first : first + ROWS] = np.divide(rows, lengths, out=rows, where=lengths > 0)
    return vectors


def find_neighbors(vectors: Singles, top: int) -> Ints:
    """The `top` words with the largest cosine for each word, the most similar first: [words, top].

    Of equally similar words the one with the smaller number comes first. Missing neighbors are filled
    with the number of words.

    >>> find_neighbors(np.array([[1, 0], [0.8, 0.6], [0, 1], [0, 0]], np.float32), 2).tolist()
    [[1, 2], [0, 2], [1, 0], [4, 4]]
    """
    words = len(vectors)
    top = min(top, max(words - 1, 0))
    neighbors = np.full((words, top), words, np.int64)
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
        neighbors[first : first + ROWS] = rows
    return neighbors


MAGIC = b"PGLSA001"
WHAT = "a model of latent semantic analysis"
TOP = 20


@dataclass(frozen=True)
class LSASettings:
    """How words are counted and neighbors found; the defaults are the paper's.

    >>> LSASettings(weight="cube")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown weight 'cube'; known: raw, log, sqrt
    """

    words: int = 20_000
    features: int = 1_000
    window: int = 15
    dimensions: int = 100
    top: int = TOP
    weight: CountWeight = "sqrt"
    stop_words: frozenset[str] = STOP_WORDS

    def __post_init__(self) -> None:
        check_number("words", self.words, 2, 1_000_000)
        check_number("features", self.features, 1, 20_000)
        check_number("window", self.window, 1, 1_000)
        check_number("dimensions", self.dimensions, 1, 20_000)
        if self.dimensions > self.features:
            raise SettingError(
                f"dimensions: expected at most the number of features, {self.features:,}, found "
                f"{self.dimensions:,}; ask for fewer dimensions or more features"
            )
        check_number("top", self.top, 1, 1_000)
        if self.weight not in WEIGHTS:
            raise unknown_name("weight", self.weight, WEIGHTS)

    def record(self) -> dict[str, Any]:
        """The settings as they are stored in a file.

        >>> LSASettings().record()["dimensions"]
        100
        """
        sizes = {name: getattr(self, name) for name in ("words", "features", "window", "dimensions")}
        stop = hashlib.sha256(" ".join(sorted(self.stop_words)).encode()).hexdigest()[:8]
        return {**sizes, "top": self.top, "weight": self.weight, "stop_words": stop}


@dataclass(frozen=True, eq=False)
class LSA:
    """Words and the nearest neighbors of each: rows of `words`, the most similar first.

    Missing neighbors are filled with the number of words.

    >>> thesaurus = LSA(Lines.of(["cat", "dog", "ran"]), np.array([[1], [0], [1]]))
    >>> words = Lines.of(["cat", "dog", "ran"])
    >>> thesaurus.substitutable(words, np.array([0, 2, 1]), np.array([1, 1, 2]), None).tolist()
    [True, True, False]
    """

    words: Lines
    neighbors: Ints
    vectors: Singles | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    needs_tags = False

    @classmethod
    def train(
        cls,
        files: Sequence[str | Path],
        settings: LSASettings | None = None,
        *,
        vectors: bool = False,
        folder: str | Path | None = None,
        threads: int = 0,
        progress: Progress = silent,
    ) -> LSA:
        r"""Learn from text files with one sentence per line; `vectors` asks to keep the vectors.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     path = Path(place, "text")
        ...     _ = path.write_text("cats eat fish\ndogs eat fish\nbirds fly far\n")
        ...     LSA.train([path], LSASettings(top=1)).nearest("cats")
        ['dogs']
        """
        settings = settings or LSASettings()
        with numbered_text(files, folder=folder, threads=threads, progress=progress) as text:
            frequent = FrequentWords.of(text, most=settings.words)
            columns, features = feature_columns(frequent.words, settings)
            if not features:
                raise InputError("expected words other than stop words, found none; give more text")
            progress("counting")
            counts = np.zeros((len(frequent.words), features), np.int64)
            for ids, offsets in frequent.batches():
                _native.count_cooccurrences(ids, offsets, columns, settings.window, counts, threads)
            about = {
                "settings": settings.record(),
                "tokens": text.tokens,
                "sentences": text.sentences,
                "features": features,
            }
        progress("decomposing")
        space = word_vectors(counts, settings.dimensions, settings.weight)
        progress("finding neighbors")
        neighbors = find_neighbors(space, settings.top)
        return cls(_compact(frequent.words), neighbors, space if vectors else None, about)

    @classmethod
    def open(cls, path: str | Path) -> LSA:
        """Read the model in a file.

        >>> LSA.open("none.lsa")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.lsa: no such file; check the path
        """
        about, arrays = read_arrays(path, MAGIC, WHAT)
        try:
            return _from_arrays(about, arrays)
        except (KeyError, ValueError, TypeError, IndexError):
            message = f"expected {WHAT} of this version, found another; train it again"
            raise FileFormatError(display_name(path), None, message) from None

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        arrays: dict[str, np.ndarray] = {
            "text": self.words.buffer,
            "lengths": self.words.spans[:, 1] - self.words.spans[:, 0],
            "neighbours": self.neighbors,
        }
        if self.vectors is not None:
            arrays["vectors"] = self.vectors
        write_arrays(path, MAGIC, self.about, arrays)

    @functools.cached_property
    def name(self) -> str:
        """The kind of thesaurus and the first digits of a SHA-256 of words and neighbors.

        >>> LSA(Lines.of(["a", "b"]), np.array([[1], [0]])).name
        'lsa-5d7ed89a'
        """
        digest = hashlib.sha256("\n".join(self.words).encode())
        digest.update(np.ascontiguousarray(self.neighbors, "<i8").tobytes())
        return f"lsa-{digest.hexdigest()[:8]}"

    def __repr__(self) -> str:
        return f"LSA({self.name}, {len(self.words)} words, {self.neighbors.shape[1]} neighbors)"

    def substitutable(
        self,
        words: Lines,
        left: Ints,
        right: Ints,
        tags: Sequence[str] | None,
        threads: int = 0,
    ) -> NDArray[np.bool_]:
        """For each pair of rows of `words`, whether right is a neighbor of left."""
        del tags
        numbers = word_numbers(self._vocabulary, words, threads)
        old, new = numbers[left], numbers[right]
        known = np.flatnonzero((old >= 0) & (new >= 0))
        old, new = old[known], new[known]
        is_neighbor = np.zeros(len(known), np.bool_)
        for column in self._columns:
            is_neighbor |= column[old] == new
        substitutable = np.zeros(len(left), np.bool_)
        substitutable[known] = is_neighbor
        return substitutable

    def nearest(self, word: str) -> list[str]:
        """The neighbors of a word, the most similar first; none for an unknown word.

        >>> LSA(Lines.of(["a", "b"]), np.array([[1], [0]])).nearest("a")
        ['b']
        """
        if word not in self._vocabulary:
            return []
        rows = self.neighbors[self._vocabulary[word]]
        return [self.words[row] for row in rows[rows < len(self.words)].tolist()]

    @functools.cached_property
    def _columns(self) -> Ids:
        """The neighbors of all words, column by column: a column of 20,000 words fits in a cache."""
        return np.ascontiguousarray(self.neighbors.T, np.int32)

    @functools.cached_property
    def _vocabulary(self) -> Vocabulary:
        vocabulary = Vocabulary()
        vocabulary.extend(self.words)
        return vocabulary


def feature_columns(words: Iterable[str], settings: LSASettings) -> tuple[NDArray[np.int32], int]:
    """The column of each word that is a feature, -1 for others, and the number of columns.

    >>> columns, count = feature_columns(["the", "dog", ",", "cat"], LSASettings())
    >>> columns.tolist(), count
    ([-1, 0, -1, 1], 2)
    """
    columns, count = [], 0
    for word in words:
        usable = word not in settings.stop_words and any(map(str.isalpha, word))
        usable = usable and count < settings.features
        columns.append(count if usable else -1)
        count += usable
    return np.array(columns, np.int32), count


def _compact(words: Lines) -> Lines:
    """The same words in a buffer of their own."""
    return Lines.of(list(words))


def _from_arrays(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> LSA:
    if (arrays["lengths"] > len(arrays["text"])).any():
        raise ValueError("lengths")
    lengths = arrays["lengths"].astype(np.int64)
    ends = np.cumsum(lengths)
    words = Lines(arrays["text"], np.stack([ends - lengths, ends], axis=1))
    neighbors = arrays["neighbours"].astype(np.int64)
    vectors = arrays.get("vectors")
    if len(ends) == 0 or ends[-1] != len(arrays["text"]) or neighbors.shape[0] != len(words):
        raise ValueError("shapes")
    are_unsigned = arrays["neighbours"].dtype.kind == "u" and arrays["lengths"].dtype.kind == "u"
    if not are_unsigned or neighbors.ndim != 2 or (neighbors > len(words)).any():
        raise ValueError("neighbours")
    if vectors is not None and (vectors.ndim != 2 or len(vectors) != len(words)):
        raise ValueError("vectors")
    lsa = LSA(words, neighbors, vectors, about)
    _ = list(words), lsa._vocabulary  # raise errors for words that are not UTF-8 or repeat
    return lsa
