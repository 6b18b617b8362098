"""Where does a system win? Corpus scores of the segments in a bucket.

Segments are grouped in three ways:

- **length**: words of the source (or of the reference, or else of the first system's candidate), the
  mean of several;
- **rarest word**: how often the rarest word of the segment's source (or references) occurs in all
  sources (references) of the corpus: 1 means a word that no other segment has;
- **references**: how many the segment has.

A bucket's score is the metric's corpus score of its segments, from their summed statistics, and its
interval comes from a Poisson bootstrap of these segments, resampled alike for all systems. Words are
those of the first metric's tokenizer, 13a if it has none, in lower case.

`Buckets` is an observer of the batch scorer. Lengths and references are grouped as batches arrive.
Frequencies are known only at the end, so the statistics of as many segments as fit into
`WAITING_BYTES` wait in memory until then; the number of segments behind each grouping is in the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import Resampler, interval, running_sum
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups
from paragauge.text.tokenizers import Tokenizer
from paragauge.text.vocabulary import Vocabulary

Key = tuple[str, str]

LENGTHS = (1, 6, 11, 16, 21, 31, 41)
FREQUENCIES = (1, 2, 5, 10, 100, 1000)
REFERENCES = (1, 2, 3, 4, 5, 9)
WAITING_BYTES = 1 << 28


@dataclass(frozen=True)
class BucketScore:
    """The score of one system in one bucket."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Grouping:
    """The segments of the corpus in buckets, without empty ones.

    `scores[system, metric]` has one score for each bucket; `segments` is how many were grouped.
    """

    name: str
    title: str
    buckets: list[str]
    counts: list[int]
    scores: dict[Key, list[BucketScore]]
    segments: int


@dataclass
class _Bucket:
    count: int = 0
    sums: Floats | None = None
    resampler: Resampler | None = None


@dataclass
class _Groups:
    """Buckets of one grouping as they fill."""

    name: str
    title: str
    edges: tuple[int, ...]
    buckets: dict[int, _Bucket] = field(default_factory=dict)


class Buckets:
    """Collects the statistics of each bucket from the batches it observes."""

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        bootstrap: int = 1000,
        seed: int = 7,
        level: float = 0.95,
        threads: int = 0,
    ) -> None:
        self.metrics = metrics
        self._bootstrap = bootstrap
        self._seed = seed
        self._level = level
        self._threads = threads
        first = next(iter(metrics.values()), None)
        self._tokenizer: Tokenizer = getattr(first, "tokenize", "13a")
        self._length: _Groups | None = None
        self._references = _Groups("references", "Number of references", REFERENCES)
        self._rarest = _Groups("rarest", "", FREQUENCIES)
        self._keys: list[Key] = []
        self._widths: list[int] = []
        self._words = Vocabulary()
        self._occurrences: Ints = np.zeros(0, np.int64)
        self._text_of_words = ""
        self._waiting: list[tuple[Ids, Ints, Floats]] = []
        self._waiting_bytes = 0

    def __call__(self, batch: Batch, stats: dict[Key, Floats]) -> None:
        """Group one more batch."""
        if not self._keys:
            self._keys = list(stats)
            self._widths = [stats[key].shape[1] for key in self._keys]
        rows = np.concatenate([stats[key] for key in self._keys], axis=1)
        what, lengths = self._lengths(batch)
        if self._length is None:
            self._length = _Groups("length", f"Words of the {what}", LENGTHS)
        self._add(self._length, lengths, rows)
        if batch.references is not None:
            self._add(self._references, batch.references.counts(), rows)
        self._count_words(batch, rows)

    def groupings(self) -> list[Grouping]:
        """The groupings that divide the corpus into at least two buckets."""
        rarest = self._rarest
        rarest.title = f"Frequency of the rarest word of the {self._text_of_words}"
        for words, offsets, rows in self._waiting:
            counts = self._occurrences[words]
            least = np.minimum.reduceat(np.append(counts, np.iinfo(np.int64).max), offsets[:-1])
            known = np.diff(offsets) > 0
            self._add(rarest, least[known], rows[known])
        self._waiting = []
        present = [group for group in (self._length, rarest, self._references) if group is not None]
        return [self._make_grouping(groups) for groups in present if len(groups.buckets) > 1]

    def _lengths(self, batch: Batch) -> tuple[str, Ints]:
        tokens = batch.tokens(self._tokenizer, "lower")
        for what, groups in (("source", tokens.sources), ("reference", tokens.references)):
            if groups is not None:
                means = groups.mean(groups.tokens.lengths.astype(np.float64))
                return what, np.round(means).astype(np.int64)
        return "candidate", next(iter(tokens.candidates.values())).lengths

    def _count_words(self, batch: Batch, rows: Floats) -> None:
        """Count words of the sources or references, and keep what can be grouped only at the end."""
        texts = batch.sources if batch.sources is not None else batch.references
        if texts is None or self._waiting_bytes > WAITING_BYTES:
            return
        self._text_of_words = "source" if batch.sources is not None else "references"
        ids = self._words.encode(texts.lines, self._tokenizer, case="lower", threads=self._threads)
        seen = np.bincount(ids.ids, minlength=len(self._words))
        seen[: len(self._occurrences)] += self._occurrences
        self._occurrences = seen
        self._waiting.append((ids.ids, _segment_offsets(texts, ids.offsets), rows))
        self._waiting_bytes += rows.nbytes + ids.ids.nbytes + ids.offsets.nbytes

    def _add(self, groups: _Groups, values: Ints, rows: Floats) -> None:
        """Add rows [n, k] to the buckets of their values [n]; a value below the first edge is in it."""
        numbers = np.maximum(np.searchsorted(groups.edges, values, side="right") - 1, 0)
        for number in np.unique(numbers).tolist():
            bucket = groups.buckets.setdefault(number, _Bucket())
            mine = rows[numbers == number]
            bucket.sums = running_sum(bucket.sums, mine)
            if self._bootstrap:
                if bucket.resampler is None:
                    bucket.resampler = Resampler(
                        mine.shape[1], self._bootstrap, seed=self._seed, threads=self._threads
                    )
                # Segments are numbered within the bucket: weights depend on the number, and which
                # weights a segment gets does not matter as long as all systems get the same.
                bucket.resampler.add(mine, bucket.count)
            bucket.count += len(mine)

    def _make_grouping(self, groups: _Groups) -> Grouping:
        numbers = sorted(groups.buckets)
        scores: dict[Key, list[BucketScore]] = {key: [] for key in self._keys}
        for number in numbers:
            bucket = groups.buckets[number]
            start = 0
            for key, width in zip(self._keys, self._widths, strict=True):
                scores[key].append(self._score(bucket, key[1], slice(start, start + width)))
                start += width
        counts = [groups.buckets[number].count for number in numbers]
        names = [bucket_name(groups.edges, number) for number in numbers]
        return Grouping(groups.name, groups.title, names, counts, scores, sum(counts))

    def _score(self, bucket: _Bucket, label: str, columns: slice) -> BucketScore:
        metric = self.metrics[label]
        sums = np.zeros(0) if bucket.sums is None else bucket.sums[columns]
        low, high = None, None
        if bucket.resampler is not None:
            resampled = bucket.resampler.scores(lambda rows: metric.corpus_values(rows[:, columns]))
            low, high = interval(resampled, self._level)
        return BucketScore(float(metric.corpus_values(sums)), low, high)


def bucket_name(edges: Sequence[int], number: int) -> str:
    """What bucket `number` holds, from its edge to the next.

    >>> [bucket_name((1, 2, 5), i) for i in range(3)]
    ['1', '2-4', '5+']
    """
    if number == len(edges) - 1:
        return f"{edges[number]}+"
    last = edges[number + 1] - 1
    return str(last) if last == edges[number] else f"{edges[number]}-{last}"


def _segment_offsets(texts: LineGroups, offsets: Ints) -> Ints:
    """Where the words of each segment begin, from where those of each line do."""
    return offsets if texts.groups is None else offsets[texts.groups]
