"""Latent semantic analysis as a thesaurus: words that stand near the same words.

Kauchak and Barzilay (2006, section 4.1.3) use Infomap (Widdows 2004) with its default settings, which
are ours: vectors for the 20,000 most frequent words, counted with the 1,000 most frequent words that
are no stop words up to 15 places before and after, the square root of each count, 100 dimensions; w may
stand for r if it is among the 20 words whose vectors have the largest cosine with that of r
(`lsa_space.py`).

Deviations: the window ends with the line, where Infomap's ends with the document; Infomap also
multiplies each count by the frequency of the feature word and the logarithm of its inverse document
frequency, which a text of lines does not have; stop words are our own (`stop_words.py`, for English),
and what has no letter is no feature. Text is taken in Penn tokens and lower case.

Memory is that of the table of counts (words x features) and the vocabulary, for a text of any size.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.rewrite.brown import check_number
from paragauge.rewrite.frequent_words import FrequentWords, word_numbers
from paragauge.rewrite.lsa_space import WEIGHTS, Singles, nearest, word_vectors
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.rewrite.stop_words import STOP_WORDS
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name
from paragauge.text.lines import Ints, Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.ragged import Ids
from paragauge.text.vocabulary import Vocabulary

MAGIC = b"PGLSA001"
WHAT = "a model of latent semantic analysis"
TOP = 20


@dataclass(frozen=True)
class LSASettings:
    """What is counted, and how it becomes neighbours; the defaults are the paper's.

    >>> LSASettings(weight="cube")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown weight 'cube'; known: raw, log, sqrt
    """

    words: int = 20_000
    features: int = 1_000
    window: int = 15
    dimensions: int = 100
    top: int = TOP
    weight: str = "sqrt"
    stop_words: frozenset[str] = STOP_WORDS

    def __post_init__(self) -> None:
        check_number("words", self.words, 2, 1_000_000)
        check_number("features", self.features, 1, 20_000)
        check_number("window", self.window, 1, 1_000)
        check_number("dimensions", self.dimensions, 1, 20_000)
        if self.dimensions > self.features:
            raise SettingError(
                f"dimensions: expected at most the number of features, {self.features:,}, got "
                f"{self.dimensions:,}; ask for fewer dimensions or more features"
            )
        check_number("top", self.top, 1, 1_000)
        if self.weight not in WEIGHTS:
            raise unknown_name("weight", self.weight, WEIGHTS)

    def record(self) -> dict[str, Any]:
        """The settings as a file keeps them.

        >>> LSASettings().record()["dimensions"]
        100
        """
        kept = {name: getattr(self, name) for name in ("words", "features", "window", "dimensions")}
        stop = hashlib.sha256(" ".join(sorted(self.stop_words)).encode()).hexdigest()[:8]
        return {**kept, "top": self.top, "weight": self.weight, "stop_words": stop}


@dataclass(frozen=True, eq=False)
class LSA:
    """Words and the nearest neighbours of each: rows of `words`, the most similar first.

    Where a word has fewer neighbours, the number of words stands.

    >>> thesaurus = LSA(Lines.of(["cat", "dog", "ran"]), np.array([[1], [0], [1]]))
    >>> words = Lines.of(["cat", "dog", "ran"])
    >>> thesaurus.substitutable(words, np.array([0, 2, 1]), np.array([1, 1, 2]), None).tolist()
    [True, True, False]
    """

    words: Lines
    neighbours: Ints
    vectors: Singles | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    tagged = False

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
        r"""Learn from text files, one sentence a line; `vectors` are kept only if asked for.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     path = Path(place, "text")
        ...     _ = path.write_text("cats eat fish\ndogs eat fish\nbirds fly far\n")
        ...     LSA.train([path], LSASettings(top=1)).nearest("cats")
        ['dogs']
        """
        chosen = settings or LSASettings()
        with numbered_text(files, folder=folder, threads=threads, progress=progress) as text:
            frequent = FrequentWords.of(text, most=chosen.words)
            columns, features = feature_columns(frequent.words, chosen)
            if not features:
                raise InputError("expected words that are no stop words, found none; give more text")
            progress("counting")
            counts = np.zeros((len(frequent.words), features), np.int64)
            for ids, offsets in frequent.batches():
                _native.count_cooccurrences(ids, offsets, columns, chosen.window, counts, threads)
            about = {
                "settings": chosen.record(),
                "tokens": text.tokens,
                "sentences": text.sentences,
                "features": features,
            }
        progress("decomposing")
        space = word_vectors(counts, chosen.dimensions, chosen.weight)
        progress("finding neighbours")
        found = nearest(space, chosen.top)
        return cls(_compact(frequent.words), found, space if vectors else None, about)

    @classmethod
    def open(cls, path: str | Path) -> LSA:
        """The model of a file.

        >>> LSA.open("none.lsa")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.lsa: no such file; check the path
        """
        about, arrays = read_arrays(path, MAGIC, WHAT)
        try:
            return _of_arrays(about, arrays)
        except (KeyError, ValueError, TypeError, IndexError):
            message = f"expected {WHAT} of this version, found another; train it again"
            raise FileFormatError(display_name(path), None, message) from None

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        arrays: dict[str, np.ndarray] = {
            "text": self.words.buffer,
            "lengths": self.words.spans[:, 1] - self.words.spans[:, 0],
            "neighbours": self.neighbours,
        }
        if self.vectors is not None:
            arrays["vectors"] = self.vectors
        write_arrays(path, MAGIC, self.about, arrays)

    @functools.cached_property
    def name(self) -> str:
        """The kind of thesaurus and the first digits of a SHA-256 of words and neighbours.

        >>> LSA(Lines.of(["a", "b"]), np.array([[1], [0]])).name
        'lsa-5d7ed89a'
        """
        digest = hashlib.sha256("\n".join(self.words).encode())
        digest.update(np.ascontiguousarray(self.neighbours, "<i8").tobytes())
        return f"lsa-{digest.hexdigest()[:8]}"

    def __repr__(self) -> str:
        return f"LSA({self.name}, {len(self.words)} words, {self.neighbours.shape[1]} neighbours)"

    def substitutable(
        self,
        words: Lines,
        left: Ints,
        right: Ints,
        tags: Sequence[str] | None,
        threads: int = 0,
    ) -> NDArray[np.bool_]:
        """For each pair of rows of `words` whether right is a neighbour of left."""
        del tags
        numbers = word_numbers(self._vocabulary, words, threads)
        old, new = numbers[left], numbers[right]
        known = np.flatnonzero((old >= 0) & (new >= 0))
        old, new = old[known], new[known]
        near = np.zeros(len(known), np.bool_)
        for column in self._columns:
            near |= column[old] == new
        found = np.zeros(len(left), np.bool_)
        found[known] = near
        return found

    def nearest(self, word: str) -> list[str]:
        """The neighbours of a word, the most similar first; none of an unknown word.

        >>> LSA(Lines.of(["a", "b"]), np.array([[1], [0]])).nearest("a")
        ['b']
        """
        if word not in self._vocabulary:
            return []
        rows = self.neighbours[self._vocabulary[word]]
        return [self.words[row] for row in rows[rows < len(self.words)].tolist()]

    @functools.cached_property
    def _columns(self) -> Ids:
        """Neighbours of all words, column by column: a column of 20,000 words fits in a cache."""
        return np.ascontiguousarray(self.neighbours.T, np.int32)

    @functools.cached_property
    def _vocabulary(self) -> Vocabulary:
        vocabulary = Vocabulary()
        vocabulary.extend(self.words)
        return vocabulary


def feature_columns(words: Iterable[str], settings: LSASettings) -> tuple[NDArray[np.int32], int]:
    """The column of each word that is a feature, -1 for others, and how many columns there are.

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
    """The same words in a buffer that holds nothing else, one after the other."""
    return Lines.of(list(words))


def _of_arrays(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> LSA:
    ends = np.cumsum(arrays["lengths"], dtype=np.int64)
    words = Lines(arrays["text"], np.stack([ends - arrays["lengths"], ends], axis=1))
    neighbours = arrays["neighbours"].astype(np.int64)
    vectors = arrays.get("vectors")
    if len(ends) == 0 or ends[-1] != len(arrays["text"]) or neighbours.shape[0] != len(words):
        raise ValueError("shapes")
    whole = arrays["neighbours"].dtype.kind == "u" and arrays["lengths"].dtype.kind == "u"
    if not whole or neighbours.ndim != 2 or (neighbours > len(words)).any():
        raise ValueError("neighbours")
    if vectors is not None and (vectors.ndim != 2 or len(vectors) != len(words)):
        raise ValueError("vectors")
    made = LSA(words, neighbours, vectors, about)
    _ = made._vocabulary  # words that are no UTF-8, or stand twice, show here
    return made
