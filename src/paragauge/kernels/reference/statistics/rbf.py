"""Twin of rbf.cpp: predictions of a regression with a radial basis function kernel."""

from __future__ import annotations

import math

import numpy as np

from paragauge.kernels.layout import Floats


def rbf_values(
    rows: Floats, vectors: Floats, coefficients: Floats, gamma: float, threads: int
) -> Floats:
    """For each row z [n, k]: the sum over vectors v [m, k] of coefficient_v exp(-gamma |z - v|^2)."""
    del threads
    if rows.shape[1] != vectors.shape[1] or len(vectors) != len(coefficients):
        raise ValueError("rows and vectors must have the same features, vectors a coefficient each")
    values = []
    for row in rows.tolist():
        value = 0.0
        for vector, coefficient in zip(vectors.tolist(), coefficients.tolist(), strict=True):
            distance = 0.0
            for x, v in zip(row, vector, strict=True):
                distance += (v - x) * (v - x)
            value += coefficient * math.exp(-gamma * distance)
        values.append(value)
    return np.array(values, np.float64)
