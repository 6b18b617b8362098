"""Twin of symmetrize.cpp: two directional word alignments made into one, as Moses' symal does it.

Grow-diag-final is due to Koehn, Och and Marcu (2003) and Koehn et al. (2005); its result depends on the
order in which points are tried, so the order is part of the definition. Points are pairs (target,
source) and sets of points are sorted. *Growing* passes over the chosen points, from the intersection
on; a point that is chosen during a pass is visited in the same pass if it lies ahead, otherwise in the
next. For each it tries the eight neighbors in the order of `NEIGHBORS`, and chooses one that is in
the union and has a target or a source word that no chosen point covers. Passes go on until one chooses
nothing. *Final* then passes once over the links of the forward direction alone, then once over those
of the reverse direction alone: it chooses those with an uncovered word, or, for *final-and*, with two.

Forward links are those of p(target | source), in which each target word has at most one link (symal's
array b); reverse links those of p(source | target) (symal's array a). symal knows only such functions;
here either direction may hold any links, and "of one direction alone" decides instead.
"""

from __future__ import annotations

import itertools

import numpy as np

from paragauge.kernels.layout import Ids, Ints

Columns = tuple[Ids, Ids, Ints]
Point = tuple[int, int]

HEURISTICS = (
    "forward",
    "reverse",
    "intersection",
    "union",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
)
NEIGHBORS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def symmetrize(forward: Columns, reverse: Columns, heuristic: str, threads: int) -> Columns:
    """The links of each pair (source, target, offsets), sorted by source, then target, each once.

    O(n log n) in the links of a pair for each pass.
    """
    del threads
    there, back = _points(forward), _points(reverse)
    if len(there) != len(back):
        raise ValueError("both directions must have the same number of pairs")
    if heuristic not in HEURISTICS:
        raise ValueError(f"unknown heuristic '{heuristic}'")
    rows = [
        sorted((source, target) for target, source in _choose_points(one, other, heuristic))
        for one, other in zip(there, back, strict=True)
    ]
    flat = np.array([point for row in rows for point in row], np.int32).reshape(-1, 2)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return flat[:, 0].copy(), flat[:, 1].copy(), offsets


def _points(links: Columns) -> list[set[Point]]:
    source, target, offsets = (array.tolist() for array in links)
    if len(source) != len(target):
        raise ValueError("every link must have a source and a target position")
    steps = list(itertools.pairwise(offsets))
    if not offsets or offsets[0] < 0 or offsets[-1] > len(source) or any(a > b for a, b in steps):
        raise ValueError("offsets must not decrease and must stay within the links")
    return [set(zip(target[first:last], source[first:last], strict=True)) for first, last in steps]


def _choose_points(forward: set[Point], reverse: set[Point], heuristic: str) -> set[Point]:
    simple = {
        "forward": forward,
        "reverse": reverse,
        "intersection": forward & reverse,
        "union": forward | reverse,
    }
    if heuristic in simple:
        return simple[heuristic]
    points = sorted(forward | reverse)
    chosen = forward & reverse
    targets = {target for target, _ in chosen}
    sources = {source for _, source in chosen}

    def choose(point: Point) -> None:
        chosen.add(point)
        targets.add(point[0])
        sources.add(point[1])

    added = True
    while added:
        added = False
        for point in points:
            if point not in chosen:
                continue
            for down, right in NEIGHBORS:
                near = point[0] + down, point[1] + right
                if near in forward | reverse and not (near[0] in targets and near[1] in sources):
                    choose(near)
                    added = True
    if heuristic == "grow-diag":
        return chosen
    for alone in (forward - reverse, reverse - forward):
        for point in sorted(alone - chosen):
            covered = (point[0] in targets, point[1] in sources)
            if not (any(covered) if heuristic == "grow-diag-final-and" else all(covered)):
                choose(point)
    return chosen
