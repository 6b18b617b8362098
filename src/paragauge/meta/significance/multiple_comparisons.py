"""Many comparisons at once: corrected p-values, and clusters of metrics or systems.

- ``holm`` (Holm 1979) and ``bonferroni`` bound the chance of any false finding;
- ``fdr`` (Benjamini and Hochberg 1995) bounds the expected share of false findings;
- ``none`` leaves p-values as they are.

Clusters follow the WMT metrics tasks: going down from the best value, a new cluster starts at the
first one that is significantly worse than any member of the current cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from paragauge.errors import unknown_name

Correction = Literal["holm", "bonferroni", "fdr", "none"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)


def correct_p_values(p_values: Sequence[float], method: Correction = "holm") -> list[float]:
    """P-values corrected for their number.

    >>> [round(p, 3) for p in correct_p_values([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    >>> [round(p, 3) for p in correct_p_values([0.01, 0.04, 0.03], "fdr")]
    [0.03, 0.04, 0.04]
    """
    if method not in CORRECTIONS:
        raise unknown_name("correction", method, CORRECTIONS)
    count = len(p_values)
    if method == "none":
        return list(p_values)
    if method == "bonferroni":
        return [min(1.0, count * p) for p in p_values]
    order = sorted(range(count), key=lambda i: p_values[i])
    result = [0.0] * count
    if method == "holm":
        largest = 0.0
        for rank, index in enumerate(order):
            largest = max(largest, min(1.0, (count - rank) * p_values[index]))
            result[index] = largest
        return result
    smallest = 1.0
    for rank in range(count, 0, -1):
        index = order[rank - 1]
        smallest = min(smallest, p_values[index] * count / rank)
        result[index] = smallest
    return result


def clusters(names: Sequence[str], beats: Callable[[str, str], bool]) -> dict[str, int]:
    """The cluster of each name, from 1; `names` go from best to worst.

    >>> clusters(["a", "b", "c"], lambda one, other: (one, other) == ("a", "c"))
    {'a': 1, 'b': 1, 'c': 2}
    """
    result: dict[str, int] = {}
    number, members = 1, list[str]()
    for name in names:
        if any(beats(member, name) for member in members):
            number, members = number + 1, []
        members.append(name)
        result[name] = number
    return result
