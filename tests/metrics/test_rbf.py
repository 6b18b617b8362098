"""Regressions: what scikit-learn learned is what is said here, and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import FileFormatError
from paragauge.metrics.rbf import RBFRegression


def regression(seed: int = 7, rows: int = 60) -> tuple[RBFRegression, np.ndarray, np.ndarray]:
    svm = pytest.importorskip("sklearn.svm")
    random = np.random.default_rng(seed)
    table = random.normal(size=(rows, 3))
    machine = svm.SVR(C=2.0, gamma=0.3, epsilon=0.05).fit(table, table[:, 0] ** 2)
    found = RBFRegression(
        ("a", "b", "c"),
        np.zeros(3),
        np.ones(3),
        0.3,
        float(machine.intercept_[0]),
        machine.support_vectors_,
        machine.dual_coef_[0],
    )
    fresh = random.normal(size=(3000, 3))
    return found, fresh, machine.predict(fresh)


def test_predictions_equal_scikit_learn() -> None:
    found, table, wanted = regression()
    np.testing.assert_allclose(found.predict(table), wanted, atol=1e-10)


def test_a_file_holds_everything(tmp_path: Path) -> None:
    found, table, _ = regression()
    found.save(tmp_path / "r.bin")
    again = RBFRegression.load(tmp_path / "r.bin")
    assert (again.fingerprint, again.names) == (found.fingerprint, found.names)
    np.testing.assert_array_equal(again.predict(table), found.predict(table))
    assert regression(8)[0].fingerprint != found.fingerprint


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    found, _, _ = regression()
    path = tmp_path / "r.bin"
    found.save(path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(FileFormatError, match="expected a regression"):
            RBFRegression.load(path)
    RBFRegression(
        ("a", "b"), found.mean, found.scale, 0.3, 0.0, found.vectors, found.coefficients
    ).save(path)
    with pytest.raises(FileFormatError, match=r"expected a regression of this version \(shapes\)"):
        RBFRegression.load(path)
