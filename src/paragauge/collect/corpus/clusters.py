"""Clusters of parallel sentences: what people wrote about one item, for example a video segment.

Chen and Dolan (2011), section 3: annotators describe the same short clip independently, so that any two
sentences of a cluster are paraphrases of each other. Clusters come in the order of their items; those
from a store are never all in memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from paragauge.errors import SettingError
from paragauge.lexicon.language_names import normalize_language


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one worker wrote about one item; None means not recorded.

    `source` is the sentence that the worker was asked to paraphrase, if it was one.
    """

    item: str
    text: str
    tier: int | None = None
    language: str | None = None
    worker: str | None = None
    submitted_at: str | None = None
    seconds: float | None = None
    decision: str | None = None
    comment: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """The sentences about one item."""

    item: str
    sentences: tuple[Sentence, ...]

    @property
    def texts(self) -> list[str]:
        """The texts of the sentences."""
        return [sentence.text for sentence in self.sentences]

    @property
    def source(self) -> str | None:
        """The sentence that was paraphrased; None for descriptions."""
        return self.sentences[0].source if self.sentences else None


class Clusters(Protocol):
    """Clusters that can be iterated more than once."""

    def __iter__(self) -> Iterator[Cluster]:
        """The clusters, always in the same order."""


@dataclass(frozen=True)
class SentenceFilter:
    """Selects sentences by tier and language (None for all), and clusters by size.

    Languages are compared by their tags, so that `English`, `en` and `en-US` are one; an unrecorded
    language matches none.
    """

    tiers: frozenset[int] | None = None
    languages: frozenset[str] | None = None
    min_sentences: int = 1
    distinct: bool = False

    def __post_init__(self) -> None:
        if self.min_sentences < 1:
            raise SettingError(f"min_sentences: expected 1 or more, found {self.min_sentences}")
        if self.languages is not None:
            tags = frozenset(map(normalize_language, self.languages))
            object.__setattr__(self, "languages", tags - {""})

    def accepts(self, sentence: Sentence) -> bool:
        """Whether a sentence counts.

        >>> SentenceFilter(tiers=frozenset({2})).accepts(Sentence("v1", "a dog runs", tier=1))
        False
        """
        if self.tiers is not None and sentence.tier not in self.tiers:
            return False
        return self.languages is None or normalize_language(sentence.language or "") in self.languages


@dataclass(frozen=True)
class FilteredClusters:
    """Clusters with only the selected sentences, without clusters that are then too small.

    With `distinct`, only the first of equal texts in a cluster is kept.

    >>> rows = [Sentence("v1", "a dog runs"), Sentence("v1", "a dog runs"), Sentence("v2", "rain")]
    >>> filtered = FilteredClusters(list(group_consecutive(rows)), SentenceFilter(distinct=True))
    >>> [cluster.texts for cluster in filtered]
    [['a dog runs'], ['rain']]
    """

    clusters: Clusters
    sentence_filter: SentenceFilter

    def __iter__(self) -> Iterator[Cluster]:
        for cluster in self.clusters:
            sentences = tuple(filter(self.sentence_filter.accepts, cluster.sentences))
            if self.sentence_filter.distinct:
                first: dict[str, Sentence] = {}
                for sentence in sentences:
                    first.setdefault(sentence.text, sentence)
                sentences = tuple(first.values())
            if len(sentences) >= self.sentence_filter.min_sentences:
                yield Cluster(cluster.item, sentences)


def group_consecutive(sentences: Iterable[Sentence]) -> Iterator[Cluster]:
    """Clusters of sentences that come item by item.

    >>> rows = [Sentence("v1", "a dog runs"), Sentence("v1", "a puppy is running")]
    >>> [(cluster.item, cluster.texts) for cluster in group_consecutive(rows)]
    [('v1', ['a dog runs', 'a puppy is running'])]
    """
    for item, rows in itertools.groupby(sentences, key=lambda sentence: sentence.item):
        yield Cluster(item, tuple(rows))


def group_by_item(sentences: Iterable[Sentence]) -> list[Cluster]:
    """Clusters of sentences in any order, in the order in which their items first come.

    >>> rows = [Sentence("v1", "a"), Sentence("v2", "b"), Sentence("v1", "c")]
    >>> [(cluster.item, cluster.texts) for cluster in group_by_item(rows)]
    [('v1', ['a', 'c']), ('v2', ['b'])]
    """
    groups: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        groups.setdefault(sentence.item, []).append(sentence)
    return [Cluster(item, tuple(rows)) for item, rows in groups.items()]


@dataclass(frozen=True)
class ClusterSizes:
    """Sizes of clusters, as in section 3.3 of Chen and Dolan (2011)."""

    items: int
    sentences: int
    mean: float
    least_for_95: int
    largest: int

    @classmethod
    def of(cls, counts: Sequence[int]) -> ClusterSizes:
        """The figures of the sizes of clusters; `least_for_95` is the size that 95 % of them reach.

        >>> ClusterSizes.of([12] * 19 + [3])
        ClusterSizes(items=20, sentences=231, mean=11.55, least_for_95=12, largest=12)
        """
        if not counts:
            return cls(0, 0, 0.0, 0, 0)
        ordered = sorted(counts, reverse=True)
        at = -(-95 * len(ordered) // 100) - 1
        total = sum(ordered)
        return cls(len(ordered), total, total / len(ordered), ordered[at], ordered[0])
