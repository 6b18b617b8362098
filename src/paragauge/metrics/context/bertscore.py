"""BERTScore (Zhang et al. 2020): greedy matching of word pieces by the cosine of their vectors.

With x_1 ... x_m the candidate's and y_1 ... y_n the reference's vectors in one layer, all of length 1,
and w the weights of pieces,

    P = sum of w(x_i) max_j x_i . y_j / sum of w(x_i)
    R = sum of w(y_j) max_i x_i . y_j / sum of w(y_j)        F = 2 P R / (P + R)

`part` chooses F (default), P or R. Weights are 1, or with `idf=FILE` the inverse document frequencies

    w(piece) = ln((M + 1) / (M(piece) + 1))

in the M lines of that text file, of which M(piece) contain the piece. The authors' tool counts them in
the references that it is given; name the file of the references to do the same. Here it is a file
because a corpus is read in parts, and a segment's score must not depend on its neighbors.

The special pieces at both ends can be matched but have weight 0, as in the authors' tool. `layer` is
the one whose vectors are compared: 4 of 6 for the encoder that ships, chosen on newstest2015.
`baseline=b` rescales P, R and F to (value - b) / (1 - b), the paper's section 3; it changes no ranking.

With several references, P, R and F are each the largest over the references (the authors' tool;
`several=mean`: the mean). `against=sources` compares with the source, for paraphrases without
references. Values are times 100. Segments where one text is empty score 0; where both are, they have no
value. The statistics are (value, 1, precision, recall).
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from paragauge.encode.encoder import Vectors
from paragauge.encode.encoder_by_name import open_encoder
from paragauge.encode.row_products import row_products
from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.metrics.context.explanation import (
    ContextExplanation,
    Match,
    Matching,
    Term,
    harmonic_weights,
)
from paragauge.metrics.context.pair_vectors import ContextMetric, ExplainedPair, TextVectors
from paragauge.metrics.settings import setting
from paragauge.text.line_reader import LineReader

# Lines of the file for idf that are cut into pieces at a time.
LINES = 1 << 12


@dataclass(frozen=True)
class BERTScore(ContextMetric):
    """Precision, recall and F of word pieces matched by their contextual vectors.

    >>> metric = BERTScore()
    >>> score = metric.score(["The cat sat."], references=["A cat was sitting."])
    >>> 50 < score.value < 100, sorted(score.parts)
    (True, ['precision', 'recall'])
    """

    name: ClassVar[str] = "BERTScore"
    summary: ClassVar[str] = "word pieces matched by contextual vectors (needs an encoder)"
    part_names: ClassVar[tuple[str, ...]] = ("precision", "recall")

    layer: int = setting(4, low=0, high=200, help="the encoder's layer whose vectors are compared")
    part: Literal["f", "precision", "recall"] = setting(
        "f", choices=("f", "precision", "recall"), help="what the score is"
    )
    idf: str | None = setting(None, help="a text file in which document frequencies are counted")
    baseline: float = setting(0.0, low=0, high=0.99, help="what rescaling maps to 0")

    @property
    def used_layers(self) -> tuple[int, ...]:
        """The one layer."""
        return (self.layer,)

    def compare(self, candidate: TextVectors, other: TextVectors) -> Sequence[float]:
        """F (or what `part` says), P and R."""
        cosines = _cosines(candidate, other)
        precision = _mean(cosines.max(axis=1), self._weights(candidate))
        recall = _mean(cosines.max(axis=0), self._weights(other))
        both = precision + recall
        f = 2 * precision * recall / both if both else 0.0
        precision, recall, f = (self._rescale(value) for value in (precision, recall, f))
        value = {"f": f, "precision": precision, "recall": recall}[self.part]
        return value, precision, recall

    def explain(self, candidate: str, other: str) -> ContextExplanation:
        """Which piece matches which, and what that adds to precision, recall and F.

        `other` is the reference, or the source with `against="sources"`.

        >>> explanation = BERTScore().explain("A big dog", "The large dog")
        >>> [explanation.candidate.label(match.piece) for match in explanation.matchings[0].matches]
        ['A', 'big', 'dog']
        >>> abs(sum(term.adds for term in explanation.terms) - explanation.value) < 1e-9
        True
        """
        pair = self.read_pair(candidate, other, self.used_layers)
        matchings = () if pair.note else self._matchings(pair)
        return ContextExplanation(
            self.name,
            pair.value,
            self.signature,
            pair.texts,
            pair.candidate,
            pair.other,
            self._terms(matchings),
            layer=self.layer,
            matchings=matchings,
            note=pair.note,
        )

    def _matchings(self, pair: ExplainedPair) -> tuple[Matching, ...]:
        """The pieces that count on each side, with their partners."""
        cosines = _cosines(pair.mine, pair.theirs)
        _, *values = self.compare(pair.mine, pair.theirs)
        matchings = []
        for name, value, text, table in (
            ("precision", values[0], pair.mine, cosines),
            ("recall", values[1], pair.theirs, cosines.T),
        ):
            weights = self._weights(text)
            shares = 100 * weights / max(float(weights.sum()), 1e-12)
            partners = table.argmax(axis=1)
            matches = tuple(
                Match(
                    piece,
                    int(partners[piece]),
                    float(table[piece].max()),
                    float(weights[piece]),
                    float(self._rescale(table[piece].max()) * shares[piece]),
                )
                for piece in range(1, len(table) - 1)
            )
            matchings.append(Matching(name, 100 * value, matches))
        return tuple(matchings)

    def _terms(self, matchings: Sequence[Matching]) -> tuple[Term, ...]:
        """Precision and recall with the weights that make them add up to the score."""
        if not matchings:
            return ()
        values = [matching.value for matching in matchings]
        # The weights of F are those of the cosines before rescaling, which add up to 1.
        cosines = [value * (1 - self.baseline) + 100 * self.baseline for value in values]
        weights = {"f": harmonic_weights(*cosines), "precision": (1.0, 0.0), "recall": (0.0, 1.0)}
        return tuple(
            Term(matching.name, value, weight)
            for matching, value, weight in zip(matchings, values, weights[self.part], strict=True)
        )

    def _rescale(self, value: float) -> float:
        return (value - self.baseline) / (1 - self.baseline)

    def _weights(self, text: TextVectors) -> Floats:
        """The weight of each piece; 0 for the special ones at both ends."""
        weights = np.ones(len(text.pieces))
        if self.idf is not None:
            frequencies, lines, _ = _document_frequencies(self.encoder, self.idf)
            weights = np.array(
                [
                    math.log((lines + 1) / (frequencies.get(piece, 0) + 1))
                    for piece in text.pieces.tolist()
                ]
            )
        weights[0] = weights[-1] = 0
        return weights

    def extra_signature(self) -> dict[str, str]:
        """The fingerprints of the encoder and of the file for idf."""
        extra = super().extra_signature()
        if self.idf is not None:
            extra["idffile"] = _document_frequencies(self.encoder, self.idf)[2]
        return extra


def _cosines(candidate: TextVectors, other: TextVectors) -> Floats:
    """The cosine of each piece of one text to each of the other."""
    return row_products(_unit(candidate.vectors[0]), _unit(other.vectors[0]))


def _unit(vectors: Vectors) -> Floats:
    """The vectors with length 1, in float64 so that a piece and its copy have a cosine of 1."""
    exact = vectors.astype(np.float64)
    return np.asarray(exact / np.maximum(np.linalg.norm(exact, axis=1, keepdims=True), 1e-12))


def _mean(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0


@functools.lru_cache(maxsize=4)
def _document_frequencies(encoder: str, path: str) -> tuple[dict[int, int], int, str]:
    """In how many lines of a file each piece occurs, the number of lines, and a fingerprint."""
    counts: Counter[int] = Counter()
    lines = 0
    digest = hashlib.sha256()
    opened = open_encoder(encoder)
    with LineReader(path) as reader:
        while len(block := reader.read(LINES)):
            texts = list(block)
            lines += len(texts)
            digest.update("\n".join([*texts, ""]).encode())
            for pieces in opened.pieces(texts):
                counts.update(set(pieces.tolist()))
    if lines == 0:
        raise InputError(f"{path}: expected lines of text to count idf in, found none")
    return dict(counts), lines, digest.hexdigest()[:8]
