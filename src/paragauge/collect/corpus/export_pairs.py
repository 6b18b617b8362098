"""Sentences of clusters as data for training and testing paraphrasers.

Chen and Dolan (2011), section 5.1: "we randomly paired each sentence with 1, 5, 10, or all parallel
descriptions of the same video segment"; for testing, "we used each sentence once as the source sentence
with all parallel descriptions as references", with the source itself among them if requested.

Where workers paraphrased a sentence that they were shown, that sentence is the source of all pairs, and
of one test segment; the draw is among their paraphrases.

A pair has a direction: with all parallel sentences, a cluster of n gives n (n - 1) pairs. A sentence
that has fewer parallel ones than requested is paired with those there are. The draw of a sentence
depends on the seed, its item and its place in the cluster only, and the pairs with 1 parallel sentence
are among those with 5, and these among those with 10. Time and memory: that of the output, and one
cluster.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.collect.corpus.clusters import Cluster, Clusters
from paragauge.collect.corpus.export_files import export_rows
from paragauge.errors import SettingError


@dataclass(frozen=True)
class ReferenceCounts:
    """References of the sentences of a test set; Chen and Dolan (2011) have 16 on average."""

    mean: float
    least: int
    most: int


@dataclass(frozen=True)
class CorpusScore:
    """A metric of all sentences that were written."""

    name: str
    value: float
    sentences: int
    signature: str


@dataclass(frozen=True)
class ExportCounts:
    """What was written."""

    items: int
    sentences: int
    rows: int
    identical: int = 0
    unconverged: tuple[str, ...] = ()  # criteria for which Dawid and Skene's estimates did not converge
    references: ReferenceCounts | None = None  # of a test set
    scores: tuple[CorpusScore, ...] = ()  # of sentences with their metrics
    guarded: int = 0  # texts that begin with an apostrophe now, so that no spreadsheet runs them


def draw_partners(count: int, own: int, parallel: int | None, seed: str) -> list[int]:
    """The places of the sentences that the one at place `own` of `count` is paired with.

    >>> draw_partners(4, 1, None, "")
    [0, 2, 3]
    >>> draw_partners(4, 1, 3, "7 v1")[:2] == draw_partners(4, 1, 2, "7 v1")
    True
    """
    others = count - 1
    if parallel is None:
        return [place for place in range(count) if place != own]
    # A shuffle that is stopped early, of places that are in order until they are moved.
    generator = random.Random(f"{seed} {own}")  # noqa: S311  # a draw of data
    moved: dict[int, int] = {}
    chosen = []
    for place in range(min(parallel, others)):
        other = generator.randrange(place, others)
        chosen.append(moved.get(other, other))
        moved[other] = moved.get(place, place)
    return [place + (place >= own) for place in chosen]


def make_pairs(cluster: Cluster, parallel: int | None, seed: int) -> Iterator[tuple[str, str]]:
    """Source and target of each pair; `parallel` is how many for each sentence, None for all.

    >>> from paragauge.collect.corpus.clusters import Sentence
    >>> cluster = Cluster("v1", (Sentence("v1", "a dog runs"), Sentence("v1", "a puppy runs")))
    >>> list(make_pairs(cluster, 1, 7))
    [('a dog runs', 'a puppy runs'), ('a puppy runs', 'a dog runs')]
    """
    if parallel is not None and parallel < 1:
        raise SettingError(f"parallel: expected 1 or more, or all, found {parallel}")
    if cluster.source is None:
        sources, texts = range(len(cluster.sentences)), cluster.texts
    else:
        sources, texts = range(1), [cluster.source, *cluster.texts]
    for own in sources:
        for place in draw_partners(len(texts), own, parallel, f"{seed} {cluster.item}"):
            yield texts[own], texts[place]


def pick_references(texts: Sequence[str], own: int, *, include_source: bool = False) -> list[str]:
    """All sentences but the one at place `own`, which comes last with `include_source`.

    >>> pick_references(["a", "b", "c"], 1), pick_references(["a", "b"], 0, include_source=True)
    (['a', 'c'], ['b', 'a'])
    """
    return [*texts[:own], *texts[own + 1 :], *([texts[own]] if include_source else [])]


def make_segments(cluster: Cluster, *, include_source: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Source and references of each test segment; none where a sentence has no parallel one.

    >>> from paragauge.collect.corpus.clusters import Sentence
    >>> rows = (Sentence("s1", "a puppy", source="a dog"), Sentence("s1", "a hound", source="a dog"))
    >>> list(make_segments(Cluster("s1", rows)))
    [('a dog', ['a puppy', 'a hound'])]
    """
    texts = cluster.texts
    if cluster.source is not None:
        yield cluster.source, [*texts, *([cluster.source] if include_source else [])]
    elif len(texts) > 1:
        for own, source in enumerate(texts):
            yield source, pick_references(texts, own, include_source=include_source)


def write_pairs(
    clusters: Clusters,
    path: str | Path,
    *,
    parallel: int | None = 1,
    seed: int = 7,
    identical: bool = True,
    plain: bool = False,
) -> ExportCounts:
    """Write the training pairs: columns item, source and target of a table, as its name says.

    With `plain`, `path` is a folder for source.txt and target.txt, which tools for translation read.
    Without `identical`, pairs with the same text on both sides are left out and counted.
    """
    items = sentences = rows = same = 0
    with export_rows(path, {"item": str, "source": str, "target": str}, {}, plain=plain) as out:
        for cluster in clusters:
            drawn = list(make_pairs(cluster, parallel, seed))
            pairs = drawn if identical else [(one, two) for one, two in drawn if one != two]
            same += len(drawn) - len(pairs)
            items, sentences, rows = items + 1, sentences + len(cluster.sentences), rows + len(pairs)
            out.write(
                {
                    "item": [cluster.item] * len(pairs),
                    "source": [source for source, _ in pairs],
                    "target": [target for _, target in pairs],
                }
            )
    return ExportCounts(items, sentences, rows, same)


def write_test(
    clusters: Clusters, path: str | Path, *, include_source: bool = False, plain: bool = False
) -> ExportCounts:
    """Write a test set: columns item, source and reference, the parallel sentences of the source.

    With `plain`, `path` is a folder for source.txt and reference.tsv, with tabs between the references.
    A sentence without a parallel one cannot be tested, whatever is included, and is left out.
    """
    items = sentences = rows = 0
    counts: list[int] = []
    sizes = (len(cluster.sentences) - (cluster.source is None) for cluster in clusters)
    widths = {"reference": max(sizes, default=1) + include_source}
    with export_rows(path, {"item": str, "source": str, "reference": list}, widths, plain=plain) as out:
        for cluster in clusters:
            items, sentences = items + 1, sentences + len(cluster.sentences)
            segments = list(make_segments(cluster, include_source=include_source))
            rows += len(segments)
            counts += [len(references) for _, references in segments]
            out.write(
                {
                    "item": [cluster.item] * len(segments),
                    "source": [source for source, _ in segments],
                    "reference": [others for _, others in segments],
                }
            )
    found = ReferenceCounts(sum(counts) / len(counts), min(counts), max(counts)) if counts else None
    return ExportCounts(items, sentences, rows, references=found)
