"""Brown clusters (Brown et al. 1992) as a thesaurus: words that have the same neighbors.

Words are merged into clusters so that the mutual information of adjacent clusters stays as large as
possible; `kernels/reference/rewrite/brown.py` describes how. Kauchak and Barzilay (2006, section 4.1.3)
build 1,000 clusters from 112 million words and keep the 20 most frequent words of each as paraphrases:
here w may replace r if both are in one cluster and w is among its most frequent words.

Bigrams are counted within lines, over words that occur at least `min_count` times (the paper does not
say how it treats rare words); a bigram with a rarer word is not counted. Text is in lowercase Penn
tokens. Time: O(tokens + V C^2) for V words in C clusters (Liang 2005); memory: O(C^2) plus
vocabulary and bigrams.

Clusters are stored in the `paths` format of Liang (2005), which other tools read and write, one word
per line:

    bit string of the cluster, tab, word, tab, number of occurrences of the word

The bit string is the path from the root of the hierarchy to the cluster: clusters with a long common
prefix were merged early. Lines are written cluster by cluster, the most frequent word first, and may be
read in any order.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.rewrite.thesauri.frequent_words import FrequentWords, word_numbers
from paragauge.text.files import atomic, display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import pluralize

LINES, BYTES = 1 << 16, 1 << 23
BITS = re.compile("[01]+")
COUNT = re.compile("[0-9]{1,18}")
EXPECTED = "expected a bit string, a word and a count with tabs between, "
Row = tuple[str, str, int]


def write_paths(path: str | Path, rows: Sequence[Row]) -> None:
    """Write rows (bits, word, count); a name that ends in .gz or .zst asks for compression."""
    ordered = sorted(rows, key=lambda row: (row[0], -row[2]))
    with atomic(path) as out:
        out.writelines(f"{bits}\t{word}\t{count}\n" for bits, word, count in ordered)


def read_paths(path: str | Path) -> list[Row]:
    """Read the rows of a file, in their order."""
    rows = []
    seen: dict[str, int] = {}
    for number, row in enumerate(_parse_lines(path), 1):
        before = seen.setdefault(row[1], number)
        if before != number:
            message = f"the word {row[1]!r} is also in line {before}; leave one out"
            raise FileFormatError(display_name(path), number, message)
        rows.append(row)
    if not rows:
        raise FileFormatError(display_name(path), None, f"{EXPECTED}found an empty file")
    return rows


def _parse_lines(path: str | Path) -> Iterator[Row]:
    with LineReader(path) as reader:
        while lines := reader.read(LINES, BYTES):
            first = reader.line - len(lines) + 1
            for number, line in enumerate(lines, first):
                yield _parse_line(line, path, number)


def _parse_line(line: str, path: str | Path, number: int) -> Row:
    fields = line.split("\t")
    if len(fields) != 3:
        problem = f"found {pluralize(len(fields), 'field')}"
    elif not BITS.fullmatch(fields[0]):
        problem = f"found {fields[0][:40]!r} as bits"
    elif len(fields[1].split()) != 1:
        problem = f"found {fields[1][:40]!r} as a word"
    elif not COUNT.fullmatch(fields[2]):
        problem = f"found {fields[2][:40]!r} as a count"
    else:
        return fields[0], fields[1].strip(), int(fields[2])
    message = f"{EXPECTED}{problem}; train clusters with: paragauge rewrite train brown"
    raise FileFormatError(display_name(path), number, message)


CLUSTERS = 1000
MIN_COUNT = 5
TOP = 20
MOST_CLUSTERS = 10_000
MERGES = 500  # between two reports of progress


@dataclass(frozen=True, eq=False)
class BrownClusters:
    """Words in clusters, as rows (bit string, word, count).

    >>> rows = [("0", "cat", 9), ("0", "dog", 7), ("0", "newt", 1), ("1", "ran", 3)]
    >>> clusters = BrownClusters(rows, top=2)
    >>> words = Lines.of(["cat", "dog", "newt", "ran"])
    >>> left, right = np.array([0, 2, 0, 0]), np.array([1, 0, 2, 3])
    >>> clusters.substitutable(words, left, right, None).tolist()
    [True, True, False, False]
    """

    rows: Sequence[Row]
    top: int = TOP
    about: Mapping[str, Any] = field(default_factory=dict)

    needs_tags = False

    def __post_init__(self) -> None:
        check_number("top", self.top, 1, 1_000_000)

    @classmethod
    def open(cls, path: str | Path, top: int = TOP) -> BrownClusters:
        """Read the clusters of a `paths` file; the `top` most frequent words of each are substitutes.

        >>> BrownClusters.open("none.paths")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.paths: no such file; check the path
        """
        return cls(read_paths(path), top)

    def save(self, path: str | Path) -> None:
        """Write a `paths` file."""
        write_paths(path, self.rows)

    @classmethod
    def train(
        cls,
        files: Sequence[str | Path],
        *,
        clusters: int = CLUSTERS,
        min_count: int = MIN_COUNT,
        top: int = TOP,
        folder: str | Path | None = None,
        threads: int = 0,
        progress: Progress = silent,
    ) -> BrownClusters:
        r"""Cluster the words of text files with one sentence per line.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     path = Path(place, "text")
        ...     _ = path.write_text("the cat sat . the dog sat . the cat ran . the dog ran . the\n")
        ...     trained = BrownClusters.train([path], clusters=4, min_count=1)
        >>> sorted(word for bits, word, _ in trained.rows if bits == trained.rows[2][0])
        ['cat', 'dog']
        """
        check_number("clusters", clusters, 1, MOST_CLUSTERS)
        check_number("min_count", min_count, 1, 2**62)
        check_number("top", top, 1, 1_000_000)
        with numbered_text(files, folder=folder, threads=threads, progress=progress) as text:
            frequent = FrequentWords.of(text, min_count=min_count)
            if not len(frequent.words):
                raise InputError(
                    f"expected words that occur {min_count} times or more, found none; "
                    "give more text or a smaller --min-count"
                )
            progress("counting bigrams")
            counter = _native.BigramCounter()
            for ids, offsets in frequent.batches():
                counter.add(ids, offsets)
            bigrams = counter.bigrams()
            about = {"tokens": text.tokens, "sentences": text.sentences, "bigrams": len(bigrams[0])}
        merges, losses = _merge_clusters(bigrams, len(frequent.words), clusters, threads, progress)
        paths = bit_strings(merges, len(frequent.words), clusters)
        counts = frequent.counts.tolist()
        rows = list(zip(paths, frequent.words, counts, strict=True))
        information = losses[max(0, len(frequent.words) - clusters) :].sum()
        return cls(rows, top, {**about, "information": float(information)})

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return len({bits for bits, _, _ in self.rows})

    @functools.cached_property
    def name(self) -> str:
        """The kind of thesaurus and the first digits of a SHA-256 of everything its answers depend on.

        >>> BrownClusters([("0", "a", 1)]).name
        'brown-558b028b'
        """
        digest = hashlib.sha256(f"{self.top}\n".encode())
        for bits, word, count in sorted(self.rows):
            digest.update(f"{bits}\t{word}\t{count}\n".encode())
        return f"brown-{digest.hexdigest()[:8]}"

    def __repr__(self) -> str:
        return f"BrownClusters({self.name}, {len(self.rows)} words, {self.clusters} clusters)"

    def substitutable(
        self,
        words: Lines,
        left: Ints,
        right: Ints,
        tags: Sequence[str] | None,
        threads: int = 0,
    ) -> NDArray[np.bool_]:
        """For each pair of rows of `words`, whether right is a frequent word of left's cluster."""
        del tags
        vocabulary, cluster, rank = self._tables
        numbers = word_numbers(vocabulary, words, threads)
        old, new = numbers[left], numbers[right]
        known = (old >= 0) & (new >= 0) & (old != new)
        return np.asarray(known & (cluster[old] == cluster[new]) & (rank[new] < self.top))

    def members(self, word: str) -> list[str]:
        """The words that may replace `word`, the most frequent first.

        >>> BrownClusters([("0", "cat", 9), ("0", "dog", 7), ("1", "ran", 3)]).members("cat")
        ['dog']
        """
        vocabulary, cluster, rank = self._tables
        if word not in vocabulary:
            return []
        number = vocabulary[word]
        others = np.flatnonzero((cluster == cluster[number]) & (rank < self.top))
        return [self.rows[i][1] for i in others[np.argsort(rank[others])].tolist() if i != number]

    @functools.cached_property
    def _tables(self) -> tuple[Vocabulary, Ints, Ints]:
        """The words, the cluster of each, and its rank by frequency in the cluster."""
        vocabulary = Vocabulary()
        vocabulary.extend([word for _, word, _ in self.rows])
        paths = sorted({bits for bits, _, _ in self.rows})
        number = {bits: i for i, bits in enumerate(paths)}
        cluster = np.array([number[bits] for bits, _, _ in self.rows], np.int64)
        counts = np.array([count for _, _, count in self.rows], np.int64)
        order = np.lexsort((np.arange(len(counts)), -counts, cluster))
        sizes = np.bincount(cluster)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return vocabulary, cluster, rank


def bit_strings(merges: NDArray[np.int32], words: int, clusters: int) -> list[str]:
    """The path of each word's cluster, from all merges (stays, goes); "0" if there is only one cluster.

    >>> bit_strings(np.array([[0, 2], [0, 1]], np.int32), 3, 2)
    ['0', '1', '0']
    """
    pairs = merges.tolist()
    first = max(0, words - clusters)  # merges before the clusters are complete
    paths = {0: "0" if clusters == 1 or words == 1 else ""}
    for stays, goes in reversed(pairs[first:]):
        paths[goes] = paths[stays] + "1"
        paths[stays] += "0"
    for stays, goes in reversed(pairs[:first]):
        paths[goes] = paths[stays]
    return [paths[word] for word in range(words)]


def check_number(name: str, value: int, least: int, most: int) -> None:
    """Reject a setting outside its limits.

    >>> check_number("clusters", 0, 1, 100)
    Traceback (most recent call last):
    paragauge.errors.SettingError: clusters: expected a whole number from 1 to 100, found 0
    """
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SettingError(
            f"{name}: expected a whole number from {least:,} to {most:,}, found {value!r}"
        )


def _merge_clusters(
    bigrams: tuple[NDArray[np.int32], NDArray[np.int32], Ints],
    words: int,
    clusters: int,
    threads: int,
    progress: Progress,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    progress("first clusters")
    clustering = _native.BrownClustering(*bigrams, words, clusters, threads)
    merges, losses = [np.zeros((0, 2), np.int32)], [np.zeros(0)]
    for done in range(0, words - 1, MERGES):
        progress(f"merging, {done:,} of {words - 1:,}")
        pairs, lost = clustering.merge(MERGES)
        merges.append(pairs)
        losses.append(lost)
    return np.concatenate(merges), np.concatenate(losses)
