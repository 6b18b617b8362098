"""A sentence segmented, as a confusion network and as a bag of n-grams in a pivot language.

Liu, Dahlmeier and Ng (2010), sections 4.1 to 4.3.

A phrase table translates phrases into the pivot language. A sentence becomes a bag in three steps, each
a kernel (`kernels/reference/phrases/pivot.py`):

1. The best segmentation into phrases: the highest product of Pr(p) = N(p) / sum of all N, by dynamic
   programming. N(p) is how often the phrase was extracted; a single word that is no phrase of the
   table has N = 0.5.
2. The confusion network: the translations of a phrase in parallel, the phrases in series. A word that
   is no phrase passes through unchanged, so that names match names.
3. The weight of every n-gram of the network up to order 4: the product of the edges that it lies on,
   summed over its places, in one pass and without enumerating paths.

`pivot_bags.py` compares two bags.

Settings (`NetworkSettings`) and what the paper leaves open:

- Edges of probability `edge` (0.1) or less are left out. The paper does not say whether those that
  stay are scaled to sum to one; here they are, unless `renormalize=False` leaves them as they were. In
  both cases an n-gram counts only the edges that it lies on. Multiplying in the mass that was lost
  before it, as a walk over whole paths would, makes the end of a sentence count less than its
  beginning.
- A phrase all of whose edges are left out: its most probable edge stays (`empty="best"`, the
  first in the order of words among equals); or the words pass through as they are (`"pass"`); or the
  network is cut there, and no n-gram reaches over it (`"cut"`).
- N-grams of weight `gram` (0.01) or less are left out of the bag.
- Of equally probable segmentations the one with the longer last phrase is taken.

Time: the number of phrases times the number of edges to the power of at most 4.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ids, Ints
from paragauge.phrases.pivot_bags import ORDER, PivotBags, idf
from paragauge.phrases.pivot_file import PivotArrays, read_pivot, write_pivot
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.vocabulary import UNKNOWN, Vocabulary

Edges = tuple[Ints, Ids, Floats, Ragged]
UNKNOWN_COUNT = 0.5
EmptyPhrase = Literal["best", "pass", "cut"]
EMPTY: tuple[EmptyPhrase, ...] = get_args(EmptyPhrase)


@dataclass(frozen=True)
class NetworkSettings:
    """How a sentence becomes a network and a bag; see the module. `longest` None: all phrases."""

    edge: float = 0.1
    gram: float = 0.01
    order: int = 4
    longest: int | None = None
    renormalize: bool = True
    empty: EmptyPhrase = "best"

    def __post_init__(self) -> None:
        for name in ("edge", "gram"):
            if not 0 <= getattr(self, name) < 1:
                raise SettingError(
                    f"{name}: expected a number from 0 to below 1, found {getattr(self, name)!r}"
                )
        if not isinstance(self.order, int) or not 1 <= self.order <= ORDER:
            raise SettingError(
                f"order: expected a whole number from 1 to {ORDER}, found {self.order!r}"
            )
        if self.longest is not None and not (isinstance(self.longest, int) and self.longest >= 1):
            raise SettingError(f"longest: expected a whole number from 1, found {self.longest!r}")
        if self.empty not in EMPTY:
            raise unknown_name("treatment of empty phrases", self.empty, EMPTY)


class SegmentPhrase(NamedTuple):
    """A phrase of a segmentation, whether the table has it, and its edges, most probable first."""

    phrase: str
    known: bool
    edges: list[tuple[str, float]]


class Pivot:
    """A pivot language: phrases, their translations, and how many sentences have each word.

    >>> pivot = Pivot.of({"Hello ,": {"Bonjour ,": 9, "Salut ,": 1}, ".": {".": 10}}, "fr")
    >>> settings = NetworkSettings(edge=0.05)
    >>> pivot.bag("Hello , Querrien .", settings)["Salut , Querrien"]
    0.1
    >>> [part.phrase for part in pivot.network("Hello , Querrien .", settings)]
    ['Hello ,', 'Querrien', '.']
    """

    def __init__(self, arrays: PivotArrays) -> None:
        self.arrays = arrays
        self._vocabulary = Vocabulary()
        self._vocabulary.extend(arrays.words)
        self._tables: dict[tuple[float, bool, str], _native.PivotTable] = {}

    @classmethod
    def of(cls, counts: Mapping[str, Mapping[str, int]], language: str, **about: Any) -> Pivot:
        """A pivot from the counts of phrase pairs; phrases are words with spaces between.

        >>> Pivot.of({"a": {"x": 1}}, "fr").language
        'fr'
        """
        from paragauge.phrases.pivot_builder import arrays_of_counts

        return cls(arrays_of_counts(counts, language, **about))

    @classmethod
    def load(cls, path: str | Path) -> Pivot:
        """The pivot in a file."""
        return cls(read_pivot(path))

    def save(self, path: str | Path) -> None:
        """Write a file that `load` reads."""
        write_pivot(path, self.arrays)

    @property
    def language(self) -> str:
        """The name of the pivot language."""
        return self.arrays.language

    @property
    def fingerprint(self) -> str:
        """Eight digits that change with any phrase, count or setting of the pivot."""
        return self.arrays.fingerprint[:8]

    def __len__(self) -> int:
        return len(self.arrays.phrases)

    def __repr__(self) -> str:
        edges = len(self.arrays.targets)
        return f"Pivot({self.language}, {len(self):,} phrases, {edges:,} edges, {self.fingerprint})"

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of both languages."""
        return self._vocabulary

    def numbers(self, words: Lines, first: int = 0) -> Ids:
        """The numbers of different words; unknown ones get free numbers, from `first` on."""
        numbers = np.array([self._vocabulary.native.find(word) for word in words], np.int32)
        free = np.arange(first, first + len(numbers), dtype=np.int32) + len(self._vocabulary)
        return np.where(numbers == UNKNOWN, free, numbers)

    def segment(
        self, sentences: Ragged, settings: NetworkSettings, threads: int = 0
    ) -> tuple[Ids, Ids, Ints]:
        """Ends and numbers (-1: none) of the phrases of each sentence, and offsets."""
        return self._table(settings).segment(
            (sentences.ids, sentences.offsets), self._unknown_score, _longest(settings), threads
        )

    def bags(self, sentences: Ragged, settings: NetworkSettings, threads: int = 0) -> PivotBags:
        """The bag of each sentence, whose words have numbers as `numbers` gives."""
        return PivotBags(
            *self._table(settings).bags(
                (sentences.ids, sentences.offsets),
                self._unknown_score,
                _longest(settings),
                settings.order,
                settings.gram,
                threads,
            )
        )

    def word_weights(self) -> tuple[Floats, float]:
        """The weight of each word of the pivot language, and that of an unknown word.

        The inverse document frequency ln((sentences + 1) / (sentences with the word + 0.5)).
        """
        return idf(self.arrays.documents, self.arrays.sentences)

    def network(self, sentence: str, settings: NetworkSettings) -> list[SegmentPhrase]:
        """The confusion network of one sentence, words with spaces between."""
        words = sentence.split(" ") if sentence else []
        names, ids = self._encode(words)
        ends, phrases, _ = self.segment(ids, settings, 1)
        network_edges = self._edges(settings)
        parts, start = [], 0
        for end, number in zip(ends.tolist(), phrases.tolist(), strict=True):
            phrase = " ".join(words[start:end])
            edges = [(phrase, 1.0)] if number < 0 else _named_edges(number, network_edges, names)
            parts.append(
                SegmentPhrase(phrase, number >= 0, sorted(edges, key=lambda edge: (-edge[1], edge[0])))
            )
            start = end
        return parts

    def bag(self, sentence: str, settings: NetworkSettings) -> dict[str, float]:
        """The bag of one sentence, words with spaces between.

        >>> Pivot.of({"a": {"x y": 3, "z": 1}}, "fr").bag("a b", NetworkSettings(order=2))
        {'x': 0.75, 'x y': 0.75, 'y': 0.75, 'y b': 0.75, 'z': 0.25, 'z b': 0.25, 'b': 1.0}
        """
        names, ids = self._encode(sentence.split(" ") if sentence else [])
        bags = self.bags(ids, settings, 1)
        return {
            " ".join(names(word) for word in gram if word >= 0): weight
            for gram, weight in zip(bags.grams.tolist(), bags.weights.tolist(), strict=True)
        }

    def _encode(self, words: Sequence[str]) -> tuple[Any, Ragged]:
        different = list(dict.fromkeys(words))
        numbers = self.numbers(Lines.of(different)).tolist()
        of_word = dict(zip(different, numbers, strict=True))
        of_number = {number: word for word, number in of_word.items()}
        known = len(self._vocabulary)

        def name(number: int) -> str:
            return self._vocabulary.token(number) if number < known else of_number[number]

        return name, Ragged.from_lists([[of_word[word] for word in words]])

    @functools.cached_property
    def _unknown_score(self) -> float:
        return math.log(UNKNOWN_COUNT) - math.log(self.arrays.total)

    def _table(self, settings: NetworkSettings) -> _native.PivotTable:
        key = (settings.edge, settings.renormalize, settings.empty)
        if key not in self._tables:
            arrays = self.arrays
            bounds, targets, probabilities, phrases = self._edges(settings)
            self._tables[key] = _native.PivotTable(
                (arrays.phrases.ids, arrays.phrases.offsets),
                np.log(arrays.counts.astype(np.float64)) - math.log(arrays.total),
                bounds,
                targets,
                probabilities,
                (phrases.ids, phrases.offsets),
            )
        return self._tables[key]

    def _edges(self, settings: NetworkSettings) -> Edges:
        """Offsets, targets and probabilities of the edges that the settings keep; target phrases."""
        arrays = self.arrays
        if settings.edge < arrays.floor:
            raise SettingError(
                f"edge: the pivot {self.language} holds edges above {arrays.floor:g} only, found "
                f"{settings.edge:g}; make the pivot with a lower floor"
            )
        sizes = np.diff(arrays.edge_offsets)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        probabilities = arrays.probabilities
        is_kept = probabilities > settings.edge
        left = np.bincount(owner[is_kept], minlength=len(sizes))
        targets, phrases = arrays.targets, arrays.target_phrases
        if settings.empty == "best":
            # The first edge of a phrase is its most probable.
            is_kept[arrays.edge_offsets[:-1][left == 0]] = True
        if settings.empty == "pass" and bool((left == 0).any()):
            first = arrays.edge_offsets[:-1][left == 0]
            own = arrays.phrases.take(np.flatnonzero(left == 0))
            targets, probabilities = targets.copy(), probabilities.copy()
            targets[first] = len(phrases) + np.arange(len(own), dtype=np.int32)
            probabilities[first], is_kept[first] = 1.0, True
            phrases = Ragged(
                np.concatenate([phrases.ids, own.ids]),
                np.concatenate([phrases.offsets, phrases.offsets[-1] + own.offsets[1:]]),
            )
        owner, targets, probabilities = owner[is_kept], targets[is_kept], probabilities[is_kept]
        sizes = np.bincount(owner, minlength=len(sizes))
        if settings.renormalize:
            sums = np.bincount(owner, weights=probabilities, minlength=len(sizes))
            probabilities = probabilities / sums[owner]
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return bounds, np.ascontiguousarray(targets), probabilities, phrases


def _named_edges(phrase: int, edges: Edges, names: Callable[[int], str]) -> list[tuple[str, float]]:
    bounds, targets, probabilities, phrases = edges
    span = slice(int(bounds[phrase]), int(bounds[phrase + 1]))
    return [
        (" ".join(map(names, phrases[int(target)].tolist())), float(probability))
        for target, probability in zip(targets[span], probabilities[span], strict=True)
    ]


def _longest(settings: NetworkSettings) -> int:
    return 1 << 30 if settings.longest is None else settings.longest
