"""Sentence pairs that mean the same, told from others by an encoder.

Descriptions of one video, or captions of one picture, are collected as paraphrases, but many of them
are not: "two men are wrestling" and "a man is singing" may be about two parts of the same clip. Phrase
pairs extracted from them exchange persons and actions. A pair is kept if the cosine of its sentence
vectors (`metrics/context/cosine.py`), times 100, is at least a threshold. This is the filter by
sentence similarity that is common for mined bitext (Artetxe and Schwenk 2019), with a plain threshold
because pairs are given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED, open_encoder
from paragauge.errors import SettingError
from paragauge.kernels.layout import Floats
from paragauge.metrics.context.pair_vectors import check_script
from paragauge.text.bitext import Bitext
from paragauge.text.lines import LineGroups
from paragauge.text.progress import Progress, silent

MIN_SIMILARITY = 70.0
BATCH = 1 << 12  # sentence pairs


@dataclass(frozen=True)
class FilteredPairs:
    """The pairs that were kept, and how many were dropped."""

    bitext: Bitext
    dropped: int


def check_similarity(value: float, name: str = "min_similarity") -> None:
    """Reject a threshold that is not a number from 0 to 100.

    >>> check_similarity(101)
    Traceback (most recent call last):
    paragauge.errors.SettingError: min_similarity: expected a number from 0 to 100, found 101
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 100:
        raise SettingError(f"{name}: expected a number from 0 to 100, found {value!r}")


def pair_similarities(
    bitext: Bitext, encoder: str = SHIPPED, *, threads: int = 0, progress: Progress = silent
) -> Floats:
    """The cosine of the two sides of each pair, times 100, float64 [pairs]; 0 if a side is empty.

    >>> same, other = pair_similarities(
    ...     Bitext.of(["a man is singing", "a man is singing"], ["a man sings", "a cat jumps"])
    ... )
    >>> bool(same > 70 > other)
    True
    """
    model = open_encoder(encoder)
    values = np.zeros(len(bitext), np.float64)
    for start in range(0, len(bitext), BATCH):
        progress(f"comparing the sides of {start:,} pairs")
        batch = bitext[start : start + BATCH]
        check_script("the similarity of pairs", batch.name, model, LineGroups(batch.target))
        left, right = (list(lines) for lines in (batch.source, batch.target))
        texts = list(dict.fromkeys(text for text in (*left, *right) if text))
        vectors = model.encode(texts, (), threads=threads).sentences.astype(np.float64)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        numbers = {text: number for number, text in enumerate(texts)}
        for place, (source, target) in enumerate(zip(left, right, strict=True)):
            if source and target:
                cosine = vectors[numbers[source]] @ vectors[numbers[target]]
                values[start + place] = 100 * float(cosine)
    return values


def similarity_steps(pairs: int) -> int:
    """How often `pair_similarities` reports progress.

    >>> similarity_steps(10_000)
    3
    """
    return -(-pairs // BATCH)


def filter_pairs(
    bitext: Bitext,
    min_similarity: float = MIN_SIMILARITY,
    encoder: str = SHIPPED,
    *,
    threads: int = 0,
    progress: Progress = silent,
) -> FilteredPairs:
    """The pairs whose sides are at least this similar; 0 keeps all pairs and loads no encoder.

    >>> bitext = Bitext.of(["a man is singing"] * 2, ["a cat jumps", "a man sings"])
    >>> filtered = filter_pairs(bitext)
    >>> filtered.bitext[0], filtered.dropped
    (('a man is singing', 'a man sings'), 1)
    """
    check_similarity(min_similarity)
    if min_similarity == 0:
        return FilteredPairs(bitext, 0)
    values = pair_similarities(bitext, encoder, threads=threads, progress=progress)
    kept = np.flatnonzero(values >= min_similarity)
    return FilteredPairs(bitext.take(kept), len(bitext) - len(kept))
