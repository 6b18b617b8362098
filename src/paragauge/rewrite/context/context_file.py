"""The classifiers of all words as arrays, and the file that stores them.

The file is an array file (`text/array_file.py`) of the words and, for each word, the sorted hashes of
its features, stored as differences, and its weights of 8 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError
from paragauge.kernels.layout import Ints
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name

MAGIC = b"PGCONTX1"
WHAT = "a context model"


@dataclass(frozen=True, eq=False)
class Classifiers:
    """The classifiers of all words, one after the other.

    `offsets` int64 [words + 1] says where the features (uint32 hashes, sorted within each word) and
    weights (int8) of each word are; weights and `biases` (int32) are multiplied by `scales` (float64).
    `counts` int64 [words, 4] are the numbers of positives, negatives, held-out examples, and held-out
    examples that were classified correctly.
    """

    offsets: Ints
    features: NDArray[np.uint32]
    weights: NDArray[np.int8]
    scales: NDArray[np.float64]
    biases: NDArray[np.int32]
    counts: Ints

    @classmethod
    def join(cls, parts: list[Classifiers]) -> Classifiers:
        """Join the classifiers of all parts."""
        starts = np.cumsum([0, *(len(part.features) for part in parts)])
        offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts, strict=False)]
        names = ("features", "weights", "scales", "biases", "counts")
        return cls(
            np.concatenate([*offsets, starts[-1:]]).astype(np.int64),
            *(np.concatenate([getattr(part, name) for part in parts]) for name in names),
        )


def write_classifiers(
    path: str | Path,
    words: Sequence[str],
    occurrences: Ints,
    classifiers: Classifiers,
    about: Mapping[str, Any],
) -> None:
    """Write a file for `read_classifiers`; it appears complete or not at all."""
    c = classifiers
    arrays: dict[str, NDArray[Any]] = {
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
        "occurrences": occurrences,
        "offsets": c.offsets,
        # Differences, which wrap around at the first feature of a word.
        "features": np.diff(c.features, prepend=np.zeros(1, np.uint32)),
        "weights": c.weights.view(np.uint8),
        "scales": c.scales,
        "biases": c.biases.view(np.uint32),
        "counts": c.counts,
    }
    write_arrays(path, MAGIC, about, arrays)


def read_classifiers(path: str | Path) -> tuple[list[str], Ints, Classifiers, dict[str, Any]]:
    """Read words, their occurrences, their classifiers, and the file's description of itself."""
    about, arrays = read_arrays(path, MAGIC, WHAT)
    try:
        text = arrays["words"].astype(np.uint8).tobytes().decode("utf-8")
        classifiers = Classifiers(
            arrays["offsets"].astype(np.int64),
            np.cumsum(arrays["features"].astype(np.uint32), dtype=np.uint32),
            arrays["weights"].astype(np.uint8).view(np.int8),
            arrays["scales"].astype(np.float64),
            arrays["biases"].astype(np.uint32).view(np.int32),
            arrays["counts"].astype(np.int64).reshape(-1, 4),
        )
        occurrences = arrays["occurrences"].astype(np.int64)
    except (KeyError, ValueError) as error:
        raise model_error(path, error) from None
    return text.split("\n") if text else [], occurrences, classifiers, about


def model_error(path: str | Path, error: Exception) -> FileFormatError:
    """The error for a file whose arrays are not those of a model.

    >>> print(model_error("m.bin", ValueError("no weights")))
    m.bin: expected a context model of this version (no weights); train it again
    """
    message = f"expected {WHAT} of this version ({error}); train it again"
    return FileFormatError(display_name(path), None, message)
