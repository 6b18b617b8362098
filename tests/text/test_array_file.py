"""Arrays in a file: what is written is read, and damage is an error."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from paragauge.errors import FileFormatError
from paragauge.text.array_file import read_arrays, write_arrays

MAGIC = b"PGTEST01"
SHAPES = array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=6)
ARRAY = st.one_of(
    arrays(np.int64, SHAPES, elements=st.integers(0, 2**62)),
    arrays(np.uint8, SHAPES),
    arrays(np.float64, SHAPES),
    arrays(np.float32, SHAPES),
)


@given(st.dictionaries(st.text(max_size=5), ARRAY, max_size=4))
def test_arrays_come_back(
    tmp_path_factory: pytest.TempPathFactory, arrays: dict[str, np.ndarray]
) -> None:
    path = tmp_path_factory.mktemp("arrays") / "x.bin"
    write_arrays(path, MAGIC, {"n": len(arrays)}, arrays)
    about, restored = read_arrays(path, MAGIC, "a test")
    assert about == {"n": len(arrays)}
    assert restored.keys() == arrays.keys()
    for name, array in arrays.items():
        assert restored[name].shape == array.shape
        np.testing.assert_array_equal(restored[name], array)


def test_negative_integers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="integers must not be negative"):
        write_arrays(tmp_path / "x.bin", MAGIC, {}, {"a": np.array([-1])})
    assert list(tmp_path.iterdir()) == []


def test_other_files_and_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    write_arrays(path, MAGIC, {"a": 1}, {"a": np.arange(500), "b": np.ones((3, 2))})
    whole = path.read_bytes()
    path.write_bytes(b"PGOTHER1" + whole[8:])
    with pytest.raises(FileFormatError, match=r"x\.bin: expected a test written by paragauge, found"):
        read_arrays(path, MAGIC, "a test")
    path.write_bytes(whole[:-1])
    with pytest.raises(FileFormatError, match="expected a test, found a damaged one"):
        read_arrays(path, MAGIC, "a test")
    random = np.random.default_rng(7)
    for _ in range(500):
        damaged = bytearray(whole)
        for at in random.integers(12, len(whole), 4).tolist():
            damaged[at] = int(random.integers(0, 256))
        damaged[8:12] = zlib.crc32(bytes(damaged[12:])).to_bytes(4, "little")
        path.write_bytes(bytes(damaged))
        try:
            read_arrays(path, MAGIC, "a test")
        except FileFormatError:
            continue


def test_a_header_cannot_ask_for_more_than_there_is(tmp_path: Path) -> None:
    """Sizes are checked before memory is taken."""
    path = tmp_path / "x.bin"
    body = b'{"about": {}, "arrays": [["a", "float64", [100000000000, 1000], 8]]}'
    body = len(body).to_bytes(4, "little") + body + zlib.compress(b"")
    path.write_bytes(MAGIC + zlib.crc32(body).to_bytes(4, "little") + body)
    with pytest.raises(FileFormatError, match="expected a test of this version"):
        read_arrays(path, MAGIC, "a test")
