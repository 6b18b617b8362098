"""The features of PEM: measurements of a source and a candidate, the input of the regression.

Liu, Dahlmeier and Ng (2010, section 4) have three:

    pivot_f1     adequacy: F1 of the two bags of pivot-language n-grams, orders 1 to 4
    fluency      P_n = ln Pr(S) / length(S) of the candidate, by the language model
    target_f1    similarity of wording: F1 of the two bags of n-grams, orders 1 to 4

The extended set adds precision and recall of both, which say what was added and what was lost; the
same over single words only (`pivot1`, `target1`); of character n-grams up to 6 (`letters`, the mean
over their orders); the length of the source and of the candidate relative to it; and `copy`, 1 if the
candidate is the source itself (`same_text`), else 0. With several pivot languages every pivot feature
is the mean over them.

Others are measured and are in neither set, because agreement with held-out ratings was no higher with
them (`benchmarks/papers/pem.py`): networks of single words (`word1`, which know what each word may mean
but not what the phrase means), and bags weighted by how informative words are (`idf`).

Words are stems if the model says so. In the weighted bags an n-gram counts as the mean inverse
document frequency of its words.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats, Ids, Ints
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import Encoder, TextForm
from paragauge.metrics.character_ngrams import letter_overlaps, ngram_overlaps
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.phrases.pivot_bags import ORDER, PivotBags, count_bags, idf, precision_recall_f1
from paragauge.phrases.pivot_network import NetworkSettings, Pivot
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines, segment_of_line
from paragauge.text.ragged import Ragged
from paragauge.text.vocabulary import Vocabulary

MEASURES = ("precision", "recall", "f1")
PIVOT_BAGS = ("pivot", "pivot1", "word1", "word1_idf")
TARGET_BAGS = ("target", "target1", "target1_idf")
PAPER = ("pivot_f1", "fluency", "target_f1")
MEASURED = (
    *PAPER,
    *(
        name
        for bag in (*PIVOT_BAGS, *TARGET_BAGS, "letters")
        for measure in MEASURES
        if (name := f"{bag}_{measure}") not in PAPER
    ),
    "length_ratio",
    "length",
    "copy",
)
EXTENDED = tuple(name for name in MEASURED if not name.startswith(("word1", "target1_idf")))
FeatureSet = Literal["paper", "extended"]
FEATURE_SETS: dict[str, tuple[str, ...]] = {"paper": PAPER, "extended": EXTENDED}


@dataclass(frozen=True, eq=False)
class Resources:
    """What PEM knows of a language: pivots, a language model, and how text becomes words."""

    form: TextForm
    pivots: Sequence[Pivot]
    model: LanguageModel
    network: NetworkSettings = field(default_factory=NetworkSettings)

    @functools.cached_property
    def word_weights(self) -> WordWeights:
        """How informative the words of the largest pivot's source side are."""
        largest = max(self.pivots, key=lambda pivot: pivot.arrays.sentences)
        weights, other = idf(largest.arrays.source_documents, largest.arrays.sentences)
        return WordWeights(self.form, largest.vocabulary, weights, other)


class Bags:
    """The words of some lines, and bags of them: of each pivot, of its single words, and of n-grams.

    If the reader has pivots, lines that are equal share their bags: line i has number `index[i]`.
    """

    def __init__(self, reader: Reader, lines: Lines, threads: int) -> None:
        self.index: Ints | None = None
        distinct = lines
        if reader.pivots:
            self.index, distinct = _distinct_lines(lines)
        words = reader.encode(distinct, threads)
        known = reader.resources
        self.lines = lines
        self.words_of_lines = self._spread(words)
        self.lengths = self.words_of_lines.lengths
        self.letters = (
            self._spread(reader.letters(distinct, threads)) if reader.wants("letters") else words
        )
        self._distinct = words
        self._threads = threads
        self.phrases: list[PivotBags] = []
        self.words: list[PivotBags] = []
        if isinstance(known, WordWeights):
            return
        single = replace(known.network, longest=1, order=1)
        for pivot, numbers in zip(reader.pivots, reader.numbers, strict=True):
            sentences = Ragged(numbers[words.ids], words.offsets)
            self.phrases.append(
                pivot.bags(sentences, known.network, threads) if reader.wants("pivot") else _NONE
            )
            self.words.append(
                pivot.bags(sentences, single, threads) if reader.wants("word1") else _NONE
            )

    def _spread(self, rows: Ragged) -> Ragged:
        """Rows of the distinct lines as rows of all lines."""
        return rows if self.index is None else rows.take(self.index)

    @functools.cached_property
    def target(self) -> PivotBags:
        """The n-grams of the lines' own words."""
        return count_bags(self._distinct, ORDER, self._threads)

    def places(self, lines: Ints) -> Ints:
        """The numbers of the bags of these lines."""
        return lines if self.index is None else self.index[lines]


def _distinct_lines(lines: Lines) -> tuple[Ints, Lines]:
    """The number of each line's text, and the texts."""
    numbers: dict[str, int] = {}
    index = np.array([numbers.setdefault(line, len(numbers)) for line in lines], np.int64)
    return index, lines if len(numbers) == len(lines) else Lines.of(list(numbers))


_NONE = PivotBags(np.zeros((0, ORDER), np.int32), np.zeros(0), np.zeros(1, np.int64))


class Reader:
    """Turns lines into the bags that the features with these `names` need.

    Numbers of words agree between all lines that one reader has read. Weights of words are enough for
    features that read no pivot.
    """

    def __init__(self, resources: Resources | WordWeights, names: Sequence[str]) -> None:
        self.resources = resources
        self.names = tuple(names)
        needs_pivots = self.wants("pivot") or self.wants("word1")
        if isinstance(resources, WordWeights) and (needs_pivots or "fluency" in self.names):
            raise InputError(
                "features: expected some that weights of words are enough for, found "
                f"{', '.join(self.names)}; give a model's resources"
            )
        self.pivots = resources.pivots if needs_pivots and isinstance(resources, Resources) else ()
        # The numbers of the words in each pivot.
        self.numbers: list[Ids] = [np.zeros(0, np.int32) for _ in self.pivots]
        self._stems = Vocabulary()
        self._characters = Vocabulary()
        self._encoder = Encoder(resources.form, self._stems, grow=True)

    def wants(self, start: str) -> bool:
        """Whether one of the features has a name that starts with `start`."""
        return any(name.startswith(start) for name in self.names)

    def encode(self, lines: Lines, threads: int) -> Ragged:
        """The words of the lines as numbers of this reader's."""
        words = self._encoder.encode(lines, threads)
        if not self.numbers:
            return words
        first = len(self.numbers[0])
        fresh = self._stems.texts(first)
        self.numbers = [
            np.concatenate([numbers, pivot.numbers(fresh, first)])
            for pivot, numbers in zip(self.pivots, self.numbers, strict=True)
        ]
        return words

    def letters(self, lines: Lines, threads: int) -> Ragged:
        """The characters of the lines as numbers of this reader's."""
        return self._characters.encode(lines, "char", case="lower", threads=threads)

    def word_weights(self) -> Floats:
        """The inverse document frequency of each word read so far."""
        known = self.resources
        weights = known if isinstance(known, WordWeights) else known.word_weights
        return weights.look_up(self._stems)


def same_text(candidate: str, source: str) -> bool:
    """Whether nothing was changed but case, punctuation, white space and the coding of accents.

    None of these makes a paraphrase, and a system that lowercases its output or drops the final period
    must not be mistaken for one that changed the wording.

    >>> same_text("it  rains", "It rains."), same_text("It rained.", "It rains.")
    (True, False)
    """
    return candidate == source or _bare(candidate) == _bare(source)


class _BareCharacters(dict[int, int | None]):
    """What `str.translate` leaves of each character: letters, marks, digits and symbols."""

    def __missing__(self, point: int) -> int | None:
        self[point] = point if unicodedata.category(chr(point))[0] in "LMNS" else None
        return self[point]


_BARE_CHARACTERS = _BareCharacters()
_BARE_BYTES = bytes(point for point in range(0x80) if _BARE_CHARACTERS[point] is None)


@functools.lru_cache(maxsize=4096)  # a source is compared with many candidates
def _bare(text: str) -> str:
    """Letters, marks, digits and symbols, in lower case and without invisible characters."""
    text = text.lower()
    if text.isascii():  # Bytes are translated several times as fast.
        return text.encode("ascii").translate(None, _BARE_BYTES).decode("ascii")
    return unicodedata.normalize("NFC", text).translate(_BARE_CHARACTERS)


def batch_features(
    resources: Resources, names: Sequence[str], batch: Batch, system: str
) -> tuple[Floats, Ints | None]:
    """The features of each source line with the system's candidate of its segment.

    Also the source lines of each segment, as in `LineGroups`.
    """
    theirs = batch.sources
    if theirs is None:
        raise InputError("expected sources, found none")

    def read() -> tuple[Reader, Bags]:
        reader = Reader(resources, names)
        return reader, Bags(reader, theirs.lines, batch.threads)

    # One reader for all systems of a batch: the sources are read once.
    reader, sources = batch.latest(("pem", resources, tuple(names)), "", read)
    lines = batch.systems[system]
    fluency = np.zeros(len(lines))
    if "fluency" in names:
        fluency = resources.model.score(lines, threads=batch.threads).normalize()
    candidates = Bags(reader, lines, batch.threads)
    return features(reader, candidates, sources, fluency, theirs.groups, batch.threads), theirs.groups


def features(
    reader: Reader,
    candidates: Bags,
    sources: Bags,
    fluency: Floats,
    groups: Ints | None,
    threads: int = 0,
) -> Floats:
    """The reader's features [source lines, names] of each source with the candidate of its segment.

    `groups` are the source lines of each segment, as in `LineGroups`.
    """
    segment = segment_of_line(groups, len(sources.lengths))
    columns: dict[str, Any] = {"fluency": fluency[segment]}

    def measure(bag: str, overlaps: list[Floats]) -> None:
        values = np.mean([precision_recall_f1(overlap) for overlap in overlaps], axis=0)
        for i, name in enumerate(MEASURES):
            columns[f"{bag}_{name}"] = values[:, i]

    def compare(
        mine: PivotBags, theirs: PivotBags, weights: Floats | None = None, other: float = 1.0
    ) -> Floats:
        return mine.overlaps(theirs, mine_places, their_places, weights, other, threads)

    mine_places = candidates.places(segment)
    their_places = sources.places(np.arange(len(segment)))
    target = np.stack(
        ngram_overlaps(candidates.words_of_lines, sources.words_of_lines, groups, ORDER, threads),
        axis=-1,
    )
    measure("target", [target.sum(axis=1)])
    measure("target1", [target[:, 0]])
    if reader.wants("pivot"):
        phrases = [
            compare(mine, theirs)
            for mine, theirs in zip(candidates.phrases, sources.phrases, strict=True)
        ]
        measure("pivot", [overlap.sum(axis=1) for overlap in phrases])
        measure("pivot1", [overlap[:, 0] for overlap in phrases])
    if reader.wants("word1"):
        pairs = list(zip(candidates.words, sources.words, strict=True))
        weights = [pivot.word_weights() for pivot in reader.pivots]
        measure("word1", [compare(mine, theirs)[:, 0] for mine, theirs in pairs])
        measure(
            "word1_idf",
            [compare(*pair, *own)[:, 0] for pair, own in zip(pairs, weights, strict=True)],
        )
    if reader.wants("target1_idf"):
        weighted = compare(candidates.target, sources.target, reader.word_weights(), 0.0)
        measure("target1_idf", [weighted[:, 0]])
    if reader.wants("letters"):
        shared = letter_overlaps(candidates.letters, sources.letters, groups, threads)
        # The mean over orders of precision, recall and F1; an order that neither line has agrees fully.
        measures = precision_recall_f1(np.stack(shared, axis=-1)).mean(axis=1)
        for i, name in enumerate(MEASURES):
            columns[f"letters_{name}"] = measures[:, i]
    ours, theirs = candidates.lengths[segment] + 1.0, sources.lengths + 1.0
    columns["length_ratio"] = np.log(ours / theirs)
    columns["length"] = np.log(theirs)
    if reader.wants("copy"):
        pairs_of_text = zip(segment.tolist(), sources.lines, strict=True)
        columns["copy"] = np.array([float(same_text(candidates.lines[i], s)) for i, s in pairs_of_text])
    return np.column_stack([columns[name] for name in reader.names])


def pair_features(
    names: Sequence[str],
    resources: Resources | WordWeights,
    candidates: Sequence[str] | Lines,
    sources: Sequence[str] | Lines,
    threads: int = 0,
) -> Floats:
    """The features of each candidate with its source, [n, names].

    >>> from paragauge.metrics.pem import open_model
    >>> resources = open_model("english").resources
    >>> pair_features(("target_f1",), resources, ["a b"], ["a b"]).tolist()
    [[1.0]]
    """
    reader = Reader(resources, names)
    mine, theirs = (
        lines if isinstance(lines, Lines) else Lines.of(lines) for lines in (candidates, sources)
    )
    fluency = np.zeros(len(mine))
    if "fluency" in names and isinstance(resources, Resources):
        fluency = resources.model.score(mine, threads=threads).normalize()
    own, others = (Bags(reader, lines, threads) for lines in (mine, theirs))
    return features(reader, own, others, fluency, None, threads)
