"""Twin of boosted_trees.cpp: predictions of a regression by boosted trees."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints


def tree_sums(
    rows: Floats,
    roots: Ints,
    features: Ids,
    thresholds: Floats,
    left: Ids,
    right: Ids,
    values: Floats,
    threads: int,
) -> Floats:
    """For each row [n, k]: the sum over trees, in order, of the value of the leaf that the row reaches.

    A tree starts at its root. A node with feature -1 is a leaf, of which only the value is read; at any
    other node, `row[feature] <= threshold` goes left. Children have greater numbers than their parent.
    """
    del threads
    nodes = len(features)
    if not len(thresholds) == len(left) == len(right) == len(values) == nodes:
        raise ValueError("features, thresholds, left, right and values must have the same length")
    for root in roots.tolist():
        if not 0 <= root < nodes:
            raise ValueError("every root must be the number of a node")
    for node, feature in enumerate(features.tolist()):
        if not -1 <= feature < rows.shape[1]:
            raise ValueError("every feature must be a column of the rows, or -1 in a leaf")
        if feature < 0:
            if not np.isfinite(values[node]):
                raise ValueError("values of leaves must be finite numbers")
            continue
        if not np.isfinite(thresholds[node]):
            raise ValueError("thresholds must be finite numbers")
        if not (node < left[node] < nodes and node < right[node] < nodes):
            raise ValueError("children must be nodes with greater numbers than their parent")
    if np.isnan(rows).any():
        raise ValueError("rows must not contain NaN")
    sums = []
    for row in rows.tolist():
        total = 0.0
        for root in roots.tolist():
            node = root
            while features[node] >= 0:
                node = left[node] if row[features[node]] <= thresholds[node] else right[node]
            total += float(values[node])
        sums.append(total)
    return np.array(sums, np.float64)
