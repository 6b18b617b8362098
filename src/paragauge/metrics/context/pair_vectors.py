"""What metrics of contextual vectors share: settings, checks, and a walk over pairs of texts.

A metric compares each candidate with the references or sources of its segment, line by line. All
systems of a batch are walked through together, some lines at a time, so that a reference is encoded
once for all systems and memory does not grow with the batch; the rows are kept with the batch until
the next one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.encode.encoder import Encoder, Vectors
from paragauge.encode.encoder_by_name import SHIPPED, open_encoder
from paragauge.errors import InputError, SettingError, ShapeError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.context.piece_words import CutText, cut_text
from paragauge.metrics.settings import normalize_setting, setting
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups, group_means, segment_of_line
from paragauge.text.tokenizers import Normalize, normalize_text

Against = Literal["references", "sources"]
Several = Literal["best", "mean"]
# Reference or source lines that are encoded at a time.
LINES = 128


@dataclass(frozen=True)
class TextVectors:
    """One text: pieces [n], spans [n, 2], vectors [layers, n, width], and the sentence's [width]."""

    pieces: Ints
    spans: Ints
    vectors: Vectors
    sentence: Vectors

    @property
    def is_empty(self) -> bool:
        """Whether it has nothing but the two special pieces."""
        return len(self.pieces) <= 2


@dataclass(frozen=True)
class ExplainedPair:
    """The score of two texts, None if both are empty, with their words, pieces and vectors."""

    value: float | None
    candidate: CutText
    other: CutText
    mine: TextVectors
    theirs: TextVectors

    @property
    def texts(self) -> dict[str, str]:
        """Both texts by their roles."""
        return {text.role: text.text for text in (self.candidate, self.other)}

    @property
    def note(self) -> str:
        """Which of the texts are empty, so that nothing can be compared."""
        empty = [
            text.role
            for text, vectors in ((self.candidate, self.mine), (self.other, self.theirs))
            if vectors.is_empty
        ]
        verb = "is" if len(empty) == 1 else "are"
        return f"The {' and the '.join(empty)} {verb} empty." if empty else ""


@dataclass(frozen=True)
class ContextMetric(MeanMetric):
    """A metric that compares the vectors of two texts; a corpus scores the mean of its segments."""

    # The columns that `compare` returns after the value, as the names of parts.
    part_names: ClassVar[tuple[str, ...]] = ()

    encoder: str = setting(SHIPPED, help="an encoder's folder or name; english comes with the package")
    against: Against = setting(
        "references", choices=get_args(Against), help="what a candidate is compared with"
    )
    several: Several = setting(
        "best", choices=get_args(Several), help="the best or the mean of several references or sources"
    )
    normalize: Normalize = normalize_setting()

    @property
    @abstractmethod
    def used_layers(self) -> tuple[int, ...]:
        """The layers whose vectors `compare` reads."""

    @abstractmethod
    def compare(self, candidate: TextVectors, other: TextVectors) -> Sequence[float]:
        """The value and the parts, from 0 to 1, of two texts that are not empty."""

    @property
    def needs(self) -> frozenset[str]:
        """References or sources."""
        return frozenset({self.against})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return self.encoder == SHIPPED

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """The layers that `compare` reads."""
        return {self.encoder: frozenset(self.used_layers)}

    def load_encoder(self) -> Encoder:
        """The encoder; an error if it lacks a layer."""
        return open_with_layers(f"{self.name} layer", self.encoder, self.used_layers)

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, parts) of each segment, times 100."""
        batch = batch.normalized(self.normalize)
        key = ("context", self)
        rows = batch.latest(key, "", lambda: self._rows(batch))[system]
        others = self._others(batch)
        segments = _combine(others, rows, self.several)
        return mean_stats(segments[:, 0], segments[:, 1:])

    def read_pair(self, candidate: str, other: str, layers: Sequence[int]) -> ExplainedPair:
        """The score of one pair, as `segments` gives it, and the vectors behind it in these layers."""
        role = self.against.removesuffix("s")
        for what, text in (("candidate", candidate), (role, other)):
            if not isinstance(text, str):
                raise ShapeError(
                    f"{what}: expected one sentence, found {type(text).__name__}; explain one pair "
                    "at a time"
                )
        inputs = {self.against: [other]}
        stats = self.batch_stats(Batch.of({"": [candidate]}, **inputs, threads=1, several=False), "")[0]
        candidate, other = (normalize_text(text, self.normalize) for text in (candidate, other))
        vectors = encode_texts(self.load_encoder(), [candidate, other], layers, 1)
        return ExplainedPair(
            float(stats[0]) if stats[1] else None,
            cut_text("candidate", candidate, vectors[candidate].spans),
            cut_text(role, other, vectors[other].spans),
            vectors[candidate],
            vectors[other],
        )

    def _others(self, batch: Batch) -> LineGroups:
        others = batch.references if self.against == "references" else batch.sources
        if others is None:
            raise InputError(f"expected {self.against}, found none")
        return others

    def _rows(self, batch: Batch) -> dict[str, Floats]:
        """The value and parts, times 100, of each system's candidates against each line."""
        encoder = self.load_encoder()
        others = self._others(batch)
        check_script(self.name, self.against, encoder, others)
        count = len(others.lines)
        segment = segment_of_line(others.groups, count)
        rows = {name: np.zeros((count, 1 + len(self.part_names))) for name in batch.systems}
        for start in range(0, count, LINES):
            numbers = range(start, min(start + LINES, count))
            texts = {number: others.lines[number] for number in numbers}
            candidates = {
                (name, int(segment[number])): lines[int(segment[number])]
                for name, lines in batch.systems.items()
                for number in numbers
            }
            vectors = encode_texts(
                encoder, [*texts.values(), *candidates.values()], self.used_layers, batch.threads
            )
            for name, table in rows.items():
                for number in numbers:
                    candidate = vectors[candidates[name, int(segment[number])]]
                    table[number] = self._row(candidate, vectors[texts[number]])
        return rows

    def _row(self, candidate: TextVectors, other: TextVectors) -> Floats:
        if candidate.is_empty and other.is_empty:
            return np.full(1 + len(self.part_names), np.nan)
        if candidate.is_empty or other.is_empty:
            return np.zeros(1 + len(self.part_names))
        return 100 * np.asarray(self.compare(candidate, other), np.float64)

    def parts(self, sums: Floats) -> dict[str, float]:
        """The means of the parts."""
        count = max(float(sums[1]), 1.0)
        return {
            name: float(value) / count for name, value in zip(self.part_names, sums[2:], strict=True)
        }

    def extra_signature(self) -> dict[str, str]:
        """The fingerprint of the encoder."""
        return {"fingerprint": open_encoder(self.encoder).fingerprint}


def open_with_layers(setting: str, name: str, layers: Sequence[int]) -> Encoder:
    """The encoder of this name; an error that names the metric and its setting if it lacks a layer.

    >>> open_with_layers("BERTScore layer", "english", [4]).width
    384
    """
    encoder = open_encoder(name)
    missing = [layer for layer in layers if layer not in encoder.layers]
    if missing:
        raise SettingError(
            f"{setting}: expected one of {', '.join(map(str, encoder.layers))}, which "
            f"encoder {name} has, found {missing[0]}"
        )
    return encoder


def encode_texts(
    encoder: Encoder, texts: Sequence[str], layers: Sequence[int], threads: int
) -> dict[str, TextVectors]:
    """The vectors of each distinct text.

    >>> encode_texts(open_encoder(), ["a", "a", ""], [4], 1)["a"].vectors.shape
    (1, 3, 384)
    """
    distinct = list(dict.fromkeys(texts))
    encoded = encoder.encode(distinct, layers, threads=threads)
    vectors = {}
    for number, text in enumerate(distinct):
        part = slice(int(encoded.offsets[number]), int(encoded.offsets[number + 1]))
        vectors[text] = TextVectors(
            encoded.pieces[part],
            encoded.spans[part],
            encoded.vectors[:, part],
            encoded.sentences[number],
        )
    return vectors


def _combine(others: LineGroups, rows: Floats, several: str) -> Floats:
    """One row per segment from one per line: the mean, or the largest of each column."""
    if several == "mean" or others.groups is None:
        return np.asarray(group_means(others.groups, rows))
    # NaN, where both texts are empty, is the largest only if there is nothing else.
    known = np.where(np.isnan(rows), -np.inf, rows)
    best = np.maximum.reduceat(known, others.groups[:-1], axis=0)
    return np.asarray(np.where(np.isneginf(best), np.nan, best))


def check_script(name: str, what: str, encoder: Encoder, others: LineGroups) -> None:
    """Refuse text that is plainly in another script than an English encoder's.

    >>> check_script("cosine", "references", open_encoder(), LineGroups.of(["plain English"]))
    """
    if encoder.language == "en" and others.lines.is_mostly_foreign():
        raise InputError(
            f"{what}: expected English, found mostly letters of another script; {name}'s encoder is "
            "English: give another one (--encoder FOLDER)"
        )
