"""Products of vectors whose last bits do not depend on the number of threads.

NumPy leaves a matrix product to a BLAS library, which cuts a large one into pieces for its threads: the
order of additions depends on their number. A long sentence would have another score on another number
of cores, or on a worker of a cluster, which has one. `np.einsum` adds in one order.
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Floats


def row_products(rows: Floats, others: Floats) -> Floats:
    """The product of each row with each other row: [..., n, k] and [..., m, k] to [..., n, m].

    >>> row_products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[11.0, 2.0]]
    """
    return np.asarray(np.einsum("...ik,...jk->...ij", rows, others))
