"""Products of vectors are the same bits with any number of threads."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from paragauge.encode.row_products import row_products

CODE = """
import hashlib
import numpy as np
from paragauge.encode.row_products import row_products
draw = np.random.default_rng(7)
one, other = draw.normal(size=(2, 90, 384)), draw.normal(size=(2, 70, 384))
print(hashlib.sha256(row_products(one, other).tobytes()).hexdigest())
"""


@pytest.mark.parametrize("layers", [(), (3,)])
def test_products_by_hand(layers: tuple[int, ...]) -> None:
    draw = np.random.default_rng(7)
    one, other = draw.normal(size=(*layers, 4, 6)), draw.normal(size=(*layers, 5, 6))
    expected = (one[..., :, None, :] * other[..., None, :, :]).sum(axis=-1)
    np.testing.assert_allclose(row_products(one, other), expected, rtol=1e-12)


def test_products_do_not_depend_on_the_threads_of_a_library() -> None:
    """A worker of Spark has one thread for each core it was given; see OMP_NUM_THREADS."""
    digests = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            env=os.environ | {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
