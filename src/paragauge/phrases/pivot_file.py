"""The arrays of a pivot, and its compact file.

Words of both languages share one numbering, most frequent first, so that an unknown word that passes
through matches the same spelling in the pivot language. Phrases are sorted by their numbers and stored
as the length of the prefix that they share with the phrase before, and the rest.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError
from paragauge.kernels.layout import Ids, Ints
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged

MAGIC = b"PGPIVOT1"


@dataclass(frozen=True, eq=False)
class PivotArrays:
    """The parts of a pivot.

    `words` of both languages; `phrases` with their `counts`, whose sum before any phrase was dropped
    is `total`; for each phrase its edges, most probable first: `targets` are rows of
    `target_phrases`, `edge_counts` how often the pair was extracted. Edges of probability `floor` or
    less are missing, but for the most probable one. `documents` is how many of the `sentences` of the
    pivot side have each word, `source_documents` the same for the other side. `about` says how it was
    made.
    """

    language: str
    words: Lines
    phrases: Ragged
    counts: Ints
    total: int
    edge_offsets: Ints
    targets: Ids
    edge_counts: Ints
    target_phrases: Ragged
    floor: float
    documents: Ints
    source_documents: Ints
    sentences: int
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Of each edge, given its phrase."""
        sizes = np.diff(self.edge_offsets)
        return np.asarray(self.edge_counts / np.repeat(self.counts, sizes))

    @functools.cached_property
    def fingerprint(self) -> str:
        """A SHA-256 of everything that determines bags."""
        digest = hashlib.sha256(
            f"{self.language}|{self.total}|{self.floor!r}|{self.sentences}".encode()
        )
        for array in (
            *(self.words.buffer, self.words.spans),
            *(self.phrases.ids, self.phrases.offsets, self.counts),
            *(self.edge_offsets, self.targets, self.edge_counts),
            *(self.target_phrases.ids, self.target_phrases.offsets),
            *(self.documents, self.source_documents),
        ):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def write_pivot(path: str | Path, pivot: PivotArrays) -> None:
    """Write the compact file."""
    about = {
        "language": pivot.language,
        "total": pivot.total,
        "floor": pivot.floor,
        "sentences": pivot.sentences,
        "about": pivot.about,
    }
    write_arrays(path, MAGIC, about, _pack(pivot))


def read_pivot(path: str | Path) -> PivotArrays:
    """Read the compact file; a damaged one, or another file, is an error."""
    about, arrays = read_arrays(path, MAGIC, "a pivot")
    try:
        return _unpack(about, arrays)
    except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
        raise FileFormatError(
            display_name(path), None, f"expected a pivot of this version ({error}); make it again"
        ) from None


def _pack(pivot: PivotArrays) -> dict[str, np.ndarray]:
    texts = [word.encode() for word in pivot.words]
    return {
        "words": np.frombuffer(b"".join(texts), np.uint8),
        "word_sizes": np.array([len(text) for text in texts], np.int64),
        "documents": pivot.documents,
        "source_documents": pivot.source_documents,
        **_front_code("phrase", pivot.phrases),
        "counts": pivot.counts,
        "edges": np.diff(pivot.edge_offsets),
        "targets": pivot.targets,
        "edge_counts": pivot.edge_counts,
        **_front_code("target", pivot.target_phrases),
    }


def _unpack(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> PivotArrays:
    ends = np.cumsum(arrays["word_sizes"].astype(np.int64))
    spans = np.stack([ends - arrays["word_sizes"].astype(np.int64), ends], axis=1)
    buffer = np.ascontiguousarray(arrays["words"], np.uint8)
    if spans.size and spans[-1, 1] != len(buffer):
        raise ValueError("words")
    buffer.tobytes().decode("utf-8")
    phrases, target_phrases = _front_decode("phrase", arrays), _front_decode("target", arrays)
    edges = arrays["edges"].astype(np.int64)
    pivot = PivotArrays(
        str(about["language"]),
        Lines(buffer, np.ascontiguousarray(spans, np.int64)),
        phrases,
        arrays["counts"].astype(np.int64),
        int(about["total"]),
        np.concatenate([[0], np.cumsum(edges)]).astype(np.int64),
        arrays["targets"].astype(np.int32),
        arrays["edge_counts"].astype(np.int64),
        target_phrases,
        float(about["floor"]),
        arrays["documents"].astype(np.int64),
        arrays["source_documents"].astype(np.int64),
        int(about["sentences"]),
        dict(about["about"]),
    )
    _check(pivot)
    return pivot


def _check(pivot: PivotArrays) -> None:
    """Raise an error if the parts are inconsistent."""
    words = len(pivot.words)
    fits = (
        len(pivot.documents) == words == len(pivot.source_documents)
        and len(pivot.counts) == len(pivot.phrases) == len(pivot.edge_offsets) - 1
        and len(pivot.targets) == len(pivot.edge_counts) == pivot.edge_offsets[-1]
        and pivot.total >= 1
        and bool((pivot.counts > 0).all())
        and bool((pivot.edge_counts > 0).all())
        and bool((np.diff(pivot.edge_offsets) > 0).all())
        and bool((pivot.phrases.lengths > 0).all())
        and all(
            0 <= int(part.ids.min(initial=0)) <= int(part.ids.max(initial=0)) < max(words, 1)
            for part in (pivot.phrases, pivot.target_phrases)
        )
        and int(pivot.targets.min(initial=0)) >= 0
        and int(pivot.targets.max(initial=-1)) < len(pivot.target_phrases)
    )
    if not fits:
        raise ValueError("parts that do not fit")


def _front_code(name: str, phrases: Ragged) -> dict[str, np.ndarray]:
    """Phrases as the number of words shared with the phrase before, and the other words."""
    lengths = phrases.lengths
    shared = np.zeros(len(lengths), np.int64)
    if len(lengths) > 1:
        padded = phrases.pad()
        same = (padded[1:] == padded[:-1]) & (padded[1:] >= 0)
        shared[1:] = np.cumprod(same, axis=1).sum(axis=1)
    position = np.arange(len(phrases.ids)) - np.repeat(phrases.offsets[:-1], lengths)
    rest = position >= np.repeat(shared, lengths)
    return {
        f"{name}_shared": shared,
        f"{name}_sizes": lengths - shared,
        f"{name}_words": phrases.ids[rest],
    }


def _front_decode(name: str, arrays: dict[str, np.ndarray]) -> Ragged:
    shared = arrays[f"{name}_shared"].astype(np.int64)
    sizes = arrays[f"{name}_sizes"].astype(np.int64)
    lengths = shared + sizes
    if lengths.size and int(lengths.max()) > 1 << 10:
        raise ValueError("phrases")
    words = arrays[f"{name}_words"].astype(np.int32)
    if len(shared) != len(sizes) or sizes.sum() != len(words):
        raise ValueError("phrases")
    longest = int(lengths.max(initial=0))
    padded = np.full((len(lengths), longest), -1, np.int32)
    rows = np.repeat(np.arange(len(lengths)), sizes)
    starts = np.cumsum(sizes) - sizes
    padded[rows, np.arange(len(words)) - np.repeat(starts - shared, sizes)] = words
    # A shared word is the last one written in its column.
    for column in range(longest):
        own = padded[:, column] >= 0
        source = np.maximum.accumulate(np.where(own, np.arange(len(own)), 0))
        is_shared = shared > column
        padded[is_shared, column] = padded[source[is_shared], column]
    # Sorted, so that none stands twice: after what it shares, each has a larger word than the last one.
    row, place = np.arange(1, len(lengths)), np.minimum(shared[1:], max(longest - 1, 0))
    if not ((shared[1:] < lengths[1:]) & (padded[row, place] > padded[row - 1, place])).all():
        raise ValueError("the order of phrases")
    inside = np.arange(longest)[None, :] < lengths[:, None]
    return Ragged(padded[inside], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
