"""Candidates of a set as segments of their own, so that any metric can score each of them.

A set is the candidates that a system gives for one segment. Both functions give a batch with one
segment for each candidate, in the order of the sets, under the same name of the system.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.settings import setting
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups, Lines, group_means


def alone_setting() -> Any:
    """The field `alone` of metrics that compare the candidates of a set."""
    choices = ("same", "skip")
    meaning = "a set of one candidate: no variety at all, or left out"
    return setting("same", choices=choices, help=meaning)


def candidate_batch(batch: Batch, system: str) -> Batch:
    """Every candidate of a system as a segment, with the sources and references of its own segment.

    >>> batch = Batch.of({"a": [["x", "y"], ["z"]]}, sources=["s", "t"], several=True)
    >>> flat = candidate_batch(batch, "a")
    >>> list(flat.systems["a"]), list(flat.sources)
    (['x', 'y', 'z'], [['s'], ['s'], ['t']])
    """
    sets = batch.candidate_sets(system)

    def make() -> Batch:
        segments = np.repeat(np.arange(len(sets)), sets.counts())
        sources, references = (
            None if groups is None else groups.take(segments)
            for groups in (batch.sources, batch.references)
        )
        return Batch(
            {system: sets.lines}, sources, references, first=batch.first, threads=batch.threads
        )

    return batch.latest("candidates of the sets", system, make)


def peer_batch(sets: LineGroups, system: str, threads: int) -> Batch:
    """Every candidate of sets of two or more as a segment, with the others as sources and references.

    >>> batch = peer_batch(LineGroups.of([["x", "y", "z"], ["u"]]), "a", 1)
    >>> list(batch.systems["a"]), list(batch.references)
    (['x', 'y', 'z'], [['y', 'z'], ['x', 'z'], ['x', 'y']])
    """
    counts = sets.counts()
    first = np.cumsum(counts) - counts
    own: list[int] = []
    others: list[int] = []
    bounds = [0]
    for start, count in zip(first.tolist(), counts.tolist(), strict=True):
        members = range(start, start + count)
        for member in members if count > 1 else ():
            own.append(member)
            others += [other for other in members if other != member]
            bounds.append(len(others))
    peers = LineGroups(_select_lines(sets.lines, others), np.array(bounds, np.int64))
    return Batch({system: _select_lines(sets.lines, own)}, peers, peers, threads=threads)


def peer_means(sets: LineGroups, values: Floats, alone: float) -> Floats:
    """The mean over each set of one value per candidate of `peer_batch`; `alone` for a set of one.

    >>> sets = LineGroups.of([["x", "y"], ["u"]])
    >>> peer_means(sets, np.array([1.0, 3.0]), 0.0)
    array([2., 0.])
    """
    counts = sets.counts()
    means = np.full(len(sets), alone)
    several = counts > 1
    bounds = np.concatenate([[0], np.cumsum(counts[several])]).astype(np.int64)
    means[several] = group_means(bounds, values)
    return means


def _select_lines(lines: Lines, numbers: list[int]) -> Lines:
    chosen: Ints = np.array(numbers, np.int64)
    return Lines(lines.buffer, np.ascontiguousarray(lines.spans[chosen]))
