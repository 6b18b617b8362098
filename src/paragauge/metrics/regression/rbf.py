"""Regression with a radial basis function kernel: predictions of a trained support-vector machine.

    f(x) = b + sum over support vectors v of  a_v exp(-gamma |z - v|^2),    z = (x - mean) / scale

The values are learned elsewhere (`fit.py`); saying what they mean needs no library.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name

MAGIC = b"PGRBFSV1"


@dataclass(frozen=True, eq=False)
class RBFRegression:
    """A trained regression over the features with these `names`.

    `mean` and `scale` [k]; `vectors` [v, k] after scaling; `coefficients` [v].

    >>> one = np.ones(1)
    >>> line = RBFRegression(("x",), 0 * one, one, 0.5, 2.0, np.array([[1.0]]), 3 * one)
    >>> line.predict(np.array([[1.0], [9.0]])).round(6).tolist()
    [5.0, 2.0]
    """

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    gamma: float
    intercept: float
    vectors: Floats
    coefficients: Floats

    def predict(self, features: Floats, threads: int = 1) -> Floats:
        """The value for each row of features [n, k]; 0 threads for one per core."""
        rows = np.ascontiguousarray((features - self.mean) / self.scale)
        vectors = np.ascontiguousarray(self.vectors)
        coefficients = np.ascontiguousarray(self.coefficients)
        values = _native.rbf_values(rows, vectors, coefficients, self.gamma, threads)
        return values + self.intercept

    @property
    def fingerprint(self) -> str:
        """Eight digits that change with any number of the regression."""
        digest = hashlib.sha256("|".join([*self.names, repr((self.gamma, self.intercept))]).encode())
        for array in (self.mean, self.scale, self.vectors, self.coefficients):
            digest.update(np.ascontiguousarray(array, np.float64).tobytes())
        return digest.hexdigest()[:8]

    def save(self, path: str | Path) -> None:
        """Write a file that `load` reads."""
        about = {"names": self.names, "gamma": self.gamma, "intercept": self.intercept}
        arrays = {name: getattr(self, name) for name in ("mean", "scale", "vectors", "coefficients")}
        write_arrays(path, MAGIC, about, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The regression in a file."""
        about, arrays = read_arrays(path, MAGIC, "a regression")
        try:
            names = tuple(map(str, about["names"]))
            regression = cls(
                names,
                arrays["mean"].astype(np.float64),
                arrays["scale"].astype(np.float64),
                float(about["gamma"]),
                float(about["intercept"]),
                arrays["vectors"].astype(np.float64),
                arrays["coefficients"].astype(np.float64),
            )
            shapes = [
                getattr(regression, name).shape for name in ("mean", "scale", "vectors", "coefficients")
            ]
            count = len(regression.coefficients)
            if shapes != [(len(names),), (len(names),), (count, len(names)), (count,)]:
                raise ValueError("shapes")  # noqa: TRY301  # one message for all that is wrong
        except (KeyError, ValueError, TypeError) as error:
            raise FileFormatError(
                display_name(path), None, f"expected a regression of this version ({error}); fit again"
            ) from None
        return regression
