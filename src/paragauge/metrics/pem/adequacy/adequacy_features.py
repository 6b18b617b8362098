"""What the learned adequacy reads off a candidate and its source: which words changed, and how much.

    the changes of words          from an alignment of both (`word_changes.py`)
    wording_target_...            precision, recall and F1 of the n-grams of stems, orders 1 to 4
    wording_target1_...           the same of single stems
    wording_letters_...           the same of character n-grams, the mean over orders 1 to 6
    wording_length, ..._ratio     the logarithm of the source's length, and of the candidate's by it

With an encoder, `context_changes.py` adds how much the words of both agree in their contexts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.kernels.word_layout import FEATURES
from paragauge.metrics.pem.adequacy.polarity import match_lines
from paragauge.metrics.pem.adequacy.quantities import numbers_disagree
from paragauge.metrics.pem.adequacy.spelling import unify_spelling
from paragauge.metrics.pem.adequacy.word_changes import measure_changes, plain_text
from paragauge.metrics.pem.features import MEASURES, pair_features, same_text
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines, segment_of_line

WORDING = (
    *(f"{bag}_{measure}" for bag in ("target", "target1", "letters") for measure in MEASURES),
    "length_ratio",
    "length",
)
NAMES = (*FEATURES, *(f"wording_{name}" for name in WORDING))
LENGTHS = [NAMES.index(f"length_{side}") for side in ("candidate", "source")]
NUMBERS = [NAMES.index(f"number_{side}") for side in ("candidate", "source", "both")]
NUMBER_BOTH = NAMES.index("number_both")
OVERLAPS = ("target_f1", "letters_f1")
SIMILARITY = [NAMES.index(f"wording_{name}") for name in OVERLAPS]


def compared_lines(
    batch: Batch, system: str, places: Sequence[int] | None = None
) -> tuple[Lines, Lines]:
    """The system's candidate for each source line of the batch, and the source lines, in plain text.

    With `places`, only those of the source lines with these numbers.

    Contractions are written in full, and British forms as American ones. A
    candidate that then differs from its source in case, punctuation or white space only is the source.

    >>> batch = Batch.of({"a": ["x", "it rains"]}, sources=["s", ["It rained.", "It rains."]])
    >>> [list(lines) for lines in compared_lines(batch, "a")]
    [['x', 'it rains', 'It rains.'], ['s', 'It rained.', 'It rains.']]
    """
    sources = batch.sources
    if sources is None:
        raise InputError("expected sources, found none")
    texts, segment = sources.lines, segment_of_line(sources.groups, len(sources.lines)).tolist()
    candidates = batch.systems[system]
    if places is not None:
        texts = Lines.of([texts[place] for place in places])
        candidates = Lines.of([candidates[segment[place]] for place in places])
        segment = list(range(len(texts)))
    plain_sources = [plain_text(text) for text in texts]
    plain = [plain_text(text) for text in candidates]
    theirs = [unify_spelling(text) for text in plain_sources]
    lines = [unify_spelling(text) for text in plain]
    mine = [
        # In capitals, contractions are not recognized.
        source
        if same_text(lines[i], source)
        or ((plain[i], before) != (lines[i], source) and same_text(plain[i], before))
        else lines[i]
        for i, source, before in zip(segment, theirs, plain_sources, strict=True)
    ]
    return Lines.of(mine), Lines.of(theirs)


def measure_pairs(
    candidates: Lines, sources: Lines, weights: WordWeights, threads: int = 0, first: int = 0
) -> Floats:
    """The features of each candidate with its source, [lines, NAMES]; see `measure_changes`.

    >>> from paragauge.metrics.pem import WordWeights
    >>> columns = Lines.of(["He did not come."]), Lines.of(["He came."])
    >>> measure_pairs(*columns, WordWeights.default()).shape == (1, len(NAMES))
    True
    """
    mine, theirs = match_lines(candidates, sources)
    changes = measure_changes(mine, theirs, weights, threads, first)
    _settle_numbers(changes, candidates, sources)
    return np.hstack([changes, pair_features(WORDING, weights, candidates, sources, threads)])


def _settle_numbers(changes: Floats, candidates: Lines, sources: Lines) -> None:
    """Forget numbers that differ on both sides, in `changes` [n, FEATURES], if they say the same."""
    for place in np.flatnonzero(changes[:, NUMBER_BOTH] > 0).tolist():
        if not numbers_disagree(candidates[place], sources[place]):
            changes[place, NUMBERS] = 0.0


def has_disagreeing_numbers(rows: Floats) -> NDArray[np.bool_]:
    """Whether each side has a number that the other lacks, by the features [n, NAMES or more]."""
    return np.asarray(rows[:, NUMBER_BOTH] > 0)


def has_words(rows: Floats) -> NDArray[np.bool_]:
    """Whether candidate and source both have words, by the features [n, NAMES or more] of pairs."""
    return np.asarray((rows[:, LENGTHS[0]] > 0) & (rows[:, LENGTHS[1]] > 0))


def measure_dissimilarity(rows: Floats) -> Floats:
    """The share of new wording of pairs with these features [n, NAMES or more]; see `new_wording`.

    Sentences without words have nothing in common.
    """
    return np.where(has_words(rows), new_wording(rows[:, SIMILARITY]), 1.0)


def new_wording(similarities: Floats) -> Floats:
    """The share of new wording, from 0 to 1, of pairs with these two F1 (`OVERLAPS`) [n, 2].

        1 - (F1 of n-grams of stems + F1 of character n-grams) / 2

    Words alone would take a misspelled or inflected word for new wording.

    >>> new_wording(np.array([[1.0, 1.0], [0.2, 0.6]])).round(3).tolist()
    [0.0, 0.6]
    """
    return np.asarray(1.0 - (similarities[:, 0] + similarities[:, 1]) / 2)
