"""Regressions: what scikit-learn learned is what is said here, and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError
from paragauge.kernels import _native, reference
from paragauge.metrics.regression.rbf import RBFRegression


def regression(seed: int = 7, rows: int = 60) -> tuple[RBFRegression, np.ndarray, np.ndarray]:
    svm = pytest.importorskip("sklearn.svm")
    random = np.random.default_rng(seed)
    table = random.normal(size=(rows, 3))
    machine = svm.SVR(C=2.0, gamma=0.3, epsilon=0.05).fit(table, table[:, 0] ** 2)
    model = RBFRegression(
        ("a", "b", "c"),
        np.zeros(3),
        np.ones(3),
        0.3,
        float(machine.intercept_[0]),
        machine.support_vectors_,
        machine.dual_coef_[0],
    )
    fresh = random.normal(size=(3000, 3))
    return model, fresh, machine.predict(fresh)


def test_predictions_equal_scikit_learn() -> None:
    model, table, expected = regression()
    np.testing.assert_allclose(model.predict(table), expected, atol=1e-10)


def test_a_file_holds_everything(tmp_path: Path) -> None:
    model, table, _ = regression()
    model.save(tmp_path / "r.bin")
    again = RBFRegression.load(tmp_path / "r.bin")
    assert (again.fingerprint, again.names) == (model.fingerprint, model.names)
    np.testing.assert_array_equal(again.predict(table), model.predict(table))
    assert regression(8)[0].fingerprint != model.fingerprint


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    model, _, _ = regression()
    path = tmp_path / "r.bin"
    model.save(path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(FileFormatError, match="expected a regression"):
            RBFRegression.load(path)
    RBFRegression(
        ("a", "b"), model.mean, model.scale, 0.3, 0.0, model.vectors, model.coefficients
    ).save(path)
    with pytest.raises(FileFormatError, match=r"expected a regression of this version \(shapes\)"):
        RBFRegression.load(path)


@settings(max_examples=200)
@given(
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.1, 2.0]),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0, 1, 2, 5]),
)
def test_the_kernel_equals_its_twin(
    rows: int, vectors: int, width: int, gamma: float, seed: int, threads: int
) -> None:
    random = np.random.default_rng(seed)
    arrays = random.normal(size=(rows, width)), random.normal(size=(vectors, width))
    coefficients = random.normal(size=vectors)
    native, twin = (
        module.rbf_values(*arrays, coefficients, gamma, threads) for module in (_native, reference)
    )
    np.testing.assert_allclose(native, twin, rtol=1e-12, atol=1e-12)


def test_a_row_does_not_depend_on_others_or_on_threads() -> None:
    model, table, _ = regression(rows=200)
    whole = model.predict(table, threads=1)
    np.testing.assert_array_equal(model.predict(table, threads=3), whole)
    np.testing.assert_array_equal([model.predict(table[i : i + 1])[0] for i in range(50)], whole[:50])


@pytest.mark.parametrize("module", [_native, reference])
def test_shapes_that_do_not_fit(module: Any) -> None:
    with pytest.raises(ValueError, match="must have the same features"):
        module.rbf_values(np.zeros((1, 2)), np.zeros((1, 3)), np.zeros(1), 1.0, 1)
    with pytest.raises(ValueError, match="vectors a coefficient each"):
        module.rbf_values(np.zeros((1, 2)), np.zeros((1, 2)), np.zeros(2), 1.0, 1)
